"""The request that asks another agent: its fields, and the body that they are written into.

Spec: REST transport (request); RFC 7578; Normalized Message §3.3.4, §3.3.5.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any, Final

from ..._errors.exceptions import UsageError
from ..._flow.settings import DEFAULTS
from ..._model.capabilities import NoRelay
from ..._model.codec import encode
from ..._model.message import HistoricalMessage, NormalizedMessage
from ..._model.parts import ArtifactPart, CarriedPolicy, FilePart, Part, TextPart
from ..._text.media import file_name
from ..._text.plain_text import clean, part_text
from ..._transport.call import CallContext
from ..._transport.forwarded import forward_capabilities, forward_turn
from ..._transport.reply import check_size, content_of
from ..._wire import sse as _sse
from ..._wire.http import HttpRequest
from ..._wire.ids import derive, uuid_of
from ..._wire.strict_json import MAX_DEPTH, dump_line, plain
from .._policy import write_receipt
from .._read.accept import JSON
from .._read.field import CAPABILITIES, EVIDENCE, HISTORY, MESSAGE_ID, PARTS, RESOLUTION, SESSION, USER, Field, data_of
from .._read.multipart import FORM

_ACCEPT: Final = f"{JSON}, text/markdown;q=0.8, text/plain;q=0.5, text/html;q=0.3"
_ACCEPT_STREAM: Final = f"{_sse.MEDIA_TYPE}, {JSON};q=0.9"
_TRIES: Final = 16
"""How many boundaries are tried. One that stands in the data comes about when the entropy is known to its author."""


def write_call(
    message: NormalizedMessage,
    *,
    url: str,
    entropy: bytes,
    session: str | None,
    stream: bool,
    context: CallContext,
    blobs: Mapping[str, bytes],
) -> HttpRequest:
    """The request. The arguments are those of `call`, and have been checked.

    Raises:
        UsageError: See `call`.
    """
    resolution, payment = write_receipt(context.receipt) if context.receipt else (None, [])
    fields = list(_sidecars(message, session, context, resolution))
    turns = list(_turns(context.history))
    goes_on = bool(turns) and turns[-1].name == USER  # in plain fields the message could not be told from that turn
    fields += [*turns, *_current(message.parts, blobs, is_plain=not goes_on)]
    message_id = uuid_of(derive("rest.call", entropy, message.id, url, _digest(fields)))
    fields.insert(0, Field(MESSAGE_ID, message_id))
    limits = DEFAULTS.limits
    if len(fields) > limits.parts:
        raise UsageError(f"parts: a form of {len(fields)} fields, at most {limits.parts}")
    boundary = _boundary(fields, entropy)
    body = _body(fields, boundary)
    check_size(body, most=limits.a2a_bytes, what="a body")
    headers = [
        ("content-type", f"{FORM}; boundary={boundary}"),
        ("accept", _ACCEPT_STREAM if stream else _ACCEPT),
        *payment,
    ]
    if context.token is not None:
        headers.append(("authorization", f"Bearer {context.token}"))
    return HttpRequest(method="POST", url=url, headers=headers, body=body)


def _sidecars(
    message: NormalizedMessage, session: str | None, context: CallContext, resolution: Any
) -> Iterator[Field]:
    """The fields before the turns."""
    if session is not None:
        yield Field(SESSION, session)
    capabilities = forward_capabilities(message)
    if not isinstance(capabilities.mention_relay, NoRelay) or capabilities.agent_chain is not None:
        yield _json_field(CAPABILITIES, encode(capabilities))
    if context.evidence:
        yield _json_field(EVIDENCE, encode(context.evidence))
    if resolution is not None:
        yield _json_field(RESOLUTION, resolution)
    if context.history:
        yield _json_field(HISTORY, [encode(forward_turn(turn, context.evidence)) for turn in context.history])


def _json_field(name: str, value: Any) -> Field:
    return Field(name, dump_line(plain(value, max_depth=MAX_DEPTH)), JSON)


# -- turns


def _turns(history: Iterable[HistoricalMessage]) -> Iterator[Field]:
    """The turns as plain fields, for agents that know no others."""
    for turn in history:
        for part in turn.parts:
            yield from _text(part, turn.role)


def _text(part: Part, role: str) -> Iterator[Field]:
    """A part as text, if it says anything."""
    if isinstance(part, TextPart):
        content, mime = clean(part.content), part.mime
    else:
        content, mime = part_text(part), "text/plain"
    if content:
        yield Field(role, content, None if mime == "text/plain" else mime)


def _current(parts: tuple[Part, ...], blobs: Mapping[str, bytes], *, is_plain: bool) -> Iterator[Field]:
    """The message itself: its text and files, and all of its parts as JSON where these do not say everything."""
    plain: list[Field] = []
    for index, part in enumerate(parts):
        if isinstance(part, CarriedPolicy):
            raise UsageError(f"parts[{index}]: a policy is answered, not asked")
        data = content_of(part, index, blobs) if isinstance(part, (FilePart, ArtifactPart)) else None
        if data is None or not isinstance(part, (FilePart, ArtifactPart)):
            plain += _text(part, USER)
        else:
            plain.append(Field(USER, data, part.mime, file_name(part.name or "") or f"file-{index + 1}"))
    if not any(one.filename is None for one in plain):
        plain.insert(0, Field(USER, ""))
    yield from plain
    says_all = all(isinstance(part, TextPart) and part.content and not part.extra for part in parts)
    if not parts or not says_all or not is_plain:
        yield _json_field(PARTS, encode(parts))


# -- the body


def _digest(fields: Iterable[Field]) -> bytes:
    """What is said, as one digest."""
    digest = sha256()
    for one in fields:
        for item in (one.name.encode(), data_of(one), (one.filename or "").encode()):
            digest.update(len(item).to_bytes(8, "big") + item)
    return digest.digest()


def _boundary(fields: list[Field], entropy: bytes) -> str:
    """A boundary that is in no field."""
    for number in range(_TRIES):
        boundary = "mentionable-" + derive("rest.boundary", entropy, str(number)).hex()[:40]
        mark = b"--" + boundary.encode("ascii")
        if not any(mark in data_of(one) for one in fields):
            return boundary
    raise UsageError("entropy: every boundary that it gives stands in the data; give fresh entropy")


def _body(fields: list[Field], boundary: str) -> bytes:
    """The fields as they are transmitted."""
    pieces: list[bytes] = []
    for one in fields:
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="{one.name}"'
        if one.filename is not None:
            name = one.filename.replace('"', "%22")  # as browsers write it (HTML Standard, multipart/form-data)
            head += f'; filename="{name}"'
        if one.content_type is not None:
            charset = "; charset=utf-8" if one.filename is None and one.content_type != JSON else ""
            head += f"\r\nContent-Type: {one.content_type}{charset}"
        pieces += head.encode(), b"\r\n\r\n", data_of(one), b"\r\n"
    pieces.append(f"--{boundary}--\r\n".encode("ascii"))
    return b"".join(pieces)
