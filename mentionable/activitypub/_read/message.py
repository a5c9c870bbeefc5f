"""What the object of an activity says: the parts of a message, its trace, and its place in a thread."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import NoneType
from typing import Any, Final, NamedTuple

from ..._errors.exceptions import wire_error
from ..._flow.asks import Fetch
from ..._flow.flow import Flow
from ..._flow.settings import Limits
from ..._html.convert import html_to_text
from ..._model.base import replace, unchecked
from ..._model.diagnostic import Diagnostic
from ..._model.parts import TEXT_MIMES, FilePart, LinkPart, Part, TextMime, TextPart, UrlRef
from ..._text import media as _files
from ..._text.media import OCTET_STREAM, single_line
from ..._text.plain_text import clean
from ..._transport.delivery import CarriedTrace
from ..._wire.http import is_fetchable_url, is_web_url
from ..._wire.strict_json import MAX_SAFE_INTEGER
from ..._wire.strict_json import pointer as json_pointer
from ...trace import extract
from .documents import Unreadable, fetch, read_document
from .json_ld import Node, authority_of, is_opaque_iri, many, media_type, reference, type_in, web_url
from .object import Activity, Content

_MEDIA: Final = frozenset({"Audio", "Video", "Image"})
_SOURCES: Final[Mapping[str | None, TextMime]] = {"text/markdown": "text/markdown", "text/plain": "text/plain"}
_LINKS: Final = frozenset({"Link", "Page", "Note", "Article", "Question", "Event"})
"""The types of attachments that are link parts. Every other attachment with a URL is a file part."""

_TAG: Final = re.compile(r"</?[A-Za-z]|<!").search
_ADDRESS: Final = ("streetAddress", "postalCode", "addressLocality", "addressRegion", "addressCountry")
_TRACE_CLASS: Final = "mentionable-trace"
"""The class of the link that holds a trace, as `mentionable.trace` writes it."""

_text = unchecked(TextPart)
_file = unchecked(FilePart)
_link = unchecked(LinkPart)
_url = unchecked(UrlRef)


class Place(NamedTuple):
    """What an object says about its place in a thread. It is the word of its author alone.

    Attributes:
        thread: The thread that it names.
        parent: The id of what it answers.
        diagnostics: What could not be read.
    """

    thread: str | None
    parent: str | None
    diagnostics: tuple[Diagnostic, ...] = ()


class Thread(NamedTuple):
    """The thread of a message.

    Attributes:
        id: The thread that the object names, else the root of what it answers, else its own activity.
        parent: The id of what it answers, as it came.
        ancestors: The documents above it that could be read, the nearest first.
        joins: Ids of messages whose thread it joins when the caller stored them, the best first.
        diagnostics: Where the walk to the root ended early, and why.
    """

    id: str
    parent: str | None
    ancestors: tuple[dict[str, Any], ...] = ()
    joins: tuple[str, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


def parts_of(content: Content, *, limits: Limits) -> tuple[tuple[Part, ...], list[Diagnostic]]:
    """The parts of a message in reading order, and diagnostics.

    Name, content warning, body, options of a question, time and place of an event, media of an audio, video or image,
    attachments. Mentions and hashtags are in the body already. Nothing is fetched.

    Raises:
        WireError: A member has the wrong type, or there are too many attachments or parts.

    Spec: Normalized Message §3.2, §5.1 (parts).
    """
    node, kind = content.node, content.type
    parts: list[Part] = []
    diagnostics: list[Diagnostic] = []
    # A name is plain text by the standard, but some servers send HTML: only what looks like markup is read as HTML.
    name = _natural_text(node, "name")
    if name is not None and (name := html_to_text(name) if _TAG(name) else name):
        parts.append(_text(content=name, mime="text/plain"))
    summary = _natural_text(node, "summary")
    if summary is not None and (summary := html_to_text(summary)):
        parts.append(_text(content=summary, mime="text/plain"))
    body = _body(node)
    if body is not None:
        parts.append(body)
    if kind != "Note":
        lines = _question(node) if kind == "Question" else _event(node) if kind == "Event" else []
        if lines:
            parts.append(_text(content="\n".join(lines), mime="text/plain"))
        if kind in _MEDIA:
            media, diagnostics = media_parts(node)
            parts += media
    if node.attachments:
        attached, odd = attachment_parts(node, limits=limits)
        parts += attached
        diagnostics += odd
    if len(parts) > limits.parts:
        raise wire_error("too-many-parts", "/object", f"more than {limits.parts} parts")
    return tuple(parts), diagnostics


def _natural_text(node: Node, member: str) -> str | None:
    """The text of a natural-language member, or of the first entry of its map of languages; None for blank text.

    Raises:
        WireError: `wrong-type`.

    Spec: Activity Vocabulary §4.7 (natural language values).
    """
    _, value = node.natural_value(member)
    if value is None:
        if node.raw.get(f"{member}Map").__class__ not in (dict, NoneType):
            raise wire_error("wrong-type", f"/object/{member}Map", "must be an object")
        return None
    if value.__class__ is list:
        value = value[0] if value else None
    if value is None:
        return None
    if value.__class__ is not str:
        raise wire_error("wrong-type", f"/object/{member}", "must be a string")
    text: str = clean(value)
    return None if not text or text.isspace() else text


def _body(node: Node) -> TextPart | None:
    """The author's own Markdown or plain text (`source`), else `content`, which is HTML unless it is another text."""
    source = node.raw.get("source")
    if source.__class__ is dict:
        own_mime = _SOURCES.get(media_type(source.get("mediaType")))
        text = source.get("content")
        if own_mime is not None and text.__class__ is str and text and not text.isspace():
            return _text(content=clean(text), mime=own_mime)
    text = _natural_text(node, "content")
    if text is None:
        return None
    mime = node.media_type
    if mime is None or not mime.startswith("text/"):
        mime = "text/html"  # the mediaType of a picture or a video describes what `url` leads to
    known: TextMime = mime if mime in TEXT_MIMES else "text/plain"  # type: ignore[assignment]
    return _text(content=text, mime=known)


