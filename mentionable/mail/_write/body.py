"""The part tree of a mail that is sent: the faces of an answer, what its HTML shows, and its files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from ..._wire.ids import derive
from .._read.message import TRACE_PROFILE
from .encode import encode_bytes, encode_text
from .header_section import file_fields, folded

_TRACE_HEAD: Final = (
    f'Content-Type: application/json;\r\n profile="{TRACE_PROFILE}"\r\nContent-Transfer-Encoding: base64'
).encode()


class File(NamedTuple):
    """A file that goes along.

    Attributes:
        mime: Its media type, which is none of a container.
        data: Its bytes.
        name: A name that is fit for a file.
        content_id: The id, without its `<>`, under which the HTML shows it; None for an attachment.
    """

    mime: str
    data: bytes
    name: str | None = None
    content_id: str | None = None


class Faces(NamedTuple):
    """Everything that the body of an answer is made of.

    Attributes:
        text: For people whose program shows plain text. Lines end in LF.
        html: The same as a document.
        trace: The JSON for programs; None where it is too large.
        images: Files that the HTML shows.
        files: Files that are attached.
    """

    text: str
    html: str
    trace: bytes | None = None
    images: tuple[File, ...] = ()
    files: tuple[File, ...] = ()


class Piece(NamedTuple):
    """A part: its fields, and its body as it is sent. Neither ends in a line end."""

    head: bytes
    body: bytes


def write_body(faces: Faces, *, seed: bytes) -> Piece:
    """The whole body, with the fields that tell what it is.

    The three alternatives follow each other, the one for programs last. Images are in a `multipart/related` with the
    HTML that shows them, files in a `multipart/mixed` with all of it.

    Args:
        faces: What it is made of.
        seed: Random bytes, from which the boundaries are made.

    Spec: Normalized Message §10.3; RFC 2046 §5.1; RFC 2387.
    """
    html = _text_piece("html", faces.html)
    images = [_file_piece(image) for image in faces.images]
    if images:
        html = _multipart("related", [html, *images], seed=seed, more=('type="text/html"',))
    siblings = [_text_piece("plain", faces.text), html]
    if faces.trace is not None:
        siblings.append(Piece(_TRACE_HEAD, encode_bytes(faces.trace)))
    faced = _multipart("alternative", siblings, seed=seed)
    if not faces.files:
        return faced
    return _multipart("mixed", [faced, *[_file_piece(file) for file in faces.files]], seed=seed)


def _text_piece(subtype: str, text: str) -> Piece:
    encoding, body = encode_text(text)
    head = f"Content-Type: text/{subtype}; charset=utf-8\r\nContent-Transfer-Encoding: {encoding}"
    return Piece(head.encode("ascii"), body)


def _file_piece(file: File) -> Piece:
    fields = file_fields(file.mime, file.name, content_id=file.content_id)
    return Piece("\r\n".join(fields).encode("ascii"), encode_bytes(file.data))


def _multipart(subtype: str, pieces: Sequence[Piece], *, seed: bytes, more: Iterable[str] = ()) -> Piece:
    """Several parts as one."""
    boundary = boundary_of(subtype, pieces, seed=seed)
    delimiter = b"--" + boundary.encode("ascii")
    lines: list[bytes] = []
    for head, body in pieces:
        lines += (delimiter, head, b"", body)
    lines.append(delimiter + b"--")
    words = [f"multipart/{subtype};", *[f"{word};" for word in more], f'boundary="{boundary}"']
    return Piece(folded("Content-Type", words).encode("ascii"), b"\r\n".join(lines))


def boundary_of(subtype: str, pieces: Sequence[Piece], *, seed: bytes) -> str:
    """A boundary that occurs in none of the parts.

    It holds what neither quoted-printable nor base64 ever does, so only text that is sent as it is could hold it; a
    boundary that does is passed over.

    Spec: RFC 2046 §5.1.1.
    """
    number = 0
    while True:
        boundary = f"=_{derive('mail.boundary', seed, subtype, str(number)).hex()[:32]}"
        delimiter = boundary.encode("ascii")
        if not any(delimiter in piece.body or delimiter in piece.head for piece in pieces):
            return boundary
        number += 1
