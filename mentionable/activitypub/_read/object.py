"""From the bytes of an inbox delivery to an activity whose ids, origins and author hold together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from ..._errors.exceptions import Problem, WireError, error_of, wire_error
from ..._flow.settings import Limits
from ..._model.diagnostic import Diagnostic
from ..._wire.http import is_fetchable_url
from ..._wire.strict_json import loads_signed
from .json_ld import (
    ACTIVITIES,
    AGAINST,
    AS2,
    OBJECTS,
    PUBLIC,
    check_document,
    check_nested,
    check_types,
    host_of,
    identifier,
    is_at,
    is_opaque_iri,
    local_id,
    many,
    reference,
    type_in,
)

_WRAPPERS: Final = frozenset({"Announce"})
_PRINTABLE: Final = re.compile(r"[A-Za-z][A-Za-z0-9:/#._-]{0,99}", re.ASCII).fullmatch


class Activity(NamedTuple):
    """A Create or Update that was read, before its object was looked at.

    Attributes:
        document: The whole activity, as it came.
        id: Its id.
        actor: The id of who did it.
        host: The host that id, actor and object share.
        has_plain_numbers: What the loader says of its numbers.
        object: The object, or the id under which it is to be fetched.
    """

    document: dict[str, Any]
    id: str
    actor: str
    host: str
    has_plain_numbers: bool
    object: dict[str, Any] | str

    @property
    def head(self) -> ActivityHead:
        """The same without its object, for verification."""
        return ActivityHead(self.document, self.id, self.actor, self.host, self.has_plain_numbers)


class ActivityHead(NamedTuple):
    """Who did what, as an activity of any kind says it.

    Attributes:
        document: The whole activity, as it came.
        id: Its id.
        actor: The id of who did it.
        host: The host that id and actor share.
        has_plain_numbers: Whether the loader says so: then its canonical form needs no look at them.
    """

    document: dict[str, Any]
    id: str
    actor: str
    host: str
    has_plain_numbers: bool = False


class Content(NamedTuple):
    """The object of an activity, checked: it is of a kind that is read here, and the actor's own.

    Attributes:
        document: The object, as it came.
        id: Its id.
        kind: Its type, one of `OBJECTS`.
    """

    document: dict[str, Any]
    id: str
    kind: str


def read_activity(body: bytes, *, limits: Limits) -> Activity:
    """The Create or Update in `body`.

    Raises:
        WireError: The peer's fault: not JSON, not an activity that is read here, an id that cannot be one, an id of
            another origin than the actor's.
    """
    document, has_plain_numbers = _document_in(body, limits=limits)
    _check_kind(document, limits=limits)
    head = _head_of(document, has_plain_numbers, limits=limits)
    return Activity(*head, _object_of(document, head.host, limits=limits))


def _check_kind(document: dict[str, Any], *, limits: Limits) -> None:
    """Raises unless an activity is a Create or an Update, and nothing else that ActivityStreams knows.

    Types of others may stand with it. Of two types of ActivityStreams, one reader takes the first and another the
    second: what is a Create here would be a Delete there.

    Raises:
        WireError: `unsupported-activity`, `missing-member`, `json-ld-refused`.

    Spec: Activity Vocabulary §3.1, §3.2.
    """
    named = document.get("type")
    kind = type_in(named, ACTIVITIES)
    if kind is None:
        raise _unsupported_activity(document, "is no message here", limits=limits)
    if named.__class__ is list and (other := type_in(named, AGAINST[kind])) is not None:
        raise _unsupported_activity(document, f"is no message here: it is said to be {other} too", limits=limits)
    check_types(named, AGAINST[kind], (document.get("@context"),), "")


def read_head(body: bytes, *, limits: Limits) -> ActivityHead:
    """Who did what, as the activity in `body` says it; of any kind, with any object.

    Raises:
        WireError: As `read_activity`.
    """
    return _head_of(*_document_in(body, limits=limits), limits=limits)


def _document_in(body: bytes, *, limits: Limits) -> tuple[dict[str, Any], bool]:
    """The activity, and whether its numbers are plain."""
    document, has_plain_numbers = loads_signed(body, max_bytes=limits.activitypub_bytes, max_depth=limits.json_depth)
    if document.__class__ is not dict:
        raise wire_error("malformed", "", "an activity is a JSON object")
    return document, has_plain_numbers


def _head_of(document: dict[str, Any], has_plain_numbers: bool, *, limits: Limits) -> ActivityHead:
    """The id and the actor of an activity, which are of one origin."""
    check_document(document)
    actor = identifier(document.get("actor"), "/actor", limits=limits)
    host = host_of(actor)
    if host is None:
        raise wire_error("id-refused", "/actor", "must be an https URL on the default port of a DNS name")
    activity_id = local_id(document.get("id"), "/id", host, limits=limits)
    return ActivityHead(document, activity_id, actor, host, has_plain_numbers)


def _object_of(document: dict[str, Any], host: str, *, limits: Limits) -> dict[str, Any] | str:
    """The embedded object; or the id to fetch it by, which must be of the actor's origin before anybody asks for it."""
    found = document.get("object")
    if found.__class__ is list and len(found) == 1:
        found = found[0]
    if found.__class__ is dict:
        embedded: dict[str, Any] = found
        return embedded
    return local_id(found, "/object", host, limits=limits)


