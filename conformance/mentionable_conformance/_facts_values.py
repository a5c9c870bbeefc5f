"""What facts ask of the values in an answer. What is of another form raises TypeError or ValueError."""

from __future__ import annotations

from json import loads
from typing import Any

__all__ = ["items", "loads_bytes", "text"]


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
