"""The answer to a call that comes as a stream, read as it arrives.

Spec: A2A 0.3 §7.2, §7.9; A2A 1.0 §3.5, §9.4.2; Normalized Message §4 (Streaming).
"""

from __future__ import annotations

from ..._flow.settings import DEFAULTS, Settings
from ..._model.message import NormalizedMessage, NormalizedResponse
from ..._transport.call import AnswerStream
from ..._wire.sse import Event
from ..._wire.strict_json import loads
from .result_reader import ResultReader


class ResultStream(AnswerStream):
    """Reads the stream that an agent answers a call with.

    `feed` takes chunks as they come and gives frames, all of them `partial`, to show what is new. `close` gives the
    answer as `result` would. What counts is what `close` says: agents may take back what they said before, and what
    they say of their work (`working on it …`) is in no frame.

    Example:
        >>> from mentionable import NoRelay, NormalizedMessage, RecipientCapabilities, Sender
        >>> question = NormalizedMessage(
        ...     id="m1", thread_id="t1", sender=Sender(address="@alice@a.example"), recipient="@helper@agents.example",
        ...     parts=(), recipient_capabilities=RecipientCapabilities(mention_relay=NoRelay()), received_via="email",
        ...     received_at="2026-11-21T00:00:00Z", raw=None,
        ... )
        >>> stream = ResultStream(to=question)
        >>> stream.feed(b'data: {"message": {"messageId": "a1", "role": "ROLE_AGENT", "par')
        ()
        >>> stream.feed(b'ts": [{"text": "Hello!"}]}}' + bytes([10, 10])), stream.is_complete
        ((), True)
        >>> stream.close().parts
        (TextPart(content='Hello!'),)
    """

    __slots__ = ("_reader",)

    def __init__(self, *, to: NormalizedMessage, settings: Settings = DEFAULTS) -> None:
        """Begins at the start of a stream.

        Args:
            to: The message that was asked.
            settings: Has the limits: of the stream as a whole, of each event, and of the number of parts.

        Raises:
            UsageError: An argument is of the wrong kind.
        """
        super().__init__(to, settings)
        self._reader = ResultReader(to, settings.limits)

    def _is_over(self) -> bool:
        return self._reader.is_complete

    def _said_anything(self) -> bool:
        return self._reader.is_anything

    def _response(self) -> NormalizedResponse:
        return self._reader.response()

    def _take(self, event: Event) -> list[NormalizedResponse]:
        if self._reader.is_complete or not event.data.strip():
            return []
        limits = self._limits
        document = loads(event.data, max_bytes=limits.a2a_bytes, max_depth=limits.json_depth, safe_integers=False)
        return self._reader.take(document, at=self._at)
