import pytest

from mentionable import Failed, Rejected, UsageError, drive, policy, replace
from tests.policy.demands import (
    ASKED,
    ELSEWHERE,
    INVOICE,
    NOW,
    OFFERED,
    OTHER,
    TURN,
    World,
    at,
    consent,
    issued,
    payment,
    receipt,
    x402_payload,
)

X402 = payment(policy.AcceptedPayment(scheme="x402.exact", payload=OFFERED))


def accepted(made, candidate, world, *, message=TURN, now=NOW, **more):
    return drive(policy.accept(candidate, message=message, now=now, **more), world)


def code(made, candidate, world=None, **more):
    no = accepted(made, candidate, world or World(made), **more)
    assert isinstance(no, Rejected)
    return no.code


def by_x402(made, **changes):
    return policy.Candidate(kind="payment_required", task_id="t1", scheme="x402.exact", receipt=x402_payload(**changes))


def test_a_payment_that_was_made_is_accepted_and_nothing_is_consumed():
    made = issued()
    world = World(made, paid=policy.PaymentStatus(verified_by="ledger", transaction="tx1", payer="alice", network="ln"))
    found = accepted(made, receipt(made), world)
    resolution = found.resolution
    assert (resolution.in_reply_to_state, resolution.kind, resolution.verified_by) == (
        made.part.state,
        "payment_required",
        "ledger",
    )
    said = resolution.confirmation
    assert (said.scheme, said.original_payload, said.transaction, said.payer, said.network) == (
        "ln.bolt11",
        INVOICE,
        "tx1",
        "alice",
        "ln",
    )
    assert found.record == made.record
    assert world.kinds() == ["FindIssuance", "CheckPayment"]


def test_what_the_payer_says_beside_is_not_repeated():
    made = issued()
    found = accepted(made, receipt(made, payer="mallory", receipt={"transaction": "mine"}), World(made))
    assert (found.resolution.confirmation.payer, found.resolution.confirmation.transaction) == (None, None)


def test_your_verifier_sees_the_offer_and_what_came():
    made = issued()
    world = World(made)
    accepted(made, receipt(made, receipt={"transaction": "tx"}), world)
    ask = world.asked[-1]
    assert (ask.key, ask.scheme, ask.offer, ask.receipt) == (
        made.record.key,
        "ln.bolt11",
        INVOICE,
        {"transaction": "tx"},
    )
    assert hash(ask) == hash(replace(ask))


def test_a_consent_that_was_given_is_accepted():
    made = issued(consent())
    found = accepted(made, receipt(made), World(made, granted=policy.ConsentStatus(expires_at="2027-01-01T00:00:00Z")))
    said = found.resolution.confirmation
    assert (said.scope_hash, said.expires_at) == (made.record.scope_hash, "2027-01-01T00:00:00Z")


@pytest.mark.parametrize(
    ("granted", "fault"),
    [
        (None, "consent-unverified"),
        (Failed("down"), "lookup-failed"),
        (policy.ConsentStatus(expires_at="2026-11-21T20:56:00Z"), "consent-expired"),
    ],
)
def test_a_consent_that_does_not_hold(granted, fault):
    made = issued(consent())
    assert code(made, receipt(made), World(made, granted=granted)) == fault


@pytest.mark.parametrize(
    ("paid", "fault"),
    [
        (None, "payment-unverified"),
        (Failed("down"), "lookup-failed"),
        (policy.PaymentStatus(payer="bob"), "payer-mismatch"),
    ],
)
def test_a_payment_that_was_not_made(paid, fault):
    made = issued()
    assert code(made, receipt(made, payer="alice"), World(made, paid=paid)) == fault


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"state": "short"}, "state-malformed"),
        ({"state": "a" * 43}, "state-unknown"),
        ({"kind": "consent_required", "scope_hash": "0" * 64}, "kind-mismatch"),
        ({"scheme": "stripe.checkout"}, "scheme-not-offered"),
        ({"original_payload": {}}, "payload-mismatch"),
    ],
)
def test_a_receipt_for_something_else(change, fault):
    made = issued()
    assert code(made, receipt(made, **change)) == fault


def test_a_consent_to_another_scope():
    made = issued(consent())
    assert code(made, receipt(made, scope_hash=policy.scope_hash("calendar.read"))) == "scope-mismatch"


