"""The colours of CSS and of old HTML."""

from __future__ import annotations

import re
from colorsys import hls_to_rgb
from typing import Final, TypeAlias

Colour: TypeAlias = tuple[int, ...]
"""Red, green and blue up to 255; `CLEAR`; or `()` for a colour that is not known."""

WHITE: Final = (255, 255, 255)
CLEAR: Final = (0, 0, 0, 0)
"""The colour of what is not painted at all."""

_NAMES: Final = """
aliceblue f0f8ff antiquewhite faebd7 aqua 00ffff aquamarine 7fffd4 azure f0ffff beige f5f5dc bisque ffe4c4 black 000000
blanchedalmond ffebcd blue 0000ff blueviolet 8a2be2 brown a52a2a burlywood deb887 cadetblue 5f9ea0 chartreuse 7fff00
chocolate d2691e coral ff7f50 cornflowerblue 6495ed cornsilk fff8dc crimson dc143c cyan 00ffff darkblue 00008b
darkcyan 008b8b darkgoldenrod b8860b darkgray a9a9a9 darkgreen 006400 darkgrey a9a9a9 darkkhaki bdb76b
darkmagenta 8b008b darkolivegreen 556b2f darkorange ff8c00 darkorchid 9932cc darkred 8b0000 darksalmon e9967a
darkseagreen 8fbc8f darkslateblue 483d8b darkslategray 2f4f4f darkslategrey 2f4f4f darkturquoise 00ced1
darkviolet 9400d3 deeppink ff1493 deepskyblue 00bfff dimgray 696969 dimgrey 696969 dodgerblue 1e90ff firebrick b22222
floralwhite fffaf0 forestgreen 228b22 fuchsia ff00ff gainsboro dcdcdc ghostwhite f8f8ff gold ffd700 goldenrod daa520
gray 808080 green 008000 greenyellow adff2f grey 808080 honeydew f0fff0 hotpink ff69b4 indianred cd5c5c indigo 4b0082
ivory fffff0 khaki f0e68c lavender e6e6fa lavenderblush fff0f5 lawngreen 7cfc00 lemonchiffon fffacd lightblue add8e6
lightcoral f08080 lightcyan e0ffff lightgoldenrodyellow fafad2 lightgray d3d3d3 lightgreen 90ee90 lightgrey d3d3d3
lightpink ffb6c1 lightsalmon ffa07a lightseagreen 20b2aa lightskyblue 87cefa lightslategray 778899
lightslategrey 778899 lightsteelblue b0c4de lightyellow ffffe0 lime 00ff00 limegreen 32cd32 linen faf0e6
magenta ff00ff maroon 800000 mediumaquamarine 66cdaa mediumblue 0000cd mediumorchid ba55d3 mediumpurple 9370db
mediumseagreen 3cb371 mediumslateblue 7b68ee mediumspringgreen 00fa9a mediumturquoise 48d1cc mediumvioletred c71585
midnightblue 191970 mintcream f5fffa mistyrose ffe4e1 moccasin ffe4b5 navajowhite ffdead navy 000080 oldlace fdf5e6
olive 808000 olivedrab 6b8e23 orange ffa500 orangered ff4500 orchid da70d6 palegoldenrod eee8aa palegreen 98fb98
paleturquoise afeeee palevioletred db7093 papayawhip ffefd5 peachpuff ffdab9 peru cd853f pink ffc0cb plum dda0dd
powderblue b0e0e6 purple 800080 rebeccapurple 663399 red ff0000 rosybrown bc8f8f royalblue 4169e1 saddlebrown 8b4513
salmon fa8072 sandybrown f4a460 seagreen 2e8b57 seashell fff5ee sienna a0522d silver c0c0c0 skyblue 87ceeb
slateblue 6a5acd slategray 708090 slategrey 708090 snow fffafa springgreen 00ff7f steelblue 4682b4 tan d2b48c
teal 008080 thistle d8bfd8 tomato ff6347 turquoise 40e0d0 violet ee82ee wheat f5deb3 white ffffff whitesmoke f5f5f5
yellow ffff00 yellowgreen 9acd32 canvas ffffff canvastext 000000 window ffffff windowtext 000000
"""
_WORDS: Final = _NAMES.split()
_NAMED: Final = {
    "transparent": CLEAR,
    **{name: tuple(bytes.fromhex(digits)) for name, digits in zip(_WORDS[::2], _WORDS[1::2], strict=True)},
}
_OTHERS: Final = frozenset({
    "currentcolor", "accentcolor", "activetext", "buttonface", "buttontext", "field", "fieldtext", "graytext",
    "highlight", "highlighttext", "linktext", "mark", "marktext", "visitedtext", "infobackground", "infotext", "menu",
    "menutext", "threedface", "-webkit-link", "-webkit-activelink", "initial",
})  # fmt: skip
"""Values that are a colour, but not the same one everywhere."""

