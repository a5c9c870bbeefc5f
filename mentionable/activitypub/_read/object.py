"""From the bytes of an inbox delivery to an activity and its object, whose ids, origins and author fit together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from ..._errors.exceptions import Problem, WireError, error_of, wire_error
from ..._flow.settings import Limits
from ..._model.base import frozen, tuple_maker, unchecked
from ..._model.diagnostic import Diagnostic
from ..._wire.http import is_fetchable_url
from ..._wire.strict_json import loads_signed
from .json_ld import (
    ACTIVITIES,
    ADDRESSED,
    ADDRESSING,
    AS2,
    EVENTS,
    EXCLUDED_TYPES,
    NO_CONTENT,
    OBJECTS,
    PUBLIC,
    TERMS,
    Node,
    check_document,
    check_nested,
    check_types,
    host_of,
    identifier,
    is_at,
    is_opaque_iri,
    local_id,
    many,
    read_node,
    reference,
    type_in,
    unknown_type,
)

PUBLIC_COLLECTION: Final = f"{AS2}#Public"
"""The public collection in full: other spellings are read, never written."""

_KNOWN: Final = ACTIVITIES | EVENTS
_EXTENSIONS: Final = {
    "litepub:EmojiReact": "EmojiReact",
    "http://litepub.social/ns#EmojiReact": "EmojiReact",
    "https://w3id.org/fep/044f#QuoteRequest": "QuoteRequest",
}

MENTION: Final = frozenset({"Mention"})
IS_SHORT_TYPE: Final = re.compile(r"[A-Za-z][A-Za-z0-9:/#._-]{0,99}", re.ASCII).fullmatch
"""Whether a type may be repeated to people: never the whole of what an attacker sent."""


@frozen
class ActivityHead:
    """The id and the actor of an activity of any kind: what a signature must verify.

    Attributes:
        document: The whole activity, as it came.
        id: Its id.
        actor: The id of its actor.
        host: The host of both.
        has_plain_numbers: Whether the JSON parser says so: then canonical JSON need not look at each number.
    """

    document: dict[str, Any]
    id: str
    actor: str
    host: str
    has_plain_numbers: bool = False


_new_head: Final = unchecked(ActivityHead)


@frozen
class Activity:
    """An activity, before its object is checked.

    Attributes:
        head: Its id and its actor.
        node: The activity.
        object: The embedded object, or an id. The id of what a Create or Update is about is on the host of the actor;
            of other activities it may be anything, and None where there is not exactly one.
        type: Its type, one of `ACTIVITIES` or `EVENTS`.
    """

    head: ActivityHead
    node: Node
    object: dict[str, Any] | str | None
    type: str = "Create"


_new_activity: Final = unchecked(Activity)


@frozen
class Content:
    """The checked object of an activity: of a type that is read here, and by the actor.

    Attributes:
        node: The object.
        id: Its id.
        type: Its type, one of `OBJECTS`, or one that is not known here and whose object is read like a Note.
    """

    node: Node
    id: str
    type: str


_new_content: Final = unchecked(Content)


class Addressing(NamedTuple):
    """The recipients that an activity and its object name.

    Attributes:
        candidates: The ids that may be agents here, each once, in order, without the public collection.
        diagnostics: Recipients that are no IRIs.
    """

    candidates: tuple[str, ...]
    diagnostics: tuple[Diagnostic, ...]


_new_addressing: Final = tuple_maker(Addressing)


def read_activity(body: bytes, limits: Limits) -> Activity:
    """The activity in `body`.

    Raises:
        WireError: The peer's fault: not JSON, an activity of a type that is not read here, an invalid id, an id of
            another origin than the actor's.

    Spec: Activity Vocabulary §3.1, §3.2.
    """
    return activity_in(*_load(body, limits), limits=limits)


def activity_in(document: dict[str, Any], has_plain_numbers: bool = False, *, limits: Limits) -> Activity:
    """The activity that a document is.

    Raises:
        WireError: As `read_activity`.
    """
    #   1. the type is one that is read here                3. id and actor are of one origin
    #   2. no context redefines what is read here           4. so is the id of what a Create or Update only
    #                                                          names: before anything is fetched
    types = document.get("type")
    kind = type_in(types, _KNOWN) or _extension_type(types)
    if kind is None:
        raise _unsupported_activity(document, "is not read here", limits)
    if types.__class__ is not str or types not in TERMS:
        if types.__class__ is list and (other := type_in(types, EXCLUDED_TYPES[kind])) is not None:
            # One server takes the first type and another the second: a Create here would be a Delete there.
            raise _unsupported_activity(document, f"is not read here: it is also {other}", limits)
        check_types(types, EXCLUDED_TYPES[kind], (document.get("@context"),), "")
    head = _check_head(document, has_plain_numbers, limits)
    embedded = document.get("object")
    if embedded.__class__ is list:
        embedded = embedded[0] if len(embedded) == 1 else None
    if embedded.__class__ is not dict:
        if kind in ACTIVITIES:
            embedded = local_id(embedded or document.get("object"), "/object", head.host, limits)
        elif embedded.__class__ is not str:
            embedded = None
    return _new_activity(head=head, node=read_node(document), type=kind, object=embedded)


def _extension_type(types: Any) -> str | None:
    """The type of an activity that is read here but no term of ActivityStreams, by its name in full."""
    return next((_EXTENSIONS[one] for one in many(types) if one.__class__ is str and one in _EXTENSIONS), None)


def read_head(body: bytes, limits: Limits) -> ActivityHead:
    """The id and the actor of the activity in `body`, of any kind, with any object.

    Raises:
        WireError: As `read_activity`.
    """
    return _check_head(*_load(body, limits), limits)


def _load(body: bytes, limits: Limits) -> tuple[dict[str, Any], bool]:
    """The JSON object in `body`, and whether its numbers are plain."""
    document, has_plain_numbers = loads_signed(body, max_bytes=limits.activitypub_bytes, max_depth=limits.json_depth)
    if document.__class__ is not dict:
        raise wire_error("malformed", "", "an activity is a JSON object")
    return document, has_plain_numbers


def _check_head(document: dict[str, Any], has_plain_numbers: bool, limits: Limits) -> ActivityHead:
    """The id and the actor of an activity, which must be of one origin."""
    check_document(document)
    actor = identifier(document.get("actor"), "/actor", limits)
    host = host_of(actor)
    if host is None or not is_opaque_iri(actor, limits):
        raise wire_error("id-refused", "/actor", "must be an https URL on the default port of a DNS name")
    activity_id = local_id(document.get("id"), "/id", host, limits)
    return _new_head(document=document, id=activity_id, actor=actor, host=host, has_plain_numbers=has_plain_numbers)


def read_object(document: dict[str, Any], activity: Activity, limits: Limits) -> Content:
    """The checked object of `activity`: `document` is the embedded one, or the one that was fetched by its id.

    Raises:
        WireError: `unsupported-object`, an invalid or missing id, another origin, another author, ambiguous JSON-LD.
    """
    types = document.get("type")
    kind = type_in(types, OBJECTS) or unknown_type(document)
    if kind is None:
        if types is None:
            raise wire_error("missing-member", "/object/type", "an object without a type is no message")
        raise wire_error("unsupported-object", "/object/type", f"{_type_text(types)} is no message here")
    if types.__class__ is not str or types not in TERMS:
        if types.__class__ is list and (other := type_in(types, NO_CONTENT)) is not None:
            raise wire_error("unsupported-object", "/object/type", f"no message here: it is also {other}")
        contexts = activity.head.document.get("@context"), document.get("@context")
        check_types(types, NO_CONTENT, contexts, "/object")
    check_nested(document, "/object")
    object_id = local_id(document.get("id"), "/object/id", activity.head.host, limits)
    node, actor = read_node(document), activity.head.actor
    if node.attributed_to not in ((), (actor,)):
        authors = authors_of(node, activity.head.host)
        if not authors or any(author != actor for author in authors):
            raise wire_error("author-mismatch", "/object/attributedTo", "does not name the actor alone")
    return _new_content(node=node, id=object_id, type=kind)


def implied_create(document: dict[str, Any], limits: Limits) -> Activity:
    """The Create that a document of an object implies: by its author, for its recipients.

    Raises:
        WireError: `author-missing`, `author-mismatch`: it does not name exactly one author, of its own origin.

    Spec: ActivityPub §6.2.1.
    """
    own: str = document["id"]
    host = host_of(own) or ""
    check_author_named(document)
    authors = authors_of(read_node(document), host)
    author = authors[0] if len(authors) == 1 else None
    if author.__class__ is not str or len(author) > limits.id_chars or not is_at(author, host):
        raise wire_error("author-mismatch", "/object/attributedTo", "does not name one author of its own origin")
    head = ActivityHead(document=document, id=own, actor=author, host=host)
    implied = {"@context": document["@context"], "type": "Create", "actor": author, "object": document}
    implied |= {name: document[name] for name in ("to", "cc") if name in document}
    return Activity(head=head, node=read_node(implied), object=document)


def check_author_named(document: dict[str, Any]) -> None:
    """Raises when an object that was fetched names no author: any user of its server may have written it.

    Raises:
        WireError: `author-missing`.
    """
    if not many(document.get("attributedTo")):
        raise wire_error("author-missing", "/object/attributedTo", "the object names no author")


def authors_of(node: Node, host: str) -> list[Any]:
    """The authors in `attributedTo`, of any JSON type, without channels on `host`.

    PeerTube lists the channel of a video, an embedded Group, next to its author. An entry with a second type may be an
    author.
    """
    authors = []
    for entry in node.attributed_to:
        if entry.__class__ is not dict:
            authors.append(entry)
            continue
        author = entry.get("id")
        if not (entry.get("type") == "Group" and author.__class__ is str and is_at(author, host)):
            authors.append(author)
    return authors


def addressing(activity: Node, content: Node, limits: Limits) -> Addressing:
    """The recipients that an activity or its object names, and the actors that they mention.

    Raises:
        WireError: `wrong-type` for a recipient that is no IRI, `too-many-tags`.

    Spec: Normalized Message §5 (recipient).
    """
    candidates: dict[str, None] = {}
    diagnostics: list[Diagnostic] = []
    for name, place in ADDRESSED.items():
        outer, inner = activity[place], content[place]
        if not (outer or inner):
            continue
        for index, entry in enumerate(outer if inner == outer else [*outer, *inner]):
            iri = entry if entry.__class__ is str else reference(entry)
            if iri in candidates or iri in PUBLIC:
                continue
            if iri is not None and is_opaque_iri(iri, limits):
                candidates[iri] = None
            elif entry is not None:
                pointer = f"/{name}" if index < len(outer) else f"/object/{name}"
                if iri is None:
                    raise wire_error("wrong-type", pointer, "must name recipients by their ids")
                detail = f"{iri[:80]!r} is no IRI of a recipient"
                diagnostics.append(Diagnostic(code="url-refused", at=pointer, detail=detail))
    for pointer, tags in (("/tag", activity.tags), ("/object/tag", content.tags)):
        if len(tags) > limits.tags:
            raise wire_error("too-many-tags", pointer, f"more than {limits.tags}")
        for tag in tags:
            # Only the href counts: a sender can write any name into a tag.
            iri = tag.get("href") if tag.__class__ is dict else None
            if (
                iri.__class__ is str
                and iri not in candidates  # most servers also address those that a post mentions
                and type_in(tag.get("type"), MENTION) is not None
                and iri not in PUBLIC
                and is_opaque_iri(iri, limits)
            ):
                candidates[iri] = None
    return _new_addressing(candidates=tuple(candidates), diagnostics=tuple(diagnostics))


def addressed_in(nodes: Sequence[Node], to: Addressing) -> dict[str, list[str]]:
    """The ids in `to`, `cc`, `bto`, `bcc` and `audience` of these nodes, each once, the public collection in full."""
    known = dict.fromkeys(PUBLIC, PUBLIC_COLLECTION) | dict(zip(to.candidates, to.candidates, strict=True))
    fields: dict[str, list[str]] = {}
    for name in ADDRESSING:
        named = [reference(entry) for node in nodes for entry in getattr(node, name)]
        fields[name] = list(dict.fromkeys([known[iri] for iri in named if iri in known]))
    return fields


def _unsupported_activity(document: dict[str, Any], reason: str, limits: Limits) -> WireError:
    """The rejection of an activity of a type that is not read here."""
    types = document.get("type")
    if types is None:
        return wire_error("missing-member", "/type", "an activity has a type")
    problems = [Problem("/type", f"{_type_text(types)} {reason}")]
    for member, relation in (("actor", "done by"), ("object", "is about")):
        target = reference(document.get(member))
        if target is not None and len(target) <= limits.id_chars and is_fetchable_url(target):
            problems.append(Problem(f"/{member}", f"{relation} {target}"))
    return error_of("unsupported-activity", problems)


def _type_text(types: Any) -> str:
    """A type for an error text."""
    first = next((item for item in many(types) if item.__class__ is str), "")
    return first if IS_SHORT_TYPE(first) else "this type"
