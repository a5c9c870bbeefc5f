"""An mbox, read in pieces of any size, as its mails."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from .._errors.exceptions import UsageError
from .._flow.settings import DEFAULTS, Limits
from .._model.base import frozen

_FROM: Final = b"From "
_BEGIN: Final = b"\nFrom "
_EMPTY_LINES: Final = (b"\n", b"\n\r")
"""The ends of what precedes `_BEGIN` when that is an empty line."""

_MAX_BEGIN: Final = len(b"\n\r\nFrom ")
_SPARE: Final = 65_536
"""Bytes beyond the limit: for the line `From `, and for the `>` that are taken off."""

_QUOTED: Final = re.compile(rb"\n>(?=>*+From )")


@frozen
class MboxMail:
    """A mail of an mbox.

    Attributes:
        offset: Where it begins there, with its line `From `.
        size: How many bytes it takes there, that line and the empty line behind it included.
        raw: The mail, for `receive`, without what the mbox has added. Of a mail over the limit it is the beginning, as
            it is in the mbox.
    """

    offset: int
    size: int
    raw: bytes


def split_mbox(chunks: Iterable[bytes], *, limits: Limits = DEFAULTS.limits) -> Iterator[MboxMail]:
    r"""The mails of an mbox, one after the other, each as soon as the next begins.

    A line `From ` at the beginning or after an empty line begins a mail. One `>` is taken off lines like `>From ` and
    `>>From ` (the `mboxrd` form). An mbox may be read from the beginning of any of its mails, and as far as any.

    A mail of more than `limits.mail_bytes` is read and not kept: its `raw` is what the mbox has, cut somewhere
    behind the limit, so that `receive` refuses it.

    Args:
        chunks: The bytes of the mbox in order, cut wherever you like: `iter(partial(file.read, 65_536), b"")`.
        limits: How much is kept of one mail.

    Raises:
        UsageError: A chunk is no bytes.

    Example:
        >>> [mail.raw for mail in split_mbox([b"From a\nA: 1\n\n>Fr", b"om here\n\nFrom b\nB: 2\n"])]
        [b'A: 1\n\nFrom here\n', b'B: 2\n']
    """
    offset = 0
    for data, size in _between(chunks, limits.mail_bytes + _SPARE):
        if data.startswith(_FROM) or not data.isspace():
            yield MboxMail(offset=offset, size=size, raw=data if len(data) < size else _mail(data))
        offset += size


def _between(chunks: Iterable[bytes], max_bytes: int) -> Iterator[tuple[bytes, int]]:
    """What lies between two beginnings of mails: its first bytes, at most so many, and the number of all.

    The bytes in `window` behind `done` are those that may belong to a beginning which the next chunk completes.
    """
    window, done, search = b"\n\n", 2, 1  # as if an empty line stood before the first byte
    data, size = bytearray(), 0
    for chunk in chunks:
        if not isinstance(chunk, bytes):
            raise UsageError(f"an mbox is made of bytes, not {type(chunk).__name__}: open it in binary mode")
        window += chunk
        while (start := _beginning(window, search)) >= 0:
            data += window[done : done + min(start - done, max_bytes - len(data))]
            size += start - done
            if size:
                yield bytes(data), size
            data.clear()
            size, done, search = 0, start, start
        behind = max(0, len(window) - _MAX_BEGIN)
        settled = max(done, behind)
        data += window[done : done + min(settled - done, max_bytes - len(data))]
        size += settled - done
        window, done, search = window[behind:], settled - behind, max(0, search - behind)
    data += window[done : done + max_bytes - len(data)]
    if size := size + len(window) - done:
        yield bytes(data), size


def _beginning(window: bytes, search: int) -> int:
    """Where the next line `From ` begins that follows an empty line, or -1."""
    start = window.find(_BEGIN, search)
    while start >= 0 and not window[max(0, start - 2) : start].endswith(_EMPTY_LINES):
        start = window.find(_BEGIN, start + 1)
    return start + 1 if start >= 0 else -1


def _mail(piece: bytes) -> bytes:
    """The mail in a piece: without its line `From `, the empty line behind it, and one `>` of quoted lines."""
    if piece.startswith(_FROM):
        piece = piece.partition(b"\n")[2]
    if b">From " in piece:
        piece = _QUOTED.sub(b"\n", b"\n" + piece)[1:]
    if piece.endswith(b"\n\r\n"):
        return piece[:-2]
    return piece[:-1] if piece.endswith(b"\n\n") else piece
