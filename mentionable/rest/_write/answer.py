"""The parts, the JSON and the HTTP response of an answer.

Spec: REST transport (responses); Normalized Message §4; decisions A5, R32.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ..._html.convert import html_to_markdown
from ..._model.base import replace
from ..._model.codec import encode
from ..._model.diagnostic import Diagnostic
from ..._model.message import NormalizedMessage, NormalizedResponse
from ..._model.parts import ArtifactPart, CarriedPolicy, DigestRef, FilePart, Part, TextPart, inline
from ..._text.plain_text import clean
from ..._text.response_text import render_response_html, render_response_text
from ..._transport.reply import content_of
from ..._wire.http import HttpResponse
from ..._wire.strict_json import MAX_DEPTH, dig, dump_line, plain
from .._client.task_result import OWN_EXTRA
from .._read.accept import TYPES, Form

VERSION: Final = "v0.1"
"""The version of the JSON of an answer."""

_LOCAL: Final = frozenset({OWN_EXTRA, "a2a"})
"""What the readers of answers add, for this program alone."""

_RESERVED: Final = ("v", "agent", "id", "session")
"""The members of the JSON of an answer that are not of the response itself."""

_MEDIA_TYPES: Final = dict(TYPES)
_FAILED: Final = 500
_RETRY_LATER: Final = 503


def carried_parts(response: NormalizedResponse, blobs: Mapping[str, bytes]) -> tuple[Part, ...]:
    """The parts without a policy: text in canonical form, and bytes inline where only a digest names them."""
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


def answer_members(
    response: NormalizedResponse, to: NormalizedMessage
) -> tuple[dict[str, Any], tuple[Diagnostic, ...]]:
    """The JSON of an answer without its id, and what of the response it cannot hold.

    `reply_to` is the id that the client gave its question, else ours; `session` is what it sends to go on.
    """
    diagnostics: tuple[Diagnostic, ...] = ()
    extra = {name: member for name, member in response.extra.items() if name not in _LOCAL}
    if not extra.keys().isdisjoint(_RESERVED):
        detail = f"{', '.join(_RESERVED)} say something else here; they were left out"
        diagnostics = (Diagnostic(code="part-changed", at="/extra", detail=detail),)
        extra = {name: member for name, member in extra.items() if name not in _RESERVED}
    question_id = dig(to.raw, "message_id")
    hint = response.push_back
    members: dict[str, Any] = {
        "v": VERSION,
        "agent": to.recipient,
        "session": hint.thread_ref if hint is not None and hint.thread_ref else to.thread_id,
        **encode(replace(response, extra=extra, push_back=None)),
    }
    members["reply_to"] = question_id if isinstance(question_id, str) else to.id
    return plain(members, max_depth=MAX_DEPTH), diagnostics  # readers go no deeper


def write_response(form: Form, body: bytes, *, status: int = 200) -> HttpResponse:
    """The HTTP response in one form."""
    charset = "; charset=utf-8" if form in ("markdown", "html", "plain") else ""
    headers = [
        ("content-type", _MEDIA_TYPES[form] + charset),
        ("cache-control", "no-store"),
        ("vary", "accept"),
        ("x-content-type-options", "nosniff"),
    ]
    if form == "html":  # it is sanitized; a browser that shows it on the agent's own origin still fetches nothing
        headers.append(("content-security-policy", "default-src 'none'"))
    return HttpResponse(status=status, headers=headers, body=body)


def write_body(form: Form, response: NormalizedResponse, members: dict[str, Any]) -> bytes:
    """The whole answer in one form. All but JSON are for people."""
    match form:
        case "markdown":
            text = _markdown(response)
        case "html":
            text = render_response_html(response)
        case "plain":
            text = render_response_text(response)
        case _:
            text = dump_line(members)
    return text.encode()


def status_of(response: NormalizedResponse) -> int:
    """The HTTP status of a whole answer without a policy."""
    if response.status != "error":
        return 200
    return _RETRY_LATER if response.error is not None and response.error.retriable else _FAILED


def _markdown(response: NormalizedResponse) -> str:
    """The response as Markdown. Other text is escaped, so that it is displayed as it is."""
    blocks = []
    for part in response.parts:
        if isinstance(part, TextPart) and part.mime == "text/markdown":
            blocks.append(part.content.strip("\n"))
        else:
            blocks.append(html_to_markdown(render_response_html(replace(response, parts=(part,), status="ok"))))
    return "\n\n".join(filter(None, blocks)) or html_to_markdown(render_response_html(response))
