"""The members that a caller forwards in `metadata.mentionable`: the capabilities of its platform, its place in a chain.

All of them are unverified and advisory. A malformed one counts as absent and never rejects.

Spec: Normalized Message §3.3.4, §3.3.5; decisions B1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ..._model.capabilities import RecipientCapabilities
from ..._model.diagnostic import Diagnostic
from ..._transport.forwarded import DEFAULT, read_capabilities
from .parse_context import EMPTY

CARRIER: Final = "identity_evidence"
"""The member for identity evidence."""

PAYMENT_STATUS: Final = "x402.payment.status"


def recipient_capabilities(hints: dict[str, Any]) -> tuple[RecipientCapabilities, Sequence[Diagnostic]]:
    """The capabilities that a message forwards in its hints, or the default; and what had to be left out."""
    if not hints:
        return DEFAULT, ()
    return read_capabilities(
        hints.get("recipient_capabilities"),
        at="/metadata/mentionable/recipient_capabilities",
        outer_chain=hints.get("agent_chain"),
    )


def has_policy(metadata: Any, hints: dict[str, Any]) -> bool:
    """Whether metadata with these hints holds a policy or a receipt, well formed or not; most hold neither."""
    if "policy" in hints or "policy_resolution" in hints:
        return True
    return metadata.__class__ is dict and PAYMENT_STATUS in metadata


def is_demanded(metadata: Any) -> bool:
    """Whether metadata holds a policy, well formed or not: then nothing more comes until the client meets it."""
    is_payment = metadata.__class__ is dict and metadata.get(PAYMENT_STATUS) == "payment-required"
    return is_payment or hints_of(metadata).get("policy") is not None


def hints_of(metadata: Any) -> dict[str, Any]:
    """The `mentionable` namespace of a metadata object; empty when there is none or it has another shape."""
    if metadata.__class__ is not dict:
        return EMPTY
    namespace = metadata.get("mentionable")
    return namespace if namespace.__class__ is dict else EMPTY
