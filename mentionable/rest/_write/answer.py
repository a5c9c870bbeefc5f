"""An answer to a REST question, put together: its form, its status, its body.

Spec: REST transport (responses); Normalized Message §4; decisions A5, R32.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple

from ..._errors.exceptions import UsageError
from ..._html.convert import html_to_markdown
from ..._model.base import replace
from ..._model.codec import encode
from ..._model.diagnostic import Diagnostic
from ..._model.message import NormalizedMessage, NormalizedResponse
from ..._model.parts import ArtifactPart, CarriedPolicy, DigestRef, FilePart, Part, TextPart, inline
from ..._text.plain_text import clean
from ..._text.response_text import render_response_html, render_response_text
from ..._transport.policy_part import policy_at_end
from ..._transport.reply import check_size, content_of, dig
from ..._wire.http import HttpResponse
from ..._wire.ids import derive, uuid7
from ..._wire.strict_json import MAX_DEPTH, dump_line, plain
from .._client.task_result import OWN_EXTRA
from .._policy import settlement_headers, write_demand
from .._read.accept import TYPES, Form, accept_of, choose, takes_stream
from .events import write_events

VERSION: Final = "v0.1"
"""The version of the JSON of an answer."""

OWN: Final = ("v", "agent", "id", "session")
"""What the JSON of an answer says beside the response itself."""

_MEDIA: Final = dict(TYPES)
_FAILED: Final = 500
_LATER: Final = 503


class Answer(NamedTuple):
    """An answer, with the members of `Outgoing`."""

    response: HttpResponse
    native_id: str
    notes: tuple[Diagnostic, ...]


def write_answer(
    response: NormalizedResponse,
    *,
    to: NormalizedMessage,
    accept: str | None,
    now: datetime,
    entropy: bytes,
    settlement: dict[str, Any],
    blobs: Mapping[str, bytes],
    most: int,
) -> Answer:
    """The answer to a question. The arguments are those of `reply`, and the first of them has been checked.

    Raises:
        UsageError: See `reply`.
    """
    accepted = accept_of(to, accept)
    _check_frame(response, accepted)
    notes: list[Diagnostic] = []
    policy = policy_at_end(response, notes)
    said = replace(response, parts=_carried(response, blobs))
    members = _members(said, to, notes)
    native_id = uuid7(now, derive("rest.reply", entropy, to.id, to.recipient, dump_line(members)), "rest.answer")
    members["id"] = native_id
    if policy is not None and response.streaming is None:
        made = write_demand(policy, members, notes)
    else:
        form: Form = "stream" if response.streaming is not None else choose(accepted)
        made = _whole(form, said, members, policy, notes)
    if settlement:
        headers = (*made.headers, *settlement_headers(settlement, notes))
        made = HttpResponse(status=made.status, headers=headers, body=made.body)
    check_size(made.body, most=most, what="a body")
    return Answer(made, native_id, tuple(notes))


def _check_frame(response: NormalizedResponse, accept: str) -> None:
    """Raises unless a frame says where it stands, and somebody takes frames."""
    streaming = response.streaming
    if streaming is None:
        if response.status == "partial":
            raise UsageError("streaming: a partial response must say where it stands in its stream")
    elif streaming.final != (response.status != "partial"):
        raise UsageError("status: a frame is 'partial' unless it is the final one")
    elif not takes_stream(accept):
        raise UsageError("streaming: the client takes no stream; collect the frames with Assembler")


def _carried(response: NormalizedResponse, blobs: Mapping[str, bytes]) -> tuple[Part, ...]:
    """The parts without a policy: text in canonical form, and bytes that only a digest names inside."""
    parts: list[Part] = []
    for index, part in enumerate(response.parts):
        if isinstance(part, CarriedPolicy):
            continue
        if isinstance(part, TextPart):
            parts.append(replace(part, content=clean(part.content)))
        elif isinstance(part, (FilePart, ArtifactPart)) and isinstance(part.bytes_ref, DigestRef):
            data = content_of(part, index, blobs)
            is_elsewhere = data is None or part.bytes_ref.url is not None
            parts.append(part if is_elsewhere else replace(part, bytes_ref=inline(data or b"")))
        else:
            parts.append(part)
    return tuple(parts)


def _members(said: NormalizedResponse, to: NormalizedMessage, notes: list[Diagnostic]) -> dict[str, Any]:
    """The JSON of an answer, but for its id.

    `reply_to` is the id that the client gave its question, else ours; `session` is what it sends to go on.
    """
    told = {name: member for name, member in said.extra.items() if name != OWN_EXTRA}
    extra = {name: member for name, member in told.items() if name not in OWN}
    if len(extra) < len(told):
        detail = f"{', '.join(OWN)} say something else here; they were left out"
        notes.append(Diagnostic(code="part-changed", at="/extra", detail=detail))
    asked = dig(to.raw, "message_id")
    hint = said.push_back
    session = hint.thread_ref if hint is not None and hint.thread_ref else to.thread_id
    answered = encode(replace(said, extra=extra, push_back=None))
    answered["reply_to"] = asked if isinstance(asked, str) else to.id
    members: dict[str, Any] = {"v": VERSION, "agent": to.recipient, "session": session, **answered}
    written: dict[str, Any] = plain(members, max_depth=MAX_DEPTH)  # readers go no deeper
    return written


def _whole(
    form: Form, said: NormalizedResponse, members: dict[str, Any], policy: Any, notes: list[Diagnostic]
) -> HttpResponse:
    """The response in one form."""
    status = 200
    if form == "stream":
        body = write_events(said, members, policy, notes)
    else:
        if said.status == "error":
            status = _LATER if said.error is not None and said.error.retriable else _FAILED
        body = _WRITERS[form](said, members)
    media_type = _MEDIA[form]
    charset = "; charset=utf-8" if form in ("markdown", "html", "plain") else ""
    headers = [
        ("content-type", media_type + charset),
        ("cache-control", "no-store"),
        ("vary", "accept"),
        ("x-content-type-options", "nosniff"),
    ]
    if form == "html":  # it is sanitized; a browser that shows it on the agent's own origin still fetches nothing
        headers.append(("content-security-policy", "default-src 'none'"))
    return HttpResponse(status=status, headers=headers, body=body)


def _json(_: NormalizedResponse, members: dict[str, Any]) -> bytes:
    return dump_line(members).encode()


def _html(said: NormalizedResponse, _: dict[str, Any]) -> bytes:
    return render_response_html(said).encode()


def _plain(said: NormalizedResponse, _: dict[str, Any]) -> bytes:
    return render_response_text(said).encode()


def _markdown(said: NormalizedResponse, _: dict[str, Any]) -> bytes:
    """The response as Markdown. What is no Markdown is escaped, so that it shows what it says."""
    pieces = []
    for part in said.parts:
        if isinstance(part, TextPart) and part.mime == "text/markdown":
            pieces.append(part.content.strip("\n"))
        else:
            pieces.append(html_to_markdown(render_response_html(replace(said, parts=(part,), status="ok"))))
    shown = "\n\n".join(filter(None, pieces))
    return (shown or html_to_markdown(render_response_html(said))).encode()


_WRITERS: Final[Mapping[Form, Callable[[NormalizedResponse, dict[str, Any]], bytes]]] = {
    "json": _json,
    "markdown": _markdown,
    "html": _html,
    "plain": _plain,
}
