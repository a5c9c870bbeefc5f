"""The answer to a call that arrives as a stream.

Spec: A2A 0.3 §7.2, §7.9; A2A 1.0 §3.5, §9.4.2; Normalized Message §4 (Streaming).
"""

from __future__ import annotations

from ..._flow.settings import DEFAULTS, Settings
from ..._model.message import NormalizedMessage
from ..._transport.answer_stream import AnswerStream
from ..._transport.call import check_asked
from ..._wire.http import HttpRequest
from .asked import read_asked
from .result_reader import ResultReader


class ResultStream(AnswerStream):
    """Reads the stream with which an agent answers a call.

    `feed` takes chunks as they arrive and gives frames, all of them `partial`, with what is new. `close` gives the
    answer as `result` would. Only that answer counts: agents may replace what they sent before, and the messages about
    their progress (`working on it …`) are in no frame.

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
        >>> stream.close().response.parts
        (TextPart(content='Hello!'),)
    """

    __slots__ = ()

    def __init__(
        self, *, to: NormalizedMessage, request: HttpRequest | None = None, settings: Settings = DEFAULTS
    ) -> None:
        """Begins at the start of a stream.

        Args:
            to: The question.
            request: The request that `call` made: then the answer is compared with it, as by `result`.
            settings: Has the limits: of the stream as a whole, of each event, and of the number of parts.

        Raises:
            UsageError: An argument is of the wrong kind.
        """
        check_asked(to, settings)
        super().__init__(settings, ResultReader(to, settings.limits, read_asked(request)))
