"""Members of a platform's JSON, one at a time by their names: no other member is read."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, TypeGuard

from .._text.media import single_line

IsId: TypeAlias = "Callable[[object], TypeGuard[str]]"


def id_form(pattern: str) -> IsId:
    """The test whether a value is an id of one kind: text that an ASCII pattern matches as a whole."""
    match = re.compile(pattern, re.ASCII).fullmatch

    def is_id(value: object) -> TypeGuard[str]:
        return isinstance(value, str) and match(value) is not None

    return is_id


def object_of(value: object) -> Mapping[str, Any]:
    """The JSON object; an empty one when it is something else."""
    # Most values are dicts or missing, and to ask an abstract class of None costs more than to read a member.
    return value if value.__class__ is dict or (value is not None and isinstance(value, Mapping)) else {}


def items_of(value: object) -> tuple[Any, ...]:
    """The items of a JSON array; none when it is something else."""
    return tuple(value) if isinstance(value, (list, tuple)) else ()


def objects_of(value: object) -> list[Mapping[str, Any]]:
    """The objects of a JSON array; its other items are left out."""
    return [item for item in items_of(value) if isinstance(item, (dict, Mapping))]


def line_of(value: object) -> str:
    """The text on a single line; empty when it is no text."""
    return single_line(value) if isinstance(value, str) else ""
