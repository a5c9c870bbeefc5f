"""What each database writes in its own way: inserts that know what is there, and locks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, Final, Literal, TypeVar

from sqlalchemy import Column, Connection, Table, literal, text
from sqlalchemy.dialects import sqlite

from mentionable_host.store.statements import run

__all__ = ["insert_new", "insert_or", "insert_returning", "insert_rows_or", "lock", "upsert", "upsert_all"]

T = TypeVar("T")


def lock(db: Connection, kind: LockKind, names: Iterable[str]) -> None:
    """Holds names until the transaction ends: who holds one of them, in any process, is waited for.

    SQLite has one writer, so there nobody is.
    """
    if db.dialect.name == "postgresql":
        for name in sorted(names):  # in this order: so two transactions wait, and do not lock up
            db.execute(_LOCK, {"kind": LOCKS[kind], "name": name})


LockKind = Literal["lane", "message", "stream"]
LOCKS: Final[dict[LockKind, int]] = {"lane": 1, "message": 2, "stream": 3}
_LOCK: Final = text("SELECT pg_advisory_xact_lock(:kind, hashtext(:name))")


@cache
def _insert(dialect: str, table: Table) -> Any:
    """The beginning of a statement that is built once: to build one takes longer than to run it."""
    if dialect == "postgresql":
        from sqlalchemy.dialects import postgresql  # it is large, and most hosts do not need it

        return postgresql.insert(table)
    return sqlite.insert(table)


@cache
def _insert_new(dialect: str, table: Table, column: Column[Any] | None) -> Any:
    statement = _insert(dialect, table).on_conflict_do_nothing()
    return statement.returning(literal(1) if column is None else column)  # not every driver counts the rows


@cache
def _upsert(dialect: str, table: Table, changed: tuple[str, ...]) -> Any:
    statement = _insert(dialect, table)
    keys = [column.name for column in table.primary_key.columns]
    values = {name: statement.excluded[name] for name in changed}
    return statement.on_conflict_do_update(index_elements=keys, set_=values)


def insert_new(db: Connection, table: Table, values: dict[str, Any]) -> bool:
    """Inserts a row unless one with such a key is there; whether it was new."""
    return bool(run(db, _insert_new(db.dialect.name, table, None), values))


def insert_returning(db: Connection, table: Table, values: dict[str, Any], column: Column[T]) -> T | None:
    """As `insert_new`, but gives a column of the new row; None: the row was there."""
    rows = run(db, _insert_new(db.dialect.name, table, column), values)
    return rows[0][0] if rows else None


def upsert(db: Connection, table: Table, values: dict[str, Any], *, keep: Iterable[str] = ()) -> None:
    """Inserts a row, or changes the one with this primary key.

    Args:
        db: The transaction.
        table: The table.
        values: Column → value.
        keep: Columns that stay as they are where the row is there.
    """
    run(db, _upsert(db.dialect.name, table, _changed(table, values, keep=keep)), values)


def upsert_all(db: Connection, table: Table, rows: list[dict[str, Any]], *, keep: Iterable[str] = ()) -> None:
    """The same with some rows, all of the same columns."""
    if rows:
        db.execute(_upsert(db.dialect.name, table, _changed(table, rows[0], keep=keep)), rows)


def _changed(table: Table, names: Iterable[str], *, keep: Iterable[str]) -> tuple[str, ...]:
    """The columns that change in a row that is there."""
    stays = {*(column.name for column in table.primary_key.columns), *keep}
    return tuple(name for name in names if name not in stays)


def insert_or(
    db: Connection,
    table: Table,
    values: dict[str, Any],
    change: Callable[[Any], dict[str, Any]],
    *returning: Column[Any],
) -> tuple[Any, ...]:
    """Inserts a row, or changes the one with this primary key as `change` says; what `returning` names of it.

    Args:
        db: The transaction.
        table: The table.
        values: Column → value of the new row.
        change: Column → expression, from what would have been inserted; always the same function.
        returning: Columns of the result.
    """
    rows = run(db, _insert_or(db.dialect.name, table, change, returning), values)
    return rows[0] if rows else ()


def insert_rows_or(dialect: str, table: Table, rows: list[dict[str, Any]], changed: dict[str, Any]) -> Any:
    """A statement that inserts rows, or changes those with these primary keys.

    Args:
        dialect: Of the database.
        table: The table.
        rows: Column → value, or a parameter.
        changed: Column → expression, for a row that is there.
    """
    keys = [column.name for column in table.primary_key.columns]
    return _insert(dialect, table).values(rows).on_conflict_do_update(index_elements=keys, set_=changed)


@cache
def _insert_or(dialect: str, table: Table, change: Callable[[Any], dict[str, Any]], returning: tuple[Any, ...]) -> Any:
    statement = _insert(dialect, table)
    keys = [column.name for column in table.primary_key.columns]
    changed = statement.on_conflict_do_update(index_elements=keys, set_=change(statement.excluded))
    return changed.returning(*returning) if returning else changed
