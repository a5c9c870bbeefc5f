"""A response becomes the HTTP response that answers a REST question, in the form that its client accepts.

Spec: REST transport (responses); Normalized Message §4; PolicyPart §Wire Mappings (REST).
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from .._errors.exceptions import UsageError
from .._flow.settings import DEFAULTS, Settings
from .._model.base import EMPTY_DICT, frozen, replace
from .._model.diagnostic import Diagnostic
from .._model.message import NormalizedMessage, NormalizedResponse
from .._transport.policy_part import policy_at_end
from .._transport.reply import NO_BLOBS, check_frame, check_reply, check_size
from .._wire.http import HttpResponse
from .._wire.ids import derive, uuid7
from .._wire.strict_json import dump_line
from ..policy import check_settlement
from ._policy import settlement_headers, write_policy_response
from ._read.accept import accept_of, choose, takes_stream
from ._write.answer import answer_members, carried_parts, status_of, write_body, write_response
from ._write.events import write_events


@frozen
class Outgoing:
    """An answer as HTTP.

    Attributes:
        response: The HTTP response; of a frame the next piece of one: the status and headers of the first frame count.
        native_id: The id of the answer. Store the answer under it.
        diagnostics: What of the response could not be carried as it is: `part-changed`.
    """

    response: HttpResponse
    native_id: str
    diagnostics: tuple[Diagnostic, ...] = ()


def reply(
    response: NormalizedResponse,
    *,
    to: NormalizedMessage,
    accept: str | None = None,
    now: datetime,
    entropy: bytes,
    settlement: Mapping[str, Any] = EMPTY_DICT,
    blobs: Mapping[str, bytes] = NO_BLOBS,
    settings: Settings = DEFAULTS,
) -> Outgoing:
    """Write the answer to a REST question: JSON, Markdown, HTML, plain text or a stream, as its client prefers.

    JSON carries all of the response. The other forms are for people: Markdown and HTML display everything, HTML is
    sanitized. A policy at the end decides the status, and its body is JSON in any case. A response that failed is 500,
    or 503 when asking again may help.

    A frame of a stream (`streaming`) gives its events alone; `wants_stream` tells whether the client accepts them. Text
    goes out as Markdown, tool calls as events of their own, other parts as events with their JSON.

    Args:
        response: What the agent answers: whole, or a frame.
        to: The message that it answers, as `receive` gave it or your store gave it back.
        accept: What the client accepts, when that is not the `Accept` of the question.
        now: The time, aware.
        entropy: At least 32 random bytes, fresh for each answer and frame; the same give the same ids.
        settlement: The settlement of a payment, for clients of x402: the result of `policy.x402_settlement`. It goes
            out in header fields; of a stream, give it with the first frame.
        blobs: SHA-256 in hex → bytes, for files that are named by their digest alone.
        settings: Has the limits.

    Raises:
        UsageError: Your program's fault: the response is to another message, came from another transport, breaks the
            contract, names bytes that `blobs` does not have, is larger than a body may be, or is a frame though the
            client takes no stream.

    Spec: REST transport (responses); Normalized Message §4; PolicyPart §Wire Mappings (REST).

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import Answers, NormalizedResponse, drive
        >>> from mentionable.rest import Field, receive
        >>> now = datetime(2026, 11, 21, tzinfo=UTC)
        >>> flow = receive([Field("user", "Hi")], recipient="@helper@agents.example", now=now, entropy=bytes(32))
        >>> got = drive(flow, Answers())
        >>> answer = NormalizedResponse.to(got.message, "Hello!")
        >>> out = reply(answer, to=got.message, accept="text/markdown", now=now, entropy=bytes(32))
        >>> out.response.header("content-type"), out.response.body
        ('text/markdown; charset=utf-8', b'Hello!')
    """
    # 1. check the arguments, and that the client takes a frame
    check_reply(response, to=to, channel="rest", now=now, entropy=entropy, settings=settings)
    if accept is not None and not isinstance(accept, str):
        raise UsageError("accept is the text of a header field, or None")
    receipts = check_settlement(settlement) if settlement else None
    accepted = accept_of(to, accept)
    check_frame(response, takes_stream=takes_stream(accepted))

    # 2. take the policy from the end, and put the other parts into the form in which they are carried
    policy, odd = policy_at_end(response)
    diagnostics = [*odd]
    content = replace(response, parts=carried_parts(response, blobs))

    # 3. make the JSON of the answer, from which its id derives
    members, odd = answer_members(content, to)
    diagnostics += odd
    native_id = uuid7(now, derive("rest.reply", entropy, to.id, to.recipient, dump_line(members)), "rest.answer")
    members["id"] = native_id

    # 4. write the response: the policy decides, then the stream, then what the client accepts
    if policy is not None and response.streaming is None:
        written, odd = write_policy_response(policy, members)
        diagnostics += odd
    elif response.streaming is not None or (form := choose(accepted)) == "stream":
        body, changed = write_events(content, members, policy)
        diagnostics += changed
        written = write_response("stream", body)
    else:
        written = write_response(form, write_body(form, content, members), status=status_of(content))

    # 5. add the settlement of a payment
    if receipts:
        headers, odd = settlement_headers(receipts)
        diagnostics += odd
        written = replace(written, headers=(*written.headers, *headers))
    check_size(written.body, most=settings.limits.a2a_bytes, what="a body")
    return Outgoing(response=written, native_id=native_id, diagnostics=tuple(diagnostics))
