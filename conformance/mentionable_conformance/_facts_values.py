"""What facts ask of the values in an answer. What is of another form raises TypeError or ValueError."""

from __future__ import annotations

from json import loads
from typing import Any

__all__ = ["is_whole", "items", "loads_bytes", "same", "text"]


def loads_bytes(data: bytes) -> Any:
    """The value of JSON in bytes: in UTF-8 without a byte order mark, as RFC 8259 asks."""
    return loads(data.decode("utf-8"))


def text(value: Any) -> str:
    """The text that a value must be."""
    if not isinstance(value, str):
        raise TypeError("is no text")
    return value


def items(value: Any) -> list[Any]:
    """The items of the array that a value must be."""
    if not isinstance(value, list):
        raise TypeError("is no array")
    return value


def is_whole(value: Any) -> bool:
    """Whether a value is a whole number: 1 and 1.0 are, true is not."""
    return not isinstance(value, bool) and (isinstance(value, int) or (isinstance(value, float) and value.is_integer()))


def same(one: Any, other: Any) -> bool:
    """Equality of JSON: 1 equals 1.0, true does not equal 1."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(value, other[name]) for name, value in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return isinstance(one, bool) == isinstance(other, bool) and bool(one == other)
