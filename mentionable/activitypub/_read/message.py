"""What the object of an activity says: the parts of a message, its trace, and its place in a thread."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from types import NoneType
from typing import Any, Final

from ..._errors.exceptions import wire_error
from ..._flow.asks import Fetch
from ..._flow.flow import Flow
from ..._flow.settings import Limits
from ..._html.convert import html_to_text
from ..._model.base import EMPTY_DICT, FrozenDict, frozen, replace, unchecked
from ..._model.content_digest import TALLY
from ..._model.diagnostic import Diagnostic
from ..._model.parts import TEXT_MIMES, Part, TextMime, TextPart
from ..._text.plain_text import clean
from ..._transport.delivery import CarriedTrace
from ..._wire.http import is_fetchable_url
from ..._wire.strict_json import pointer as json_pointer
from ...trace import extract
from .documents import Unreadable, fetch, read_document
from .files import Files, attachment_parts, media_parts, page_link, picture_parts, subtitle_parts, without_repeats
from .json_ld import OBJECTS, SENSITIVE, Node, authority_of, is_opaque_iri, many, media_type, natural_value, reference
from .object import Activity, Content
from .quotes import QUOTES, quotes_of
from .words import Lines, dropped, event_lines, place_lines, poll_of, sensitivity, text_of

_MEDIA: Final = frozenset({"Audio", "Video", "Image"})
_SOURCES: Final[Mapping[str | None, TextMime]] = {"text/markdown": "text/markdown", "text/plain": "text/plain"}
_WITH_ABSTRACT: Final = frozenset({"Article", "Page"})
"""The types whose `summary` says in short what follows. Servers use that of all others as a content warning."""

_WARNING: Final = FrozenDict({"purpose": "content-warning"})
_ABSTRACT: Final = FrozenDict({"purpose": "abstract"})
_TALLY: Final = FrozenDict({"purpose": TALLY})
_SUPPORT: Final = FrozenDict({"purpose": "support"})
_SENSITIVE: Final = FrozenDict({"sensitive": True})

_IS_PLAIN: Final = frozenset(
    {*QUOTES, *SENSITIVE[1:], "location", "image", "icon", "preview", "name", "nameMap", "summaryMap"}
).isdisjoint
"""Whether a Note has none of the members that few have."""

_READ: Final = frozenset({
    *("@context", "id", "type", "attributedTo", "to", "cc", "bto", "bcc", "audience", "published", "updated", "url"),
    *("content", "contentMap", "name", "nameMap", "summary", "summaryMap", "source", "mediaType", "inReplyTo"),
    *("context", "conversation", "tag", "attachment", "image", "icon", "preview", "location", "oneOf", "anyOf"),
    *("endTime", "closed", "votersCount", "replies", "likes", "shares", "proof", "signature", *QUOTES, *SENSITIVE),
})  # fmt: skip
"""The members of an object of an unknown type that are read, or that are not for people."""

_USUAL_TAGS: Final = ("Mention", "Hashtag", "Emoji")
"""The types of tags that name no object."""

_MAX_UNREAD: Final = 20
_IS_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_:-]{0,63}", re.ASCII).fullmatch
_TAG: Final = re.compile(r"</?[A-Za-z]|<!").search
_TRACE_CLASS: Final = "mentionable-trace"
"""The class of the link that holds a trace, as `mentionable.trace` writes it."""

_text = unchecked(TextPart)


@frozen
class Place:
    """What an object says about its place in a thread. It is the word of its author alone.

    Attributes:
        thread: The thread that it names.
        parent: The id of what it answers.
        diagnostics: What could not be read.
    """

    thread: str | None
    parent: str | None
    diagnostics: tuple[Diagnostic, ...] = ()


_new_place: Final = unchecked(Place)


@frozen
class Thread:
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


_new_thread: Final = unchecked(Thread)


@frozen
class _Rest:
    """What an object has besides name, summary, body and files.

    Attributes:
        is_sensitive: Whether it says so.
        quoted: Text that it quotes.
        facts: A poll, time and place, and the like.
        links: The objects that it quotes.
        diagnostics: What is no part.
    """

    is_sensitive: bool = False
    quoted: Sequence[Part] = ()
    facts: Sequence[Part] = ()
    links: Sequence[Part] = ()
    diagnostics: Sequence[Diagnostic] = ()


_PLAIN: Final = _Rest()
_NO_FILES: Final = Files([], [])


def parts_of(content: Content, limits: Limits) -> tuple[tuple[Part, ...], list[Diagnostic]]:
    """The parts of a message in reading order, and diagnostics.

    Name, content warning or abstract, body, poll, time and place, quotes, media of an audio, video or image,
    attachments, pictures. Mentions and hashtags are in the body already. Nothing is fetched.

    Raises:
        WireError: A member has the wrong type, or there are too many attachments or parts.

    Spec: Normalized Message §3.2, §5.1 (parts).
    """
    #   1. what few objects have: polls, quotes, pictures and the like
    #   2. name, content warning or abstract, quoted text, body
    #   3. all others, in the order of the docstring
    node = content.node
    if _is_plain(content):
        headings: list[Part] = []
        odd: list[Diagnostic] = []
        rest = _PLAIN
        files = attachment_parts(node, limits=limits) if node.attachments else _NO_FILES
    else:
        rest = _rest(content, limits)
        files = _files_of(content, is_sensitive=rest.is_sensitive, limits=limits)
        headings, odd = _headings(content, is_sensitive=rest.is_sensitive)
    body, odd_body = _body(node, is_sensitive=rest.is_sensitive)
    parts = (*headings, *rest.quoted, *body, *rest.facts, *rest.links, *files.parts)
    if len(parts) > limits.parts:
        raise wire_error("too-many-parts", "/object", f"more than {limits.parts} parts")
    return parts, [*odd, *odd_body, *rest.diagnostics, *files.diagnostics]


def _is_plain(content: Content) -> bool:
    """Whether an object is a Note with nothing but its text and its attachments: nearly all are."""
    node = content.node
    raw = node.raw
    if content.type != "Note" or not _IS_PLAIN(raw) or raw.get("sensitive") not in (None, False):
        return False
    if raw.get("summary") is not None:
        return False
    for tag in node.tags:  # before Python 3.12 a comprehension is a function of its own, made and called
        if tag.__class__ is dict and tag.get("type") not in _USUAL_TAGS:
            break
    else:
        return True
    return False


def _headings(content: Content, *, is_sensitive: bool) -> tuple[list[Part], list[Diagnostic]]:
    """The name, and the content warning or abstract; and diagnostics."""
    node = content.node
    parts: list[Part] = []
    # A name is plain text by the standard, but some servers send HTML: only what looks like markup is read as HTML.
    name, odd_name = _natural_text(node, "name")
    if name is not None and (name := html_to_text(name) if _TAG(name) else name):
        parts.append(_text(content=name, mime="text/plain"))
    summary, odd_summary = _natural_text(node, "summary")
    if summary is not None and (summary := html_to_text(summary)):
        is_abstract = content.type in _WITH_ABSTRACT and not is_sensitive
        parts.append(_text(content=summary, mime="text/plain", extra=_ABSTRACT if is_abstract else _WARNING))
    return parts, [*odd_name, *odd_summary]


def _rest(content: Content, limits: Limits) -> _Rest:
    """What an object has besides name, summary, body and files."""
    is_sensitive, odd_flag = sensitivity(content.node.raw, "/object")
    quotes = quotes_of(content.node, limits)
    facts, odd_facts = _facts(content)
    return _Rest(
        is_sensitive=is_sensitive,
        quoted=quotes.texts,
        facts=facts,
        links=quotes.links,
        diagnostics=[*odd_flag, *odd_facts, *quotes.diagnostics],
    )


def _natural_text(node: Node, member: str) -> tuple[str | None, Sequence[Diagnostic]]:
    """The text of a natural-language member, or of the first entry of its map of languages; None for blank text.

    Raises:
        WireError: `wrong-type`.

    Spec: Activity Vocabulary §4.7 (natural language values).
    """
    _, value = natural_value(node.raw, member)
    if value is None:
        if node.raw.get(f"{member}Map").__class__ not in (dict, NoneType):
            raise wire_error("wrong-type", f"/object/{member}Map", "must be an object")
        return None, ()
    diagnostics: Sequence[Diagnostic] = ()
    if value.__class__ is list:
        if len(value) > 1:
            diagnostics = [dropped(f"/object/{member}/1", "only the first of several texts is read")]
        value = value[0] if value else None
    if value is None:
        return None, diagnostics
    if value.__class__ is not str:
        raise wire_error("wrong-type", f"/object/{member}", "must be a string")
    text: str = clean(value)
    return None if not text or text.isspace() else text, diagnostics


def _body(node: Node, *, is_sensitive: bool) -> tuple[list[Part], Sequence[Diagnostic]]:
    """The author's own Markdown or plain text (`source`), else `content`, which is HTML unless it is another text."""
    extra = _SENSITIVE if is_sensitive else EMPTY_DICT
    source = node.raw.get("source")
    if source.__class__ is dict:
        own_mime = _SOURCES.get(media_type(source.get("mediaType")))
        text = source.get("content")
        if own_mime is not None and text.__class__ is str and text and not text.isspace():
            return [_text(content=clean(text), mime=own_mime, extra=extra)], ()
    text, diagnostics = _natural_text(node, "content")
    if text is None:
        return [], diagnostics
    mime = node.media_type if "mediaType" in node.raw else None
    if mime is None or not mime.startswith("text/"):
        mime = "text/html"  # the mediaType of a picture or a video describes what `url` leads to
    known: TextMime = mime if mime in TEXT_MIMES else "text/plain"  # type: ignore[assignment]
    return [_text(content=text, mime=known, extra=extra)], diagnostics


