"""A question, demands that answer it, receipts for them, and what is stored: all in JSON, with hashes made here."""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from hashlib import sha256
from typing import Any, Final

from tests.vectors._answer_rows import row

Case = dict[str, Any]

NOW: Final = "2026-11-21T20:56:00Z"
ANY: Final[Case] = {"$any": "json"}
HOST: Final = "agents.example"
OTHER_TIME: Final = "2026-11-21T21:00:00Z"


def jcs(value: Any) -> bytes:
    """The canonical JSON of objects, texts and small integers (RFC 8785)."""
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return b"{" + b",".join(jcs(name) + b":" + jcs(value[name]) for name in names) + b"}"
    if isinstance(value, list):
        return b"[" + b",".join(map(jcs, value)) + b"]"
    return json.dumps(value, ensure_ascii=False).encode()


def hashed(value: Any) -> str:
    """SHA-256 of canonical JSON."""
    return sha256(jcs(value)).hexdigest()


def key(state: str) -> str:
    """Under which a demand is stored."""
    return sha256(b"mentionable-state-v1\0" + state.encode()).hexdigest()


def state(seed: str) -> str:
    """A state of 256 bits."""
    return urlsafe_b64encode(sha256(seed.encode()).digest()).decode().rstrip("=")


STATE: Final = state("demand")
INVOICE: Final[Case] = {"invoice": "lnbc10", "payment_hash": "ab", "amount": 1}
SESSION: Final[Case] = {"session_id": "cs_1", "amount": "500"}
LN: Final[Case] = {"scheme": "ln.bolt11", "payload": INVOICE}
STRIPE: Final[Case] = {"scheme": "stripe.checkout", "payload": SESSION}
WORDS: Final = "calendar.read calendar.write"
SCOPE: Final = hashed(sorted(WORDS.split()))

TURN: Final[Case] = {
    "id": "m1",
    "thread_id": "t1",
    "sender": {"address": "@alice@a.example", "auth_method": "email-dkim", "verified": True},
    "recipient": "@helper@agents.example",
    "parts": [{"kind": "text", "mime": "text/plain", "content": "Book a table, please."}],
    "recipient_capabilities": {"mention_relay": {"kind": "none"}},
    "received_via": "email",
    "received_at": "2026-11-21T20:55:00Z",
    "raw": None,
}
NOBODY: Final[Case] = {"address": "@alice@a.example", "auth_method": "none", "verified": False}
MALLORY: Final[Case] = {**TURN["sender"], "address": "@mallory@a.example"}
MEMBER: Final = "urn:mentionable:auth:slack-workspace-member:v0.1"
"""The method of evidence of Slack."""


def shown_by_slack(subject: str = "slack:T1/U1", method: str = MEMBER) -> Case:
    """The sender with evidence of a platform: the connector forwards what many people say."""
    evidence = {
        "subject": subject,
        "issuer": "slack.agents.example",
        "method": method,
        "assurance": "platform",
        "audience": TURN["recipient"],
        "issued_at": "2026-11-21T20:55:00.000Z",
        "proof": {"type": "transport", "verified_by": "slack"},
    }
    return {**TURN["sender"], "identities": [evidence]}


ELSEWHERE: Final = "@other@agents.example"


def turn(**changes: Any) -> Case:
    """The question, or another message like it."""
    return {**TURN, **changes}


def payment(*offers: Case, **members: Any) -> Case:
    """A demand to pay."""
    return {
        "kind": "payment_required",
        "message": "This costs 10 sat.",
        "accepted_payments": list(offers or (LN,)),
        **members,
    }


def consent(**members: Any) -> Case:
    """A demand to consent."""
    return {
        "kind": "consent_required",
        "message": "May I see your calendar?",
        "state": "$state",
        "return_to": "https://agents.example/done",
        **members,
    }


def offer(way: Case) -> Case:
    """What is stored of a way to pay."""
    return {"scheme": way["scheme"], "payload_hash": hashed(way["payload"]), "payload": way["payload"]}


def stored(kind: str = "payment_required", *ways: Case, **changes: Any) -> Case:
    """What is stored of a demand that was made a minute ago."""
    own = (
        {"offers": [offer(way) for way in ways or (LN, STRIPE)]}
        if kind == "payment_required"
        else {"offers": [], "scope_hash": SCOPE}
    )
    return {
        "key": key(STATE),
        "kind": kind,
        "agent": TURN["recipient"],
        "threads": ["t1"],
        "principal": TURN["sender"]["address"],
        "principal_verified": True,
        "message_id": "m1",
        "issued_at": "2026-11-21T20:55:00Z",
        "expires_at": "2026-11-21T21:05:00Z",
        "aliases": [],
        "failures": 0,
        "consumed": False,
        **own,
        **changes,
    }


def kept(record: Any, state: str = STATE, **lookups: Any) -> Case:
    """The look-ups in which a demand is stored; verifiers see what is said, or everything."""
    return {f"ISSUANCE {key(state)}": record, "PAYMENT *": True, "CONSENT *": True, **lookups}


def paid(way: Case = LN, **changes: Any) -> Case:
    """A receipt for a payment."""
    whole = {"kind": "payment_required", "state": STATE, "scheme": way["scheme"], "original_payload": way["payload"]}
    return {name: member for name, member in {**whole, **changes}.items() if member is not None}


def granted(**changes: Any) -> Case:
    """A receipt for a consent."""
    return {"kind": "consent_required", "state": STATE, "scope_hash": SCOPE, **changes}


def resolved(way: Case = LN, *, verified_by: str = "caller", state: str = STATE, **confirmation: Any) -> Case:
    """A payment that was verified."""
    return {
        "in_reply_to_state": state,
        "kind": "payment_required",
        "confirmation": {"scheme": way["scheme"], "original_payload": way["payload"], **confirmation},
        "verified_by": verified_by,
    }


def agreed(*, verified_by: str = "caller", state: str = STATE, **confirmation: Any) -> Case:
    """A consent that was verified."""
    return {
        "in_reply_to_state": state,
        "kind": "consent_required",
        "confirmation": {"scope_hash": SCOPE, **confirmation},
        "verified_by": verified_by,
    }


def given(lookups: Case, now: str = NOW) -> Case:
    """What stands around a receipt."""
    return {"now": now, "lookups": lookups}


def one(behaviour: str, name: str, section: str, why: str, unit: Any, **outcome: Any) -> Case:
    """A case of this folder."""
    return row(f"policy/{behaviour}/{name}", section, why, unit, **outcome)
