"""`mentionable demo policy`: an agent requires payment or consent, and continues when it has it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

from ... import policy
from ..._flow.flow import drive
from ..._flow.outcome import Received, Rejected
from ..._model.message import NormalizedMessage, NormalizedResponse
from ..._wire.http import HttpRequest
from ...testing.peers import ENDPOINT, A2APeer, Peer
from ...testing.recording import answers
from .._show import field_line
from .steps import (
    ACCOUNTS,
    HELPER,
    HOST,
    NOW,
    at,
    callback,
    random_for,
    resume,
    show_callback,
    show_question,
    show_reply,
    show_requirement,
)
from .store import Store, signed_key
from .story import DemoFailed, Line, checked, expect, expect_rejected, run_story, until_failure

_INTRO: Final = """\
An agent requires a payment, and then the consent of a person, before it answers. It issues and stores each policy
requirement and sends it with the protocol of the question. The sender returns a receipt: `accept` verifies it, and
`resume` consumes it, so that one receipt counts once. Nothing is sent or fetched, and no money moves: a table stands in
for the payment service.\
"""
_OUTRO = "The same in a program: docs/how-to/payments.md and docs/how-to/consent.md"
_TABLE: Final[Mapping[str, Any]] = {
    "x402Version": 2,
    "resource": {"url": f"https://{HOST}/table"},
    "requirement": {
        "scheme": "exact",
        "network": "eip155:84532",
        "amount": "10000",
        "asset": "0x" + "a" * 40,
        "payTo": "0x" + "b" * 40,
        "maxTimeoutSeconds": 300,
    },
}
"""The price of a table, as x402 writes it."""


def run() -> int:
    """The exit status: 0 if every line is as expected."""
    return run_story(_INTRO, _story(), _OUTRO)


def _story() -> Iterator[Line]:
    for title, story in _STORIES.items():
        yield f"\n{title}"
        yield from until_failure(story(Store()))


# -- A2A: the next message carries the receipt


def _over_a2a(store: Store) -> Iterator[Line]:
    """An agent asks, must pay, and pays with its next message."""
    planner = Peer.a2a("@planner@peer.example")
    words = "A table for two, please."
    turn = yield from show_question(_receive_call(planner, planner.write(words, now=NOW), second=0), words)
    offer = policy.AcceptedPayment(scheme="x402.exact", payload=_TABLE, label="Pay 0.01 USDC")
    part = policy.PaymentRequired(message="A table costs 0.01 USDC.", accepted_payments=(offer,))
    issued = policy.issue(part, to=turn, now=NOW, entropy=random_for("table"))
    answer = yield from show_requirement(store, turn, issued, ("A table costs 0.01 USDC.", "- Pay 0.01 USDC"))
    offered = expect(policy.demand_of(answer), policy.PaymentRequired, "forged").accepted_payments[0].payload
    task = expect(answer, NormalizedResponse, "forged").extra["a2a"]

    forged = _paying(planner, turn, task["task_id"], _signed(offered, value="1"), second=20)
    code = expect_rejected(_accept(store, forged, second=20), "payload-mismatch", "forged")
    yield field_line("forged", f"pays 1 instead of {offered['requirement']['amount']}: {code}")
    payment = _signed(offered)
    paying = _paying(planner, turn, task["task_id"], payment, second=30)
    code = expect_rejected(_accept(store, paying, second=30), "payment-unverified", "too soon")
    yield field_line("too soon", f"signed, but not yet settled: {code}")
    store.paid[signed_key(payment)] = policy.PaymentStatus(
        verified_by="the payment service", transaction="0x" + "7" * 64
    )
    pays = f"with {expect(paying.candidate, policy.Candidate, 'pays').scheme}, in the task in state {task['state']}"
    yield checked(field_line("pays", pays), "with x402.exact, in the task in state input-required", pays)
    accepted = expect(_accept(store, paying, second=40), policy.Accepted, "accept")
    yield from show_reply(store, accepted, policy.with_resolution(paying.message, accepted), "Your table is booked.")

    again = _paying(planner, turn, task["task_id"], payment, second=90)
    accepted = expect(_accept(store, again, second=90), policy.Accepted, "again")
    code = expect_rejected(
        resume(store, policy.with_resolution(again.message, accepted), second=90), "already-consumed", "again"
    )
    yield field_line("again", f"the same payment in another message: {code}")


def _signed(offered: Mapping[str, Any], **changes: str) -> dict[str, Any]:
    """The payment that a payer signs. The signature is made up: a payment service would verify it."""
    requirement = offered["requirement"]
    authorization = {
        "from": "0x" + "c" * 40,
        "to": requirement["payTo"],
        "value": requirement["amount"],
        "validAfter": "0",
        "validBefore": str(int(at(300).timestamp())),
        "nonce": "0x" + "1" * 64,
        **changes,
    }
    return {
        "x402Version": offered["x402Version"],
        "resource": offered["resource"],
        "accepted": requirement,
        "payload": {"signature": "0x" + "2" * 130, "authorization": authorization},
    }


def _paying(
    planner: A2APeer, turn: NormalizedMessage, task_id: str, payment: Mapping[str, Any], *, second: int
) -> Received:
    """Receive the question with a payment attached. Until `accept` verifies it, the payment resolves nothing."""
    from ... import a2a

    request = a2a.call(
        turn,
        url=ENDPOINT,
        task_id=task_id,
        context=a2a.CallContext(token=planner.token(now=at(second)), receipt=policy.x402_submission(payment)),
        entropy=random_for("pay", str(second)),
    )
    received = expect(_receive_call(planner, request, second=second), Received, "pays")
    if received.message.policy_resolution is not None:
        raise DemoFailed("pays", "no resolution before it is verified", "a resolution")
    return received


def _receive_call(planner: A2APeer, request: HttpRequest, *, second: int) -> Received | Rejected:
    """Receive a call at the agent's endpoint."""
    from ... import a2a

    settings = a2a.Settings(token_issuers=(planner.trusted(),))
    entropy = random_for("a2a", str(second))
    flow = a2a.receive(request, now=at(second), entropy=entropy, settings=settings)
    return drive(flow, answers(planner, agents={ENDPOINT: HELPER}))


