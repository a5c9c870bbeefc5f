"""What a value of JSON must be so that it can be compared and reported."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["checked"]

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
