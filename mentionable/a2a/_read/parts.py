"""Parts of all dialects, told apart by the members that are there, as parts of a normalized message.

Spec: Normalized Message §5.2; decisions B5.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ..._errors.exceptions import UsageError, WireError, moved, wire_error
from ..._model.base import replace, trusted
from ..._model.parts import TEXT_MIMES, ArtifactPart, BytesRef, FilePart, LinkPart, Part, TextPart, UnknownPart
from ..._text.media import OCTET_STREAM
from ..._text.plain_text import clean
from ..._wire.http import is_web_url
from ..._wire.strict_json import dump_line
from .fast_path import read_usual
from .files import (
    declared_size,
    file_name,
    is_of_size,
    keep_bytes,
    media_type,
    named_by_digest,
    read_base64,
    read_url,
    undo_double_base64,
)
from .metadata import hints_of
from .parse_context import EMPTY, Reading, members_of
from .tool_events import add_tool_events

DATA_TYPE: Final = "a2a.data"
"""The artifact type of a data part that is nothing more special."""

_KINDS: Final = frozenset({"text", "file", "data"})
_CONTENTS: Final = frozenset({"text", "url", "raw", "file", "data"})
_OUR_DATA: Final = frozenset({"link", "artifact", "unknown"})
"""What a data part of this library may be beside a tool call. Its data is never an object with `data` alone."""

_FILE_CONTENTS: Final = ("uri", "fileWithUri", "bytes", "fileWithBytes")

_text: Final[Callable[..., TextPart]] = trusted(TextPart, "content", "mime")
_file: Final[Callable[..., FilePart]] = trusted(FilePart, "mime", "bytes_ref", "name", "size_bytes")
_artifact: Final[Callable[..., ArtifactPart]] = trusted(ArtifactPart, "mime", "bytes_ref", "name", "artifact_type")


def read_parts(parts: list[Any], at: str, reading: Reading, into: list[Part], places: dict[str, int]) -> None:
    """Adds what `parts` say to `into`, in order.

    A part of an unknown kind and a part with a URL that cannot be passed on are left out with a diagnostic.

    Args:
        parts: The array as it came.
        at: JSON Pointer to the array from the object that holds it.
        reading: The state of reading the unit.
        into: Where to add.
        places: Where in `into` each tool call stands, so that a later event finds its call.

    Raises:
        WireError: A part is broken: `two-contents`, `missing-member`, `wrong-type`, `bad-base64`,
            `duplicate-member`; or there are too many: `too-many-parts`.
    """
    index = read_usual(parts, 0, into, places)
    while index < len(parts):
        noted = len(reading.notes)
        try:
            _read_part(parts[index], reading, into, places)
        except WireError as error:
            raise moved(error, f"{at}/{index}") from None
        if len(reading.notes) > noted:
            reading.move_notes(noted, f"{at}/{index}")
        index = read_usual(parts, index + 1, into, places)
    if len(into) > reading.limits.parts:
        raise wire_error("too-many-parts", at, f"more than {reading.limits.parts} parts")


def _read_part(found: Any, reading: Reading, into: list[Part], places: dict[str, int]) -> None:
    """Adds what one part says to `into`."""
    part = members_of(found, "a part")
    kind = part.get("kind")
    if kind is not None and (kind.__class__ is not str or kind not in _KINDS):
        reading.note("part-unsupported", "", "a part of an unknown kind was left out")
        return
    present = part.keys() & _CONTENTS
    if len(present) != 1 or part[next(iter(present))] is None:
        present = _without_nulls(part, present)
    metadata = part.get("metadata")
    hints = EMPTY if metadata is None else hints_of(metadata)
    if not present:
        if kind is None and part.get("type").__class__ is str:
            reading.note("part-unsupported", "", "a part without a known content was left out")
            return
        raise wire_error("missing-member", "", "has no content")
    content = present.pop()
    if content == "text":
        if hints.get("kind") == "none" and not part["text"]:
            return
        read: Part | None = _read_text(part, metadata)
    elif content == "data":
        _read_data(part, metadata, hints, reading, into, places)
        return
    else:
        read = _read_file(part, content, hints, reading)
    if read is None:
        reading.note("url-refused", "", "a part with a URL that cannot be passed on was left out")
        return
    _add(read, hints, reading, into)


def _add(part: Part, hints: dict[str, Any], reading: Reading, into: list[Part]) -> None:
    """Adds a part, with what the sender says of it apart from the part itself."""
    if hints:
        if hints.get("complete") is True:
            reading.whole.add(len(into))
        elif hints.get("continues") is True:
            reading.pieces.add(len(into))
        if "extra" in hints:
            part = _with_extra(part, hints["extra"])
    into.append(part)


def _with_extra(part: Part, extra: Any) -> Part:
    """The part with members that this version does not know; itself when these are none."""
    if extra.__class__ is not dict:
        return part
    try:
        return replace(part, extra=extra)
    except UsageError:
        return part


def _without_nulls(part: dict[str, Any], present: set[str]) -> set[str]:
    """The one content of a part, or none. Beside another content null counts for nothing; alone, `data` may be null."""
    filled = {name for name in present if part[name] is not None}
    if len(filled) > 1:
        first, second = sorted(filled)[:2]
        raise wire_error("two-contents", "", f"has both {first} and {second}")
    return filled or present & {"data"}


def _stated_mime(part: dict[str, Any], metadata: Any) -> Any:
    """What the sender states as the media type, which v0.3 has no member for but in files."""
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
    return _text(clean(content), mime)


def _read_file(
    part: dict[str, Any], content: str, hints: dict[str, Any], reading: Reading
) -> FilePart | ArtifactPart | None:
    """A part with bytes or a URL; None when the URL cannot be passed on."""
    if content == "file":
        mime, name, url, data = _read_file_object(part, hints, reading)
    else:
        mime, name = media_type(part.get("mediaType")), file_name(part.get("filename"))
        url, data = (part["url"], None) if content == "url" else (None, part["raw"])
    ref: BytesRef | None
    size: int | None
    if url is None:
        ref, size = read_base64(data, reading)
        if hints:
            ref, size = named_by_digest(ref, hints, reading), None if hints.get("unsized") is True else size
    else:
        ref, size = read_url(url, hints), declared_size(hints) if hints else None
        if ref is None:
            return None
    if hints:
        artifact_type = hints.get("artifact_type")
        if hints.get("kind") == "artifact" or artifact_type.__class__ is str:
            return _artifact(mime, ref, name, artifact_type if artifact_type.__class__ is str else None)
    return _file(mime, ref, name, size)


def _read_file_object(
    part: dict[str, Any], hints: dict[str, Any], reading: Reading
) -> tuple[str, str | None, Any, Any]:
    """Media type, name, URL and base64 of a v0.3 file part, of which URL or base64 is None."""
    try:
        file = members_of(part["file"], "a file")
    except WireError as error:
        raise moved(error, "/file") from None
    mime, name = media_type(file.get("mimeType")), file_name(file.get("name"))
    contents = [file[member] for member in _FILE_CONTENTS if file.get(member) is not None]
    if not contents:
        raise wire_error("missing-member", "/file", "has neither a URL nor bytes")
    if len(contents) > 1:
        raise wire_error("two-contents", "/file", "has both a URL and bytes")
    if file.get("uri") is not None or file.get("fileWithUri") is not None:
        return mime, name, contents[0], None
    data = contents[0]
    if file.get("fileWithBytes") is not None and "kind" not in part and not is_of_size(data, declared_size(hints)):
        data = undo_double_base64(data, mime, reading)
    return mime, name, None, data


def _read_data(
    part: dict[str, Any],
    metadata: Any,
    hints: dict[str, Any],
    reading: Reading,
    into: list[Part],
    places: dict[str, int],
) -> None:
    """Adds what a data part says: tool calls, a link, or an artifact of JSON."""
    data, kind = part["data"], hints.get("kind")
    if data.__class__ is dict and len(data) == 1 and data.get("data").__class__ is dict and "kind" not in part:
        is_ours = kind.__class__ is str and kind in _OUR_DATA
        if reading.dialect == "0.3-rest" or "tool_event" in hints or is_ours:
            data = data["data"]
        elif not reading.is_certain:
            reading.note("dialect-unsure", "", "the data may stand in a wrapper of v0.3 REST; it was left in it")
    read: Part | None = None
    if data.__class__ is dict and kind != "artifact":
        if kind == "link":
            read = _read_link(data)
        elif kind == "unknown":
            read = _read_unknown(data)
        if read is None and add_tool_events(data, metadata, into, places):
            if "extra" in hints and (place := places.get(data.get("toolCallId", ""))) is not None:
                into[place] = _with_extra(into[place], hints["extra"])
            return
    if read is None:
        read = _data_artifact(part, data, metadata, hints, reading)
    _add(read, hints, reading, into)


def _read_link(data: dict[str, Any]) -> LinkPart | None:
    """A link part in the form in which this library sends it, or None."""
    url, title, description = data.get("url"), data.get("title"), data.get("description")
    if url.__class__ is not str or not is_web_url(url):
        return None
    return LinkPart(
        url=url,
        title=title if title.__class__ is str else None,
        description=description if description.__class__ is str else None,
    )


def _read_unknown(data: dict[str, Any]) -> UnknownPart | None:
    """A part of a kind that this version does not know, in the form in which this library sends it, or None."""
    extra = dict(data)
    try:
        return UnknownPart(kind=extra.pop("kind", None), extra=extra)
    except UsageError:
        return None


def _data_artifact(
    part: dict[str, Any], data: Any, metadata: Any, hints: dict[str, Any], reading: Reading
) -> ArtifactPart:
    """Any JSON as an artifact."""
    mime = _stated_mime(part, metadata)
    mime = media_type(mime) if mime.__class__ is str else OCTET_STREAM
    if not (mime.startswith("application/") and "json" in mime):
        mime = "application/json"
    artifact_type = hints.get("artifact_type")
    return _artifact(
        mime,
        keep_bytes(dump_line(data).encode(), reading),
        file_name(part.get("filename")),
        artifact_type if artifact_type.__class__ is str else DATA_TYPE,
    )


def as_artifact(part: Part, name: str | None, artifact_id: str, reading: Reading) -> Part:
    """A part of an A2A artifact as an artifact part; tool calls and links stay what they are.

    Spec: Normalized Message §3.2 (file and artifact); decisions B5.
    """
    if part.__class__ is TextPart:
        return _artifact(part.mime, keep_bytes(part.content.encode(), reading), name, artifact_id)
    if part.__class__ is FilePart:
        return _artifact(part.mime, part.bytes_ref, part.name or name, artifact_id)
    if part.__class__ is ArtifactPart:
        own_type = part.artifact_type
        return _artifact(
            part.mime, part.bytes_ref, part.name or name, artifact_id if own_type in (None, DATA_TYPE) else own_type
        )
    return part
