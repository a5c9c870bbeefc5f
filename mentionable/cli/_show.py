"""A received message as people read it on a terminal."""

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
from ._lines import note_text, one_line, printable


def outcome_lines(outcome: Received | Rejected) -> Iterator[str]:
    """The lines that tell what became of a unit."""
    if isinstance(outcome, Rejected):
        yield field_line("rejected", str(outcome))
        return
    for message in outcome.messages:
        yield from _message_lines(message, outcome.verdict)
    for note in outcome.diagnostics:
        yield field_line("diagnostic", note_text(note))
    if not outcome.diagnostics:
        yield field_line("diagnostics", "none")


def refusal_of(outcome: Received | Rejected) -> Code | None:
    """Why a unit was not taken, or why its sender is not verified; None when they are."""
    return outcome.code if isinstance(outcome, Rejected) else outcome.verdict.code


def twin_line(outcome: Received | Rejected, at: int) -> str:
    """The line that tells what became of the same unit with another byte at `at`."""
    code = refusal_of(outcome)
    if isinstance(outcome, Rejected):
        return field_line("its twin", f"another byte {at}: rejected, {code}")
    shown = "verified" if code is None else f"not verified, {code}. {CODES[code].text}"
    return field_line("its twin", f"another byte {at}: {shown}")


def _message_lines(message: NormalizedMessage, verdict: Verdict) -> Iterator[str]:
    yield field_line("sender", " ".join(filter(None, (message.sender.display_name, message.sender.address))))
    yield field_line("verified", _verified(message.sender, verdict))
    yield field_line("recipient", message.recipient)
    yield field_line("thread", message.thread_id)
    if message.in_reply_to:
        yield field_line("answers", message.in_reply_to)
    chain = render_agent_chain(message.recipient_capabilities.agent_chain)
    if chain:
        yield field_line("chain", chain)
    for turn in message.history or ():
        yield field_line("before", f"{turn.role} {turn.sender.address}, {len(turn.parts)} parts")
    for part in message.parts:
        heading, text = _part(part)
        yield field_line("part", heading)
        yield from (f"    │ {line}".rstrip() for line in printable(text).split("\n") if text)


def field_line(name: str, text: str) -> str:
    """One line of the story: what it is about, and what there is to say."""
    return f"  {name:<11} {one_line(text)}"


def _verified(sender: Sender, verdict: Verdict) -> str:
    if sender.verified:
        return f"yes, by {verdict.method}"
    return "no" if verdict.code is None else f"no. {CODES[verdict.code].text}"


def _part(part: Part) -> tuple[str, str]:
    """What a part is, and its text, where it has one."""
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
    """The text of a part, of HTML as Markdown."""
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
    """Where the bytes of a file are; short text is shown."""
    match part.bytes_ref:
        case InlineRef():
            data = bytes_of(part) or b""
            size = f"{len(data)} bytes in the message"
            if part.mime.startswith("text/") and len(data) <= 200:
                return f"{size}:\n{data.decode(errors='replace').replace(chr(13), '').strip()}"
            return size
        case DigestRef(digest=digest):
            return f"bytes apart, sha256 {digest}"
        case _:
            return f"at {part.bytes_ref.url}"
