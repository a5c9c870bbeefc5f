"""Parts as each dialect writes them, so that the reader of this library gives back the same parts.

`metadata.mentionable` of a part holds what A2A has no member for: `kind` (`link`, `artifact`, `unknown`, `none`),
`artifact_type`, `size_bytes`, `unsized`, `sha256`, `expires_at`, `extra`, and members of tool calls. `complete` marks
an artifact that takes nothing from the object around it, `continues` text that continues the text before it.

Spec: Normalized Message §3.2, §5.2; A2A tool events v0.1.
"""

from __future__ import annotations

from binascii import b2a_base64
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple

from ..._errors.exceptions import UsageError, WireError
from ..._model.base import UNSET
from ..._model.diagnostic import Diagnostic
from ..._model.parts import (
    ArtifactPart,
    CarriedPolicy,
    DigestRef,
    FilePart,
    InlineRef,
    LinkPart,
    Part,
    TextPart,
    ToolCallPart,
    UnknownPart,
)
from ..._model.rules import bare_type
from ..._text.media import bytes_of, file_name, inline_size
from ..._text.plain_text import clean
from ..._transport.reply import NO_BLOBS, content_of
from ..._wire.strict_json import dump_line, loads
from .._protocol import Json
from .._read.parts import DATA_TYPE
from .dialects import Dialect

_MAX_DEPTH: Final = 52
"""How deep JSON inside a part may be nested: readers accept 64 levels in all."""

NOTHING: Final = {"kind": "none"}
"""The hints of the one text part of a message that has none: A2A wants at least one."""


class _EncodeContext(NamedTuple):
    """The state while parts are written: the arguments of `write_parts`, and its diagnostics."""

    dialect: Dialect
    blobs: Mapping[str, bytes]
    diagnostics: list[Diagnostic]

    def note(self, pointer: str, detail: str) -> None:
        """Note what cannot be carried as it is."""
        self.diagnostics.append(Diagnostic(code="part-changed", at=pointer, detail=detail))

    def leave_out(self, extra: Mapping[str, Any], pointer: str) -> None:
        """Note members of other versions, where A2A has no place for them."""
        self.diagnostics.extend(dropped_extra(extra, pointer))


def dropped_extra(extra: Mapping[str, Any], pointer: str) -> tuple[Diagnostic, ...]:
    """The diagnostic of members of other versions, where A2A has no place for them."""
    if not extra:
        return ()
    detail = "there is no place for members of other versions; they were left out"
    return (Diagnostic(code="part-changed", at=f"{pointer}/extra", detail=detail),)


def write_parts(
    parts: Iterable[Part], dialect: Dialect, blobs: Mapping[str, bytes] = NO_BLOBS
) -> tuple[list[Json], list[Diagnostic]]:
    """The parts in one dialect, and what of them cannot be carried. They share JSON with the parts.

    Raises:
        UsageError: A part is named by its digest alone and `blobs` does not have it, holds JSON that is nested too
            deeply, or is a policy.
    """
    context = _EncodeContext(dialect, blobs, [])
    return [_WRITERS[part.__class__](part, index, context) for index, part in enumerate(parts)], context.diagnostics


def write_nothing(dialect: Dialect) -> Json:
    """An empty part, for a message without parts."""
    return hinted(dialect.text("", "text/plain"), dict(NOTHING))


def hinted(written: Json, hints: Json) -> Json:
    """A part with its members of `metadata.mentionable`."""
    if hints:
        written.setdefault("metadata", {})["mentionable"] = hints
    return written


def _shallow(value: Any, index: int, member: str) -> Any:
    """JSON of a part; `UsageError` when it is so deep that readers would reject it."""
    level = [value] if isinstance(value, (dict, list)) else []
    for _ in range(_MAX_DEPTH):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, (dict, list))
        ]
        if not level:
            return value
    raise UsageError(f"parts[{index}].{member}: nested too deeply for A2A")


def _with_extra(part: Part, index: int, hints: Json) -> Json:
    """The hints with the members of the part that this version does not know."""
    if part.extra:
        hints["extra"] = _shallow(part.extra, index, "extra")
    return hints


def _text(part: TextPart, index: int, context: _EncodeContext) -> Json:
    content = clean(part.content)
    if content != part.content:
        context.note(f"/parts/{index}/content", "its line ends became LF, and NUL went out")
    written = context.dialect.text(content, part.mime)
    return hinted(written, _with_extra(part, index, {})) if part.extra else written


def _link(part: LinkPart, index: int, context: _EncodeContext) -> Json:
    data = {"url": part.url}
    if part.title is not None:
        data["title"] = part.title
    if part.description is not None:
        data["description"] = part.description
    return hinted(context.dialect.data(data), _with_extra(part, index, {"kind": "link"}))


def _unknown(part: UnknownPart, index: int, context: _EncodeContext) -> Json:
    """Any JSON may be data: peers that do not know the kind read an object."""
    return hinted(
        context.dialect.data({"kind": part.kind, **_shallow(part.extra, index, "extra")}), {"kind": "unknown"}
    )


