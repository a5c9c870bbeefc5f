"""What style sheets and style attributes of a document say of its text: enough of CSS to know what is hidden.

Read are simple selectors (`p`, `.note`, `#top`, `p.note`) outside of conditions, and the properties that hide. What is
more than that hides nothing here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple, TypeAlias

Declarations: TypeAlias = dict[str, str]
Colour: TypeAlias = tuple[int, int, int] | None
"""Red, green and blue up to 255; None for a colour that is not known."""

WHITE: Final = (255, 255, 255)
BLACK: Final = (0, 0, 0)

_MAX_DECLARATIONS: Final = 100
_MAX_RULES: Final = 5_000
_MAX_SELECTORS: Final = 100
_MAX_CLASSES: Final = 20
_PROPERTIES: Final = frozenset({
    "display", "visibility", "opacity", "font-size", "font", "color", "background", "background-color",
    "background-image", "overflow", "height", "max-height", "width", "max-width", "text-indent", "position", "left",
    "right", "top", "bottom", "margin-left", "margin-top",
})  # fmt: skip
_SIZES: Final = ("height", "max-height", "width", "max-width")
_PLACES: Final = ("left", "right", "top", "bottom", "margin-left", "margin-top")
_SELECTOR: Final = re.compile(r"(?:[a-z][a-z0-9]{0,30}|\*)?(?:[.#][\w-]{1,100})?").fullmatch
_EVERYWHERE: Final = frozenset({"@media all", "@media screen", "@media only screen"})
_ZERO: Final = re.compile(r"[+-]?(?:0+(?:\.0*)?|\.0+)(?:[a-z]{1,4}|%)?(?=\s|\Z)").match
_TINY: Final = re.compile(r"(?:0?\.[0-9]+|0+(?:\.[0-9]*)?|1(?:\.0*)?)(?:px|pt)?(?=\s|\Z)").match
_FAR: Final = re.compile(r"-[0-9]{3,}").match
_FONT_SIZE: Final = re.compile(r"[0-9.]{1,9}(?:px|pt|em|rem|%)(?=[\s/])")
_COLOUR: Final = re.compile(
    r"#([0-9a-f]{6}|[0-9a-f]{3})(?:[0-9a-f]{2})?\b"
    r"|rgba?\(\s*([0-9]{1,3})[\s,]+([0-9]{1,3})[\s,]+([0-9]{1,3})(?:[\s,/]+([0-9.]{1,8}%?))?\s*\)"
    r"|\b(white|black|transparent)\b"
)
_ALIKE: Final = 10
_ESCAPE: Final = re.compile(r"\\([0-9a-f]{1,6})\s?")


class Effect(NamedTuple):
    """What an element does to its text.

    Attributes:
        gone: Whether nothing in it is visible, whatever its elements say.
        invisible: Whether its `visibility` hides it; None where it says nothing.
        tiny: Whether its letters have no size; None where it says nothing.
        colour: Its colour; None where it is not stated, `()` where it is not known.
        background: The colour behind it, in the same way.
        clear: Whether its letters are transparent.
    """

    gone: bool = False
    invisible: bool | None = None
    tiny: bool | None = None
    colour: tuple[int, ...] | None = None
    background: tuple[int, ...] | None = None
    clear: bool = False


NOTHING: Final = Effect()


def declarations(style: str) -> tuple[Declarations, Declarations]:
    """The declarations of a style attribute or of a rule that can hide: the usual, and those marked as important."""
    usual: Declarations = {}
    important: Declarations = {}
    style = style.lower()
    if "/*" in style:
        style = _without_comments(style)
    if "\\" in style:
        style = _ESCAPE.sub(lambda escape: chr(int(escape[1], 16) % 0x110000), style)
    for declaration in style.split(";", _MAX_DECLARATIONS):
        name, _, value = declaration.partition(":")
        name = name.strip()
        if name in _PROPERTIES:
            value, mark, _ = value.strip().partition("!")
            (important if mark else usual)[name] = value.strip()
    return usual, important


class Sheet:
    """The rules of a document's style sheets, by their selectors."""

    def __init__(self, text: str) -> None:
        """Reads the text of all sheets of a document, one after the other."""
        self.usual: dict[str, Declarations] = {}
        self.important: dict[str, Declarations] = {}
        self.has_other_backgrounds = False
        """Whether a rule that is not read states a background."""
        for selectors, body in _rules(text.lower()):
            usual, important = declarations(body)
            for selector in selectors.split(",", _MAX_SELECTORS) if usual or important else ():
                key = selector.strip()
                if not _SELECTOR(key):
                    self.has_other_backgrounds |= _background({**usual, **important}) is not None
                elif key:
                    self.usual.setdefault(key, {}).update(usual)
                    self.important.setdefault(key, {}).update(important)

    def declared(self, name: str, classes: str, id: str, style: str) -> Declarations:
        """All that is declared of an element, the strongest alone."""
        usual, important = declarations(style)
        keys = ["*", name]
        for one in classes.lower().split()[:_MAX_CLASSES]:
            keys += (f".{one}", f"{name}.{one}")
        if id:
            keys += (f"#{id.lower()}", f"{name}#{id.lower()}")
        declared: Declarations = {}
        for key in keys:
            declared.update(self.usual.get(key, ()))
        declared.update(usual)
        for key in keys:
            declared.update(self.important.get(key, ()))
        declared.update(important)
        return declared


