"""The answer to a call that comes as a stream, read as it arrives.

Spec: A2A 0.3 §7.2, §7.9; A2A 1.0 §3.5, §9.4.2; Normalized Message §4 (Streaming).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._errors import UsageError, WireError, wire_error
from .._json import loads
from .._model.message import NormalizedMessage
from .._outcome import rejected
from .._settings import DEFAULTS, check_settings
from .._sse import EventReader

if TYPE_CHECKING:
    from .._model.message import NormalizedResponse
    from .._outcome import Rejected
    from .._settings import Settings


def check_asked(to: object, settings: object) -> None:
    """Raises `UsageError` unless these are a message, of which an answer can be read, and settings."""
    if not isinstance(to, NormalizedMessage):
        raise UsageError("to must be the NormalizedMessage that was asked")
    check_settings(settings)


class ResultStream:
    """Reads the stream that an agent answers a call with.

    `feed` takes chunks as they come and gives frames, all of them `partial`, to show what is new. `close` gives the
    answer as `result` would. What counts is what `close` says: agents may take back what they said before, and what
    they say of their work (`working on it …`) is in no frame.

    Example:
        >>> from mentionable import NoRelay, NormalizedMessage, RecipientCapabilities, Sender
        >>> question = NormalizedMessage(
        ...     id="m1", thread_id="t1", sender=Sender(address="@alice@a.example"), recipient="@helper@agents.example",
        ...     parts=(), recipient_capabilities=RecipientCapabilities(mention_relay=NoRelay()), received_via="email",
        ...     received_at="2026-11-21T00:00:00.000Z", raw=None,
        ... )
        >>> stream = ResultStream(to=question)
        >>> stream.feed(b'data: {"message": {"messageId": "a1", "role": "ROLE_AGENT", "par')
        ()
        >>> stream.feed(b'ts": [{"text": "Hello!"}]}}' + bytes([10, 10])), stream.is_complete
        ((), True)
        >>> stream.close().parts
        (TextPart(content='Hello!'),)
    """

    __slots__ = ("_answer", "_events", "_fault", "_limits", "_told")

    def __init__(self, *, to: NormalizedMessage, settings: Settings = DEFAULTS) -> None:
        """Begins at the start of a stream.

        Args:
            to: The message that was asked.
            settings: Has the limits: of the stream as a whole, of each event, and of the number of parts.

        Raises:
            UsageError: An argument is of the wrong kind.
        """
        check_asked(to, settings)
        from ._told import Told  # and with it all that reads answers; many programs only give them

        self._limits = settings.limits
        self._events = EventReader(max_bytes=settings.limits.a2a_bytes)
        self._told = Told(to, settings.limits)
        self._fault: Rejected | None = None
        self._answer: NormalizedResponse | Rejected | None = None

    @property
    def is_complete(self) -> bool:
        """Whether the agent said its last word, or what cannot be read: nothing that comes changes the answer."""
        return self._told.is_complete or self._fault is not None

    def feed(self, chunk: bytes) -> tuple[NormalizedResponse, ...]:
        """The frames that end in this chunk. Nothing that a peer sends makes it raise.

        Args:
            chunk: Bytes as they came, in pieces of any size.

        Raises:
            UsageError: `chunk` is no bytes, or the stream is closed.
        """
        if self._answer is not None:
            raise UsageError("the stream is closed")
        if not isinstance(chunk, bytes):
            raise UsageError("a chunk of a stream must be bytes")
        frames: list[NormalizedResponse] = []
        if not self.is_complete:
            try:
                for event in self._events.feed(chunk):
                    frames += self._take(event.data)
            except WireError as error:
                self._fault = rejected(error)
        return tuple(frames)

    def close(self) -> NormalizedResponse | Rejected:
        """The whole answer, as `result` gives it; the same each time.

        A stream that broke off gives what came as `partial`, or `Rejected` when nothing did.
        """
        if self._answer is None:
            self._answer = self._fault or self._closed()
        return self._answer

    def _closed(self) -> NormalizedResponse | Rejected:
        try:
            last = self._events.close()
            if last is not None:
                self._take(last.data)
            if not self._told.is_anything:
                raise wire_error("not-a-message", "", "the stream ended before anything was said")
            return self._told.response()
        except WireError as error:
            return rejected(error)

    def _take(self, data: bytes) -> list[NormalizedResponse]:
        """Takes one event; the frames that it gives. What comes after the last word counts for nothing."""
        if self._told.is_complete or not data.strip():
            return []
        limits = self._limits
        document = loads(data, max_bytes=limits.a2a_bytes, max_depth=limits.json_depth, safe_integers=False)
        return self._told.take(document)
