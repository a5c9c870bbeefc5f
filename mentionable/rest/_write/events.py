"""Answers as streams: the events of a frame, or of a whole answer.

`message` (the usual event) is Markdown that goes on with what came before. `text` says of the next piece that it is a
part of its own, or of another media type. `tool_call` and `part` are parts as JSON, `policy` is a demand. `start` and
`end` say whose answer it is and how it ended; a client that knows none of them reads the Markdown alone.

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
    said: NormalizedResponse, members: dict[str, Any], policy: PolicyPart | None, notes: list[Diagnostic]
) -> bytes:
    """The events of a frame, or of a whole answer.

    Args:
        said: The frame or answer, without the policy at its end.
        members: The same as the JSON of an answer.
        policy: The policy.
        notes: Takes what cannot be carried.
    """
    place = said.streaming
    events: list[bytes] = []
    if place is None or place.seq == 0:
        start = {name: members[name] for name in _AT_START}
        events.append(write_event(dump_line(start), event="start"))
    for index, (part, written) in enumerate(zip(said.parts, members["parts"], strict=True)):
        if isinstance(part, TextPart):
            events += _text(part, index, notes)
        else:
            name = "tool_call" if isinstance(part, ToolCallPart) else "part"
            events.append(write_event(dump_line(written), event=name))
    if policy is not None:
        events.append(write_event(dumps(policy).decode(), event="policy"))
    if place is None or place.final:
        end = {name: members[name] for name in _AT_END if name in members}
        events.append(write_event(dump_line(end), event="end"))
    return b"".join(events)


def _text(part: TextPart, index: int, notes: list[Diagnostic]) -> list[bytes]:
    """A text as events. HTML becomes Markdown, for clients that show nothing else."""
    content, mime = part.content, part.mime
    if part.extra:
        detail = "a stream has no place for members of other versions; they were left out"
        notes.append(Diagnostic(code="part-changed", at=f"/parts/{index}/extra", detail=detail))
    if mime == "text/html":
        content, mime = html_to_markdown(sanitize(content)), "text/markdown"
        detail = "streams carry Markdown: the HTML was turned into it"
        notes.append(Diagnostic(code="part-changed", at=f"/parts/{index}/mime", detail=detail))
    events = [write_event(content)]
    if index or mime != "text/markdown":
        told = {"mime": mime, "continues": not index}
        events.insert(0, write_event(dump_line(told), event="text"))
    return events