def _single_line(value: Any) -> str:
    return " ".join(value.split()) if value.__class__ is str else ""


def _question(node: Node) -> list[str]:
    """The options of a question, and whether one or several may be chosen."""
    lines: list[str] = []
    for member, title in (("oneOf", "One of:"), ("anyOf", "Any of:")):
        options = [_single_line(option.get("name")) for option in node.values(member) if option.__class__ is dict]
        if any(options):
            lines += [title, *(f"- {option}" for option in options if option)]
    return lines


def _event(node: Node) -> list[str]:
    """The time and the place of an event."""
    lines = [
        f"{title}: {moment}"
        for title, member in (("Start", "startTime"), ("End", "endTime"))
        if (moment := _single_line(node.raw.get(member)))
    ]
    lines += [f"Place: {place}" for item in node.values("location") if (place := _place_line(item))]
    return lines


def _place_line(location: Any) -> str:
    """A location on one line: its name and its postal address, or the URL to join."""
    if location.__class__ is not dict:
        return _single_line(location)
    address = location.get("address")
    inner = address if address.__class__ is dict else {}
    lines = [
        _single_line(location.get("name")),
        _single_line(address),
        *(_single_line(inner.get(name)) for name in _ADDRESS),
    ]
    return ", ".join(line for line in lines if line) or _single_line(location.get("url"))


def attachment_parts(node: Node, *, limits: Limits) -> tuple[list[FilePart | LinkPart], list[Diagnostic]]:
    """One part for each attachment that has a URL, in order; a diagnostic for each other one.

    Raises:
        WireError: `too-many-attachments`.

    Spec: Normalized Message §5.1 (decision: Document, Image, Audio, Video and whatever else has a URL are files;
    Link, Page and other things to read are links).
    """
    if len(node.attachments) > limits.attachments:
        raise wire_error("too-many-attachments", "/object/attachment", f"more than {limits.attachments}")
    parts: list[FilePart | LinkPart] = []
    diagnostics: list[Diagnostic] = []
    for index, entry in enumerate(node.attachments):
        pointer = f"/object/attachment/{index}"
        part = _attachment(entry, pointer)
        if isinstance(part, Diagnostic):
            diagnostics.append(part)
        else:
            parts.append(part)
    return parts, diagnostics


