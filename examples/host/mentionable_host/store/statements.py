"""Runs the statements that every message needs without what SQLAlchemy does anew for each: SQLite gets them compiled.

SQLite itself takes a few microseconds for such a statement. What leads to it would take longer than that.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from attrs import frozen
from sqlalchemy import Connection, Dialect, Executable
from sqlalchemy.exc import DBAPIError

__all__ = ["run", "run_text"]

KEPT: Final = 1024
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
    sizes = tuple((name, len(value)) for name, value in values.items() if type(value) is list)
    compiled = _compiled(db.dialect, statement, tuple(values), sizes)
    return run_text(db, compiled.text, compiled.in_order(values))


def run_text(db: Connection, text: str, values: Sequence[Any] = ()) -> list[Row]:
    """The rows that SQLite gives for a statement in its own words.

    Args:
        db: A transaction that has begun.
        text: The statement.
        values: As it is stored, what stands at its places.
    """
    driver: Any = db.connection.driver_connection
    try:
        rows: list[Row] = driver.execute(text, values).fetchall()
    except sqlite3.Error as error:
        told: Any = DBAPIError.instance(text, None, error, sqlite3.Error, hide_parameters=True, dialect=db.dialect)
        raise told from error
    return rows


@frozen
class _Place:
    """What stands at a place of a statement: a constant, or a value by its name, and its number in a list."""

    name: str | None
    item: int | None
    convert: Any
    constant: Any = None


@frozen
class _Compiled:
    text: str
    places: tuple[_Place, ...]

    def in_order(self, values: Mapping[str, Any]) -> list[Any]:
        """The values in the order of their places."""
        found = []
        for one in self.places:
            if one.name is None:
                found.append(one.constant)
                continue
            value = values[one.name] if one.item is None else values[one.name][one.item]
            found.append(value if one.convert is None else one.convert(value))
        return found


@lru_cache(KEPT)
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
    places = []
    for place in state.positiontup:
        name, item = items.get(place, (place, None))
        convert = state.processors.get(place) or compiled.binds[name].type.dialect_impl(dialect).bind_processor(dialect)
        if name in sample:
            places.append(_Place(name, item, convert))
        else:
            constant = state.parameters[place]
            places.append(_Place(None, None, None, constant if convert is None else convert(constant)))
    return _Compiled(state.statement, tuple(places))
