"""Turns that lose their lane, break off or hang; and the alerts that waited for them."""

import pytest

from mentionable import UsageError, anp
from tests.anp.events import LATER, NOW, OLIVIA, at, kinds, submission, the
from tests.anp.turns import (
    AUTONOMOUS,
    DIRECT,
    LANE,
    MEDIATED,
    PASSIVE,
    PER_SESSION,
    PILL,
    SESSION_AUTONOMOUS,
    SESSION_MEDIATED,
    Host,
    code,
    ends,
    every,
    refusals,
    shown,
)


@pytest.fixture
def host() -> Host:
    return Host()


# Turns that lost the lane


def test_a_turn_ends_once(host):
    host.add("m1", MEDIATED)
    turn = host.begin("m1")
    host.end(turn, "It failed.")
    assert code(host.ended(turn, "It failed.")) == "stale-turn"
    assert code(anp.fail_turn(host.lane(), "t1", events=host.events, now=NOW)) == "stale-turn"
    assert code(anp.act(host.lane(), turn, "rm", None, events=host.events, now=NOW)) == "stale-turn"


def test_a_turn_that_another_followed_counts_no_more(host):
    host.add("a1", AUTONOMOUS)
    old = host.begin("a1")
    host.tick(at(300))
    host.begin(id="t2", now=at(300))
    for outcome in (
        host.ended(old, "Late.", "a1", now=at(300)),
        anp.act(host.lane(), old, "rm", None, events=host.events, now=at(300)),
        anp.fail_turn(host.lane(), "t1", events=host.events, now=at(300)),
    ):
        assert code(outcome) == "stale-turn"
        assert not outcome.temporary
    assert host.lane().turn.id == "t2"


def test_of_an_end_and_a_time_out_at_once_one_is_stored(host):
    host.add("m1", MEDIATED)
    turn = host.begin("m1")
    said = host.ended(turn, "It failed.", now=at(300))
    taken = anp.lane_tick(host.lane(), events=host.events, now=at(300))
    assert host.ledger.commit(taken)
    assert not host.ledger.commit(said)
    assert (host.event("m1").status, host.ledger.get("n-t1")) == ("escalated", None)


def test_of_an_end_and_the_watchdog_at_once_one_is_stored(host):
    host.add("m1", MEDIATED)
    turn = host.begin("m1")
    said = host.ended(turn, "It failed.", now=LATER)
    host.decide("m1", anp.Tick(), now=LATER)
    assert not host.ledger.commit(said)
    assert refusals(host.end(turn, "It failed.", now=LATER)) == [("m1", "stale-lease")]


def test_a_late_answer_before_the_watchdog_has_looked_still_counts(host):
    host.add("m1", MEDIATED)
    turn = host.begin("m1")
    host.end(turn, "It failed.", now=at(299))
    assert host.event("m1").outcome == "narrated"


def test_a_turn_ends_in_its_own_lane(host):
    turn = host.begin()
    with pytest.raises(UsageError, match="runs in the lane user:olivia, not user:alex"):
        anp.commit_turn(anp.Lane(id="user:alex"), turn, events={}, now=NOW)
    with pytest.raises(UsageError, match="runs in the lane user:olivia, not user:alex"):
        anp.act(anp.Lane(id="user:alex"), turn, "rm", None, events={}, now=NOW)


# The alerts that waited


@pytest.mark.parametrize("how", ["end", "fail", "tick"])
def test_alerts_go_out_when_the_turn_ends_first_in_first_out_in_the_same_step(host, how):
    turn = host.begin(session_id="s1")
    for id, route in (("d2", DIRECT), ("d1", PILL), ("d3", DIRECT)):
        host.add(id, route)
    step = {"end": lambda: host.end(turn), "fail": lambda: host.fail(turn), "tick": lambda: host.tick(at(300))}[how]()
    assert shown(step) == ["d2", "d1", "d3"]
    assert ends(step) == dict.fromkeys(("d2", "d1", "d3"), ("pending", "dispatched"))
    assert step.lane == anp.Lane(id=LANE, version=step.expected + 1)
    assert [one.id for one in every(anp.Present, host.ledger.outbox)] == ["d2", "d1", "d3"]


def test_a_step_that_lets_alerts_go_is_stored_before_any_later_turn(host):
    turn = host.begin()
    host.add("d1", DIRECT)
    later = host.tried(id="t2")
    assert code(later) == "lane-busy"
    host.end(turn)
    assert host.event("d1").status == "dispatched"
    host.begin(id="t2")


def test_an_alert_that_comes_while_a_turn_ends_is_not_forgotten(host):
    turn = host.begin()
    host.submit("d1", DIRECT)
    waits = anp.dispatch(host.lane(), host.event("d1"), now=NOW)
    host.end(turn)
    assert not host.ledger.commit(waits)
    assert shown(host.dispatch("d1")) == ["d1"]
    second = host.begin(id="t2")
    host.submit("d2", DIRECT)
    ended = host.ended(second)
    host.dispatch("d2")
    assert not host.ledger.commit(ended)
    assert shown(host.end(second)) == ["d2"]


