"""Blocks of Slack's Block Kit, none longer than Slack takes, and the messages that they make.

Nothing is left out: what is too long goes on in the next block, and then in the next message.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from ..._answer import split_text
from ..._answer import utf16_length as length
from .literal import escape, literal
from .mrkdwn import FENCE, Chunk
from .rich_text import Element, elements_of, rich_text, text_of

SECTION: Final = 3_000
"""Characters of one section, counted as Slack's clients count them, in units of UTF-16."""

BLOCKS: Final = 50
"""Blocks of one message."""

MESSAGE: Final = 12_000
"""Characters of the blocks of one message."""

_ELEMENTS: Final = 10
"""Elements of one context block."""

_REFERENCE: Final = len("&amp;")
_AROUND_CODE: Final = len(f"{FENCE}\n\n{FENCE}")


class RenderedBlock(NamedTuple):
    """A block, and its text for clients that render no blocks."""

    block: dict[str, Any]
    text: str


def sections(chunks: Iterable[Chunk]) -> Iterator[RenderedBlock]:
    """Chunks of text as sections, as few as hold them."""
    pieces: list[str] = []
    size = 0
    for chunk in chunks:
        if chunk.pieces:
            if pieces:
                yield _section("".join(pieces))
                pieces = []
            yield from _exact(chunk)
            continue
        for number, piece in enumerate(_cut(chunk)):
            between = "\n" if chunk.is_tight else "\n\n"
            size += len(between) + length(piece)
            if pieces and (number or size > SECTION):
                yield _section("".join(pieces))
                pieces = []
            if not pieces:
                between, size = "", length(piece)
            pieces += between, piece
    if pieces:
        yield _section("".join(pieces))


def _section(text: str) -> RenderedBlock:
    """A section with `verbatim` text: Slack does not look for mentions or names of channels in it."""
    return RenderedBlock(
        {"type": "section", "text": {"type": "mrkdwn", "text": text, "verbatim": True}, "expand": True}, text
    )


def _exact(chunk: Chunk) -> Iterator[RenderedBlock]:
    """A chunk as blocks in which nothing is markup, as few as hold it."""
    groups: list[list[Element]] = [[]]
    size = 0
    for element in elements_of(chunk.pieces):
        words = text_of(element)
        is_long = element["type"] == "text" and length(words) > SECTION
        for part in split_text(words, SECTION) if is_long else (words,):
            if groups[-1] and size + length(part) > SECTION:
                groups.append([])
                size = 0
            groups[-1].append({**element, "text": part} if is_long else element)
            size += length(part)
    for elements in groups:
        text = chunk.text if len(groups) == 1 else literal(escape("".join(map(text_of, elements))), is_plain=True)
        yield RenderedBlock(rich_text(elements, is_quote=chunk.is_quote), text)


def plain_sections(text: str) -> Iterator[RenderedBlock]:
    """Text as sections in which nothing is markup."""
    for piece in cut(escape(text).strip("\n"), SECTION):
        yield RenderedBlock(
            {"type": "section", "text": plain_text(piece), "expand": True}, literal(piece, is_plain=True)
        )


def plain_text(text: str) -> dict[str, Any]:
    """Escaped text as an object in which Slack sees no markup."""
    return {"type": "plain_text", "text": text, "emoji": False}


def context(lines: Sequence[str]) -> Iterator[RenderedBlock]:
    """Escaped lines as small print."""
    for start in range(0, len(lines), _ELEMENTS):
        some = lines[start : start + _ELEMENTS]
        yield RenderedBlock(
            {"type": "context", "elements": list(map(plain_text, some))}, literal("\n".join(some), is_plain=True)
        )


def _cut(chunk: Chunk) -> Iterator[str]:
    """A chunk in pieces, each fit for a section; code in as many blocks of code."""
    if not chunk.is_code:
        yield from cut(chunk.text, SECTION)
        return
    for piece in cut(chunk.text, SECTION - _AROUND_CODE):
        yield f"{FENCE}\n{piece}\n{FENCE}"


def cut(text: str, max_length: int) -> Iterator[str]:
    """A text in pieces of at most so many units, cut between lines or words where there are some.

    No link, no mention and no escape is ever cut.
    """
    for piece in split_text(text, max_length, lambda window: _end_of_words(window) or _end_of_signs(window)):
        if piece.strip():
            yield piece.rstrip("\n")


def _end_of_words(window: str) -> int:
    """The end of the last line in the second half, or of the last word; 0 when there is neither."""
    for sign in "\n ":
        end = window.rfind(sign, len(window) // 2) + 1
        while end and _is_inside(window, end):  # in the label of a link
            end = window.rfind(sign, len(window) // 2, end - 1) + 1
        if end:
            return end
    return 0


def _is_inside(window: str, end: int) -> bool:
    """Whether a link or a mention is open at a place."""
    return window.rfind("<", 0, end) > window.rfind(">", 0, end)


def _end_of_signs(window: str) -> int:
    """The end of a text without words, before a link, a mention or an escape that would be cut."""
    end = len(window)
    if _is_inside(window, end):
        end = window.rfind("<") or end
    reference = window.rfind("&", max(end - _REFERENCE, 0), end)
    if reference > 0 and ";" not in window[reference:end]:
        end = reference
    return end


def messages(blocks: Iterable[RenderedBlock]) -> list[list[RenderedBlock]]:
    """Blocks as messages, as few as hold them."""
    groups: list[list[RenderedBlock]] = []
    size = 0
    for block in blocks:
        size += length(block.text)
        if not groups or len(groups[-1]) == BLOCKS or size > MESSAGE:
            groups.append([])
            size = length(block.text)
        groups[-1].append(block)
    return groups


def fallback(blocks: Sequence[RenderedBlock]) -> str:
    """The text of a message for notices and for clients that show no blocks: all of it, or its beginning."""
    text = "\n\n".join([block.text for block in blocks])
    if length(text) <= SECTION:
        return text
    return next(cut(text, SECTION - 1)).rstrip() + "…"
