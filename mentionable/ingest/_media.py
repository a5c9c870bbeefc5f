"""Files as the dialects write them, read into one form."""

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
_HALVES: Final = frozenset({"audio", "image", "text", "video"})
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
"""How base64 of a file begins that some dialects carry without its media type."""


class MediaSource(NamedTuple):
    """Where the bytes of a file are: in base64 or behind a URL, and what the place says of their kind."""

    data: str | None = None
    url: str | None = None
    media_type: str | None = None


def located(where: Any) -> MediaSource | None:
    """What an http, https or data URL leads to; None for anything else."""
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


def given(data: Any) -> MediaSource | None:
    """Bytes, base64 or a URL: what may stand in one member of Vercel and Gemini."""
    if isinstance(data, (bytes, bytearray, memoryview)):
        data = b64encode(data).decode("ascii")
    if not isinstance(data, str):
        return None
    if ":" in data[:6]:
        return located(data)
    return MediaSource(data=data, media_type=_kind_by_start(data)) if data and is_base64(data) else None


def _kind_by_start(data: str) -> str | None:
    return next((kind for start, kind in _BY_START.items() if data.startswith(start)), None)


def text_in(block: Mapping[str, Any], *names: str) -> str | None:
    """The first of some members that is text."""
    for name in names:
        if isinstance(member := block.get(name), str):
            return well_formed(member)
    return None


def object_in(block: Mapping[str, Any], *names: str) -> Mapping[str, Any]:
    """The first of some members that is an object; an empty one when none is."""
    for name in names:
        if isinstance(member := block.get(name), Mapping):
            return member
    return {}


def _file(
    block: Mapping[str, Any],
    at: str,
    found: MediaSource | None,
    *,
    said: str | None = None,
    otherwise: str = OCTET_STREAM,
    name: str | None = None,
    native: tuple[Dialect, bool],
) -> File:
    """A file; what it says of its kind itself comes before what its place says."""
    seen = found.media_type if found else None
    kind = (_kind(said) if said else None) or seen or otherwise
    if kind.endswith("/*") and seen and seen.startswith(kind[:-1]):
        kind = seen
    dialect, fits = native
    return File(
        at=at,
        type=str(block.get("type", "")),
        dialects=frozenset({dialect}) if fits else frozenset(),
        source=block,
        media_type=kind,
        data=found.data if found else None,
        url=found.url if found else None,
        name=name,
    )


def _kind(said: str) -> str | None:
    """A media type; of some dialects its first half is enough, with or without `/*`."""
    half = said.removesuffix("/*")
    return f"{half}/*" if half in _HALVES else media_type(said)


def _image_url(block: Mapping[str, Any], at: str) -> File:
    """OpenAI chat; some write the URL where the object belongs."""
    inside = block.get("image_url")
    found = located(object_in(block, "image_url").get("url") if isinstance(inside, Mapping) else inside)
    fits = found is not None and isinstance(inside, Mapping)
    return _file(block, at, found, otherwise=ANY_IMAGE, native=("openai", fits))


def _input_audio(block: Mapping[str, Any], at: str) -> File:
    inside = object_in(block, "input_audio")
    form, data = inside.get("format"), inside.get("data")
    found = MediaSource(data=data) if isinstance(data, str) and data and is_base64(data) else None
    kind = _AUDIO.get(form, f"audio/{form}") if isinstance(form, str) else "audio/*"
    fits = found is not None and kind in _AUDIO.values()
    return _file(block, at, found, said=kind, otherwise="audio/*", native=("openai", fits))


def _input_image(block: Mapping[str, Any], at: str) -> File:
    found, held = located(block.get("image_url")), isinstance(block.get("file_id"), str)
    detailed = block if isinstance(block.get("detail"), str) else {**block, "detail": "auto"}
    odd = found is None and block.get("image_url") is not None
    fits = found is not None or (held and not odd)
    return _file(detailed, at, found, otherwise=ANY_IMAGE, native=("openai-responses", fits))


def _input_file(block: Mapping[str, Any], at: str) -> File:
    data, url = block.get("file_data"), block.get("file_url")
    found = given(data) if data is not None else located(url)
    odd = found is None and (data is not None or url is not None)
    fits = not odd and (found is not None or isinstance(block.get("file_id"), str))
    return _file(block, at, found, name=text_in(block, "filename"), native=("openai-responses", fits))


