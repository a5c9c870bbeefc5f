"""Types of ActivityStreams that exclude each other, whatever a JSON-LD context calls them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from ..._errors.exceptions import wire_error
from .iri import AS2, many

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
_LONGEST: Final = 2_048

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
            if len(found) > _MOST_MEANINGS or len(meaning) > _LONGEST:
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
