"""How the text in the elements of a document looks: its size, its colours, and whether it is in sight."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from .colours import CLEAR, WHITE, Colour, are_alike, attribute_colour
from .css_values import FONT_SIZES, NORMAL, TINY, Size
from .open_elements import FORMATTING, TABLE_PARTS, OpenElements
from .sheets import Sheet
from .styles import NOTHING, Effect, effect
from .tokens import attribute, is_hidden

_VOID: Final = frozenset({
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr",
    "head",
})  # fmt: skip
_MAX_CACHED: Final = 300
_MAX_SIZE: Final = 10_000.0
"""Of letters, in pixels. Beyond it a browser counts no further either."""
_STEPS_OF_TAG: Final = 20
"""How many elements that go on behind the end of others a start tag pays for. It bounds what end tags can cost."""
_FONT_STEP: Final = re.compile(r"[ \t\n\r\f]*+([+-]?)([0-9]{1,9})").match


class Look(NamedTuple):
    """How the text of an element looks."""

    gone: bool = False
    invisible: bool = False
    indented: bool = False
    size: float = NORMAL
    colour: Colour = ()
    background: Colour = WHITE

    def within(self, one: Effect) -> Look:
        """How the text of an element in it looks."""
        if one is NOTHING:
            return self
        return Look(
            self.gone or one.gone,
            self.invisible if one.invisible is None else one.invisible,
            self.indented if one.indented is None else one.indented,
            self.size if one.size is None else min(self.size * one.size[0] + one.size[1], _MAX_SIZE),
            self.colour if one.colour is None else one.colour,
            self.background if one.background is None else one.background,
        )

    def is_hidden(self) -> bool:
        """Whether it cannot be seen."""
        return (
            self.gone
            or self.invisible
            or self.indented
            or self.size <= TINY
            or self.colour == CLEAR
            or are_alike(self.colour, self.background)
        )


class Walk:
    """The elements that are open, and how the text in them looks."""

    def __init__(self, sheet: Sheet, missing: Sequence[str]) -> None:
        """Begins a document, in which the tags of some elements are missing that are there without them."""
        self.sheet = sheet
        self.open = OpenElements()
        self.effects: dict[tuple[str, str], Effect] = {}
        self.own: list[Effect] = []
        self.steps = 0
        look = Look()
        for name in missing:
            look = look.within(self.effect(name, ""))
        self.looks = [look]
        self.hides = [look.is_hidden()]
        """Whether the text of each look is hidden."""

    def hides_text(self) -> bool:
        """Whether the text here is hidden."""
        return self.hides[self.open.last("table") if self.open.is_fostered("") else -1]

    def tag(self, name: str, attributes: str) -> bool:
        """Opens or ends an element; whether the tag itself belongs to what is hidden."""
        if name[0] == "/":
            was_hidden = self.hides[-1]
            self.end(name[1:])
            return was_hidden
        if self.open.is_ignored(name):
            return self.hides[-1]
        if name == "a" and self.open.last("a") > self.open.last("(scope)"):
            self.end("a")
        depth = self.open.depth_before(name)
        if depth < len(self.own):
            self.pop(depth, len(self.own) if name in TABLE_PARTS else depth)
        outer = self.open.last("table") if self.open.is_fostered(name) else -1
        own = self.effect(name, attributes)
        if name in _VOID:
            return self.looks[outer].within(own).is_hidden()
        self.push(name, own, outer)
        return self.hides[-1]

    def end(self, name: str) -> None:
        """Reads an end tag."""
        depth = self.open.depth_behind(name)
        if depth >= len(self.own):
            return
        if name not in FORMATTING or self.open.last("(block)") < depth:
            self.pop(depth, depth + 1)
        elif self.own[depth] is not NOTHING:
            # It ends in the blocks that are in it too, and they go on.
            self.pop(depth, depth + 1, keeps_all=True)

    def push(self, name: str, own: Effect, outer: int = -1) -> None:
        """Opens an element, which looks as what is at that place, but for what it does itself."""
        self.open.push(name)
        self.own.append(own)
        look = self.looks[outer]
        inner = look.within(own)
        self.looks.append(inner)
        self.hides.append(self.hides[outer] if inner is look else inner.is_hidden())
        self.steps += _STEPS_OF_TAG

    def pop(self, depth: int, above: int, *, keeps_all: bool = False) -> None:
        """Ends all elements but the outermost `depth`. `<b>` and its like, or all, are opened again behind them."""
        again: list[tuple[str, Effect]] = []
        if 0 < len(self.own) - above <= self.steps:
            places = range(above, len(self.own)) if keeps_all else self.open.reopened(above)
            again = [(self.open.names[place], self.own[place]) for place in places]
        self.open.pop(depth)
        del self.own[depth:]
        del self.looks[depth + 1 :], self.hides[depth + 1 :]
        for name, own in again:
            self.push(name, own)
            self.steps -= _STEPS_OF_TAG + 1

    def effect(self, name: str, attributes: str) -> Effect:
        """What an element does to its text."""
        key = (name, attributes)
        known = self.effects.get(key)
        if known is None:
            known = self._effect(name, attributes)
            if len(attributes) < _MAX_CACHED:
                self.effects[key] = known
        return known

    def _effect(self, name: str, attributes: str) -> Effect:
        lower = attributes.lower()
        style = (attribute(attributes, "style") or "") if "style" in lower else ""
        classes = (attribute(attributes, "class") or "") if "class" in lower else ""
        id = (attribute(attributes, "id") or "") if "id" in lower else ""
        declared = self.sheet.declared(name, classes, id, style)
        one = effect(declared)
        if name == "template" or ("display" not in declared and is_hidden(attributes)):
            one = one._replace(gone=True)
        if one.background is None and "bgcolor" in lower and (value := attribute(attributes, "bgcolor")):
            one = one._replace(background=attribute_colour(value))
        if one.background is None and "background" in lower and attribute(attributes, "background"):
            one = one._replace(background=())
        if one.size is None and name == "font":
            one = one._replace(size=_font_size(attribute(attributes, "size")))
        if one.colour is None and name == "font":
            one = one._replace(colour=attribute_colour(attribute(attributes, "color")))
        if one.colour is None and name == "body":
            one = one._replace(colour=attribute_colour(attribute(attributes, "text")))
        if one.colour is None and name == "a":
            one = one._replace(colour=())
        return NOTHING if one == NOTHING else one


def _font_size(value: str | None) -> Size | None:
    """The size that `<font size>` states: one to seven, or so many more or less than three."""
    match = _FONT_STEP(value or "")
    if match is None:
        return None
    step = int(match[2]) if not match[1] else 3 + int(match[1] + match[2])
    return 0.0, FONT_SIZES[min(max(step, 1), 7) - 1]
