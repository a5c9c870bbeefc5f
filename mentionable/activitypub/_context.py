"""JSON-LD contexts: this room reads plain JSON, so no context may give its words another meaning."""

from __future__ import annotations

from typing import Any, Final

from .._errors import wire_error
from ._iri import AS2, many

_NAMESPACES: Final = frozenset({AS2, f"{AS2}#", "http://www.w3.org/ns/activitystreams"})
_STRUCTURE: Final = frozenset({"@graph", "@included", "@reverse"})
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


def check_document(document: dict[str, Any], at: str = "") -> None:
    """Raises unless `document` is plain ActivityStreams: its context is there and redefines nothing that is read here.

    Raises:
        WireError: `json-ld-refused`.
    """
    context = document.get("@context")
    if context.__class__ is list:
        if AS2 not in context and not any(item.__class__ is str and item in _NAMESPACES for item in context):
            raise wire_error("json-ld-refused", f"{at}/@context", "the ActivityStreams context is missing")
        _check_context(context, at)
    elif context.__class__ is not str or context not in _NAMESPACES:
        raise wire_error("json-ld-refused", f"{at}/@context", "the ActivityStreams context is missing")
    _check_structure(document, at)


def check_nested(document: dict[str, Any], at: str) -> None:
    """Raises when an embedded object redefines words or brings in a graph; the context around it goes on to count."""
    if "@context" in document:
        _check_context(document["@context"], at)
    _check_structure(document, at)


def _check_structure(document: dict[str, Any], at: str) -> None:
    """Refuses the three keywords by which a JSON-LD reader sees another tree than a JSON reader."""
    if not document.keys().isdisjoint(_STRUCTURE):
        keyword = min(_STRUCTURE.intersection(document))
        raise wire_error("json-ld-refused", f"{at}/{keyword}", "is not read here")


def _check_context(context: Any, at: str) -> None:
    """Looks at every inline context, scoped ones included; its depth is bounded by that of the JSON."""
    for item in many(context):
        if item.__class__ is dict:
            if not _TERMS.isdisjoint(item):
                for term in sorted(_TERMS.intersection(item)):
                    if not _same_meaning(term, item[term]):
                        raise wire_error("json-ld-refused", f"{at}/@context", f"redefines {term}")
            for definition in item.values():
                if definition.__class__ is dict and "@context" in definition:
                    _check_context(definition["@context"], at)


def _same_meaning(term: str, definition: Any) -> bool:
    """Whether a definition says of `term` just what ActivityStreams says."""
    if definition.__class__ is dict:
        definition = definition.get("@id")
    if term == "as":
        return bool(definition == f"{AS2}#")
    return definition in (f"as:{term}", f"{AS2}#{term}") or (term in ("id", "type") and definition == f"@{term}")
