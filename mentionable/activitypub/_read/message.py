"""An ActivityStreams object → the ordered parts of a message."""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple

from ..._errors.exceptions import wire_error
from ..._flow.asks import Fetch
from ..._flow.flow import Flow
from ..._flow.settings import Limits
from ..._html.convert import html_to_text
from ..._model.base import replace, trusted
from ..._model.diagnostic import Diagnostic
from ..._model.parts import TEXT_MIMES, FilePart, LinkPart, Part, TextMime, TextPart, UrlRef
from ..._text import media as _files
from ..._text.media import OCTET_STREAM, one_line
from ..._text.plain_text import clean
from ..._transport.delivery import CarriedTrace
from ..._wire.http import is_fetchable_url, is_web_url
from ..._wire.strict_json import MAX_SAFE_INTEGER, pointer
from ...trace import extract
from .documents import Unreadable, fetch, read_document
from .json_ld import authority_of, is_opaque_iri, many, media_type, reference, type_in, web_url
from .object import Activity, Content

_MEDIA: Final = frozenset({"Audio", "Video", "Image"})
_SOURCES: Final = frozenset({"text/markdown", "text/plain"})
_TAG: Final = re.compile(r"</?[A-Za-z]|<!").search
_ADDRESS: Final = ("streetAddress", "postalCode", "addressLocality", "addressRegion", "addressCountry")

_text = trusted(TextPart, "content", "mime")


def parts_of(content: Content, *, limits: Limits, notes: list[Diagnostic]) -> tuple[Part, ...]:
    """What an object says, in the order to read it; `notes` takes what was odd.

    Name, content warning, body, options of a question, time and place of an event, media of an audio, video or image,
    attachments. Mentions and hashtags are in the body already. Nothing is fetched.

    Raises:
        WireError: A member has the wrong type, or there are too many attachments or parts.

    Spec: Normalized Message §3.2, §5.1 (parts).
    """
    document, kind = content.document, content.kind
    parts: list[Part] = []
    name = _words(document, "name", "nameMap")
    if name is not None and (name := _read_html(name) if _TAG(name) else name):
        parts.append(_text(name, "text/plain"))  # Plain text by the standard: only what looks like markup is read so.
    summary = _words(document, "summary", "summaryMap")
    if summary is not None and (summary := _read_html(summary)):
        parts.append(_text(summary, "text/plain"))
    body = _body(document)
    if body is not None:
        parts.append(body)
    if kind != "Note":
        lines = _question(document) if kind == "Question" else _event(document) if kind == "Event" else []
        if lines:
            parts.append(_text("\n".join(lines), "text/plain"))
        if kind in _MEDIA:
            parts += media_parts(document, notes=notes)
    parts += attachment_parts(document, limits=limits, notes=notes)
    if len(parts) > limits.parts:
        raise wire_error("too-many-parts", "/object", f"more than {limits.parts} parts")
    return tuple(parts)


def _words(document: dict[str, Any], member: str, languages: str) -> str | None:
    """The text of a natural-language member, or of the first entry of its map of languages; None when it says nothing.

    Raises:
        WireError: `wrong-type`.
    """
    value = document.get(member)
    if value is None:
        table = document.get(languages)
        if table is None:
            return None
        if table.__class__ is not dict:
            raise wire_error("wrong-type", f"/object/{languages}", "must be an object")
        value = next(iter(table.values()), None)
    if value.__class__ is list:
        value = value[0] if value else None
    if value is None:
        return None
    if value.__class__ is not str:
        raise wire_error("wrong-type", f"/object/{member}", "must be a string")
    text: str = clean(value)
    return None if not text or text.isspace() else text


def _read_html(html: str) -> str:
    """The text of a title or warning. Most messages have neither, so the reader of HTML is loaded at the first."""
    return html_to_text(html)


def _body(document: dict[str, Any]) -> TextPart | None:
    """The author's own Markdown or plain text where it came along, else the content in the form it has."""
    source = document.get("source")
    if source.__class__ is dict:
        mime = media_type(source.get("mediaType"))
        written = source.get("content")
        if mime in _SOURCES and written.__class__ is str and written and not written.isspace():
            return _text(clean(written), mime)
    text = _words(document, "content", "contentMap")
    return None if text is None else _text(text, _form(document.get("mediaType")))


