import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mentionable import Failed, Rejected, UsageError, drive, policy, replace
from mentionable.policy._resume import _marks_of
from tests.policy.demands import (
    ASKED,
    ELSEWHERE,
    ENTROPY,
    EXACT,
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


def completed(made, world, *, turn=TURN, **members):
    """The message with which an adapter brings a receipt that it had verified."""
    found = drive(policy.accept(receipt(made), message=turn, now=NOW), world)
    return replace(policy.with_resolution(turn, found), **{"id": "m2", **members})


def resumed(message, world, *, now=NOW, entropy=ENTROPY, **more):
    return drive(policy.resume(message, now=now, entropy=entropy, **more), world)


def changed(message, **members):
    """The same message with another confirmation."""
    resolution = message.policy_resolution
    return replace(
        message, policy_resolution=replace(resolution, confirmation=replace(resolution.confirmation, **members))
    )


@pytest.mark.parametrize("demand", [payment(), consent()], ids=["payment", "consent"])
def test_a_completed_demand_is_resumed_once(demand):
    made = issued(demand)
    world = World(made)
    message = completed(made, world)
    found = resumed(message, world)
    assert (found.resolution, found.record) == (message.policy_resolution, made.record)
    assert resumed(message, world, entropy=OTHER).code == "already-consumed"


def test_the_same_try_taken_up_again_gets_the_same_answer():
    made = issued()
    world = World(made)
    message = completed(made, world)
    assert resumed(message, world) == resumed(message, world)


def test_the_state_stays_used_a_while_longer_than_it_holds():
    made = issued()
    world = World(made)
    resumed(completed(made, world), world)
    assert world.asked[-1].until == at(600 + 3600)


@pytest.mark.parametrize(
    ("change", "fault"),
    ELSEWHERE,
)
def test_a_resolution_elsewhere_is_counted_and_burns_nothing(change, fault):
    made = issued()
    world = World(made)
    message = completed(made, world)
    assert resumed(replace(message, **change), world).code == fault
    assert world.kinds()[-1] == "CountFailure"
    assert isinstance(resumed(message, world), policy.Resumed)


@pytest.mark.parametrize(
    ("change", "fault"),
    [({"scheme": "x"}, "scheme-not-offered"), ({"original_payload": {}}, "payload-mismatch")],
)
def test_a_payment_of_something_else(change, fault):
    made = issued()
    world = World(made)
    assert resumed(changed(completed(made, world), **change), world).code == fault


def test_a_consent_to_something_else_or_that_ended():
    made = issued(consent())
    world = World(made, granted=policy.ConsentStatus(expires_at="2026-11-21T20:57:00Z"))
    message = completed(made, world)
    assert resumed(changed(message, scope_hash="0" * 64), world).code == "scope-mismatch"
    assert resumed(message, world, now=at(60)).code == "consent-expired"
    assert isinstance(resumed(message, world, now=at(59)), policy.Resumed)


def test_a_resolution_of_the_other_kind():
    made = issued()
    world = World(made)
    message = completed(made, world)
    other = policy.ConsentConfirmation(scope_hash="0" * 64)
    resolution = replace(message.policy_resolution, kind="consent_required", confirmation=other)
    assert resumed(replace(message, policy_resolution=resolution), world).code == "kind-mismatch"


@pytest.mark.parametrize(("state", "fault"), [("short", "state-malformed"), ("a" * 43, "state-unknown")])
def test_a_state_that_was_never_issued(state, fault):
    made = issued()
    world = World(made)
    message = completed(made, world)
    message = replace(message, policy_resolution=replace(message.policy_resolution, in_reply_to_state=state))
    assert resumed(message, world).code == fault


def test_an_expired_state():
    made = issued()
    world = World(made)
    assert resumed(completed(made, world), world, now=at(600)).code == "state-expired"


def test_one_transaction_counts_for_one_demand():
    first, second = issued(), issued(entropy=OTHER)
    world = World(first, second, paid=policy.PaymentStatus(transaction="0xAB", network="ln"))
    assert isinstance(resumed(completed(first, world), world), policy.Resumed)
    world.paid = policy.PaymentStatus(transaction="0xab", network="ln")
    assert resumed(completed(second, world), world).code == "transaction-reused"
    world.paid = policy.PaymentStatus(transaction="0xab", network="other")
    assert isinstance(resumed(completed(second, world), world), policy.Resumed)


SIGNED = {"transaction": None, "payer": "0xC", "extra": {"nonce": "0x1"}}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"scheme": "x402.exact", "network": "base"}, {"scheme": "x402.exact", "network": "eip155:8453"}),
        ({"scheme": "x402.exact", "network": "base"}, {"scheme": "x402.upto", "network": "base"}),
        ({"transaction": "0xAB"}, {"transaction": " 0Xab"}),
        ({"transaction": "0xAB"}, {"transaction": "ab"}),
        (SIGNED, {**SIGNED, "payer": "0Xc ", "network": "x"}),
    ],
    ids=range(5),
)
def test_one_payment_by_other_names_is_still_one(first, second):
    def marks(changes):
        made = {"scheme": "x402.exact", "network": "base", "transaction": "0xab", **changes}
        requirement = {**EXACT, "network": made["network"]}
        return set(_marks_of(policy.PaymentConfirmation(original_payload={"requirement": requirement}, **made)))

    assert marks(first) & marks(second)


