"""Canonical JSON (RFC 8785): the bytes that are hashed and signed.

`jcs` writes it, behind guards: alone it rounds integers beyond 2^53 without a word. Most documents have neither floats
that ECMAScript writes in another way nor names beyond the Basic Multilingual Plane; for these the C encoder of the
standard library gives the same bytes several times faster. A test compares both with another implementation.
"""

from __future__ import annotations

import json
from typing import Any, Final

from .._errors.exceptions import wire_error
from .strict_json import MAX_DEPTH, MAX_SAFE_INTEGER, MIN_PLAIN_FLOAT

_encode: Final = json.JSONEncoder(
    ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False, check_circular=False
).encode
_FIRST_ODD_CHARACTER: Final = "\ud800"
"""From here on the order of UTF-16 code units, which RFC 8785 wants, differs from that of code points."""
_MAX_ODD: Final = 65_536
"""How many characters a document may have that `jcs` must write, which takes a hundred times longer."""

_ODD_BYTES: Final = bytes(range(0xEE, 0x100))
"""How UTF-8 begins every character from there on that is no surrogate."""


def canonical_json(value: Any, *, max_depth: int = MAX_DEPTH, has_plain_numbers: bool = False) -> bytes:
    """The one canonical form of a JSON value.

    Args:
        value: Exactly dicts, lists, strings, numbers, booleans and None, as the strict loader gives them.
        max_depth: How many arrays and objects may be open at once.
        has_plain_numbers: Only where `loads_signed` reports so; then the numbers are not checked again.

    Raises:
        WireError: `not-canonical`: an integer beyond ±(2^53-1), NaN, infinity, a lone surrogate, a name that is
            no string, another type, or nested too deeply: there is no canonical form that all implementations share.

    Spec: RFC 8785.
    """
    if has_plain_numbers:
        canonical = _written(value)
        if canonical.isascii() or len(canonical.translate(None, _ODD_BYTES)) == len(canonical):
            return canonical
    walk = _Walk()
    if value.__class__ in (dict, list):
        value = walk.through(value, max_depth)
    elif value.__class__ is not str:
        value = walk.leaf(value)
    if walk.are_names_plain() and walk.is_plain:
        return _written(value)
    if len(_encode(value)) > _MAX_ODD:
        raise wire_error("not-canonical", "", "numbers or names of a rare kind in a very long document")
    import jcs

    try:
        written: bytes = jcs.canonicalize(value)
    except UnicodeEncodeError:
        raise wire_error("not-canonical", "", "a string has a lone surrogate") from None
    return written


def number_text(value: float) -> str:
    """A number as ECMAScript writes it after parsing: the nearest double, and `null` beyond every double.

    Spec: RFC 8785 §3.2.2.3; ECMA-262 §6.1.6.1.20 (Number::toString), §25.5.2.2 (SerializeJSONProperty).
    """
    try:
        return canonical_json(float(value)).decode()
    except OverflowError:
        return "null"


def _written(value: Any) -> bytes:
    """What the C encoder writes."""
    try:
        return _encode(value).encode()
    except UnicodeEncodeError:
        raise wire_error("not-canonical", "", "a string has a lone surrogate") from None


class _Walk:
    """One look at everything in a value.

    Attributes:
        is_plain: Whether the C encoder writes the canonical form of the numbers that were seen.
        names: Every name that was seen.
    """

    __slots__ = ("is_plain", "names")

    def __init__(self) -> None:
        self.is_plain = True
        self.names: list[Any] = []

    def through(self, value: Any, depth: int) -> Any:
        """An array or object with integers for whole floats, which are the same number: itself when it has none.

        Raises:
            WireError: `not-canonical`.
        """
        if depth == 0:
            raise wire_error("not-canonical", "", "nested too deeply")
        if value.__class__ is dict:
            self.names += value
        changed = value
        for name, member in value.items() if value.__class__ is dict else enumerate(value):
            kind = member.__class__
            if kind is str:
                continue
            seen = self.through(member, depth - 1) if kind is dict or kind is list else self.leaf(member)
            if seen is not member:
                changed = value.copy() if changed is value else changed
                changed[name] = seen
        return changed

    def leaf(self, value: Any) -> Any:
        """A number, a boolean or null, with an integer for a whole float."""
        kind = value.__class__
        if value is None or kind is bool:
            return value
        if kind is int:
            if abs(value) > MAX_SAFE_INTEGER:
                raise wire_error("not-canonical", "", "an integer is beyond 2^53-1")
            return value
        if kind is not float or value - value != 0:  # inf and nan alone differ from themselves here
            raise wire_error("not-canonical", "", "not a JSON value")
        size = abs(value)
        if size <= MAX_SAFE_INTEGER and value.is_integer():
            return int(value)
        if not MIN_PLAIN_FLOAT <= size <= MAX_SAFE_INTEGER:
            self.is_plain = False
        return value

    def are_names_plain(self) -> bool:
        """Whether the names are sorted alike by code points and by UTF-16 code units."""
        try:
            names = "".join(self.names)
        except TypeError:
            raise wire_error("not-canonical", "", "a name is no string") from None
        return names.isascii() or max(names) < _FIRST_ODD_CHARACTER
