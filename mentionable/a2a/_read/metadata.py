"""What a caller forwards in `metadata.mentionable`: the capabilities of its platform and the place in a chain.

All of it is the caller's word, unverified and advisory. What is malformed counts as absent and never rejects.

Spec: Normalized Message §3.3.4, §3.3.5; decisions B1.
"""

from __future__ import annotations

from typing import Any, Final

from ..._model.capabilities import RecipientCapabilities
from ..._model.diagnostic import Diagnostic
from ..._transport.forwarded import DEFAULT, read_capabilities
from .parse_context import EMPTY

CARRIER: Final = "identity_evidence"
"""Where a message brings identity evidence along."""

PAYMENT_STATUS: Final = "x402.payment.status"
_POLICY: Final = frozenset({"policy", "policy_resolution"})


def recipient_capabilities(metadata: Any, at: str, notes: list[Diagnostic]) -> RecipientCapabilities:
    """The capabilities that the message at `at` forwards, or the default; `notes` takes what had to be left out."""
    hints = hints_of(metadata)
    if not hints:
        return DEFAULT
    at += "/metadata/mentionable/recipient_capabilities"
    return read_capabilities(hints.get("recipient_capabilities"), notes, at=at, chain_beside=hints.get("agent_chain"))


def has_policy(metadata: Any) -> bool:
    """Whether metadata has a demand or a receipt in it, well formed or not; most have neither."""
    return metadata.__class__ is dict and (
        PAYMENT_STATUS in metadata or not hints_of(metadata).keys().isdisjoint(_POLICY)
    )


def is_demanded(metadata: Any) -> bool:
    """Whether metadata says that something is demanded, well formed or not: then nothing more comes until it is met."""
    is_payment = metadata.__class__ is dict and metadata.get(PAYMENT_STATUS) == "payment-required"
    return is_payment or hints_of(metadata).get("policy") is not None


def hints_of(metadata: Any) -> dict[str, Any]:
    """The `mentionable` namespace of a metadata object; empty when there is none or it has another shape."""
    if metadata.__class__ is not dict:
        return EMPTY
    namespace = metadata.get("mentionable")
    return namespace if namespace.__class__ is dict else EMPTY
