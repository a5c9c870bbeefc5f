"""Mistakes in a configuration, in words: which setting, and what to write instead."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any, Final, get_args, get_origin

from attrs import fields, has
from cattrs import ForbiddenExtraKeysError, transform_error

__all__ = ["Mistake", "explained"]

MOST: Final = 3
"""So many are reported at once."""

_KINDS: Final[dict[Any, str]] = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: 'a text in "quotes"',
}


class Mistake(ValueError):
    """A value that a setting cannot have. The message says what to write."""


def explained(error: Exception) -> str:
    """What is wrong, one sentence each."""
    found = transform_error(error, path="", format_exception=_words)
    lines = [_sentence(*one.rpartition(" @ ")[::2]) for one in found[:MOST]]
    if len(found) > MOST:
        lines.append(f"and {len(found) - MOST} more")
    return "; ".join(lines)


def _sentence(words: str, place: str) -> str:
    return f"{place.lstrip('.') or 'the file'} {words}"


def _words(error: BaseException, kind: Any) -> str:
    match error:
        case ForbiddenExtraKeysError():
            return ", ".join(_no_such(name, error.cl) for name in sorted(error.extra_fields))
        case KeyError():
            return "is missing"
        case ValueError() if has(kind) or isinstance(error, Mistake):
            return str(error)
    options = get_args(kind)
    if options and all(isinstance(one, str) for one in options):  # a Literal
        return f"must be one of {', '.join(map(repr, options))}"
    if has(kind):
        return "must be a section with settings"
    return f"must be {_KINDS.get(kind) or _KINDS.get(get_origin(kind)) or 'something else'}"


def _no_such(name: str, cls: Any) -> str:
    near = get_close_matches(name, [one.name for one in fields(cls)], n=1)
    return f"has no {name!r}" + (f" (did you mean {near[0]!r}?)" if near else "")