@pytest.mark.parametrize(
    ("change", "fault"),
    ELSEWHERE,
)
def test_a_receipt_from_elsewhere_is_counted_and_burns_nothing(change, fault):
    made = issued()
    world = World(made)
    assert code(made, receipt(made), world, message=replace(TURN, **change)) == fault
    assert world.kinds() == ["FindIssuance", "CountFailure"]
    assert isinstance(accepted(made, receipt(made), world), policy.Accepted)


def test_whoever_was_not_verified_then_need_not_be_verified_now():
    nobody = replace(TURN, sender=replace(TURN.sender, auth_method="none", verified=False))
    made = issued(turn=nobody)
    assert isinstance(accepted(made, receipt(made), World(made), message=TURN), policy.Accepted)


def test_a_demand_to_an_account_is_completed_by_that_account():
    made = issued(subject="account-7")
    for subject in (None, "account-8"):
        assert code(made, receipt(made), subject=subject) == "subject-mismatch"
    assert isinstance(accepted(made, receipt(made), World(made), subject="account-7"), policy.Accepted)


def test_three_wrong_receipts_make_a_state_void():
    made = issued()
    world = World(made)
    for _ in range(3):
        assert code(made, receipt(made, original_payload={}), world) == "payload-mismatch"
    assert code(made, receipt(made), world) == "state-void"


def test_a_state_has_its_time():
    made = issued()
    assert isinstance(accepted(made, receipt(made), World(made), now=at(599.999)), policy.Accepted)
    assert code(made, receipt(made), now=at(600)) == "state-expired"


def test_a_state_that_your_store_calls_consumed():
    made = issued()
    used = replace(made, record=replace(made.record, consumed=True))
    assert code(made, receipt(made), World(used)) == "already-consumed"


def test_a_store_that_cannot_answer_or_answers_something_else():
    made = issued()
    assert code(made, receipt(made), lambda ask: Failed("down")) == "lookup-failed"
    assert code(made, receipt(made), lambda ask: issued(entropy=OTHER).record) == "state-unknown"


def test_a_payment_without_an_echo_is_of_the_only_offer_of_its_scheme():
    made = issued()
    found = accepted(made, receipt(made, original_payload=None), World(made))
    assert found.resolution.confirmation.original_payload == INVOICE
    two = [policy.AcceptedPayment(scheme="ln.bolt11", payload={"invoice": n}) for n in "ab"]
    made = issued(payment(*two))
    assert code(made, receipt(made, original_payload=None)) == "payload-mismatch"
    assert code(made, receipt(made, original_payload=None, scheme="x")) == "scheme-not-offered"


def test_a_payment_by_x402_names_its_task_alone():
    made = issued(X402, turn=ASKED)
    world = World(made, paid=policy.PaymentStatus(payer="0x" + "C" * 40))
    found = accepted(made, by_x402(made), world)
    said = found.resolution.confirmation
    assert (said.scheme, said.original_payload, said.network) == ("x402.exact", OFFERED, "base")
    assert said.extra == {"nonce": "0x" + "1" * 64}
    assert policy.key_of(found.resolution.in_reply_to_state) in made.record.aliases


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"value": "1"}, "payload-mismatch"),
        ({"to": "0x" + "d" * 40}, "payload-mismatch"),
        ({"value": 10000}, "receipt-malformed"),
    ],
)
def test_a_payment_by_x402_of_something_else(change, fault):
    made = issued(X402, turn=ASKED)
    assert code(made, by_x402(made, **change)) == fault


def test_only_questions_over_a2a_are_found_by_their_task():
    made = issued(X402)
    assert made.record.aliases == ()
    assert code(made, by_x402(made)) == "state-unknown"


def test_who_knows_the_task_has_no_state_by_that():
    made = issued(X402, turn=ASKED)
    found = accepted(made, by_x402(made), World(made))
    known = found.resolution.in_reply_to_state
    assert code(made, receipt(made, state=known)) == "state-unknown"
    assert code(made, receipt(made, state=known), message=None) == "state-unknown"


def with_payment(made, payload):
    """A receipt that names the state and echoes the offer, and is a payment by x402 too."""
    return receipt(made, receipt={"scheme": "x402.exact", "original_payload": OFFERED, **payload})


def test_a_payment_by_x402_is_compared_whichever_way_it_comes():
    made = issued(X402, turn=ASKED)
    found = accepted(made, with_payment(made, x402_payload()), World(made))
    assert found.resolution.confirmation.extra == {"nonce": "0x" + "1" * 64}
    assert code(made, with_payment(made, x402_payload(value="1"))) == "payload-mismatch"
    assert code(made, with_payment(made, {"x402Version": 3})) == "receipt-malformed"
    assert code(made, with_payment(made, {"payload": {}})) == "receipt-malformed"
    world = World(made)
    accepted(made, receipt(made, receipt={"transaction": "0x7"}), world)
    assert world.asked[-1].payment is None


