"""Lanes: one turn at a time, and the alerts of the system between turns."""

from datetime import UTC, datetime, timedelta

import pytest

from mentionable import UsageError, anp, decode_trusted, dumps
from mentionable.anp._lane import MAX_WAITING
from tests.anp.events import (
    ALL,
    IN_TWO_MINUTES,
    LATER,
    NO_SESSION,
    NOW,
    OF_AGENT,
    OLIVIA,
    at,
    claimed,
    decided,
    delivered,
    escalated,
    half_taken,
    kinds,
    routed,
    submitted,
)
from tests.anp.turns import (
    AUTONOMOUS,
    DIRECT,
    LANE,
    MEDIATED,
    PASSIVE,
    PER_SESSION,
    PILL,
    Host,
    code,
    every,
    refusals,
    shown,
)

ALL_DIRECT, ALL_PASSIVE = [DIRECT, PILL], [PASSIVE, ("session", "agent", "system")]
IN_FIVE_MINUTES = "2026-11-21T21:01:00Z"


def test_a_user_has_one_lane_by_default():
    assert anp.lane_id("olivia") == anp.lane_id("olivia", "s1") == "user:olivia"


def test_a_user_may_have_one_lane_for_each_session():
    assert anp.lane_id("olivia", "s1", rules=PER_SESSION) == "session:olivia:s1"
    assert anp.lane_id("olivia", "s2", rules=PER_SESSION) == "session:olivia:s2"
    assert anp.lane_id("olivia", rules=PER_SESSION) == "user:olivia"


def test_no_two_lanes_have_one_id():
    names = ["a", "b", "a:b", "b:a", "a%3Ab", ":", "", " a", "ä", "a/b", "session:a"]
    ids = {anp.lane_id(user, session, rules=PER_SESSION) for user in names for session in [None, *names]}
    assert len(ids) == len(names) * (len(names) + 1)


@pytest.mark.parametrize("given", [(None,), (1,), (b"a",), ("a", 1), ("a", []), ("\ud800",), ("a", "\udfff")], ids=repr)
def test_the_id_of_a_lane_is_made_of_texts(given):
    with pytest.raises(UsageError):
        anp.lane_id(*given, rules=PER_SESSION)


def test_an_event_has_the_lane_of_its_address_as_it_is_now():
    event = submitted(*PILL)
    gone = decided(event, anp.Route(), facts=NO_SESSION).record
    assert anp.lane_of(event) == anp.lane_of(gone) == LANE
    assert anp.lane_of(event, rules=PER_SESSION) == "session:olivia:s1"
    assert anp.lane_of(gone, rules=PER_SESSION) == LANE
    assert anp.lane_of(event, facts=NO_SESSION, rules=PER_SESSION) == LANE
    at_home = submitted(*DIRECT, session_id="s1")
    assert anp.lane_of(at_home, rules=PER_SESSION) == LANE


# What goes out, and what waits


@pytest.mark.parametrize("flags", ALL, ids=" ".join)
def test_in_a_free_lane_nothing_waits(flags):
    host = Host()
    host.submit("e1", flags)
    step = host.dispatch("e1")
    assert (host.event("e1").status, step.lane) == ("dispatched", anp.Lane(id=LANE))


@pytest.mark.parametrize("flags", ALL_DIRECT, ids=" ".join)
def test_an_alert_waits_while_a_turn_runs(flags):
    host = Host()
    host.begin()
    host.submit("d1", flags)
    step = host.dispatch("d1")
    assert kinds(step.all_effects) == ["queue"]
    assert host.event("d1").status == "pending"
    assert (step.lane.waiting, step.lane.version, step.expected) == (("d1",), 2, 1)


@pytest.mark.parametrize("flags", [*OF_AGENT, *ALL_PASSIVE], ids=" ".join)
def test_what_no_human_is_shown_never_waits(flags):
    host = Host()
    host.begin()
    host.add("e1", flags)
    assert (host.event("e1").status, host.lane().waiting) == ("dispatched", ())


def test_alerts_wait_in_the_order_in_which_they_came():
    host = Host()
    host.begin()
    for id in ("d3", "d1", "d2"):
        host.add(id, DIRECT)
    assert host.lane().waiting == ("d3", "d1", "d2")


