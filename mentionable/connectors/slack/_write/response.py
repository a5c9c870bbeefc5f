"""A response as Slack shows it: messages of blocks for its text, and messages of their own for its policies."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

from ...._html.convert import html_to_markdown
from ...._html.well_formed import neutralize
from ...._model.diagnostic import Diagnostic
from ...._model.message import NormalizedResponse
from ...._model.parts import ArtifactPart, CarriedPolicy, FilePart, LinkPart, Part, TextPart, ToolCallPart
from ...._text.media import single_line, url_of
from ...._text.plain_text import error_text, serialize_tool_call_to_text, shorten
from ...._transport.policy_part import is_private_demand
from ..._answer import MAX_MESSAGES, TRUNCATION_TEXT, cap_messages, upload_of
from ..._api import Upload
from .blocks import RenderedBlock, context, messages, sections
from .inline import Mentions, Piece, link
from .literal import escape
from .mrkdwn import Chunk, chunk_of, markdown_chunks, plain_chunks
from .policy import policy_blocks

_TOOL_LINE_BYTES: Final = 2_000
_MAX_FILE: Final = 1_073_741_824
MAX_FILES: Final = 10
"""Files of one answer. An agent that loops must not flood a channel."""


class RenderedResponse(NamedTuple):
    """A response as Slack shows it.

    Attributes:
        messages: The messages of its text, the choices under the last.
        files: The files to upload.
        policies: The messages of its policies, and of each whether the asker alone may see it.
        diagnostics: What cannot be carried.
    """

    messages: list[list[RenderedBlock]]
    files: list[Upload]
    policies: list[tuple[list[RenderedBlock], bool]]
    diagnostics: list[Diagnostic]


class Attachable(NamedTuple):
    """What may go along with a text.

    Attributes:
        blobs: SHA-256 in hex → bytes.
        choices: The block of the choices, if there are any.
        has_uploads: Whether files can be uploaded where the answer goes.
    """

    blobs: Mapping[str, bytes]
    choices: Sequence[RenderedBlock]
    has_uploads: bool


def render(response: NormalizedResponse, mentions: Mentions, attachable: Attachable) -> RenderedResponse:
    """The response as Slack shows it. A partial one is one message: the final frame brings the rest.

    Raises:
        UsageError: `blobs` has other bytes under the digest of a file.
    """
    is_partial = response.status == "partial"
    files: dict[int, Upload] = {}
    diagnostics: list[Diagnostic] = []
    if attachable.has_uploads and not is_partial:
        files, diagnostics = _files(response, attachable.blobs)
    waiting = _with_bytes(response) if attachable.has_uploads and is_partial else ()
    blocks, left_out = _blocks(response, mentions, uploaded=(*files, *waiting), has_uploads=attachable.has_uploads)
    diagnostics += left_out
    texts = messages(blocks)
    if is_partial:
        return RenderedResponse(texts[:1], [], [], diagnostics)
    if len(texts) > MAX_MESSAGES:
        texts, cut = cap_messages(texts, list(context([TRUNCATION_TEXT])))
        diagnostics += cut
    if attachable.choices:
        texts[-1:] = messages([*(texts[-1] if texts else ()), *attachable.choices])
    policies: list[tuple[list[RenderedBlock], bool]] = []
    for index, part in enumerate(response.parts):
        if isinstance(part, CarriedPolicy):
            rendered, shortened = policy_blocks(part.policy, f"/parts/{index}/policy")
            is_private = is_private_demand(part.policy)
            policies += [(message, is_private) for message in messages(rendered)]
            diagnostics += shortened
    return RenderedResponse(texts, list(files.values()), policies, diagnostics)


def _with_bytes(response: NormalizedResponse) -> list[int]:
    """The places of files without a URL, which the final frame brings."""
    kinds = (FilePart, ArtifactPart)
    return [index for index, part in enumerate(response.parts) if isinstance(part, kinds) and url_of(part) is None]


def _files(response: NormalizedResponse, blobs: Mapping[str, bytes]) -> tuple[dict[int, Upload], list[Diagnostic]]:
    """The files of a response that are uploaded, each by its place."""
    files: dict[int, Upload] = {}
    diagnostics: list[Diagnostic] = []
    for index, part in enumerate(response.parts):
        if isinstance(part, (FilePart, ArtifactPart)):
            file, left_out = upload_of(part, index, number=len(files) + 1, blobs=blobs, max_bytes=_MAX_FILE)
            diagnostics += left_out
            if file is not None and file.data:
                files[index] = file
            elif file is not None:
                detail = "the file is empty, and Slack takes no such file"
                diagnostics.append(Diagnostic(code="part-changed", at=f"/parts/{index}", detail=detail))
    files_sent = list(files)[:MAX_FILES]
    if len(files) > MAX_FILES:
        detail = f"{len(files)} files: the first {MAX_FILES} are sent"
        diagnostics.append(Diagnostic(code="part-changed", at="/parts", detail=detail))
    return {index: files[index] for index in files_sent}, diagnostics


def _blocks(
    response: NormalizedResponse, mentions: Mentions, *, uploaded: Collection[int], has_uploads: bool
) -> tuple[list[RenderedBlock], list[Diagnostic]]:
    """The blocks of a response without its policies. Tool calls one after the other share a block of small print."""
    blocks: list[RenderedBlock] = []
    diagnostics: list[Diagnostic] = []
    chunks: list[Chunk] = []
    lines: list[str] = []
    for index, part in enumerate(response.parts):
        if index in uploaded:
            continue
        if isinstance(part, ToolCallPart):
            blocks += sections(chunks)
            chunks = []
            line, left_out = _tool_line(part, index)
            lines.append(line)
        else:
            content, left_out = _chunks(part, index, mentions, has_uploads=has_uploads)
            if content:
                if lines:
                    blocks += context(lines)
                    lines = []
                chunks += content
        diagnostics += left_out
    blocks += context(lines)
    blocks += sections(chunks)
    if not blocks and not uploaded and not any(isinstance(part, CarriedPolicy) for part in response.parts):
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


def _chunks(
    part: Part, index: int, mentions: Mentions, *, has_uploads: bool
) -> tuple[Sequence[Chunk], tuple[Diagnostic, ...]]:
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
            detail = "the bytes of a file are not sent here: give it a URL"
            diagnostic = Diagnostic(code="part-changed", at=f"/parts/{index}", detail=detail)
            return _file([Piece("text", name)], mime), () if has_uploads else (diagnostic,)
        case CarriedPolicy():
            return (), ()
        case _:
            detail = "a part of a kind that is not known here is not shown"
            return (), (Diagnostic(code="part-changed", at=f"/parts/{index}", detail=detail),)


def _file(name: Sequence[Piece], mime: str) -> list[Chunk]:
    """The line of a file."""
    return chunk_of([Piece("text", "\U0001f4ce "), *name, Piece("text", f" ({mime})")], is_plain=True)
