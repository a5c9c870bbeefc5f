"""Server-Sent Events, read and written as bytes.

Reading is incremental, takes work that grows with the bytes alone, and holds no more than `max_bytes`.

Spec: HTML Standard §9.2 (Server-sent events).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from .._errors.exceptions import UsageError, wire_error

MEDIA_TYPE: Final = "text/event-stream"

_BOM: Final = b"\xef\xbb\xbf"
_SLICE: Final = 65_536
"""How much of a chunk is split into lines at once, so that a chunk of line ends makes no list of millions."""

_MAX_DIGITS: Final = 15
_BREAKS: Final = frozenset("\r\n\0")


class Event(NamedTuple):
    """One event of a stream.

    Attributes:
        data: Its lines, joined by LF.
        event: What it is called.
        id: The last id that the stream gave, in or before this event.
        retry: After how many milliseconds to connect again, where this event says so.
    """

    data: bytes
    event: str = "message"
    id: str | None = None
    retry: int | None = None


class EventReader:
    r"""Takes a stream in chunks of any size, and gives its events.

    Example:
        >>> reader = EventReader(max_bytes=1000)
        >>> reader.feed(b"data: Hel"), reader.feed(b"lo\r\n\r\n")
        ((), (Event(data=b'Hello', event='message', id=None, retry=None),))
    """

    __slots__ = ("_after_cr", "_data", "_event", "_id", "_is_endless", "_is_first", "_left", "_line", "_max", "_retry")

    def __init__(self, *, max_bytes: int, is_endless: bool = False) -> None:
        """Begins at the start of a stream.

        Args:
            max_bytes: How long the stream may be, comments and all.
            is_endless: Whether the stream may go on for ever; then `max_bytes` bounds each event, with the comments
                before it.
        """
        self._left = self._max = max_bytes
        self._is_endless = is_endless
        self._line = bytearray()  # what has come of the line that has not ended
        self._after_cr = False
        self._is_first = True
        self._data: list[bytes] = []
        self._event = ""
        self._id: str | None = None
        self._retry: int | None = None

    def feed(self, chunk: bytes) -> tuple[Event, ...]:
        """The events that end in this chunk.

        Raises:
            WireError: `too-large`: the stream, or an event of an endless one, is longer than it may be.
            UsageError: `chunk` is no bytes.
        """
        if not isinstance(chunk, bytes):
            raise UsageError("a chunk of a stream must be bytes")
        pieces = (chunk[start : start + _SLICE] for start in range(0, len(chunk), _SLICE))
        return tuple(event for piece in pieces for event in self._read(piece))

    def close(self) -> Event | None:
        """The event that the stream broke off in after all of its lines but the blank one, if it did.

        The standard drops it. Some servers leave the last blank line out; whether the data is whole, its reader sees.
        """
        last, self._line = bytes(self._line), bytearray()
        if last:
            self._take(last)
        return self._end()

    def _read(self, chunk: bytes) -> Iterator[Event]:
        """The events that end in a piece of a chunk."""
        self._left -= len(chunk)
        if self._left < 0:
            raise wire_error("too-large", "", "the stream is longer than it may be")
        if self._after_cr and chunk[:1] == b"\n":
            chunk = chunk[1:]
        self._after_cr = chunk[-1:] == b"\r"
        *ended, rest = chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        for line in ended:
            if self._line:
                line, self._line = bytes(self._line + line), bytearray()
            event = self._take(line)
            if event is not None:
                yield event
        self._line += rest

    def _take(self, line: bytes) -> Event | None:
        """Takes a whole line; the event that it ends, if it does."""
        if self._is_first:
            self._is_first = False
            line = line.removeprefix(_BOM)
        if not line:
            return self._end()
        name, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if name == b"data":
            self._data.append(value)
        elif name == b"event":
            self._event = value.decode("utf-8", "replace")
        elif name == b"id":
            if b"\0" not in value:
                self._id = value.decode("utf-8", "replace")
        elif name == b"retry" and value.isdigit() and len(value) <= _MAX_DIGITS:
            self._retry = int(value)
        return None

    def _end(self) -> Event | None:
        """The event that a blank line ends; none without data."""
        if self._is_endless:
            self._left = self._max
        data, event, retry = self._data, self._event, self._retry
        self._data, self._event, self._retry = [], "", None
        return Event(b"\n".join(data), event or "message", self._id, retry) if data else None


def write_event(data: str, *, event: str | None = None, id: str | None = None) -> bytes:
    r"""One event as it stands in a stream.

    Args:
        data: What it says. Line ends become LF on the other side.
        event: What it is called; None: `message`.
        id: Its id, from which a client may go on later.

    Raises:
        UsageError: `event` or `id` is more than one line.

    Example:
        >>> write_event('{"a": 1}')
        b'data: {"a": 1}\n\n'
    """
    head = ""
    for name, value in (("event", event), ("id", id)):
        if value is not None:
            if not _BREAKS.isdisjoint(value):
                raise UsageError(f"the {name} of an event must be one line")
            head += f"{name}: {value}\n"
    if "\r" in data:
        data = data.replace("\r\n", "\n").replace("\r", "\n")
    if "\n" in data:
        data = data.replace("\n", "\ndata: ")
    return f"{head}data: {data}\n\n".encode()