def test_an_alert_that_is_dispatched_again_waits_once():
    host = Host()
    host.begin()
    host.add("d1", DIRECT)
    before = host.lane()
    step = host.dispatch("d1")
    assert kinds(step.all_effects) == ["queue"]
    assert host.lane() == before


def test_new_words_for_an_alert_that_waits_keep_its_place():
    host = Host()
    turn = host.begin()
    host.add("d1", DIRECT, deduplication_key="backup")
    host.add("d2", DIRECT)
    event = host.event("d1")
    again = anp.Submission(content="Twice.", user_id=OLIVIA, routing=event.routing, deduplication_key="backup")
    assert host.decide("d1", anp.Submit(submission=again, id="d3")).effects == ()
    ended = host.end(turn)
    assert [(one.id, one.content) for one in every(anp.Present, ended.all_effects)] == [
        ("d1", "Twice."),
        ("d2", "Event d2."),
    ]


def test_an_event_that_went_out_is_not_dispatched_twice():
    host = Host()
    host.add("d1", DIRECT)
    assert code(anp.dispatch(host.lane(), host.event("d1"), now=NOW)) == "transition-refused"


def test_the_facts_of_the_host_do_not_say_whether_a_lane_is_busy():
    host = Host()
    host.submit("d1", DIRECT)
    assert shown(host.dispatch("d1", lane_busy=True)) == ["d1"]
    host.begin()
    host.submit("d2", DIRECT)
    assert shown(host.dispatch("d2", lane_busy=False)) == []


def test_an_alert_whose_session_ended_waits_in_the_lane_where_it_came():
    host = Host()
    turn = host.begin(session_id="s1")
    host.submit("d1", PILL)
    step = host.dispatch("d1", session_exists=False)
    assert kinds(step.all_effects) == ["address_demoted", "queue"]
    assert host.event("d1").routing.address == "user"
    (present,) = every(anp.Present, host.end(turn).all_effects)
    assert (present.id, present.channel) == ("d1", "inbox")


def test_an_alert_whose_session_ended_waits_in_the_lane_of_the_user():
    host = Host(PER_SESSION)
    turn = host.begin()
    host.submit("d1", PILL)
    step = host.dispatch("d1", lane=LANE, session_exists=False)
    assert (kinds(step.all_effects), step.lane.waiting) == (["address_demoted", "queue"], ("d1",))
    host.submit("d2", PILL)
    with pytest.raises(UsageError, match="belongs into the lane user:olivia"):
        host.dispatch("d2", session_exists=False)
    assert shown(host.end(turn)) == ["d1"]


def test_an_event_of_too_long_a_chain_waits_like_an_alert():
    host = Host()
    turn = host.begin()
    host.submit("m1", MEDIATED, depth=3)
    assert kinds(host.dispatch("m1").all_effects) == ["turn_withheld", "queue"]
    assert shown(host.end(turn)) == ["m1"]


def test_a_lane_holds_so_many_alerts_and_no_more():
    lane = anp.Lane(id=LANE, version=1, turn=anp.RunningTurn(id="t1", deadline=IN_FIVE_MINUTES))
    ids = tuple(f"d{at}" for at in range(MAX_WAITING - 1))
    lane = anp.Lane(id=LANE, version=1, turn=lane.turn, waiting=ids)
    step = anp.dispatch(lane, submitted(*DIRECT, id="last"), now=NOW)
    assert step.lane.waiting[-1] == "last"
    assert code(anp.dispatch(step.lane, submitted(*DIRECT, id="more"), now=NOW)) == "lane-full"
    again = anp.dispatch(step.lane, submitted(*DIRECT, id="d0"), now=NOW)
    assert again.lane == step.lane
    assert anp.dispatch(step.lane, submitted(*MEDIATED, id="m1"), now=NOW).decisions[0].record.status == "dispatched"


def test_an_event_goes_through_its_own_lane():
    with pytest.raises(UsageError, match="belongs into the lane user:olivia, not user:alex"):
        anp.dispatch(anp.Lane(id="user:alex"), submitted(*DIRECT), now=NOW)
    with pytest.raises(UsageError, match="session:olivia:s1"):
        anp.dispatch(anp.Lane(id=LANE), submitted(*PILL), now=NOW, rules=PER_SESSION)


