"""Receipts in requests on A2A: `conformance/v0.1/policy/wire-a2a-receipt.json`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from tests.vectors import _policy_wire_rows as samples
from tests.vectors._answer_rows import ANY
from tests.vectors._policy_wire_rows import PAYER, PAYLOADS, STATE, floats, message, pays, rows, signs, text, without

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.vectors._answer_rows import Case

HASH: Final = "6fc319ad1209ab06f19e2ef2f5970882d5234dc0c20c438d00fe18520c07b597"
ANYBODY: Final = "@anonymous@a2a.invalid"
PAID: Final[Case] = {
    "scheme": "stripe.checkout",
    "original_payload": {"session_id": "cs_1"},
    "transaction": "pi_1",
    "payer": "alice@a.example",
}
AGREED: Final[Case] = {"scope_hash": HASH, "expires_at": "2026-12-01T00:00:00Z"}
made = rows("wire-a2a-receipt", "a2a")


def resolution(confirmation: Any, kind: str | None = "payment_required", **members: Any) -> Case:
    """A receipt as the specification writes it; None takes a member away."""
    found = {"in_reply_to_state": STATE, "kind": kind, "confirmation": confirmation, "verified_by": "me", **members}
    return {name: member for name, member in found.items() if member is not None}


def own(receipt: Any) -> Case:
    """The metadata that holds a receipt."""
    return {"mentionable": {"policy_resolution": receipt}}


def case(name: str, section: str, why: str, metadata: Case, candidate: Any, *notes: str, **more: Any) -> Case:
    """A request with this metadata, the receipt in it, and a message that holds no resolution."""
    parts = more.pop("parts", [{"text": "Here you are."}])
    found = {"messageId": "m2", "taskId": "t1", "role": "ROLE_USER", "parts": parts, "metadata": metadata}
    said = more.pop("said", [text("Here you are.")])
    expected = message(said, ANYBODY, "a2a", **more.pop("members", {}))
    given = {"recipient": "@helper@agents.example", "lookups": {"MESSAGE *": None}}
    unit = {"message": found, **more.pop("beside", {})}
    outcome = {"messages": [expected], "diagnostics": list(notes), "candidate": candidate}
    return made(name, section, why, unit, given=given, **outcome, **more)


def receipts() -> Iterator[Case]:
    """Receipts as the specification writes them."""
    claim = "A receipt is a claim until the agent had it verified: it stands beside the message, never in it."
    paid: Case = {
        "kind": "payment_required",
        "state": STATE,
        "scheme": "stripe.checkout",
        "original_payload": {"session_id": "cs_1"},
        "payer": "alice@a.example",
        "receipt": PAID,
    }
    agreed: Case = {"kind": "consent_required", "state": STATE, "scope_hash": HASH, "receipt": AGREED}
    yield case("payment", "R38", claim, own(resolution(PAID)), paid)
    yield case("consent", "R38", claim, own(resolution(AGREED, "consent_required")), agreed)
    nobody: Case = {"verified_by": None}
    yield case(
        "verified-by",
        "R38",
        "Who is said to have verified it says nothing.",
        own(resolution(PAID, verified_by={"any": "thing"})),
        paid,
    )
    yield case("not-verified-by", "R38", "Nor is that asked for.", own(resolution(PAID, **nobody)), paid)
    bare = without(PAID, "transaction", "payer")
    yield case(
        "payment-bare",
        "R38",
        "Who paid and how it is called may be left out.",
        own(resolution(bare)),
        {**without(paid, "payer"), "receipt": bare},
    )
    yield case(
        "any-state",
        "R38",
        "Whether a state was issued is for the agent's own store to say.",
        own(resolution(PAID, in_reply_to_state="x")),
        {**paid, "state": "x"},
    )
    shown = {"messageId": "m2", "taskId": "t1", "role": "ROLE_USER", "parts": [{"text": "Here you are."}]}
    hidden = {**shown, "metadata": own("[redacted]")}
    nobody_else = {"dialect": "1.0"}
    yield case(
        "secret-in-raw-typed",
        "NM 6",
        "Whoever reads raw cannot use the state, nor the receipt.",
        own(resolution(PAID)),
        paid,
        members={"raw": {"message": hidden, "envelope": nobody_else}},
        flags=["attack"],
    )
    paying = {**pays(), "later": 1}
    unseen = {**shown, "metadata": {**paying, "x402.payment.payload": "[redacted]"}}
    yield case(
        "signature-in-raw-typed",
        "NM 6",
        "Whoever reads raw cannot pay with what the payer signed.",
        paying,
        by_x402(2),
        members={"raw": {"message": unseen, "envelope": nobody_else}},
        flags=["attack"],
    )
    detail = {"payment_method": {"supported_methods": "https://www.x402.org/", "data": PAYLOADS[2]}}
    mandates: Case = {"ap2.mandates.PaymentMandate": {"payment_details": detail}, "later": 1}
    sealed: Case = {"data": {**mandates, "ap2.mandates.PaymentMandate": "[redacted]"}}
    submitted: Case = {"x402.payment.status": "payment-submitted"}
    yield case(
        "mandate-in-raw-typed",
        "NM 6",
        "Nor with the mandate that the payer signed.",
        submitted,
        by_x402(2),
        parts=[{"text": "Here you are."}, {"data": mandates}],
        said=[text("Here you are."), ANY],
        members={
            "raw": {
                "message": {**shown, "parts": [*shown["parts"], sealed], "metadata": submitted},
                "envelope": nobody_else,
            }
        },
        flags=["attack"],
    )
    wins = "The receipt itself says more than its shadow."
    yield case("own-wins", "X402", wins, {**own(resolution(PAID)), **pays()}, paid)
    refused = "What cannot be read is no receipt, and costs the message nothing."
    for name, found in (
        ("text", "paid"),
        ("array", [resolution(PAID)]),
        ("no-state", resolution(PAID, in_reply_to_state=None)),
        ("number-as-state", resolution(PAID, in_reply_to_state=7)),
        ("no-kind", resolution(PAID, kind=None)),
        ("other-kind", resolution(PAID, "forbidden")),
        ("no-confirmation", resolution(None)),
        ("no-scheme", resolution(without(PAID, "scheme"))),
        ("no-echo", resolution(without(PAID, "original_payload"))),
        ("echo-of-text", resolution({**PAID, "original_payload": "cs_1"})),
        ("large-number", resolution({**PAID, "original_payload": {"amount": 2**60}})),
        ("payment-in-a-string", resolution(json.dumps(PAID))),
        ("consent-in-a-string", resolution(json.dumps(AGREED), "consent_required")),
        ("no-scope", resolution(without(AGREED, "scope_hash"), "consent_required")),
        ("payment-as-consent", resolution(PAID, "consent_required")),
        ("consent-as-payment", resolution({**AGREED, "scheme": "stripe.checkout"})),
    ):
        yield case(f"malformed-{name}", "R38", refused, own(found), None, "receipt-malformed", flags=["attack"])
    yield case("null", "D B11", "Null is as if it were not there.", own(None), None)
    nowhere = "Only the place that the specification names counts."
    yield case("in-metadata", "PP", nowhere, {"policy_resolution": resolution(PAID)}, None, flags=["attack"])
    yield case("as-the-policy", "PP", nowhere, {"mentionable": {"policy": resolution(PAID)}}, None, flags=["attack"])


def by_x402(version: int, payload: Case | None = None, **members: Any) -> Case:
    """What a payment by x402 is read as."""
    return {
        "kind": "payment_required",
        "task_id": "t1",
        "scheme": "x402.exact",
        "payer": PAYER,
        "receipt": payload or PAYLOADS[version],
        **members,
    }


def payments() -> Iterator[Case]:
    """Payments by x402."""
    for version in samples.TERMS:
        yield case(
            f"x402-v{version}",
            "X402",
            "A payment names its task; whether it fits an offer and was made is for the agent to see.",
            pays(version),
            by_x402(version),
        )
        yield case(
            f"x402-floats-v{version}",
            "X402",
            "A protobuf hop has one kind of number; versions and seconds are integers again.",
            floats(pays(version)),
            by_x402(version),
        )
    yield case(
        "x402-other-chain",
        "X402",
        "Payloads of chains that are not known pass as they came.",
        pays(payload={"transaction": "AQID"}),
        without(by_x402(2, {**PAYLOADS[2], "payload": {"transaction": "AQID"}}), "payer"),
    )
    proof = "What the payer says of the end proves nothing: the seller says that."
    receipt = {"success": True, "transaction": "0x1", "network": "eip155:84532", "payer": PAYER}
    for status in ("payment-completed", "payment-verified", "payment-required", "payment-failed"):
        metadata = {**pays(), "x402.payment.status": status, "x402.payment.receipts": [receipt]}
        yield case(f"x402-{status}", "X402", proof, metadata, None, flags=["attack"])
    receipts = {"x402.payment.receipts": [receipt]}
    yield case("x402-receipts-alone", "X402", proof, receipts, None, flags=["attack"])
    yield case(
        "x402-receipts-beside",
        "X402",
        "Receipts beside a payment are not looked at.",
        {**pays(), **receipts},
        by_x402(2),
        flags=["attack"],
    )
    bad = "Money is counted in strings; a number would be rounded somewhere."
    other = "What cannot be read is no payment, and costs the message nothing."
    for name, why, metadata in (
        ("number-as-value", bad, pays(payload=signs(value=10000))),
        ("number-as-amount", bad, pays(accepted={**samples.TERMS[2], "amount": 10000})),
        ("version-three", other, pays(x402Version=3)),
        ("version-true", other, pays(1, x402Version=True)),
        ("version-text", other, pays(x402Version="2")),
        ("no-terms", other, pays(accepted=None)),
        ("no-network", other, pays(1, network=None)),
        ("no-payer", other, pays(payload=signs(**{"from": None}))),
        ("no-signature", other, pays(payload=without(samples.SIGNED, "signature"))),
        ("short-of-hex", other, pays(payload=signs(nonce="nonce"))),
        ("payload-of-text", other, pays(payload="signed")),
        ("nothing", other, {"x402.payment.status": "payment-submitted"}),
        ("array", other, {"x402.payment.status": "payment-submitted", "x402.payment.payload": [PAYLOADS[2]]}),
        ("large-number", other, pays(extensions={"n": 2**60})),
    ):
        yield case(f"x402-malformed-{name}", "X402", why, metadata, None, "receipt-malformed", flags=["attack"])


def behaviours() -> Iterator[tuple[str, str, list[Case]]]:
    """The files."""
    yield "wire-a2a-receipt", "a2a.receive", [*receipts(), *payments()]
