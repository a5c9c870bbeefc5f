"""The lines of a mail in HTML, and what the elements of mail programs say of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

from .to_text import BLOCK_TAGS, TextWriter
from .tokens import attribute, collapse_spaces, end_of_element, markup, unescape

LineKind: TypeAlias = Literal["", "quoted", "forwarded", "signature", "footer", "attribution", "earlier"]
"""What is known of a line, or empty.

`attribution` is the line above a quotation, `earlier` the line at which an earlier mail begins that goes on to the end.
"""

Line: TypeAlias = tuple[str, int, LineKind]
"""A line: its text, where it begins, and what its markup says of it. All lines of a quotation may be one."""

_KINDS: Final[dict[str, LineKind]] = {
    "gmail_attr": "attribution",
    "moz-cite-prefix": "attribution",
    "moz-email-headers-table": "attribution",
    "reply-intro": "attribution",
    "gmail_signature": "signature",
    "moz-signature": "signature",
    "moz-txt-sig": "signature",
    "ms-outlook-mobile-signature": "signature",
    "protonmail_signature_block": "signature",
    "applemailsignature": "signature",
    "composer_signature": "signature",
    "signature": "signature",
    "k9mail-signature": "signature",
    "zmail_extra": "quoted",
    "yahoo_quoted": "quoted",
    "moz-forward-container": "forwarded",
    "divrplyfwdmsg": "earlier",
    "olk_src_body_section": "earlier",
    "stopspelling": "earlier",
}
"""Class or id of an element, in lower case → what is in it."""

_BREAKS: Final = BLOCK_TAGS | {"br", "/br"}
_GAPS: Final = frozenset({"br", "p", "hr"})
_WHOLE: Final = ("quoted", "forwarded")
_PREFORMATTED: Final = frozenset({"pre", "/pre"})
_NAMES: Final = ("class", "id", "data-smartmail")
_MAY_SAY: Final = re.compile("(?i:gmail_|moz-|signature|quote|zmail_|reply|rplyfwd|olk_src|stopspelling)").search
_OWN_INDENT: Final = re.compile(r"(?i:webkit-indent|border(?:-left)?\s*:\s*(?:none|0))").search
_SIGNATURES: Final = frozenset({"div", "span", "table"})
"""Elements whose class `signature` is that of a mail program."""
_CONTAINERS: Final = frozenset({"div", "table", "tr", "td", "th", "ul", "ol", "li", "blockquote", "center", "form"})
"""Elements that end what is open in them, a quotation or a signature too."""
_CELLS: Final = ("td", "th")
_TABLES: Final = frozenset({"table", "tr", "td", "th"})
_MAX_WORDS: Final = 20
_MAX_MISSES: Final = 3
_MAX_OF_QUOTATION: Final = 100
_MAX_TEXT: Final = 2_000
"""Characters of a line that are read. The rules look at short lines alone."""


class _Region(NamedTuple):
    """An element that says what is in it: its name, its kind, and how many elements are open around it."""

    tag: str
    kind: LineKind
    depth: int


class _Lines:
    """Collects the lines of one document."""

    def __init__(self, document: str) -> None:
        self.document = document
        self.lines: list[Line] = []
        self.regions: list[_Region] = []
        self.open: list[str] = []
        """The containers that are open, and in a region the elements of its name."""
        self.places: dict[str, list[int]] = {}
        """Where those of a name are in `open`."""
        self.kind: LineKind = ""
        self.texts: list[str] = []
        self.start = -1
        self.opening = -1
        """Where the first tag is that opened an element since the last line, or -1."""
        self.misses = 0
        """How often the end of a quotation took a closer look. The bound keeps the work linear."""
        self.keeps_lines = False
        """Whether line ends of the document are line ends of the text."""

    def read(self, text: str, start: int) -> None:
        """Adds a text of the document to the line, or to several where its line ends count."""
        if self.keeps_lines and "\n" in text:
            for line in text.split("\n"):
                self.add(line, start)
                self.end_line()
                start += len(line) + 1
        elif text and not text.isspace():
            self.add(text, start)
        elif self.texts:
            self.add(" ", start)

    def add_gap(self, start: int) -> None:
        """Adds an empty line, unless the last one is empty."""
        if self.lines and self.lines[-1][0]:
            self.lines.append(("", start, self.kind))
            self.opening = -1

    def add(self, text: str, start: int) -> None:
        """Adds text to the line."""
        if not self.texts:
            self.start = start
        if len(self.texts) < _MAX_TEXT:
            self.texts.append(text)

    def end_line(self) -> None:
        """Ends the line, if it has text."""
        if self.texts:
            text = "".join(self.texts)[:_MAX_TEXT]
            text = collapse_spaces(unescape(text) if "&" in text else text)
            self.lines.append((text, self.start if self.opening < 0 else self.opening, self.kind))
            self.texts = []
            self.opening = -1

    def tag(self, tag: str, attributes: str, start: int, end: int) -> int:
        """Reads a tag; the place from which to go on, behind its end where a quotation need not be read."""
        if tag in _BREAKS:
            if self.texts:
                self.end_line()
            elif tag in _GAPS:
                self.add_gap(start)
            if tag in _PREFORMATTED:
                self.keeps_lines = tag[0] != "/"
        if tag[0] == "/":
            name = tag[1:]
            if name in _CONTAINERS or (self.regions and self.regions[-1].tag == name):
                self.end_element(name)
            return end
        if self.opening < 0 and not self.texts:
            self.opening = start
        if self.kind not in _WHOLE:
            kind = _kind_of(tag, attributes)
            if kind and (not self.kind or kind in _WHOLE or kind == "earlier"):
                self.enter(tag, kind, start)
                self.begin_element(tag)
                return self.skip(tag, end) if kind == "quoted" else end
        if tag in _CONTAINERS or (self.regions and self.regions[-1].tag == tag):
            self.begin_element(tag)
        return end

    def begin_element(self, name: str) -> None:
        """Opens an element that ends what is open in it."""
        self.places.setdefault(name, []).append(len(self.open))
        self.open.append(name)

    def end_element(self, name: str) -> None:
        """Ends such an element, with all regions in it. The end tag of one outside of this cell ends nothing."""
        places = self.places.get(name)
        if not places or (name not in _TABLES and places[-1] < max(map(self.last, _CELLS))):
            return
        depth = places[-1]
        for one in self.open[depth:]:
            self.places[one].pop()
        del self.open[depth:]
        while self.regions and self.regions[-1].depth >= depth:
            self.leave()

    def last(self, name: str) -> int:
        """Where the innermost open element of a name is, or -1."""
        places = self.places.get(name)
        return places[-1] if places else -1

    def skip(self, tag: str, start: int) -> int:
        """Reads the content of a quotation as one line, where it is simple; the place of its end tag, or the start."""
        # `end_of_element` keeps a pattern for each name, so it gets names of HTML, none that a sender made up.
        if tag not in TextWriter.actions:
            return start
        end = end_of_element(self.document, tag, start) if self.misses < _MAX_MISSES else -1
        if end < 0:
            self.misses += 1
            return start
        self.add(self.document[start : min(end, start + _MAX_OF_QUOTATION)], start)
        return end

    def enter(self, tag: str, kind: LineKind, start: int) -> None:
        """Begins an element that says what is in it."""
        self.end_line()
        self.regions.append(_Region(tag, kind, len(self.open)))
        self.kind = kind
        if self.opening < 0:
            self.opening = start

    def leave(self) -> None:
        """Ends that element."""
        self.end_line()
        self.regions.pop()
        self.kind = self.regions[-1].kind if self.regions else ""
        self.opening = -1


def mail_lines(document: str, hidden: Sequence[tuple[int, int]] = ()) -> list[Line]:
    """The visible lines of a mail in HTML, in order. Those of one quotation may be one.

    Args:
        document: The HTML.
        hidden: Where it hides text, in order: it is in no line.
    """
    work = _Lines(document)
    at, ranges = 0, iter([*hidden, (len(document) + 1, 0)])
    begin, behind = next(ranges)
    while True:
        for match in markup(document, at):
            start, name = match.start(), match[1]
            while behind and start >= behind:
                begin, behind = next(ranges)
            if start > at and not begin <= at < behind:
                work.read(document[at:start], at)
            at = match.end()
            if name is not None:
                jump = work.tag(name.lower(), match[2], start, at)
                if jump > at:
                    at = jump
                    break
            elif match[3] and not begin <= start < behind:
                work.add("<" + match[3], start)
        else:
            break
    if not begin <= at < behind:
        work.read(document[at:], at)
    work.end_line()
    return work.lines


def _kind_of(tag: str, attributes: str) -> LineKind:
    """What an element says of its text, or empty."""
    if tag == "blockquote":
        return "" if attributes and _OWN_INDENT(attributes) and "cite" not in attributes else "quoted"
    if not attributes or not _MAY_SAY(attributes):
        return ""
    if tag == "div" and attribute(attributes, "name") == "quote":
        return "quoted"  # GMX, web.de and mail.com
    for name in _NAMES:
        for word in (attribute(attributes, name) or "").lower().split()[:_MAX_WORDS]:
            word = word.rpartition("x_")[2] if word.startswith("x_") else word
            word = "yahoo_quoted" if word.startswith(("yahoo_quoted", "ydp")) and "quoted" in word else word
            if word in _KINDS and (word != "signature" or tag in _SIGNATURES):
                return _KINDS[word]
    return ""