# Turns begin


def test_a_turn_takes_the_lane_until_its_time_is_over():
    host = Host()
    turn = host.begin()
    lane = host.lane()
    assert lane.turn == anp.RunningTurn(id="t1", deadline=IN_FIVE_MINUTES)
    assert (lane.version, turn.id, turn.lane_id, turn.user_id) == (1, "t1", LANE, OLIVIA)
    short = anp.begin_turn(
        anp.Lane(id=LANE), "t1", user_id=OLIVIA, now=NOW, rules=anp.Rules(turn_ttl=timedelta(seconds=1))
    )
    assert short.lane.turn.deadline == "2026-11-21T20:56:01Z"


def test_two_turns_cannot_have_one_lane():
    host = Host()
    host.add("m1", MEDIATED)
    host.begin()
    refused = host.tried("m1", id="t2")
    assert code(refused) == "lane-busy"
    assert "t1" in refused.problems[0].rule
    assert refused.temporary
    assert code(host.tried(id="t1")) == "lane-busy"
    assert host.lane().turn.id == "t1"


def test_of_two_turns_that_begin_at_once_one_is_stored():
    host = Host()
    host.add("m1", MEDIATED)
    first, second = host.tried("m1", id="t1"), host.tried(id="t2")
    assert host.ledger.commit(first)
    assert not host.ledger.commit(second)
    assert host.lane().turn.id == "t1"


def test_of_an_alert_and_a_turn_at_once_the_alert_is_before_the_turn_or_waits():
    host = Host()
    host.submit("d1", DIRECT)
    host.submit("d2", DIRECT)
    alert = anp.dispatch(host.lane(), host.event("d1"), now=NOW)
    late = anp.dispatch(host.lane(), host.event("d2"), now=NOW)
    turn = host.tried()
    assert host.ledger.commit(alert)
    assert host.ledger.commit(turn)
    assert not host.ledger.commit(late)
    host.dispatch("d2")
    assert (shown(alert), host.lane().waiting) == (["d1"], ("d2",))


def test_a_lane_whose_turn_is_late_is_busy_until_the_watchdog_has_looked():
    host = Host()
    host.begin()
    assert code(host.tried(id="t2", now=at(301))) == "lane-busy"
    host.tick(at(301))
    assert host.begin(id="t2", now=at(301)).id == "t2"


@pytest.mark.parametrize(
    ("route", "what"), [(MEDIATED, "proactive"), (AUTONOMOUS, "internal")], ids=["mediated", "auto"]
)
def test_the_event_says_what_turn_it_is(route, what):
    host = Host()
    host.add("e1", route)
    turn = host.begin("e1")
    assert (turn.what, turn.trigger) == (what, "e1")
    assert turn.grants == (anp.PromptEvent(id="e1", lease=1, revision=1),)
    assert host.lane().turn == anp.RunningTurn(id="t1", deadline=IN_FIVE_MINUTES, trigger="e1", lease=1, revision=1)


def test_a_promoted_event_starts_a_turn_that_speaks():
    host = Host()
    host.add("a1", AUTONOMOUS)
    host.decide("a1", anp.Action(lease=1, name="rm"))
    assert host.begin("a1").what == "proactive"


def test_without_an_event_the_user_spoke():
    host = Host()
    host.add("m1", MEDIATED)
    turn = host.begin()
    assert (turn.what, turn.trigger) == ("conversation", None)
    assert [grant.id for grant in turn.grants] == ["m1"]


def test_what_came_in_meanwhile_is_not_in_the_turn():
    host = Host()
    turn = host.begin()
    host.add("m1", MEDIATED)
    assert turn.grants == ()