def test_transactions_of_other_schemes_and_networks_are_others():
    def marks(**changes):
        made = {"scheme": "card", "network": None, "transaction": "1", **changes}
        return set(_marks_of(policy.PaymentConfirmation(original_payload={}, **made)))

    assert len(marks() | marks(scheme="bank") | marks(network="x") | marks(transaction="2")) == 4
    assert marks(scheme="x402.exact", network="x") != marks(scheme="x402.exact", network="y")


def test_one_signed_authorization_counts_for_one_demand():
    offer = policy.AcceptedPayment(scheme="x402.exact", payload=OFFERED)
    first = issued(payment(offer), turn=ASKED)
    second = issued(payment(offer), turn=replace(ASKED, thread_id="t2"), entropy=OTHER)
    world = World(first, second)
    codes = []
    for thread in ("t1", "t2"):
        turn = replace(TURN, thread_id=thread)
        paid = policy.Candidate(kind="payment_required", task_id=thread, scheme="x402.exact", receipt=x402_payload())
        found = drive(policy.accept(paid, message=turn, now=NOW), world)
        codes.append(getattr(resumed(policy.with_resolution(turn, found), world), "code", None))
    assert codes == [None, "transaction-reused"]


def test_state_and_task_lead_to_one_demand_that_counts_once():
    made = issued(payment(policy.AcceptedPayment(scheme="x402.exact", payload=OFFERED)), turn=ASKED)
    world = World(made)
    assert isinstance(resumed(completed(made, world), world), policy.Resumed)
    paid = policy.Candidate(kind="payment_required", task_id="t1", scheme="x402.exact", receipt=x402_payload())
    found = drive(policy.accept(paid, message=TURN, now=NOW), world)
    assert resumed(policy.with_resolution(TURN, found), world, entropy=OTHER).code == "already-consumed"


def test_a_store_that_cannot_answer_resumes_nothing():
    made = issued()
    world = World(made)
    message = completed(made, world)
    for failing in ("FindIssuance", "UseOnce"):

        def answer(ask, failing=failing):
            return Failed("down") if type(ask).__name__ == failing else world(ask)

        no = resumed(message, answer)
        assert (no.code, no.temporary) == ("lookup-failed", True)


def test_nothing_to_resume_is_a_fault_of_the_program():
    with pytest.raises(UsageError, match="nothing to resume"):
        policy.resume(TURN, now=NOW, entropy=ENTROPY)
    with pytest.raises(UsageError, match="message must be"):
        policy.resume("m1", now=NOW, entropy=ENTROPY)


# One demand, and everything that people may try with it, all at once and in any order.
TRIES = st.lists(
    st.tuples(
        st.sampled_from(["m2", "m2", "m3"]),  # redelivered, or another message with the same receipt
        st.sampled_from([{}, {}, {"thread_id": "t2"}, {"recipient": "@other@agents.example"}]),
        st.sampled_from([0, 0, 599, 600, 10_000]),
        st.integers(0, 255),
    ),
    max_size=12,
)


@pytest.mark.uncounted
@settings(max_examples=200)
@given(TRIES, st.randoms(use_true_random=False), st.booleans())
def test_whatever_is_tried_at_once_a_state_acts_at_most_once(tries, random, is_paid_twice):
    made = issued()
    world = World(made, paid=policy.PaymentStatus(transaction="tx") if is_paid_twice else policy.PaymentStatus())
    message = completed(made, world)
    running = []
    for number, (message_id, change, seconds, salt) in enumerate(tries):
        entropy = bytes([number, salt]) + bytes(30)
        flow = policy.resume(replace(message, id=message_id, **change), now=at(seconds), entropy=entropy)
        running.append([flow, None])
    acted = []
    while running:
        step = running[random.randrange(len(running))]  # each ask is a moment at which others may come in between
        flow, answers = step
        try:
            batch = next(flow) if answers is None else flow.send(answers)
            step[1] = tuple(world(ask) for ask in batch)
        except StopIteration as stop:
            running.remove(step)
            if not isinstance(stop.value, Rejected):
                acted.append(stop.value)
    assert len(acted) <= 1
    honest = any(not change and seconds < 600 for _, change, seconds, _ in tries)
    wrong = sum(bool(change) and seconds < 600 for _, change, seconds, _ in tries)
    if honest and not wrong:
        assert len(acted) == 1
