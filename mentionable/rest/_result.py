"""The answer to a call: JSON, text of any kind, a stream or a policy becomes one response.

Spec: REST transport (responses); Normalized Message §4; PolicyPart §Wire Mappings (REST).
"""

from __future__ import annotations

from typing import Any, cast

from .._errors.exceptions import Problem, WireError, wire_error
from .._flow.outcome import Answered, Rejected
from .._flow.settings import DEFAULTS, Settings
from .._model.base import replace
from .._model.diagnostic import Diagnostic, prefixed
from .._model.message import NormalizedMessage, NormalizedResponse
from .._model.parts import TEXT_MIMES, TextMime, TextPart
from .._text.media import media_type
from .._text.plain_text import clean
from .._transport.answer_stream import answered
from .._transport.call import read_result
from .._transport.forwarded import demands_in
from .._transport.json_body import load_body
from .._transport.peer_error import error_of_response
from .._transport.policy_part import ParsedPolicy
from .._wire import sse as _sse
from .._wire.address import agent_address
from .._wire.http import HttpResponse
from ._client.result_stream import ResultStream
from ._client.task_result import (
    SECOND_POLICY,
    is_answer,
    read_answer,
    utf8_text,
    with_own_extra,
    with_policy,
)
from ._policy import ENVELOPE, STATUSES, read_policy
from ._read.accept import JSON


def result(response: HttpResponse, *, to: NormalizedMessage, settings: Settings = DEFAULTS) -> Answered | Rejected:
    """The answer that an agent gave to `call`, in whatever form it answers.

    JSON is the whole response; Markdown, HTML and plain text are one text part each. `status` is `error` when the agent
    could not answer. A policy by HTTP status (401, 402, 403, 429, 451, 503) is the last part. A policy that cannot be
    read, is not the last part or is one of two makes the answer an error, and its other parts stay. `extra["rest"]` has
    the `session`, where the agent names one: give it to `call` to go on. Bytes stay inline whatever their size;
    `a2a_bytes` bounds them all. The answer is authenticated by the connection that you made, and by nothing else.

    The diagnostics tell what of the answer was left out. In a stream `at` is `/events/<n>` and the pointer into the
    JSON of that event.

    Args:
        response: The HTTP response, with status and headers. It may hold a whole stream.
        to: The question. URLs of a policy count when they are on the host of its recipient.
        settings: Has the limits.

    Returns:
        The answer; or `Rejected`: with a code `peer-…` for an error of the peer, of which `peer-busy` is temporary, and
        its words in the problem; with any other code when the answer cannot be read.

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
        >>> result(answer, to=question).response.parts
        (TextPart(content='Hello!', mime='text/markdown'),)
    """
    return read_result(response, to=to, settings=settings, read=lambda one: _read(one, to, settings))


def _read(response: HttpResponse, to: NormalizedMessage, settings: Settings) -> Answered | Rejected:
    # The content type says how the body is to be read, the status what it means:
    #   1. check the size, and parse JSON          4. read a whole stream
    #   2. read JSON with parts as an answer       5. read text of any kind as one part
    #   3. read any other failure as a policy, or as an error of the peer
    limits, is_success = settings.limits, 200 <= response.status < 300
    if len(response.body) > limits.a2a_bytes:
        raise wire_error("too-large", "", f"{len(response.body)} bytes, at most {limits.a2a_bytes}")
    content_type = media_type(response.header("content-type") or "")
    if not is_success and not response.header("content-type"):
        content_type = JSON  # as policies are read by HTTP alone
    is_json = content_type is not None and (content_type == JSON or content_type.endswith("+json"))
    document: Any = None
    if is_json:
        try:
            document = load_body(response.body, limits)
        except WireError:
            if is_success:
                raise
        if is_success or is_answer(document):
            answer, diagnostics = read_answer(document, to, limits)
            if not is_success:  # whatever the body says
                answer = replace(answer, status="error")
            return answered(with_own_extra(answer, document.get("session")), document, diagnostics)
    if not is_success:
        return _read_failure(response, document, to, settings)
    if content_type == _sse.MEDIA_TYPE:
        stream = ResultStream(to=to, settings=settings)
        stream.feed(response.body)
        return stream.close()
    if content_type in TEXT_MIMES:
        text = utf8_text(response.body)
        part = TextPart(content=clean(text), mime=cast("TextMime", content_type))
        return answered(NormalizedResponse(reply_to=to.id, parts=(part,)), text)
    if response.body:
        raise wire_error("media-type-unsupported", "/content-type", "expected JSON, text or a stream")
    return answered(NormalizedResponse(reply_to=to.id, parts=()), None)


def _read_failure(
    response: HttpResponse, document: Any, to: NormalizedMessage, settings: Settings
) -> Answered | Rejected:
    """A failure that is no answer: a policy, with the rest of the answer in its body, or an error of the peer."""
    if response.status not in STATUSES:
        raise error_of_response(response, settings.limits)
    rest: Any = None
    stated = document
    if document.__class__ is dict:
        rest, stated = document.get(ENVELOPE), {name: one for name, one in document.items() if name != ENVELOPE}
    parsed = read_policy(response, stated, authority=agent_address(to.recipient).domain)
    answer, odd = NormalizedResponse(reply_to=to.id, parts=()), list[Diagnostic]()
    if is_answer(rest):
        answer, odd = read_answer(rest, to, settings.limits)
        if demands_in(rest["parts"]):
            parsed = _malformed(Problem(f"/{ENVELOPE}/parts", SECOND_POLICY))
        elif isinstance(parsed, Rejected):
            parsed = _malformed(*parsed.problems)
    if isinstance(parsed, Rejected):
        return parsed
    answer = with_policy(answer, parsed.policy)
    session = rest.get("session") if rest.__class__ is dict else None
    diagnostics = [*parsed.diagnostics, *prefixed(odd, f"/{ENVELOPE}")]
    return answered(with_own_extra(answer, session), document, diagnostics)


def _malformed(*problems: Problem) -> ParsedPolicy:
    """A policy that does not count, and why."""
    diagnostics = [Diagnostic(code="policy-malformed", at=problem.at, detail=problem.rule) for problem in problems]
    return ParsedPolicy(policy=None, diagnostics=tuple(diagnostics))
