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
from .css_values import FONT_SIZES, NORMAL, TINY, Size, is_tiny
from .looks import Look, Walk
from .sheets import Sheet, applies
from .styles import Declarations, Effect, declarations, effect, strongest_of, strongest_with
from .tokens import attribute, markup, unescape

Range: TypeAlias = tuple[int, int]
"""Where something begins, and the place behind its end."""

_STYLES: Final = re.compile(r"""style[ \t\n\r\f]*+=[ \t\n\r\f]*+("[^"]*+"|'[^']*+'|[^ \t\n\r\f>]*+)""").findall
_SHEETS: Final = re.compile("<[sS][tT][yY][lL][eE]").finditer
_COLOUR: Final = r"""[ \t\n\r\f]*+=[ \t\n\r\f]*+["']?[ \t\n\r\f]*+([^ \t\n\r\f"'>]{1,40})"""
_COLOURS: Final = re.compile("color" + _COLOUR).finditer
_TEXT: Final = re.compile("text" + _COLOUR).finditer
_HIDDEN: Final = re.compile(r"hidden[ \t\n\r\f=>/]").finditer
_ELEMENTS: Final = re.compile("<(?:style|template|body|font)").findall
"""The beginnings of the elements that a look ahead must know of: one search takes no longer than that for one name."""
_MAX_PAIRS: Final = 1_000
_MAX_SHEETS: Final = 8
_MAX_LOOKS: Final = 10
_MAX_HIDING: Final = 20
_MAX_CACHED: Final = 300


def hidden_ranges(document: str) -> tuple[Range, ...]:
    """Where a document hides text, in order: from a tag or a text to another. Only ranges with text count.

    The work grows with the length of the document. What its style sheets say under a condition, or by selectors that
    are not simple, hides nothing.
    """
    lower = document.lower()
    elements = frozenset(_ELEMENTS(lower))
    sheets = _sheets(document) if "<style" in elements else ()
    rest = _look_ahead(lower, elements, sheets)
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

    def hides_in(self, looks: set[Look]) -> bool:
        """Whether the others may hide something in elements that look so."""
        colours = self.colours.union([look.colour for look in looks])
        backgrounds = self.backgrounds.union([look.background for look in looks])
        if CLEAR in colours or len(colours) * len(backgrounds) > _MAX_PAIRS:
            return True
        if self.times * min([self.size, *[look.size for look in looks]]) <= TINY:
            return True
        return any(are_alike(colour, background) for colour in colours for background in backgrounds)


def _look_ahead(document: str, elements: frozenset[str], sheets: Sequence[Sheet]) -> _Rest | None:
    """Which part of a document in lower case hides nothing; None where any may.

    Few documents need more than this look, which takes a tenth of the time.
    """
    if "<template" in elements or len(sheets) > _MAX_SHEETS:
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
    stated = (_COLOURS(document) if "color" in document else (), _TEXT(document) if "<body" in elements else ())
    for match in chain(*stated):
        if "&" in match[1] or "(" in match[1]:  # there is more of it, or it is written in another way
            return None
        is_background = document.endswith("bg", 0, match.start())
        (backgrounds if is_background else colours).add(attribute_colour(match[1]) or ())
    if "<font" in elements:
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


def _walk(document: str, read: Sequence[Sheet] | None) -> Walk:
    """What reads the tags of a document, with its style sheets."""
    if read is not None and not read:  # there is no sheet, so that an element that is not written does nothing
        return Walk(Sheet(), ())
    texts: list[tuple[str, bool | None]] = []
    missing = {"html", "body"}
    for match in markup(document):
        if match[1] is not None:
            missing.discard(match[1].lower())
        elif match[0][:6].lower() == "<style":
            texts.append(_sheet(match[0]))
    known = [sheet for sheet in read or () if sheet.texts == texts]
    return Walk(known[0] if known else Sheet(texts), sorted(missing, reverse=True))


def _sheet(element: str) -> tuple[str, bool | None]:
    """The text of a style sheet, from its start tag on, and whether it applies."""
    attributes, _, text = element[6:].partition(">")
    is_css = (attribute(attributes, "type") or "").strip().lower() in ("", "text/css")
    return text, applies(attribute(attributes, "media") or "") if is_css else False


def _pieces(document: str, walk: Walk) -> Iterator[tuple[int, bool, bool]]:
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