def _facts(content: Content) -> tuple[list[Part], list[Diagnostic]]:
    """What an object says in members of its own kind: a poll, an event, a place, how to support the author."""
    node, kind = content.node, content.type
    is_unknown = kind not in OBJECTS
    parts: list[Part] = []
    diagnostics: list[Diagnostic] = []
    if kind == "Question" or (is_unknown and not node.raw.keys().isdisjoint(("oneOf", "anyOf"))):
        poll = poll_of(node)
        parts += _lines_part(poll.options)
        parts += _lines_part(poll.tally, extra=_TALLY)
        diagnostics += poll.diagnostics
    times = event_lines(node) if kind == "Event" else Lines([], [])
    places = place_lines(node)
    parts += _lines_part([*times.lines, *places.lines])
    support = text_of(node.raw, "support") if kind in _MEDIA else None
    if support is not None:
        parts.append(_text(content=support, mime="text/markdown", extra=_SUPPORT))
    diagnostics += [*times.diagnostics, *places.diagnostics]
    if is_unknown:
        diagnostics.append(_unknown_type(content))
    if node.raw.get("preview") is not None:
        detail = "a preview of what the message has"
        diagnostics.append(Diagnostic(code="part-unsupported", at="/object/preview", detail=detail))
    return parts, diagnostics


