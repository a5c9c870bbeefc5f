"""A long answer in pieces that Discord takes: cut between paragraphs, with nothing lost, and blocks of code closed."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from ..._answer import end_of_paragraph, split_text

MAX_LENGTH: Final = 2_000
"""Characters of one message. Those beyond the basic plane count twice here, to be safe."""

_MAX_INFO: Final = 20
_MAX_FENCE: Final = 8
_MAX_PIECE: Final = MAX_LENGTH - 2 * (_MAX_FENCE + 1) - _MAX_INFO
_FENCE: Final = re.compile(rf"(?m)^ {{0,3}}(`{{3,{_MAX_FENCE}}})([^`\n]{{0,{_MAX_INFO}}})$")


class _Block(NamedTuple):
    """A block of code.

    Attributes:
        start: Where the line ends that opens it.
        end: Where the line begins that closes it, or behind the text.
        fence: The backticks around it.
        info: The info string behind those that open it.
    """

    start: int
    end: int
    fence: str
    info: str


def messages_of(text: str) -> tuple[str, ...]:
    """The texts of the messages that carry a text, each short enough; none when there is nothing to read.

    A block of code that is cut is closed at the end of one message and opened again in the next.

    Example:
        >>> [len(one) for one in messages_of("word " * 500)]
        [1960, 540]
    """
    blocks = tuple(_blocks(text)) if len(text) > _MAX_PIECE // 2 else ()
    starts = [block.start for block in blocks]
    messages, position, cut = [], 0, None
    for piece in split_text(text, _MAX_PIECE, _end_of_piece):
        before = "" if cut is None else f"{cut.fence}{cut.info}\n"
        position += len(piece)
        cut = _block_at(position, blocks, starts) if position < len(text) else None
        line_end = "" if piece.endswith("\n") else "\n"
        after = "" if cut is None else f"{line_end}{cut.fence}"
        if piece.strip():
            messages.append(before + piece + after)
    return tuple(messages)


def _end_of_piece(piece: str) -> int:
    """Where a piece ends: never between a backslash and the character that it escapes."""
    end = end_of_paragraph(piece)
    backslashes = end - len(piece[:end].rstrip("\\"))
    return end - backslashes % 2


def _blocks(text: str) -> Iterator[_Block]:
    """The blocks of code of a text, in order."""
    opening: re.Match[str] | None = None
    for fence in _FENCE.finditer(text):
        if opening is None:
            opening = fence
        elif len(fence[1]) >= len(opening[1]) and not fence[2].strip():
            yield _Block(opening.end(), fence.start(), opening[1], opening[2])
            opening = None
    if opening is not None:
        yield _Block(opening.end(), len(text) + 1, opening[1], opening[2])


def _block_at(place: int, blocks: Sequence[_Block], starts: Sequence[int]) -> _Block | None:
    """The block of code that a cut goes through, if any."""
    index = bisect_left(starts, place) - 1
    return blocks[index] if index >= 0 and place <= blocks[index].end else None
