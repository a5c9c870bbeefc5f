"""Values of JSON: which can be compared and reported, and which are equal."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["checked", "is_equal", "is_whole"]

_DEPTH: Final = 500
"""So many objects and arrays may be nested in each other: what compares them calls itself for each."""


def checked(value: Any) -> Any:
    """A value that can be written as JSON in UTF-8, and compared.

    Raises:
        UnicodeEncodeError: It contains a lone surrogate.
        ValueError: It contains a number like 1e400, or is nested too deep.
    """
    level = _containers([value])
    for _ in range(_DEPTH):
        level = _containers(one for outer in level for one in (outer.values() if isinstance(outer, dict) else outer))
    if level:
        raise ValueError("nested too deep")
    json.dumps(value, ensure_ascii=False, allow_nan=False).encode("utf-8")
    return value


def _containers(values: Iterable[Any]) -> list[Any]:
    """The objects and arrays among these values."""
    return [one for one in values if isinstance(one, (dict, list))]


def is_whole(value: Any) -> bool:
    """Whether a value is a whole number: 1 and 1.0 are, true is not."""
    return not isinstance(value, bool) and (isinstance(value, int) or (isinstance(value, float) and value.is_integer()))


def is_equal(one: Any, other: Any) -> bool:
    """Equality of JSON: 1 equals 1.0, true does not equal 1."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(is_equal(value, other[name]) for name, value in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(is_equal, one, other))
    return isinstance(one, bool) == isinstance(other, bool) and bool(one == other)
