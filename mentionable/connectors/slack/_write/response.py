"""A response as Slack shows it: messages of blocks for its text, and messages of their own for its policies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from ...._html.convert import html_to_markdown
from ...._html.well_formed import neutralize
from ...._model.diagnostic import Diagnostic
from ...._model.message import NormalizedResponse
from ...._model.parts import ArtifactPart, CarriedPolicy, FilePart, LinkPart, Part, TextPart, ToolCallPart
from ...._text.media import single_line, url_of
from ...._text.plain_text import error_text, serialize_tool_call_to_text, shorten
from ..._answer import TRUNCATION_TEXT, cap_messages
from .blocks import RenderedBlock, context, messages, sections
from .inline import Mentions, Piece, link
from .literal import escape
from .mrkdwn import Chunk, chunk_of, markdown_chunks, plain_chunks
from .policy import policy_blocks

_TOOL_LINE_BYTES: Final = 2_000


class RenderedResponse(NamedTuple):
    """A response as Slack shows it.

    Attributes:
        messages: The messages of its text.
        policies: The messages of its policies.
        diagnostics: What cannot be carried.
    """

    messages: list[list[RenderedBlock]]
    policies: list[list[RenderedBlock]]
    diagnostics: list[Diagnostic]


def render(response: NormalizedResponse, mentions: Mentions) -> RenderedResponse:
    """The response as Slack shows it. A partial one is one message: the final frame brings the rest."""
    blocks, diagnostics = _blocks(response, mentions)
    texts = messages(blocks)
    if response.status == "partial":
        return RenderedResponse(texts[:1], [], diagnostics)
    texts, left_out = cap_messages(texts, list(context([TRUNCATION_TEXT])))
    diagnostics += left_out
    policies: list[list[RenderedBlock]] = []
    for index, part in enumerate(response.parts):
        if isinstance(part, CarriedPolicy):
            rendered, shortened = policy_blocks(part.policy, f"/parts/{index}/policy")
            policies += messages(rendered)
            diagnostics += shortened
    return RenderedResponse(texts, policies, diagnostics)


def _blocks(response: NormalizedResponse, mentions: Mentions) -> tuple[list[RenderedBlock], list[Diagnostic]]:
    """The blocks of a response without its policies. Tool calls one after the other share a block of small print."""
    blocks: list[RenderedBlock] = []
    diagnostics: list[Diagnostic] = []
    chunks: list[Chunk] = []
    lines: list[str] = []
    for index, part in enumerate(response.parts):
        if isinstance(part, ToolCallPart):
            blocks += sections(chunks)
            chunks = []
            line, left_out = _tool_line(part, index)
            lines.append(line)
        else:
            content, left_out = _chunks(part, index, mentions)
            if content:
                blocks += context(lines)
                lines = []
                chunks += content
        diagnostics += left_out
    blocks += context(lines)
    blocks += sections(chunks)
    if not blocks and not any(isinstance(part, CarriedPolicy) for part in response.parts):
        blocks += sections(plain_chunks(error_text(response)))
    return blocks, diagnostics


def _tool_line(part: ToolCallPart, index: int) -> tuple[str, tuple[Diagnostic, ...]]:
    """The line of a tool call; one that is too long even so ends with `…`."""
    line = single_line(neutralize(serialize_tool_call_to_text(part)))
    short = shorten(line, _TOOL_LINE_BYTES)
    if short == line:
        return escape(line), ()
    return escape(short), (
        Diagnostic(code="part-changed", at=f"/parts/{index}", detail="the line of a tool call was cut"),
    )


def _chunks(part: Part, index: int, mentions: Mentions) -> tuple[Sequence[Chunk], tuple[Diagnostic, ...]]:
    """A part as text of Slack."""
    match part:
        case TextPart(mime="text/markdown", content=content):
            return markdown_chunks(content, mentions), ()
        case TextPart(mime="text/html", content=content):
            return markdown_chunks(html_to_markdown(content), mentions), ()
        case TextPart(content=content):
            return plain_chunks(content, mentions), ()
        case LinkPart(url=url, title=title, description=description):
            heading = chunk_of(link(url, single_line(title or ""), mentions), is_plain=True)
            return [*heading, *plain_chunks(single_line(description or ""), mentions)], ()
        case FilePart(mime=mime) | ArtifactPart(mime=mime):
            name, location = single_line(part.name or "") or "file", url_of(part)
            if location is not None:
                return _file(link(location, name, mentions), mime), ()
            detail = "the bytes of a file are not sent: give it a URL"
            diagnostic = Diagnostic(code="part-changed", at=f"/parts/{index}", detail=detail)
            return _file([Piece("text", name)], mime), (diagnostic,)
        case CarriedPolicy():
            return (), ()
        case _:
            detail = "a part of a kind that is not known here is not shown"
            return (), (Diagnostic(code="part-changed", at=f"/parts/{index}", detail=detail),)


def _file(name: Sequence[Piece], mime: str) -> list[Chunk]:
    """The line of a file."""
    return chunk_of([Piece("text", "\U0001f4ce "), *name, Piece("text", f" ({mime})")], is_plain=True)
