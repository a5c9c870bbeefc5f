"""Reads content blocks of Bedrock's Converse API, which have one member: the name of their kind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from .._text.media import OCTET_STREAM
from .._wire.strict_json import dump_line, well_formed
from ._media import MediaSource, object_in, source_of, text_in
from ._neutral import Block, Call, Dialect, File, Opaque, Result, Text, Thought, fresh
from ._rules import BEDROCK_DOCUMENTS

_BEDROCK: Final[frozenset[Dialect]] = frozenset({"bedrock"})
_TYPES: Final[Mapping[str, str]] = {
    **{word: kind for kind, word in BEDROCK_DOCUMENTS.items()},
    "mp3": "audio/mpeg",
    "three_gp": "video/3gpp",
}
"""A word that Bedrock has for a format, where the media type is not the kind and this word."""

_FILES: Final = ("image", "document", "video", "audio")
_OPAQUE: Final = ("cachePoint", "guardContent", "searchResult")


def bedrock_block(block: Mapping[str, Any], at: str) -> Block | None:
    """Read a block; None if it is none of Bedrock. `text` alone is a block of Gemini too, and read elsewhere."""
    own = [name for name in block if str(name)[:1] != "_"]
    if len(own) != 1:
        return None
    kind = own[0]
    inside = block[kind]
    if kind in _OPAQUE:
        return Opaque(at=at, type=kind, dialects=_BEDROCK, source=block)
    if not isinstance(inside, Mapping):
        return None
    if kind in _FILES:
        return _file(block, kind, inside, at)
    if kind == "toolUse":
        return _call(block, inside, at)
    if kind == "toolResult":
        return _result(block, inside, at)
    if kind == "reasoningContent":
        return Thought(at=at, type=kind, dialects=_BEDROCK, source=block)
    return _cited(block, inside, at) if kind == "citationsContent" else None


def _file(block: Mapping[str, Any], kind: str, inside: Mapping[str, Any], at: str) -> File:
    source, word = object_in(inside, "source"), text_in(inside, "format") or ""
    text = text_in(source, "text")
    media = source_of(source["bytes"]) if "bytes" in source else None
    if media is not None and media.url:
        media = None
    kinds = "application" if kind == "document" else kind
    media_type = _TYPES.get(word) or (f"{kinds}/{word}" if word.isalnum() and word.isascii() else OCTET_STREAM)
    if kind == "document" and text is not None and not word:
        media_type = "text/plain"
    fits = media is not None or text is not None or bool(source.keys() & {"s3Location", "content"})
    data = (media or MediaSource()).data
    return File(
        at=at,
        type=kind,
        dialects=_BEDROCK if fits else frozenset(),
        source=block,
        media_type=media_type,
        data=data,
        text=text if data is None else None,
        name=text_in(inside, "name"),
    )


def _call(block: Mapping[str, Any], inside: Mapping[str, Any], at: str) -> Block:
    id, name, arguments = text_in(inside, "toolUseId"), text_in(inside, "name"), inside.get("input")
    if not name:
        return Opaque(at=at, type="toolUse", source=block)
    dialects = _BEDROCK if id and isinstance(arguments, Mapping) else frozenset()
    return Call(at=at, type="toolUse", dialects=dialects, source=block, id=id or "", name=name, arguments=arguments)


def _result(block: Mapping[str, Any], inside: Mapping[str, Any], at: str) -> Result:
    content, id = inside.get("content"), text_in(inside, "toolUseId") or ""
    items = content if isinstance(content, (list, tuple)) else []
    output: Any = tuple([_in_result(item, f"{at}/toolResult/content/{index}") for index, item in enumerate(items)])
    fits = bool(id and output) and all("bedrock" in item.dialects for item in output)
    if len(items) == 1 and isinstance(items[0], Mapping) and "json" in items[0]:
        output = items[0]["json"]
    elif len(output) == 1 and isinstance(output[0], Text):
        output = output[0].text
    return Result(
        at=at,
        type="toolResult",
        dialects=_BEDROCK if fits else frozenset(),
        source=block,
        id=id,
        name="",
        output=output,
        is_error=inside.get("status") == "error",
    )


def _in_result(item: Any, at: str) -> Block:
    """A block inside the result of a tool: text, JSON, or a file."""
    if not isinstance(item, Mapping):
        return Opaque(at=at, source={})
    if isinstance(item.get("text"), str):
        return Text(at=at, dialects=_BEDROCK, source=item, text=well_formed(item["text"]))
    if "json" in item:
        return Text(at=at, type="json", dialects=_BEDROCK, source=item, text=dump_line(fresh(item["json"], at)))
    block = bedrock_block(item, at)
    return block if isinstance(block, (File, Opaque)) else Opaque(at=at, source=item)


def _cited(block: Mapping[str, Any], inside: Mapping[str, Any], at: str) -> Text:
    """Text of a model with its sources."""
    content = inside.get("content")
    items = content if isinstance(content, (list, tuple)) else ()
    texts = [text_in(item, "text") or "" for item in items if isinstance(item, Mapping)]
    return Text(at=at, type="citationsContent", dialects=_BEDROCK, source=block, text="".join(texts))
