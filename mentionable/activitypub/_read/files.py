"""Attachments and media links → file and link parts. Nothing is fetched and no name is ever used as a path."""

from __future__ import annotations

from typing import Any, Final

from ..._errors.exceptions import wire_error
from ..._flow.settings import Limits
from ..._model.base import trusted
from ..._model.diagnostic import Diagnostic
from ..._model.parts import FilePart, LinkPart, UrlRef
from ..._text import media as _files
from ..._text.media import OCTET_STREAM, one_line
from ..._wire.http import is_web_url
from ..._wire.strict_json import MAX_SAFE_INTEGER
from .iri import many, type_in, web_url

_LINKS: Final = frozenset({"Link", "Page", "Note", "Article", "Question", "Event"})
"""Types that one opens and reads; everything else with a URL is a file."""

_file = trusted(FilePart, "mime", "bytes_ref", "name", "size_bytes")
_link = trusted(LinkPart, "url", "title", "description")
_url = trusted(UrlRef, "url")


def media_type(value: Any) -> str | None:
    """A media type from the wire in lower case without parameters, or None when it is none."""
    return _files.media_type(value) if value.__class__ is str else None


def attachment_parts(document: dict[str, Any], *, limits: Limits, notes: list[Diagnostic]) -> list[FilePart | LinkPart]:
    """One part for each attachment that has a URL, in order.

    Raises:
        WireError: `too-many-attachments`.

    Spec: Normalized Message §5.1 (decision: Document, Image, Audio, Video and whatever else has a URL are files;
    Link, Page and other things to read are links).
    """
    entries = many(document.get("attachment"))
    if len(entries) > limits.attachments:
        raise wire_error("too-many-attachments", "/object/attachment", f"more than {limits.attachments}")
    parts: list[FilePart | LinkPart] = []
    for index, entry in enumerate(entries):
        code, part = _attachment(entry)
        if part is not None:
            parts.append(part)
        elif code == "url-refused":
            detail = "no http(s) URL of the attachment"
            notes.append(Diagnostic(code="url-refused", at=f"/object/attachment/{index}", detail=detail))
        else:
            notes.append(Diagnostic(code="part-unsupported", at=f"/object/attachment/{index}", detail="has no URL"))
    return parts


def media_parts(document: dict[str, Any], *, notes: list[Diagnostic]) -> list[FilePart]:
    """The media that an Audio, Video or Image object itself is: one file for each of its `url[]`, in order."""
    parts: list[FilePart] = []
    for index, entry in enumerate(many(document.get("url"))):
        link = entry if entry.__class__ is dict else {}
        url = web_url(entry)
        if url is None:
            detail = "no http(s) URL of the media"
            notes.append(Diagnostic(code="url-refused", at=f"/object/url/{index}", detail=detail))
            continue
        mime = media_type(link.get("mediaType")) or (None if link else _of_media(document))
        parts.append(_file(mime or OCTET_STREAM, _url(url), file_name(link.get("name")), _size(link)))
    return parts


def _of_media(document: dict[str, Any]) -> str | None:
    """The media type of an object when it can only mean its media, not its words."""
    mime = media_type(document.get("mediaType"))
    return None if mime is None or mime.startswith("text/") else mime


def _attachment(entry: Any) -> tuple[str, FilePart | LinkPart | None]:
    """The part of one attachment; without one, the code that says why."""
    if entry.__class__ is str:
        return ("", _link(entry, None, None)) if is_web_url(entry) else ("url-refused", None)
    if entry.__class__ is not dict:
        return "part-unsupported", None
    url = entry.get("url")
    if url.__class__ is str:  # What nearly all servers send.
        return ("", _part(entry, entry, url)) if is_web_url(url) else ("url-refused", None)
    targets = many(url) or many(entry.get("href"))
    for target in targets:
        url = web_url(target)
        if url is not None:
            return "", _part(entry, target if target.__class__ is dict else entry, url)
    return "url-refused" if targets else "part-unsupported", None


def _part(entry: dict[str, Any], link: dict[str, Any], url: str) -> FilePart | LinkPart:
    """A link or a file for `entry`, whose bytes `link` (itself, or one of its URLs) describes."""
    if type_in(entry.get("type"), _LINKS) is not None:
        return _link(url, _line(entry.get("name")), _line(entry.get("summary")))
    mime = media_type(link.get("mediaType")) or media_type(entry.get("mediaType")) or OCTET_STREAM
    size = _size(link)
    if size is None and link is not entry:
        size = _size(entry)
    return _file(mime, _url(url), file_name(entry.get("name")), size)


def _size(link: dict[str, Any]) -> int | None:
    """The size that is stated, when it is sane."""
    size = link.get("size")
    return size if size.__class__ is int and 0 <= size <= MAX_SAFE_INTEGER else None


def _line(value: Any) -> str | None:
    """A name as one line of text, or None."""
    return (one_line(value) or None) if value.__class__ is str else None


def file_name(value: Any) -> str | None:
    """A name that is safe as a file name, or None. Most servers put the description of the picture there."""
    return _files.file_name(value, is_prose=True) if value.__class__ is str else None
