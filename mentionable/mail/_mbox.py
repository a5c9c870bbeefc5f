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

_SPARE: Final = 65_536
"""Bytes beyond the limit: for the line `From `, and for the `>` that are taken off."""

_MAX_LINE: Final = 998
"""Bytes of a line that begins a mail. RFC 5322 §2.1.1."""

_AHEAD: Final = 1_200
"""Bytes behind the start of a line `From ` that decide whether it begins a mail: itself, and the start of the next."""

_MAX_HEADERS: Final = 65_536
"""Bytes of a mail in which Content-Length is looked for."""

_MONTH: Final = rb"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
_CLOCK: Final = rb"\d{1,2}:\d\d(?::\d\d)?"
_DATED: Final = re.compile(
    rb"[ \t](?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),?[ \t]{1,4}(?:"
    + _MONTH
    + rb"[ \t]{1,4}\d{1,2}[ \t]{1,4}"
    + _CLOCK
    + rb"(?:[ \t]{1,4}[A-Za-z0-9+-]{1,6}){0,2}[ \t]{1,4}(?:19|20)\d\d(?:[ \t\r]|\Z)|\d{1,2}[ \t]{1,4}"
    + _MONTH
    + rb"[ \t]{1,4}(?:19|20)\d\d[ \t]{1,4}"
    + _CLOCK
    + rb")"
).search
"""The date of a line that begins a mail: that of asctime, with a zone before or behind the year, or that of a mail."""

_FIELD: Final = re.compile(rb"[A-Za-z][A-Za-z0-9-]{0,75}:[ \t\r\n]|>?From ").match
_END_OF_HEADERS: Final = re.compile(rb"\n\r?\n").search
_LENGTH: Final = re.compile(rb"\nContent-Length:[ \t]{0,8}(\d{1,10})[ \t]{0,8}\r?\n", re.IGNORECASE).search
_LINE_ENDS: Final = re.compile(rb"[\r\n]{1,4}").match
"""What is between the end of a mail by its Content-Length, and the next mail."""

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

    These lines begin a mail:

    - a line `From ` with a date, after an empty line: `From alice@a.example Sat Nov 21 20:56:00 2026`, with or without
      seconds, a zone, or an address that is one;
    - the same after a line that is not empty, or without a date after an empty line, where a header field follows;
    - a line `From ` at the beginning.

    A line like these inside a mail begins none where the Content-Length of the mail leads behind it, to a line that
    begins a mail or to the end (the `mboxcl` and `mboxcl2` forms); a Content-Length that leads elsewhere counts for
    nothing. One `>` is taken off lines like `>From ` and `>>From ` (the `mboxrd` form). An mbox may be read from the
    beginning of any of its mails, and as far as any.

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
    """What lies between two beginnings of mails: its first bytes, at most so many, and the number of all."""
    splitter = _Splitter(max_bytes)
    for chunk in chunks:
        if not isinstance(chunk, bytes):
            raise UsageError(f"an mbox is made of bytes, not {type(chunk).__name__}: open it in binary mode")
        yield from splitter.take(chunk)
    yield from splitter.end()


