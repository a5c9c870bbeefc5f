"""What a document hides from people who see it: text without size, out of sight, or in the colour behind it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, islice
from typing import Any, Final, NamedTuple, TypeAlias

from .colours import CLEAR, WHITE, Colour, are_alike, attribute_colour
from .convert import html_to_text
from .open_elements import FORMATTING, TABLE_PARTS, OpenElements
from .sheets import Sheet, applies
from .styles import (
    FONT_SIZES,
    NORMAL,
    NOTHING,
    TINY,
    Declarations,
    Effect,
    Size,
    declarations,
    effect,
    is_tiny,
    strongest_of,
    strongest_with,
)
from .tokens import attribute, is_hidden, markup, unescape

Range: TypeAlias = tuple[int, int]
"""Where something begins, and the place behind its end."""

_STYLES: Final = re.compile(r"""style[ \t\n\r\f]*+=[ \t\n\r\f]*+("[^"]*+"|'[^']*+'|[^ \t\n\r\f>]*+)""").findall
_SHEETS: Final = re.compile("<[sS][tT][yY][lL][eE]").finditer
_COLOUR: Final = r"""[ \t\n\r\f]*+=[ \t\n\r\f]*+["']?[ \t\n\r\f]*+([^ \t\n\r\f"'>]{1,40})"""
_COLOURS: Final = re.compile("color" + _COLOUR).finditer
_TEXT: Final = re.compile("text" + _COLOUR).finditer
_HIDDEN: Final = re.compile(r"hidden[ \t\n\r\f=>/]").finditer
_MAX_PAIRS: Final = 1_000
_MAX_SHEETS: Final = 8
_MAX_LOOKS: Final = 10
_MAX_HIDING: Final = 20

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


