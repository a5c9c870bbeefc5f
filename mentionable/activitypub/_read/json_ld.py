"""JSON-LD as ActivityPub servers use it: node objects, ids, types and contexts.

Contexts are not expanded: the library reads plain JSON. So a document is refused when its context gives a term that is
read here another meaning, because a peer that expands contexts would read another document.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import chain
from typing import Any, Final, Literal, NamedTuple, TypeAlias, get_args

from ..._errors.exceptions import wire_error
from ..._flow.settings import Limits
from ..._text import media as _files
from ..._wire.http import is_fetchable_url, is_web_url
from ..._wire.strict_json import pointer as json_pointer

AS2: Final = "https://www.w3.org/ns/activitystreams"
"""The namespace of ActivityStreams 2.0, and its JSON-LD context."""

ACTORS: Final = frozenset({"Person", "Service", "Application", "Group", "Organization"})
PUBLIC: Final = frozenset({f"{AS2}#Public", "as:Public", "Public"})
"""The three ways to write the public collection (ActivityPub §5.6)."""

ADDRESSING: Final = ("to", "cc", "bto", "bcc", "audience")
"""The members that name recipients (ActivityPub §6.1)."""

BLIND: Final = frozenset({"bto", "bcc"})
"""Those of them that only the sender may see (ActivityPub §6)."""

_HOST: Final = re.compile(r"https://([A-Za-z0-9.-]++)", re.ASCII).match
_MAX_URL_CHARS: Final = 8_192
"""No longer URL is asked for, whatever the limit of ids is."""

_REST: Final = re.compile(r"[!-\"$-;=?-\[\]^-z|~]*+(?:#[!-~]*+)?", re.ASCII).fullmatch
_PLAIN_CHARS: Final = r"[!#-;=?-\[\]_a-z~]"
"""A character of a plain web URL: `_REST` and `_ABSOLUTE` both allow it in one."""

_PLAIN_REST: Final = re.compile(f"{_PLAIN_CHARS}*+").fullmatch
_ABSOLUTE: Final = re.compile(
    rf"https?://{_PLAIN_CHARS}++"  # Most are plain web URLs, and this matches them the fastest.
    r"|(?!(?i:javascript|data|vbscript|file|blob):)[A-Za-z][A-Za-z0-9+.-]{0,31}:[^\s\x00-\x20\x7f-\x9f<>\"\\^`{|}]++"
).fullmatch
_AUTHORITY: Final = re.compile(
    r"(?:https?://|tag:(?:[^@,]{1,64}@)?)([A-Za-z0-9.-]{1,253})(?=[:/?#,]|\Z)", re.ASCII | re.IGNORECASE
).match


_REMEMBERED_CHARS: Final = 512
"""Only ids up to this length are remembered, so that hostile ones cannot fill the memory."""

REMEMBERED_CONTEXTS: Final = 256
"""How many inline contexts stay in memory as accepted."""

_REMEMBERED_CONTEXT_CHARS: Final = 4_096
"""Only contexts up to this length are remembered."""

_accepted: Final[dict[tuple[str, ...], dict[str, Any]]] = {}
"""Accepted inline contexts, by their terms: the documents of a server nearly all have the same one.

