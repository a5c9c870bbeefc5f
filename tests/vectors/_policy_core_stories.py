"""Whole stories of demands, against one store: `conformance/v0.1/policy/story-*.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.vectors._policy_rows import (
    ELSEWHERE,
    INVOICE,
    LN,
    MALLORY,
    NOBODY,
    STRIPE,
    TURN,
    WORDS,
    Case,
    consent,
    one,
    payment,
    state,
    turn,
)
from tests.vectors._policy_wire_rows import NONCE, OFFERED, PAYER, PAYLOADS, WAYS, signs

if TYPE_CHECKING:
    from collections.abc import Iterator

TX = {"PAYMENT *": {"transaction": "tx1", "network": "ln"}}
YES = {"PAYMENT *": True, "CONSENT *": True}
RECEIPT: Case = {
    "kind": "payment_required",
    "state": "$state",
    "scheme": "ln.bolt11",
    "original_payload": "$payload",
}
CONSENT: Case = {"kind": "consent_required", "state": "$state", "scope_hash": "$scope_hash"}
WRONG: Case = {**RECEIPT, "original_payload": {**INVOICE, "amount": 2}}
ASKED: Case = turn(received_via="a2a")
"""The question, asked over A2A: there a payment may name its task."""


def issue(part: Case | None = None, **facts: Any) -> Case:
    """A demand that is issued."""
    part = part or payment()
    scope = {"scope": WORDS} if part["kind"] == "consent_required" else {}
    return {"part": part, "to": TURN, **scope, **facts}


def accept(receipt: Case = RECEIPT, **more: Any) -> Case:
    """A receipt that is shown."""
    return {"accept": {"receipt": receipt, **more}}


def resume(**more: Any) -> Case:
    """An agent that wants to act."""
    return {"resume": more}


def told(behaviour: str, name: str, section: str, why: str, issues: Any, *steps: tuple[Case, str], **rows: Any) -> Case:
    """A story: each step with what comes of it."""
    unit = {"issue": issues, "steps": [step for step, _ in steps]}
    around = {"lookups": {**YES, **rows}}
    return one(f"story-{behaviour}", name, section, why, unit, given=around, value=[said for _, said in steps])


def once() -> Iterator[Case]:
    """A state acts at most once."""
    paying, agreeing = (accept(), "accepted"), (accept(CONSENT), "accepted")
    for name, made, first, rows in (
        ("payment", issue(), paying, YES),
        ("payment-with-transaction", issue(), paying, TX),
        ("consent", issue(consent()), agreeing, YES),
    ):
        again = [(resume(), "already-consumed"), (resume(message={"id": "m3"}), "already-consumed")]
        why = "Whoever shows a receipt again gets nothing again."
        yield told("once", name, "D B3", why, made, first, (resume(), "resumed"), *again, **rows)
    why = "A receipt may be delivered twice; the work is done once."
    redelivered = (resume(message={"id": "m2"}), "already-consumed")
    yield told("once", "receipt-twice", "D B3", why, issue(), paying, paying, (resume(), "resumed"), redelivered)
    why = "A workflow that is taken up after a crash is the same try, and gets the same answer."
    same = (resume(attempt=7), "resumed")
    other = (resume(attempt=8), "already-consumed")
    yield told("once", "same-try", "R38", why, issue(), paying, same, same, other, **TX)
    why = "The same randomness in another message is another try."
    elsewhere = (resume(attempt=7, message={"id": "m9"}), "already-consumed")
    yield told("once", "same-try-in-another-message", "R38", why, issue(), paying, same, elsewhere)
    why = "A late race changes nothing about who was first."
    late = (resume(at=599), "already-consumed")
    yield told("once", "late", "D B3", why, issue(), paying, (resume(), "resumed"), late)
    why = "A demand that acted does not act in another thread."
    away = (resume(message={"thread_id": "t2"}), "thread-mismatch")
    yield told("once", "elsewhere-after", "D B3", why, issue(), paying, (resume(), "resumed"), away)


def unburnt() -> Iterator[Case]:
    """What does not fit burns nothing."""
    why = "Mallory must not be able to burn what Alice paid for."
    wrongs = (
        ("agent", {"message": {"recipient": ELSEWHERE}}, "agent-mismatch"),
        ("thread", {"message": {"thread_id": "t2"}}, "thread-mismatch"),
        ("sender", {"message": {"sender": MALLORY}}, "subject-mismatch"),
        ("unverified", {"message": {"sender": NOBODY}}, "subject-mismatch"),
    )
    for name, change, code in wrongs:
        steps = [(accept(), "accepted"), (resume(**change), code), (resume(), "resumed")]
        yield told("unburnt", f"resume-{name}", "D B3", why, issue(), *steps, **TX)
        steps = [(accept(**change), code), (accept(), "accepted"), (resume(), "resumed")]
        yield told("unburnt", f"accept-{name}", "D B3", why, issue(), *steps, **TX)
    other = {"resolution": {"confirmation": {"scheme": "ln.bolt11", "original_payload": {**INVOICE, "amount": 2}}}}
    steps = [(accept(), "accepted"), (resume(**other), "payload-mismatch"), (resume(), "resumed")]
    yield told("unburnt", "resume-payload", "D B3", why, issue(), *steps)
    steps = [(accept(WRONG), "payload-mismatch"), (accept(), "accepted"), (resume(), "resumed")]
    yield told("unburnt", "accept-payload", "D B3", why, issue(), *steps)
    why = "A payment that another demand took leaves this one open."
    fresh = {"resolution": {"confirmation": {**RECEIPT, "transaction": "tx2"}}}
    fresh["resolution"]["confirmation"] = {
        "scheme": "ln.bolt11",
        "original_payload": "$payload",
        "transaction": "tx2",
        "network": "ln",
    }
    steps = [
        (accept(), "accepted"),
        (accept(of=1), "accepted"),
        (resume(), "resumed"),
        (resume(of=1), "transaction-reused"),
        (resume(of=1, **fresh), "resumed"),
    ]
    yield told("unburnt", "transaction", "D B3", why, [issue(), issue()], *steps, **TX)


def void() -> Iterator[Case]:
    """Three mistakes make a state void."""
    why = "Who tries three times is guessing."
    account = issue(subject="account-7")
    narrow = {**CONSENT, "scope_hash": "0" * 64}
    for name, made, receipt, more, code in (
        ("kind", issue(), {**CONSENT, "scope_hash": "0" * 64}, {}, "kind-mismatch"),
        ("agent", issue(), RECEIPT, {"message": {"recipient": ELSEWHERE}}, "agent-mismatch"),
        ("thread", issue(), RECEIPT, {"message": {"thread_id": "t2"}}, "thread-mismatch"),
        ("sender", issue(), RECEIPT, {"message": {"sender": MALLORY}}, "subject-mismatch"),
        ("account", account, RECEIPT, {"subject": "account-8"}, "subject-mismatch"),
        ("scheme", issue(), {**RECEIPT, "scheme": "pg.inicis"}, {}, "scheme-not-offered"),
        ("payload", issue(), WRONG, {}, "payload-mismatch"),
        ("scope", issue(consent()), narrow, {}, "scope-mismatch"),
    ):
        steps = [(accept(receipt, **more), code)] * 3 + [(accept(receipt, **more), "state-void")]
        yield told("void", f"accept-{name}", "D B3", why, made, *steps)
    away = {"message": {"thread_id": "t2"}}
    steps = [(accept(), "accepted"), *[(resume(**away), "thread-mismatch")] * 3, (resume(), "state-void")]
    yield told("void", "resume", "D B3", why, issue(), *steps)
    steps = [
        (accept(WRONG), "payload-mismatch"),
        (accept(), "accepted"),
        (resume(**away), "thread-mismatch"),
        (accept(**away), "thread-mismatch"),
        (resume(), "state-void"),
    ]
    yield told("void", "both-doors-count", "D B3", why, issue(), *steps)
    steps = [(accept(WRONG), "payload-mismatch")] * 2 + [(accept(), "accepted"), (resume(), "resumed")]
    yield told("void", "two-are-forgiven", "D B3", "People mistype.", issue(), *steps)
    why = "What one guesses about a state says nothing about another."
    steps = [*[(accept(WRONG), "payload-mismatch")] * 3, (accept(of=1), "accepted"), (resume(of=1), "resumed")]
    yield told("void", "of-one-alone", "D B3", why, [issue(), issue()], *steps)
    why = "What names no demand, or one that has ended, is no mistake about it."
    strange = {**RECEIPT, "state": state("strange")}
    steps = [*[(accept(strange), "state-unknown")] * 3, *[(accept(at=600), "state-expired")] * 3]
    yield told("void", "others-count-nothing", "D B3", why, issue(), *steps, (accept(), "accepted"))
    why = "A facilitator that says no is no mistake about the demand: the payment may come later."
    steps = [(accept(), "payment-unverified")] * 4
    yield told("void", "unpaid-counts-nothing", "D B3", why, issue(), *steps, **{"PAYMENT *": None})


def lives() -> Iterator[Case]:
    """How long a demand lives."""
    why = "Old links must not act, and people need a while."
    for name, made, receipt, seconds in (
        ("payment", issue(), RECEIPT, 600),
        ("consent", issue(consent()), CONSENT, 900),
        ("own", issue(lifetime_seconds=30), RECEIPT, 30),
        ("longest", issue(consent(), lifetime_seconds=3600), CONSENT, 3600),
    ):
        last, late = seconds - 0.001, "state-expired"
        steps = [
            (accept(receipt, at=last), "accepted"),
            (accept(receipt, at=seconds), late),
            (resume(at=seconds), late),
        ]
        yield told("lives", name, "R39", why, made, *steps, (resume(at=last), "resumed"))


def apart() -> Iterator[Case]:
    """Demands and payments are kept apart."""
    two = [issue(), issue()]
    both = [(accept(), "accepted"), (accept(of=1), "accepted"), (resume(), "resumed")]
    why = "One payment pays one demand."
    yield told("apart", "one-transaction", "D B3", why, two, *both, (resume(of=1), "transaction-reused"), **TX)
    why = "Without a transaction nothing tells two payments apart but their demands."
    yield told("apart", "no-transaction", "D B3", why, two, *both, (resume(of=1), "resumed"))
    base = {"scheme": "ln.bolt11", "original_payload": "$payload", "network": "ln"}
    hexes = {"PAYMENT *": {"transaction": "0xAB", "network": "ln"}}

    def other(**changes: Any) -> Case:
        return resume(of=1, resolution={"confirmation": {**base, **changes}})

    for name, why, step, said in (
        ("hex-in-small", "A hash in small letters is the same hash.", other(transaction="0xab"), "transaction-reused"),
        ("other-network", "Networks number for themselves.", other(transaction="0xAB", network="x"), "resumed"),
        ("other-transaction", "Another payment is another payment.", other(transaction="0xAC"), "resumed"),
    ):
        yield told("apart", name, "D B3", why, two, *both, (step, said), **hexes)
    why = "An id in other letters, or with blanks around it, is the same id."
    for name, spelled in (
        ("without-0x", "Ab"),
        ("with-0x-in-capitals", "0Xab"),
        ("with-blanks", " 0xAB\t"),
        ("with-blanks-and-without-0x", "\u3000ab\n"),
    ):
        yield told("apart", name, "D B3", why, two, *both, (other(transaction=spelled), "transaction-reused"), **hexes)
    plain = {"PAYMENT *": {"transaction": "pi_7Q", "network": "Ledger"}}
    for name, changes in (
        ("case-of-ids", {"transaction": "PI_7q", "network": "Ledger"}),
        ("case-of-networks", {"transaction": "pi_7Q", "network": " ledger"}),
    ):
        yield told("apart", name, "D B3", why, two, *both, (other(**changes), "transaction-reused"), **plain)
    offers = [issue(payment(LN, STRIPE)), issue(payment(STRIPE, LN))]
    by_stripe = {**RECEIPT, "scheme": "stripe.checkout"}
    rows = {"PAYMENT ln.bolt11": {"transaction": "1"}, "PAYMENT stripe.checkout": {"transaction": "1"}}
    steps = [(accept(), "accepted"), (accept(by_stripe, of=1), "accepted"), (resume(), "resumed")]
    why = "Schemes number for themselves."
    yield told("apart", "other-scheme", "D B3", why, offers, *steps, (resume(of=1), "resumed"), **rows)
    differing = [issue(), issue(payment({**LN, "payload": {**INVOICE, "amount": 2}}))]
    why = "What is offered for one demand pays no other."
    mixed = {**RECEIPT, "original_payload": INVOICE}
    yield told("apart", "offers", "D B3", why, differing, (accept(mixed, of=1), "payload-mismatch"))
    why = "The state of a consent is no password for a payment."
    kinds = [issue(), issue(consent())]
    steps = [(accept(CONSENT, of=1), "accepted"), (resume(of=1), "resumed"), (accept(), "accepted")]
    yield told("apart", "kinds", "D B3", why, kinds, *steps, (resume(), "resumed"))
    why = "A callback comes without a message, and the agent goes on in the thread of the question."
    steps = [(accept(message=None), "accepted"), (resume(message={"id": "m2"}), "resumed")]
    yield told("apart", "callback", "R38", why, issue(), *steps)


def by_task() -> Iterator[Case]:
    """Payments by x402, which name a task and no state."""
    made = issue(payment(WAYS[1]), to=ASKED)
    sent = {"kind": "payment_required", "task_id": "t1", "scheme": "x402.exact", "receipt": PAYLOADS[1]}
    named = {**RECEIPT, "scheme": "x402.exact"}
    why = "A payment that names its task completes the demand of that task, once."
    steps = [(accept(sent), "accepted"), (resume(), "resumed"), (resume(), "already-consumed")]
    yield told("task", "once", "R39", why, made, *steps)
    why = "State and task lead to the same demand."
    steps = [
        (accept(named), "accepted"),
        (resume(), "resumed"),
        (accept(sent), "accepted"),
        (resume(), "already-consumed"),
    ]
    yield told("task", "state-and-task", "R39", why, made, *steps)
    second = issue(made["part"], to=turn(id="m7", thread_id="t7", received_via="a2a"))
    again = {**sent, "task_id": "t7"}
    there = {"of": 1, "message": {"id": "m8"}}
    both = [(accept(sent), "accepted"), (accept(again, of=1), "accepted"), (resume(), "resumed")]
    why = "What a payer signed once pays once."
    yield told("task", "nonce-twice", "R39", why, [made, second], *both, (resume(**there), "transaction-reused"))
    why = "The same number in other letters is the same number."
    for name, one_way, other_way in (
        ("capitals", NONCE, "0x" + NONCE[2:].upper()),
        ("zeros", "0x" + "0" * 63 + "1", "0X1"),
    ):
        first = {**sent, "receipt": {**PAYLOADS[1], "payload": signs(nonce=one_way)}}
        signed = {**again, "receipt": {**PAYLOADS[1], "payload": signs(nonce=other_way)}}
        both = [(accept(first), "accepted"), (accept(signed, of=1), "accepted"), (resume(), "resumed")]
        said = (resume(**there), "transaction-reused")
        yield told("task", f"nonce-with-{name}", "R39", why, [made, second], *both, said)
    signed = {**again, "receipt": {**PAYLOADS[1], "payload": signs(nonce="0x" + "1" * 64)}}
    both = [(accept(sent), "accepted"), (accept(signed, of=1), "accepted"), (resume(), "resumed")]
    why = "Another signature is another payment."
    yield told("task", "other-nonce", "R39", why, [made, second], *both, (resume(**there), "resumed"))
    for name, why, code, change in (
        ("too-little", "Nobody sets the price but you.", "payload-mismatch", signs(value="1")),
        ("to-another", "It must be you who gets it.", "payload-mismatch", signs(to=PAYER)),
        ("number-for-text", "Amounts are text, so that nobody rounds them.", "receipt-malformed", signs(value=10000)),
        ("nothing-signed", "A payment without signature shows nothing.", "receipt-malformed", []),
    ):
        wrong = {**sent, "receipt": {**PAYLOADS[1], "payload": change}}
        yield told("task", name, "R39", why, made, (accept(wrong), code), (accept(sent), "accepted"))
    rows = {"PAYMENT *": {"payer": "0x" + "d" * 40}}
    yield told(
        "task",
        "payer-is-another",
        "R39",
        "Who signed must be who paid.",
        made,
        (accept(sent), "payer-mismatch"),
        **rows,
    )
    why = "A task is no secret: it is one sender's with one agent, so that nobody else uses it up."
    for name, change, code in (
        ("in-another-thread", {"thread_id": "t2"}, "thread-mismatch"),
        ("of-another-sender", {"sender": MALLORY}, "state-unknown"),
        ("of-another-agent", {"recipient": ELSEWHERE}, "state-unknown"),
    ):
        yield told("task", name, "R39", why, made, (accept(sent, message=change), code), (accept(sent), "accepted"))
    theirs = (accept(sent, message={"sender": MALLORY}), "state-unknown")
    why = "Whoever else knows the task must not make the demand void."
    yield told("task", "not-used-up", "R39", why, made, theirs, theirs, theirs, (accept(sent), "accepted"))
    why = "Only demands that can be paid by x402 are known by their task."
    by_invoice = (accept({**sent, "scheme": "ln.bolt11"}), "state-unknown")
    yield told("task", "not-by-x402", "R39", why, issue(to=ASKED), by_invoice)
    why = "A thread of mail or of notes is no task: anybody may name it."
    for via in ("email", "activitypub"):
        elsewhere = issue(made["part"], to=turn(received_via=via))
        yield told("task", f"asked-by-{via}", "R39", why, elsewhere, (accept(sent), "state-unknown"))
    why = "What stands for a task is no secret, so it is no state: it counts with its task alone."
    named = {**named, "state": "$resolved"}
    for name, shown in (("as-state", {}), ("as-state-by-callback", {"message": None})):
        steps = [(accept(sent), "accepted"), *[(accept(named, **shown), "state-unknown")] * 3, (resume(), "resumed")]
        yield told("task", name, "R39", why, made, *steps)
    why = "The same offer twice is one offer: nobody is refused for a doubt that makes no difference."
    equal = issue(payment(WAYS[1], WAYS[1]), to=ASKED)
    yield told("task", "equal-offers", "R39", why, equal, (accept(sent), "accepted"), (resume(), "resumed"))
    assert OFFERED[1] == WAYS[1]["payload"]


def behaviours() -> Iterator[tuple[str, str, str, str, list[Case]]]:
    """The case files of this module."""
    for name, note, cases in (
        ("once", "A state acts at most once.", once()),
        ("unburnt", "What does not fit burns nothing.", unburnt()),
        ("void", "Three mistakes make a state void.", void()),
        ("lives", "Demands have their time.", lives()),
        ("apart", "Demands and payments are kept apart.", apart()),
        ("task", "Payments that name a task.", by_task()),
    ):
        yield "policy", f"story-{name}", "policy.story", note, list(cases)
