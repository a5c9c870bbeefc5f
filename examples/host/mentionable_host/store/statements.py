"""Runs the statements that every message needs without what SQLAlchemy does anew for each: SQLite gets them compiled.

SQLite itself takes a few microseconds for such a statement. What leads to it would take longer than that.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from attrs import frozen
from sqlalchemy import Connection, Dialect, Executable
from sqlalchemy.exc import DBAPIError

from mentionable_host.store.columns import StoredText

__all__ = ["run", "run_text"]

MAX_STATEMENTS: Final = 1024
"""So many compiled statements are kept."""

Row = tuple[Any, ...]


def run(db: Connection, statement: Executable, values: Mapping[str, Any]) -> list[Row]:
    """The rows that a statement brings.

    Args:
        db: The transaction.
        statement: One that is made once, since it is kept. What its rows have is not converted: text, numbers and bytes
            are the same everywhere, but SQLite says 0 and 1 of a boolean.
        values: Name → value of its parameters, or of the columns of an INSERT; a list for an expanding one.
    """
    if db.dialect.name != "sqlite":
        found = db.execute(statement, dict(values))
        return [tuple(row) for row in found] if found.returns_rows else []
    if not db.in_transaction() and db.get_execution_options().get("isolation_level") != "AUTOCOMMIT":
        db.begin()
    sizes = tuple([(name, len(value)) for name, value in values.items() if value.__class__ is list])
    compiled = _compiled(db.dialect, statement, tuple(values), sizes)
    return run_text(db, compiled.text, compiled.in_order(values))


def run_text(db: Connection, text: str, values: Sequence[Any] = ()) -> list[Row]:
    """The rows that SQLite gives for a statement in its own words.

    Args:
        db: A transaction that has begun.
        text: The statement.
        values: Those of its places, as they are stored.
    """
    driver: Any = db.connection.driver_connection
    try:
        rows: list[Row] = driver.execute(text, values).fetchall()
    except sqlite3.Error as error:
        wrapped: Any = DBAPIError.instance(text, None, error, sqlite3.Error, hide_parameters=True, dialect=db.dialect)
        raise wrapped from error
    return rows


_Place = tuple[str | None, int | None, Callable[[Any], Any] | None]
"""What is bound to a place of a statement: a value by its name, its number in a list, and how it is stored."""


@frozen
class _Compiled:
    """A statement in the words of SQLite.

    Attributes:
        text: The statement.
        places: What is bound to each; a constant has no name, and a function that gives it.
    """

    text: str
    places: tuple[_Place, ...]

    def in_order(self, values: Mapping[str, Any]) -> list[Any]:
        """The values in the order of their places."""
        bound = []
        for name, item, stored in self.places:
            value = None if name is None else values[name] if item is None else values[name][item]
            bound.append(value if stored is None or (value is None and name is not None) else stored(value))
        return bound


@lru_cache(MAX_STATEMENTS)
def _compiled(
    dialect: Dialect, statement: Any, names: tuple[str, ...], sizes: tuple[tuple[str, int], ...]
) -> _Compiled:
    """A statement for values of these names, of which some are lists of a size."""
    lists = dict(sizes)
    sample = {name: [None] * lists[name] if name in lists else None for name in names}
    is_insert = getattr(statement, "is_insert", False) and {*names} <= {*statement.table.columns.keys()}
    columns = list(names) if is_insert else None  # else it says itself where its parameters go
    compiled = statement.compile(dialect=dialect, column_keys=columns)
    state = compiled.construct_expanded_state(sample)
    items = {one: (name, item) for name, ones in state.parameter_expansion.items() for item, one in enumerate(ones)}
    places: list[_Place] = []
    for place in state.positiontup:
        name, item = items.get(place, (place, None))
        kind = compiled.binds[name].type
        stored = kind.stored if isinstance(kind, StoredText) else kind.dialect_impl(dialect).bind_processor(dialect)
        if name in sample:
            places.append((name, item, stored))
        else:
            constant = state.parameters[place]
            places.append((None, None, _always(constant if stored is None else stored(constant))))
    return _Compiled(state.statement, tuple(places))


def _always(constant: Any) -> Callable[[Any], Any]:
    return lambda _: constant
