"""Reads parts of pydantic-ai: those of messages have a `part_kind`, those of prompts a `kind`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from .._text.media import OCTET_STREAM, media_type
from .._wire.strict_json import well_formed
from ._media import ANY_IMAGE, MediaSource, object_in, source_at, source_of, text_in
from ._neutral import Block, Call, Dialect, File, Opaque, Result, Text, Thought

_OWN: Final[frozenset[Dialect]] = frozenset({"pydantic-ai"})
_URL_SAFE: Final = str.maketrans("-_", "+/")
_URLS: Final = {
    "image-url": ANY_IMAGE,
    "audio-url": "audio/*",
    "video-url": "video/*",
    "document-url": OCTET_STREAM,
}
"""The kind of a file by its URL → the media type if it names none."""

_TEXTS: Final = ("text", "text-content")
_RESULTS: Final = ("tool-return", "retry-prompt")
_FAILED: Final = ("failed", "denied", "interrupted", "retried")


def pydantic_ai_block(block: Mapping[str, Any], at: str) -> Block:
    """Read a part. One that does not have the form of its kind becomes `Opaque`."""
    kind = block.get("part_kind", block.get("kind"))
    if not isinstance(kind, str):
        return Opaque(at=at, source=block)
    content = block.get("content")
    if kind in (*_TEXTS, "compaction") and isinstance(content, str):
        return Text(at=at, type=kind, dialects=_OWN, source=block, text=well_formed(content))
    if kind == "thinking":
        return Thought(at=at, type=kind, dialects=_OWN if isinstance(content, str) else frozenset(), source=block)
    if kind == "tool-call":
        return _call(block, at)
    if kind in _RESULTS:
        return _result(block, kind, at)
    if kind in _URLS or kind == "binary":
        return _file(block, block, kind, at)
    if kind == "file":
        return _file(block, object_in(block, "content"), "binary", at)
    return Opaque(at=at, type=kind, dialects=frozenset() if kind in _TEXTS else _OWN, source=block)


def _call(block: Mapping[str, Any], at: str) -> Block:
    id, name, arguments = text_in(block, "tool_call_id"), text_in(block, "tool_name"), block.get("args")
    if not name:
        return Opaque(at=at, type="tool-call", source=block)
    dialects = _OWN if id and (arguments is None or isinstance(arguments, (str, Mapping))) else frozenset()
    return Call(at=at, type="tool-call", dialects=dialects, source=block, id=id or "", name=name, arguments=arguments)


def _result(block: Mapping[str, Any], kind: str, at: str) -> Result:
    id, name, content = text_in(block, "tool_call_id"), text_in(block, "tool_name"), block.get("content")
    is_error = kind == "retry-prompt" or block.get("outcome") in _FAILED
    output: Any = content
    if content is None:
        output = ""
    elif isinstance(content, str):
        output = well_formed(content)
    elif isinstance(content, (list, tuple)) and any(map(_is_file, content)) and all(map(_is_item, content)):
        output = tuple([_item(item, f"{at}/content/{index}") for index, item in enumerate(content)])
    return Result(
        at=at,
        type=kind,
        dialects=_OWN if id and name else frozenset(),
        source=block,
        id=id or "",
        name=name or "",
        output=output,
        is_error=is_error,
    )


def _is_file(item: Any) -> bool:
    return isinstance(item, Mapping) and (item.get("kind") == "binary" or item.get("kind") in tuple(_URLS))


def _is_item(item: Any) -> bool:
    return isinstance(item, str) or _is_file(item)


def _item(item: Any, at: str) -> Block:
    if isinstance(item, str):
        return Text(at=at, source={}, text=well_formed(item))
    return pydantic_ai_block(item, at)


def _file(block: Mapping[str, Any], inside: Mapping[str, Any], kind: str, at: str) -> File:
    """A file by its URL or its bytes, which are base64 for URLs."""
    declared = text_in(inside, "media_type")
    media: MediaSource | None
    if kind == "binary":
        data = inside.get("data")
        media = source_of(data.translate(_URL_SAFE) if isinstance(data, str) else data)
        fits = media is not None and media.url is None and declared is not None
        media = media if fits else None
    else:
        media = source_at(inside.get("url"))
        fits = media is not None
    suggested = media.media_type if media else None
    return File(
        at=at,
        type=str(block.get("part_kind", kind)),
        dialects=_OWN if fits else frozenset(),
        source=block,
        media_type=(media_type(declared) if declared else None) or suggested or _URLS.get(kind, OCTET_STREAM),
        data=media.data if media else None,
        url=media.url if media else None,
    )
