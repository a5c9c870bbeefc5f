"""What a document hides from people who see it: text without size, out of sight, or in the colour behind it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple, TypeAlias

from .convert import html_to_text
from .styles import NOTHING, WHITE, Effect, Sheet, are_alike, attribute_colour, effect
from .tokens import attribute, is_hidden, markup

Range: TypeAlias = tuple[int, int]
"""Where something begins, and the place behind its end."""

_MARKS: Final = (
    "<style", "display", "visibility", "opacity", "overflow", "text-indent", "position", "hidden", "<template",
    "bgcolor", "background", "#f", "white", "rgb(24", "rgb(25", "rgb( ", "rgba", "transparent", "&#", "\\",
)  # fmt: skip
_SMALL: Final = re.compile(r"font(?:-size)?\s*+:[^;\"']{0,40}?(?<![0-9.])(?:0|\.|1(?![0-9]))").search
"""Without one of these a document hides nothing, so that it need not be read for that."""

_VOID: Final = frozenset({
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr",
})  # fmt: skip
_ENDED_BY_NEXT: Final = frozenset({"p", "li", "td", "th", "tr", "dt", "dd", "option"})
_CELLS: Final = frozenset({"td", "th", "table"})
_TABLE: Final = frozenset({"td", "th", "tr", "tbody", "thead", "tfoot", "table", "body", "html"})
_MAX_SEARCH: Final = 50
"""How far an end tag looks for the element that it ends. It bounds what stray end tags can cost."""
_MAX_CACHED: Final = 300


class _Look(NamedTuple):
    """How the text of an element looks."""

    gone: bool = False
    invisible: bool = False
    tiny: bool = False
    colour: tuple[int, ...] = ()
    background: tuple[int, ...] = WHITE
    clear: bool = False

    def within(self, one: Effect) -> _Look:
        """How the text of an element in it looks."""
        return _Look(
            self.gone or one.gone,
            self.invisible if one.invisible is None else one.invisible,
            self.tiny if one.tiny is None else one.tiny,
            self.colour if one.colour is None else one.colour,
            self.background if one.background is None else one.background,
            self.clear if one.colour is None else one.clear,
        )

    def is_hidden(self) -> bool:
        """Whether it cannot be seen."""
        return self.gone or self.invisible or self.tiny or self.clear or are_alike(self.colour, self.background)


def hidden_ranges(document: str) -> tuple[Range, ...]:
    """Where a document hides text, in order: from a tag or a text to another. Only ranges with text count.

    The work grows with the length of the document. What its style sheets say under a condition, or by selectors that
    are not simple, hides nothing.
    """
    lowered = document.lower()
    if not (any(mark in lowered for mark in _MARKS) or _SMALL(lowered)):
        return ()
    return tuple([(start, end) for start, end in _ranges(document) if html_to_text(document[start:end]).strip()])


def without_hidden(document: str) -> tuple[str, int]:
    """A document without the text that it hides, and how many characters of text that is."""
    ranges = hidden_ranges(document)
    if not ranges:
        return document, 0
    visible: list[str] = []
    count = at = 0
    for start, end in ranges:
        visible.append(document[at:start])
        count += len(html_to_text(document[start:end]))
        at = end
    visible.append(document[at:])
    return "".join(visible), count


def _ranges(document: str) -> Iterator[Range]:
    """Where a document hides something, text or not."""
    sheets = [match[0].partition(">")[2] for match in markup(document) if match[0][:6].lower() == "<style"]
    start = -1
    for begin, hides in _pieces(document, _Walk(Sheet("\n".join(sheets)))):
        if hides and start < 0:
            start = begin
        elif start >= 0 and not hides:
            yield start, begin
            start = -1
    if start >= 0:
        yield start, len(document)


def _pieces(document: str, walk: _Walk) -> Iterator[tuple[int, bool]]:
    """Where each text and each tag begins, and whether it is hidden."""
    at = 0
    for match in markup(document):
        if match.start() > at:
            yield at, walk.hidden
        at = match.end()
        name = match[1]
        yield match.start(), walk.hidden if name is None else walk.tag(name.lower(), match[2])
    if at < len(document):
        yield at, walk.hidden


class _Walk:
    """The elements that are open, and how the text in them looks."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.names: list[str] = []
        self.looks: list[_Look] = [_Look(background=() if sheet.has_other_backgrounds else WHITE)]
        self.hidden = False
        self.effects: dict[tuple[str, str], Effect] = {}

    def tag(self, name: str, attributes: str) -> bool:
        """Opens or ends an element; whether the tag itself belongs to what is hidden."""
        was_hidden = self.hidden
        if name[0] == "/":
            self.end(name[1:])
        else:
            if self.names and self.names[-1] == name and name in _ENDED_BY_NEXT:
                self.pop(len(self.names) - 1)
            look = self.looks[-1].within(self.effect(name, attributes))
            if name in _VOID:
                return self.hidden or look.is_hidden()
            self.names.append(name)
            self.looks.append(look)
        self.hidden = self.looks[-1].is_hidden()
        return was_hidden if name[0] == "/" else self.hidden

    def end(self, name: str) -> None:
        """Ends the innermost element of that name, unless it is outside of this cell."""
        names = self.names
        for depth in range(len(names) - 1, max(-1, len(names) - 1 - _MAX_SEARCH), -1):
            if names[depth] == name:
                self.pop(depth)
                return
            if names[depth] in _CELLS and name not in _TABLE:
                return

    def pop(self, depth: int) -> None:
        """Ends all elements but the outermost `depth`."""
        del self.names[depth:]
        del self.looks[depth + 1 :]

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
        style = attribute(attributes, "style") or ""
        classes, id = attribute(attributes, "class") or "", attribute(attributes, "id") or ""
        one = effect(self.sheet.declared(name, classes, id, style))
        if name == "template" or is_hidden(attributes):
            one = one._replace(gone=True)
        if one.background is None and (value := attribute(attributes, "bgcolor")):
            one = one._replace(background=attribute_colour(value))
        if one.background is None and attribute(attributes, "background"):
            one = one._replace(background=())
        if one.colour is None and name == "font":
            one = one._replace(colour=attribute_colour(attribute(attributes, "color")))
        if one.colour is None and name == "a":
            one = one._replace(colour=())
        return NOTHING if one == NOTHING else one
