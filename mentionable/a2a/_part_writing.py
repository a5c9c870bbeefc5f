"""Parts as each dialect writes them, so that the reader of this library gives back the same parts.

What A2A has no member for stands in `metadata.mentionable` of a part: `kind` (`link`, `artifact`, `unknown`, `none`),
`artifact_type`, `size_bytes`, `unsized`, `sha256`, `expires_at`, `extra`, and what belongs to tool calls. Where they
matter, `complete` and `continues` say how the part stands to what is around it.

Spec: Normalized Message §3.2, §5.2; A2A tool events v0.1.
"""

from __future__ import annotations

from binascii import b2a_base64
from typing import TYPE_CHECKING, Any, Final

from .._errors import UsageError, WireError
from .._files import bytes_of, file_name
from .._json import dump_line, loads, plain
from .._model.parts import (
    ArtifactPart,
    CarriedPolicy,
    DigestRef,
    FilePart,
    InlineRef,
    LinkPart,
    TextPart,
    ToolCallPart,
    UnknownPart,
)
from .._reply import content_of
from .._text import clean
from .._value import UNSET
from ._parts import DATA_TYPE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from .._model.parts import Part
    from ._dialects import Dialect, Json

    _Blobs = Mapping[str, bytes]

_DEPTH: Final = 52
"""How deep JSON inside a part may be nested: it stands some levels down, and readers take 64 levels in all."""

NOTHING: Final = {"kind": "none"}
"""The hints of the one text part of a message that has none: A2A wants at least one."""


def write_parts(parts: Iterable[Part], dialect: Dialect, blobs: _Blobs, *, first: int = 0) -> list[Json]:
    """The parts in one dialect.

    Args:
        parts: The parts, without a policy.
        dialect: How to write.
        blobs: SHA-256 in hex → bytes, for files that are named by their digest alone.
        first: The number of the first part in its response, for errors.

    Raises:
        UsageError: A part is named by its digest alone and `blobs` does not have it, or is a policy.
    """
    return [_WRITERS[part.__class__](part, index, dialect, blobs) for index, part in enumerate(parts, first)]


def write_nothing(dialect: Dialect) -> Json:
    """A part that says nothing, for a message without parts."""
    return hinted(dialect.text("", "text/plain"), dict(NOTHING))


def hinted(written: Json, hints: Json) -> Json:
    """A part with what A2A has no member for."""
    if hints:
        written.setdefault("metadata", {})["mentionable"] = hints
    return written


def _fresh(value: Any, index: int, member: str) -> Any:
    """A copy of JSON that a part holds; `UsageError` when nobody would read it."""
    try:
        return plain(value, max_depth=_DEPTH)
    except UsageError as error:
        raise UsageError(f"parts[{index}].{member}: {error}") from None


def _with_extra(part: Part, index: int, hints: Json) -> Json:
    """The hints with the members of the part that this version does not know."""
    if part.extra:
        hints["extra"] = _fresh(part.extra, index, "extra")
    return hints


def _text(part: TextPart, index: int, dialect: Dialect, _: _Blobs) -> Json:
    written = dialect.text(clean(part.content), part.mime)
    return hinted(written, _with_extra(part, index, {})) if part.extra else written


def _link(part: LinkPart, index: int, dialect: Dialect, _: _Blobs) -> Json:
    data = {"url": part.url}
    if part.title is not None:
        data["title"] = part.title
    if part.description is not None:
        data["description"] = part.description
    return hinted(dialect.data(data), _with_extra(part, index, {"kind": "link"}))


def _unknown(part: UnknownPart, index: int, dialect: Dialect, _: _Blobs) -> Json:
    """Any JSON may be data; a peer that knows the kind finds it, others see an object."""
    return hinted(dialect.data({"kind": part.kind, **_fresh(part.extra, index, "extra")}), {"kind": "unknown"})


