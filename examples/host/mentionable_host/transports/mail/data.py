"""What comes after DATA: a mail, up to a line that is nothing but a dot (RFC 5321 §4.5.2).

It is read in large pieces. To await each line takes longer than everything else that SMTP does with a mail.
"""

from __future__ import annotations

import asyncio
from typing import Final, Literal

__all__ = ["TooLarge", "read_data"]

_LINE_END: Final = b"\r\n"
_DOT: Final = b".\r\n"
_END: Final = _LINE_END + _DOT
_BEGINNINGS: Final = tuple(_END[:length] for length in range(1, len(_END)))

TooLarge = Literal["line", "mail"]


async def read_data(reader: asyncio.StreamReader, *, mail_bytes: int, line_bytes: int) -> bytes | TooLarge:
    """Reads a mail to its end, also where it is too large, since the next command comes after it.

    Args:
        reader: What the peer writes after `354`.
        mail_bytes: The size that a mail may have.
        line_bytes: The size that a line may have.

    Returns:
        The mail, without the dots that the peer put before its own; or what of it is too large.
    """
    read = bytearray(_LINE_END)  # as if a line had just ended: the first one may be the dot
    is_too_large = False
    while not read.endswith(_END):
        read += await _next_piece(reader, read)
        if len(read) > mail_bytes + len(_END):
            is_too_large = True
            del read[: -len(_END)]
    if is_too_large:
        return "mail"
    del read[-len(_DOT) :]
    raw = bytes(read.replace(b"\r\n.", _LINE_END)[len(_LINE_END) :])
    if len(raw) > line_bytes and max(map(len, raw.split(_LINE_END))) > line_bytes - len(_LINE_END):
        return "line"
    return raw


async def _next_piece(reader: asyncio.StreamReader, read: bytearray) -> bytes:
    """What comes next, and nothing beyond the end of the mail, which may have begun in what was read."""
    if read.endswith(_BEGINNINGS):
        return await reader.readexactly(1)
    try:
        return await reader.readuntil(_END)
    except asyncio.LimitOverrunError as error:
        return await reader.readexactly(error.consumed)
