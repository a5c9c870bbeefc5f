"""How a published type is written down, and which of its members a value contradicts.

A type is a function of a value and of a name. It yields the names of what the value contradicts: `Sender.verified`.
Types are open: they say nothing about members that they do not name. An expectation that a case leaves open (`$any`)
contradicts nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeAlias

Type: TypeAlias = Callable[[Any, str], Iterator[str]]


def _judged(fits: Callable[[Any], bool]) -> Type:
    def check(value: Any, name: str) -> Iterator[str]:
        if not _is_open(value) and not fits(value):
            yield name

    return check


def _is_open(value: Any) -> bool:
    return isinstance(value, dict) and "$any" in value


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


ANYTHING: Final = _judged(lambda value: True)
TEXT: Final = _judged(lambda value: isinstance(value, str))
NUMBER: Final = _judged(_is_number)
TRUTH: Final = _judged(lambda value: isinstance(value, bool))
OBJECT: Final = _judged(lambda value: isinstance(value, dict))
SECONDS: Final = _judged(lambda value: _is_number(value) and value >= 0)


def pattern(expression: str) -> Type:
    """A string of this form, as a whole."""
    return _judged(lambda value: isinstance(value, str) and re.fullmatch(expression, value) is not None)


TIME: Final = pattern(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)")
HTTPS: Final = pattern(r"https://[^/\s]+.*")


def whole(least: int) -> Type:
    """A whole number, this or more."""
    return _judged(lambda value: _is_number(value) and value == int(value) and value >= least)


def words(*known: str) -> Type:
    """One of these words."""
    return _judged(lambda value: isinstance(value, str) and value in known)


def nullable(kind: Type) -> Type:
    """This type, or null."""

    def check(value: Any, name: str) -> Iterator[str]:
        if value is not None:
            yield from kind(value, name)

    return check


def either(kind: Type, *others: Type) -> Type:
    """A value that one of these types takes; what contradicts all of them contradicts the first."""

    def check(value: Any, name: str) -> Iterator[str]:
        if all(any(other(value, name)) for other in (kind, *others)):
            yield from kind(value, name)

    return check


def listed(item: Type, least: int = 0) -> Type:
    """An array of this many items, or more."""

    def check(value: Any, name: str) -> Iterator[str]:
        if _is_open(value):
            return
        if not isinstance(value, list) or len(value) < least:
            yield name
            return
        for one in value:
            yield from item(one, name)

    return check


def mapped(item: Type) -> Type:
    """An object with any names, whose values have this type."""

    def check(value: Any, name: str) -> Iterator[str]:
        if _is_open(value):
            return
        if not isinstance(value, dict):
            yield name
            return
        for one in value.values():
            yield from item(one, name)

    return check


def record(title: str, required: Mapping[str, Type], optional: Mapping[str, Type] | None = None) -> Type:
    """An object with these members. Without a title its members are named after the member that holds it."""

    def check(value: Any, name: str) -> Iterator[str]:
        if _is_open(value):
            return
        if not isinstance(value, dict):
            yield name
            return
        place = title or name
        yield from (f"{place}.{member}" for member in required if member not in value)
        for member, kind in {**required, **(optional or {})}.items():
            if member in value:
                yield from kind(value[member], f"{place}.{member}")

    return check


def kinds(title: str, known: Mapping[str, Type], *, closed: bool = True) -> Type:
    """A union that the member `kind` tells apart. An open one says nothing about other kinds."""
    kind = record(title, {"kind": words(*known) if closed else TEXT})

    def check(value: Any, name: str) -> Iterator[str]:
        yield from kind(value, name)
        if isinstance(value, dict) and isinstance(value.get("kind"), str) and value["kind"] in known:
            yield from known[value["kind"]](value, name)

    return check


def also(kind: Type, member: str, fits: Callable[[dict[str, Any]], bool]) -> Type:
    """This type, and a rule between its members; what breaks the rule contradicts the member that is named."""

    def check(value: Any, name: str) -> Iterator[str]:
        found = list(kind(value, name))
        yield from found
        if not found and isinstance(value, dict) and not _is_open(value) and not fits(value):
            yield member

    return check
