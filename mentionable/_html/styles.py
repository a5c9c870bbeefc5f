"""What the declarations of CSS do to text: enough to know what is hidden."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Final, NamedTuple, TypeAlias

from .colours import Colour
from .css_values import AWAY, BEHIND, FAR_AWAY, NORMAL, READERS, Size, read

Declarations: TypeAlias = dict[str, Any]
"""Property → what its value does: whether it hides, for many of them."""
_ESCAPE: Final = re.compile(r"\\([0-9a-f]{1,6})\s?")
_COMPARED: Final = frozenset({"color", "background-color", "background-image", "font-size"})
_POSITIONS: Final = ("", "relative", "fixed", "absolute")


class Effect(NamedTuple):
    """What an element does to its text.

    Attributes:
        gone: Whether nothing in it is visible, whatever its elements say.
        invisible: Whether its `visibility` hides it; None where it says nothing.
        indented: Whether its first line is out of sight; None where it says nothing.
        size: The size of its letters; None where it says nothing.
        colour: Its colour; None where it is not stated, `()` where it is not known.
        background: The colour behind it, in the same way.
    """

    gone: bool = False
    invisible: bool | None = None
    indented: bool | None = None
    size: Size | None = None
    colour: Colour | None = None
    background: Colour | None = None


NOTHING: Final = Effect()
UNKNOWN: Final[Declarations] = {
    "color": (), "background-color": (), "background-image": True, "font-size": (0.0, NORMAL),
}  # fmt: skip
"""What a property does where a rule may state it, so that it hides nothing. The others do nothing."""


def declarations(style: str) -> tuple[Declarations, Declarations]:
    """The declarations of a style attribute or of a rule that can hide: the usual, and those marked as important."""
    return _declarations_of_short(style) if len(style) < _MAX_STYLE else _declarations(style)


def _declarations(style: str) -> tuple[Declarations, Declarations]:
    usual: Declarations = {}
    important: Declarations = {}
    if "/*" in style:
        style = without_comments(style)
    style = unescaped(style.lower())
    for declaration in style.split(";"):
        name, _, value = declaration.partition(":")
        name = name.strip()
        if name in READERS:
            value, mark, word = " ".join(value.split()).partition("!")
            if not mark:
                usual.update(read(name, value))
            elif word.strip() == "important":
                important.update(read(name, value.rstrip()))
    return usual, important


_MAX_STYLE: Final = 300
_declarations_of_short: Final = lru_cache(maxsize=512)(_declarations)


def without_comments(text: str) -> str:
    """CSS without its comments."""
    first, *others = text.split("/*")
    return first + " ".join([one.partition("*/")[2] for one in others])


def unescaped(text: str) -> str:
    """CSS with its escapes by number replaced."""
    return _ESCAPE.sub(lambda escape: chr(int(escape[1], 16) % 0x110000), text) if "\\" in text else text


def effect(declared: Declarations) -> Effect:
    """What the declarations of an element do to its text."""
    return Effect(
        gone=_is_gone(declared),
        invisible=declared.get("visibility"),
        indented=declared.get("text-indent"),
        size=declared.get("font-size"),
        colour=declared.get("color"),
        background=() if declared.get("background-image") else declared.get("background-color"),
    )


def _is_gone(declared: Declarations) -> bool:
    """Whether an element with all in it is out of sight. `mso-hide` is for one program alone, and does not count."""
    if any(map(declared.get, ("display", "content-visibility", "opacity", "transform", "scale", "clip-path"))):
        return True
    if any(map(declared.get, ("overflow-x", "overflow-y"))) and any(
        map(declared.get, ("height", "max-height", "width", "max-width"))
    ):
        return True
    position = declared.get("position") or ""
    if position in ("absolute", "fixed") and declared.get("clip"):
        return True
    away = -FAR_AWAY if position in ("", "relative") else AWAY
    places = ("left", "right", "top", "bottom") if position else ()
    lengths = [declared.get(name) or 0.0 for name in (*places, "margin-left", "margin-top")]
    return any(length <= away or length >= BEHIND for length in lengths)


def strongest_of(values: dict[str, set[Any]]) -> Declarations:
    """What hides more than any rules together that state these values; no size and no colour counts."""
    return {name: max(stated, key=_harm) for name, stated in values.items() if name not in _COMPARED}


def strongest_with(strongest: Declarations, declared: Declarations) -> Declarations:
    """What hides more than the declarations of an element together with any rules."""
    both = {**strongest, **declared}
    both.update({name: max(strongest[name], declared[name], key=_harm) for name in strongest.keys() & declared.keys()})
    return both


def _harm(value: Any) -> float:
    """A greater number for a value that hides more: a word of `position`, a length, or whether it hides."""
    if isinstance(value, str):
        return _POSITIONS.index(value)
    if not isinstance(value, float):
        return bool(value)
    return value if value >= BEHIND else -value if value == value else 0.0
