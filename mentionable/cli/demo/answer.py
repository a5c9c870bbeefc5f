"""Answers a message of the demo, and checks that the other side decodes the whole reply."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Final

from ..._html.convert import html_to_markdown
from ..._model.message import NormalizedMessage, NormalizedResponse
from ..._model.parts import TextPart, ToolCallPart
from ..._text.plain_text import plain_text, serialize_tool_call_to_text, shorten
from ..._wire.ids import derive
from .._show import field_line
from .send import send
from .story import DemoFailed, Line, checked

_RULES: Final = "by [these rules](https://agents.example/words?count=all&in=text)"


def reply_lines(
    message: NormalizedMessage, expect: Mapping[str, Any], *, now: datetime, entropy: bytes
) -> Iterator[Line]:
    """Answer a message, and describe the reply as it was sent and as the other side decodes it.

    Args:
        message: The message.
        expect: The expected number of words, and where the reply goes.
        now: The time.
        entropy: Random bytes.
    """
    response = _answer(message)
    sent = send(response, message, now=now, entropy=derive("demo answer", entropy))
    words = _first_line(sent.read).removeprefix(f"{message.sender.address} ")
    yield checked(field_line("reply", words), f"Your message has **{expect['words']} words**, {_RULES}.", words)
    yield checked(field_line("sent", sent.how), expect["sent"], sent.how.partition(",")[0])
    yield checked(field_line("peer reads", sent.received), sent.expected, sent.received)
    calls = [] if sent.trace is None else [part for part in sent.trace.parts if isinstance(part, ToolCallPart)]
    trace = "".join(serialize_tool_call_to_text(call) for call in calls)
    if sent.trace == response:
        yield field_line("trace", f"the peer decodes the whole reply, with {trace}")
    else:
        yield DemoFailed(field_line("trace", "not the reply"), "the whole reply", trace or "none")


def _first_line(read: NormalizedMessage | NormalizedResponse | None) -> str:
    """The first line of the decoded reply, as Markdown."""
    text = next((part for part in read.parts if isinstance(part, TextPart)), None) if read else None
    if text is None:
        return "nothing"
    words = html_to_markdown(text.content) if text.mime == "text/html" else text.content
    return words.strip().partition("\n")[0]


def _answer(message: NormalizedMessage) -> NormalizedResponse:
    """The reply of the demo's agent, which counts words with a tool."""
    text = plain_text(message)
    count = len(text.split())
    call = ToolCallPart(
        id="call-1", name="count_words", args={"text": shorten(text, 60)}, result={"words": count}, duration_ms=1
    )
    return NormalizedResponse.to(message, f"Your message has **{count} words**, {_RULES}.", call)