def _lines_part(lines: list[str], extra: FrozenDict = EMPTY_DICT) -> list[Part]:
    return [_text(content="\n".join(lines), mime="text/plain", extra=extra)] if lines else []


def _unknown_type(content: Content) -> Diagnostic:
    """That an object is read like a Note, and which of its members are not read."""
    unread = [name for name in sorted(content.node.raw.keys() - _READ)[:_MAX_UNREAD] if _IS_NAME(name)]
    more = f"; not read: {', '.join(unread)}" if unread else ""
    return Diagnostic(code="type-unknown", at="/object/type", detail=f"{content.type} is read like a Note{more}")


def _files_of(content: Content, *, is_sensitive: bool, limits: Limits) -> Files:
    """The files and links of an object: what it shares or is, its attachments, its pictures."""
    node, kind = content.node, content.type
    groups: list[Files] = []
    if kind == "Page":
        groups.append(page_link(node))
    if kind in _MEDIA:
        groups.append(media_parts(node, is_sensitive=is_sensitive, limits=limits))
        groups.append(subtitle_parts(node, limits))
    groups.append(attachment_parts(node, is_sensitive=is_sensitive, limits=limits))
    for member in ("image", "icon"):
        pictures = picture_parts(node, member, is_sensitive=is_sensitive, limits=limits)
        groups.append(without_repeats(pictures, [part for group in groups for part in group.parts]))
    return Files(
        [part for group in groups for part in group.parts],
        [diagnostic for group in groups for diagnostic in group.diagnostics],
    )


