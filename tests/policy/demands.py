"""A question, demands that answer it, and a small world that keeps and checks what was issued."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from mentionable import NoRelay, NormalizedMessage, RecipientCapabilities, Sender, TextPart, policy, replace
from mentionable.policy import AcceptedPayment, CheckConsent, CheckPayment, CountFailure, FindIssuance
from tests.used import remembering

NOW = datetime(2026, 11, 21, 20, 56, tzinfo=UTC)
ENTROPY = bytes(range(32))
OTHER = bytes(range(1, 33))
INVOICE = {"invoice": "lnbc10", "payment_hash": "ab"}
SCOPE = "calendar.read calendar.write"
TURN = NormalizedMessage(
    id="m1",
    thread_id="t1",
    sender=Sender(address="@alice@a.example", auth_method="email-dkim", verified=True),
    recipient="@helper@agents.example",
    parts=(TextPart(content="Book a table, please."),),
    recipient_capabilities=RecipientCapabilities(mention_relay=NoRelay()),
    received_via="email",
    received_at="2026-11-21T20:55:00Z",
    raw={"subject": "table"},
)
ASKED = replace(TURN, received_via="a2a")
"""The same question, over A2A, where payments name a task."""
ELSEWHERE = [
    ({"recipient": "@other@agents.example"}, "agent-mismatch"),
    ({"thread_id": "t2"}, "thread-mismatch"),
    ({"sender": replace(TURN.sender, address="@mallory@a.example")}, "subject-mismatch"),
    ({"sender": replace(TURN.sender, auth_method="none", verified=False)}, "subject-mismatch"),
]
"""What of a message may be of somebody else or elsewhere, and what is said of its receipt."""
EXACT = {
    "scheme": "exact",
    "network": "base",
    "maxAmountRequired": "10000",
    "asset": "0x" + "a" * 40,
    "payTo": "0x" + "B" * 40,
    "resource": "https://agents.example/table",
    "description": "A table",
    "mimeType": "text/plain",
    "maxTimeoutSeconds": 60,
}
OFFERED = {"x402Version": 1, "requirement": EXACT}


def at(seconds: float) -> datetime:
    return NOW + timedelta(seconds=seconds)


def payment(*offers: AcceptedPayment, **members: object) -> policy.PaymentRequired:
    offers = offers or (AcceptedPayment(scheme="ln.bolt11", payload=INVOICE, label="Pay 10 sat"),)
    return policy.PaymentRequired(message="This costs 10 sat.", accepted_payments=offers, **members)


def consent(turn: NormalizedMessage = TURN, entropy: bytes = ENTROPY, **members: object) -> policy.ConsentRequired:
    state = policy.new_state(to=turn, entropy=entropy)
    own = {"return_to": "https://agents.example/done", "url": f"https://agents.example/consent?state={state}"}
    return policy.ConsentRequired(message="May I see your calendar?", state=state, **{**own, **members})


def issued(demand=None, turn: NormalizedMessage = TURN, **arguments: object) -> policy.Issued:
    demand = demand or payment()
    terms = {name: arguments.pop(name) for name in ("scope", "callbacks") if name in arguments}
    if terms or isinstance(demand, policy.ConsentRequired):
        arguments["consent"] = policy.ConsentTerms(**{"scope": SCOPE, **terms})
    return policy.issue(demand, to=turn, **{"now": NOW, "entropy": ENTROPY, **arguments})


def receipt(made: policy.Issued, **changes: object) -> policy.Candidate:
    """What somebody who completed a demand sends."""
    state = made.part.state
    if isinstance(made.part, policy.ConsentRequired):
        whole = policy.Candidate(kind="consent_required", state=state, scope_hash=made.record.scope_hash)
    else:
        offer = made.part.accepted_payments[0]
        whole = policy.Candidate(
            kind="payment_required", state=state, scheme=offer.scheme, original_payload=offer.payload
        )
    return replace(whole, **changes)


def x402_payload(**changes: object) -> dict:
    authorization = {
        "from": "0x" + "c" * 40,
        "to": "0x" + "b" * 40,
        "value": "10000",
        "validAfter": "0",
        "validBefore": "1",
        "nonce": "0x" + "1" * 64,
        **changes,
    }
    return {
        "x402Version": 1,
        "scheme": "exact",
        "network": "base",
        "payload": {"signature": "0x2", "authorization": authorization},
    }


class World:
    """Keeps demands, sees payments and consents, and uses things once, as a program's own store does."""

    def __init__(self, *made: policy.Issued, paid=policy.PaymentStatus(), granted=policy.ConsentStatus()) -> None:  # noqa: B008
        self.records: dict[str, policy.Issuance] = {}
        for one in made:
            for key in one.record.keys:
                if one.record.replaces(self.records.get(key), now=NOW):
                    self.records[key] = one.record
        self.paid, self.granted = paid, granted
        self.used: dict[str, str] = {}
        self.asked: list[object] = []

    def __call__(self, ask: object) -> object:
        self.asked.append(ask)
        match ask:
            case FindIssuance(key=key):
                return self.records.get(key)
            case CheckPayment():
                return self.paid
            case CheckConsent():
                return self.granted
            case CountFailure(key=key):
                record = replace(self.records[key], failures=self.records[key].failures + 1)
                self.records |= dict.fromkeys(record.keys, record)
                return record.failures
        return remembering(self.used)(ask)

    def kinds(self) -> list[str]:
        return [type(ask).__name__ for ask in self.asked]