def _form(value: Any) -> TextMime:
    """In which form `content` is: HTML unless the object says another kind of text."""
    mime = media_type(value)
    if mime is None or mime == "text/html" or not mime.startswith("text/"):
        return "text/html"  # The mediaType of a picture or a film says what lies behind its URL.
    return mime if mime in TEXT_MIMES else "text/plain"  # type: ignore[return-value]


def _one_line(value: Any) -> str:
    return " ".join(value.split()) if value.__class__ is str else ""


def _question(document: dict[str, Any]) -> list[str]:
    """What one may choose, and whether one thing or several."""
    lines: list[str] = []
    for member, title in (("oneOf", "One of:"), ("anyOf", "Any of:")):
        options = [_one_line(option.get("name")) for option in many(document.get(member)) if option.__class__ is dict]
        if any(options):
            lines += [title, *(f"- {option}" for option in options if option)]
    return lines


def _event(document: dict[str, Any]) -> list[str]:
    """When and where."""
    lines = [
        f"{title}: {moment}"
        for title, member in (("Start", "startTime"), ("End", "endTime"))
        if (moment := _one_line(document.get(member)))
    ]
    lines += [f"Place: {place}" for item in many(document.get("location")) if (place := _place(item))]
    return lines


def _place(location: Any) -> str:
    """A place on one line: its name, its postal address, or where to join."""
    if location.__class__ is not dict:
        return _one_line(location)
    address = location.get("address")
    inner = address if address.__class__ is dict else {}
    steps = [_one_line(location.get("name")), _one_line(address), *(_one_line(inner.get(step)) for step in _ADDRESS)]
    return ", ".join(step for step in steps if step) or _one_line(location.get("url"))


_LINKS: Final = frozenset({"Link", "Page", "Note", "Article", "Question", "Event"})
"""Types that one opens and reads; everything else with a URL is a file."""


_file = trusted(FilePart, "mime", "bytes_ref", "name", "size_bytes")


_link = trusted(LinkPart, "url", "title", "description")


_url = trusted(UrlRef, "url")


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


_CLASS: Final = "mentionable-trace"
"""The class of the link, as in `trace`, which is imported only where there may be one."""


def without_trace(document: dict[str, Any], notes: list[Diagnostic]) -> tuple[dict[str, Any], CarriedTrace | None]:
    """An object without the trace in its text, and the trace.

    A trace that cannot be read stays in the text, with a diagnostic. An attachment that links to the same goes too.

    Spec: Normalized Message §10.3, §10.6, §10.8.
    """
    member, language, html = _text_of(document)
    if _CLASS not in html:
        return document, None
    found = extract(html)
    at = pointer("object", member, *([] if language is None else [language]))
    odd = found.notes if found.diagnostic is None else (found.diagnostic,)
    notes += [replace(note, at=at + note.at) for note in odd]
    if found.response is None:
        return document, None
    text: Any = found.html if language is None else {**document[member], language: found.html}
    read = {**document, member: text}
    attached = many(document.get("attachment"))
    kept = [entry for entry in attached if not (entry.__class__ is dict and found.href in _addresses(entry))]
    if len(kept) < len(attached):
        read["attachment"] = kept
    return read, CarriedTrace(found.response, at)


def _text_of(document: dict[str, Any]) -> tuple[str, str | None, str]:
    """The member that holds the text, the language for one that holds several, and the text when it is HTML."""
    if media_type(document.get("mediaType")) not in (None, "text/html"):
        return "content", None, ""
    content, texts = document.get("content"), document.get("contentMap")
    if content.__class__ is str:
        return "content", None, content
    if content is None and texts.__class__ is dict and texts:
        language, text = next(iter(texts.items()))
        if text.__class__ is str:
            return "contentMap", language, text
    return "content", None, ""


def _addresses(entry: dict[str, Any]) -> tuple[Any, ...]:
    return entry.get("href"), entry.get("url")


class Thread(NamedTuple):
    """Where a message stands.

    Attributes:
        id: The thread that the object itself names, or else the root of what it answers, or else its own activity.
        parent: The id of what it answers, as it came.
        ancestors: The documents above it that could be read, the nearest first.
        joins: Ids of messages whose thread it joins when the caller knows them, the best first.
    """

    id: str
    parent: str | None
    ancestors: tuple[dict[str, Any], ...]
    joins: tuple[str, ...]


class Place(NamedTuple):
    """What an object says of its own place.

    Attributes:
        named: The thread that it names.
        parent: The id of what it answers.
    """

    named: str | None
    parent: str | None


