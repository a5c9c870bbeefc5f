"""The fields of the request that asks another agent, and the body that they are written into.

Spec: REST transport (request); RFC 7578; Normalized Message §3.3.4, §3.3.5.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any, Final

from ..._errors.exceptions import UsageError
from ..._model.codec import encode
from ..._model.message import HistoricalMessage, NormalizedMessage
from ..._model.parts import ArtifactPart, CarriedPolicy, FilePart, Part, TextPart
from ..._text.media import file_name
from ..._text.plain_text import clean, part_text
from ..._transport.call import CallContext, forwarded_members
from ..._transport.reply import content_of
from ..._wire.ids import derive
from ..._wire.strict_json import MAX_DEPTH, dump_line, plain, without_null
from .._read.accept import JSON
from .._read.field import HISTORY, PARTS, RESOLUTION, SESSION, USER, Field, data_of
from .._read.multipart import FORM

_TRIES: Final = 16
"""How many boundaries are tried. An author who knows the entropy can write one into the data."""


def sidecars(message: NormalizedMessage, session: str | None, context: CallContext, resolution: Any) -> list[Field]:
    """The fields before the turns."""
    members = forwarded_members(message, context)
    turns = members.pop(HISTORY, None)
    members = without_null({**members, RESOLUTION: resolution, HISTORY: turns})
    fields = [] if session is None else [Field(SESSION, session)]
    return fields + [_json_field(name, value) for name, value in members.items()]


def _json_field(name: str, value: Any) -> Field:
    return Field(name, dump_line(plain(value, max_depth=MAX_DEPTH)), JSON)


def plain_turns(history: Iterable[HistoricalMessage]) -> list[Field]:
    """The prior turns as plain fields, for agents that know no others."""
    fields = [_text(part, turn.role) for turn in history for part in turn.parts]
    return [one for one in fields if one is not None]


def _text(part: Part, role: str) -> Field | None:
    """A part as text; None when there is none in it."""
    if isinstance(part, TextPart):
        content, mime = clean(part.content), part.mime
    else:
        content, mime = part_text(part), "text/plain"
    return Field(role, content, None if mime == "text/plain" else mime) if content else None


def last_turn(parts: tuple[Part, ...], blobs: Mapping[str, bytes], *, is_plain: bool) -> list[Field]:
    """The message itself: its text and files, and all of its parts as JSON where these do not carry everything.

    Args:
        parts: The parts of the message.
        blobs: SHA-256 in hex → bytes.
        is_plain: Whether the plain fields are a turn of their own.

    Raises:
        UsageError: One of the parts is a policy, or its bytes are unknown.
    """
    fields: list[Field] = []
    for index, part in enumerate(parts):
        if isinstance(part, CarriedPolicy):
            raise UsageError(f"parts[{index}]: a policy is answered, not asked")
        one = None
        if isinstance(part, (FilePart, ArtifactPart)):
            data = content_of(part, index, blobs)
            if data is not None:
                one = Field(USER, data, part.mime, file_name(part.name or "") or f"file-{index + 1}")
        one = one or _text(part, USER)
        if one is not None:
            fields.append(one)
    if not any(one.filename is None for one in fields):
        fields.insert(0, Field(USER, ""))
    is_all_text = all(isinstance(part, TextPart) and part.content and not part.extra for part in parts)
    if not parts or not is_all_text or not is_plain:
        fields.append(_json_field(PARTS, encode(parts)))
    return fields


def digest_of(fields: Iterable[Field]) -> bytes:
    """The digest of all that the fields say."""
    digest = sha256()
    for one in fields:
        for item in (one.name.encode(), data_of(one), (one.filename or "").encode()):
            digest.update(len(item).to_bytes(8, "big") + item)
    return digest.digest()


def write_form(fields: Iterable[Field], entropy: bytes) -> tuple[str, bytes]:
    """The fields as multipart/form-data: the media type with its boundary, and the body (RFC 7578 §4)."""
    boundary = _boundary(fields, entropy)
    pieces: list[bytes] = []
    for one in fields:
        header = f'--{boundary}\r\nContent-Disposition: form-data; name="{one.name}"'
        if one.filename is not None:
            name = one.filename.replace('"', "%22")  # as browsers write it (HTML Standard, multipart/form-data)
            header += f'; filename="{name}"'
        if one.content_type is not None:
            charset = "; charset=utf-8" if one.filename is None and one.content_type != JSON else ""
            header += f"\r\nContent-Type: {one.content_type}{charset}"
        pieces += header.encode(), b"\r\n\r\n", data_of(one), b"\r\n"
    pieces.append(f"--{boundary}--\r\n".encode("ascii"))
    return f"{FORM}; boundary={boundary}", b"".join(pieces)


def _boundary(fields: Iterable[Field], entropy: bytes) -> str:
    """A boundary that is in no field."""
    for number in range(_TRIES):
        boundary = "mentionable-" + derive("rest.boundary", entropy, str(number)).hex()[:40]
        delimiter = b"--" + boundary.encode("ascii")
        if not any(delimiter in data_of(one) for one in fields):
            return boundary
    raise UsageError("entropy: every boundary that it gives is in the data; give fresh entropy")
