"""`mentionable demo policy`: an agent demands payment or consent, and goes on once it was met."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

from ... import policy
from ..._flow.flow import drive
from ..._flow.outcome import Received, Rejected
from ..._model.message import NormalizedMessage, NormalizedResponse
from ..._wire.http import HttpRequest
from ...testing.peers import ENDPOINT, INBOX, A2APeer, Peer
from ...testing.recording import answers
from .._show import field_line
from .steps import ACCOUNTS, HELPER, HOST, NOW, acted, asked, at, callback, called_back, demanded, random_for, resume
from .store import Store, signed_key
from .tell import Line, Wrong, checked, passed, refused, tell, until_wrong

_INTRO: Final = """\
An agent demands something before it goes on. The demand is issued and stored, goes out on the transport of the
question, and is read on the other side. Then it is met: `accept` verifies the receipt, `resume` consumes it, and only
then the agent acts, once. Nothing is sent or fetched, and no money moves: a table stands in for whoever sees payments.\
"""
_OUTRO = "The same in a program: docs/how-to/payments.md and docs/how-to/consent.md"
_ACTOR: Final = f"https://{HOST}/actors/helper"
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
"""What a table costs, in the words of x402."""
_PRINT: Final = (
    "",
    f"Pay 9 EUR (https://{HOST}/pay/cs_1) ({HOST})",
    "",
    "The print costs 9 EUR.",
    f"Pay 9 EUR: https://{HOST}/pay/cs_1",
)
"""What stands below the first line of the note that demands payment."""


def run() -> int:
    """The exit status: 0 when every line is as it should be."""
    return tell(_INTRO, _story(), _OUTRO)


def _story() -> Iterator[Line]:
    for title, story in _STORIES.items():
        yield f"\n{title}"
        yield from until_wrong(story(Store()))


# -- A2A: the receipt comes with the next message


def _over_a2a(store: Store) -> Iterator[Line]:
    """An agent asks, is told to pay, and pays with its next message."""
    planner = Peer.a2a("@planner@peer.example")
    words = "A table for two, please."
    turn = yield from asked(_called(planner, planner.write(words, now=NOW), second=0), words)
    offer = policy.AcceptedPayment(scheme="x402.exact", payload=_TABLE, label="Pay 0.01 USDC")
    part = policy.PaymentRequired(message="A table costs 0.01 USDC.", accepted_payments=(offer,))
    issued = policy.issue(part, to=turn, now=NOW, entropy=random_for("table"))
    answer = yield from demanded(store, turn, issued, ("A table costs 0.01 USDC.", "- Pay 0.01 USDC"))
    offered = passed(policy.demand_of(answer), policy.PaymentRequired, "forged").accepted_payments[0].payload
    task = passed(answer, NormalizedResponse, "forged").extra["a2a"]

    forged = _paying(planner, turn, task["task_id"], _signed(offered, value="1"), second=20)
    code = refused(_accept(store, forged, second=20), "payload-mismatch", "forged")
    yield field_line("forged", f"1 unit in place of {offered['requirement']['amount']}: {code}")
    payment = _signed(offered)
    paying = _paying(planner, turn, task["task_id"], payment, second=30)
    code = refused(_accept(store, paying, second=30), "payment-unverified", "too soon")
    yield field_line("too soon", f"signed, but the facilitator settled nothing: {code}")
    store.paid[signed_key(payment)] = policy.PaymentStatus(verified_by="the facilitator", transaction="0x" + "7" * 64)
    pays = f"{passed(paying.candidate, policy.Candidate, 'pays').scheme}, in the task that is {task['state']}"
    yield checked(field_line("pays", pays), "x402.exact, in the task that is input-required", pays)
    accepted = passed(_accept(store, paying, second=40), policy.Accepted, "accept")
    yield from acted(store, accepted, policy.with_resolution(paying.message, accepted), "Your table is booked.")

    again = _paying(planner, turn, task["task_id"], payment, second=90)
    accepted = passed(_accept(store, again, second=90), policy.Accepted, "once more")
    code = refused(
        resume(store, policy.with_resolution(again.message, accepted), second=90), "already-consumed", "once more"
    )
    yield field_line("once more", f"the same payment in another message: {code}")


def _signed(offered: Mapping[str, Any], **changes: str) -> dict[str, Any]:
    """What a payer signs for an offer. The signature is made up: whether it is good is for the facilitator to say."""
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
    """The question once more, with a payment: a claim as it comes in, which resolves nothing."""
    from ... import a2a

    request = a2a.call(
        turn,
        url=ENDPOINT,
        token=planner.token(now=at(second)),
        task_id=task_id,
        receipt=policy.x402_submission(payment),
        entropy=random_for("pay", str(second)),
    )
    received = passed(_called(planner, request, second=second), Received, "pays")
    if received.message.policy_resolution is not None:
        raise Wrong("pays", "a claim, until it is verified", "a resolution")
    return received


def _called(planner: A2APeer, request: HttpRequest, *, second: int) -> Received | Rejected:
    """What the agent's endpoint makes of a call."""
    from ... import a2a

    settings = a2a.Settings(token_issuers=(planner.trusted(),))
    entropy = random_for("a2a", str(second))
    flow = a2a.receive(request, now=at(second), entropy=entropy, settings=settings)
    return drive(flow, answers(planner, agents={ENDPOINT: HELPER}))