def extract_trace(content: Content) -> tuple[Content, CarriedTrace | None, list[Diagnostic]]:
    """The object without the trace in its text, the trace, and diagnostics.

    A trace that cannot be read stays in the text, with a diagnostic. An attachment that links to the same trace is
    removed too.

    Spec: Normalized Message §10.3, §10.6, §10.8.
    """
    node = content.node
    language, text = natural_value(node.raw, "content")
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
    return replace(content, node=node), CarriedTrace(extracted.response, pointer), diagnostics


def read_place(activity: Activity, content: Content, limits: Limits) -> Place:
    """The thread that an object names, and what it answers."""
    node, host = content.node, activity.head.host
    if not (node.contexts or node.conversations or node.in_reply_to):
        return Place(thread=None, parent=None)
    diagnostics: list[Diagnostic] = []
    # Mastodon names a thread in `conversation`, others in `context`.
    thread, odd = _first_iri(node.contexts, "context", is_object_read=False, limits=limits)
    diagnostics += odd
    if thread is None:
        thread, odd = _first_iri(node.conversations, "conversation", is_object_read=False, limits=limits)
        diagnostics += odd
    elif not thread.startswith(f"https://{host}/") and authority_of(thread) != host:
        detail = f"{thread[:200]} is not of {host}, the host of the actor"
        diagnostics.append(Diagnostic(code="foreign-context", at="/object/context", detail=detail))
    parent, odd = _first_iri(node.in_reply_to, "inReplyTo", limits=limits)
    diagnostics += odd
    if parent in (activity.head.id, content.id):
        parent = None  # nothing answers itself
    return _new_place(thread=thread, parent=parent, diagnostics=tuple(diagnostics))


def _first_iri(
    values: Iterable[Any], member: str, *, is_object_read: bool = True, limits: Limits
) -> tuple[str | None, tuple[Diagnostic, ...]]:
    """The first usable IRI of a member; a diagnostic when it names some and none of them is usable.

    `is_object_read` says whether an embedded object stands for its id.
    """
    refused: str | None = None
    for value in values:
        iri = value if value.__class__ is str else reference(value) if is_object_read else None
        if iri:
            if is_opaque_iri(iri, limits):
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
        return _new_thread(id=thread or activity.head.id, parent=None)
    return _new_thread(id=thread or parent, parent=parent, joins=() if thread else (parent,))


def walk_thread(place: Place, parent: str, *, own_ids: frozenset[str], limits: Limits) -> Flow[Fetch, Thread]:
    """The thread of an object that answers `parent`, and its ancestors.

    The thread is the first of: `context`, `conversation`, the root of the `inReplyTo` chain. The chain is walked even
    when there is a context, because the ancestors are the history.

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
        iri, odd = _first_iri(many(document.get("inReplyTo")), "inReplyTo", limits=limits)
        diagnostics += [replace(one, detail=f"ancestor {len(ancestors)}: {one.detail}") for one in odd]
    return Thread(
        id=place.thread or root,
        parent=parent,
        ancestors=tuple(ancestors),
        joins=() if place.thread else (root, parent),
        diagnostics=tuple(diagnostics),
    )
