"""JSON-LD contexts: this room reads plain JSON, so no context may give its words another meaning."""

from __future__ import annotations

from typing import Any, Final

from ..._errors.exceptions import wire_error
from ..._wire.strict_json import pointer
from .iri import AS2, many

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
