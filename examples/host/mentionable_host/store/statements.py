"""Statements that both databases have, and each writes in its own way. Each is made once."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final

from sqlalchemy import Connection, Table, bindparam, literal
from sqlalchemy.dialects import postgresql, sqlite

__all__ = ["insert_new", "insert_numbered", "inserting", "upsert", "upsert_all"]

STATEMENTS: Final = 256
"""So many statements are kept."""


def insert_new(db: Connection, table: Table, values: dict[str, Any]) -> bool:
    """Inserts a row unless one with such a key is there; whether it was new."""
    return db.execute(_insert_new(db.dialect.name, table, tuple(values), None), values).first() is not None


def insert_numbered(db: Connection, table: Table, values: dict[str, Any]) -> int | None:
    """Inserts a row of a table that counts by itself; its `number`, or None where one with such a key is there."""
    number: int | None = db.execute(_insert_new(db.dialect.name, table, tuple(values), "number"), values).scalar()
    return number


def upsert(db: Connection, table: Table, values: dict[str, Any], *, keep: Iterable[str] = ()) -> None:
    """Inserts a row, or changes the one with this primary key.

    Args:
        db: The transaction.
        table: The table.
        values: Column → value.
        keep: Columns that stay as they are where the row is there.
    """
    upsert_all(db, table, [values], keep=keep)


def upsert_all(db: Connection, table: Table, rows: list[dict[str, Any]], *, keep: Iterable[str] = ()) -> None:
    """The same with some rows, all of the same columns."""
    if rows:
        db.execute(_upsert(db.dialect.name, table, tuple(rows[0]), tuple(keep)), rows)


def inserting(dialect: str, table: Table) -> Any:
    """An INSERT that may have an ON CONFLICT, as this kind of database writes it."""
    return postgresql.insert(table) if dialect == "postgresql" else sqlite.insert(table)


@lru_cache(STATEMENTS)
def _insert_new(dialect: str, table: Table, columns: tuple[str, ...], returned: str | None) -> Any:
    """A statement is made once: that takes longer than to run it."""
    new = inserting(dialect, table).values({name: bindparam(name) for name in columns}).on_conflict_do_nothing()
    return new.returning(table.c[returned] if returned else literal(1))


@lru_cache(STATEMENTS)
def _upsert(dialect: str, table: Table, columns: tuple[str, ...], keep: tuple[str, ...]) -> Any:
    statement = inserting(dialect, table)
    keys = [column.name for column in table.primary_key.columns]
    changed = {name: statement.excluded[name] for name in columns if name not in {*keys, *keep}}
    return statement.on_conflict_do_update(index_elements=keys, set_=changed)
