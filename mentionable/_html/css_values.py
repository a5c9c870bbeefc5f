"""The values of CSS: what those of each property do to text, as far as that may hide it.

A value that no browser takes counts for nothing, as there.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any, Final, TypeAlias

from .colours import CLEAR, FAINT, colour_of

Read: TypeAlias = tuple[tuple[str, Any], ...]
"""What one declaration states; nothing where its value is none."""
Size: TypeAlias = tuple[float, float]
"""Of letters: how many times the size around them, and how many pixels more."""

NORMAL: Final = 16.0
TINY: Final = 1.4
"""Letters up to this many pixels are not seen."""
AWAY: Final = -100
"""Pixels to the left of a window, or above it, from which on nothing of an element is in it."""
FAR_AWAY: Final = 1_000
"""As many pixels from where an element is without that."""
BEHIND: Final = 3_000
"""Pixels to the right or below, from which on it is behind all that is in a window."""
_THIN: Final = 1

_INHERITED: Final = frozenset({"inherit", "unset", "revert", "revert-layer"})
_INITIAL: Final = _INHERITED | {"initial"}
_DISPLAYS: Final = frozenset({
    "block", "inline", "inline-block", "flow", "flow-root", "table", "inline-table", "table-row", "table-cell",
    "table-row-group", "table-header-group", "table-footer-group", "table-column", "table-column-group",
    "table-caption", "flex", "inline-flex", "grid", "inline-grid", "list-item", "contents", "run-in", "ruby", "math",
    "ruby-base", "ruby-text", "-webkit-box", "-webkit-inline-box", "-webkit-flex", "-ms-flexbox",
})  # fmt: skip
_SIZES: Final = {
    "xx-small": 9.0, "x-small": 10.0, "small": 13.0, "medium": 16.0, "large": 18.0, "x-large": 24.0,
    "xx-large": 32.0, "xxx-large": 48.0, "initial": 16.0, "math": 16.0,
}  # fmt: skip
FONT_SIZES: Final = (10.0, 13.0, 16.0, 18.0, 24.0, 32.0, 48.0)
"""Of `<font size=1>` and following."""
_STEPS: Final = {"smaller": 0.83, "larger": 1.2}
_PIXELS: Final = {
    "px": 1.0, "pt": 4 / 3, "pc": 16.0, "in": 96.0, "cm": 37.8, "mm": 3.78, "q": 0.945, "em": 16.0, "rem": 16.0,
    "ex": 8.0, "ch": 8.0, "lh": 20.0, "rlh": 20.0, "vw": 10.0, "vh": 8.0, "vmin": 8.0, "vmax": 10.0, "%": 10.0,
}  # fmt: skip
"""What follows a number → pixels of a usual window."""
_RELATIVE: Final = {"em": 1.0, "%": 0.01, "ex": 0.5, "ch": 0.5}

_LENGTH: Final = re.compile(
    r"([+-]?(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++))(?:e([+-]?[0-9]{1,9}))?([a-z]{1,4}|%)?"
).fullmatch
_COMPUTED: Final = re.compile(r"(?:var|env|attr|calc|min|max|clamp)\(.*+(?<=\))").fullmatch
_MAX_DIGITS: Final = 50
_MAX_EXPONENT: Final = 30
_FUNCTIONS: Final = re.compile(r"([a-z0-9-]{1,20})\(([^()]*+)\)").findall
_ARGUMENTS: Final = re.compile(r"[ ,]++").split
_IS_FUNCTIONS: Final = re.compile(r"[a-z0-9-]{1,20}\(.*+(?<=\))").fullmatch


def _length_of(value: str) -> float | None:
    """A length in pixels; not a number where only a browser knows it, None where it is none."""
    inner = value[5:-1].strip() if value.startswith("calc(") else value
    match = _LENGTH(inner)
    if match is None:
        return float("nan") if _COMPUTED(value) else None
    number = _number(match)
    return number * _PIXELS[match[3]] if match[3] in _PIXELS else None if match[3] or number else 0.0


def _number(match: re.Match[str]) -> float:
    exponent = max(-_MAX_EXPONENT, min(_MAX_EXPONENT, int(match[2] or 0)))
    return float(match[1][:_MAX_DIGITS]) * 10.0**exponent


def _size_of(value: str) -> Size | None:
    """The size of letters; None where it is none."""
    if value in _SIZES:
        return 0.0, _SIZES[value]
    if value in _STEPS:
        return _STEPS[value], 0.0
    match = _LENGTH(value)
    if match is not None and match[3] in _RELATIVE:
        return max(0.0, _number(match) * _RELATIVE[match[3]]), 0.0
    length = _length_of(value)
    if length is None or length < 0:
        return None
    return (0.0, length) if length >= 0 else (0.0, NORMAL)


def is_tiny(size: Size | None) -> bool:
    """Whether letters of a size are not seen, whatever is around them."""
    return size is not None and not size[0] and size[1] <= TINY


def _words(hiding: frozenset[str], showing: frozenset[str], name: str, value: str) -> Read:
    """A property whose values are words."""
    words = value.split()
    if len(words) == 1 and words[0] in hiding:
        return ((name, True),)
    return ((name, False),) if (words and showing.issuperset(words)) or _COMPUTED(value) else ()


def _visibility(name: str, value: str) -> Read:
    if value in _INHERITED:
        return ((name, None),)
    return _words(frozenset({"hidden", "collapse"}), frozenset({"visible", "initial"}), name, value)


def _overflow(name: str, value: str) -> Read:
    words = value.split()
    clips = {"hidden", "clip", "auto", "scroll", "overlay"}
    if not words or len(words) > 2 or not {*clips, "visible", *_INITIAL}.issuperset(words):
        return ()
    if name != "overflow":
        return ((name, words[0] in clips),)
    return ("overflow-x", words[0] in clips), ("overflow-y", words[-1] in clips)


def _opacity(name: str, value: str) -> Read:
    match = _LENGTH(value)
    if match is not None and match[3] in (None, "%"):
        return ((name, _number(match) / (100 if match[3] else 1) < FAINT),)
    return ((name, False),) if value in _INITIAL or _COMPUTED(value) else ()


def _font_size(name: str, value: str) -> Read:
    if value in _INHERITED:
        return ((name, None),)
    size = _size_of(value)
    return ((name, size),) if size is not None else ()


_SYSTEM_FONTS: Final = frozenset({"caption", "icon", "menu", "message-box", "small-caption", "status-bar"})
_MAX_BEFORE_SIZE: Final = 5


def _font(_: str, value: str) -> Read:
    """`font`: the size is the first word that is one, and a family follows it."""
    if value in _INHERITED or value in _SYSTEM_FONTS:
        return (("font-size", None if value in _INHERITED else (0.0, NORMAL)),)
    words = value.replace(" /", "/").replace("/ ", "/").split(None, _MAX_BEFORE_SIZE)
    for word in words[:-1]:
        size = _size_of(word.partition("/")[0])
        if size is not None:
            return (("font-size", size),)
    return ()


def _color(name: str, value: str) -> Read:
    if value in _INHERITED:
        return ((name, None),)
    colour = colour_of(value)
    return ((name, colour),) if colour is not None else ()


def _background_color(name: str, value: str) -> Read:
    if value in _INITIAL:
        return ((name, None),)
    colour = colour_of(value)
    return () if colour is None else ((name, None if colour == CLEAR else colour),)


def _is_picture(value: str) -> bool:
    return "url(" in value or "gradient(" in value or "image" in value or "var(" in value


def _background_image(name: str, value: str) -> Read:
    if _is_picture(value):
        return ((name, True),)
    return ((name, False),) if value == "none" or value in _INITIAL else ()


_BACKGROUND_WORDS: Final = re.compile(r"[a-z-]++\([^()]*+\)|[^\s()]++").findall


def _background(_: str, value: str) -> Read:
    """`background`: a colour is one of its words."""
    if _is_picture(value):
        return (("background-image", True),)
    words = _BACKGROUND_WORDS(value)
    colours = [colour for word in words if (colour := colour_of(word)) is not None]
    if not words or len(colours) > 1:
        return ()
    colour = colours[0] if colours and colours[0] != CLEAR else None
    return ("background-image", False), ("background-color", colour)


def _thin(name: str, value: str) -> Read:
    length = _length_of(value)
    if length is None:
        return ((name, False),) if value.isascii() and value.replace("-", "").isalpha() else ()
    return ((name, length <= _THIN),) if not length < 0 else ()


def _place(name: str, value: str) -> Read:
    length = 0.0 if value == "auto" or value in _INITIAL else _length_of(value)
    return () if length is None else ((name, length),)


def _margin(_: str, value: str) -> Read:
    """`margin`: the first of its one to four lengths is above, the last or the second at the left."""
    words = value.split()
    if not 0 < len(words) <= 4:
        return ()
    return _place("margin-top", words[0]) + _place("margin-left", words[1] if len(words) == 3 else words[-1])


def _text_indent(name: str, value: str) -> Read:
    if value in _INHERITED:
        return ((name, None),)
    length = 0.0 if value == "initial" else _length_of(value.partition(" ")[0])
    return () if length is None else ((name, length <= AWAY or length >= BEHIND),)


def _position(name: str, value: str) -> Read:
    if value in ("static", "sticky", "-webkit-sticky") or value in _INITIAL:
        return ((name, ""),)
    return ((name, value),) if value in ("absolute", "fixed", "relative") else ()


def _lengths(arguments: str) -> list[float]:
    """The lengths of a function; a number is one too."""
    words = filter(None, _ARGUMENTS(arguments.strip()))
    return [
        _number(match) * (_PIXELS.get(match[3], 1.0) if match[3] else 1.0)
        for word in words
        if (match := _LENGTH(word)) is not None
    ]


def _transform(_: str, value: str) -> Read:
    if value == "none" or value in _INITIAL:
        return (("transform", False),)
    if not _IS_FUNCTIONS(value):
        return ()
    hides = False
    for function, arguments in _FUNCTIONS(value):
        numbers = _lengths(arguments)
        if function.startswith("scale"):
            hides |= any(abs(number) < FAINT for number in numbers[:2])
        elif function.startswith("translate"):
            hides |= any(number <= -FAR_AWAY or number >= BEHIND for number in numbers)
        elif function == "matrix":
            hides |= not any(numbers[:4])
    return (("transform", hides),)


def _scale(name: str, value: str) -> Read:
    numbers = _lengths(value)
    if numbers:
        return ((name, any(abs(number) < FAINT for number in numbers[:2])),)
    return ((name, False),) if value == "none" or value in _INITIAL else ()


def _clip(name: str, value: str) -> Read:
    if value == "auto" or value in _INITIAL:
        return ((name, False),)
    if not value.startswith("rect(") or not value.endswith(")"):
        return ()
    numbers = _lengths(value[5:-1])
    if len(numbers) != 4:
        return ((name, False),)
    top, right, bottom, left = numbers
    return ((name, bottom - top <= _THIN or right - left <= _THIN),)


_WHOLE: Final = 100 * _PIXELS["%"]


def _clip_path(_: str, value: str) -> Read:
    name = "clip-path"
    if not _IS_FUNCTIONS(value):
        return ((name, False),) if value == "none" or value in _INITIAL else ()
    hides = False
    for function, arguments in _FUNCTIONS(value):
        sides = _lengths(arguments.partition("round")[0].partition(" at ")[0])
        if function == "inset" and sides:
            top, right, bottom, left = (sides * 4)[:4] if len(sides) != 3 else (*sides, sides[1])
            hides |= top + bottom >= _WHOLE or left + right >= _WHOLE
        elif function in ("circle", "ellipse", "polygon"):
            hides |= bool(sides) and not any(sides)
    return ((name, hides),)


READERS: Final[dict[str, Callable[[str, str], Read]]] = {
    "display": partial(_words, frozenset({"none"}), _DISPLAYS | _INITIAL),
    "content-visibility": partial(_words, frozenset({"hidden"}), _INITIAL | {"visible", "auto"}),
    "visibility": _visibility,
    "opacity": _opacity,
    "font-size": _font_size,
    "font": _font,
    "color": _color,
    "background": _background,
    "background-color": _background_color,
    "background-image": _background_image,
    "overflow": _overflow,
    "overflow-x": _overflow,
    "overflow-y": _overflow,
    "text-indent": _text_indent,
    "position": _position,
    "margin": _margin,
    "transform": _transform,
    "-webkit-transform": _transform,
    "scale": _scale,
    "clip": _clip,
    "clip-path": _clip_path,
    "-webkit-clip-path": _clip_path,
    **dict.fromkeys(("height", "max-height", "width", "max-width"), _thin),
    **dict.fromkeys(("left", "right", "top", "bottom", "margin-left", "margin-top"), _place),
}


@lru_cache(maxsize=512)
def _read_short(name: str, value: str) -> Read:
    return READERS[name](name, value)


_MAX_CACHED: Final = 100


def read(name: str, value: str) -> Read:
    """What a declaration states of a property that can hide."""
    return _read_short(name, value) if len(value) < _MAX_CACHED else READERS[name](name, value)