def _tool_call(part: ToolCallPart, index: int, context: _EncodeContext) -> Json:
    args = _shallow(part.args, index, "args")
    data: Json = {"type": "tool-call", "toolCallId": part.id, "toolName": part.name, "input": args}
    if part.error is not None:
        data["type"], data["error"] = "tool-error", {"message": part.error.message}
        context.leave_out(part.error.extra, f"/parts/{index}/error")
    elif part.result is not UNSET:
        data["type"], data["output"] = "tool-result", _shallow(part.result, index, "result")
    hints: Json = {"tool_event": "v0.1"}
    if part.duration_ms is not None:
        hints["duration_ms"] = part.duration_ms
    if part.started_at is not None:
        hints["started_at"] = part.started_at
    return hinted(context.dialect.data(data), _with_extra(part, index, hints))


def _file(part: FilePart, index: int, context: _EncodeContext) -> Json:
    written, size, hints = _content(part, index, context)
    if size is None:
        if part.size_bytes is not None:
            hints["size_bytes"] = part.size_bytes
    elif part.size_bytes is None:
        hints["unsized"] = True
    elif part.size_bytes != size:
        context.note(f"/parts/{index}/size_bytes", f"it has {size} bytes")
    return hinted(written, _with_extra(part, index, hints))


def _artifact(part: ArtifactPart, index: int, context: _EncodeContext) -> Json:
    written = _data(part, index, context) if part.artifact_type == DATA_TYPE else None
    hints: Json = {"kind": "artifact"}
    if written is None:
        written, _, stated = _content(part, index, context)
        hints |= stated
    if part.artifact_type is not None:
        hints["artifact_type"] = part.artifact_type
    return hinted(written, _with_extra(part, index, hints))


def _name(part: FilePart | ArtifactPart, index: int, context: _EncodeContext) -> str | None:
    """The name of a file as every reader accepts it."""
    if part.name is None:
        return None
    name = file_name(part.name)
    if name != part.name:
        detail = "there is nothing in it that may name a file" if name is None else f"it goes out as {name!r}"
        context.note(f"/parts/{index}/name", detail)
    return name


def _content(part: FilePart | ArtifactPart, index: int, context: _EncodeContext) -> tuple[Json, int | None, Json]:
    """A file, the number of its bytes when they are inline, and its hints."""
    dialect, reference, mime, name = context.dialect, part.bytes_ref, part.mime, _name(part, index, context)
    context.leave_out(reference.extra, f"/parts/{index}/bytes_ref")
    hints: Json = {}
    if isinstance(reference, InlineRef):
        data = reference.data_base64
        size = inline_size(data)
    elif isinstance(reference, DigestRef):
        hints["sha256"] = reference.digest
        if reference.url is not None:
            return dialect.file(dialect.url, reference.url, mime, name), None, hints
        content = content_of(part, index, context.blobs) or b""
        data, size = b2a_base64(content, newline=False).decode("ascii"), len(content)
    else:
        if reference.expires_at is not None:
            hints["expires_at"] = reference.expires_at
        return dialect.file(dialect.url, reference.url, mime, name), None, hints
    written = dialect.file(dialect.raw, data, mime, name)
    if dialect.raw == "fileWithBytes":  # where some peers encode twice, the size proves that we did not
        hints["size_bytes"] = size
    return written, size, hints


def _data(part: ArtifactPart, index: int, context: _EncodeContext) -> Json | None:
    """An artifact that came as a data part as one again, when its reader will get exactly its bytes."""
    content = bytes_of(part) if isinstance(part.bytes_ref, InlineRef) else None
    if content is None or not ((kind := bare_type(part.mime)).startswith("application/") and "json" in kind):
        return None
    try:
        data = loads(content, max_bytes=len(content), safe_integers=False)
    except WireError:
        return None
    is_wrapper = data.__class__ is dict and len(data) == 1 and "data" in data
    if data is None or is_wrapper or dump_line(data).encode() != content:
        return None
    dialect = context.dialect
    if not dialect.has_flat_parts and (data.__class__ is not dict or part.name is not None):
        return None
    context.leave_out(part.bytes_ref.extra, f"/parts/{index}/bytes_ref")
    written = dialect.data(data)
    if dialect.has_flat_parts:
        written["mediaType"] = part.mime
        name = _name(part, index, context)
        if name is not None:
            written["filename"] = name
    elif part.mime != "application/json":
        written["metadata"] = {"mimeType": part.mime}
    return written


def _policy(_: CarriedPolicy, index: int, __: _EncodeContext) -> Json:
    raise UsageError(f"parts[{index}]: a policy is answered, not asked")


_WRITERS: Final[Mapping[type, Callable[[Any, int, _EncodeContext], Json]]] = {
    TextPart: _text,
    FilePart: _file,
    LinkPart: _link,
    ArtifactPart: _artifact,
    ToolCallPart: _tool_call,
    UnknownPart: _unknown,
    CarriedPolicy: _policy,
}
