"""The answer to a call: a message, a task, a stream or an error becomes one response.

Spec: Normalized Message §4, §5.2; A2A 0.3 §7, A2A 1.0 §9.
"""

from __future__ import annotations

from .._flow.outcome import Answered, Rejected
from .._flow.settings import DEFAULTS, Settings
from .._model.message import NormalizedMessage
from .._text.media import media_type
from .._transport.answer_stream import AnswerStream
from .._transport.call import read_result
from .._transport.peer_error import error_of_response
from .._wire import sse as _sse
from .._wire.http import HttpRequest, HttpResponse
from ._client.asked import Asked, read_asked
from ._client.result_reader import ResultReader


def result(
    response: HttpResponse, *, to: NormalizedMessage, request: HttpRequest | None = None, settings: Settings = DEFAULTS
) -> Answered | Rejected:
    """The answer that an agent gave to `call`, in whatever dialect it speaks.

    The parts of its response are those of the message, or of the task's status and then of its artifacts. `status` is
    `error` when the task failed, was declined or was canceled, and `partial` when the agent is still at work.
    `extra["a2a"]` of the response has the `task_id`, the `context_id` and the `state` of the task: give both ids to
    `call` to go on. What the agent does not name is that of the `request`; a message alone is in no task.

    What cannot be read costs itself: a diagnostic names it, and `raw` has it. `raw` also has what the response has no
    place for. Tool calls that the agent reported while it was at work, in status messages or in the history, come
    first. Words of its progress are not part of the answer, unless there are no others.

    Text of the status message that only repeats an artifact is left out. Bytes stay inline whatever their size; the
    limit for A2A bodies bounds them all. The answer is authenticated by the connection that you made, and by nothing
    else.

    Args:
        response: The HTTP response, with status and headers. It may hold a whole stream.
        to: The question.
        request: The request that `call` made. With it the answer is compared: one with the id of another call is
            rejected, and another task or context than was asked is reported.
        settings: Has the limits.

    Returns:
        The answer; or `Rejected`: with a code `peer-…` for an error of the peer, of which `peer-busy` is temporary, and
        its words in the problem; with any other code when the answer cannot be read.

    Raises:
        UsageError: An argument is of the wrong kind. Nothing in the response makes it raise.

    Spec: Normalized Message §4, §5.2.

    Example:
        >>> from mentionable import HttpResponse, NoRelay, NormalizedMessage, RecipientCapabilities, Sender
        >>> question = NormalizedMessage(
        ...     id="m1", thread_id="t1", sender=Sender(address="@alice@a.example"), recipient="@helper@agents.example",
        ...     parts=(), recipient_capabilities=RecipientCapabilities(mention_relay=NoRelay()), received_via="email",
        ...     received_at="2026-11-21T00:00:00Z", raw=None,
        ... )
        >>> body = b'{"message": {"messageId": "a1", "role": "ROLE_AGENT", "parts": [{"text": "Hello!"}]}}'
        >>> result(HttpResponse(status=200, body=body), to=question).response.parts
        (TextPart(content='Hello!'),)
    """
    asked = read_asked(request)
    return read_result(response, to=to, settings=settings, read=lambda one: _read(one, to, asked, settings))


def _read(response: HttpResponse, to: NormalizedMessage, asked: Asked, settings: Settings) -> Answered | Rejected:
    # 1. the status: a failure is an error of the peer   2. read a whole stream   3. read one message or task
    if not 200 <= response.status < 300:
        raise error_of_response(response, settings.limits)
    if media_type(response.header("content-type") or "") == _sse.MEDIA_TYPE:
        stream = AnswerStream(settings, ResultReader(to, settings.limits, asked))
        stream.feed(response.body)
        return stream.close()
    return ResultReader(to, settings.limits, asked).whole(response.body)