def _attachment(entry: Any, pointer: str) -> FilePart | LinkPart | Diagnostic:
    """The part of one attachment, or the diagnostic that it has none."""
    urls: Iterable[Any] = ()
    if entry.__class__ is str:
        if is_web_url(entry):
            return _link(url=entry, title=None, description=None)
        urls = (entry,)
    elif entry.__class__ is dict:
        url = entry.get("url")
        if url.__class__ is str and is_web_url(url):  # what nearly all servers send
            return _described_part(entry, entry, url)
        urls = many(url) or many(entry.get("href"))
        for target in urls:
            url = web_url(target)
            if url is not None:
                return _described_part(entry, target if target.__class__ is dict else entry, url)
    if urls:
        return Diagnostic(code="url-refused", at=pointer, detail="no http(s) URL of the attachment")
    return Diagnostic(code="part-unsupported", at=pointer, detail="has no URL")


def _described_part(entry: dict[str, Any], link: dict[str, Any], url: str) -> FilePart | LinkPart:
    """A link or a file for `entry`, whose bytes `link` (itself, or one of its URLs) describes."""
    if type_in(entry.get("type"), _LINKS) is not None:
        title, description = (
            (single_line(text) or None) if text.__class__ is str else None
            for text in (entry.get("name"), entry.get("summary"))
        )
        return _link(url=url, title=title, description=description)
    mime = media_type(link.get("mediaType")) or media_type(entry.get("mediaType")) or OCTET_STREAM
    size = _size(link)
    if size is None and link is not entry:
        size = _size(entry)
    return _file(mime=mime, bytes_ref=_url(url=url), name=file_name(entry.get("name")), size_bytes=size)


def media_parts(node: Node) -> tuple[list[FilePart], list[Diagnostic]]:
    """The media that an Audio, Video or Image object itself is: one file for each of its `url[]`, in order."""
    parts: list[FilePart] = []
    diagnostics: list[Diagnostic] = []
    for index, entry in enumerate(node.urls):
        link = entry if entry.__class__ is dict else {}
        url = web_url(entry)
        if url is None:
            detail = "no http(s) URL of the media"
            diagnostics.append(Diagnostic(code="url-refused", at=f"/object/url/{index}", detail=detail))
            continue
        mime = media_type(link.get("mediaType"))
        if mime is None and not link:
            # The object's own mediaType describes its media only when it is no text type: else it is that of `content`.
            mime = node.media_type
            mime = None if mime is None or mime.startswith("text/") else mime
        parts.append(
            _file(
                mime=mime or OCTET_STREAM,
                bytes_ref=_url(url=url),
                name=file_name(link.get("name")),
                size_bytes=_size(link),
            )
        )
    return parts, diagnostics


def _size(link: dict[str, Any]) -> int | None:
    """The declared size, when it is a valid one."""
    size = link.get("size")
    return size if size.__class__ is int and 0 <= size <= MAX_SAFE_INTEGER else None


def file_name(value: Any) -> str | None:
    """A name that is safe as a file name, or None. Most servers put the description of the picture there."""
    return _files.file_name(value, is_prose=True) if value.__class__ is str else None


def extract_trace(content: Content) -> tuple[Content, CarriedTrace | None, list[Diagnostic]]:
    """The object without the trace in its text, the trace, and diagnostics.

    A trace that cannot be read stays in the text, with a diagnostic. An attachment that links to the same trace is
    removed too.

    Spec: Normalized Message §10.3, §10.6, §10.8.
    """
    node = content.node
    language, text = node.natural_value("content")
    if text.__class__ is not str or _TRACE_CLASS not in text or node.media_type not in (None, "text/html"):
        return content, None, []
    extracted = extract(text)
    pointer = "/object/content" if language is None else json_pointer("object", "contentMap", language)
    diagnostics = [replace(one, at=pointer + one.at) for one in extracted.diagnostics]
    if extracted.response is None:
        return content, None, diagnostics
    if language is None:
        raw = {**node.raw, "content": extracted.html}
    else:
        raw = {**node.raw, "contentMap": {**node.raw["contentMap"], language: extracted.html}}
    attachments = [
        entry
        for entry in node.attachments
        if not (entry.__class__ is dict and extracted.href in (entry.get("href"), entry.get("url")))
    ]
    node = node._replace(raw=raw, attachments=attachments)
    return content._replace(node=node), CarriedTrace(extracted.response, pointer), diagnostics


