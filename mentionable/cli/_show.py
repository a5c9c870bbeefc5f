"""Prints a received message for people on a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from .._errors.exceptions import CODES, Code
from .._flow.outcome import Received, Rejected, Verdict
from .._model.message import NormalizedMessage
from .._model.parts import ArtifactPart, DigestRef, FilePart, InlineRef, LinkPart, Part, TextPart, ToolCallPart
from .._model.sender import Sender
from .._text.media import bytes_of
from .._text.plain_text import render_agent_chain, serialize_tool_call_to_text
from ._lines import diagnostic_text, one_line, printable


def outcome_lines(outcome: Received | Rejected) -> Iterator[str]:
    """The lines that describe a message that was received or rejected."""
    if isinstance(outcome, Rejected):
        yield field_line("rejected", str(outcome))
        return
    for message in outcome.messages:
        yield from _message_lines(message, outcome.verdict)
    for diagnostic in outcome.diagnostics:
        yield field_line("diagnostic", diagnostic_text(diagnostic))
    if not outcome.diagnostics:
        yield field_line("diagnostics", "none")


def refusal_code(outcome: Received | Rejected) -> Code | None:
    """Why the message was rejected or its sender is not verified; None for a verified sender."""
    return outcome.code if isinstance(outcome, Rejected) else outcome.verdict.code


def tampered_line(outcome: Received | Rejected, at: int) -> str:
    """The line that describes the outcome for the same message with the byte at `at` changed."""
    code = refusal_code(outcome)
    if isinstance(outcome, Rejected):
        return field_line("tampered", f"byte {at} changed: rejected, {code}")
    result = "verified" if code is None else f"not verified, {code}. {CODES[code].text}"
    return field_line("tampered", f"byte {at} changed: {result}")


def _message_lines(message: NormalizedMessage, verdict: Verdict) -> Iterator[str]:
    yield field_line("sender", " ".join(filter(None, (message.sender.display_name, message.sender.address))))
    yield field_line("verified", _verified(message.sender, verdict))
    yield field_line("recipient", message.recipient)
    yield field_line("thread", message.thread_id)
    if message.in_reply_to:
        yield field_line("in reply to", message.in_reply_to)
    chain = render_agent_chain(message.recipient_capabilities.agent_chain)
    if chain:
        yield field_line("chain", chain)
    for turn in message.history or ():
        yield field_line("history", f"{turn.role} {turn.sender.address}, {len(turn.parts)} parts")
    for part in message.parts:
        heading, text = _part(part)
        yield field_line("part", heading)
        yield from (f"    │ {line}".rstrip() for line in printable(text).split("\n") if text)


def field_line(name: str, text: str) -> str:
    """One line of output: a label, and a text."""
    return f"  {name:<11} {one_line(text)}"


def _verified(sender: Sender, verdict: Verdict) -> str:
    if sender.verified:
        return f"yes, by {verdict.method}"
    return "no" if verdict.code is None else f"no. {CODES[verdict.code].text}"


def _part(part: Part) -> tuple[str, str]:
    """A heading for a part, and its text if it has any."""
    match part:
        case TextPart():
            return f"text, {part.mime}", _wrapped(_plain(part))
        case FilePart() | ArtifactPart():
            return f"{part.kind}, {part.mime}, {part.name or 'no name'}", _bytes(part)
        case LinkPart():
            return f"link, {part.title or 'no title'}", part.url
        case ToolCallPart():
            return f"tool_call, {part.state}", serialize_tool_call_to_text(part)
        case _:
            return part.kind, ""


def _plain(part: TextPart) -> str:
    """The text of a part; HTML is converted to Markdown."""
    if part.mime == "text/html":
        from .._html.convert import html_to_markdown

        return html_to_markdown(part.content)
    return part.content.strip("\r\n")


def _wrapped(text: str) -> str:
    """The text in lines of at most 100 characters; a long word stays whole."""
    return "\n".join(
        textwrap.fill(line, 100, break_long_words=False, break_on_hyphens=False, replace_whitespace=False)
        for line in text.replace("\r\n", "\n").split("\n")
    )


def _bytes(part: FilePart | ArtifactPart) -> str:
    """Where the bytes of a file are; short text is printed."""
    match part.bytes_ref:
        case InlineRef():
            data = bytes_of(part) or b""
            size = f"{len(data)} bytes in the message"
            if part.mime.startswith("text/") and len(data) <= 200:
                return f"{size}:\n{data.decode(errors='replace').replace(chr(13), '').strip()}"
            return size
        case DigestRef(digest=digest):
            return f"stored separately, sha256 {digest}"
        case _:
            return f"at {part.bytes_ref.url}"