def place_of(activity: Activity, content: Content, *, limits: Limits, notes: list[Diagnostic]) -> Place:
    """The thread that an object names and what it answers: both the author's word alone."""
    document = content.document
    named = _named_thread(document, activity.host, limits=limits, notes=notes)
    value = document.get("inReplyTo")
    parent = None if value is None else _first_iri(value, "inReplyTo", limits=limits, notes=notes)
    return Place(named, None if parent in (activity.id, content.id) else parent)  # Nothing answers itself.


def near_thread(activity: Activity, place: Place) -> Thread:
    """The thread of an object above which nobody looks: it answers nothing, or `limits.walk_depth` is 0.

    A caller who wants no walk is not told that there was none.
    """
    named, parent = place
    if parent is None:
        return Thread(named or activity.id, None, (), ())
    return Thread(named or parent, parent, (), () if named else (parent,))


def walked_thread(
    own: set[str], named: str | None, parent: str, *, limits: Limits, notes: list[Diagnostic]
) -> Flow[Fetch, Thread]:
    """The thread of an object that answers `parent`, and its ancestors; `own` are the ids of object and activity.

    The order is the specification's: `context`, `conversation`, the root of the `inReplyTo` chain, the activity's own
    id. The chain is walked also when a context is given, because the ancestors are the history.

    Spec: Normalized Message §5.1.1, §5.4.
    """
    root, ancestors = yield from _walk(parent, own, limits=limits, notes=notes)
    if named is not None:
        return Thread(named, parent, ancestors, ())
    return Thread(root, parent, ancestors, (root, parent))


def _named_thread(document: dict[str, Any], host: str, *, limits: Limits, notes: list[Diagnostic]) -> str | None:
    """The thread that an object claims to be in, which is the author's word alone."""
    context = _texts(document.get("context"))
    if context:
        named = _first_iri(context, "context", limits=limits, notes=notes)
        if named is not None:
            if not named.startswith(f"https://{host}/") and authority_of(named) != host:
                detail = f"{named[:200]} is not of {host}, the host of the actor"
                notes.append(Diagnostic(code="foreign-context", at="/object/context", detail=detail))
            return named
    return _first_iri(_texts(document.get("conversation")), "conversation", limits=limits, notes=notes)


def _texts(value: Any) -> list[str]:
    """The texts of one value or several: an inline object is no IRI."""
    return [item for item in many(value) if item.__class__ is str]


def _first_iri(value: Any, member: str, *, limits: Limits, notes: list[Diagnostic]) -> str | None:
    """The first usable IRI of a member; a note when there was something and nothing of it was usable."""
    if value.__class__ is str and is_opaque_iri(value, limits=limits):
        found: str = value
        return found
    claims = [claim for item in many(value) if (claim := reference(item))]
    for claim in claims:
        if is_opaque_iri(claim, limits=limits):
            return claim
    if claims:
        detail = f"{claims[0][:80]!r} is no absolute IRI of at most {limits.id_chars} characters"
        notes.append(Diagnostic(code="url-refused", at=f"/object/{member}", detail=detail))
    return None


def _walk(
    parent: str, seen: set[str], *, limits: Limits, notes: list[Diagnostic]
) -> Flow[Fetch, tuple[str, tuple[dict[str, Any], ...]]]:
    """The oldest ancestor named, and the ancestors that could be read, the nearest first.

    Goes up at most `limits.walk_depth` steps and never in a circle. What cannot be read ends the walk and is the root.
    """
    ancestors: list[dict[str, Any]] = []
    root, here = parent, parent
    while here not in seen:
        if len(ancestors) == limits.walk_depth:
            detail = f"after {len(ancestors)} ancestors; the next is {here[:200]}"
            notes.append(Diagnostic(code="thread-truncated", at="/object/inReplyTo", detail=detail))
            break
        root = here
        seen.add(here)
        if not is_fetchable_url(here):
            break
        document = read_document((yield from fetch(here, "object", limits=limits)), here, limits=limits)
        if isinstance(document, Unreadable):
            notes.append(document.note(f"ancestor {len(ancestors) + 1}"))
            break
        ancestors.append(document)
        root = document["id"]
        seen.add(root)
        above = _first_iri(document.get("inReplyTo"), "inReplyTo", limits=limits, notes=[])
        if above is None:
            break
        here = above
    return root, tuple(ancestors)
