"""A payment by x402 over REST, from the demand to the receipt."""

from mentionable import Answers, NormalizedResponse, Rejected, drive, policy, rest
from tests.answered import response_in
from tests.rest.asking import FACTS, HELPER, NOW, message, question
from tests.rest.test_sidecar import AUTHORIZATION, REQUIREMENT

OFFER = policy.AcceptedPayment(scheme="x402.exact", payload={"x402Version": 2, "requirement": REQUIREMENT})
DEMAND = policy.PaymentRequired(message="Pay.", accepted_payments=(OFFER,))
WALLET = {"x402Version": 2, "accepted": REQUIREMENT, "payload": {"signature": "0x1", "authorization": AUTHORIZATION}}


def paid(session):
    """What becomes of the payment that a client sends in its header, when it goes on with a session."""
    to = question()
    issued = policy.issue(DEMAND, to=to, now=NOW, entropy=bytes(32))
    answer = rest.reply(NormalizedResponse.to(to, issued.part), to=to, **FACTS).response
    assert answer.header("payment-required")
    demanded = response_in(rest.result(answer, to=message()))
    assert demanded.extra["rest"]["session"] == "s1"
    again = rest.call(
        message(),
        url="https://agents.example/helper",
        session=session,
        context=rest.CallContext(receipt=policy.x402_submission(WALLET)),
        entropy=bytes(32),
    )
    got = drive(rest.receive(again, recipient=HELPER, **FACTS), Answers())
    store = dict.fromkeys(issued.record.keys, issued.record)
    shown = policy.PaymentStatus(transaction="0x1")

    def known(ask):
        if isinstance(ask, policy.FindIssuance):
            return store.get(ask.key)
        return shown if isinstance(ask, policy.CheckPayment) else True

    return drive(policy.accept(got.candidate, message=got.message, now=NOW), known)


def test_a_payment_in_the_session_of_its_demand_is_accepted():
    assert paid("s1").resolution.kind == "payment_required"


def test_a_payment_in_another_session_finds_no_demand():
    outcome = paid("s2")
    assert isinstance(outcome, Rejected)
    assert outcome.code == "state-unknown"
