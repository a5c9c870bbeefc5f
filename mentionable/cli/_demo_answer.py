"""How the demo answers a message: what its agent says, and whether the other side reads it back whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._ids import derive
from .._model.message import NormalizedResponse
from .._model.parts import ToolCallPart
from .._text import plain_text, serialize_tool_call_to_text, shorten
from ._demo_send import send
from ._show import field_line

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from .._model.message import NormalizedMessage


def answer_lines(message: NormalizedMessage, *, now: datetime, entropy: bytes) -> Iterator[str]:
    """The lines that tell how a message is answered, and whether the answer is read back as it was meant."""
    response = _answer(message)
    sent = send(response, message, now=now, entropy=derive("demo answer", entropy))
    if sent.read is not None:
        yield field_line("answer", plain_text(sent.read).strip().partition("\n")[0])
    yield field_line("sent", sent.how)
    yield field_line("they read", sent.shown)
    if sent.trace != response:
        yield field_line("trace", "not the answer")
        return
    (call,) = [part for part in sent.trace.parts if isinstance(part, ToolCallPart)]
    yield field_line("trace", f"the whole answer, with {serialize_tool_call_to_text(call)}")


def _answer(message: NormalizedMessage) -> NormalizedResponse:
    """What the agent of the demo says: it counts words, with a tool."""
    text = plain_text(message)
    count = len(text.split())
    call = ToolCallPart(
        id="call-1", name="count_words", args={"text": shorten(text, 60)}, result={"words": count}, duration_ms=1
    )
    return NormalizedResponse.to(message, f"Your message has **{count} words**.", call)