def test_what_the_agent_said_comes_before_the_alerts_that_waited(host):
    host.add("m1", MEDIATED)
    turn = host.begin("m1")
    host.add("d1", DIRECT)
    assert shown(host.end(turn, "It failed.")) == ["n-t1", "d1"]


def test_what_went_to_the_system_comes_before_the_alerts_that_waited(host):
    host.add("m1", MEDIATED)
    turn = host.begin("m1")
    host.add("d1", DIRECT)
    assert shown(host.end(turn)) == ["m1", "d1"]


def test_what_escalates_does_not_wait_for_the_turn(host):
    host.add("m1", MEDIATED)
    turn = host.begin("m1")
    host.add("d1", DIRECT)
    taken = host.decide("m1", anp.Tick(), now=LATER)
    assert kinds(taken.effects)[:3] == ["fence_turn", "settled", "present"]
    assert the(anp.FenceTurn, taken).lease == 1
    assert shown(host.end(turn, now=LATER)) == ["d1"]


def test_an_alert_that_went_out_meanwhile_is_refused_and_holds_up_nothing(host):
    turn = host.begin()
    host.add("d1", DIRECT)
    host.add("d2", DIRECT)
    host.decide("d1", anp.Route())
    step = host.end(turn)
    assert (refusals(step), shown(step)) == ([("d1", "transition-refused")], ["d2"])


def test_an_alert_whose_session_ended_goes_to_the_inbox(host):
    turn = host.begin(session_id="s1")
    host.add("d1", PILL)
    step = host.end(turn, facts={"d1": anp.Facts(session_exists=False, lane_busy=True)})
    assert kinds(step.all_effects) == ["address_demoted", "present", "agent_aware"]
    assert every(anp.Present, step.all_effects)[0].channel == "inbox"


def test_an_event_that_waits_must_be_given(host):
    turn = host.begin()
    host.add("d1", DIRECT)
    for end in (
        lambda: anp.commit_turn(host.lane(), turn, events={}, now=NOW),
        lambda: anp.fail_turn(host.lane(), "t1", events={}, now=NOW),
        lambda: anp.lane_tick(host.lane(), events={}, now=at(300)),
    ):
        with pytest.raises(UsageError, match="events must hold d1"):
            end()


def test_an_event_of_the_turn_must_be_given(host):
    host.add("m1", MEDIATED)
    host.add("f1", PASSIVE)
    turn = host.begin("m1")
    with pytest.raises(UsageError, match="events must hold m1"):
        anp.commit_turn(host.lane(), turn, events={}, now=NOW)
    with pytest.raises(UsageError, match="events must hold f1"):
        anp.commit_turn(host.lane(), turn, events={"m1": host.event("m1")}, now=NOW, output="A", narration_id="n")
    with pytest.raises(UsageError, match="events must hold m1"):
        anp.act(host.lane(), turn, "rm", None, events={}, now=NOW)


# Turns that break off, and turns whose time is over


@pytest.mark.parametrize("route", [MEDIATED, AUTONOMOUS, SESSION_MEDIATED, SESSION_AUTONOMOUS], ids=" ".join)
def test_the_event_of_a_turn_that_broke_off_goes_to_the_system_and_the_others_stay(host, route):
    session = "s1" if route[0] == "session" else None
    host.add("e1", route)
    host.add("a2", AUTONOMOUS)
    step = host.fail(host.begin("e1", session_id=session))
    event = host.event("e1")
    assert (event.status, event.escalation, event.owner_lease) == ("escalated", "failed", 2)
    assert every(anp.Present, step.all_effects)[0].channel == ("chat" if session else "inbox")
    assert (host.event("a2").status, host.lane().turn, step.stopped) == ("dispatched", None, None)


def test_a_claimed_event_of_a_turn_that_broke_off_goes_to_the_system(host):
    host.add("m1", MEDIATED)
    host.decide("m1", anp.Claim(lease=1, holder="w1"))
    step = host.fail(host.begin("m1", holder="w1"))
    assert ends(step) == {"m1": ("locked", "locked", "escalated")}


def test_what_another_worker_has_claimed_since_does_not_go_to_the_system(host):
    host.add("m1", MEDIATED)
    turn = host.begin("m1", holder="w1")
    host.decide("m1", anp.Claim(lease=1, holder="w2"))
    assert refusals(host.fail(turn)) == [("m1", "wrong-holder")]
    assert host.event("m1").status == "locked"


