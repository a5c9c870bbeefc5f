"""Markdown and plain text of agents as text of Slack, which mentions only the users that the caller allows.

`&`, `<` and `>` are always escaped. So no text can hold a mention, a link or a notice to a channel of its own making.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from ...._html.sanitize import MarkdownToken, markdown_tokens
from ...._html.well_formed import neutralize
from ...._text.mrkdwn import is_joined
from .inline import NO_MENTIONS, Mentions, Piece, Style, markdown_pieces, plain_pieces, plain_words, with_emoji
from .literal import escape, is_literal, literal

FENCE: Final = "```"

_MARK_OF: Final[Mapping[Style, str]] = {"bold": "*", "italic": "_", "strike": "~"}
_BOUNDARY: Final = "\u200b"
"""Separates a mark from a letter, next to which Slack would not see it."""

_BULLETS: Final = ("\u2022", "\u25e6", "\u25aa")
_RULE: Final = "\u2014" * 3


class Chunk(NamedTuple):
    """A piece of text: a paragraph, an item of a list, or a block of code.

    Attributes:
        text: As mrkdwn.
        is_code: Whether it is a block of code.
        is_tight: Whether no blank line precedes it.
        pieces: What it says, when mrkdwn cannot say it exactly: a character in it would be markup.
        is_quote: Whether those pieces are a quotation.
    """

    text: str
    is_code: bool = False
    is_tight: bool = False
    pieces: tuple[Piece, ...] = ()
    is_quote: bool = False


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


def plain_chunks(text: str, mentions: Mentions = NO_MENTIONS) -> list[Chunk]:
    """Plain text, with its web addresses as links."""
    return chunk_of(plain_pieces(neutralize(text).strip("\n"), mentions), is_plain=True)


def chunk_of(pieces: Sequence[Piece], *, is_plain: bool = False) -> list[Chunk]:
    """Pieces as one chunk; none when they say nothing."""
    is_exact = _is_exact(pieces, is_plain=is_plain)
    text = mrkdwn_of(pieces, is_plain=is_plain, is_exact=is_exact)
    if not text.strip():
        return []
    return [Chunk(text, pieces=() if is_exact else tuple(pieces))]


def _is_exact(pieces: Iterable[Piece], *, is_plain: bool = False) -> bool:
    """Whether mrkdwn says what these pieces say: no character of theirs would be markup."""
    for piece in pieces:
        if piece.kind == "text" and not is_literal(piece.text, is_plain=is_plain):
            return False
        if piece.kind == "code" and "`" in piece.text:
            return False
    return True


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
                    self._row.append(" ".join(plain_words(token.children).split()))
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
        pieces = markdown_pieces(token.children, self._mentions, is_bold=self._is_heading)
        first, others, is_tight, is_quote = "", "", False, self._quotes > 0
        if self._lists:
            indent, mark = "    " * (len(self._lists) - 1), self._lists[-1].mark
            self._lists[-1].mark = None
            is_tight, self._lists[0].is_first = not self._lists[0].is_first, False
            first, others = indent + (mark or "    "), indent + "    "
        before = "> " if is_quote else ""
        is_exact = _is_exact(pieces)
        text = before + first + mrkdwn_of(pieces, is_exact=is_exact).replace("\n", f"\n{before}{others}")
        if is_exact:
            return Chunk(text, is_tight=is_tight)
        visible = tuple(_indented(with_emoji(pieces), first, others))
        return Chunk(text, is_tight=is_tight, pieces=visible, is_quote=is_quote)


def _indented(pieces: Iterable[Piece], first: str, others: str) -> Iterator[Piece]:
    """The pieces of an item of a list, behind its mark and indented."""
    if first:
        yield Piece("text", first)
    for piece in pieces:
        yield piece
        if piece.kind == "break" and others:
            yield Piece("text", others)


def _code(text: str) -> str:
    """The text of a block of code, in which no fence ends the block."""
    return escape(text).replace(FENCE, f"`{_BOUNDARY}`{_BOUNDARY}`")


def mrkdwn_of(pieces: Sequence[Piece], *, is_plain: bool = False, is_exact: bool = False) -> str:
    """Pieces as text of Slack. Marks end with each line and begin again on the next.

    Args:
        pieces: The pieces.
        is_plain: Whether names of emoji stay words.
        is_exact: Whether no character of theirs would be markup.
    """
    if is_exact and len(pieces) == 1 and pieces[0].kind == "text" and not pieces[0].styles:
        return escape(pieces[0].text)
    line = _Line()
    for piece in pieces:
        if piece.kind == "break":
            line.end()
        else:
            is_safe = is_exact and piece.kind == "text"
            line.add(escape(piece.text) if is_safe else _markup(piece, is_plain=is_plain), piece.styles)
    line.close()
    return line.text


def _markup(piece: Piece, *, is_plain: bool) -> str:
    match piece.kind:
        case "code":
            return f"`{literal(escape(piece.text)) if '`' in piece.text else escape(piece.text)}`"
        case "link":
            target = escape(piece.target)
            return f"<{target}|{escape(piece.text)}>" if piece.text else f"<{target}>"
        case "user":
            return f"<@{piece.target}>"
        case _:
            return literal(escape(piece.text), is_plain=is_plain)


class _Line:
    """Text that grows, with the marks that are open in it."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._open: tuple[Style, ...] = ()
        self._is_closed = False

    def add(self, text: str, styles: tuple[Style, ...]) -> None:
        """Text of these styles behind what there is."""
        if not text:
            return
        while self._open != styles[: len(self._open)]:
            self._put(_MARK_OF[self._open[-1]])
            self._open = self._open[:-1]
            self._is_closed = True
        opening = "" if self._open == styles else "".join([_MARK_OF[style] for style in styles[len(self._open) :]])
        self._open = styles
        is_after_letter = bool(self._pieces) and is_joined(self._pieces[-1][-1])
        if is_after_letter if opening else self._is_closed and is_joined(text[0]):
            self._put(_BOUNDARY)
        self._is_closed = False
        self._put(opening + text)

    def close(self) -> None:
        """Ends all marks."""
        if self._open:
            self._pieces += [_MARK_OF[style] for style in reversed(self._open)]
            self._open = ()

    def end(self) -> None:
        """Ends the line."""
        self.close()
        self._put("\n")
        self._is_closed = False

    def _put(self, text: str) -> None:
        self._pieces.append(text)

    @property
    def text(self) -> str:
        """All of it."""
        return "".join(self._pieces)