def _tool_call(part: ToolCallPart, index: int, dialect: Dialect, _: _Blobs) -> Json:
    args = _fresh(part.args, index, "args")
    data: Json = {"type": "tool-call", "toolCallId": part.id, "toolName": part.name, "input": args}
    if part.error is not None:
        data["type"], data["error"] = "tool-error", {"message": part.error.message}
    elif part.result is not UNSET:
        data["type"], data["output"] = "tool-result", _fresh(part.result, index, "result")
    hints: Json = {"tool_event": "v0.1"}
    if part.duration_ms is not None:
        hints["duration_ms"] = part.duration_ms
    if part.started_at is not None:
        hints["started_at"] = part.started_at
    return hinted(dialect.data(data), _with_extra(part, index, hints))


def _file(part: FilePart, index: int, dialect: Dialect, blobs: _Blobs) -> Json:
    written, size, hints = _content(part, index, dialect, blobs)
    if size is None:
        if part.size_bytes is not None:
            hints["size_bytes"] = part.size_bytes
    elif part.size_bytes is None:
        hints["unsized"] = True
    return hinted(written, _with_extra(part, index, hints))


def _artifact(part: ArtifactPart, index: int, dialect: Dialect, blobs: _Blobs) -> Json:
    written = _data(part, dialect) if part.artifact_type == DATA_TYPE else None
    hints: Json = {"kind": "artifact"}
    if written is None:
        written, _, stated = _content(part, index, dialect, blobs)
        hints |= stated
    if part.artifact_type is not None:
        hints["artifact_type"] = part.artifact_type
    return hinted(written, _with_extra(part, index, hints))


def _content(
    part: FilePart | ArtifactPart, index: int, dialect: Dialect, blobs: _Blobs
) -> tuple[Json, int | None, Json]:
    """A file, the number of its bytes when they are inside, and what is to be said about it."""
    reference, mime = part.bytes_ref, part.mime
    name = file_name(part.name) if part.name else None
    hints: Json = {}
    if isinstance(reference, InlineRef):
        data = reference.data_base64
        size = len(data) // 4 * 3 - data.count("=", -2)
    elif isinstance(reference, DigestRef):
        hints["sha256"] = reference.digest
        if reference.url is not None:
            return dialect.url(reference.url, mime, name), None, hints
        content = content_of(part, index, blobs) or b""
        data, size = b2a_base64(content, newline=False).decode("ascii"), len(content)
    else:
        if reference.expires_at is not None:
            hints["expires_at"] = reference.expires_at
        return dialect.url(reference.url, mime, name), None, hints
    written = dialect.raw(data, mime, name)
    if "fileWithBytes" in written.get("file", ()):  # where some peers encode twice, the size tells that we did not
        hints["size_bytes"] = size
    return written, size, hints


def _data(part: ArtifactPart, dialect: Dialect) -> Json | None:
    """An artifact that came as a data part as one again, when its bytes are exactly what its reader will make of it."""
    content = bytes_of(part) if isinstance(part.bytes_ref, InlineRef) else None
    if content is None or not (part.mime.startswith("application/") and "json" in part.mime):
        return None
    try:
        data = loads(content, max_bytes=len(content), safe_integers=False)
    except WireError:
        return None
    is_wrapper = data.__class__ is dict and len(data) == 1 and "data" in data
    if data is None or is_wrapper or dump_line(data).encode() != content:
        return None
    if not dialect.takes_any_data and (data.__class__ is not dict or part.name is not None):
        return None
    written = dialect.data(data)
    if dialect.takes_any_data:
        written["mediaType"] = part.mime
        if part.name and (name := file_name(part.name)):
            written["filename"] = name
    elif part.mime != "application/json":
        written["metadata"] = {"mimeType": part.mime}
    return written


def _policy(_: CarriedPolicy, index: int, __: Dialect, ___: _Blobs) -> Json:
    raise UsageError(f"parts[{index}]: a policy is answered, not asked")


_WRITERS: Final[Mapping[type, Callable[[Any, int, Dialect, _Blobs], Json]]] = {
    TextPart: _text,
    FilePart: _file,
    LinkPart: _link,
    ArtifactPart: _artifact,
    ToolCallPart: _tool_call,
    UnknownPart: _unknown,
    CarriedPolicy: _policy,
}
