"""Reads the files of all dialects."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from .._model.rules import is_base64
from .._text.media import OCTET_STREAM, media_type
from .._wire.http import is_web_url
from .._wire.strict_json import is_text, well_formed
from ._neutral import Dialect, File

ANY_IMAGE: Final = "image/*"
PDF: Final = "application/pdf"

_DATA_URL: Final = re.compile(r"data:([A-Za-z0-9!#$&^_.+-]++/[A-Za-z0-9!#$&^_.+-]++);base64,").match
_URL_SAFE: Final = str.maketrans("-_", "+/")
_AUDIO: Final = {"wav": "audio/wav", "mp3": "audio/mpeg"}
_TOP_LEVEL_TYPES: Final = frozenset({"audio", "image", "text", "video"})
_BY_SUFFIX: Final = {
    "gif": "image/gif",
    "jpeg": "image/jpeg",
    "jpg": "image/jpeg",
    "pdf": PDF,
    "png": "image/png",
    "webp": "image/webp",
}
_BY_START: Final = {
    "iVBORw0KGgo": "image/png",
    "/9j/": "image/jpeg",
    "R0lGOD": "image/gif",
    "UklGR": "image/webp",
    "JVBERi0": PDF,
}
"""The beginning of a file in base64 → its media type, for dialects that may leave the type out."""


class MediaSource(NamedTuple):
    """The bytes of a file in base64, or its URL, and the media type that these suggest."""

    data: str | None = None
    url: str | None = None
    media_type: str | None = None


def source_at(where: Any) -> MediaSource | None:
    """The source of a file at an http, https or data URL; None for any other value."""
    if not isinstance(where, str):
        return None
    if where[:5] == "data:":
        match = _DATA_URL(where)
        data = where[match.end() :] if match else ""
        return MediaSource(data=data, media_type=match[1].lower()) if match and data and is_base64(data) else None
    if not is_web_url(where) or not is_text(where):
        return None
    path = where.partition("?")[0].partition("#")[0]
    return MediaSource(url=where, media_type=_BY_SUFFIX.get(path[-8:].rpartition(".")[2].lower()))


def source_of(data: Any) -> MediaSource | None:
    """The source of a file as bytes, base64 or a URL: Vercel and Gemini have one member for all of these."""
    if isinstance(data, (bytes, bytearray, memoryview)):
        data = b64encode(data).decode("ascii")
    if not isinstance(data, str):
        return None
    if ":" in data[:6]:
        return source_at(data)
    return MediaSource(data=data, media_type=_kind_by_start(data)) if data and is_base64(data) else None


def _kind_by_start(data: str) -> str | None:
    return next((kind for start, kind in _BY_START.items() if data.startswith(start)), None)


def text_in(block: Mapping[str, Any], *names: str) -> str | None:
    """The first of these members that is text."""
    for name in names:
        if isinstance(member := block.get(name), str):
            return well_formed(member)
    return None


def object_in(block: Mapping[str, Any], *names: str) -> Mapping[str, Any]:
    """The first of these members that is an object; an empty one if there is none."""
    for name in names:
        if isinstance(member := block.get(name), Mapping):
            return member
    return {}


def _file(
    block: Mapping[str, Any],
    at: str,
    media: MediaSource | None,
    *,
    declared: str | None = None,
    otherwise: str = OCTET_STREAM,
    name: str | None = None,
    native: tuple[Dialect, bool],
) -> File:
    """Make a file. The media type that the block declares comes before the one that its source suggests."""
    from_place = media.media_type if media else None
    kind = (_kind(declared) if declared else None) or from_place or otherwise
    if kind.endswith("/*") and from_place and from_place.startswith(kind[:-1]):
        kind = from_place
    dialect, fits = native
    return File(
        at=at,
        type=str(block.get("type", "")),
        dialects=frozenset({dialect}) if fits else frozenset(),
        source=block,
        media_type=kind,
        data=media.data if media else None,
        url=media.url if media else None,
        name=name,
    )


def _kind(declared: str) -> str | None:
    """A media type; some dialects allow its first half only, with or without `/*`."""
    half = declared.removesuffix("/*")
    return f"{half}/*" if half in _TOP_LEVEL_TYPES else media_type(declared)


def _image_url(block: Mapping[str, Any], at: str) -> File:
    """OpenAI chat; some programs write the URL in place of the object."""
    inside = block.get("image_url")
    media = source_at(object_in(block, "image_url").get("url") if isinstance(inside, Mapping) else inside)
    fits = media is not None and isinstance(inside, Mapping)
    return _file(block, at, media, otherwise=ANY_IMAGE, native=("openai", fits))


def _input_audio(block: Mapping[str, Any], at: str) -> File:
    inside = object_in(block, "input_audio")
    form, data = inside.get("format"), inside.get("data")
    media = MediaSource(data=data) if isinstance(data, str) and data and is_base64(data) else None
    kind = _AUDIO.get(form, f"audio/{form}") if isinstance(form, str) else "audio/*"
    fits = media is not None and kind in _AUDIO.values()
    return _file(block, at, media, declared=kind, otherwise="audio/*", native=("openai", fits))


def _input_image(block: Mapping[str, Any], at: str) -> File:
    media, has_id = source_at(block.get("image_url")), isinstance(block.get("file_id"), str)
    detailed = block if isinstance(block.get("detail"), str) else {**block, "detail": "auto"}
    odd = media is None and block.get("image_url") is not None
    fits = media is not None or (has_id and not odd)
    return _file(detailed, at, media, otherwise=ANY_IMAGE, native=("openai-responses", fits))


def _input_file(block: Mapping[str, Any], at: str) -> File:
    data, url = block.get("file_data"), block.get("file_url")
    media = source_of(data) if data is not None else source_at(url)
    odd = media is None and (data is not None or url is not None)
    fits = not odd and (media is not None or isinstance(block.get("file_id"), str))
    return _file(block, at, media, name=text_in(block, "filename"), native=("openai-responses", fits))


def _image(block: Mapping[str, Any], at: str) -> File:
    """Anthropic has a `source`; Vercel an `image`; tools that speak MCP have `data`; LangChain `base64` or `url`."""
    if "source" in block:
        return _sourced(block, at, ANY_IMAGE)
    if "base64" in block or ("url" in block and "image" not in block and "data" not in block):
        return _langchain_file(block, at)
    declared = text_in(block, "mediaType", "mimeType", "mime_type")
    media = source_of(block.get("image", block.get("data")))
    reference = isinstance(block.get("image"), Mapping)
    fits = "image" in block and (media is not None or reference)
    return _file(block, at, media, declared=declared, otherwise=ANY_IMAGE, native=("vercel", fits))


def _document(block: Mapping[str, Any], at: str) -> File:
    return _sourced(block, at, OCTET_STREAM)


def _sourced(block: Mapping[str, Any], at: str, otherwise: str) -> File:
    """An image or document of Anthropic."""
    source, name = object_in(block, "source"), text_in(block, "title")
    kind, data = source.get("type"), source.get("data")
    native: tuple[Dialect, bool] = ("anthropic", True)
    if kind == "text" and isinstance(data, str):
        text = well_formed(data)
        source = block if text == data else {**block, "source": {**source, "data": text}}
        return File(
            at=at,
            type="document",
            dialects=frozenset({"anthropic"}),
            source=source,
            media_type="text/plain",
            text=text,
            name=name,
        )
    if kind == "base64" and isinstance(data, str) and data and is_base64(data):
        return _file(
            block, at, MediaSource(data=data), declared=text_in(source, "media_type"), name=name, native=native
        )
    if kind == "url" and (media := source_at(source.get("url"))) and media.url:
        if otherwise != ANY_IMAGE:
            media = media._replace(media_type=PDF)
        return _file(block, at, media, otherwise=otherwise, name=name, native=native)
    has_id = (kind == "file" and isinstance(source.get("file_id"), str)) or (kind == "content" and "content" in source)
    return _file(block, at, None, otherwise=otherwise, name=name, native=("anthropic", has_id))


def _chat_or_vercel_file(block: Mapping[str, Any], at: str) -> File:
    """OpenAI chat has an object `file`; Vercel and this library have `data`, or a `url` in messages for interfaces.

    A file of LangChain has its type as `mime_type`.
    """
    if "base64" in block or ("mime_type" in block and "data" not in block):
        return _langchain_file(block, at)
    if isinstance(block.get("file"), Mapping):
        inside = object_in(block, "file")
        media = source_of(inside.get("file_data"))
        odd = media is None and inside.get("file_data") is not None
        fits = not odd and ((media is not None and not media.url) or isinstance(inside.get("file_id"), str))
        return _file(block, at, media, name=text_in(inside, "filename"), native=("openai", fits))
    declared, name = text_in(block, "mediaType", "mimeType"), text_in(block, "filename", "name")
    data = block.get("data", block.get("url"))
    fits = isinstance(block.get("mediaType"), str) and "data" in block
    if isinstance(data, Mapping):
        return _tagged(block, at, data, declared=declared, name=name, fits=fits)
    media = source_of(data)
    return _file(block, at, media, declared=declared, name=name, native=("vercel", fits and media is not None))


def _tagged(
    block: Mapping[str, Any], at: str, data: Mapping[str, Any], *, declared: str | None, name: str | None, fits: bool
) -> File:
    """A file of Vercel whose `data` has a type. Its URLs are objects of JavaScript, so they are written as text."""
    kind = data.get("type")
    if kind == "text" and isinstance(text := data.get("text"), str):
        file = _file(block, at, None, declared=declared, otherwise="text/plain", name=name, native=("vercel", False))
        return File(at=at, type="file", source=block, media_type=file.media_type, text=well_formed(text), name=name)
    if kind in ("data", "url"):
        media = source_of(data.get(kind))
        native = fits and kind == "data" and media is not None and not media.url
        return _file(block, at, media, declared=declared, name=name, native=("vercel", native))
    return _file(block, at, None, declared=declared, name=name, native=("vercel", fits))


def _langchain_file(block: Mapping[str, Any], at: str) -> File:
    """A standard block of LangChain: its type says what it is, and `mime_type` more exactly."""
    kind = str(block["type"])
    text, name = block.get("text"), text_in(object_in(block, "extras"), "filename") or text_in(block, "title")
    if kind == "text-plain" and isinstance(text, str):
        whole = well_formed(text)
        source = block if whole == text else {**block, "text": whole}
        dialects: frozenset[Dialect] = frozenset({"langchain"})
        return File(at=at, type=kind, dialects=dialects, source=source, media_type="text/plain", text=whole, name=name)
    media = source_of(block["base64"]) if "base64" in block else source_at(block.get("url"))
    declared = text_in(block, "mime_type")
    fits = (media is not None and (media.url is not None or declared is not None)) or "file_id" in block
    otherwise = f"{kind}/*" if kind in _TOP_LEVEL_TYPES else OCTET_STREAM
    return _file(block, at, media, declared=declared, otherwise=otherwise, name=name, native=("langchain", fits))


def _tool_file(block: Mapping[str, Any], at: str) -> File:
    """A file in the result of a tool, as Vercel writes it."""
    image = str(block.get("type"))[:5] == "image"
    media = source_of(block.get("data", block.get("url")))
    declared, name = text_in(block, "mediaType"), text_in(block, "filename")
    otherwise = ANY_IMAGE if image else OCTET_STREAM
    return _file(
        block, at, media, declared=declared, otherwise=otherwise, name=name, native=("vercel", media is not None)
    )


FILES: Final[Mapping[str, Callable[[Mapping[str, Any], str], File]]] = {
    "image_url": _image_url,
    "input_audio": _input_audio,
    "input_image": _input_image,
    "input_file": _input_file,
    "image": _image,
    "document": _document,
    "file": _chat_or_vercel_file,
    "audio": _langchain_file,
    "video": _langchain_file,
    "text-plain": _langchain_file,
    "file-data": _tool_file,
    "file-url": _tool_file,
    "image-data": _tool_file,
    "image-url": _tool_file,
    "media": _tool_file,
}
"""Type of a block → its reader."""


def gemini_file(part: Mapping[str, Any], at: str) -> File | None:
    """The file of a part of Gemini; None for any other part."""
    if blob := object_in(part, "inline_data", "inlineData"):
        data = blob.get("data")
        if isinstance(data, str):
            data = data.translate(_URL_SAFE)
        media = source_of(data)
        declared, name = text_in(blob, "mime_type", "mimeType"), text_in(blob, "display_name", "displayName")
        fits = media is not None and not media.url and declared is not None
        return _file(part, at, media, declared=declared, name=name, native=("gemini", fits))
    if file_data := object_in(part, "file_data", "fileData"):
        uri = text_in(file_data, "file_uri", "fileUri")
        declared, name = text_in(file_data, "mime_type", "mimeType"), text_in(file_data, "display_name", "displayName")
        return _file(part, at, source_at(uri), declared=declared, name=name, native=("gemini", uri is not None))
    return None