class _Look(NamedTuple):
    """How the text of an element looks."""

    gone: bool = False
    invisible: bool = False
    indented: bool = False
    size: float = NORMAL
    colour: Colour = ()
    background: Colour = WHITE

    def within(self, one: Effect) -> _Look:
        """How the text of an element in it looks."""
        if one is NOTHING:
            return self
        return _Look(
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


def hidden_ranges(document: str) -> tuple[Range, ...]:
    """Where a document hides text, in order: from a tag or a text to another. Only ranges with text count.

    The work grows with the length of the document. What its style sheets say under a condition, or by selectors that
    are not simple, hides nothing.
    """
    lower = document.lower()
    sheets = _sheets(document) if "<style" in lower else ()
    rest = _look(lower, sheets)
    if rest is not None and rest.start < 0:
        return ()
    return tuple(_ranges(document, sheets, rest if len(lower) == len(document) else None))


class _Rest(NamedTuple):
    """What is behind all that hides something in a document, where the others of its styles hide nothing together.

    Attributes:
        start: A place in the last style that hides something, or -1.
        colours: The colours of text that the others state.
        backgrounds: The colours behind it.
        size: The smallest size of letters that one of the others states, in pixels.
        times: How many times that size it is, if all that state a part of the size around them are in each other.
    """

    start: int
    colours: set[Colour]
    backgrounds: set[Colour]
    size: float
    times: float

    def hides_in(self, looks: set[_Look]) -> bool:
        """Whether the others may hide something in elements that look so."""
        colours = self.colours.union([look.colour for look in looks])
        backgrounds = self.backgrounds.union([look.background for look in looks])
        if CLEAR in colours or len(colours) * len(backgrounds) > _MAX_PAIRS:
            return True
        if self.times * min([self.size, *[look.size for look in looks]]) <= TINY:
            return True
        return any(are_alike(colour, background) for colour in colours for background in backgrounds)


def _look(document: str, sheets: Sequence[Sheet]) -> _Rest | None:
    """Which part of a document in lower case hides nothing; None where any may.

    Few documents need more than this look, which takes a tenth of the time.
    """
    if "<template" in document or len(sheets) > _MAX_SHEETS:
        return None
    start = max([match.start() for match in _HIDDEN(document)], default=-1) if "hidden" in document else -1
    rules = _stated(sheets)
    strongest = strongest_of(rules)
    if strongest and _hides(effect(strongest)):
        return None
    colours: set[Colour] = {colour or () for colour in rules.get("color", ())}
    backgrounds: set[Colour] = {WHITE, *[colour or () for colour in rules.get("background-color", ())]}
    sizes: list[Size] = [size for size in rules.get("font-size", ()) if size is not None]
    if any(0 < part < 1 for part, _ in sizes):
        return None  # it is not known how often one of these elements is in another
    times = 1.0
    hiding: list[str] = []
    for style, count in Counter(_STYLES(document) if "style" in document else ()).items():
        read = _style_effect(style) if len(style) < _MAX_CACHED else _read_style(style)
        if read is None:
            return None
        declared, one = read
        if _hides(one) or (strongest and _hides(effect(strongest_with(strongest, declared)))):
            hiding.append(style)
            continue
        if one.size is not None:
            sizes.append(one.size)
            times *= one.size[0] ** count if 0 < one.size[0] < 1 else 1
        colours.add(one.colour or ())
        backgrounds.add(declared.get("background-color") or ())
    stated = (_COLOURS(document) if "color" in document else (), _TEXT(document) if "<body" in document else ())
    for match in chain(*stated):
        if "&" in match[1] or "(" in match[1]:  # there is more of it, or it is written in another way
            return None
        is_background = document.endswith("bg", 0, match.start())
        (backgrounds if is_background else colours).add(attribute_colour(match[1]) or ())
    if "<font" in document:
        sizes.append((0.0, FONT_SIZES[0]))
    if len(hiding) > _MAX_HIDING:
        return None
    start = max([start, *map(document.rfind, hiding)])
    size = min([NORMAL, *[pixels for part, pixels in sizes if not part]])
    rest = _Rest(start, colours, backgrounds, size, times)
    return None if rest.hides_in(set()) else rest


def _sheets(document: str) -> tuple[Sheet, ...]:
    """All that looks like a style sheet, up to one more than are looked at.

    What begins in a comment or in a value is no sheet: it is read by itself, so that it replaces no rule of another.
    """
    matches = islice(_SHEETS(document), _MAX_SHEETS + 1)
    return tuple([Sheet([_sheet(next(markup(document, match.start()))[0])]) for match in matches])


def _stated(sheets: Sequence[Sheet]) -> dict[str, set[Any]]:
    """What the rules of style sheets state of each property."""
    values: dict[str, set[Any]] = {}
    for sheet in sheets:
        for name, value in sheet.values():
            values.setdefault(name, set()).add(value)
    return values


def _hides(one: Effect) -> bool:
    """Whether an element with that effect may hide its text, whatever is around it."""
    return bool(one.gone or one.invisible or one.indented or one.colour == CLEAR or is_tiny(one.size))


def _read_style(style: str) -> tuple[Declarations, Effect] | None:
    """What the value of a style attribute declares and does, in its quotes; None where that takes a closer look."""
    if "&" in style or (style[:1] in ("'", '"') and style[-1:] != style[0]):
        return None
    usual, important = declarations(style.strip("'\""))
    declared = {**usual, **important}
    return declared, effect(declared)


_style_effect: Final = lru_cache(maxsize=512)(_read_style)


def without_hidden(document: str) -> tuple[str, int]:
    """A document without the text that it hides, and how many characters of text that is."""
    ranges = hidden_ranges(document)
    if not ranges:
        return document, 0
    visible: list[str] = []
    count = at = 0
    for start, end in ranges:
        visible += (document[at:start], "<!---->")  # or what is before it and behind it would be one tag
        count += len(html_to_text(document[start:end]))
        at = end
    visible.append(document[at:])
    return "".join(visible), count


def _ranges(document: str, sheets: Sequence[Sheet] | None = None, rest: _Rest | None = None) -> Iterator[Range]:
    """Where a document hides text. What was read of its style sheets is not read again, nor what hides nothing."""
    walk = _walk(document, sheets)
    looks = _MAX_LOOKS
    start, has_text = -1, False
    for begin, hides, is_text in _pieces(document, walk):
        if hides:
            start = begin if start < 0 else start
            has_text |= is_text
        elif start >= 0:
            if has_text:
                yield start, begin
            start, has_text = -1, False
        if rest and looks and not hides and begin > rest.start:
            looks -= 1  # each goes through all open elements
            if True not in walk.hides and not rest.hides_in(set(walk.looks)):
                return
    if has_text:
        yield start, len(document)


def _walk(document: str, read: Sequence[Sheet] | None) -> _Walk:
    """What reads the tags of a document, with its style sheets."""
    if read is not None and not read:  # there is no sheet, so that an element that is not written does nothing
        return _Walk(Sheet(), ())
    texts: list[tuple[str, bool | None]] = []
    missing = {"html", "body"}
    for match in markup(document):
        if match[1] is not None:
            missing.discard(match[1].lower())
        elif match[0][:6].lower() == "<style":
            texts.append(_sheet(match[0]))
    known = [sheet for sheet in read or () if sheet.texts == texts]
    return _Walk(known[0] if known else Sheet(texts), sorted(missing, reverse=True))


def _sheet(element: str) -> tuple[str, bool | None]:
    """The text of a style sheet, from its start tag on, and whether it applies."""
    attributes, _, text = element[6:].partition(">")
    is_css = (attribute(attributes, "type") or "").strip().lower() in ("", "text/css")
    return text, applies(attribute(attributes, "media") or "") if is_css else False


def _pieces(document: str, walk: _Walk) -> Iterator[tuple[int, bool, bool]]:
    """Where each text and each tag begins, whether it is hidden, and whether it has letters."""
    at = 0
    for match in markup(document):
        if match.start() > at and not (text := document[at : match.start()]).isspace():
            yield at, walk.hides_text(), _has_letters(text)
        at = match.end()
        name = match[1]
        if name is not None:
            yield match.start(), walk.tag(name.lower(), match[2]), False
        elif match[3]:
            yield match.start(), walk.hides_text(), True
    if at < len(document):
        yield at, walk.hides_text(), _has_letters(document[at:])


def _has_letters(text: str) -> bool:
    """Whether a text is more than white space."""
    return bool((unescape(text) if "&" in text else text).strip())


class _Walk:
    """The elements that are open, and how the text in them looks."""

    def __init__(self, sheet: Sheet, missing: Sequence[str]) -> None:
        """Begins a document, in which the tags of some elements are missing that are there without them."""
        self.sheet = sheet
        self.open = OpenElements()
        self.effects: dict[tuple[str, str], Effect] = {}
        self.own: list[Effect] = []
        self.steps = 0
        look = _Look()
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
