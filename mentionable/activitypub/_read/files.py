"""Files and links of an object: its attachments, its pictures, and the media that it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from ..._errors.exceptions import wire_error
from ..._flow.settings import Limits
from ..._model.base import EMPTY_DICT, FrozenDict, unchecked
from ..._model.diagnostic import Diagnostic
from ..._model.parts import FilePart, LinkPart, UrlRef
from ..._text import media as _files
from ..._text.media import OCTET_STREAM, single_line, url_of
from ..._wire.http import is_web_url
from ..._wire.strict_json import whole_number
from .json_ld import SENSITIVE, Node, authority_of, many, media_type, reference, type_in, web_url
from .words import sensitivity, text_of

_LINKS: Final = frozenset({"Link", "Page", "Note", "Article", "Question", "Event"})
"""The types of attachments that are link parts. Every other attachment with a URL is a file part."""

_PAGES: Final = frozenset({"text/html", "application/xhtml+xml"})
_NO_FILES: Final = {
    "application/x-bittorrent": "a torrent, which is no file of the media",
    "tracker": "a tracker of a torrent, which is no file of the media",
    "metadata": "facts about a file, which are no file of the media",
    "sha256": "digests of a stream, which are no file of the media",
}
"""Media type, relation or name of a link of a video → why it is no part."""

_SAYS_NOTHING: Final = frozenset(SENSITIVE).isdisjoint
"""Whether an attachment does not say if it is sensitive."""

_link = unchecked(LinkPart)
_file = unchecked(FilePart)
_url = unchecked(UrlRef)


class Files(NamedTuple):
    """Files and links.

    Attributes:
        parts: The parts, in order.
        diagnostics: What is no part, and why.
    """

    parts: list[FilePart | LinkPart]
    diagnostics: list[Diagnostic]


class _Use(NamedTuple):
    """What a file is for.

    Attributes:
        purpose: `image`, `icon` or `subtitles`; None for attachments and media.
        is_sensitive: Whether its object is sensitive.
        mime: Its media type where it names none.
    """

    purpose: str | None = None
    is_sensitive: bool = False
    mime: str = OCTET_STREAM


_PLAIN: Final = _Use()


def attachment_parts(node: Node, *, is_sensitive: bool = False, limits: Limits) -> Files:
    """One part for each attachment that has a URL, in order; a diagnostic for each other one.

    Raises:
        WireError: `too-many-attachments`.

    Spec: Normalized Message §5.1 (decision: Document, Image, Audio, Video and whatever else has a URL are files;
    Link, Page and other things to read are links).
    """
    use = _Use(is_sensitive=True) if is_sensitive else _PLAIN
    return _read_all(node.attachments, "attachment", use, limits)


def picture_parts(node: Node, member: str, *, is_sensitive: bool = False, limits: Limits) -> Files:
    """One file for each picture of `image` or `icon`.

    Raises:
        WireError: `too-many-attachments`.
    """
    entries = [{"url": one} if one.__class__ is str else one for one in node.values(member)]
    return _read_all(entries, member, _Use(purpose=member, is_sensitive=is_sensitive), limits)


def subtitle_parts(node: Node, limits: Limits) -> Files:
    """One file for each language of the subtitles of a video, named by the language.

    Raises:
        WireError: `too-many-attachments`.
    """
    use = _Use(purpose="subtitles", mime="text/vtt")
    return _read_all(node.values("subtitleLanguage"), "subtitleLanguage", use, limits)


def media_parts(node: Node, *, is_sensitive: bool = False, limits: Limits) -> Files:
    """What an Audio, Video or Image object itself is, by its `url`, in order: files of its media, and links to pages.

    Links to torrents, trackers and facts about files are no parts. A stream may list its files in `tag`.

    Raises:
        WireError: `too-many-parts`.
    """
    entries = list(_media_entries(node))
    if len(entries) > limits.parts:
        raise wire_error("too-many-parts", "/object/url", f"more than {limits.parts}")
    # The object's own mediaType describes its media only when it is no text type: else it is that of `content`.
    mime = node.media_type
    use = _Use(is_sensitive=is_sensitive, mime=OCTET_STREAM if mime is None or mime.startswith("text/") else mime)
    media = [_medium(entry, pointer, use) for pointer, entry in entries]
    return Files(
        [one for one in media if not isinstance(one, Diagnostic)],
        [one for one in media if isinstance(one, Diagnostic)],
    )


def page_link(node: Node) -> Files:
    """The page on another server that a Page shares in `url`; nothing where `url` is its own address."""
    own = reference(node.raw)
    home = None if own is None else authority_of(own)
    for index, entry in enumerate(node.urls):
        url = web_url(entry)
        if url is None:
            detail = "no http(s) URL of the page"
            return Files([], [Diagnostic(code="url-refused", at=f"/object/url/{index}", detail=detail)])
        if authority_of(url) != home:
            return Files([_link(url=url, title=None, description=None)], [])
    return Files([], [])


def without_repeats(pictures: Files, parts: Iterable[FilePart | LinkPart]) -> Files:
    """The pictures that say more than `parts`: another URL, or a name of their own."""
    known = {part.url if isinstance(part, LinkPart) else url_of(part) for part in parts}
    new = [
        part
        for part in pictures.parts
        if isinstance(part, LinkPart) or part.name is not None or url_of(part) not in known
    ]
    return Files(new, pictures.diagnostics)


def file_name(value: Any) -> str | None:
    """A name that is safe as a file name, or None. Most servers put the description of the picture there."""
    return _files.file_name(value, is_prose=True) if value.__class__ is str else None


def _read_all(entries: Sequence[Any], member: str, use: _Use, limits: Limits) -> Files:
    """One part, or the diagnostic that there is none, for each attachment or picture.

    Raises:
        WireError: `too-many-attachments`.
    """
    if len(entries) > limits.attachments:
        raise wire_error("too-many-attachments", f"/object/{member}", f"more than {limits.attachments}")
    parts: list[FilePart | LinkPart] = []
    diagnostics: list[Diagnostic] = []
    for index, entry in enumerate(entries):
        own = use
        if entry.__class__ is dict and not _SAYS_NOTHING(entry):
            is_sensitive, odd = sensitivity(entry, f"/object/{member}/{index}")
            diagnostics += odd
            own = use._replace(is_sensitive=use.is_sensitive or is_sensitive)
        part = _part(entry, own)
        if part is not None:
            parts.append(part)
        else:
            diagnostics.append(_without_part(entry, f"/object/{member}/{index}"))
    return Files(parts, diagnostics)


def _part(entry: Any, use: _Use) -> FilePart | LinkPart | None:
    """The part of one attachment or picture; None for one without an http(s) URL."""
    if entry.__class__ is str:
        return _link(url=entry, title=None, description=None) if is_web_url(entry) else None
    if entry.__class__ is not dict:
        return None
    url = entry.get("url")
    if url.__class__ is str and is_web_url(url):  # what nearly all servers send
        return _described_part(entry, entry, url, use)
    for target in _targets(entry):
        url = web_url(target)
        if url is not None:
            return _described_part(entry, target if target.__class__ is dict else entry, url, use)
    return None


def _targets(entry: dict[str, Any]) -> Sequence[Any]:
    """What an attachment names as its URL, of any JSON type."""
    return many(entry.get("url")) or many(entry.get("href"))


def _without_part(entry: Any, at: str) -> Diagnostic:
    """Why an attachment is no part."""
    if entry.__class__ is str or (entry.__class__ is dict and _targets(entry)):
        return Diagnostic(code="url-refused", at=at, detail="no http(s) URL of the attachment")
    return Diagnostic(code="part-unsupported", at=at, detail="has no URL")


def _described_part(entry: dict[str, Any], link: dict[str, Any], url: str, use: _Use) -> FilePart | LinkPart:
    """A link or a file for `entry`, whose bytes `link` (itself, or one of its URLs) describes."""
    name = text_of(entry, "name")
    summary = text_of(entry, "summary") if "summary" in entry or "summaryMap" in entry else None
    if use.purpose is None and type_in(entry.get("type"), _LINKS) is not None:
        title, description = ((single_line(text) or None) if text else None for text in (name, summary))
        return _link(url=url, title=title, description=description)
    mime = media_type(link.get("mediaType")) or media_type(entry.get("mediaType")) or use.mime
    size = whole_number(link["size"]) if "size" in link else None
    if size is None and link is not entry:
        size = whole_number(entry.get("size"))
    safe = None if name is None else _files.file_name(name, is_prose=True)
    # Nearly all have a name that is safe, and nothing else to say.
    description = None if summary is None and name == safe else _description(name, safe, summary)
    return _file(
        mime=mime,
        bytes_ref=_url(url=url),
        name=safe if summary is None else safe or file_name(summary),
        size_bytes=size,
        extra=EMPTY_DICT if use is _PLAIN and description is None else _extra(use, description),
    )


def _description(name: str | None, safe: str | None, summary: str | None) -> str | None:
    """The description of a file where its name does not hold it: a name with slashes, a summary next to a name."""
    texts = [] if name is None or single_line(name) == safe else [name]
    if summary is not None and (safe is not None or single_line(summary) != file_name(summary)):
        texts.append(summary)
    lines = (single_line(line) for text in texts for line in text.split("\n"))
    return "\n".join(filter(None, lines)) or None


def _extra(use: _Use, description: str | None = None) -> FrozenDict:
    """The members of ours in a file part."""
    members: dict[str, Any] = {} if description is None else {"description": description}
    if use.purpose is not None:
        members["purpose"] = use.purpose
    if use.is_sensitive:
        members["sensitive"] = True
    return FrozenDict(members) if members else EMPTY_DICT


def _media_entries(node: Node) -> Iterator[tuple[str, Any]]:
    """The links of an Audio, Video or Image, each with its place."""
    for index, entry in enumerate(node.urls):
        pointer = f"/object/url/{index}"
        yield pointer, entry
        if entry.__class__ is dict:
            for number, inner in enumerate(many(entry.get("tag"))):
                if inner.__class__ is dict and "href" in inner:
                    yield f"{pointer}/tag/{number}", inner


def _medium(entry: Any, pointer: str, use: _Use) -> FilePart | LinkPart | Diagnostic:
    """A file of the media, a link to a page, or the diagnostic that it is neither."""
    link = entry if entry.__class__ is dict else {}
    url = web_url(entry)
    if url is None:
        return Diagnostic(code="url-refused", at=pointer, detail="no http(s) URL of the media")
    mime = media_type(link.get("mediaType"))
    for word in (mime, link.get("name"), *many(link.get("rel"))):
        if word.__class__ is str and word in _NO_FILES:
            return Diagnostic(code="part-unsupported", at=pointer, detail=_NO_FILES[word])
    if mime in _PAGES:
        return _link(url=url, title=single_line(text_of(link, "name") or "") or None, description=None)
    return _file(
        mime=mime or (OCTET_STREAM if link else use.mime),
        bytes_ref=_url(url=url),
        name=file_name(text_of(link, "name")),
        size_bytes=whole_number(link.get("size")),
        extra=_extra(use),
    )