def _accept(store: Store, received: Received, *, second: int) -> policy.Accepted | Rejected:
    """What the adapter finds out about the receipt that came with a message."""
    candidate = passed(received.candidate, policy.Candidate, "pays")
    return drive(policy.accept(candidate, message=received.message, now=at(second)), store.answers)


# -- mail: the receipt comes to a page


def _by_mail(store: Store) -> Iterator[Line]:
    """A person asks, is sent to a page, and consents there."""
    from ... import mail

    alice = Peer.mail("@alice@a.example")
    words = "Am I free on Friday?"
    raw = alice.write(words, to=HELPER, now=NOW, subject="Friday")
    flow = mail.receive(raw, now=NOW, entropy=random_for("mail"))
    turn = yield from asked(drive(flow, answers(alice, agents={"helper@agents.example": HELPER})), words)
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
    answer = yield from demanded(store, turn, issued, (part.message, part.url or ""))

    opened = urlsplit(passed(policy.demand_of(answer), policy.ConsentRequired, "consents").url or "")
    (state,) = parse_qs(opened.query)["state"]
    scope = policy.scope_hash("calendar.read")
    receipt = policy.Candidate(kind="consent_required", state=state, scope_hash=scope)
    code = refused(callback(store, receipt, subject=account), "consent-unverified", "too soon")
    yield field_line("too soon", f"the state alone, before anybody said yes: {code}")
    store.granted[policy.key_of(state)] = scope
    page = f"{opened.netloc}{opened.path}"
    yield checked(field_line("consents", f"{account} signs in at {page} and says yes"), f"{HOST}/consent", page)
    code = refused(callback(store, receipt, subject="account-8"), "subject-mismatch", "stranger")
    yield field_line("stranger", f"account-8 comes with the same state: {code}")
    thread = passed(answer, NormalizedMessage, "answer").thread_id
    yield from called_back(store, receipt, "You are free from four on.", thread=thread, subject=account)


# -- ActivityPub: the receipt comes from a payment provider


def _over_activitypub(store: Store) -> Iterator[Line]:
    """A person asks, is sent to a checkout, and pays there; the provider calls the agent's endpoint."""
    from ... import activitypub

    alice = Peer.activitypub("@alice@social.example")
    words = "Print the map, please."
    note = alice.write(words, to=_ACTOR, now=NOW, inbox=INBOX)
    flow = activitypub.receive(note, now=NOW, entropy=random_for("note"))
    turn = yield from asked(drive(flow, answers(alice, agents={_ACTOR: HELPER})), words)
    entropy = random_for("map")
    state = policy.new_state(to=turn, entropy=entropy)
    checkout = {"session": "cs_1", "state": state}  # made at the provider, which will say so in its event
    part = policy.PaymentRequired(
        message="The print costs 9 EUR.",
        url=f"https://{HOST}/pay/cs_1",
        action_label="Pay 9 EUR",
        accepted_payments=(
            policy.AcceptedPayment(scheme="shop.checkout", payload={"session": checkout["session"], "amount": "900"}),
        ),
    )
    issued = policy.issue(part, to=turn, now=NOW, entropy=entropy)
    answer = yield from demanded(store, turn, issued, (f"{turn.sender.address} {part.message}", *_PRINT))

    receipt = policy.Candidate(
        kind="payment_required", state=checkout["state"], scheme="shop.checkout", receipt={"event": "evt_1"}
    )
    code = refused(callback(store, receipt), "payment-unverified", "too soon")
    yield field_line("too soon", f"a call, before anybody paid: {code}")
    store.paid[checkout["session"]] = policy.PaymentStatus(
        verified_by="our account at the provider", transaction="pi_1"
    )
    yield field_line("pays", "9 EUR in the checkout, whose provider calls the agent's endpoint")
    thread = passed(answer, NormalizedMessage, "answer").thread_id
    yield from called_back(store, receipt, "It is on its way.", thread=thread)


_STORIES: Final[Mapping[str, Callable[[Store], Iterator[Line]]]] = {
    "A2A: an agent pays by x402, with its next message": _over_a2a,
    "Mail: a person consents on a page": _by_mail,
    "ActivityPub: a person pays in a checkout": _over_activitypub,
}
