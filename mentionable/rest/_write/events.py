"""Answers as streams: the events of a frame, or of a whole answer.

`message` (the default event) is Markdown that continues the text before it. `text` announces that the next piece is a
part of its own, or of another media type. `tool_call` and `part` are parts as JSON, `policy` is a policy. `start` names
the agent and the session, `end` the status. A client that knows none of these reads the Markdown alone.

Spec: REST transport (responses, SSE); decisions A5.
"""

from __future__ import annotations

from typing import Any, Final

from ..._html.convert import html_to_markdown
from ..._html.sanitize import sanitize
from ..._model.codec import dumps
from ..._model.diagnostic import Diagnostic
from ..._model.message import NormalizedResponse
from ..._model.parts import TextPart, ToolCallPart
from ..._model.policy import PolicyPart
from ..._wire.sse import write_event
from ..._wire.strict_json import dump_line

_AT_START: Final = ("v", "agent", "id", "session", "reply_to")
_AT_END: Final = ("status", "error")


def write_events(
    response: NormalizedResponse, members: dict[str, Any], policy: PolicyPart | None
) -> tuple[bytes, list[Diagnostic]]:
    """The events of a frame or whole answer, and what of it a stream cannot carry.

    Args:
        response: The frame or answer, without the policy at its end.
        members: The JSON of the answer.
        policy: The policy.
    """
    place = response.streaming
    events: list[bytes] = []
    diagnostics: list[Diagnostic] = []
    if place is None or place.seq == 0:
        start = {name: members[name] for name in _AT_START}
        events.append(write_event(dump_line(start), event="start"))
    for index, (part, written) in enumerate(zip(response.parts, members["parts"], strict=True)):
        if isinstance(part, TextPart):
            written_text, odd = _text(part, index)
            events += written_text
            diagnostics += odd
        else:
            name = "tool_call" if isinstance(part, ToolCallPart) else "part"
            events.append(write_event(dump_line(written), event=name))
    if policy is not None:
        events.append(write_event(dumps(policy).decode(), event="policy"))
    if place is None or place.final:
        end = {name: members[name] for name in _AT_END if name in members}
        events.append(write_event(dump_line(end), event="end"))
    return b"".join(events), diagnostics


def _text(part: TextPart, index: int) -> tuple[list[bytes], list[Diagnostic]]:
    """A text as events, and what of it they cannot carry. HTML becomes Markdown, the only form all clients display."""
    content, mime = part.content, part.mime
    diagnostics: list[Diagnostic] = []
    if part.extra:
        detail = "a stream has no place for members of other versions; they were left out"
        diagnostics.append(Diagnostic(code="part-changed", at=f"/parts/{index}/extra", detail=detail))
    if mime == "text/html":
        content, mime = html_to_markdown(sanitize(content)), "text/markdown"
        detail = "streams carry Markdown: the HTML was turned into it"
        diagnostics.append(Diagnostic(code="part-changed", at=f"/parts/{index}/mime", detail=detail))
    events = [write_event(content)]
    if index or mime != "text/markdown":
        events.insert(0, write_event(dump_line({"mime": mime, "continues": not index}), event="text"))
    return events, diagnostics
