"""`mentionable demo policy`: an agent requires payment or consent, and continues when it has it."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

from ... import a2a, mail, policy
from ..._errors.exceptions import Problem
from ..._flow.flow import drive
from ..._flow.outcome import Received, Rejected
from ..._model.message import NormalizedMessage, NormalizedResponse
from ..._model.parts import CarriedPolicy
from ..._text.plain_text import plain_text, shorten
from ..._wire.http import HttpRequest
from ...testing.peers import ENDPOINT, A2APeer, Peer
from ...testing.recording import answers
from .._show import field_line
from .send import send, sender_of
from .store import Store, signed_key
from .story import HELPER, HOST, NOW, DemoFailed, at, expect, quoted, random_for, rejection, run_demo, transcript

_INTRO: Final = """\
An agent requires a payment, and then the consent of a person, before it answers. It issues and stores each policy
requirement and sends it with the protocol of the question. The sender returns a receipt: `accept` verifies it, and
`resume` consumes it, so that one receipt counts once. Nothing is sent or fetched, and no money moves: a table stands in
for the payment service.\
"""
_OUTRO: Final = "The same in a program: docs/how-to/payments.md and docs/how-to/consent.md"
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


_ACCOUNTS: Final = {"@alice@a.example": "account-7"}
"""Sender → their account at the agent's web site."""

_PLACES: Final = {
    b'"mentionable":{"policy":': "the metadata of the task",
    b"\r\nX-Mentionable-Policy: ": "X-Mentionable-Policy",
}
"""The bytes before a policy requirement → the field that contains it."""


def run() -> int:
    """The exit status: 0 if every line is as `policy.txt` expects."""
    return run_demo(_INTRO, [_over_a2a(Store()), _by_mail(Store())], transcript("policy.txt"), _OUTRO)


# -- A2A: the next message carries the receipt


def _over_a2a(store: Store) -> Iterator[str]:
    """An agent asks, must pay, and pays with its next message."""
    yield "A2A: an agent pays by x402, with its next message"
    planner = Peer.a2a("@planner@peer.example")
    call = planner.write("A table for two, please.", now=NOW)
    turn = yield from _question(_receive_call(planner, call, second=0))
    offer = policy.AcceptedPayment(scheme="x402.exact", payload=_TABLE, label="Pay 0.01 USDC")
    part = policy.PaymentRequired(message="A table costs 0.01 USDC.", accepted_payments=(offer,))
    issued = policy.issue(part, to=turn, now=NOW, entropy=random_for("table"))
    answer = yield from _requirement(store, turn, issued)
    offered = expect(policy.demand_of(answer), policy.PaymentRequired, "forged").accepted_payments[0].payload
    task = expect(answer, NormalizedResponse, "forged").extra["a2a"]

    forged = _paying(planner, turn, task["task_id"], _signed(offered, value="1"), second=20)
    reason = rejection(_accept(store, forged, second=20))
    yield field_line("forged", f"pays 1 instead of {offered['requirement']['amount']}: {reason}")
    payment = _signed(offered)
    paying = _paying(planner, turn, task["task_id"], payment, second=30)
    reason = rejection(_accept(store, paying, second=30))
    yield field_line("too soon", f"signed, but not yet settled: {reason}")
    store.paid[signed_key(payment)] = policy.PaymentStatus(
        verified_by="the payment service", transaction="0x" + "7" * 64
    )
    scheme = expect(paying.candidate, policy.Candidate, "pays").scheme
    yield field_line("pays", f"with {scheme}, in the task in state {task['state']}")
    accepted = expect(_accept(store, paying, second=40), policy.Accepted, "accept")
    yield from _reply(store, accepted, policy.with_resolution(paying.message, accepted), "Your table is booked.")

    again = _paying(planner, turn, task["task_id"], payment, second=90)
    accepted = expect(_accept(store, again, second=90), policy.Accepted, "again")
    message = policy.with_resolution(again.message, accepted)
    reason = rejection(_resume(store, message, second=90))
    yield field_line("again", f"the same payment in another message: {reason}")


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
    settings = a2a.Settings(token_issuers=(planner.trusted(),))
    flow = a2a.receive(request, now=at(second), entropy=random_for("a2a", str(second)), settings=settings)
    return drive(flow, answers(planner, agents={ENDPOINT: HELPER}))


def _accept(store: Store, received: Received, *, second: int) -> policy.Accepted | Rejected:
    """Verify the receipt that came with a message."""
    candidate = expect(received.candidate, policy.Candidate, "pays")
    return drive(policy.accept(candidate, message=received.message, now=at(second)), store.answers)


# -- mail: a web page receives the receipt


def _by_mail(store: Store) -> Iterator[str]:
    """A person asks, opens a page, and consents there."""
    yield "Mail: a person consents on a page"
    alice = Peer.mail("@alice@a.example")
    raw = alice.write("Am I free on Friday?", to=HELPER, now=NOW, subject="Friday")
    flow = mail.receive(raw, now=NOW, entropy=random_for("mail"))
    turn = yield from _question(drive(flow, answers(alice, agents={"helper@agents.example": HELPER})))
    entropy, account = random_for("calendar"), _ACCOUNTS[turn.sender.address]
    state = policy.new_state(to=turn, entropy=entropy)
    part = policy.ConsentRequired(
        message="May I read your calendar?",
        url=f"https://{HOST}/consent?state={state}",
        state=state,
        return_to=f"https://{HOST}/done",
    )
    terms = policy.ConsentTerms(scope="calendar.read")
    issued = policy.issue(part, to=turn, consent=terms, subject=account, now=NOW, entropy=entropy)
    answer = yield from _requirement(store, turn, issued)

    opened = urlsplit(expect(policy.demand_of(answer), policy.ConsentRequired, "consents").url or "")
    (state,) = parse_qs(opened.query)["state"]
    scope = policy.scope_hash("calendar.read")
    receipt = policy.Candidate(kind="consent_required", state=state, scope_hash=scope)
    reason = rejection(_callback(store, receipt, subject=account))
    yield field_line("too soon", f"the page is open, but the person has not consented: {reason}")
    store.granted[policy.key_of(state)] = scope
    yield field_line("consents", f"{account} signs in at {opened.netloc}{opened.path} and consents")
    reason = rejection(_callback(store, receipt, subject="account-8"))
    yield field_line("stranger", f"account-8 sends the same receipt: {reason}")
    thread = expect(answer, NormalizedMessage, "answer").thread_id
    yield from _callback_twice(store, receipt, "You are free from four on.", thread=thread, subject=account)


