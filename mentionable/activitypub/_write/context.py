"""The JSON-LD contexts of what is written: ActivityStreams, and the terms of extensions where they are used."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

from ..._wire.strict_json import plain
from .._policy import CONTEXT
from .._read.json_ld import AS2, POLICY_TERM, many

SECURITY: Final = "https://w3id.org/security/v1"
"""The context of a key in PEM."""

DID: Final = "https://www.w3.org/ns/did/v1"
MULTIKEY: Final = "https://w3id.org/security/multikey/v1"
"""The contexts of a Multikey, both together (FEP-521a)."""

_INTEGRITY: Final = "https://w3id.org/security/data-integrity/v1"
_GTS: Final = ("gts", "https://gotosocial.org/ns#")
_TOOT: Final = ("toot", "http://joinmastodon.org/ns#")
_FEP_044F: Final = "https://w3id.org/fep/044f#"

_TERMS: Final[Mapping[str, Mapping[str, Any]]] = {
    # The term that Mastodon defines for the older name of a thread.
    "conversation": {"ostatus": "http://ostatus.org#", "conversation": "ostatus:conversation"},
    POLICY_TERM: CONTEXT,
    "QuoteRequest": {"QuoteRequest": f"{_FEP_044F}QuoteRequest"},
    "QuoteAuthorization": {
        **dict([_GTS]),
        "QuoteAuthorization": f"{_FEP_044F}QuoteAuthorization",
        **{name: {"@id": f"gts:{name}", "@type": "@id"} for name in ("interactingObject", "interactionTarget")},
    },
    "interactionPolicy": {
        **dict([_GTS]),
        **{
            name: {"@id": f"gts:{name}", "@type": "@id"}
            for name in ("interactionPolicy", "canQuote", "automaticApproval", "manualApproval")
        },
    },
    "votersCount": {**dict([_TOOT]), "votersCount": "toot:votersCount"},
    "featured": {**dict([_TOOT]), "featured": {"@id": "toot:featured", "@type": "@id"}},
    # These are terms of ActivityStreams, but its context does not have them.
    "alsoKnownAs": {"alsoKnownAs": {"@id": "as:alsoKnownAs", "@type": "@id"}},
    "movedTo": {"movedTo": {"@id": "as:movedTo", "@type": "@id"}},
}
"""A type or member of an extension → the terms that it needs (FEP-044f; FEP-7628; Mastodon)."""


def context_of(document: Mapping[str, Any], *, proven: bool = False) -> str | list[Any]:
    """The JSON-LD context of a document: the words of it and its objects, and those of a proof where there is one."""
    contexts: list[Any] = [AS2]
    if proven:
        contexts.append(_INTEGRITY)
    terms = terms_of(_words(document))
    if terms:
        contexts.append(terms)
    return contexts if len(contexts) > 1 else AS2


def terms_of(words: Collection[str]) -> dict[str, Any]:
    """The terms that types and members of extensions need; empty where none of these words is one."""
    terms = [meanings for word, meanings in _TERMS.items() if word in words]
    return dict(plain({term: meaning for meanings in terms for term, meaning in meanings.items()}))


def _words(document: Mapping[str, Any]) -> set[str]:
    """The members and types of a document and of the objects in it. What the agent writes is not deep."""
    words = {*document, *(kind for kind in many(document.get("type")) if isinstance(kind, str))}
    inner = document.get("object")
    return words | _words(inner) if isinstance(inner, Mapping) else words
