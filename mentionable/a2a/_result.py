"""The answer to a call: a message, a task, a stream or an error becomes one response.

Spec: Normalized Message §4, §5.2; A2A 0.3 §7, A2A 1.0 §9.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import _sse
from .._errors import UsageError, WireError, wire_error
from .._http import HttpResponse, is_busy
from .._json import loads
from .._outcome import rejected
from .._settings import DEFAULTS
from ._envelope import open_unit
from ._message import read_head, read_into
from ._reading import Reading, moved
from ._result_stream import ResultStream
from ._said import Said, check_asked, refuse_errors, response_of
from ._task import read_artifacts, read_task

if TYPE_CHECKING:
    from .._errors import Code
    from .._model.message import NormalizedMessage, NormalizedResponse
    from .._model.parts import Part
    from .._outcome import Rejected
    from ._envelope import Unit
    from ._message import Head


def result(response: HttpResponse, *, to: NormalizedMessage) -> NormalizedResponse | Rejected:
    """The response that an agent gave to `call`, in whatever dialect it speaks.

    Its parts are those of the message, or of the task's status and then of its artifacts. `status` is `error` when the
    task failed, was declined or was canceled, and `partial` when the agent is still at work. While a task is not over,
    `extra["a2a"]` has its `state`, `task_id` and `context_id`: give the id to `call` to go on.

    Bytes stay inside the parts whatever their size; the limit for A2A bodies, 16 MiB, bounds them all. Nothing shows
    who wrote the answer but the connection that you made.

    Args:
        response: What came back, status and headers included. A whole stream is taken too.
        to: The message that was asked.

    Returns:
        The response; or `Rejected`: `peer-error` for an error of the peer, `peer-busy` when it may answer later, any
        other code when what it says cannot be read.

    Raises:
        UsageError: An argument is of the wrong kind. Nothing in the response makes it raise.

    Spec: Normalized Message §4, §5.2.

    Example:
        >>> from mentionable import HttpResponse, NoRelay, NormalizedMessage, RecipientCapabilities, Sender
        >>> question = NormalizedMessage(
        ...     id="m1", thread_id="t1", sender=Sender(address="@alice@a.example"), recipient="@helper@agents.example",
        ...     parts=(), recipient_capabilities=RecipientCapabilities(mention_relay=NoRelay()), received_via="email",
        ...     received_at="2026-11-21T00:00:00.000Z", raw=None,
        ... )
        >>> body = b'{"message": {"messageId": "a1", "role": "ROLE_AGENT", "parts": [{"text": "Hello!"}]}}'
        >>> result(HttpResponse(status=200, body=body), to=question).parts
        (TextPart(content='Hello!'),)
    """
    if not isinstance(response, HttpResponse):
        raise UsageError("response must be an HttpResponse")
    check_asked(to)
    try:
        return _read(response, to)
    except WireError as error:
        return rejected(error)


def _read(response: HttpResponse, to: NormalizedMessage) -> NormalizedResponse | Rejected:
    if not 200 <= response.status < 300:
        code: Code = "peer-busy" if is_busy(response.status) else "peer-error"
        raise wire_error(code, "", f"the peer answered with HTTP status {response.status}")
    if (response.header("content-type") or "").lower().startswith(_sse.MEDIA_TYPE):
        stream = ResultStream(to=to)
        stream.feed(response.body)
        return stream.close()
    limits = DEFAULTS.limits
    document = loads(response.body, max_bytes=limits.a2a_bytes, max_depth=limits.json_depth, safe_integers=False)
    if document.__class__ is dict:
        refuse_errors(document)
        if "method" in document:
            raise wire_error("not-a-message", "", "is a request, not an answer")
    unit = open_unit(document, request=None)
    if unit.message is not None and unit.task is not None:
        raise wire_error("two-contents", "", "has both a message and a task")
    reading = Reading(limits, unit.dialect, is_certain=unit.is_certain, has_blobs=False)
    try:
        said = _said_in_message(unit, reading) if unit.task is None else _said_in_task(unit, reading)
    except WireError as error:
        raise moved(error, unit.task_at if unit.message is None else unit.message_at) from None
    return response_of(said, to)


def _said_in_message(unit: Unit, reading: Reading) -> Said:
    head = read_head(unit.message, reading)
    return Said(None, head, _parts_of(head, reading), [], head.task_id, head.context_id)


def _said_in_task(unit: Unit, reading: Reading) -> Said:
    task = read_task(unit.task, reading)
    parts: list[Part] = []
    places: dict[str, int] = {}
    if task.message is not None:
        try:
            read_into(task.message, reading, parts, places)
        except WireError as error:
            raise moved(error, "/status/message") from None
    first = len(parts)
    read_artifacts(task.artifacts, reading, parts, places)
    return Said(task.state, task.message, parts[:first], parts[first:], task.id, task.context_id)


def _parts_of(head: Head, reading: Reading) -> list[Part]:
    parts: list[Part] = []
    read_into(head, reading, parts, {})
    return parts
