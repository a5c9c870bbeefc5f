"""What is never read leniently, and what is never read from anyone, in tables.

A fault of a strict member rejects the value that holds it. Every other optional member is left out alone, see
`decode_leniently`.

Spec: docs/security.md, "Which members stay strict".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from .identity import AttestationProof, BearerProof, IdentityEvidence, TransportProof, UnknownProof, VerifiedIdentity
from .message import HistoricalMessage, NormalizedMessage
from .parts import ArtifactPart, CarriedPolicy, FilePart, TextPart
from .policy import (
    AcceptedPayment,
    ConsentConfirmation,
    ConsentRequired,
    PaymentConfirmation,
    PaymentRequired,
    PolicyResolution,
)
from .sender import Sender
from .stored_message import StoredMessage
from .trust import TrustEntry, TrustPolicy

EXACT: Final = frozenset(
    {
        *(IdentityEvidence, VerifiedIdentity, TransportProof, AttestationProof, BearerProof, UnknownProof),
        *(TrustEntry, TrustPolicy),
    }
)
"""What is signed, and what an operator trusts: read to the letter, so that even `null` is a fault."""

STRICT: Final[Mapping[type, frozenset[str]]] = {
    AcceptedPayment: frozenset({"scheme", "payload"}),
    PaymentRequired: frozenset({"kind", "accepted_payments", "state"}),
    ConsentRequired: frozenset({"kind", "state", "return_to"}),
    PaymentConfirmation: frozenset({"scheme", "original_payload", "transaction", "payer", "network"}),
    ConsentConfirmation: frozenset({"scope_hash", "expires_at"}),
    PolicyResolution: frozenset({"in_reply_to_state", "kind", "confirmation"}),
    CarriedPolicy: frozenset({"policy"}),
    Sender: frozenset({"address"}),
    HistoricalMessage: frozenset({"sender"}),
    NormalizedMessage: frozenset({"sender", "recipient"}),
}
"""Class → members that name money or a person, or bind a state: a fault there is a fault of the whole value."""

FALLBACK: Final[Mapping[type, Mapping[str, Any]]] = {
    TextPart: {"mime": "text/plain"},
    FilePart: {"mime": "application/octet-stream"},
    ArtifactPart: {"mime": "application/octet-stream"},
}
"""Required members that cost themselves all the same, with what is taken in their place: content counts for more."""


TRUSTED: Final[Mapping[type, frozenset[str]]] = {
    Sender: frozenset({"auth_method", "verified", "key_id", "identities"}),
    NormalizedMessage: frozenset({"policy_resolution"}),
}
"""Members that only one's own store may fill: from anyone else they are left at their defaults, unread."""

NOT_FROM_ANYONE: Final = (PolicyResolution, IdentityEvidence, VerifiedIdentity, StoredMessage)
"""Values that are verified, and never read from anyone."""

CLOSED: Final = (TrustEntry, TrustPolicy)
"""Values without unknown members: a misspelt one would widen what is trusted."""


def strict_of(cls: Any) -> frozenset[str]:
    """The strict members of a class: by the table, or, of a class that few programs load, as it says in `_STRICT`."""
    names: frozenset[str] = STRICT[cls] if cls in STRICT else getattr(cls, "_STRICT", frozenset())
    return names


def fallback_of(cls: Any) -> Mapping[str, Any]:
    """What is taken in place of required members of a class: by the table, or as the class says in `_FALLBACK`."""
    members: Mapping[str, Any] = FALLBACK[cls] if cls in FALLBACK else getattr(cls, "_FALLBACK", {})
    return members
