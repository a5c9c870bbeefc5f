"""Markdown and plain text of agents as text of Slack, which mentions only the users that the caller allows.

`&`, `<` and `>` are always escaped. So no text can hold a mention, a link or a notice to a channel of its own making.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from ...._html.sanitize import MarkdownToken, markdown_tokens
from ...._html.well_formed import neutralize
from ...._model.base import EMPTY_DICT, frozen
from ...._wire.address import canonical
from ...._wire.http import is_web_url

FENCE: Final = "```"

_MARK_OF: Final = {
    "strong_open": "*",
    "strong_close": "*",
    "em_open": "_",
    "em_close": "_",
    "s_open": "~",
    "s_close": "~",
}
_BOUNDARY: Final = "\u200b"
"""Separates a mark from a letter, next to which Slack would not see it."""

_BULLETS: Final = ("\u2022", "\u25e6", "\u25aa")
_RULE: Final = "\u2014" * 3
_MAX_LINK: Final = 1_400
"""Characters of a link with its words. A longer one is text, which may be cut where a section ends."""

_MENTION: Final = re.compile(r"&lt;@([UW][A-Z0-9]{1,31})&gt;")
_HANDLE: Final = re.compile(r"@[A-Za-z0-9_.+~-]{1,64}@[A-Za-z0-9.-]{1,253}")
_ADDRESS: Final = re.compile(r"https?://[^\s<>|\"]++")
_AFTER_ADDRESS: Final = ".,:;!?'*_~)…"
_MAIL: Final = re.compile(r"mailto:[^\s<>()|\\]{1,320}").fullmatch


@frozen
class Mentions:
    """The users that a text may mention.

    Attributes:
        users: Ids of users: `<@U456>` in the text stays a mention of these.
        agents: Address of an agent in canonical form → the id of its user here.
    """

    users: frozenset[str] = frozenset()
    agents: Mapping[str, str] = EMPTY_DICT


NO_MENTIONS: Final = Mentions()


class Chunk(NamedTuple):
    """A piece of text: a paragraph, an item of a list, or a block of code."""

    text: str
    is_code: bool = False
    is_tight: bool = False
    """Whether no blank line precedes it."""


def markdown_to_mrkdwn(text: str, *, mentions: Sequence[str] = ()) -> str:
    """Markdown as text of Slack (mrkdwn), with everything escaped that could mention or notify a user.

    Headings become bold lines, tables become code, images become links.

    Args:
        text: Markdown, as an agent wrote it.
        mentions: Ids of users that the text may mention as `<@U456>`. All other markup of Slack is escaped.

    Example:
        >>> markdown_to_mrkdwn("**Hi** <!channel>, see [the page](https://a.example/?a=1&b=2)")
        '*Hi* &lt;!channel&gt;, see <https://a.example/?a=1&amp;b=2|the page>'
    """
    return joined(markdown_chunks(text, Mentions(users=frozenset(mentions))))


def joined(chunks: Sequence[Chunk]) -> str:
    """The chunks as one text."""
    pieces: list[str] = []
    for chunk in chunks:
        if pieces:
            pieces.append("\n" if chunk.is_tight else "\n\n")
        pieces.append(f"{FENCE}\n{chunk.text}\n{FENCE}" if chunk.is_code else chunk.text)
    return "".join(pieces)


def escape(text: str) -> str:
    """Text with the three characters escaped that Slack reads as its own."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def words(text: str, mentions: Mentions) -> str:
    """Text that is no markup, with the mentions in it that are allowed."""
    if mentions.agents:
        pieces: list[str] = []
        end = 0
        for match in _HANDLE.finditer(text):
            handle = match[0].rstrip(".-")
            user = mentions.agents.get(canonical(handle) or "")
            if user is not None:
                pieces += _users(text[end : match.start()], mentions), f"<@{user}>"
                end = match.start() + len(handle)
        return "".join([*pieces, _users(text[end:], mentions)])
    return _users(text, mentions)


def _users(text: str, mentions: Mentions) -> str:
    text = escape(text)
    if not mentions.users:
        return text
    return _MENTION.sub(lambda match: f"<@{match[1]}>" if match[1] in mentions.users else match[0], text)


def plain_chunks(text: str, mentions: Mentions = NO_MENTIONS) -> list[Chunk]:
    """Plain text, with its web addresses as links."""
    text = neutralize(text).strip("\n")
    pieces: list[str] = []
    end = 0
    for match in _ADDRESS.finditer(text):
        url = match[0].rstrip(_AFTER_ADDRESS)
        pieces += words(text[end : match.start()], mentions), link(url, url, mentions)
        end = match.start() + len(url)
    text = "".join([*pieces, words(text[end:], mentions)])
    return [Chunk(text)] if text.strip() else []


def link(url: str, label: str, mentions: Mentions) -> str:
    """A link; its label and URL as text when the URL may be no link. Line breaks in it become blanks."""
    label = " ".join(label.split())
    if is_web_url(url) or _MAIL(url):
        target = escape(url.replace("|", "%7C").replace("<", "%3C").replace(">", "%3E"))
        markup = f"<{target}|{escape(label)}>" if label not in ("", url) else f"<{target}>"
        if len(markup) <= _MAX_LINK:
            return markup
    return words(f"{label} ({url})" if label not in ("", url) and url else label or url, mentions)


def markdown_chunks(text: str, mentions: Mentions = NO_MENTIONS) -> list[Chunk]:
    """Markdown, block by block. What is too long or too deep to be read as Markdown is plain text."""
    tokens = markdown_tokens(text)
    if tokens is None:
        return plain_chunks(text, mentions)
    return [chunk for chunk in _Walk(mentions).chunks(tokens) if chunk.text.strip()]


