"""The answer to a call that arrives as a stream.

Spec: REST transport (responses, SSE); decisions A5; Normalized Message §4 (Streaming).
"""

from __future__ import annotations

from ..._flow.settings import DEFAULTS, Settings
from ..._model.message import NormalizedMessage
from ..._transport.answer_stream import AnswerStream
from ..._transport.call import check_asked
from .result_reader import ResultReader


class ResultStream(AnswerStream):
    """Reads the stream with which an agent answers a call.

    `feed` takes chunks as they arrive and gives frames, all of them `partial`, with what is new. `close` gives the
    answer as `result` would. A stream of this library that broke off stays `partial`; for others there is no way to
    tell.

    Example:
        >>> from mentionable import NoRelay, NormalizedMessage, RecipientCapabilities, Sender
        >>> question = NormalizedMessage(
        ...     id="m1", thread_id="t1", sender=Sender(address="@alice@a.example"), recipient="@helper@agents.example",
        ...     parts=(), recipient_capabilities=RecipientCapabilities(mention_relay=NoRelay()), received_via="email",
        ...     received_at="2026-11-21T00:00:00Z", raw=None,
        ... )
        >>> stream = ResultStream(to=question)
        >>> [frame.parts[0].content for frame in stream.feed(b"data: Hel" + bytes([10, 10]) + b"data: lo")]
        ['Hel']
        >>> stream.close().response.parts
        (TextPart(content='Hello', mime='text/markdown'),)
    """

    __slots__ = ()

    def __init__(self, *, to: NormalizedMessage, settings: Settings = DEFAULTS) -> None:
        """Begins at the start of a stream.

        Args:
            to: The question.
            settings: Has the limits: of the stream as a whole, of each event, and of the number of parts.

        Raises:
            UsageError: An argument is of the wrong kind.
        """
        check_asked(to, settings)
        super().__init__(settings, ResultReader(to, settings.limits))