@pytest.mark.parametrize(
    ("event", "refusal"),
    [
        (delivered(*MEDIATED), "already-terminal"),
        (delivered(*DIRECT), "already-terminal"),
        (escalated(*MEDIATED), "wrong-owner"),
        (half_taken(), "wrong-owner"),
        (submitted(*MEDIATED), "wrong-owner"),
        (routed(*DIRECT), "wrong-owner"),
        (routed(*PASSIVE), "wrong-owner"),
        (claimed(*MEDIATED), "wrong-holder"),
    ],
    ids=lambda one: f"{one.status}-{one.requested.target}-{one.routing.handler}" if not isinstance(one, str) else one,
)
def test_an_event_that_needs_no_turn_any_more_starts_none(event, refusal):
    session = event.session_id
    outcome = anp.begin_turn(anp.Lane(id=LANE), "t1", user_id=OLIVIA, session_id=session, trigger=event, now=NOW)
    assert code(outcome) == refusal
    assert not outcome.temporary


def test_a_worker_begins_the_turn_of_what_it_has_claimed():
    event = claimed(*MEDIATED)
    step = anp.begin_turn(anp.Lane(id=LANE), "t1", user_id=OLIVIA, trigger=event, now=NOW, holder="w1")
    assert (step.turn.holder, step.turn.grants[0].id) == ("w1", "e1")
    other = anp.begin_turn(anp.Lane(id=LANE), "t1", user_id=OLIVIA, trigger=event, now=NOW, holder="w2")
    assert code(other) == "wrong-holder"


def test_a_busy_lane_is_said_before_anything_of_the_event():
    host = Host()
    host.add("m1", MEDIATED)
    host.begin()
    host.decide("m1", anp.Tick(), now=LATER)
    assert code(host.tried("m1", id="t2")) == "lane-busy"


def test_events_of_other_users_and_sessions_stand_in_no_prompt():
    host = Host()
    host.add("mine", MEDIATED)
    host.add("s1", ("session", "agent", "agent"), session_id="s1")
    host.add("s2", ("session", "agent", "agent"), session_id="s2")
    host.add("f2", ("session", "agent", "system"), session_id="s2")
    alien = routed(*MEDIATED, id="alien", user_id="alex")
    events = [*host.ledger.open(OLIVIA), alien]
    assert [one.id for one in host.begin(session_id="s1", events=events).grants] == ["mine", "s1"]
    alone = anp.begin_turn(
        anp.Lane(id=LANE), "t2", user_id=OLIVIA, now=NOW, context=anp.TurnContext(events=events)
    ).turn
    assert [one.id for one in alone.grants] == ["mine"]
    assert (alone.facts, "alien" in alone.prompt) == ((), False)


@pytest.mark.parametrize(
    "given",
    [
        {"lane": "user:alex"},
        {"user_id": "alex"},
        {"trigger": routed(*MEDIATED, user_id="alex")},
        {"trigger": routed("session", "user", "agent", session_id="s2"), "session_id": "s1"},
        {"trigger": routed("session", "user", "agent", session_id="s2")},
        {"rules": PER_SESSION, "session_id": "s1"},
    ],
    ids=["lane", "user", "event of another", "event of another session", "event of a session", "lane of a session"],
)
def test_lane_user_session_and_event_belong_together(given):
    lane = anp.Lane(id=given.get("lane", LANE))
    rest = {"user_id": OLIVIA, "now": NOW, **{name: one for name, one in given.items() if name != "lane"}}
    with pytest.raises(UsageError, match="must belong together"):
        anp.begin_turn(lane, "t1", **rest)


def test_each_session_may_have_a_turn_of_its_own():
    host = Host(PER_SESSION)
    for session in ("s1", "s2", "s3"):
        host.add(f"m-{session}", ("session", "user", "agent"), session_id=session)
    for session in ("s1", "s2"):
        host.begin(f"m-{session}", id=f"t-{session}", session_id=session)
    host.begin(id="t-user")
    assert code(host.tried("m-s1", id="t2", session_id="s1")) == "lane-busy"
    assert [host.ledger.lane(f"session:olivia:{one}").turn is None for one in ("s1", "s2", "s3")] == [
        False,
        False,
        True,
    ]


def test_an_alert_waits_for_the_turn_of_its_own_session_alone():
    host = Host(PER_SESSION)
    turn = host.begin(session_id="s1")
    for id, route, session in (("d0", DIRECT, None), ("d1", PILL, "s1"), ("d2", PILL, "s2")):
        host.add(id, route, session_id=session)
    assert [host.event(id).status for id in ("d0", "d1", "d2")] == ["dispatched", "pending", "dispatched"]
    assert shown(host.end(turn)) == ["d1"]


