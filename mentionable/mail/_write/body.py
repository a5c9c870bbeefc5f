"""The body of an answer: its text, HTML, trace and files, as a tree of MIME entities (RFC 2045, RFC 2046)."""

from __future__ import annotations

import re
from binascii import b2a_base64, b2a_qp
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Final, NamedTuple
from urllib.parse import quote

from ..._flow.settings import Limits
from ..._model.diagnostic import Diagnostic
from ..._model.message import NormalizedResponse
from ..._model.parts import ArtifactPart, FilePart, TextPart, ToolCallPart
from ..._model.rules import bare_type
from ..._text.media import OCTET_STREAM, file_name
from ..._text.plain_text import summary, tool_call_outcome
from ..._text.response_text import render_response_html, render_response_text
from ..._transport.reply import content_of
from ..._wire.ids import derive
from ...trace import payload_of
from .._read.message import TRACE_PROFILE
from .header_section import file_fields, folded

# --- what an answer holds

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
_MAX_TYPE: Final = 200
"""Characters of a media type with its parameters that fit on a line of a header."""
_CONTAINERS: Final = ("multipart/", "message/")
_UNQUOTED: Final = ";/?:@&=+$,-_.!~*'()#"
"""Characters that Markdown does not encode in the address of an image."""


class File(NamedTuple):
    """A file of an answer.

    Attributes:
        mime: Its media type, never that of a container.
        data: Its bytes.
        name: A safe file name.
        content_id: The id, without its `<>`, by which the HTML shows it; None for an attachment.
    """

    mime: str
    data: bytes
    name: str | None = None
    content_id: str | None = None


class Content(NamedTuple):
    """The content of an answer.

    Attributes:
        text: Plain text. Lines end in LF.
        html: The same as a document.
        trace: The whole response as JSON; None where it is too large.
        images: Files that the HTML shows.
        files: Files that are attached.
    """

    text: str
    html: str
    trace: bytes | None = None
    images: tuple[File, ...] = ()
    files: tuple[File, ...] = ()


def compose(
    response: NormalizedResponse, *, blobs: Mapping[str, bytes], seed: bytes, domain: str, limits: Limits
) -> tuple[Content, tuple[Diagnostic, ...]]:
    """Render a response as the content of a mail.

    Args:
        response: The response.
        blobs: SHA-256 in hex → bytes.
        seed: Random bytes, from which the Content-IDs of images are made.
        domain: The sender's, in which those ids are unique.
        limits: How long the trace may be.

    Returns:
        The content, and what was left out of it.

    Raises:
        UsageError: The bytes of a file are neither handed in nor behind a URL.

    Spec: Normalized Message §10.3, §10.5; RFC 2392.
    """
    files, diagnostics = _files(response, blobs)
    images, urls = _images(response, files, seed=seed, domain=domain) if files else ({}, {})
    text = render_response_text(response, attached=files)
    html = render_response_html(response, attached=files, images=urls, tool_line=tool_line)
    payload = payload_of(response, limit=limits.trace_bytes)
    if payload.diagnostic is not None:
        diagnostics.append(payload.diagnostic)
    visible = {index: image for index, image in images.items() if f'"cid:{image.content_id}"' in html}
    content = Content(
        text=canonical_text(text),
        html=canonical_text(html).join(_DOCUMENT),
        trace=payload.data,
        images=tuple(visible.values()),
        files=tuple([file for index, file in files.items() if index not in visible]),
    )
    return content, tuple(diagnostics)


def tool_line(part: ToolCallPart) -> str:
    """The line for a tool call in HTML.

    Spec: Normalized Message §10.3.
    """
    return f"{_MARKS[part.state]} {part.name}({summary(part.args)}) → {tool_call_outcome(part)}"


def canonical_text(text: str) -> str:
    """`text` as a body of mail can hold it: lines end in LF, and there is no NUL and no byte order mark at its start.

    Spec: RFC 2046 §4.1.1.
    """
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.replace("\0", "").lstrip("\ufeff")


def _files(response: NormalizedResponse, blobs: Mapping[str, bytes]) -> tuple[dict[int, File], list[Diagnostic]]:
    """The files that the mail carries, by the index of their part. A part that only has a URL stays a link."""
    files: dict[int, File] = {}
    diagnostics: list[Diagnostic] = []
    for index, part in enumerate(response.parts):
        if not isinstance(part, (FilePart, ArtifactPart)):
            continue
        data = content_of(part, index, blobs)
        if data is None:
            continue
        mime, reason = part.mime, ""
        if mime.startswith(_CONTAINERS):  # readers would take its content for body parts of this mail
            mime, reason = OCTET_STREAM, mime
        elif len(mime) > _MAX_TYPE:
            mime, reason = bare_type(mime), "without parameters"
        if reason:
            diagnostics.append(Diagnostic(code="media-type-replaced", at=f"/parts/{index}/mime", detail=reason))
        files[index] = File(mime, data, file_name(part.name or ""))
    return files, diagnostics


def _images(
    response: NormalizedResponse, files: Mapping[int, File], *, seed: bytes, domain: str
) -> tuple[dict[int, File], dict[str, str]]:
    """The images that a text may show, each with a Content-ID, and name → `cid:` URL; the first of a name counts.

    A text names an image as the part or the attachment does, as written or as Markdown encodes it. Most name none.
    """
    images: dict[int, File] = {}
    urls: dict[str, str] = {}
    if not any(isinstance(part, TextPart) and "cid:" in part.content for part in response.parts):
        return images, urls
    for index, file in files.items():
        if file.name is None or not file.mime.startswith("image/"):
            continue
        digest = derive("mail.content-id", seed, str(index), sha256(file.data).digest())
        image = images[index] = file._replace(content_id=f"{digest.hex()[:32]}@{domain}")
        for name in (getattr(response.parts[index], "name", ""), file.name):
            for key in (name, quote(name, safe=_UNQUOTED)):
                urls.setdefault(key, f"cid:{image.content_id}")
    return images, urls


