from datetime import timedelta

import pytest

from mentionable import Settings, UsageError, decode_trusted, encode, policy, replace
from mentionable.policy import AcceptedPayment
from tests.policy.demands import ENTROPY, EXACT, INVOICE, NOW, OFFERED, OTHER, SCOPE, TURN, consent, issued, payment


def test_the_state_is_in_the_part_and_its_hash_in_the_record():
    made = issued()
    assert len(made.part.state) == 43
    assert made.part.state == policy.new_state(to=TURN, entropy=ENTROPY)
    assert made.part.state not in repr(made.record) + str(encode(made.record))
    assert made.record.key == policy.key_of(made.part.state)


def test_the_same_inputs_give_the_same_state_and_others_another():
    states = {
        issued(**more).part.state
        for more in (
            {},
            {},
            {"entropy": OTHER},
            {"turn": replace(TURN, id="m2")},
            {"turn": replace(TURN, recipient="@x@b.example")},
        )
    }
    assert len(states) == 4


def test_the_record_says_all_that_binds():
    record = issued(subject="account-7").record
    assert (record.kind, record.agent, record.threads) == ("payment_required", "@helper@agents.example", ("t1",))
    assert (record.principal, record.principal_verified, record.message_id) == ("@alice@a.example", True, "m1")
    assert (record.issued_at, record.expires_at) == ("2026-11-21T20:56:00Z", "2026-11-21T21:06:00Z")
    assert (record.subject, record.scope_hash, record.aliases) == ("account-7", None, ())
    assert [(offer.scheme, offer.payload) for offer in record.offers] == [("ln.bolt11", INVOICE)]
    assert record.keys == (record.key,)


def test_the_record_survives_your_store():
    for made in (issued(), issued(consent())):
        assert decode_trusted(policy.Issuance, encode(made.record)) == made.record


def test_a_consent_is_known_by_the_hash_of_its_scope():
    record = issued(consent()).record
    assert (record.scope_hash, record.offers) == (policy.scope_hash(SCOPE), ())
    assert record.expires_at == "2026-11-21T21:11:00Z"


def test_an_a2a_question_may_be_completed_in_the_task_of_its_answer():
    record = issued(turn=replace(TURN, received_via="a2a")).record
    assert record.threads[0] == "t1"
    assert len(record.threads) == 2


def test_payments_by_x402_are_found_by_task_too():
    offer = AcceptedPayment(scheme="x402.exact", payload=OFFERED)
    record = issued(payment(offer), turn=replace(TURN, received_via="a2a")).record
    assert len(record.aliases) == 2
    assert record.keys == (record.key, *record.aliases)


def test_the_lifetime_is_up_to_an_hour():
    assert issued(lifetime=timedelta(hours=1)).record.expires_at == "2026-11-21T21:56:00Z"
    for lifetime in (timedelta(0), timedelta(seconds=-1), timedelta(hours=1, microseconds=1)):
        with pytest.raises(UsageError, match="lifetime"):
            issued(lifetime=lifetime)


def test_people_come_back_to_your_host_or_to_a_callback_that_is_listed():
    callback = "https://connector.example/back?x=1"
    assert issued(consent(return_to=callback), callbacks=(callback,)).record.kind == "consent_required"
    for listed in ((), ("https://connector.example/back",), (callback + "&y=2",)):
        with pytest.raises(UsageError, match="return_to"):
            issued(consent(return_to=callback), callbacks=listed)


def test_urls_lead_to_your_host_or_to_one_that_is_configured():
    demand = payment(url="https://pay.example/7")
    with pytest.raises(UsageError, match="/url: its host is not that of the agent"):
        issued(demand)
    assert issued(demand, settings=Settings(policy_hosts=("pay.example",))).part.url == "https://pay.example/7"


def numbered(amount):
    return {**OFFERED, "requirement": {**EXACT, "maxAmountRequired": amount}}


@pytest.mark.parametrize(
    ("demand", "more", "words"),
    [
        (policy.Forbidden(message="no"), {}, "only a PaymentRequired"),
        (payment(state="x" * 43), {}, "new_state"),
        (payment(), {"scope": SCOPE}, "consent: a payment has no terms"),
        (payment(), {"callbacks": ("https://c.example/",)}, "consent: a payment has no terms"),
        (payment(AcceptedPayment(scheme="x402.exact", payload=EXACT)), {}, "wants {x402Version"),
        (payment(AcceptedPayment(scheme="x402.exact", payload=numbered(10_000))), {}, "amounts as text"),
        (consent(entropy=OTHER), {}, "new_state"),
        (consent(), {"scope": None}, "name what consent"),
        (consent(), {"scope": [2**53]}, "no canonical form"),
        (consent(return_to="https://a.example/"), {"callbacks": "https://a.example/back"}, "callbacks is"),
        (payment(), {"turn": "m1"}, "to must be"),
        (payment(), {"entropy": bytes(31)}, "entropy"),
        (payment(), {"now": NOW.replace(tzinfo=None)}, "aware"),
    ],
)
def test_what_may_not_be_issued(demand, more, words):
    with pytest.raises(UsageError, match=words):
        issued(demand, **more)
