"""HTML from anyone as the little of it that is safe to show: a few elements, every one closed and in its place.

A parser of HTML repairs what is malformed. Some of its repairs take time by the square of the input, others make a page
a hundred times longer. What comes out of here needs no repair.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping
from typing import Final

from .._wire.http import is_web_url
from .tokens import attribute, escape, safe_link, tokens, unescape

ELEMENTS: Final = frozenset({
    "a", "abbr", "b", "blockquote", "br", "caption", "cite", "code", "dd", "del", "div", "dl", "dt", "em", "h1", "h2",
    "h3", "h4", "h5", "h6", "hr", "i", "img", "ins", "kbd", "li", "ol", "p", "pre", "q", "rp", "rt", "ruby", "s",
    "small", "span", "strong", "sub", "sup", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "u", "ul", "var",
})  # fmt: skip
"""The elements that stay; others become their text."""

_VOID: Final = frozenset({"br", "hr", "img"})
_IN_LINES: Final = frozenset({
    "a", "abbr", "b", "br", "cite", "code", "del", "em", "i", "img", "ins", "kbd", "q", "rp", "rt", "ruby", "s",
    "small", "span", "strong", "sub", "sup", "u", "var",
})  # fmt: skip
_HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_CELLS: Final = frozenset({"caption", "td", "th"})
_SECTIONS: Final = frozenset({"table", "tbody", "tfoot", "thead"})
_ROWS: Final = _SECTIONS | {"tr"}
_STANDS_IN: Final[Mapping[str, frozenset[str]]] = {
    "caption": frozenset({"table"}),
    "tbody": frozenset({"table"}),
    "td": _ROWS,
    "tfoot": frozenset({"table"}),
    "th": _ROWS,
    "thead": frozenset({"table"}),
    "tr": _SECTIONS,
}
"""Part of a table → what it may stand in."""

_ENDS: Final[Mapping[str, tuple[frozenset[str], frozenset[str]]]] = {
    "a": (frozenset({"a"}), _CELLS),
    "dd": (frozenset({"dd", "dt"}), _CELLS | {"dl"}),
    "dt": (frozenset({"dd", "dt"}), _CELLS | {"dl"}),
    "li": (frozenset({"li"}), _CELLS | {"ol", "ul"}),
    "rp": (frozenset({"rp", "rt"}), _CELLS | {"ruby"}),
    "rt": (frozenset({"rp", "rt"}), _CELLS | {"ruby"}),
}
"""Element → those that its beginning ends when they are open, and those beyond which it does not look for them."""

_PARAGRAPH: Final = frozenset({"p"})
_DEEPEST: Final = 100
"""How many elements may be open at once. Deeper ones are their text."""

_DIRECTIONS: Final = re.compile(r"[\u202a-\u202e\u2066-\u2069]++")
_CONTROLS: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]++")
_NUMBER: Final = re.compile(r"-?[0-9]{1,9}").fullmatch


def neutralize(text: str) -> str:
    """Text without controls and without characters that turn other text around; line ends are LF."""
    if text.isprintable():
        return text
    return _CONTROLS.sub("", _DIRECTIONS.sub("", text.replace("\r\n", "\n")))


def well_formed(html: str, *, images: Mapping[str, str]) -> str:
    """HTML of known elements alone, with no attribute but the address of a link or image and the start of a list.

    Args:
        html: A document or fragment.
        images: Name of an image that travels along, as `cid:<name>` shows it → the address to show it by. Other images
            are links to them.
    """
    writer = _Writer(images)
    templates = 0
    for text, name, attributes, literal in tokens(html):
        if not templates:
            if text:
                writer.text(unescape(text) if "&" in text else text)
            if literal:
                writer.text(literal[8:] if literal.startswith("![CDATA[") else f"<{literal}")
        if name is None:
            continue
        tag = name.lower()
        if tag == "template":
            templates += 1
        elif tag == "/template":
            templates = max(templates - 1, 0)
        elif not templates:
            if tag[0] == "/":
                writer.end(tag[1:])
            elif tag in ELEMENTS:
                writer.begin(tag, attributes)
    return writer.finish()


class _Writer:
    """Writes elements and closes them in order."""

    def __init__(self, images: Mapping[str, str]) -> None:
        self._images = images
        self._written: list[str] = []
        self._open: list[str] = []
        self._count: Counter[str] = Counter()  # of the open ones by name: most that is looked for is not there

    def text(self, text: str) -> None:
        """Writes text; blanks between the cells of a table are none."""
        if text and not (text.isspace() and self._is_between_cells()):
            self._put(escape(neutralize(text)))

    def begin(self, name: str, attributes: str) -> None:
        """Begins an element, and ends those in which it cannot stand."""
        if name == "img":
            self._image(attributes)
            return
        tag = self._tag(name, attributes)
        if tag is None:
            return
        if name in _STANDS_IN:
            self._begin_in_table(name)
            return
        if name not in _IN_LINES and self._count["p"]:
            self._end_open(_PARAGRAPH, _CELLS)
        if name in _HEADINGS and self._open and self._open[-1] in _HEADINGS:
            self._close(len(self._open) - 1)
        if name in _ENDS:
            self._end_open(*_ENDS[name])
        if name in _VOID:
            self._put(tag)
        elif len(self._open) < _DEEPEST:
            self._put(tag)
            self._enter(name)

    def end(self, name: str) -> None:
        """Ends the innermost open element of that name, and all in it; none outside this cell or table."""
        if self._open and self._open[-1] == name:  # as nearly always
            self._close(len(self._open) - 1)
        elif name in _STANDS_IN:
            self._end_open((name,), _SECTIONS)
        else:
            self._end_open((name,), () if name == "table" else _CELLS)

    def finish(self) -> str:
        """Ends all that is open, and gives what was written."""
        self._close(0)
        return "".join(self._written)

    def _image(self, attributes: str) -> None:
        """An attached image; any other becomes a link to it, or inside a link its description."""
        source = attribute(attributes, "src") or ""
        alt = attribute(attributes, "alt") or ""
        address = self._images.get(source[4:]) if source[:4].lower() == "cid:" else None
        if address is not None:
            self._put(f'<img src="{escape(address)}" alt="{escape(neutralize(alt))}">')
        elif self._count["a"] or not is_web_url(source):
            self.text(alt)
        else:
            self.begin("a", f'href="{escape(source)}"')
            self.text(alt or source)
            self.end("a")

    def _is_between_cells(self) -> bool:
        return bool(self._open) and self._open[-1] in _ROWS

    def _put(self, html: str) -> None:
        """Writes what is no part of a table. Between the cells of one it gets a cell of its own."""
        if self._is_between_cells():
            self._begin_cell("td")
        self._written.append(html)

    def _tag(self, name: str, attributes: str) -> str | None:
        """The start tag as it is written; None for a link to nowhere."""
        if name == "a":
            link = safe_link(attributes) or ""
            is_mail = link[:7].lower() == "mailto:" and link.isprintable()
            return f'<a href="{escape(link)}">' if is_mail or is_web_url(link) else None
        start = attribute(attributes, "start") if name == "ol" else None
        return f'<ol start="{start}">' if start is not None and _NUMBER(start) else f"<{name}>"

    def _begin_in_table(self, name: str) -> None:
        """Begins a part of the innermost table; outside of tables there are none."""
        if not self._count["table"]:
            return
        while self._open[-1] not in _STANDS_IN[name]:
            self._close(len(self._open) - 1)
        if name in _CELLS:
            self._begin_cell(name)
        else:
            self._push(name)

    def _begin_cell(self, name: str) -> None:
        """Begins a cell, and the row around it when there is none."""
        if name != "caption" and self._open[-1] != "tr":
            self._push("tr")
        self._push(name)

    def _end_open(self, names: Collection[str], until: Collection[str]) -> None:
        """Ends the innermost open element of some names, and all in it, unless one of `until` is met before."""
        if not any(self._count[name] for name in names):
            return
        depth = len(self._open) - 1
        while self._open[depth] not in names:
            if self._open[depth] in until:
                return
            depth -= 1
        self._close(depth)

    def _push(self, name: str) -> None:
        self._written.append(f"<{name}>")
        self._enter(name)

    def _enter(self, name: str) -> None:
        self._open.append(name)
        self._count[name] += 1

    def _close(self, depth: int) -> None:
        """Ends all elements but the outermost `depth`."""
        while len(self._open) > depth:
            name = self._open.pop()
            self._count[name] -= 1
            self._written.append(f"</{name}>")