@pytest.mark.parametrize("how", ["fail", "tick"])
def test_a_turn_that_failed_settles_no_newer_words(host, how):
    key = {"deduplication_key": "backup"}
    host.add("m1", MEDIATED, **key)
    turn = host.begin("m1")
    host.decide("m1", anp.Submit(submission=submission(*MEDIATED, **key), id="m2"), now=at(250))
    step = host.fail(turn) if how == "fail" else host.tick(at(300))
    assert refusals(step) == [("m1", "stale-revision")]
    assert (host.event("m1").status, host.lane().turn) == ("dispatched", None)


@pytest.mark.parametrize("how", ["fail", "tick"])
def test_a_turn_whose_event_is_forgotten_frees_the_lane(host, how):
    host.add("m1", MEDIATED)
    turn = host.begin("m1")
    step = host.fail(turn, events={}) if how == "fail" else host.tick(at(300), events={})
    assert (step.lane.turn, step.decisions, step.refused) == (None, (), ())


def test_a_conversation_that_broke_off_escalates_nothing(host):
    host.add("m1", MEDIATED)
    step = host.fail(host.begin())
    assert (step.decisions, host.event("m1").status) == ((), "dispatched")


def test_what_was_taken_over_before_the_turn_broke_off_is_not_taken_again(host):
    host.add("m1", MEDIATED)
    turn = host.begin("m1")
    host.decide("m1", anp.Tick(), now=LATER)
    step = host.fail(turn, now=LATER)
    assert (refusals(step), host.event("m1").owner_lease) == ([("m1", "stale-lease")], 2)


def test_an_event_that_was_delivered_meanwhile_stays_as_it_is(host):
    host.add("m1", MEDIATED)
    turn = host.begin("m1")
    host.decide("m1", anp.Tick(), now=LATER)
    host.decide("m1", anp.ClientAck(lease=2, user_id=OLIVIA), now=LATER)
    before = host.event("m1")
    assert refusals(host.end(turn, "It failed.", "m1", now=LATER)) == [("m1", "already-terminal")]
    assert host.event("m1") == before


def test_only_the_turn_that_has_the_lane_breaks_off(host):
    assert code(anp.fail_turn(host.lane(), "t1", events={}, now=NOW)) == "stale-turn"
    host.begin(id="t2")
    assert code(anp.fail_turn(host.lane(), "t1", events={}, now=NOW)) == "stale-turn"


def test_where_the_user_is_gone_a_turn_that_broke_off_ends_its_event(host):
    host.add("m1", MEDIATED)
    step = host.fail(host.begin("m1"), facts={"m1": anp.Facts(user_exists=False)})
    assert (host.event("m1").status, shown(step)) == ("failed", [])


def test_before_its_time_is_over_a_turn_keeps_the_lane(host):
    host.add("m1", MEDIATED)
    host.begin("m1")
    before = host.lane()
    step = host.tick(at(299.999))
    assert step == anp.LaneStep(lane=before, expected=before.version)
    assert host.lane() == before


def test_a_lane_without_a_turn_has_no_time_out(host):
    assert host.tick(at(10**6)) == anp.LaneStep(lane=anp.Lane(id=LANE), expected=0)


@pytest.mark.parametrize("seconds", [300, 300.001, 10**6])
def test_when_its_time_is_over_a_turn_loses_the_lane_and_its_event(host, seconds):
    host.add("m1", MEDIATED)
    host.add("m2", MEDIATED)
    turn = host.begin("m1")
    step = host.tick(at(seconds))
    assert (step.stopped, step.lane.turn, step.lane.version) == ("t1", None, 2)
    assert (host.event("m1").escalation, host.event("m2").status) == ("failed", "dispatched")
    assert code(host.ended(turn, "Late.", now=at(seconds))) == "stale-turn"
    assert host.begin(id="t2", now=at(seconds)).id == "t2"


def test_a_hung_turn_in_one_session_holds_up_no_other():
    host = Host(PER_SESSION)
    host.add("m1", SESSION_MEDIATED)
    host.begin("m1", session_id="s1")
    host.begin(id="t2", session_id="s2", now=at(250))
    for lane, stopped in (("session:olivia:s1", "t1"), ("session:olivia:s2", None)):
        assert host.tick(at(301), lane).stopped == stopped


# Wrong arguments


@pytest.mark.parametrize("wrong", [{"lane": None}, {"now": NOW.replace(tzinfo=None)}, {"now": None}], ids=str)
def test_wrong_arguments_of_a_time_out_are_the_fault_of_the_program(host, wrong):
    host.add("m1", MEDIATED)
    host.begin("m1")
    given = {"lane": host.lane(), "events": host.events, "now": at(300), **wrong}
    lane = given.pop("lane")
    with pytest.raises(UsageError):
        anp.lane_tick(lane, **given)
    with pytest.raises(UsageError):
        anp.fail_turn(lane, "t1", **given)
