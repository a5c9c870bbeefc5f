"""The answer to a call: JSON, text of any kind, a stream or a demand becomes one response.

Spec: REST transport (responses); Normalized Message §4; PolicyPart §Wire Mappings (REST).
"""

from __future__ import annotations

from typing import Any, Final, cast

from .._errors.exceptions import Code, UsageError, WireError, wire_error
from .._flow.outcome import Rejected, rejected
from .._flow.settings import DEFAULTS, Settings
from .._model.base import replace
from .._model.message import NormalizedMessage, NormalizedResponse
from .._model.parts import TEXT_MIMES, CarriedPolicy, TextMime, TextPart
from .._text.media import media_type
from .._text.plain_text import clean
from .._transport.call import LeftOut, check_asked
from .._wire import sse as _sse
from .._wire.address import agent_address
from .._wire.http import HttpResponse, is_busy
from .._wire.strict_json import loads
from ._client.result_stream import ResultStream
from ._client.task_result import is_answer, read_answer, text_in, with_own_extra
from ._policy import ENVELOPE, STATUSES, read_demand

_JSON: Final = "application/json"


def result(
    response: HttpResponse, *, to: NormalizedMessage, settings: Settings = DEFAULTS
) -> NormalizedResponse | Rejected:
    """The response that an agent gave to `call`, in whatever form it answers.

    JSON is the whole response; Markdown, HTML and plain text are one text part each. `status` is `error` when the agent
    could not answer. A demand by HTTP status (401, 402, 403, 429, 451, 503) is the last part. `extra["rest"]` has the
    `session`, where the agent names one: give it to `call` to go on. It has `dropped` where something of the answer was
    left out: what, as the `code`, `at` and `detail` of diagnostics. In a stream `at` is `/events/<n>` and the place in
    the JSON of that event. Bytes stay inside the parts whatever their size; `a2a_bytes` bounds them all. Nothing shows
    who wrote the answer but the connection that you made.

    Args:
        response: What came back, status and headers included. A whole stream is taken too.
        to: The message that was asked. URLs of a demand count when they lead to the host of its recipient.
        settings: Has the limits.

    Returns:
        The response; or `Rejected`: `peer-error` for an error of the peer, `peer-busy` when it may answer later, any
        other code when what it says cannot be read.

    Raises:
        UsageError: An argument is of the wrong kind. Nothing in the response makes it raise.

    Spec: REST transport (responses); Normalized Message §4; PolicyPart §Wire Mappings (REST).

    Example:
        >>> from mentionable import HttpResponse, NoRelay, NormalizedMessage, RecipientCapabilities, Sender
        >>> question = NormalizedMessage(
        ...     id="m1", thread_id="t1", sender=Sender(address="@alice@a.example"), recipient="@helper@agents.example",
        ...     parts=(), recipient_capabilities=RecipientCapabilities(mention_relay=NoRelay()), received_via="email",
        ...     received_at="2026-11-21T00:00:00Z", raw=None,
        ... )
        >>> answer = HttpResponse(status=200, headers={"Content-Type": "text/markdown"}, body=b"Hello!")
        >>> result(answer, to=question).parts
        (TextPart(content='Hello!', mime='text/markdown'),)
    """
    if not isinstance(response, HttpResponse):
        raise UsageError("response must be an HttpResponse")
    check_asked(to, settings)
    try:
        return _read(response, to, settings)
    except WireError as error:
        return rejected(error)


def _read(response: HttpResponse, to: NormalizedMessage, settings: Settings) -> NormalizedResponse | Rejected:
    limits = settings.limits
    if len(response.body) > limits.a2a_bytes:
        raise wire_error("too-large", "", f"{len(response.body)} bytes, at most {limits.a2a_bytes}")
    kind = media_type(response.header("content-type") or "")
    is_success = 200 <= response.status < 300
    if kind is not None and (kind == _JSON or kind.endswith("+json")):
        try:
            document = loads(
                response.body, max_bytes=limits.a2a_bytes, max_depth=limits.json_depth, safe_integers=False
            )
        except WireError:
            if is_success:
                raise
            document = None
        if is_success or is_answer(document):
            left_out = LeftOut()
            said = with_own_extra(read_answer(document, to, limits, left_out), document, left_out)
            return said if is_success else replace(said, status="error")  # whatever it says itself
        return _refusal(response, document, to, settings)
    if not is_success:
        return _refusal(response, None, to, settings)
    if kind == _sse.MEDIA_TYPE:
        stream = ResultStream(to=to, settings=settings)
        stream.feed(response.body)
        return stream.close()
    if kind in TEXT_MIMES:
        text = TextPart(content=clean(text_in(response.body)), mime=cast("TextMime", kind))
        return NormalizedResponse(reply_to=to.id, parts=(text,))
    if response.body:
        raise wire_error("media-type-unsupported", "/content-type", "expected JSON, text or a stream")
    return NormalizedResponse(reply_to=to.id, parts=())


def _refusal(
    response: HttpResponse, document: Any, to: NormalizedMessage, settings: Settings
) -> NormalizedResponse | Rejected:
    """What a response is that is no success and no answer: a demand, or an error of the peer."""
    if response.status not in STATUSES:
        code: Code = "peer-busy" if is_busy(response.status) else "peer-error"
        raise wire_error(code, "", f"the peer answered with HTTP status {response.status}")
    beside: Any = None
    if document.__class__ is dict:
        beside = document.pop(ENVELOPE, None)
    value = read_demand(response, document, authority=agent_address(to.recipient).domain)
    if isinstance(value, Rejected):
        return value
    said, left_out = NormalizedResponse(reply_to=to.id, parts=()), LeftOut()
    left_out.add(value.diagnostics)
    if is_answer(beside):
        said = read_answer(beside, to, settings.limits, left_out, at=f"/{ENVELOPE}")
    if value.policy is None or any(isinstance(part, CarriedPolicy) for part in said.parts):
        raise wire_error("malformed", "", "the demand cannot be read")
    said = replace(said, parts=(*said.parts, CarriedPolicy(policy=value.policy)))
    return with_own_extra(said, beside, left_out)