# --- the tree of entities

_TRACE_FIELDS: Final = (
    f'Content-Type: application/json;\r\n profile="{TRACE_PROFILE}"\r\nContent-Transfer-Encoding: base64'
).encode()


class Entity(NamedTuple):
    """A MIME entity (RFC 2045 §2.4): its header fields, and its body as it is sent. Neither ends in a line end."""

    fields: bytes
    body: bytes


def write_body(content: Content, *, seed: bytes) -> Entity:
    """Write the whole body, with the header fields that describe it.

    Text, HTML and trace are alternatives, the trace last. Images are in a `multipart/related` with the HTML that
    shows them, files in a `multipart/mixed` with all of it.

    Args:
        content: What it holds.
        seed: Random bytes, from which the boundaries are made.

    Spec: Normalized Message §10.3; RFC 2046 §5.1; RFC 2387.
    """
    html = _text_entity("html", content.html)
    if content.images:
        html = multipart('related; type="text/html"', [html, *map(_file_entity, content.images)], seed=seed)
    alternatives = [_text_entity("plain", content.text), html]
    if content.trace is not None:
        alternatives.append(Entity(_TRACE_FIELDS, encode_bytes(content.trace)))
    body = multipart("alternative", alternatives, seed=seed)
    if not content.files:
        return body
    return multipart("mixed", [body, *map(_file_entity, content.files)], seed=seed)


def _text_entity(subtype: str, text: str) -> Entity:
    encoding, body = encode_text(text)
    fields = f"Content-Type: text/{subtype}; charset=utf-8\r\nContent-Transfer-Encoding: {encoding}"
    return Entity(fields.encode("ascii"), body)


def _file_entity(file: File) -> Entity:
    fields = file_fields(file.mime, file.name, content_id=file.content_id)
    return Entity("\r\n".join(fields).encode("ascii"), encode_bytes(file.data))


def multipart(subtype: str, entities: Sequence[Entity], *, seed: bytes) -> Entity:
    """Several entities as one.

    Args:
        subtype: Its subtype, with any parameters before the boundary.
        entities: At least one.
        seed: Random bytes. The boundary holds what neither quoted-printable nor base64 ever does, so only text that is
            sent as it is could hold it; a boundary that does is passed over.

    Spec: RFC 2046 §5.1.1.
    """
    number, boundary, delimiter = 0, "", b""
    while not delimiter or any(delimiter in entity.body or delimiter in entity.fields for entity in entities):
        boundary = f"=_{derive('mail.boundary', seed, subtype.partition(';')[0], str(number)).hex()[:32]}"
        delimiter = boundary.encode("ascii")
        number += 1
    lines: list[bytes] = []
    for fields, body in entities:
        lines += (b"--" + delimiter, fields, b"", body)
    lines.append(b"--" + delimiter + b"--")
    words = [*f"multipart/{subtype};".split(" "), f'boundary="{boundary}"']
    return Entity(folded("Content-Type", words).encode("ascii"), b"\r\n".join(lines))


# --- transfer encodings (RFC 2045 §6)

_PLAIN: Final = re.compile(r"[\t\n -~]*+").fullmatch
_MAX_LINE: Final = 998
_BASE64_LINE: Final = 76
_CHANGED_ON_THE_WAY: Final = (" \n", "\t\n", "\nFrom ", "\n.\n")
"""Blanks at line ends are dropped by some, `From` is escaped by mailboxes, a lone dot ends a mail in SMTP."""


class Encoded(NamedTuple):
    """Content with the name of its Content-Transfer-Encoding."""

    encoding: str
    body: bytes


def encode_text(text: str) -> Encoded:
    """Text in UTF-8, as it is where that survives every server; else in what is shorter and most readable.

    Args:
        text: Lines that end in LF.

    Spec: RFC 2045 §6.
    """
    if _PLAIN(text) and (len(text) <= _MAX_LINE or max(map(len, text.split("\n"))) <= _MAX_LINE):
        framed = f"\n{text}\n"
        if not any(change in framed for change in _CHANGED_ON_THE_WAY):
            return Encoded("7bit", text.replace("\n", "\r\n").encode("ascii"))
    data = text.encode()
    if (len(data) - len(text.encode("ascii", "ignore"))) * 6 > len(data):  # three characters for one against four for 3
        return Encoded("base64", encode_bytes(data.replace(b"\n", b"\r\n")))
    body = b2a_qp(data, istext=True)
    if b"From " in body:  # the rest of the line goes into one of its own, so that none becomes too long
        body = (b"\n" + body).replace(b"\nFrom ", b"\n=46rom=\n ")[1:]
    return Encoded("quoted-printable", body.replace(b"\n", b"\r\n"))


def encode_bytes(data: bytes) -> bytes:
    """Any bytes as base64 in lines of 76 characters.

    Spec: RFC 2045 §6.8.
    """
    digits = b2a_base64(data, newline=False)
    return b"\r\n".join([digits[start : start + _BASE64_LINE] for start in range(0, len(digits), _BASE64_LINE)])