# When to look again


def test_nothing_waits_for_the_clock():
    free = anp.Lane(id=LANE)
    assert anp.next_deadline([]) is None
    assert anp.next_deadline([routed(*DIRECT), routed(*PASSIVE), delivered(*MEDIATED), half_taken(), free]) is None


def test_the_earliest_deadline_of_events_and_turns_counts():
    host = Host()
    event = host.add("m1", MEDIATED)
    host.begin()
    assert anp.next_deadline([event]) == LATER
    assert anp.next_deadline([host.lane()]) == at(300)
    assert anp.next_deadline(iter([host.lane(), event])) == LATER
    assert event.delivery_deadline == IN_TWO_MINUTES
    assert anp.next_deadline([half_taken(delivery_deadline=IN_TWO_MINUTES)]) == LATER
    assert anp.next_deadline([escalated(*MEDIATED)]) == LATER + timedelta(days=7)


def test_deadlines_are_compared_as_moments():
    lanes = [
        anp.Lane(id=id, turn=anp.RunningTurn(id="t", deadline=deadline))
        for id, deadline in (("a", "2026-11-21T21:00:00Z"), ("b", "2026-11-21T22:59:00+02:00"))
    ]
    assert anp.next_deadline(lanes) == datetime(2026, 11, 21, 20, 59, tzinfo=UTC)


@pytest.mark.parametrize("wrong", ["x", None, 1, NOW], ids=repr)
def test_only_events_and_lanes_have_deadlines(wrong):
    with pytest.raises(UsageError):
        anp.next_deadline([wrong])


# Values


def test_a_lane_comes_back_out_of_its_json():
    host = Host()
    host.add("m1", MEDIATED)
    host.begin("m1")
    host.add("d1", DIRECT)
    assert decode_trusted(anp.Lane, dumps(host.lane())) == host.lane()


@pytest.mark.parametrize(
    "given",
    [
        {"version": -1},
        {"waiting": ("",)},
        {"cursor": 1.5},
        {"cursors": {"s1": -1}},
        {"cursors": {"s1": 1.5}},
        {"cursors": {"s1": True}},
        {"cursors": {"s1": None}},
        {"turn": "t1"},
        {"id": ""},
    ],
    ids=str,
)
def test_a_lane_is_checked_when_it_is_made(given):
    with pytest.raises(UsageError):
        anp.Lane(**{"id": LANE, **given})


NAIVE = NOW.replace(tzinfo=None)
WRONG = [
    {"turn_id": ""},
    {"turn_id": 1},
    {"now": NAIVE},
    {"now": "2026-11-21T20:56:00Z"},
    {"holder": ""},
    {"trigger": "m1"},
    {"context": anp.TurnContext(events=["m1"])},
    {"context": ["m1"]},
    {"rules": None},
    {"user_id": None},
    {"lane": None},
]


@pytest.mark.parametrize("wrong", WRONG, ids=str)
def test_wrong_arguments_of_begin_turn_are_the_fault_of_the_program(wrong):
    given = {"lane": anp.Lane(id=LANE), "turn_id": "t1", "user_id": OLIVIA, "now": NOW, **wrong}
    with pytest.raises(UsageError):
        anp.begin_turn(given.pop("lane"), given.pop("turn_id"), **given)


@pytest.mark.parametrize(
    "wrong",
    [{"lane": None}, {"event": None}, {"event": "d1"}, {"now": NAIVE}, {"facts": None}, {"rules": None}],
    ids=str,
)
def test_wrong_arguments_of_dispatch_are_the_fault_of_the_program(wrong):
    given = {"lane": anp.Lane(id=LANE), "event": submitted(*DIRECT), "now": NOW, **wrong}
    with pytest.raises(UsageError):
        anp.dispatch(given.pop("lane"), given.pop("event"), **given)


def test_nothing_is_refused_in_a_step_that_only_dispatches():
    host = Host()
    host.submit("d1", DIRECT)
    assert refusals(host.dispatch("d1")) == []
