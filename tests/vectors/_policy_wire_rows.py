"""The demands and payments that the cases of wires are written with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tests.vectors._answer_rows import ANY, UUID, Case, row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

PAGE: Final = "https://agents.example/pay"
STATE: Final = "c2l4dGVlbi1yYW5kb20tYnl0ZXM_MTIz"
BACK: Final = "https://hub.example/back"
TEXT: Final = "text/plain"
KINDS: Final[dict[str, Case]] = {
    "unauthorized": {"kind": "unauthorized", "message": "Sign in first.", "auth_challenges": [{"scheme": "Bearer"}]},
    "consent": {"kind": "consent_required", "message": "Please agree.", "state": STATE, "return_to": BACK},
    "payment": {
        "kind": "payment_required",
        "message": "Pay 1 €.",
        "state": STATE,
        "accepted_payments": [{"scheme": "stripe.checkout", "payload": {"session_id": "cs_1"}}],
    },
    "forbidden": {"kind": "forbidden", "message": "No."},
    "limit": {"kind": "too_many_requests", "message": "Slow down.", "retry_after_seconds": 30},
    "legal": {"kind": "unavailable_for_legal_reasons", "message": "Not in your country."},
    "outage": {"kind": "service_unavailable", "message": "Back soon.", "retry_after_seconds": 120},
    "unknown": {"kind": "example:age_check", "message": "Show your age.", "com.example.least": 18},
}
"""One demand of each kind, and one of a kind that nobody knows."""

NO: Final = KINDS["forbidden"]
PAY: Final = KINDS["payment"]

PAY_TO: Final = "0x209693Bc6afc0C5328bA36FaF03C514EF312287C"
PAYER: Final = "0x857b06519E91e3A54538791bDbb0E22373e36b66"
ASSET: Final = "0x036CbD53842c5426634e7929541eC2318f3dCF7e"
NONCE: Final = "0xf3746613c2d920b5fdabc0856f2aeb2d4f88ee6037b8cc5d04a71a4462f13480"
RESOURCE: Final[Case] = {
    "url": "https://agents.example/report",
    "description": "A report",
    "mimeType": "application/json",
}
TERMS: Final[dict[int, Case]] = {
    1: {
        "scheme": "exact",
        "network": "base-sepolia",
        "maxAmountRequired": "10000",
        "resource": "https://agents.example/report",
        "description": "A report",
        "mimeType": "application/json",
        "payTo": PAY_TO,
        "maxTimeoutSeconds": 300,
        "asset": ASSET,
        "extra": {"name": "USDC", "version": "2"},
    },
    2: {
        "scheme": "exact",
        "network": "eip155:84532",
        "amount": "10000",
        "asset": ASSET,
        "payTo": PAY_TO,
        "maxTimeoutSeconds": 300,
        "extra": {"name": "USDC", "version": "2"},
    },
}
"""What must be paid, as each version of x402 says it."""

OFFERED: Final[dict[int, Case]] = {
    1: {"x402Version": 1, "requirement": TERMS[1]},
    2: {"x402Version": 2, "resource": RESOURCE, "requirement": TERMS[2]},
}
"""The same as the payload of a way to pay."""

WAYS: Final[dict[int, Case]] = {
    version: {"scheme": "x402.exact", "payload": payload, "description": "A report"}
    for version, payload in OFFERED.items()
}
REQUIRED: Final[dict[int, Case]] = {
    1: {"x402Version": 1, "error": "Pay first.", "accepts": [TERMS[1]]},
    2: {"x402Version": 2, "error": "Pay first.", "resource": RESOURCE, "accepts": [TERMS[2]]},
}
"""The same as it stands in metadata, and in the body of a 402."""

SIGNED: Final[Case] = {
    "signature": "0x" + "2d" * 65,
    "authorization": {
        "from": PAYER,
        "to": PAY_TO,
        "value": "10000",
        "validAfter": "1740672089",
        "validBefore": "1740672154",
        "nonce": NONCE,
    },
}
PAYLOADS: Final[dict[int, Case]] = {
    1: {"x402Version": 1, "scheme": "exact", "network": "base-sepolia", "payload": SIGNED},
    2: {"x402Version": 2, "resource": RESOURCE, "accepted": TERMS[2], "payload": SIGNED},
}
"""What a payer signs for that."""


def x402(version: int = 2, *ways: Case, message: str = "Pay first.", **members: Any) -> Case:
    """A demand whose ways to pay are of x402."""
    found = {"kind": "payment_required", "message": message, "accepted_payments": list(ways or (WAYS[version],))}
    return {**found, **members}


def demands(version: int = 2, **changes: Any) -> Case:
    """The metadata of a status that demands a payment by x402."""
    return {"x402.payment.status": "payment-required", "x402.payment.required": {**REQUIRED[version], **changes}}


def pays(version: int = 2, **changes: Any) -> Case:
    """The metadata of a message that pays by x402."""
    payload = {**PAYLOADS[version], **changes}
    return {"x402.payment.status": "payment-submitted", "x402.payment.payload": payload}


def signs(**changes: Any) -> Case:
    """What is signed, with other members of the authorization; None takes one away."""
    found = {**SIGNED["authorization"], **changes}
    return {**SIGNED, "authorization": {name: member for name, member in found.items() if member is not None}}


def floats(found: Any) -> Any:
    """JSON after a hop through protobuf, which has one kind of number."""
    if isinstance(found, dict):
        return {name: floats(member) for name, member in found.items()}
    if isinstance(found, list):
        return [floats(item) for item in found]
    return float(found) if isinstance(found, int) and not isinstance(found, bool) else found


def text(content: str, mime: str = TEXT) -> Case:
    """A part of text."""
    return {"kind": "text", "mime": mime, "content": content}


def carried(policy: Case) -> Case:
    """The part that a policy is."""
    return {"kind": "policy", "policy": policy}


def without(found: Case, *names: str) -> Case:
    """An object without some members."""
    return {name: member for name, member in found.items() if name not in names}


def message(parts: Iterable[Case], address: str, via: str, **members: Any) -> Case:
    """The message that comes of a unit."""
    return {
        "id": UUID,
        "thread_id": "t1",
        "sender": {"address": address, "auth_method": "none", "verified": False},
        "recipient": "@helper@agents.example",
        "parts": list(parts),
        "recipient_capabilities": {"mention_relay": {"kind": "none"}},
        "received_via": via,
        "received_at": "2026-11-21T20:56:00Z",
        "raw": ANY,
        **members,
    }


def rows(behaviour: str, *flags: str) -> Callable[..., Case]:
    """A function that writes cases of one behaviour."""

    def made(name: str, section: str, why: str, unit: Any, **outcome: Any) -> Case:
        named = [*flags, *outcome.pop("flags", [])]
        return row(f"policy/{behaviour}/{name}", section, why, unit, flags=named, **outcome)

    return made