def _rules(text: str) -> Iterator[tuple[str, str]]:
    """The selectors and the body of each rule. Those of a rule under a condition are `?`, which selects nothing."""
    sheet = _without_comments(text)
    at = 0
    for _ in range(_MAX_RULES):
        begin = sheet.find("{", at)
        if begin < 0:
            return
        selectors = " ".join(_BEFORE_SELECTORS(sheet[at:begin])[-1].split())
        if selectors in _EVERYWHERE:
            at = begin + 1
            continue
        end = _behind_block(sheet, begin) if selectors.startswith("@") else sheet.find("}", begin) + 1 or len(sheet)
        is_font = selectors.startswith(("@font", "@page", "@keyframes"))
        if not is_font:
            yield "?" if selectors.startswith("@") else selectors, sheet[begin + 1 : end].rstrip("}")
        at = end


def is_closed(text: str) -> bool:
    """Whether every rule and every comment of a sheet ends in it."""
    sheet = _without_comments(text)
    is_balanced = sheet.count("{") == sheet.count("}") and sheet.rfind("{") <= sheet.rfind("}")
    return is_balanced and text.rfind("/*") <= text.rfind("*/")


_BEFORE_SELECTORS: Final = re.compile("[;{}]|<!--|-->").split


def _without_comments(text: str) -> str:
    """CSS without its comments."""
    first, *others = text.split("/*")
    return first + " ".join([one.partition("*/")[2] for one in others])


_BRACES: Final = re.compile("[{}]")


def _behind_block(sheet: str, begin: int) -> int:
    """The place behind the block that begins there, with all blocks in it."""
    depth = 0
    for brace in _BRACES.finditer(sheet, begin):
        depth += 1 if brace[0] == "{" else -1
        if not depth:
            return brace.end()
    return len(sheet)


def effect(declared: Declarations) -> Effect:
    """What the declarations of an element do to its text."""
    size = declared.get("font-size")
    if size is None and (match := _FONT_SIZE.search(declared.get("font", ""))):
        size = match[0]
    visibility = declared.get("visibility")
    colour, clear = _colour(declared.get("color"))
    return Effect(
        gone=_is_gone(declared),
        invisible=None if visibility is None else visibility in ("hidden", "collapse"),
        tiny=None if size is None or size == "inherit" else _TINY(size) is not None or _ZERO(size) is not None,
        colour=colour,
        background=_background(declared),
        clear=clear,
    )


def _is_gone(declared: Declarations) -> bool:
    """Whether an element with all in it is out of sight. `mso-hide` is for one program alone, and does not count."""
    if declared.get("display") == "none" or _ZERO(declared.get("opacity", "1")):
        return True
    if declared.get("overflow", "").startswith(("hidden", "clip")):
        sizes = [declared[name] for name in _SIZES if name in declared]
        if any(map(_ZERO, sizes)):
            return True
    far = [declared.get("text-indent", "")]
    if declared.get("position") in ("absolute", "fixed"):
        far += [declared.get(name, "") for name in _PLACES]
    return any(map(_FAR, far))


def hides_with_others(declared: Declarations) -> bool:
    """Whether a rule that hides nothing may do so together with another: it says half of what `_is_gone` looks for."""
    sizes = [declared[name] for name in _SIZES if name in declared]
    places = [declared[name] for name in _PLACES if name in declared]
    return "overflow" in declared or "position" in declared or any(map(_ZERO, sizes)) or any(map(_FAR, places))


def _colour(value: str | None) -> tuple[tuple[int, ...] | None, bool]:
    """A colour, `()` for one that is not known, None for none; and whether it is transparent."""
    if value is None or value == "inherit":
        return None, False
    match = _COLOUR.search(value)
    if match is None:
        return (), False
    if match[6] == "transparent" or (match[5] is not None and _ZERO(match[5])):
        return (), True
    return rgb(match), False


def rgb(match: re.Match[str]) -> tuple[int, ...]:
    """The colour that was matched, as red, green and blue."""
    if match[1]:
        digits = match[1] if len(match[1]) == 6 else "".join([digit * 2 for digit in match[1]])
        return tuple(bytes.fromhex(digits))
    if match[6]:
        return WHITE if match[6] == "white" else BLACK
    return int(match[2]), int(match[3]), int(match[4])


def _background(declared: Declarations) -> tuple[int, ...] | None:
    """The colour behind an element, `()` where it is a picture or not known, None where none is stated."""
    image = declared.get("background-image", "none")
    whole = declared.get("background", "")
    if image not in ("none", "") or "url(" in whole or "gradient(" in whole:
        return ()
    value = declared.get("background-color") or whole
    if not value or value in ("none", "inherit", "initial", "transparent"):
        return None
    colour, is_clear = _colour(value)
    return None if is_clear else colour


def attribute_colour(value: str | None) -> tuple[int, ...] | None:
    """The colour that an attribute of old HTML states: `bgcolor`, or `color` of `<font>`."""
    if not value:
        return None
    value = value.strip().lower()
    return _colour(f"#{value}" if re.fullmatch("[0-9a-f]{6}", value) else value)[0]


def are_alike(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Whether letters of one colour cannot be seen on the other."""
    return bool(one) and bool(other) and all(abs(a - b) <= _ALIKE for a, b in zip(one, other, strict=True))