def read_object(document: dict[str, Any], activity: Activity, *, limits: Limits) -> Content:
    """The checked object of `activity`: `document` is the embedded one, or what was fetched under its id.

    Raises:
        WireError: `unsupported-object`, a bad or missing id, another origin, another author, JSON-LD that can be read
            in two ways.
    """
    named = document.get("type")
    kind = type_in(named, OBJECTS)
    if kind is None:
        if named is None:
            raise wire_error("missing-member", "/object/type", "an object without a type is no message")
        raise wire_error("unsupported-object", "/object/type", f"{_type_text(named)} is no message here")
    if named.__class__ is list and (other := type_in(named, AGAINST[kind])) is not None:
        raise wire_error("unsupported-object", "/object/type", f"no message here: it is said to be {other} too")
    check_types(named, AGAINST[kind], (activity.document.get("@context"), document.get("@context")), "/object")
    check_nested(document, "/object")
    object_id = local_id(document.get("id"), "/object/id", activity.host, limits=limits)
    _check_author(document, activity)
    return Content(document, object_id, kind)


def _check_author(document: dict[str, Any], activity: Activity) -> None:
    """The actor is the one author; beside it only a Group of the same origin may stand, the channel it appeared in."""
    attributed = document.get("attributedTo")
    if attributed is None or attributed == activity.actor:
        return
    authors = authors_of(document, activity.host)
    if not authors or any(author != activity.actor for author in authors):
        raise wire_error("author-mismatch", "/object/attributedTo", "does not name the actor alone")


def authors_of(document: dict[str, Any], host: str) -> list[Any]:
    """What stands as author in `attributedTo`, of any type; a channel on `host` is none."""
    return [
        entry.get("id") if entry.__class__ is dict else entry
        for entry in many(document.get("attributedTo"))
        if not _is_channel(entry, host)
    ]


def _is_channel(entry: Any, host: str) -> bool:
    """Whether an `attributedTo` entry is an embedded Group: where a video was published, not who made it.

    What is a Group and something else may be an author.
    """
    if entry.__class__ is not dict or entry.get("type") != "Group":
        return False
    channel = entry.get("id")
    return channel.__class__ is str and is_at(channel, host)