# -- the steps of both stories


def _question(outcome: object) -> Generator[str, None, NormalizedMessage]:
    """The question."""
    received = expect(outcome, Received, "asks")
    yield field_line("asks", f"{sender_of(received)}: {plain_text(received.message)}")
    return received.message


def _requirement(
    store: Store, turn: NormalizedMessage, issued: policy.Issued
) -> Generator[str, None, NormalizedMessage | NormalizedResponse]:
    """Store a policy requirement and send it. Returns the reply as the other side decodes it."""
    part, record = issued.part, issued.record
    store.keep(turn, record, now=NOW)
    yield field_line("requires", f"{part.kind}, issued and stored; expires at {record.expires_at}")
    response = NormalizedResponse.to(turn, CarriedPolicy(policy=part))
    _must_be_valid("sent", policy.check_response(turn, response, record=record))
    sent = send(response, turn, now=NOW, entropy=random_for("requirement", turn.id))
    yield field_line("sent", sent.how)
    places = [place for before, place in _PLACES.items() if before in sent.data]
    if sent.read is None or policy.demand_of(sent.read) != part:
        raise DemoFailed("peer reads", "the policy requirement", f"something else; {sent.received}")
    yield field_line("peer reads", f"{sent.received}: the policy requirement, in {', '.join(places)}")
    yield from quoted(plain_text(sent.read))
    yield _over_http(part)
    return sent.read


def _must_be_valid(line: str, problems: tuple[Problem, ...]) -> None:
    for problem in problems:
        raise DemoFailed(line, "a valid response", problem)


def _over_http(part: policy.PolicyPart) -> str:
    """The same requirement as an HTTP response, decoded again."""
    response = policy.to_http(part)
    decoded = policy.from_http(response, authority=HOST, now=NOW)
    if isinstance(decoded, Rejected) or decoded.policy != part:
        raise DemoFailed("as HTTP", "the policy requirement", "something else")
    headers = ", ".join(f"{name}: {shorten(value, 40)}" for name, value in response.headers)
    return field_line("as HTTP", f"HTTP {response.status}, {headers}")


def _reply(
    store: Store, accepted: policy.Accepted, message: NormalizedMessage, text: str, *, thread: str | None = None
) -> Iterator[str]:
    """The agent consumes the receipt and answers the question.

    Args:
        store: The store of the program.
        accepted: The verified receipt.
        message: The message that carries the receipt.
        text: The reply.
        thread: The thread in which the reply must arrive: that of the policy requirement.
    """
    resolution, use = accepted.resolution, "already" if store.used else "not yet"
    yield field_line("accept", f"{resolution.kind} is verified by {resolution.verified_by}, {use} consumed")
    resumed = expect(_resume(store, message, second=60), policy.Resumed, "resume")
    yield field_line("resume", f"consumes the receipt, and answers: {plain_text(message)}")
    response = NormalizedResponse.to(message, text)
    _must_be_valid("reply", policy.check_response(message, response, resumed=resumed))
    sent = send(response, message, now=at(60), entropy=random_for("answer", message.id))
    if sent.read is None:
        raise DemoFailed("reply", text, sent.received)
    if thread not in (None, getattr(sent.read, "thread_id", None)):
        raise DemoFailed("reply", "the thread of the question", "another thread")
    first_line = plain_text(sent.read).partition("\n")[0]
    yield field_line("reply", f"{first_line} ({sent.how})")


def _resume(store: Store, message: NormalizedMessage, *, second: int) -> policy.Resumed | Rejected:
    """Consume the receipt of a message."""
    subject, entropy = _ACCOUNTS.get(message.sender.address), random_for("resume", message.id)
    return drive(policy.resume(message, subject=subject, now=at(second), entropy=entropy), store.answers)


def _callback(store: Store, candidate: policy.Candidate, *, subject: str) -> policy.Accepted | Rejected:
    """Verify a receipt that reaches the agent's endpoint without a message."""
    return drive(policy.accept(candidate, subject=subject, now=at(60)), store.answers)


def _callback_twice(
    store: Store, candidate: policy.Candidate, text: str, *, thread: str, subject: str
) -> Iterator[str]:
    """Call the endpoint, which continues the interrupted turn; then call it again, which must fail."""
    accepted = expect(_callback(store, candidate, subject=subject), policy.Accepted, "accept")
    turn = store.turns[accepted.record.message_id]
    message = policy.next_turn(turn, accepted, now=at(60), entropy=random_for("next turn"))
    yield from _reply(store, accepted, message, text, thread=thread)
    accepted = expect(_callback(store, candidate, subject=subject), policy.Accepted, "again")
    message = policy.next_turn(turn, accepted, now=at(90), entropy=random_for("next turn", "again"))
    reason = rejection(_resume(store, message, second=90))
    yield field_line("again", f"the same call: {reason}")
