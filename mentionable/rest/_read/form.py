"""The fields of a form in order: its turns, the files of each, and the sidecar fields.

Consecutive fields of one role are one turn. A file belongs to the turn that it follows, whatever the name of its field;
before the first turn, to that one.

Spec: REST transport (multipart order, roles); RFC 7578 §5.2; decisions A8, B7.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, Final, Literal, NamedTuple, TypeAlias, cast

from ..._errors.exceptions import WireError, wire_error
from ..._flow.settings import Limits
from ..._model.diagnostic import Diagnostic
from ..._model.parts import TEXT_MIMES, FilePart, Part, TextMime, TextPart
from ..._text.media import OCTET_STREAM, file_name, media_type, store_blob
from ..._text.plain_text import clean
from ..._transport.json_body import load_body
from .field import ROLES, SIDECARS, USER, Field, data_of

_UTF8: Final = frozenset({"utf-8", "utf8", "us-ascii", "ascii", ""})
_MAX_NAME: Final = 80  # characters of a name in a diagnostic
ABSENT: Final = object()
"""In place of JSON that is absent or cannot be read."""

Role: TypeAlias = Literal["user", "assistant"]


class Turn(NamedTuple):
    """A turn of the conversation."""

    role: Role
    parts: list[Part]


class Form(NamedTuple):
    """A form, split into turns and sidecars.

    Attributes:
        turns: Its turns in order.
        sidecars: The other fields of this transport, by name: the index and the field.
        files: The content of all files, by their SHA-256 in hex.
        blobs: The content over the inline bound, by the same.
        limits: The bounds.
        diagnostics: What was odd in the turns, and of which fields no part was made.
    """

    turns: list[Turn]
    sidecars: Mapping[str, tuple[int, Field]]
    files: Mapping[str, bytes]
    blobs: dict[str, bytes]
    limits: Limits
    diagnostics: Sequence[Diagnostic]

    def json_of(self, name: str) -> tuple[Any, tuple[Diagnostic, ...]]:
        """The JSON of a sidecar; `ABSENT` when there is none, or with a diagnostic when it cannot be read."""
        if name not in self.sidecars:
            return ABSENT, ()
        try:
            return load_body(data_of(self.sidecars[name][1]), self.limits), ()
        except WireError as error:
            return ABSENT, (self.malformed(name, str(error)),)

    def malformed(self, name: str, detail: str) -> Diagnostic:
        """The diagnostic of a sidecar that cannot be read."""
        return Diagnostic(code="sidecar-malformed", at=self.pointer_of(name), detail=detail)

    def text_of(self, name: str) -> str | None:
        """The id in a sidecar; None when there is none.

        Raises:
            WireError: It is too long, or not UTF-8.
        """
        if name not in self.sidecars:
            return None
        pointer = self.pointer_of(name)
        text = _decoded(self.sidecars[name][1], pointer)
        if len(text) > self.limits.id_chars:
            raise wire_error("id-too-long", pointer, f"{len(text)} characters")
        return text or None

    def pointer_of(self, name: str) -> str:
        """The JSON Pointer of a sidecar; empty where there is none."""
        return f"/fields/{self.sidecars[name][0]}" if name in self.sidecars else ""


def read_form(fields: Sequence[Field], limits: Limits) -> Form:
    """Split a form into turns and sidecars.

    Raises:
        WireError: It is too large, a sidecar is there twice, or a text is not UTF-8.
    """
    if len(fields) > limits.parts:
        raise wire_error("too-many-parts", "/fields", f"{len(fields)} fields, at most {limits.parts}")
    size = sum(
        [len(data_of(one)) + len(one.name) + len(one.filename or "") + len(one.content_type or "") for one in fields]
    )
    if size > limits.a2a_bytes:
        raise wire_error("too-large", "/fields", f"{size} bytes, at most {limits.a2a_bytes}")
    turns: list[Turn] = []
    sidecars: dict[str, tuple[int, Field]] = {}
    files: dict[str, bytes] = {}
    blobs: dict[str, bytes] = {}
    diagnostics: list[Diagnostic] = []
    before: list[Part] = []  # files before the first turn
    for index, one in enumerate(fields):
        if one.name in SIDECARS:
            if one.name in sidecars:
                raise wire_error("malformed", f"/fields/{index}", f"{one.name} is there twice")
            sidecars[one.name] = index, one
            continue
        is_file = _is_file(one)
        if one.name in ROLES and (not turns or turns[-1].role != one.name):
            turns.append(Turn(cast("Role", one.name), []))
        parts = turns[-1].parts if turns else before
        if is_file:
            data = data_of(one)
            if data or one.filename:  # browsers send an empty one for an input where no file was chosen
                digest = sha256(data).hexdigest()
                files[digest] = data
                parts.append(
                    FilePart(
                        mime=media_type(one.content_type or "") or OCTET_STREAM,
                        name=file_name(one.filename or ""),
                        bytes_ref=store_blob(data, limits=limits, blobs=blobs, digest=digest),
                        size_bytes=len(data),
                    )
                )
        elif one.name in ROLES:
            text, odd = _read_text(one, f"/fields/{index}")
            diagnostics += odd
            if text.content:  # an empty text is no part
                parts.append(text)
        elif data_of(one):  # perhaps what a person typed, on a page that calls its field otherwise
            detail = f"no part was made of the field {one.name[:_MAX_NAME]!r}, whose name means nothing here"
            diagnostics.append(Diagnostic(code="part-unsupported", at=f"/fields/{index}", detail=detail))
    if before:
        if not turns:
            turns.append(Turn(USER, []))
        turns[0].parts[:0] = before
    return Form(turns, sidecars, files, blobs, limits, diagnostics)


def _is_file(one: Field) -> bool:
    """Whether a field is a file: it has a file name, or is a turn of another media type than text has."""
    if one.filename is not None:
        return True
    return one.name in ROLES and one.content_type is not None and media_type(one.content_type) not in TEXT_MIMES


def _read_text(one: Field, pointer: str) -> tuple[TextPart, tuple[Diagnostic, ...]]:
    """A text, and whether its charset is unknown."""
    diagnostics: tuple[Diagnostic, ...] = ()
    content_type = one.content_type or ""
    charset = content_type.lower().partition("charset=")[2].partition(";")[0].strip(' \t"')
    if isinstance(one.value, bytes) and charset not in _UTF8:
        diagnostics = (Diagnostic(code="charset-unknown", at=pointer, detail=charset[:80]),)
    mime = cast("TextMime", media_type(content_type) or "text/plain")
    return TextPart(content=clean(_decoded(one, pointer)), mime=mime), diagnostics


def _decoded(one: Field, pointer: str) -> str:
    """The text of a field.

    Raises:
        WireError: `not-utf8`, or `lone-surrogate` for text that the framework decoded loosely.
    """
    is_text = isinstance(one.value, str)
    try:
        return data_of(one).decode("utf-8")
    except UnicodeDecodeError:
        raise wire_error("lone-surrogate" if is_text else "not-utf8", pointer, "the text is not UTF-8") from None
