"""The types of PolicyPart v0.1: what an agent demands, how it was met, and what a card declares."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ._check import HTTPS, OBJECT, SECONDS, TEXT, TIME, also, kinds, listed, mapped, record

if TYPE_CHECKING:
    from collections.abc import Iterator

EXTENSION: Final = "https://mentionable.dev/ns/policy/v0.1"
_WAIT: Final = record("PolicyPart", {}, {"retry_after_seconds": SECONDS})
_OFFER: Final = record(
    "PolicyPart.accepted_payments", {"scheme": TEXT, "payload": OBJECT}, {"label": TEXT, "description": TEXT}
)
_CHALLENGE: Final = record("PolicyPart.auth_challenges", {"scheme": TEXT}, {"params": mapped(TEXT)})
_KINDS: Final = kinds(
    "PolicyPart",
    {
        "unauthorized": record("PolicyPart", {"auth_challenges": listed(_CHALLENGE)}),
        "payment_required": record("PolicyPart", {"accepted_payments": listed(_OFFER, 1)}, {"state": TEXT}),
        "consent_required": record("PolicyPart", {"state": TEXT, "return_to": HTTPS}),
        "too_many_requests": _WAIT,
        "service_unavailable": _WAIT,
    },
    closed=False,
)
_BASE: Final = record(
    "PolicyPart",
    {"kind": TEXT, "message": TEXT},
    {
        "code": TEXT,
        "title": TEXT,
        "message_translations": mapped(record("PolicyPart.message_translations", {"message": TEXT}, {"title": TEXT})),
        "url": HTTPS,
        "action_label": TEXT,
        "data": OBJECT,
    },
)


def _has_reversed_names(policy: dict[str, Any]) -> bool:
    """Keys of `data` have the prefix of a domain, turned around."""
    data = policy.get("data", {})
    return not isinstance(data, dict) or "$any" in data or all("." in key for key in data)


def _both(value: Any, name: str) -> Iterator[str]:
    """The members of every kind, and those of this one."""
    yield from _BASE(value, name)
    yield from _KINDS(value, name)


POLICY: Final = also(_both, "PolicyPart.data", _has_reversed_names)

PAYMENT: Final = record(
    "PaymentConfirmation",
    {"scheme": TEXT, "original_payload": OBJECT},
    {"transaction": TEXT, "payer": TEXT, "network": TEXT},
)
CONSENT: Final = record("ConsentConfirmation", {"scope_hash": TEXT}, {"expires_at": TIME})
_MEMBERS: Final = {"in_reply_to_state": TEXT, "verified_by": TEXT}
RESOLUTION: Final = kinds(
    "PolicyResolution",
    {
        "payment_required": record("PolicyResolution", {"confirmation": PAYMENT, **_MEMBERS}),
        "consent_required": record("PolicyResolution", {"confirmation": CONSENT, **_MEMBERS}),
    },
)
_DECLARED: Final = record(
    "AgentCard.a2a", {"capabilities": record("", {"extensions": listed(record("", {"uri": TEXT}), 1)})}
)
CARD: Final = also(
    record("AgentCard", {"a2a": _DECLARED}),
    "AgentCard.a2a.capabilities.extensions",
    lambda card: EXTENSION in [one["uri"] for one in card["a2a"]["capabilities"]["extensions"]],
)

STATUSES: Final = {
    "unauthorized": 401,
    "consent_required": 401,
    "payment_required": 402,
    "forbidden": 403,
    "too_many_requests": 429,
    "unavailable_for_legal_reasons": 451,
    "service_unavailable": 503,
}


def STATUS(facts: Any, name: str) -> Iterator[str]:
    """REST: the kind of a policy names the status, where a case has both."""
    demanded = facts.get("policy")
    kind = demanded.get("kind") if isinstance(demanded, dict) else None
    if kind in STATUSES and facts.get("status", STATUSES[kind]) != STATUSES[kind]:
        yield "PolicyPart.kind"