class _Splitter:
    """Finds the beginnings of mails in bytes that come bit by bit, and decides as soon as it can.

    Each byte is searched once. What is settled leaves the window, so that it has no more than what is undecided: the
    bytes that may begin a mail, or those up to where a Content-Length leads.
    """

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._window = bytearray(b"\n\n")  # as if an empty line stood before the first byte
        self._done = 2  # what precedes it in the window is settled
        self._search = 1
        self._data = bytearray()  # the settled bytes of the mail, as far as they are stored
        self._size = 0  # of all its settled bytes
        self._is_first = True
        self._is_end = False
        self._target: int | None = None  # where in the window a Content-Length leads, while that is not there yet

    def take(self, chunk: bytes) -> Iterator[tuple[bytes, int]]:
        """The mails that these bytes complete."""
        self._window += chunk
        return self._split()

    def end(self) -> Iterator[tuple[bytes, int]]:
        """The mails that the end completes."""
        self._is_end = True
        yield from self._split()
        self._settle(len(self._window))
        if self._size:
            yield bytes(self._data), self._size

    def _split(self) -> Iterator[tuple[bytes, int]]:
        window = self._window
        while (start := window.find(_BEGIN, self._search) + 1) > 0:
            if not self._is_decidable(start):
                break
            if self._target is None:
                if not self._begins(start):
                    self._search = start
                    continue
                self._target = self._end_by_length(start)
            if self._target > start:
                if not self._is_decidable(self._target):
                    break
                target, self._target = self._target, start
                beginning = self._beginning_at(target)
                if beginning:
                    self._search = beginning - 1
                    self._target = beginning if beginning < len(window) else None
                    continue
            self._settle(start)
            if self._size:
                yield bytes(self._data), self._size
            self._data.clear()
            self._size, self._search, self._target, self._is_first = 0, start, None, False
        self._forget(start - 1 if start > 0 else len(window) - len(_BEGIN))

    def _is_decidable(self, at: int) -> bool:
        """Whether all that decides about a line is there."""
        return self._is_end or len(self._window) >= at + _AHEAD

    def _begins(self, start: int) -> bool:
        """Whether a line `From ` begins a mail."""
        window = self._window
        if self._is_first and start == 2:
            return True
        line_end = window.find(b"\n", start, start + _MAX_LINE)
        is_dated = _DATED(window, start, line_end if line_end >= 0 else start + _MAX_LINE) is not None
        is_after_empty = window[max(0, start - 3) : start - 1].endswith(_EMPTY_LINES)
        if is_dated and is_after_empty:
            return True
        return (is_dated or is_after_empty) and line_end >= 0 and _FIELD(window, line_end + 1) is not None

    def _end_by_length(self, start: int) -> int:
        """Where the Content-Length of the mail before a line leads, if that is behind the line; else that line."""
        headers = bytes(self._data[:_MAX_HEADERS])
        headers += self._window[self._done : min(start, self._done + _MAX_HEADERS - len(headers))]
        end = _END_OF_HEADERS(headers)
        length = _LENGTH(headers, 0, end.start() + 1) if end else None
        if end is None or length is None:
            return start
        total = end.end() + int(length[1])
        return max(start, total - self._size + self._done) if total <= self._max_bytes else start

    def _beginning_at(self, target: int) -> int:
        """Where the mail begins, or everything ends, to which a Content-Length leads; 0 where it leads elsewhere."""
        window = self._window
        if target > len(window):
            return 0
        line_ends = _LINE_ENDS(window, target)
        beginning = line_ends.end() if line_ends else target
        if self._is_end and beginning == len(window):
            return beginning
        is_line = window[beginning - 1] == 10 and window.startswith(_FROM, beginning)
        return beginning if is_line and self._begins(beginning) else 0

    def _settle(self, end: int) -> None:
        """Takes the bytes up to `end` to the mail."""
        taken = max(0, min(end - self._done, self._max_bytes - len(self._data)))
        self._data += self._window[self._done : self._done + taken]
        self._size += end - self._done
        self._done = end

    def _forget(self, undecided: int) -> None:
        """Takes what is settled out of the window, but for what tells whether an empty line precedes the rest."""
        self._settle(max(self._done, undecided))
        behind = max(0, self._done - 3)
        del self._window[:behind]
        self._done -= behind
        self._search = max(0, self._search - behind, self._done - 1)
        if self._target is not None:
            self._target -= behind
        self._is_first = self._is_first and not behind


def _mail(piece: bytes) -> bytes:
    """The mail in a piece: without its line `From `, the empty line behind it, and one `>` of quoted lines."""
    if piece.startswith(_FROM):
        piece = piece.partition(b"\n")[2]
    if b">From " in piece:
        piece = _QUOTED.sub(b"\n", b"\n" + piece)[1:]
    if piece.endswith(b"\n\r\n"):
        return piece[:-2]
    return piece[:-1] if piece.endswith(b"\n\n") else piece
