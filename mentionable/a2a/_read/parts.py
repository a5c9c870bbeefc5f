"""Parts of all dialects, distinguished by their members, as parts of a normalized message.

Spec: Normalized Message §5.2; decisions B5.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Any, Final, NamedTuple, TypeAlias, cast

from ..._errors.exceptions import UsageError, WireError, wire_error, with_prefix
from ..._model.base import UNSET, tuple_maker, unchecked
from ..._model.diagnostic import Diagnostic, prefixed, unread
from ..._model.parts import (
    TEXT_MIMES,
    ArtifactPart,
    BytesRef,
    FilePart,
    LinkPart,
    Part,
    TextMime,
    TextPart,
    ToolCallPart,
    UnknownPart,
    UrlRef,
)
from ..._text import media
from ..._text.media import OCTET_STREAM
from ..._text.plain_text import clean
from ..._wire.http import is_web_url
from ..._wire.strict_json import dump_line
from .files import (
    declared_size,
    double_base64,
    file_name,
    is_of_size,
    media_type,
    named_by_digest,
    read_base64,
    read_url,
    refer_to,
)
from .metadata import hints_of
from .parse_context import EMPTY, ParseContext, members_of
from .tool_events import ToolEvent, read_tool_events, with_event, with_extra

DATA_TYPE: Final = "a2a.data"
"""The artifact type of a data part of no other type."""

KINDS: Final = frozenset({"text", "file", "data"})
_CONTENTS: Final = frozenset({"text", "url", "raw", "file", "data"})
_OUR_DATA: Final = frozenset({"link", "artifact", "unknown"})
"""The kinds of data part of this library, tool calls aside. Their data is never an object with `data` alone."""

_FILE_CONTENTS: Final = ("uri", "fileWithUri", "bytes", "fileWithBytes")

_new_text: Final = unchecked(TextPart)
_new_file: Final = unchecked(FilePart)
_new_url: Final = unchecked(UrlRef)
_new_artifact: Final = unchecked(ArtifactPart)
_new_call: Final = unchecked(ToolCallPart)


class ParsedParts(NamedTuple):
    """The parts of one message or artifact.

    Attributes:
        parts: The parts, in order.
        complete: The indices of artifacts that carry all their metadata themselves.
        continues: The indices of text that goes on with the text before it.
        tool_calls: Id of a tool call → its index.
        updates: Tool calls of earlier messages after the events here, by id.
        diagnostics: What is odd, or was left out.
    """

    parts: list[Part]
    complete: Set[int]
    continues: Set[int]
    tool_calls: Mapping[str, int]
    updates: Mapping[str, ToolCallPart]
    diagnostics: Sequence[Diagnostic] = ()


_parsed: Final = tuple_maker(ParsedParts)

_ReadPart: TypeAlias = tuple[Part | None, Sequence[ToolEvent], dict[str, Any], tuple[Diagnostic, ...]]
"""The part or the tool events of one part, its members in `metadata.mentionable`, and what is odd about it."""

_NO_INDICES: Final[frozenset[int]] = frozenset()
_NO_CALLS: Final[Mapping[str, ToolCallPart]] = {}

NO_PARTS: Final = ParsedParts([], _NO_INDICES, _NO_INDICES, {}, _NO_CALLS)
"""The parts of a missing message."""


def read_parts(
    parts: list[Any], pointer: str, context: ParseContext, earlier: Mapping[str, ToolCallPart] = _NO_CALLS
) -> ParsedParts:
    """Read an array of parts.

    A part of an unknown kind, and a part with a URL that cannot be passed on, is left out with a diagnostic.

    Args:
        parts: The array as it came.
        pointer: JSON Pointer to the array from the object that holds it.
        context: The state of parsing.
        earlier: The tool calls of the messages before, of which these parts may hold events.

    Raises:
        WireError: A part is broken, where the context is not lenient: `two-contents`, `missing-member`, `wrong-type`,
            `bad-base64`, `duplicate-member`; or there are too many: `too-many-parts`.
    """
    result: list[Part] = []
    calls: dict[str, int] = {}
    updates: dict[str, ToolCallPart] = {}
    index = _read_common(parts, 0, result, calls, earlier, updates)
    if index == len(parts) <= context.limits.parts:  # nearly always
        return _parsed(result, _NO_INDICES, _NO_INDICES, calls, updates)
    complete: set[int] = set()
    continues: set[int] = set()
    diagnostics: list[Diagnostic] = []
    while index < len(parts):
        try:
            part, events, hints, odd = _read_part(parts[index], context)
        except WireError as error:
            if not context.is_lenient:
                raise with_prefix(error, f"{pointer}/{index}") from None
            part, events, hints, odd = None, (), EMPTY, (unread(error),)
        if odd:
            diagnostics += prefixed(odd, f"{pointer}/{index}")
            if len(diagnostics) > context.limits.parts:
                raise wire_error("too-many-parts", pointer, f"more than {context.limits.parts} of them cannot be read")
        if part is not None:
            if hints:
                if hints.get("complete") is True:
                    complete.add(len(result))
                elif hints.get("continues") is True:
                    continues.add(len(result))
            result.append(part)
        for event in events:
            _add_event(event, result, calls, earlier, updates)
        index = _read_common(parts, index + 1, result, calls, earlier, updates)
    if len(result) > context.limits.parts:
        raise wire_error("too-many-parts", pointer, f"more than {context.limits.parts} parts")
    return ParsedParts(result, complete, continues, calls, updates, diagnostics)


def _add_event(
    event: ToolEvent,
    result: list[Part],
    calls: dict[str, int],
    earlier: Mapping[str, ToolCallPart],
    updates: dict[str, ToolCallPart],
) -> None:
    """Adds an event to the lists of `read_parts`: to its call there, to that of a message before, or as a new call."""
    place = calls.get(event.id)
    if place is not None:
        result[place] = with_event(cast("ToolCallPart", result[place]), event)
    elif event.id in earlier:
        known = updates.get(event.id, earlier[event.id])
        updates[event.id] = with_event(known, event)
    else:
        calls[event.id] = len(result)
        result.append(with_event(None, event))


def _unsupported(detail: str) -> _ReadPart:
    return None, (), EMPTY, (Diagnostic(code="part-unsupported", detail=detail),)


def _read_part(value: Any, context: ParseContext) -> _ReadPart:
    part = members_of(value, "a part")
    kind = part.get("kind")
    if kind is not None and (kind.__class__ is not str or kind not in KINDS):
        return _unsupported("a part of an unknown kind was left out")
    present = part.keys() & _CONTENTS
    if len(present) != 1 or part[next(iter(present))] is None:
        present = _without_nulls(part, present)
    metadata = part.get("metadata")
    hints = EMPTY if metadata is None else hints_of(metadata)
    if not present:
        if kind is None and part.get("type").__class__ is str:
            return _unsupported("a part without a known content was left out")
        raise wire_error("missing-member", "", "has no content")
    content = present.pop()
    events: Sequence[ToolEvent] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    if content == "text":
        if hints.get("kind") == "none" and not part["text"]:
            return None, (), hints, ()  # A2A requires a part: this library writes this one for a message without parts
        read: Part | None = _read_text(part, metadata)
    elif content == "data":
        read, events, diagnostics = _read_data(part, metadata, hints, context)
    else:
        read, diagnostics = _read_file(part, content, hints, context)
    if read is not None and "extra" in hints:
        read = with_extra(read, hints["extra"])
    return read, events, hints, diagnostics


def _without_nulls(part: dict[str, Any], present: set[str]) -> set[str]:
    """The one content of a part, or none. Null is ignored where there is another content; alone, `data` may be null."""
    filled = {name for name in present if part[name] is not None}
    if len(filled) > 1:
        first, second = sorted(filled)[:2]
        raise wire_error("two-contents", "", f"has both {first} and {second}")
    return filled or present & {"data"}


def _stated_mime(part: dict[str, Any], metadata: Any) -> Any:
    """The media type that the sender states, for which v0.3 has a member in files only."""
    mime = part.get("mediaType")
    return metadata.get("mimeType") if mime is None and metadata.__class__ is dict else mime


def _read_text(part: dict[str, Any], metadata: Any) -> TextPart:
    content = part["text"]
    if content.__class__ is not str:
        raise wire_error("wrong-type", "/text", "the text must be a string")
    mime = _stated_mime(part, metadata)
    if mime.__class__ is not str:
        mime = "text/plain"
    elif mime not in TEXT_MIMES:
        mime = media_type(mime)
        if mime not in TEXT_MIMES:
            mime = "text/plain"
    return _new_text(content=clean(content), mime=cast("TextMime", mime))


class _File(NamedTuple):
    """The members of a file part, of which URL or base64 is None."""

    mime: str
    name: str | None
    url: Any
    data: Any
    diagnostics: tuple[Diagnostic, ...] = ()


def _read_file(
    part: dict[str, Any], content: str, hints: dict[str, Any], context: ParseContext
) -> tuple[FilePart | ArtifactPart | None, tuple[Diagnostic, ...]]:
    """A part with bytes or a URL; None when the URL cannot be passed on."""
    if content == "file":
        mime, name, url, data, diagnostics = _read_file_object(part, hints)
    else:
        mime, name, diagnostics = media_type(part.get("mediaType")), file_name(part.get("filename")), ()
        url, data = (part["url"], None) if content == "url" else (None, part["raw"])
    ref: BytesRef | None
    size: int | None
    if url is None:
        ref, size = read_base64(data, context)
        if hints:
            ref, size = named_by_digest(ref, hints, context), None if hints.get("unsized") is True else size
    else:
        ref, size = read_url(url, hints), declared_size(hints) if hints else None
        if ref is None:
            detail = "a part with a URL that cannot be passed on was left out"
            return None, (Diagnostic(code="url-refused", detail=detail),)
    if hints:
        artifact_type = hints.get("artifact_type")
        if hints.get("kind") == "artifact" or artifact_type.__class__ is str:
            own_type = artifact_type if artifact_type.__class__ is str else None
            return _new_artifact(mime=mime, bytes_ref=ref, name=name, artifact_type=own_type), diagnostics
    return _new_file(mime=mime, bytes_ref=ref, name=name, size_bytes=size), diagnostics


def _read_file_object(part: dict[str, Any], hints: dict[str, Any]) -> _File:
    """The members of a v0.3 file part."""
    try:
        file = members_of(part["file"], "a file")
    except WireError as error:
        raise with_prefix(error, "/file") from None
    mime, name = media_type(file.get("mimeType")), file_name(file.get("name"))
    contents = [file[member] for member in _FILE_CONTENTS if file.get(member) is not None]
    if not contents:
        raise wire_error("missing-member", "/file", "has neither a URL nor bytes")
    if len(contents) > 1:
        raise wire_error("two-contents", "/file", "has both a URL and bytes")
    if file.get("uri") is not None or file.get("fileWithUri") is not None:
        return _File(mime, name, contents[0], None)
    data = contents[0]
    if file.get("fileWithBytes") is not None and "kind" not in part and not is_of_size(data, declared_size(hints)):
        inner = double_base64(data, mime)
        if inner is not None:
            twice = Diagnostic(code="double-base64", detail="the bytes were encoded twice")
            return _File(mime, name, None, inner, (twice,))
    return _File(mime, name, None, data)


def _read_data(
    part: dict[str, Any], metadata: Any, hints: dict[str, Any], context: ParseContext
) -> tuple[Part | None, Sequence[ToolEvent], tuple[Diagnostic, ...]]:
    """Read a data part: tool events, or else a link, a part of an unknown kind, or an artifact of JSON."""
    data, kind = part["data"], hints.get("kind")
    diagnostics: tuple[Diagnostic, ...] = ()
    if data.__class__ is dict and len(data) == 1 and data.get("data").__class__ is dict and "kind" not in part:
        is_ours = kind.__class__ is str and kind in _OUR_DATA
        if context.dialect == "0.3-rest" or "tool_event" in hints or is_ours:
            data = data["data"]  # the ProtoJSON of v0.3 REST wraps the object once more
        elif not context.is_certain:
            detail = "the data may stand in a wrapper of v0.3 REST; it was left in it"
            diagnostics = (Diagnostic(code="dialect-unsure", detail=detail),)
    if data.__class__ is dict and kind != "artifact":
        read: Part | None = None
        if kind == "link":
            read = _read_link(data)
        elif kind == "unknown":
            read = _read_unknown(data)
        if read is not None:
            return read, (), diagnostics
        events = read_tool_events(data, metadata)
        if events is not None:
            return None, events, diagnostics
    return _data_artifact(part, data, metadata, hints, context), (), diagnostics


def _read_link(data: dict[str, Any]) -> LinkPart | None:
    """A link part as this library sends it, or None."""
    url, title, description = data.get("url"), data.get("title"), data.get("description")
    if url.__class__ is not str or not is_web_url(url):
        return None
    return LinkPart(
        url=url,
        title=title if title.__class__ is str else None,
        description=description if description.__class__ is str else None,
    )


def _read_unknown(data: dict[str, Any]) -> UnknownPart | None:
    """A part of a kind that this version does not know, as this library sends it, or None."""
    extra = dict(data)
    try:
        return UnknownPart(kind=extra.pop("kind", None), extra=extra)
    except UsageError:
        return None


def _data_artifact(
    part: dict[str, Any], data: Any, metadata: Any, hints: dict[str, Any], context: ParseContext
) -> ArtifactPart:
    """Any JSON as an artifact."""
    mime = _stated_mime(part, metadata)
    mime = media_type(mime) if mime.__class__ is str else OCTET_STREAM
    if not (mime.startswith("application/") and "json" in mime):
        mime = "application/json"
    artifact_type = hints.get("artifact_type")
    return _new_artifact(
        mime=mime,
        bytes_ref=refer_to(dump_line(data).encode(), context),
        name=file_name(part.get("filename")),
        artifact_type=artifact_type if artifact_type.__class__ is str else DATA_TYPE,
    )


def as_artifact(part: Part, name: str | None, artifact_id: str, context: ParseContext) -> Part:
    """A part of an A2A artifact as an artifact part; tool calls and links stay what they are.

    Spec: Normalized Message §3.2 (file and artifact); decisions B5.
    """
    if part.__class__ is TextPart:
        data = refer_to(part.content.encode(), context)
        return _new_artifact(mime=part.mime, bytes_ref=data, name=name, artifact_type=artifact_id)
    if part.__class__ is FilePart:
        name = part.name or name
        return _new_artifact(mime=part.mime, bytes_ref=part.bytes_ref, name=name, artifact_type=artifact_id)
    if part.__class__ is ArtifactPart:
        own_type = artifact_id if part.artifact_type in (None, DATA_TYPE) else part.artifact_type
        name = part.name or name
        return _new_artifact(mime=part.mime, bytes_ref=part.bytes_ref, name=name, artifact_type=own_type)
    return part


def read_common_parts(parts: list[Any]) -> list[Part] | None:
    """Read parts that all have a common form; None when one of them has another, or may be broken."""
    result: list[Part] = []
    return result if _read_common(parts, 0, result, {}, _NO_CALLS, {}) == len(parts) else None


def _read_common(
    parts: list[Any],
    start: int,
    result: list[Part],
    calls: dict[str, int],
    earlier: Mapping[str, ToolCallPart],
    updates: dict[str, ToolCallPart],
) -> int:
    """Read parts while they have a common form, onto the lists of `read_parts`; the index of the first that has not.

    The forms are text, a file by URL and the start of a tool call, with their common members. The number of members
    proves that there are no others: no second content, no metadata, nothing unknown. `_read_part` reads every other
    part, and these forms to the same result.
    """
    for index in range(start, len(parts)):
        part = parts[index]
        if part.__class__ is not dict:
            return index
        content = part.get("text")
        if content.__class__ is str:
            if len(part) > 1 and not (len(part) == 2 and part.get("kind") == "text"):
                return index
            if "\r" in content or "\0" in content:
                content = clean(content)
            result.append(_new_text(content=content))
            continue
        data, members = part.get("data"), len(part)
        if data.__class__ is dict:
            if members > 1 and not (
                members == 2 and (part.get("mediaType").__class__ is str or part.get("kind") == "data")
            ):
                return index
            call = _read_call_start(data)
            if call is None:
                return index
            if call.id in calls or call.id in earlier:
                _add_event(ToolEvent(call.id, call.name, call.args), result, calls, earlier, updates)
            else:
                calls[call.id] = len(result)
                result.append(call)
            continue
        if members == 3:
            file = _linked(part.get("url"), part.get("filename"), part.get("mediaType"))
        else:
            file = _linked_of_file(part.get("file")) if members == 2 and part.get("kind") == "file" else None
        if file is None:
            return index
        result.append(file)
    return len(parts)


def _linked_of_file(file: Any) -> FilePart | None:
    """The file by URL of a v0.3 `file` member with its common members; None for any other."""
    if file.__class__ is not dict or len(file) != 3:
        return None
    return _linked(file.get("uri"), file.get("name"), file.get("mimeType"))


def _linked(url: Any, name: Any, mime: Any) -> FilePart | None:
    """A file by URL that can be passed on, when all three are text."""
    if url.__class__ is str and name.__class__ is str and mime.__class__ is str and is_web_url(url):
        return _new_file(
            mime=media.media_type(mime) or OCTET_STREAM, bytes_ref=_new_url(url=url), name=media.file_name(name)
        )
    return None


def _read_call_start(data: dict[str, Any]) -> ToolCallPart | None:
    """The call of an event with its tool and input alone; None for any other data."""
    call_id, name, args = data.get("toolCallId"), data.get("toolName"), data.get("input", UNSET)
    if len(data) != 3 or args is UNSET or not call_id or not name:
        return None
    if call_id.__class__ is not str or name.__class__ is not str:
        return None
    return _new_call(id=call_id, name=name, args=args)