_HEX: Final = re.compile(r"#(?:[0-9a-f]{3}|[0-9a-f]{4}|[0-9a-f]{6}|[0-9a-f]{8})").fullmatch
_FUNCTION: Final = re.compile(r"([a-z-]{2,20})\(([^()]*+)\)").fullmatch
_MIXED: Final = re.compile(
    r"(?:color-mix|light-dark|color|rgba?|hsla?|hwb|lab|lch|oklab|oklch|var)\(.*+(?<=\))"
).fullmatch
_NUMBER: Final = re.compile(r"([+-]?[0-9]{0,20}\.?[0-9]{1,20})(%|deg)?").fullmatch
_ALIKE: Final = 10
FAINT: Final = 0.05
"""Below it nothing is seen; above one less it, nothing is seen through."""


def colour_of(value: str) -> Colour | None:
    """The colour of a value in lower case, None where it is none."""
    if value in _NAMED:
        return _NAMED[value]
    if _HEX(value):
        digits = value[1:] if len(value) > 5 else "".join([digit * 2 for digit in value[1:]])
        red, green, blue, *alpha = bytes.fromhex(digits)
        return _seen((red, green, blue), alpha[0] / 255 if alpha else 1)
    if value in _OTHERS:
        return ()
    match = _FUNCTION(value)
    if match is not None and match[1] in ("rgb", "rgba", "hsl", "hsla"):
        return _of_numbers(match[1][:3], match[2].replace(",", " ").replace("/", " ").split())
    return () if _MIXED(value) else None


def _of_numbers(kind: str, words: list[str]) -> Colour | None:
    """The colour of `rgb(…)` or `hsl(…)`."""
    numbers = [_NUMBER(word) for word in words]
    if len(numbers) not in (3, 4) or None in numbers:
        return None
    first, second, third, *alpha = [(float(match[1]), match[2]) for match in numbers if match is not None]
    if kind == "rgb":
        parts = [number * 2.55 if mark else number for number, mark in (first, second, third)]
    else:
        light, full = (min(max(number / 100, 0), 1) for number in (third[0], second[0]))
        parts = [part * 255 for part in hls_to_rgb(first[0] / 360 % 1, light, full)]
    red, green, blue = (round(min(max(part, 0), 255)) for part in parts)
    return _seen((red, green, blue), alpha[0][0] / (100 if alpha[0][1] else 1) if alpha else 1)


def _seen(colour: Colour, alpha: float) -> Colour:
    """A colour that is seen through in part is not known."""
    return CLEAR if alpha <= FAINT else colour if alpha >= 1 - FAINT else ()


def attribute_colour(value: str | None) -> Colour | None:
    """The colour that an attribute of old HTML states: `bgcolor`, or `color` of `<font>`; None where there is none."""
    if not value:
        return None
    value = value.strip().lower()
    colour = colour_of(f"#{value}" if len(value) == 6 and _HEX(f"#{value}") else value)
    return () if colour is None else colour


def are_alike(one: Colour, other: Colour) -> bool:
    """Whether letters of one colour cannot be seen on the other."""
    if len(one) != 3 or len(other) != 3:
        return False
    (red, green, blue), (other_red, other_green, other_blue) = one, other
    return abs(red - other_red) <= _ALIKE and abs(green - other_green) <= _ALIKE and abs(blue - other_blue) <= _ALIKE
