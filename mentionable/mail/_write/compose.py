"""An answer as the faces of a mail: what people read, what programs read, and the files that go along."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Final
from urllib.parse import quote

from ... import trace
from ..._flow.settings import Settings
from ..._model.diagnostic import Diagnostic
from ..._model.message import NormalizedResponse
from ..._model.parts import ArtifactPart, FilePart, TextPart, ToolCallPart
from ..._model.rules import bare_type
from ..._text.media import OCTET_STREAM, file_name
from ..._text.plain_text import summary, tool_call_outcome
from ..._text.response_text import render_response_html, render_response_text
from ..._transport.reply import content_of
from ..._wire.ids import derive
from .body import Faces, File
from .encode import one_kind_of_line_end

_DOCUMENT: Final = (
    '<!DOCTYPE html>\n<html>\n<head>\n<meta charset="utf-8">\n<meta name="color-scheme" content="light dark">\n'
    '<meta name="viewport" content="width=device-width">\n'
    "<style>img { max-width: 100% } pre { white-space: pre-wrap }"
    " th, td { padding: 2px 8px; text-align: left; vertical-align: top }</style>\n"
    '</head>\n<body style="font-family: Arial, Helvetica, sans-serif">\n',
    "\n</body>\n</html>\n",
)
"""What encloses the HTML of an answer. No colours: mail programs have light and dark ones of their own."""

_MARKS: Final = {"ok": "✅", "failed": "❌", "running": "…"}
_LONGEST_TYPE: Final = 200
"""Characters of a media type with its parameters that fit on a line of a header."""
_CONTAINERS: Final = ("multipart/", "message/")
_KEPT_IN_URLS: Final = ";/?:@&=+$,-_.!~*'()#"
"""Characters that Markdown does not encode in the address of an image."""


def compose(
    response: NormalizedResponse,
    *,
    blobs: Mapping[str, bytes],
    seed: bytes,
    domain: str,
    settings: Settings,
    notes: list[Diagnostic],
) -> Faces:
    """The faces of a mail that says what the response says.

    Args:
        response: The response.
        blobs: SHA-256 in hex → bytes.
        seed: Random bytes, from which the ids of images are made.
        domain: That of the sender, in which those ids are unique.
        settings: Bounds of the trace, and its viewer.
        notes: Takes what had to be left out.

    Raises:
        UsageError: The bytes of a file are neither handed in nor behind a URL.

    Spec: Normalized Message §10.3, §10.5; RFC 2392.
    """
    files = _files(response, blobs, notes)
    ids = _image_ids(response, files, seed, domain)
    images = {key: f"cid:{ids[index]}" for key, index in _image_keys(response, files, ids).items()}
    text = render_response_text(response, attached=files)
    html = render_response_html(response, attached=files, images=images, tool_line=tool_line)
    written = trace.write(response, viewer=settings.trace_viewer, limit=settings.limits.trace_bytes)
    if written.diagnostic is not None:
        notes.append(written.diagnostic)
    visible = {index for index, content_id in ids.items() if f'"cid:{content_id}"' in html}
    return Faces(
        text=one_kind_of_line_end(text),
        html=one_kind_of_line_end(html).join(_DOCUMENT),
        trace=written.data,
        images=tuple([files[index]._replace(content_id=ids[index]) for index in sorted(visible)]),
        files=tuple([file for index, file in files.items() if index not in visible]),
    )


def tool_line(part: ToolCallPart) -> str:
    """The line for a tool call in HTML.

    Spec: Normalized Message §10.3.
    """
    return f"{_MARKS[part.state]} {part.name}({summary(part.args)}) → {tool_call_outcome(part)}"


def _files(response: NormalizedResponse, blobs: Mapping[str, bytes], notes: list[Diagnostic]) -> dict[int, File]:
    """The files that go along, by their place among the parts. What has only a URL stays a link."""
    files: dict[int, File] = {}
    for index, part in enumerate(response.parts):
        if not isinstance(part, (FilePart, ArtifactPart)):
            continue
        data = content_of(part, index, blobs)
        if data is None:
            continue
        mime = part.mime
        if mime.startswith(_CONTAINERS):
            notes.append(Diagnostic(code="media-type-replaced", at=f"/parts/{index}/mime", detail=mime))
            mime = OCTET_STREAM
        elif len(mime) > _LONGEST_TYPE:
            notes.append(Diagnostic(code="media-type-replaced", at=f"/parts/{index}/mime", detail="without parameters"))
            mime = bare_type(mime)
        files[index] = File(mime, data, file_name(part.name or ""))
    return files


def _image_ids(response: NormalizedResponse, files: Mapping[int, File], seed: bytes, domain: str) -> dict[int, str]:
    """Ids of the images that some text may show. Most answers show none."""
    if not any(isinstance(part, TextPart) and "cid:" in part.content for part in response.parts):
        return {}
    return {
        index: f"{derive('mail.content-id', seed, str(index), sha256(file.data).digest()).hex()[:32]}@{domain}"
        for index, file in files.items()
        if file.name is not None and file.mime.startswith("image/")
    }


def _image_keys(response: NormalizedResponse, files: Mapping[int, File], ids: Mapping[int, str]) -> dict[str, int]:
    """The names by which texts may show images, as written and as Markdown encodes them; the first of a name counts."""
    if not ids:
        return {}
    keys: dict[str, int] = {}
    for index in ids:
        for name in (getattr(response.parts[index], "name", ""), files[index].name or ""):
            keys.setdefault(name, index)
            keys.setdefault(quote(name, safe=_KEPT_IN_URLS), index)
    return keys
