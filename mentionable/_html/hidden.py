"""What a document hides from people who see it: text without size, out of sight, or in the colour behind it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from .convert import html_to_text
from .styles import (
    NOTHING,
    WHITE,
    Declarations,
    Effect,
    Sheet,
    are_alike,
    attribute_colour,
    declarations,
    effect,
    hides_with_others,
    is_closed,
)
from .tokens import attribute, is_hidden, markup

Range: TypeAlias = tuple[int, int]
"""Where something begins, and the place behind its end."""

_STYLES: Final = re.compile(r"""style[ \t\n\r\f]*+=[ \t\n\r\f]*+("[^"]*+"|'[^']*+'|[^ \t\n\r\f>]*+)""").findall
_COLOURS: Final = re.compile(r"""color[ \t\n\r\f]*+=[ \t\n\r\f]*+["']?([^ \t\n\r\f"'>]{1,40})""").finditer
_TEXT: Final = re.compile(r"""text[ \t\n\r\f]*+=[ \t\n\r\f]*+["']?([^ \t\n\r\f"'>]{1,40})""").finditer
_HIDDEN: Final = re.compile(r"hidden[ \t\n\r\f=>/]").search
_MAX_PAIRS: Final = 1_000
_MAX_SHEETS: Final = 8

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
    if not _may_hide(document.lower()):
        return ()
    return tuple([(start, end) for start, end in _ranges(document) if html_to_text(document[start:end]).strip()])


def _may_hide(document: str) -> bool:
    """Whether a document in lower case may hide text: whether one of its styles does, or two of its colours are alike.

    Few documents need more than this look, which takes a tenth of the time.
    """
    if "hidden" in document and _HIDDEN(document):
        return True
    colours: set[tuple[int, ...]] = set()
    backgrounds: set[tuple[int, ...]] = {WHITE}
    effects: list[Effect | None] = []
    if "<style" in document:
        rules = _rules_of(document)
        if rules is None or any(map(hides_with_others, rules)):
            return True
        effects += map(effect, rules)
    for style in set(_STYLES(document)) if "style" in document else ():
        effects.append(_style_effect(style) if len(style) < _MAX_CACHED else _read_style(style))
    for one in effects:
        if one is None or one.gone or one.invisible or one.tiny or one.clear:
            return True
        colours.add(one.colour or ())
        backgrounds.add(one.background or ())
    for match in _COLOURS(document) if "color" in document else ():
        is_background = document.endswith("bg", 0, match.start())
        (backgrounds if is_background else colours).add(attribute_colour(match[1]) or ())
    for match in _TEXT(document) if "<body" in document else ():
        colours.add(attribute_colour(match[1]) or ())
    if len(colours) * len(backgrounds) > _MAX_PAIRS:
        return True
    return any(are_alike(colour, background) for colour in colours for background in backgrounds)


def _rules_of(document: str) -> list[Declarations] | None:
    """What each rule of all that looks like a style sheet declares; None where that takes a closer look.

    What begins in a comment or in a value is no sheet: it is read by itself, so that it can hide no rule of another.
    """
    rules: list[Declarations] = []
    at = document.find("<style")
    for _ in range(_MAX_SHEETS):
        if at < 0:
            return rules
        text = next(markup(document, at))[0].partition(">")[2]
        if not is_closed(text):  # what is open in it goes on in the next one
            return None
        sheet = Sheet(text)
        rules += (*sheet.usual.values(), *sheet.important.values())
        at = document.find("<style", at + 1)
    return None


def _read_style(style: str) -> Effect | None:
    """What the value of a style attribute does, in its quotes; None where that takes a closer look."""
    if "&" in style or (style[:1] in ("'", '"') and style[-1:] != style[0]):
        return None
    usual, important = declarations(style.strip("'\""))
    return effect({**usual, **important})


_style_effect: Final = lru_cache(maxsize=512)(_read_style)


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
        if is_hidden(attributes):
            one = one._replace(gone=True)
        if one.background is None and (value := attribute(attributes, "bgcolor")):
            one = one._replace(background=attribute_colour(value))
        if one.background is None and attribute(attributes, "background"):
            one = one._replace(background=())
        if one.colour is None and name == "font":
            one = one._replace(colour=attribute_colour(attribute(attributes, "color")))
        if one.colour is None and name == "body":
            one = one._replace(colour=attribute_colour(attribute(attributes, "text")))
        if one.colour is None and name == "a":
            one = one._replace(colour=())
        return NOTHING if one == NOTHING else one
