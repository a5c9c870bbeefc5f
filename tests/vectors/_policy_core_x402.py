"""Payments by x402 that name a state, and what makes two of them one: `conformance/v0.1/policy/story-x402*.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.vectors._policy_core_stories import ASKED, RECEIPT, accept, issue, resume, told
from tests.vectors._policy_rows import Case, payment, turn
from tests.vectors._policy_wire_rows import OFFERED, PAYER, PAYLOADS, TERMS, WAYS, signs

if TYPE_CHECKING:
    from collections.abc import Iterator

OTHER: str = "0x" + "d" * 40
NATIVE: Case = {**RECEIPT, "scheme": "x402.exact", "receipt": PAYLOADS[2]}
"""A receipt that names a state and echoes the offer, with what the payer signed."""


def signed(version: int = 2, **changes: Any) -> Case:
    """What a payer sends, with other members of what is signed."""
    return {**PAYLOADS[version], "payload": signs(**changes)}


def way(version: int = 2, scheme: str = "exact", **changes: Any) -> Case:
    """A way to pay, with other terms."""
    requirement = {**TERMS[version], **changes, "scheme": scheme}
    return {"scheme": f"x402.{scheme}", "payload": {**OFFERED[version], "requirement": requirement}}


def echoed(scheme: str = "exact", **members: Any) -> Case:
    """A receipt of a transaction that was made already."""
    return {**RECEIPT, "scheme": f"x402.{scheme}", **members}


def by_state() -> Iterator[Case]:
    """Receipts that name a state, and are payments by x402."""
    made = issue(payment(WAYS[2]))
    done = [(accept(NATIVE), "accepted"), (resume(), "resumed"), (resume(), "already-consumed")]
    why = "A payment may name the state in place of its task."
    yield told("x402", "fits", "X402", why, made, *done)
    whole = {**PAYLOADS[2], "scheme": "x402.exact", "original_payload": "$payload"}
    why = "What is confirmed stands beside what is signed."
    yield told("x402", "beside-the-echo", "X402", why, made, (accept({**NATIVE, "receipt": whole}), "accepted"))
    first = {**NATIVE, "receipt": PAYLOADS[1]}
    yield told("x402", "fits-v1", "X402", "In version 1, too.", issue(payment(WAYS[1])), (accept(first), "accepted"))
    why = "A transaction that was made already is told by nothing but its name: the ledger knows it."
    yield told("x402", "nothing-signed", "X402", why, made, (accept(echoed()), "accepted"))
    less = "Who echoes the offer and signs less has not paid it."
    for name, change in (
        ("signed-less", {"value": "1"}),
        ("signed-to-another", {"to": PAYER}),
    ):
        wrong = {**NATIVE, "receipt": signed(**change)}
        steps = [(accept(wrong), "payload-mismatch"), (accept(wrong, message=None), "payload-mismatch")]
        yield told("x402", name, "X402", less, made, *steps, (accept(NATIVE), "accepted"))
    other = {**NATIVE, "receipt": {**PAYLOADS[2], "accepted": {**TERMS[2], "amount": "1"}}}
    yield told("x402", "terms-of-another-offer", "X402", less, made, (accept(other), "payload-mismatch"))
    both = issue(payment(WAYS[2], way(amount="1")))
    why = "The offer that is echoed is the one that must be paid, not another one."
    steps = [(accept(other), "payload-mismatch"), (accept(NATIVE), "accepted")]
    yield told("x402", "another-offer", "X402", why, both, *steps)
    why = "What is half a payment is read by nobody in two ways."
    for name, receipt in (
        ("unreadable", signed(value=10000)),
        ("version-alone", {"x402Version": 2}),
        ("terms-alone", {"accepted": TERMS[2]}),
        ("signature-alone", {"payload": PAYLOADS[2]["payload"]}),
        ("version-three", {**PAYLOADS[2], "x402Version": 3}),
        ("nothing-as-payload", {**PAYLOADS[2], "payload": None}),
    ):
        steps = [(accept({**NATIVE, "receipt": receipt}), "receipt-malformed"), (accept(NATIVE), "accepted")]
        yield told("x402", name, "X402", why, made, *steps)
    why = "Other schemes may call their members so."
    invoice = {**RECEIPT, "receipt": {"payload": "x", "x402Version": 9}}
    yield told("x402", "other-scheme", "X402", why, issue(), (accept(invoice), "accepted"))
    yield told(
        "x402",
        "payer-is-another",
        "X402",
        "Who signed must be who paid.",
        made,
        (accept(NATIVE), "payer-mismatch"),
        **{"PAYMENT *": {"payer": OTHER}},
    )


def _pair(first: Case, second: Case, **changes: Any) -> list[Case]:
    """Two demands, the second in another thread."""
    return [issue(payment(first)), issue(payment(second), to=turn(id="m7", thread_id="t7", **changes))]


def nonces() -> Iterator[Case]:
    """What a payer signed once pays once."""

    def pays(name: str, why: str, two: list[Case], said: str, one: Case = NATIVE, other: Case = NATIVE) -> Case:
        steps = [(accept(one), "accepted"), (accept(other, of=1), "accepted"), (resume(), "resumed")]
        return told("x402-nonce", name, "D B3", why, two, *steps, (resume(of=1, message={"id": "m8"}), said))

    used = "transaction-reused"
    two = _pair(WAYS[2], WAYS[2])
    once = "What a payer signed once pays once, however it is sent."
    yield pays("by-state", once, two, used)
    sent: Case = {"kind": "payment_required", "scheme": "x402.exact", "receipt": PAYLOADS[2]}
    by_task = {**sent, "task_id": "t7"}
    yield pays("by-state-and-task", once, _pair(WAYS[2], WAYS[2], received_via="a2a"), used, NATIVE, by_task)
    asked = [issue(payment(WAYS[2]), to=ASKED), issue(payment(WAYS[2]), to=turn(id="m7", thread_id="t7"))]
    yield pays("by-task-and-state", once, asked, used, {**sent, "task_id": "t1"})
    why = "The same number in other letters is the same number."
    short = {**NATIVE, "receipt": signed(nonce="0x1")}
    long = {**NATIVE, "receipt": signed(nonce="0X" + "0" * 63 + "1")}
    yield pays("in-other-letters", why, two, used, short, long)
    why = "Accounts in other letters are the same accounts."
    yield pays("payer-in-small-letters", why, two, used, other={**NATIVE, "receipt": signed(**{"from": PAYER.lower()})})
    why = "Whatever network a signature is said to be for, it is one signature."
    main = way(network="eip155:8453")
    there = {**NATIVE, "receipt": {**PAYLOADS[2], "accepted": main["payload"]["requirement"]}}
    yield pays("on-another-network", why, _pair(WAYS[2], main), used, other=there)
    why = "Whatever scheme it is said to be for, too."
    upto = way(scheme="upto")
    other = {**there, "scheme": "x402.upto", "receipt": {**PAYLOADS[2], "accepted": upto["payload"]["requirement"]}}
    yield pays("by-another-scheme", why, _pair(WAYS[2], upto), used, other=other)
    old = {**NATIVE, "receipt": PAYLOADS[1]}
    yield pays("in-another-version", "And in either version.", _pair(WAYS[1], WAYS[2]), used, old)
    why = "Another signature is another payment."
    yield pays("another", why, two, "resumed", other={**NATIVE, "receipt": signed(nonce="0x" + "1" * 64)})
    why = "Everybody numbers for themselves."
    yield pays("of-another-payer", why, two, "resumed", other={**NATIVE, "receipt": signed(**{"from": OTHER})})


def transactions() -> Iterator[Case]:
    """What was settled once pays once."""
    used = "transaction-reused"

    def settles(
        name: str,
        why: str,
        two: tuple[Case, Case],
        said: str,
        other: Case | None = None,
        *,
        network: Any = None,
        **shown: Any,
    ) -> Case:
        seen = {"transaction": "0xAB", **({"network": network} if network else {})}
        last = resume(of=1, message={"id": "m8"}, **shown)
        steps = [(accept(echoed()), "accepted"), (accept(other or echoed(), of=1), "accepted"), (resume(), "resumed")]
        rows = {"PAYMENT *": seen}
        return told("x402-transaction", name, "D B3", why, _pair(*two), *steps, (last, said), **rows)

    why = "All schemes of x402 settle on the same chains."
    yield settles("schemes", why, (WAYS[2], way(scheme="upto")), used, echoed("upto"))
    why = "The two versions of x402 have two names for one network."
    for name, old, new in (
        ("base", "base", "eip155:8453"),
        ("base-sepolia", "base-sepolia", "eip155:84532"),
        ("avalanche", "avalanche", "eip155:43114"),
        ("avalanche-fuji", "avalanche-fuji", "eip155:43113"),
        ("abstract", "abstract", "eip155:2741"),
        ("abstract-testnet", "abstract-testnet", "eip155:11124"),
        ("educhain", "educhain", "eip155:41923"),
        ("megaeth", "megaeth", "eip155:4326"),
        ("monad", "monad", "eip155:143"),
        ("skale-base-sepolia", "skale-base-sepolia", "eip155:324705682"),
        ("stable", "stable", "eip155:988"),
        ("story", "story", "eip155:1514"),
        ("iotex", "iotex", "eip155:4689"),
        ("polygon", "polygon", "eip155:137"),
        ("polygon-amoy", "polygon-amoy", "eip155:80002"),
        ("sei", "sei", "eip155:1329"),
        ("sei-testnet", "sei-testnet", "eip155:1328"),
        ("peaq", "peaq", "eip155:3338"),
        ("solana", "solana", "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"),
        ("solana-devnet", "solana-devnet", "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1"),
    ):
        yield settles(f"on-{name}", why, (way(1, network=old), way(network=new)), used)
    why = "The network is that of the offer, whatever it is called elsewhere."
    shown = {
        "confirmation": {"scheme": "x402.exact", "original_payload": "$payload", "transaction": "0xab", "network": "x"}
    }
    yield settles("network-of-the-offer", why, (WAYS[2], WAYS[2]), used, network="base-sepolia", resolution=shown)
    why = "Another chain has transactions of its own."
    yield settles("other-network", why, (WAYS[2], way(network="eip155:8453")), "resumed")
    yield settles("other-network-in-v1", why, (way(1, network="base"), way(1, network="polygon")), "resumed")
    why = "Another transaction is another payment."
    shown = {"confirmation": {"scheme": "x402.exact", "original_payload": "$payload", "transaction": "0xac"}}
    yield settles("other", why, (WAYS[2], WAYS[2]), "resumed", resolution=shown)


def behaviours() -> Iterator[tuple[str, str, str, str, list[Case]]]:
    """The case files of this module."""
    for name, note, cases in (
        ("x402", "Payments by x402 that name a state.", by_state()),
        ("x402-nonce", "A signature pays once.", nonces()),
        ("x402-transaction", "A transaction by x402 pays once.", transactions()),
    ):
        yield "policy", f"story-{name}", "policy.story", note, list(cases)
