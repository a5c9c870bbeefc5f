"""What a browser would make of simple HTML: what people read, the elements, and the links."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Final

__all__ = ["Page"]

_BLOCKS: Final = frozenset(
    [
        "address",
        "article",
        "blockquote",
        "br",
        "dd",
        "div",
        "dl",
        "dt",
        "footer",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hr",
        "li",
        "ol",
        "p",
        "pre",
        "section",
        "table",
        "td",
        "th",
        "tr",
        "ul",
    ]
)
_SILENT: Final = frozenset({"script", "style", "title"})


@dataclass(slots=True)
class Anchor:
    """A link."""

    attributes: dict[str, str]
    text: str = ""

    @property
    def classes(self) -> list[str]:
        """Its classes."""
        return self.attributes.get("class", "").split()


@dataclass(slots=True)
class _Found:
    pieces: list[str] = field(default_factory=list)
    elements: set[str] = field(default_factory=set)
    attributes: set[str] = field(default_factory=set)
    anchors: list[Anchor] = field(default_factory=list)
    open: list[Anchor] = field(default_factory=list)
    silent: int = 0


class Page(HTMLParser):
    """A fragment of HTML, read."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self._found = _Found()
        self.feed(html)
        self.close()

    @property
    def text(self) -> str:
        """What people read: blocks on lines of their own, blanks collapsed."""
        lines = "".join(self._found.pieces).split("\n")
        return "\n".join(line for line in (" ".join(line.split()) for line in lines) if line)

    @property
    def elements(self) -> set[str]:
        """The names of the elements."""
        return self._found.elements

    @property
    def attributes(self) -> set[str]:
        """The names of all attributes."""
        return self._found.attributes

    @property
    def anchors(self) -> list[Anchor]:
        """The links, in order."""
        return self._found.anchors

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Notes an element."""
        self._found.elements.add(tag)
        self._found.attributes |= {name for name, _ in attrs}
        if tag in _BLOCKS:
            self._found.pieces.append("\n")
        self._found.silent += tag in _SILENT
        if tag == "a":
            anchor = Anchor({name: value or "" for name, value in attrs})
            self._found.anchors.append(anchor)
            self._found.open.append(anchor)

    def handle_endtag(self, tag: str) -> None:
        """Notes the end of one."""
        if tag in _BLOCKS:
            self._found.pieces.append("\n")
        self._found.silent -= tag in _SILENT and self._found.silent > 0
        if tag == "a" and self._found.open:
            self._found.open.pop()

    def handle_data(self, data: str) -> None:
        """Notes text that is shown."""
        if self._found.silent:
            return
        self._found.pieces.append(data)
        for anchor in self._found.open:
            anchor.text += data
