"""Ids and other IRIs of ActivityStreams documents, judged by their text alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Final

from ..._errors.exceptions import wire_error
from ..._flow.settings import Limits
from ..._text import media as _files
from ..._wire.http import is_fetchable_url, is_web_url
from ..._wire.strict_json import pointer

AS2: Final = "https://www.w3.org/ns/activitystreams"
"""The namespace of ActivityStreams 2.0, and its JSON-LD context."""

ACTORS: Final = frozenset({"Person", "Service", "Application", "Group", "Organization"})
PUBLIC: Final = frozenset({f"{AS2}#Public", "as:Public", "Public"})
"""The three ways to write the public collection (ActivityPub §5.6)."""

_HOST: Final = re.compile(r"https://([A-Za-z0-9.-]++)", re.ASCII).match
_LONGEST: Final = 8_192
"""No longer URL is asked for, whatever the limit of ids is."""

_REST: Final = re.compile(r"[!-\"$-;=?-\[\]^-z|~]*+(?:#[!-~]*+)?", re.ASCII).fullmatch
_ABSOLUTE: Final = re.compile(
    r"https?://[!#-;=?-\[\]_a-z~]++"  # Most are plain web URLs, and of these the class is told the fastest.
    r"|(?!(?i:javascript|data|vbscript|file|blob):)[A-Za-z][A-Za-z0-9+.-]{0,31}:[^\s\x00-\x20\x7f-\x9f<>\"\\^`{|}]++"
).fullmatch
_AUTHORITY: Final = re.compile(
    r"(?:https?://|tag:(?:[^@,]{1,64}@)?)([A-Za-z0-9.-]{1,253})(?=[:/?#,]|\Z)", re.ASCII | re.IGNORECASE
).match


_REMEMBERED_CHARS: Final = 512
"""Only ids up to this length are remembered, so that hostile ones cannot fill the memory."""


def host_of(iri: str) -> str | None:
    """The host of an id in lower case; None unless the id is one that may be asked for.

    Ids of one actor come again and again, so the last ones are remembered.
    """
    return _remembered_host(iri) if len(iri) <= _REMEMBERED_CHARS else _host(iri)


def host_in(value: object) -> str | None:
    """The host of an id that a program gave; None for whatever is no id that may be asked for."""
    return host_of(value) if isinstance(value, str) else None


def _host(iri: str) -> str | None:
    found = _HOST(iri) if is_fetchable_url(iri) else None
    return found[1].lower() if found else None


_remembered_host: Final = lru_cache(1024)(_host)


def is_at(iri: str, host: str) -> bool:
    """Whether `iri` is an id that may be asked for at `host`."""
    prefix = f"https://{host}/"
    if iri.startswith(prefix):
        if len(iri) > _LONGEST:
            return False
        return _REST(iri, len(prefix)) is not None
    return _host(iri) == host


def authority_of(iri: str) -> str | None:
    """Whose word an IRI is: the host of an http(s) URL or the authority of a `tag:` URI, or None when it has none."""
    found = _AUTHORITY(iri)
    return found[1].lower() if found else None


def is_opaque_iri(text: str, *, limits: Limits) -> bool:
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
        found: list[Any] = value
        return found
    return () if value is None else (value,)


def reference(value: Any) -> str | None:
    """The IRI that one value names: a string, an object's `id`, or a Link's `href`; never more than a claim."""
    if value.__class__ is dict:
        own = value.get("id")
        value = own if own.__class__ is str and own else value.get("href")
    return value if value.__class__ is str else None


def identifier(value: Any, at: str, *, limits: Limits) -> str:
    """The id that a member names: a string, an object with an `id`, or an array of exactly one of these.

    Raises:
        WireError: `missing-member`, `wrong-type`, `id-too-long`. What the id must look like is up to the caller.
    """
    if value.__class__ is list and len(value) == 1:
        value = value[0]
    if value.__class__ is dict:
        value = value.get("id")
    if value is None:
        raise wire_error("missing-member", at, "an id is required")
    if value.__class__ is not str:
        raise wire_error("wrong-type", at, "must name exactly one id, as a string")
    iri: str = value
    if len(iri) > limits.id_chars:
        raise wire_error("id-too-long", at, f"longer than {limits.id_chars} characters")
    return iri


def local_id(value: Any, at: str, host: str, *, limits: Limits) -> str:
    """The id that a member names, which must be of the origin of `host`.

    Raises:
        WireError: As `identifier`; `id-refused` for anything but an https URL on the default port of a DNS name,
            without userinfo; `origin-mismatch` for another host.
    """
    if value.__class__ is str and len(value) <= limits.id_chars and is_at(value, host):
        found: str = value
        return found
    iri = identifier(value, at, limits=limits)
    if not is_at(iri, host):
        if _host(iri) is None:
            raise wire_error("id-refused", at, "must be an https URL on the default port of a DNS name")
        raise wire_error("origin-mismatch", at, "is not of the origin of the actor")
    return iri


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


def media_type(value: Any) -> str | None:
    """A media type from the wire in lower case without parameters, or None when it is none."""
    return _files.media_type(value) if value.__class__ is str else None


TERM: Final = "mentionablePolicy"
"""The word for a policy in a note."""


IRI: Final = "https://mentionable.dev/ns/policy/v0.1#policy"
"""What that word means."""


_NAMESPACES: Final = frozenset({AS2, f"{AS2}#", "http://www.w3.org/ns/activitystreams"})


_SPELLINGS: Final = ("@", "as:", AS2, "http://www.w3.org/ns/activitystreams")
"""How a member begins that a JSON-LD reader takes for another: a keyword, or a word of ActivityStreams in full."""


_KEYWORDS: Final = {"id": "@id", "type": "@type"}
"""The terms that may stand for a keyword, as ActivityStreams defines them."""


_TERMS: Final = frozenset(
    {
        *("as", "id", "type", "actor", "object", "attributedTo", "to", "bto", "cc", "bcc", "audience", "inReplyTo"),
        *("context", "tag", "href", "url", "attachment", "name", "nameMap", "summary", "summaryMap", "content"),
        *("contentMap", "source", "mediaType", "published", "oneOf", "anyOf", "startTime", "endTime"),
        *("preferredUsername", "icon", "Create", "Update", "Note", "Article", "Page", "Question", "Audio", "Video"),
        *("Image", "Event", "Mention", "Link"),
    }
)
"""The words that are read here and that ActivityStreams defines."""


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


def check_nested(document: dict[str, Any], at: str) -> None:
    """Raises when an embedded object redefines words or holds a keyword; the context around it goes on to count."""
    if "@context" in document:
        _check_context(document["@context"], at)
    _check_structure(document, at)


def _check_structure(document: dict[str, Any], at: str) -> None:
    """Refuses members by which a JSON-LD reader sees another tree, or other words, than a JSON reader."""
    names = "".join(document)
    if ":" not in names and names.count("@") == ("@context" in document):
        return  # Every such spelling has one of these characters.
    for name in document:
        if name.startswith(_SPELLINGS) and name != "@context":
            raise wire_error("json-ld-refused", at + pointer(name[:100]), "is not read here")


def _check_context(context: Any, at: str) -> None:
    """Looks at every inline context, scoped ones included; its depth is bounded by that of the JSON."""
    if context is None:
        raise wire_error("json-ld-refused", f"{at}/@context", "null takes every word its meaning")
    for item in many(context):
        if item is None:
            raise wire_error("json-ld-refused", f"{at}/@context", "null takes every word its meaning")
        if item.__class__ is dict:
            if not _TERMS.isdisjoint(item):
                for term in sorted(_TERMS.intersection(item)):
                    if not _same_meaning(term, item[term]):
                        raise wire_error("json-ld-refused", f"{at}/@context", f"redefines {term}")
            for term, definition in item.items():
                # A term that stands for an IRI, as most do, moves nothing and stands for no keyword.
                if definition.__class__ is not str or definition[:1] == "@" or definition in _KEYWORDS:
                    _check_definition(term, definition, at)


def _check_definition(term: str, definition: Any, at: str) -> None:
    """Refuses a term that stands for a keyword, or whose values a JSON-LD reader would hang elsewhere in the tree."""
    meaning = definition
    if definition.__class__ is dict:
        if "@reverse" in definition or "@nest" in definition:
            raise wire_error("json-ld-refused", f"{at}/@context", "a term moves its values in the tree")
        if "@context" in definition:
            _check_context(definition["@context"], at)
        meaning = definition.get("@id")
    if meaning.__class__ is str and (meaning[:1] == "@" or meaning in _KEYWORDS) and _KEYWORDS.get(term) != meaning:
        raise wire_error("json-ld-refused", f"{at}/@context", "a term stands for a keyword")


def _same_meaning(term: str, definition: Any) -> bool:
    """Whether a definition says of `term` just what ActivityStreams says."""
    if definition.__class__ is dict:
        definition = definition.get("@id")
    if term == "as":
        return bool(definition == f"{AS2}#")
    return definition in (f"as:{term}", f"{AS2}#{term}") or (term in ("id", "type") and definition == f"@{term}")


ACTIVITIES: Final = frozenset({"Create", "Update"})
"""The activities that carry somebody's own words."""


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