Only one that is equal in full is taken as accepted. Terms are a key that is made sooner than one of all definitions.
"""

POLICY_TERM: Final = "mentionablePolicy"
"""The term of a policy in a note."""

POLICY_IRI: Final = "https://mentionable.dev/ns/policy/v0.1#policy"
"""The IRI of that term."""

_NAMESPACES: Final = frozenset({AS2, f"{AS2}#", "http://www.w3.org/ns/activitystreams"})

_SPELLINGS: Final = ("@", "as:", AS2, "http://www.w3.org/ns/activitystreams")
"""How a member begins that JSON-LD expands to another: a keyword, or a term of ActivityStreams in full."""

SENSITIVE: Final = (
    *("sensitive", "as:sensitive", f"{AS2}#sensitive", "http://www.w3.org/ns/activitystreams#sensitive"),
)
"""The spellings of the one member that may be written as an expanding reader would write it."""

_KEYWORDS: Final = {"id": "@id", "type": "@type"}
"""The terms that may stand for a keyword, as ActivityStreams defines them."""

TERMS: Final = frozenset(
    {
        *("as", "id", "type", "actor", "object", "attributedTo", "to", "bto", "cc", "bcc", "audience", "inReplyTo"),
        *("context", "tag", "href", "url", "attachment", "name", "nameMap", "summary", "summaryMap", "content"),
        *("contentMap", "source", "mediaType", "published", "oneOf", "anyOf", "startTime", "endTime"),
        *("preferredUsername", "icon", "Create", "Update", "Note", "Article", "Page", "Question", "Audio", "Video"),
        *("Image", "Event", "Mention", "Link", "target", "instrument", "alsoKnownAs", "movedTo", "Tombstone"),
        *("Accept", "Add", "Announce", "Block", "Delete", "Dislike", "Flag", "Follow", "Ignore", "Invite", "Join"),
        *("Leave", "Like", "Listen", "Move", "Offer", "Read", "Reject", "Remove", "TentativeAccept"),
        *("TentativeReject", "Undo", "View", "Person", "Service", "Application", "Group", "Organization"),
    }
)
"""The terms of ActivityStreams that are read here."""

ACTIVITIES: Final = frozenset({"Create", "Update"})
"""The activities that carry the words of their actor."""

ActivityType: TypeAlias = Literal[
    "Accept",
    "Add",
    "Announce",
    "Block",
    "Delete",
    "Dislike",
    "EmojiReact",
    "Flag",
    "Follow",
    "Ignore",
    "Invite",
    "Join",
    "Leave",
    "Like",
    "Listen",
    "Move",
    "Offer",
    "QuoteRequest",
    "Read",
    "Reject",
    "Remove",
    "TentativeAccept",
    "TentativeReject",
    "Undo",
    "Update",
    "View",
    "Vote",
]
"""The types of activities that `receive` gives as a `ReceivedActivity`; `Vote` is a Create of an answer to a poll."""

EVENTS: Final = frozenset(get_args(ActivityType)) - {"Update", "Vote"}
"""The activities that are no messages, by their type alone. An Update of an actor and a vote are others."""

OBJECTS: Final = frozenset({"Note", "Article", "Page", "Question", "Audio", "Video", "Image", "Event", "ChatMessage"})
"""The objects that become messages."""

_VOCABULARY: Final = frozenset({
    *("Accept", "Add", "Announce", "Arrive", "Block", "Create", "Delete", "Dislike", "Flag", "Follow", "Ignore"),
    *("IntransitiveActivity", "Invite", "Join", "Leave", "Like", "Listen", "Move", "Offer", "Read", "Reject", "Remove"),
    *("TentativeAccept", "TentativeReject", "Travel", "Undo", "Update", "View"),
    *("Application", "Group", "Organization", "Person", "Service"),
    *("Article", "Audio", "Document", "Event", "Image", "Note", "Page", "Place", "Profile", "Question", "Relationship"),
    *("Collection", "CollectionPage", "OrderedCollection", "OrderedCollectionPage", "Tombstone", "Video"),
    *("Link", "Mention"),
})  # fmt: skip
"""The types of ActivityStreams, without those from which all activities come: `Object` and `Activity`."""

EXCLUDED_TYPES: Final = {kind: _VOCABULARY - {kind} for kind in ACTIVITIES | EVENTS}
"""Type of an activity → the types that exclude it."""

_EXTENSIONS: Final = frozenset({
    *("Activity", "Actor", "Bite", "EmojiReact", "EmojiReaction", "Report", "Vote"),
    *("Apply", "Assign", "Edit", "Endorse", "Grant", "Push", "Resolve", "Revoke"),
    *("Bot", "Repository", "TicketTracker", "Project", "Team", "CacheFile", "Emoji", "Hashtag", "Infohash"),
    *("PropertyValue", "QuoteAuthorization", "QuoteRequest"),
})  # fmt: skip
"""Types of extensions that are no content: what another reader acts on, or takes for an actor or a part of a post."""

NO_CONTENT: Final = (_VOCABULARY - OBJECTS - {"Document"}) | (_EXTENSIONS - {"Activity"})
"""The types that an object of a message does not have: activities, actors, collections, links and tombstones."""

_CLOSED: Final = frozenset(kind.casefold() for kind in NO_CONTENT | {"Activity", "Document"})
_CLOSED_ENDS: Final = (
    *("activity", "actor", "approval", "authorization", "collection", "collectionpage", "react", "reaction", "request"),
    *("key", "proof", "signature"),
)
"""How the names of types end that stand for such things in extensions, in lower case."""

_OTHER_SHAPES: Final = frozenset({
    *("actor", "object", "origin", "target", "instrument"),
    *("inbox", "outbox", "preferredUsername", "publicKey", "publicKeyPem", "assertionMethod", "endpoints"),
    *("items", "orderedItems", "totalItems", "first", "last", "partOf", "formerType", "deleted", "href"),
})  # fmt: skip
"""Members by which a reader that looks at no type takes an object for another thing than content."""

_TYPE_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9:/#._-]{0,199}", re.ASCII).fullmatch
_MAX_TYPES: Final = 16

_PREFIXES: Final = ("as:", f"{AS2}#", "http://www.w3.org/ns/activitystreams#")

_MAX_MEANINGS: Final = 64

_MAX_IRI_CHARS: Final = 2_048


class Node(NamedTuple):
    """A node object of ActivityStreams: an activity, an object or an actor, as a typed view of its JSON.

    Members that may hold one value or an array are sequences here; null and absence are empty ones.

    Attributes:
        raw: The JSON as it came.
        attributed_to: The authors.
        to: The primary recipients.
        cc: The secondary recipients.
        bto: The blind primary recipients.
        bcc: The blind secondary recipients.
        audience: The audience.
        tags: The tags: mentions, hashtags, emoji.
        attachments: The attachments.
        urls: The links to its representations.
        contexts: The threads that it names itself (`context`, not `@context`).
        conversations: The same by an older name, which Mastodon defines.
        in_reply_to: What it answers.
    """

    raw: dict[str, Any]
    attributed_to: Sequence[Any]
    to: Sequence[Any]
    cc: Sequence[Any]
    bto: Sequence[Any]
    bcc: Sequence[Any]
    audience: Sequence[Any]
    tags: Sequence[Any]
    attachments: Sequence[Any]
    urls: Sequence[Any]
    contexts: Sequence[Any]
    conversations: Sequence[Any]
    in_reply_to: Sequence[Any]

    def type_in(self, known: frozenset[str]) -> str | None:
        """Its first type that is in `known`."""
        return type_in(self.raw.get("type"), known)

    def values(self, member: str) -> Sequence[Any]:
        """A member of one type alone, as a sequence."""
        return many(self.raw.get(member))

    @property
    def media_type(self) -> str | None:
        """Its media type; None when it has none that is valid."""
        value = self.raw.get("mediaType")
        return None if value is None else media_type(value)


_new_node: Final[Callable[[Sequence[Any]], Node]] = partial(tuple.__new__, Node)
"""`Node._make` without its Python function: nodes are made from lists, many for each message."""

ADDRESSED: Final = {member: Node._fields.index(member) for member in ADDRESSING}
"""Where each member of `ADDRESSING` is in a `Node`."""

_SEQUENCES: Final = (
    *("attributedTo", "to", "cc", "bto", "bcc", "audience", "tag", "attachment", "url", "context"),
    *("conversation", "inReplyTo"),
)
"""The members of the sequences of a `Node`, in their order."""

_PLACES: Final = {member: place for place, member in enumerate(_SEQUENCES, 1)}  # behind `raw`
_NO_SEQUENCES: Final = ((),) * len(_SEQUENCES)


def read_node(raw: dict[str, Any]) -> Node:
    """The typed view of a node object. Nothing is checked; nothing is copied."""
    # Each is `many` of its member, written out: a node has few of the dozen.
    members: list[Any] = [raw, *_NO_SEQUENCES]
    for name, value in raw.items():
        if name in _PLACES and value is not None:
            members[_PLACES[name]] = value if value.__class__ is list else (value,)
    return _new_node(members)


def host_of(iri: str) -> str | None:
    """The host of an id in lower case; None unless the id is one that may be asked for.

    Ids of one actor come again and again, so the last ones are remembered.
    """
    return _remembered_host(iri) if len(iri) <= _REMEMBERED_CHARS else _host(iri)


def host_in(value: object) -> str | None:
    """The host of an id that a program gave; None for whatever is no id that may be asked for."""
    return host_of(value) if isinstance(value, str) else None


def _host(iri: str) -> str | None:
    match = _HOST(iri) if is_fetchable_url(iri) else None
    return match[1].lower() if match else None


_remembered_host: Final = lru_cache(1024)(_host)


def is_at(iri: str, host: str) -> bool:
    """Whether `iri` is an id that may be asked for at `host`."""
    prefix = f"https://{host}/"
    if iri.startswith(prefix):
        if len(iri) > _MAX_URL_CHARS:
            return False
        return _REST(iri, len(prefix)) is not None
    return _host(iri) == host


def authority_of(iri: str) -> str | None:
    """The host of an http(s) URL or the authority of a `tag:` URI; None for other IRIs."""
    match = _AUTHORITY(iri)
    return match[1].lower() if match else None


def is_opaque_iri(text: str, limits: Limits) -> bool:
    """Whether `text` is an absolute IRI that may be carried as an id: not too long, nothing a browser would run."""
    return len(text) <= limits.id_chars and _ABSOLUTE(text) is not None


def web_url(entry: Any) -> str | None:
    """The http(s) URL that an entry of `url` is, or that it has as `href`; None when it has none to show to people."""
    url = entry.get("href") if entry.__class__ is dict else entry
    return url if url.__class__ is str and is_web_url(url) else None


def without_fragment(iri: str) -> str:
    """The IRI of the document that holds `iri`."""
    return iri.partition("#")[0]


def many(value: Any) -> Sequence[Any]:
    """A member that may be one value or an array, as a sequence; nothing for null and for absence."""
    if value.__class__ is list:
        values: list[Any] = value
        return values
    return () if value is None else (value,)


def natural_value(raw: dict[str, Any], member: str) -> tuple[str | None, Any]:
    """A natural-language value of any JSON type, and its language where it is an entry of a language map (§4.7)."""
    value = raw.get(member)
    if value is None:
        languages = raw.get(f"{member}Map")
        if languages.__class__ is dict:
            return next(iter(languages.items()), (None, None))
    return None, value


def reference(value: Any) -> str | None:
    """The IRI that one value names: a string, an object's `id`, or a Link's `href`. It proves nothing."""
    if value.__class__ is dict:
        own = value.get("id")
        value = own if own.__class__ is str and own else value.get("href")
    return value if value.__class__ is str else None


def identifier(value: Any, pointer: str, limits: Limits) -> str:
    """The id that a member names: a string, an object with an `id`, or an array of exactly one of these.

    Raises:
        WireError: `missing-member`, `wrong-type`, `id-too-long`. What the id must look like is up to the caller.
    """
    if value.__class__ is list and len(value) == 1:
        value = value[0]
    if value.__class__ is dict:
        value = value.get("id")
    if value is None:
        raise wire_error("missing-member", pointer, "an id is required")
    if value.__class__ is not str:
        raise wire_error("wrong-type", pointer, "must name exactly one id, as a string")
    iri: str = value
    if len(iri) > limits.id_chars:
        raise wire_error("id-too-long", pointer, f"longer than {limits.id_chars} characters")
    return iri


def local_id(value: Any, pointer: str, host: str, limits: Limits) -> str:
    """The id of an activity or object: one string, which must be of the origin of `host`.

    Raises:
        WireError: As `identifier`; `id-refused` for anything but an https URL on the default port of a DNS name,
            without userinfo, in the characters of RFC 3986: an answer names it; `origin-mismatch` for another host.
    """
    if value.__class__ is str:
        local: str = value
        prefix = f"https://{host}/"
        is_short = len(local) <= limits.id_chars and len(local) <= _MAX_URL_CHARS
        # Nearly all ids are plain: then one look does what both checks below it do.
        if is_short and local.startswith(prefix) and _PLAIN_REST(local, len(prefix)):
            return local
        if is_opaque_iri(local, limits) and is_at(local, host):
            return local
    if value.__class__ in (list, dict):
        raise wire_error("wrong-type", pointer, "must be one id, as a string")
    iri = identifier(value, pointer, limits)
    if not is_at(iri, host):
        if _host(iri) is None:
            raise wire_error("id-refused", pointer, "must be an https URL on the default port of a DNS name")
        raise wire_error("origin-mismatch", pointer, "is not of the origin of the actor")
    raise wire_error("id-refused", pointer, "has characters that an answer cannot name")


def type_in(value: Any, known: frozenset[str]) -> str | None:
    """The first type in `value` (one or an array) that is in `known`; `as:` and the full namespace may precede it."""
    if value.__class__ is str:
        if value in known:
            name: str = value
            return name
        if ":" not in value:
            return None
    for item in many(value):
        if item.__class__ is str:
            name = item.removeprefix("as:").removeprefix(f"{AS2}#")
            if name in known:
                return name
    return None


def unknown_type(document: dict[str, Any]) -> str | None:
    """The type of an object that is none of `OBJECTS` but has text to read; None for anything else.

    No reader may take the object for an activity, an actor, a collection, a link or a tombstone, neither by one of its
    types nor by its members.
    """
    types = many(document.get("type"))
    names = [name for name in types[: _MAX_TYPES + 1] if name.__class__ is str]
    if not names or len(names) > _MAX_TYPES or any(map(_is_closed, names)) or not _OTHER_SHAPES.isdisjoint(document):
        return None
    return names[0] if any(_has_text(document, member) for member in ("content", "name")) else None


def _is_closed(name: str) -> bool:
    """Whether a type that is not known here is no content, or no type at all."""
    local = re.split("[#/:]", name)[-1].casefold().rstrip("0123456789")
    return local in _CLOSED or local.endswith(_CLOSED_ENDS) or _TYPE_NAME(name) is None


def _has_text(document: dict[str, Any], member: str) -> bool:
    """Whether a natural-language member or its map of languages has any text."""
    languages = document.get(f"{member}Map")
    values = [*many(document.get(member)), *(languages.values() if languages.__class__ is dict else ())]
    return any(value.__class__ is str and value and not value.isspace() for value in values)


def media_type(value: Any) -> str | None:
    """A media type from the wire in lower case without parameters, or None when it is none."""
    return _files.media_type(value) if value.__class__ is str else None


def check_document(document: dict[str, Any]) -> None:
    """Raises unless `document` is plain ActivityStreams: its context is there and redefines nothing that is read here.

    Raises:
        WireError: `json-ld-refused`.
    """
    context = document.get("@context")
    if context.__class__ is list:
        if AS2 not in context and not any(item.__class__ is str and item in _NAMESPACES for item in context):
            raise wire_error("json-ld-refused", "/@context", "the ActivityStreams context is missing")
        _check_context(context, "")
    elif context.__class__ is not str or context not in _NAMESPACES:
        raise wire_error("json-ld-refused", "/@context", "the ActivityStreams context is missing")
    _check_structure(document, "")


def check_nested(document: dict[str, Any], pointer: str) -> None:
    """Raises when an embedded object redefines terms or holds a keyword. The outer context still applies to it."""
    if "@context" in document:
        _check_context(document["@context"], pointer)
    _check_structure(document, pointer)


def _check_structure(document: dict[str, Any], pointer: str) -> None:
    """Refuses members that JSON-LD expands to others: a reader of plain JSON would miss them."""
    names = "".join(document)
    if ":" not in names and names.count("@") == ("@context" in document):
        return  # no such spelling is possible
    for name in document:
        if name.startswith(_SPELLINGS) and name != "@context" and name not in SENSITIVE:
            raise wire_error("json-ld-refused", pointer + json_pointer(name[:100]), "is not read here")


def _check_context(context: Any, pointer: str, *, is_scoped: bool = False) -> None:
    """Looks at every inline context, scoped ones included; its depth is bounded by that of the JSON."""
    for item in context if context.__class__ is list else (context,):
        if item is None:
            raise wire_error("json-ld-refused", f"{pointer}/@context", "a null context clears all definitions")
        if item.__class__ is dict and (is_scoped or _accepted.get(tuple(item)) != item):
            _check_definitions(item, pointer)
            if not is_scoped:  # It is remembered with the one around it, written once for all levels.
                _remember(item)


def _check_definitions(context: dict[str, Any], pointer: str) -> None:
    """Refuses an inline context that gives a term that is read here another meaning."""
    if not TERMS.isdisjoint(context):
        for term in sorted(TERMS.intersection(context)):
            if not _same_meaning(term, context[term]):
                raise wire_error("json-ld-refused", f"{pointer}/@context", f"redefines {term}")
    for term, definition in context.items():
        if definition.__class__ is str and ":" in definition and definition[0] != "@":
            continue  # Most terms stand for an IRI, and that is harmless.
        meaning = definition
        if definition.__class__ is dict:
            if not _MOVES_NOTHING(definition):
                _check_moves(definition, pointer)
            meaning = definition.get("@id")
        if meaning.__class__ is str and (meaning[:1] == "@" or meaning in _KEYWORDS) and _KEYWORDS.get(term) != meaning:
            raise wire_error("json-ld-refused", f"{pointer}/@context", "a term stands for a keyword")


def _remember(context: dict[str, Any]) -> None:
    """Keeps a copy of an accepted context, unless it is long; where there are many, it forgets them all first."""
    text = json.dumps(context)
    if len(text) <= _REMEMBERED_CONTEXT_CHARS:
        if len(_accepted) >= REMEMBERED_CONTEXTS:
            _accepted.clear()
        _accepted[tuple(context)] = json.loads(text)


_MOVES_NOTHING: Final = frozenset({"@reverse", "@nest", "@context"}).isdisjoint


def _check_moves(definition: dict[str, Any], pointer: str) -> None:
    """Refuses a term whose values JSON-LD moves elsewhere in the tree, and looks at the context in its scope."""
    if "@context" not in definition or "@reverse" in definition or "@nest" in definition:
        raise wire_error("json-ld-refused", f"{pointer}/@context", "a term moves its values in the tree")
    _check_context(definition["@context"], pointer, is_scoped=True)


def _same_meaning(term: str, definition: Any) -> bool:
    """Whether a definition of `term` is that of ActivityStreams."""
    meaning = _meaning(definition)
    if term == "as":
        return bool(meaning == f"{AS2}#")
    return meaning in (f"as:{term}", f"{AS2}#{term}") or (term in ("id", "type") and meaning == f"@{term}")


def definitions(context: Any) -> Iterator[tuple[str, Any]]:
    """Each term that a context defines inline, and what it means, scoped contexts included; JSON bounds their depth."""
    for item in many(context):
        if item.__class__ is dict:
            for term, definition in item.items():
                yield term, _meaning(definition)
                if definition.__class__ is dict and "@context" in definition:
                    yield from definitions(definition["@context"])


def _meaning(definition: Any) -> Any:
    """What a definition says that its term means: an IRI, for whatever is valid."""
    return definition.get("@id") if definition.__class__ is dict else definition


def check_types(types: Any, excluded: frozenset[str], contexts: tuple[Any, ...], pointer: str) -> None:
    """Raises when a context gives a type the meaning of one that excludes the type that is read here.

    Contexts that are named by their URL are not fetched: only inline ones count. What is one of `TERMS` need not be
    checked: `check_document` lets no context redefine it.

    Raises:
        WireError: `json-ld-refused`.
    """
    terms: dict[str, dict[str, None]] = {}
    for term, meaning in chain.from_iterable(map(definitions, contexts)):
        if meaning.__class__ is str:
            terms.setdefault(term, {})[meaning] = None
    names = list(dict.fromkeys(name for name in many(types) if name.__class__ is str))
    if terms and not excluded.isdisjoint(_meanings(names, terms, pointer)):
        raise wire_error("json-ld-refused", f"{pointer}/@context", "gives a type the meaning of another one")


def _meanings(types: list[str], terms: Mapping[str, Iterable[str]], pointer: str) -> set[str]:
    """All that types may expand to; names of ActivityStreams are without their namespace.

    Raises:
        WireError: An attacker's context gives too many meanings, or too long ones.
    """
    meanings = set(queue := types)  # the queue grows while it is read
    for name in queue:
        for meaning in _expansions(name, terms):
            if meaning not in meanings:
                meanings.add(meaning)
                queue.append(meaning)
            if len(meanings) > _MAX_MEANINGS or len(meaning) > _MAX_IRI_CHARS:
                raise wire_error("json-ld-refused", f"{pointer}/@context", "gives a type too many meanings")
    return {_without_namespace(meaning) for meaning in meanings}


def _expansions(name: str, terms: Mapping[str, Iterable[str]]) -> Iterator[str]:
    """What a name may expand to in one step (JSON-LD 1.1 API §5.2)."""
    yield from terms.get(name, ())
    prefix, colon, rest = name.partition(":")
    if not colon:
        for keyword in ("@vocab", "@base"):
            yield from (start + name for start in terms.get(keyword, ()))
    elif not rest.startswith("//"):
        yield from (start + rest for start in terms.get(prefix, ()))


def _without_namespace(name: str) -> str:
    """An IRI of ActivityStreams without its namespace; other IRIs as they are."""
    for prefix in _PREFIXES:
        if name.startswith(prefix):
            return name[len(prefix) :]
    return name