class _List:
    """A list that is open: its next number, or None of one with bullets, and the mark of an item that begins."""

    def __init__(self, number: int | None) -> None:
        self.number = number
        self.mark: str | None = None
        self.is_first = True


class _Walk:
    """Goes through the pieces of Markdown once."""

    def __init__(self, mentions: Mentions) -> None:
        self._mentions = mentions
        self._lists: list[_List] = []
        self._quotes = 0
        self._is_heading = False
        self._row: list[str] = []
        self._rows: list[str] | None = None

    def chunks(self, tokens: Sequence[MarkdownToken]) -> Iterator[Chunk]:
        """The chunks of a document."""
        for token in tokens:
            match token.kind:
                case "inline" if self._rows is not None:
                    self._row.append(" ".join(_plain(token.children).split()))
                case "inline":
                    yield self._paragraph(token)
                case "fence" | "code_block":
                    yield Chunk(_code(token.content.strip("\n")), is_code=True)
                case "hr":
                    yield Chunk(_RULE)
                case "table_close":
                    yield Chunk(_code("\n".join(self._rows or ())), is_code=True)
                    self._rows = None
                case _:
                    self._open_or_close(token)

    def _open_or_close(self, token: MarkdownToken) -> None:
        match token.kind:
            case "heading_open" | "heading_close":
                self._is_heading = token.kind == "heading_open"
            case "bullet_list_open" | "ordered_list_open":
                self._lists.append(_List(token.start if token.kind == "ordered_list_open" else None))
            case "bullet_list_close" | "ordered_list_close":
                self._lists.pop()
            case "list_item_open":
                self._begin_item(self._lists[-1])
            case "blockquote_open":
                self._quotes += 1
            case "blockquote_close":
                self._quotes -= 1
            case "table_open":
                self._rows = []
            case "tr_close" if self._rows is not None:
                self._rows.append(" | ".join(self._row))
                self._row = []

    def _begin_item(self, last: _List) -> None:
        if last.number is None:
            last.mark = f"{_BULLETS[min(len(self._lists), len(_BULLETS)) - 1]} "
        else:
            last.mark = f"{last.number}. "
            last.number += 1

    def _paragraph(self, token: MarkdownToken) -> Chunk:
        """A paragraph or a heading, behind the marks of its list and its quotation."""
        text = _inline(token.children, self._mentions, is_bold=self._is_heading)
        lines, indent, is_tight = text.split("\n"), "    " * (len(self._lists) - 1), False
        if self._lists:
            mark, self._lists[-1].mark = self._lists[-1].mark, None
            is_tight, self._lists[0].is_first = not self._lists[0].is_first, False
            first = indent + (mark or "    ")
            lines = [first + lines[0], *[indent + "    " + line for line in lines[1:]]]
        if self._quotes:
            lines = ["> " + line for line in lines]
        return Chunk("\n".join(lines), is_tight=is_tight)


def _code(text: str) -> str:
    """The text of a block of code, in which no fence ends the block."""
    return escape(text).replace(FENCE, f"`{_BOUNDARY}`{_BOUNDARY}`")


def _plain(tokens: Sequence[MarkdownToken]) -> str:
    """The words of pieces of a line."""
    return "".join(["\n" if token.kind.endswith("break") else token.content for token in tokens])


def _inline(tokens: Sequence[MarkdownToken], mentions: Mentions, *, is_bold: bool) -> str:
    """The pieces of a paragraph as text of Slack. Marks end with each line and begin again on the next."""
    line = _Line()
    if is_bold:
        line.open("*")
    places = iter(range(len(tokens)))
    for place in places:
        token = tokens[place]
        match token.kind:
            case "link_open":
                end = next(at for at in range(place, len(tokens)) if tokens[at].kind == "link_close")
                line.add(link(token.url, _plain(tokens[place + 1 : end]), mentions))
                for _ in range(place, end):
                    next(places)
            case "image":
                line.add(link(token.url, token.content, mentions))
            case "code_inline":
                line.add(escape(token.content) if "`" in token.content else f"`{escape(token.content)}`")
            case "softbreak" | "hardbreak":
                line.end()
            case _ if token.kind in _MARK_OF:
                (line.open if token.kind.endswith("open") else line.close)(_MARK_OF[token.kind])
            case _:
                line.add(words(token.content, mentions))
    if is_bold:
        line.close("*")
    return line.text


class _Line:
    """Text that grows, with the marks that are open in it."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._open: list[str] = []
        self._last = ""
        self._is_closed = False

    def add(self, text: str) -> None:
        """Text behind what there is."""
        if not text:
            return
        if self._is_closed and text[0].isalnum():
            self._put(_BOUNDARY)
        self._is_closed = False
        self._put(text)

    def open(self, mark: str) -> None:
        """Begins bold, italic or struck text, which may be nested in the same."""
        if mark not in self._open:
            if self._last.isalnum():
                self._put(_BOUNDARY)
            self._put(mark)
        self._is_closed = False
        self._open.append(mark)

    def close(self, mark: str) -> None:
        """Ends the innermost one."""
        self._open.pop()
        if mark not in self._open:
            self._put(mark)
            self._is_closed = True

    def end(self) -> None:
        """Ends the line."""
        marks = list(dict.fromkeys(self._open))
        self._put("".join([*reversed(marks), "\n", *marks]))
        self._is_closed = False

    def _put(self, text: str) -> None:
        self._pieces.append(text)
        self._last = text[-1]

    @property
    def text(self) -> str:
        """All of it."""
        return "".join(self._pieces)