AGAINST: Final = {
    **{kind: _VOCABULARY - {kind} for kind in ACTIVITIES},
    **dict.fromkeys(OBJECTS, _VOCABULARY - OBJECTS - {"Document"}),
}
"""Activity or object → the types that nothing of its type has."""


_PREFIXES: Final = ("as:", f"{AS2}#", "http://www.w3.org/ns/activitystreams#")


_MOST_MEANINGS: Final = 64


_LONGEST_MEANING: Final = 2_048


_Terms = dict[str, dict[str, None]]


def check_types(named: Any, against: frozenset[str], contexts: tuple[Any, ...], at: str) -> None:
    """Raises when a context gives a listed type the meaning of one that excludes the type that is read here.

    Contexts that are named by their URL are not fetched: only what stands in the document counts.

    Args:
        named: The types, which exclude nothing by their own names.
        against: The names of ActivityStreams that exclude.
        contexts: The contexts in which they stand.
        at: Where these stand.

    Raises:
        WireError: `json-ld-refused`.
    """
    if named.__class__ is str and ":" not in named and named != "ChatMessage":
        return  # one word of ActivityStreams, which no context may redefine
    terms: _Terms = {}
    for context in contexts:
        _collect(context, terms)
    types = list(dict.fromkeys(one for one in many(named) if one.__class__ is str))
    if terms and not against.isdisjoint(_meanings(types, terms, at)):
        raise wire_error("json-ld-refused", f"{at}/@context", "gives a type the meaning of another one")


