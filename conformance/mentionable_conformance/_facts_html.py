"""What a browser makes of simple HTML: what people read, the elements, and the links.

It is read in the form that pages/facts.md describes. Of other HTML no facts are found: parsers repair it in different
ways, and some take very long for it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import unescape
from html.entities import html5
from typing import Final

from mentionable_conformance._facts_error import FactError

__all__ = ["Page"]

_BLOCKS: Final = frozenset(
    ["address", "article", "blockquote", "br", "dd", "div", "dl", "dt", "footer", "h1", "h2", "h3", "h4", "h5", "h6"]
).union(["header", "hr", "li", "ol", "p", "pre", "section", "table", "td", "th", "tr", "ul"])
_LETTERS: Final = re.IGNORECASE | re.ASCII
_RAW: Final = {name: re.compile(rf"</{name}[ \t\n\r\f]*>", _LETTERS) for name in ("script", "style", "title")}
"""Elements whose content is no markup and is not shown, and what ends them."""
_UNREAD: Final = frozenset(
    ["iframe", "math", "noembed", "noframes", "noscript", "plaintext", "select", "svg", "template", "textarea", "xmp"]
)
"""Elements whose content has a syntax of its own."""
_VOID: Final = frozenset(
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"]
)
"""Elements without content: only their tags may end in `/>`, which browsers ignore in any other."""
_AS_TEXT: Final = re.compile(r"<(?![a-zA-Z/!?])")
_SKIPPED: Final = re.compile(r"<!--[^>]*-->|<!doctype[^<>\"']*(?:(?:\"[^<>\"]*\"|'[^<>']*')[^<>\"']*)*>", _LETTERS)
_OPENED: Final = re.compile(r"<([a-zA-Z][-a-zA-Z0-9]*)")
_ATTRIBUTE: Final = re.compile(
    r"""[ \t\n\r\f]+([^ \t\n\r\f"'<>/=]+)(?:[ \t\n\r\f]*=[ \t\n\r\f]*(?:"([^"]*)"|'([^']*)'|([^ \t\n\r\f"'<>=`]+)))?"""
)
_OPENED_END: Final = re.compile(r"[ \t\n\r\f]*(/?)>")
_REFERENCE: Final = re.compile(r"&(?:#[0-9]+;?|#[xX][0-9a-fA-F]+;?|[a-zA-Z0-9]+[;=]?)")
_DIGITS: Final = re.compile(r"&#0*([0-9]{1,8})[0-9]*")
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
            attributes.setdefault(found[1].lower(), _value(found[2] or found[3] or found[4] or ""))
            at = found.end()
        end = _OPENED_END.match(html, at)
        name = opened[1].lower() if opened else ""
        if opened is None or end is None or name in _UNREAD or (end[1] and name not in _VOID):
            raise FactError(f"its HTML has another form than is read, at {html[place : place + _SHOWN]!r}")
        self._open(name, attributes)
        if name in _RAW:
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
        if name == "a":
            self._anchor = Anchor(attributes)
            self.anchors.append(self._anchor)

    def _close(self, name: str) -> None:
        """Note the end of one."""
        if name in _BLOCKS:
            self._pieces.append("\n")
        if name == "a":
            self._anchor = None

    def _text(self, written: str) -> None:
        """Note text that is shown."""
        self._pieces.append(_unescaped(written))
        if self._anchor is not None:
            self._anchor.pieces.append(self._pieces[-1])


def _unescaped(written: str) -> str:
    """Text with its character references read. Python reads no number of more than 4300 digits."""
    return unescape(_DIGITS.sub(r"&#\1", written))


def _value(written: str) -> str:
    """The value of an attribute with its character references read."""
    return _REFERENCE.sub(_referred, written)


def _referred(found: re.Match[str]) -> str:
    """What a reference stands for. In an attribute a name counts as a whole, and not before `=`: `?a=1&copy=2`."""
    return _unescaped(found[0]) if found[0][1] == "#" else html5.get(found[0][1:], found[0])