def _accept(store: Store, received: Received, *, second: int) -> policy.Accepted | Rejected:
    """Verify the receipt that came with a message."""
    candidate = expect(received.candidate, policy.Candidate, "pays")
    return drive(policy.accept(candidate, message=received.message, now=at(second)), store.answers)


# -- mail: a web page receives the receipt


def _by_mail(store: Store) -> Iterator[Line]:
    """A person asks, opens a page, and consents there."""
    from ... import mail

    alice = Peer.mail("@alice@a.example")
    words = "Am I free on Friday?"
    raw = alice.write(words, to=HELPER, now=NOW, subject="Friday")
    flow = mail.receive(raw, now=NOW, entropy=random_for("mail"))
    turn = yield from show_question(drive(flow, answers(alice, agents={"helper@agents.example": HELPER})), words)
    entropy, account = random_for("calendar"), ACCOUNTS[turn.sender.address]
    state = policy.new_state(to=turn, entropy=entropy)
    part = policy.ConsentRequired(
        message="May I read your calendar?",
        url=f"https://{HOST}/consent?state={state}",
        state=state,
        return_to=f"https://{HOST}/done",
    )
    issued = policy.issue(
        part,
        to=turn,
        consent=policy.ConsentTerms(scope="calendar.read"),
        subject=account,
        now=NOW,
        entropy=entropy,
    )
    answer = yield from show_requirement(store, turn, issued, (part.message, part.url or ""))

    opened = urlsplit(expect(policy.demand_of(answer), policy.ConsentRequired, "consents").url or "")
    (state,) = parse_qs(opened.query)["state"]
    scope = policy.scope_hash("calendar.read")
    receipt = policy.Candidate(kind="consent_required", state=state, scope_hash=scope)
    code = expect_rejected(callback(store, receipt, subject=account), "consent-unverified", "too soon")
    yield field_line("too soon", f"the page was opened, but nobody has consented: {code}")
    store.granted[policy.key_of(state)] = scope
    page = f"{opened.netloc}{opened.path}"
    yield checked(field_line("consents", f"{account} signs in at {page} and consents"), f"{HOST}/consent", page)
    code = expect_rejected(callback(store, receipt, subject="account-8"), "subject-mismatch", "stranger")
    yield field_line("stranger", f"account-8 sends the same receipt: {code}")
    thread = expect(answer, NormalizedMessage, "answer").thread_id
    yield from show_callback(store, receipt, "You are free from four on.", thread=thread, subject=account)


_STORIES: Final[Mapping[str, Callable[[Store], Iterator[Line]]]] = {
    "A2A: an agent pays by x402, with its next message": _over_a2a,
    "Mail: a person consents on a page": _by_mail,
}