def read_place(activity: Activity, content: Content, *, limits: Limits) -> Place:
    """The thread that an object names, and what it answers."""
    node, host = content.node, activity.head.host
    if not (node.contexts or node.conversations or node.in_reply_to):
        return Place(thread=None, parent=None)
    diagnostics: list[Diagnostic] = []
    # Mastodon names a thread in `conversation`, others in `context`.
    thread, odd = _first_iri([name for name in node.contexts if name.__class__ is str], "context", limits=limits)
    diagnostics += odd
    if thread is None:
        conversations = [name for name in node.conversations if name.__class__ is str]
        thread, odd = _first_iri(conversations, "conversation", limits=limits)
        diagnostics += odd
    elif not thread.startswith(f"https://{host}/") and authority_of(thread) != host:
        detail = f"{thread[:200]} is not of {host}, the host of the actor"
        diagnostics.append(Diagnostic(code="foreign-context", at="/object/context", detail=detail))
    parent, odd = _first_iri(node.in_reply_to, "inReplyTo", limits=limits)
    diagnostics += odd
    if parent in (activity.head.id, content.id):
        parent = None  # nothing answers itself
    return Place(thread=thread, parent=parent, diagnostics=tuple(diagnostics))


def _first_iri(values: Iterable[Any], member: str, *, limits: Limits) -> tuple[str | None, tuple[Diagnostic, ...]]:
    """The first usable IRI of a member; a diagnostic when it names some and none of them is usable."""
    refused: str | None = None
    for value in values:
        iri = reference(value)
        if iri:
            if is_opaque_iri(iri, limits=limits):
                return iri, ()
            refused = refused or iri
    if refused is None:
        return None, ()
    detail = f"{refused[:80]!r} is no absolute IRI of at most {limits.id_chars} characters"
    return None, (Diagnostic(code="url-refused", at=f"/object/{member}", detail=detail),)


def near_thread(activity: Activity, place: Place) -> Thread:
    """The thread of an object whose ancestors are not fetched: it answers nothing, or `limits.walk_depth` is 0.

    A caller who asks for no walk gets no diagnostic that there was none.
    """
    thread, parent = place.thread, place.parent
    if parent is None:
        return Thread(id=thread or activity.head.id, parent=None)
    return Thread(id=thread or parent, parent=parent, joins=() if thread else (parent,))


def walk_thread(place: Place, parent: str, *, own_ids: frozenset[str], limits: Limits) -> Flow[Fetch, Thread]:
    """The thread of an object that answers `parent`, and its ancestors.

    The thread is the first of: `context`, `conversation`, the root of the `inReplyTo` chain, the activity's own id. The
    chain is walked even when there is a context, because the ancestors are the history.

    Spec: Normalized Message §5.1.1, §5.4.
    """
    seen = set(own_ids)  # a hostile chain may be a circle
    ancestors: list[dict[str, Any]] = []
    diagnostics: list[Diagnostic] = []
    root = parent
    iri: str | None = parent
    while iri is not None and iri not in seen:
        if len(ancestors) == limits.walk_depth:
            detail = f"after {len(ancestors)} ancestors; the next is {iri[:200]}"
            diagnostics.append(Diagnostic(code="thread-truncated", at="/object/inReplyTo", detail=detail))
            break
        root = iri
        seen.add(iri)
        if not is_fetchable_url(iri):
            break
        document = read_document((yield from fetch(iri, "object", limits=limits)), iri, limits=limits)
        if isinstance(document, Unreadable):
            diagnostics.append(document.diagnostic(f"ancestor {len(ancestors) + 1}"))
            break
        ancestors.append(document)
        root = document["id"]
        seen.add(root)
        iri, _ = _first_iri(many(document.get("inReplyTo")), "inReplyTo", limits=limits)
    return Thread(
        id=place.thread or root,
        parent=parent,
        ancestors=tuple(ancestors),
        joins=() if place.thread else (root, parent),
        diagnostics=tuple(diagnostics),
    )
