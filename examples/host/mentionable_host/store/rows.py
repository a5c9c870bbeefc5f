"""Rows of tables as values."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import Any, Final, TypeVar

from attrs import NOTHING, AttrsInstance, fields

__all__ = ["NEWEST", "time_of", "value_of"]

T = TypeVar("T", bound=AttrsInstance)

NEWEST: Final = 2**53
"""Higher than any number."""
_TIMES: Final = ("datetime", "datetime | None")


def time_of(seconds: float) -> datetime:
    """A time as it is stored, as a value."""
    return datetime.fromtimestamp(seconds).astimezone()


def value_of(cls: type[T], row: Mapping[Any, Any], **members: Any) -> T:
    """A row as a value of a class whose fields have the names of the columns; times of it become `datetime`.

    Args:
        cls: A class of attrs.
        row: The row. A field with a default may be missing in it.
        members: What the fields have that are no columns, or are stored in another form.
    """
    for name, is_time, is_optional in _fields_of(cls):
        if name in members or (is_optional and name not in row):
            continue
        members[name] = time_of(row[name]) if is_time and row[name] is not None else row[name]
    return cls(**members)


@cache
def _fields_of(cls: type[AttrsInstance]) -> list[tuple[str, bool, bool]]:
    """Name, whether it is a time, and whether it has a default."""
    return [(one.name, one.type in _TIMES, one.default is not NOTHING) for one in fields(cls)]