def _collect(context: Any, terms: _Terms) -> None:
    """Term → all that the inline contexts say it stands for, scoped ones included; JSON bounds their depth."""
    for item in many(context):
        if item.__class__ is dict:
            for term, definition in item.items():
                meaning = definition
                if definition.__class__ is dict:
                    _collect(definition.get("@context"), terms)
                    meaning = definition.get("@id")
                if meaning.__class__ is str:
                    terms.setdefault(term, {})[meaning] = None


def _meanings(types: list[str], terms: _Terms, at: str) -> set[str]:
    """All that types may stand for, as names of ActivityStreams where it is one.

    Raises:
        WireError: There are too many, or too long ones.
    """
    found = set(queue := types)  # it grows while it is read
    for one in queue:
        for meaning in _steps(one, terms):
            if meaning not in found:
                found.add(meaning)
                queue.append(meaning)
            if len(found) > _MOST_MEANINGS or len(meaning) > _LONGEST_MEANING:
                raise wire_error("json-ld-refused", f"{at}/@context", "gives a type too many meanings")
    return {_plain(one) for one in found}


def _steps(name: str, terms: _Terms) -> Iterator[str]:
    """What a name may stand for, one definition further (JSON-LD 1.1 API §5.2)."""
    yield from terms.get(name, ())
    prefix, colon, rest = name.partition(":")
    if not colon:
        for keyword in ("@vocab", "@base"):
            yield from (start + name for start in terms.get(keyword, ()))
    elif not rest.startswith("//"):
        yield from (start + rest for start in terms.get(prefix, ()))


def _plain(name: str) -> str:
    """The name of ActivityStreams that an IRI is, or the IRI."""
    for prefix in _PREFIXES:
        if name.startswith(prefix):
            return name[len(prefix) :]
    return name
