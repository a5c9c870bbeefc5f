"""What a browser would make of simple HTML: what people read, the elements, and the links.

It is read in the form that CASES.md describes. Of other HTML no facts are found: parsers repair it in different ways,
and some take very long for it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import unescape
from typing import Final

from mentionable_conformance._facts_error import FactError

__all__ = ["Page"]

_BLOCKS: Final = frozenset(
    ["address", "article", "blockquote", "br", "dd", "div", "dl", "dt", "footer", "h1", "h2", "h3", "h4", "h5", "h6"]
).union(["header", "hr", "li", "ol", "p", "pre", "section", "table", "td", "th", "tr", "ul"])
_SILENT: Final = frozenset({"script", "style", "title"})
_LETTERS: Final = re.IGNORECASE | re.ASCII
_RAW: Final = {name: re.compile(rf"</{name}[ \t\n\r\f]*>", _LETTERS) for name in ("script", "style")}
"""Elements whose content is no markup, and what ends them."""
_AS_TEXT: Final = re.compile(r"<(?![a-zA-Z/!?])")
_SKIPPED: Final = re.compile(r"<!--[^>]*-->|<!doctype[^<>]*>", _LETTERS)
_OPENED: Final = re.compile(r"<([a-zA-Z][-a-zA-Z0-9]*)")
_ATTRIBUTE: Final = re.compile(
    r"""[ \t\n\r\f]+([^ \t\n\r\f"'<>/=]+)(?:[ \t\n\r\f]*=[ \t\n\r\f]*(?:"([^"]*)"|'([^']*)'|([^ \t\n\r\f"'<>=`]+)))?"""
)
_OPENED_END: Final = re.compile(r"[ \t\n\r\f]*(/?)>")
_CLOSED: Final = re.compile(r"</([a-zA-Z][-a-zA-Z0-9]*)[ \t\n\r\f]*>")
_SHOWN: Final = 40
"""So many characters are shown of what is not read."""


@dataclass(slots=True)
class Anchor:
    """A link."""

    attributes: dict[str, str]
    pieces: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The text in it."""
        return "".join(self.pieces)

    @property
    def classes(self) -> list[str]:
        """Its classes."""
        return self.attributes.get("class", "").split()


class Page:
    """A fragment of HTML, read."""

    def __init__(self, html: str) -> None:
        """Read it, from one end to the other.

        Raises:
            FactError: It is not in the form that is read.
        """
        if not isinstance(html, str):
            raise TypeError(html)
        self.elements: set[str] = set()
        """The names of the elements."""
        self.attributes: set[str] = set()
        """The names of all attributes."""
        self.anchors: list[Anchor] = []
        """The links, in order."""
        self._pieces: list[str] = []
        self._anchor: Anchor | None = None
        self._silent = 0
        place = 0
        while place < len(html):
            place = self._read(html, place)

    @property
    def text(self) -> str:
        """What people read: blocks on lines of their own, blanks collapsed."""
        lines = "".join(self._pieces).split("\n")
        return "\n".join(line for line in (" ".join(line.split()) for line in lines) if line)

    def _read(self, html: str, place: int) -> int:
        """Read the text or the markup at a place, and say where it ends."""
        if html[place] != "<" or _AS_TEXT.match(html, place):
            end = html.find("<", place + 1)
            self._text(html[place : end if end > 0 else len(html)])
            return end if end > 0 else len(html)
        if skipped := _SKIPPED.match(html, place):
            return skipped.end()
        if closed := _CLOSED.match(html, place):
            self._close(closed[1].lower())
            return closed.end()
        return self._tag(html, place)

    def _tag(self, html: str, place: int) -> int:
        """Read a tag that opens an element."""
        opened = _OPENED.match(html, place)
        at = opened.end() if opened else place
        attributes: dict[str, str] = {}
        while opened and (found := _ATTRIBUTE.match(html, at)):
            attributes.setdefault(found[1].lower(), unescape(found[2] or found[3] or found[4] or ""))
            at = found.end()
        end = _OPENED_END.match(html, at)
        if opened is None or end is None:
            raise FactError(f"its HTML has another form than is read, at {html[place : place + _SHOWN]!r}")
        name = opened[1].lower()
        self._open(name, attributes)
        if end[1]:
            self._close(name)
        elif name in _RAW:
            ended = _RAW[name].search(html, end.end())
            if ended is None:
                raise FactError(f"its HTML has another form than is read: {name} does not end")
            return ended.start()
        return end.end()

    def _open(self, name: str, attributes: dict[str, str]) -> None:
        """Note an element. A link ends where another begins."""
        self.elements.add(name)
        self.attributes.update(attributes)
        if name in _BLOCKS:
            self._pieces.append("\n")
        self._silent += name in _SILENT
        if name == "a":
            self._anchor = Anchor(attributes)
            self.anchors.append(self._anchor)

    def _close(self, name: str) -> None:
        """Note the end of one."""
        if name in _BLOCKS:
            self._pieces.append("\n")
        self._silent -= name in _SILENT and self._silent > 0
        if name == "a":
            self._anchor = None

    def _text(self, written: str) -> None:
        """Note text that is shown."""
        if self._silent:
            return
        self._pieces.append(unescape(written))
        if self._anchor is not None:
            self._anchor.pieces.append(self._pieces[-1])