def _image(block: Mapping[str, Any], at: str) -> File:
    """Anthropic has a `source`; Vercel an `image`; tools that speak MCP have `data`."""
    if "source" in block:
        return _sourced(block, at, ANY_IMAGE)
    found, said = given(block.get("image", block.get("data"))), text_in(block, "mediaType", "mimeType")
    reference = isinstance(block.get("image"), Mapping)
    fits = "image" in block and (found is not None or reference)
    return _file(block, at, found, said=said, otherwise=ANY_IMAGE, native=("vercel", fits))


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
        return _file(block, at, MediaSource(data=data), said=text_in(source, "media_type"), name=name, native=native)
    if kind == "url" and (found := located(source.get("url"))) and found.url:
        if otherwise != ANY_IMAGE:
            found = found._replace(media_type=PDF)
        return _file(block, at, found, otherwise=otherwise, name=name, native=native)
    held = (kind == "file" and isinstance(source.get("file_id"), str)) or (kind == "content" and "content" in source)
    return _file(block, at, None, otherwise=otherwise, name=name, native=("anthropic", held))


def _chat_or_vercel_file(block: Mapping[str, Any], at: str) -> File:
    """OpenAI chat has an object `file`; Vercel, and this library, have `data`, or a `url` in messages for screens."""
    if isinstance(block.get("file"), Mapping):
        inside = object_in(block, "file")
        found = given(inside.get("file_data"))
        odd = found is None and inside.get("file_data") is not None
        fits = not odd and ((found is not None and not found.url) or isinstance(inside.get("file_id"), str))
        return _file(block, at, found, name=text_in(inside, "filename"), native=("openai", fits))
    said, name = text_in(block, "mediaType", "mimeType"), text_in(block, "filename", "name")
    data = block.get("data", block.get("url"))
    fits = isinstance(block.get("mediaType"), str) and "data" in block
    if isinstance(data, Mapping):
        return _tagged(block, at, data, said=said, name=name, fits=fits)
    found = given(data)
    return _file(block, at, found, said=said, name=name, native=("vercel", fits and found is not None))


def _tagged(
    block: Mapping[str, Any], at: str, data: Mapping[str, Any], *, said: str | None, name: str | None, fits: bool
) -> File:
    """A file of Vercel whose `data` says of what kind it is. Its URLs are objects of JavaScript, so they go as text."""
    kind = data.get("type")
    if kind == "text" and isinstance(text := data.get("text"), str):
        made = _file(block, at, None, said=said, otherwise="text/plain", name=name, native=("vercel", False))
        return File(at=at, type="file", source=block, media_type=made.media_type, text=well_formed(text), name=name)
    if kind in ("data", "url"):
        found = given(data.get(kind))
        native = fits and kind == "data" and found is not None and not found.url
        return _file(block, at, found, said=said, name=name, native=("vercel", native))
    return _file(block, at, None, said=said, name=name, native=("vercel", fits))


def _tool_file(block: Mapping[str, Any], at: str) -> File:
    """A file in the result of a tool, as Vercel writes it."""
    image = str(block.get("type"))[:5] == "image"
    found = given(block.get("data", block.get("url")))
    said, name = text_in(block, "mediaType"), text_in(block, "filename")
    otherwise = ANY_IMAGE if image else OCTET_STREAM
    return _file(block, at, found, said=said, otherwise=otherwise, name=name, native=("vercel", found is not None))


FILES: Final[Mapping[str, Callable[[Mapping[str, Any], str], File]]] = {
    "image_url": _image_url,
    "input_audio": _input_audio,
    "input_image": _input_image,
    "input_file": _input_file,
    "image": _image,
    "document": _document,
    "file": _chat_or_vercel_file,
    "file-data": _tool_file,
    "file-url": _tool_file,
    "image-data": _tool_file,
    "image-url": _tool_file,
    "media": _tool_file,
}
"""What a block with a type is called → how it is read."""


def gemini_file(part: Mapping[str, Any], at: str) -> File | None:
    """A part of Gemini that has bytes or names a file; None when it is no such part."""
    if blob := object_in(part, "inline_data", "inlineData"):
        data = blob.get("data")
        if isinstance(data, str):
            data = data.translate(_URL_SAFE)
        found = given(data)
        said, name = text_in(blob, "mime_type", "mimeType"), text_in(blob, "display_name", "displayName")
        fits = found is not None and not found.url and said is not None
        return _file(part, at, found, said=said, name=name, native=("gemini", fits))
    if kept := object_in(part, "file_data", "fileData"):
        uri = text_in(kept, "file_uri", "fileUri")
        said, name = text_in(kept, "mime_type", "mimeType"), text_in(kept, "display_name", "displayName")
        return _file(part, at, located(uri), said=said, name=name, native=("gemini", uri is not None))
    return None
