import pytest

from mentionable import (
    CarriedPolicy,
    NormalizedResponse,
    Settings,
    Streaming,
    TextPart,
    UsageError,
    drive,
    policy,
    replace,
)
from tests.policy.demands import ENTROPY, NOW, OTHER, TURN, World, consent, issued, payment, receipt

ACCEPTED = drive(policy.accept(receipt(issued()), message=TURN, now=NOW), World(issued()))
HELLO = TextPart(content="Hello")


def answer(*parts, **members):
    said = [CarriedPolicy(policy=part) if not isinstance(part, (TextPart, CarriedPolicy)) else part for part in parts]
    return NormalizedResponse(**{"reply_to": "m1", "parts": tuple(said), **members})


def places(response, message=TURN, **more):
    return [problem.at for problem in policy.check_response(message, response, **more)]


def test_an_answer_without_a_demand_is_fine():
    assert places(answer(HELLO)) == []
    assert policy.demand_of(answer(HELLO)) is policy.demand_of(answer()) is None


@pytest.mark.parametrize("demand", [payment(), consent()], ids=["payment", "consent"])
def test_a_demand_that_was_issued_is_fine(demand):
    made = issued(demand)
    response = answer(HELLO, made.part)
    assert places(response, record=made.record) == []
    assert policy.demand_of(response) == made.part


def test_other_demands_need_no_record():
    assert places(answer(policy.TooManyRequests(message="Slow."))) == []


def test_an_answer_to_another_message():
    assert places(answer(HELLO, reply_to="m2")) == ["/reply_to"]


def test_where_a_policy_stands():
    slow = policy.TooManyRequests(message="Slow.")
    assert places(answer(slow, HELLO)) == ["/parts/0"]
    assert places(answer(slow, slow)) == ["/parts/0"]
    frame = answer(slow, status="partial", streaming=Streaming(stream_id="s", seq=0, final=False))
    assert places(frame) == ["/parts/0"]


def test_where_a_policy_leads():
    away = policy.Forbidden(message="no", url="https://pay.example/")
    assert places(answer(HELLO, away)) == ["/parts/1/policy/url"]
    assert places(answer(away), settings=Settings(policy_hosts=("pay.example",))) == []


def test_a_demand_that_nobody_can_complete():
    made, other = issued(), issued(entropy=OTHER)
    assert places(answer(payment())) == ["/parts/0/policy/state"]
    assert places(answer(made.part)) == ["/parts/0/policy/state"]
    assert places(answer(made.part), record=other.record) == ["/parts/0/policy/state"]
    assert places(answer(made.part), record=replace(made.record, message_id="m9")) == ["/parts/0/policy/state"]
    assert places(answer(HELLO), record=made.record) == ["/parts"]


def test_a_completed_demand_is_consumed_before_anybody_acts():
    made = issued()
    world = World(made)
    accepted = drive(policy.accept(receipt(made), message=TURN, now=NOW), world)
    message = policy.with_resolution(TURN, accepted)
    resumed = drive(policy.resume(message, now=NOW, entropy=ENTROPY), world)
    assert places(answer(HELLO), message) == ["/policy_resolution"]
    assert places(answer(HELLO), message, resumed=resumed) == []
    assert places(answer(HELLO), resumed=resumed) == ["/policy_resolution"]
    again = issued(entropy=OTHER)
    assert places(answer(again.part), message, record=again.record) == []  # it demands again instead
    assert places(answer(status="error"), message) == []


def test_arguments_of_the_wrong_kind():
    with pytest.raises(UsageError, match=r"takes NormalizedMessage\(...\), not str"):
        policy.check_response("m1", answer())
    with pytest.raises(UsageError, match=r"takes NormalizedResponse\(...\), not dict"):
        policy.check_response(TURN, {})
    with pytest.raises(UsageError, match=r"takes Resumed\(...\), not Accepted"):
        policy.check_response(TURN, answer(), resumed=ACCEPTED)
    with pytest.raises(UsageError, match=r"takes Issuance\(...\), not str"):
        policy.check_response(TURN, answer(), record="r1")