def _unsupported_activity(document: dict[str, Any], words: str, *, limits: Limits) -> WireError:
    """The refusal of anything but a Create or an Update; of an Announce it says what to fetch instead."""
    named = document.get("type")
    if named is None:
        return wire_error("missing-member", "/type", "an activity has a type")
    problems = [Problem("/type", f"{_type_text(named)} {words}")]
    wrapped = type_in(named, _WRAPPERS) is not None
    for member, rule in (("actor", "done by"), ("object", "to read it, fetch" if wrapped else "is about")):
        target = reference(document.get(member))
        if target is not None and len(target) <= limits.id_chars and is_fetchable_url(target):
            problems.append(Problem(f"/{member}", f"{rule} {target}"))
    return error_of("unsupported-activity", problems)


def _type_text(named: Any) -> str:
    """A type for a message to people: never the whole of what came."""
    first = next((item for item in many(named) if item.__class__ is str), "")
    return first if _PRINTABLE(first) else "this type"


_FIELDS: Final = ("to", "cc", "bto", "bcc", "audience")


_MENTION: Final = frozenset({"Mention"})


_EVERYBODY: Final = f"{AS2}#Public"


class Addressing(NamedTuple):
    """Whom an activity and its object name.

    Attributes:
        candidates: Who may be a recipient here, each once, in order; public collections are left out.
        fields: What stands in `to`, `cc`, `bto`, `bcc` and `audience`, each once, public collections in full.
    """

    candidates: tuple[str, ...]
    fields: dict[str, list[str]]


def addressing(
    activity: dict[str, Any], document: dict[str, Any], *, limits: Limits, notes: list[Diagnostic]
) -> Addressing:
    """Everybody whom an activity or its object names as a recipient, or mentions.

    Raises:
        WireError: `wrong-type` for a recipient that is no IRI, `too-many-tags`.

    Spec: Normalized Message §5 (recipient).
    """
    candidates: dict[str, None] = {}
    fields: dict[str, list[str]] = {}
    for name in _FIELDS:
        outer, inner = activity.get(name), document.get(name)
        if outer is None and inner is None:
            fields[name] = []
            continue
        found: dict[str, None] = {}
        if outer is not None:
            _take(outer, f"/{name}", found, candidates, limits=limits, notes=notes)
        if inner is not None and inner != outer:
            _take(inner, f"/object/{name}", found, candidates, limits=limits, notes=notes)
        fields[name] = list(found)
    for at, holder in (("/tag", activity), ("/object/tag", document)):
        tags = holder.get("tag")
        if tags is not None:
            _take_mentioned(many(tags), at, candidates, limits=limits)
    return Addressing(tuple(candidates), fields)


def _take(
    value: Any,
    at: str,
    found: dict[str, None],
    candidates: dict[str, None],
    *,
    limits: Limits,
    notes: list[Diagnostic],
) -> None:
    """Takes the recipients of one member down; a public collection in full, nonsense only as a note."""
    for item in many(value):
        iri = item if item.__class__ is str else reference(item)
        if iri in candidates:
            found[iri] = None
        elif iri in PUBLIC:
            found[_EVERYBODY] = None
        elif iri is None:
            if item is not None:
                raise wire_error("wrong-type", at, "must name recipients by their ids")
        elif is_opaque_iri(iri, limits=limits):
            found[iri] = candidates[iri] = None
        else:
            notes.append(Diagnostic(code="url-refused", at=at, detail=f"{iri[:80]!r} is no IRI of a recipient"))


def _take_mentioned(tags: Sequence[Any], at: str, candidates: dict[str, None], *, limits: Limits) -> None:
    """Takes the actors down that Mention tags point at; the name in a tag is never read."""
    if len(tags) > limits.tags:
        raise wire_error("too-many-tags", at, f"more than {limits.tags}")
    for tag in tags:
        iri = tag.get("href") if tag.__class__ is dict else None
        if (
            iri.__class__ is str
            and iri not in candidates  # as nearly all are: whom a post mentions it also addresses
            and type_in(tag.get("type"), _MENTION) is not None
            and iri not in PUBLIC
            and is_opaque_iri(iri, limits=limits)
        ):
            candidates[iri] = None