def test_your_verifier_sees_the_payment_that_was_read():
    made = issued(X402, turn=ASKED)
    world = World(made)
    accepted(made, by_x402(made), world)
    assert (world.asked[-1].payment.payer, world.asked[-1].payment.payload) == ("0x" + "c" * 40, x402_payload())


def test_the_offer_is_yours_as_you_stored_it():
    made = issued(payment(policy.AcceptedPayment(scheme="x", payload={"amount": 1})))
    world = World(made)
    found = accepted(made, receipt(made, original_payload={"amount": 1.0}), world)
    assert type(found.resolution.confirmation.original_payload["amount"]) is int


def test_offers_that_are_the_same_are_one():
    offer = policy.AcceptedPayment(scheme="x402.exact", payload=OFFERED)
    made = issued(payment(offer, replace(offer, label="Once more")), turn=ASKED)
    assert isinstance(accepted(made, by_x402(made), World(made)), policy.Accepted)


def test_a_store_may_leave_the_offers_out():
    made = issued()
    bare = replace(made, record=replace(made.record, offers=(replace(made.record.offers[0], payload=None),)))
    assert accepted(made, receipt(made), World(bare)).resolution.confirmation.original_payload == INVOICE
    assert code(made, receipt(made, original_payload=None), World(bare)) == "payload-mismatch"


def test_another_sender_in_the_same_task_takes_nobodys_place():
    mine = issued(X402, turn=ASKED)
    bob = replace(ASKED, id="m7", sender=replace(TURN.sender, address="@bob@a.example"))
    theirs = issued(X402, turn=bob, entropy=OTHER)
    world = World(mine, theirs)
    assert accepted(mine, by_x402(mine), world).record == mine.record
    assert accepted(theirs, by_x402(theirs), world, message=bob).record == theirs.record
    assert code(mine, by_x402(mine), World(mine), message=bob) == "state-unknown"


def test_a_payment_by_x402_of_somebody_else():
    made = issued(X402, turn=ASKED)
    assert code(made, by_x402(made), World(made, paid=policy.PaymentStatus(payer="0x" + "d" * 40))) == "payer-mismatch"


def test_a_callback_has_no_message_and_goes_on_from_the_stored_turn():
    made = issued()
    found = accepted(made, receipt(made), World(made), message=None)
    turn = policy.next_turn(TURN, found, now=at(60), entropy=OTHER)
    assert (turn.policy_resolution, turn.in_reply_to, turn.parts) == (found.resolution, "m1", TURN.parts)
    assert (turn.sender, turn.thread_id, turn.received_at) == (TURN.sender, "t1", "2026-11-21T20:57:00Z")
    assert turn.id != "m1"
    with pytest.raises(UsageError, match="message_id"):
        policy.next_turn(replace(TURN, id="m2"), found, now=NOW, entropy=OTHER)


def test_a_message_gets_its_resolution():
    made = issued()
    found = accepted(made, receipt(made), World(made))
    assert policy.with_resolution(TURN, found).policy_resolution == found.resolution


def test_what_was_not_accepted_resolves_nothing():
    with pytest.raises(UsageError, match="not Rejected"):
        policy.with_resolution(TURN, Rejected(code="state-unknown"))
    with pytest.raises(UsageError, match="not Rejected"):
        policy.next_turn(TURN, Rejected(code="state-unknown"), now=NOW, entropy=OTHER)


def test_a_payment_of_version_1_beside_the_echo_names_the_scheme_as_the_offer_does():
    made = issued(X402, turn=ASKED)
    flat = {**x402_payload(), "scheme": "x402.exact", "original_payload": OFFERED}
    assert isinstance(accepted(made, receipt(made, receipt=flat), World(made)), policy.Accepted)


def test_arguments_of_the_wrong_kind():
    made = issued()
    for candidate, message, words in (
        ({}, TURN, "candidate"),
        (receipt(made), "m1", "message"),
    ):
        with pytest.raises(UsageError, match=words):
            policy.accept(candidate, message=message, now=NOW)
    with pytest.raises(UsageError, match="names a task"):
        accepted(made, by_x402(made), World(made), message=None)
