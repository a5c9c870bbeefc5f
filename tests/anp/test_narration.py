"""What the agent says of several events, and what a human hears of its actions."""

import pytest

from mentionable import anp, replace
from mentionable.anp._actions import notice_id
from mentionable.anp._agent import MAX_ACTIONS
from tests.anp.events import LATER, NOW, OLIVIA, submission
from tests.anp.turns import (
    AUTONOMOUS,
    MEDIATED,
    SESSION_MEDIATED,
    Host,
    every,
    refusals,
    shown,
)


@pytest.fixture
def host() -> Host:
    return Host()


def narration(host: Host) -> anp.Notification:
    """What the first turn said, as it is stored."""
    found = host.ledger.get("n-t1")
    assert found is not None
    return found


def new_words(host: Host, id: str) -> None:
    """Another submission with the key of an event replaces its words."""
    event = host.event(id)
    again = replace(submission(*SESSION_MEDIATED), routing=event.requested, deduplication_key=event.deduplication_key)
    host.decide(id, anp.Submit(submission=again, id=f"{id}-again"))


# Actions


def test_a_narration_carries_the_actions_of_every_event_that_it_tells_of(host):
    for id, route in (("a1", AUTONOMOUS), ("m1", MEDIATED), ("m2", MEDIATED)):
        host.add(id, route)
    host.decide("m1", anp.Action(lease=1, name="look"))
    host.decide("m2", anp.Action(lease=1, name="hide"))
    turn = host.begin("a1")
    host.act(turn, "rm")
    step = host.end(turn, "Done.", "m1")
    assert narration(host).actions == ("rm", "look")
    (present,) = every(anp.Present, step.all_effects)
    assert anp.presentation(present).actions_text() == "The agent used rm and look."
    assert anp.presentation(narration(host)) == anp.presentation(present)


def test_a_narration_carries_so_many_actions_and_no_more(host):
    for place in range(2):
        host.add(f"m{place}", MEDIATED)
        for number in range(60):
            host.decide(f"m{place}", anp.Action(lease=1, name=f"{place}-{number}"))
    step = host.end(host.begin("m0"), "Done.", "m1")
    told = narration(host).actions
    assert (len(told), told[0], told[-1]) == (MAX_ACTIONS, "0-0", "1-39")
    rest = [one.action for one in every(anp.MustSurface, step.all_effects)]
    assert rest == [f"1-{number}" for number in range(40, 60)]


def test_a_narration_of_events_without_actions_tells_of_none(host):
    host.add("m1", MEDIATED)
    step = host.end(host.begin("m1"), "Done.")
    assert every(anp.Present, step.all_effects)[0].actions is None


def test_in_a_conversation_a_notice_tells_each_action_of_an_event_that_it_ends(host):
    for id in ("a1", "a2", "a3"):
        host.add(id, AUTONOMOUS)
    host.decide("a1", anp.Action(lease=1, name="look"))
    host.decide("a3", anp.Action(lease=1, name="hide"))
    turn = host.begin()
    host.act(turn, "rm")
    step = host.end(turn, "Hello.", "a1", "a2", narration_id=None)
    told = every(anp.MustSurface, step.all_effects)
    assert [(one.id, one.action, one.notice_id) for one in told] == [
        ("t1", name, notice_id("t1", name)) for name in ("look", "rm")
    ]
    assert {one.notice.content for one in told} == {"The agent used look.", "The agent used rm."}
    assert shown(step) == []


def test_in_a_conversation_an_event_that_stays_or_escalates_needs_no_notice(host):
    for id in ("a1", "a2"):
        host.add(id, AUTONOMOUS)
    turn = host.begin()
    host.act(turn, "rm")
    assert not every(anp.MustSurface, host.end(turn, "Hello.", narration_id=None).all_effects)
    silent = host.end(host.begin(id="t2"), None, "a1", "a2")
    assert not every(anp.MustSurface, silent.all_effects)
    assert {one.actions for one in every(anp.Present, silent.all_effects)} == {("rm",)}


# Where it goes, and what it came of


def test_a_narration_goes_where_the_event_that_started_the_turn_is_addressed(host):
    host.add("m1", MEDIATED)
    host.add("s1", SESSION_MEDIATED)
    host.end(host.begin("s1", session_id="s1"), "Done.", "m1")
    assert (narration(host).routing.address, narration(host).session_id) == ("session", "s1")
    assert narration(host).causation_id == "s1"


def test_an_event_of_a_session_is_narrated_in_the_inbox_where_another_started_the_turn(host):
    host.add("m1", MEDIATED)
    host.add("s1", SESSION_MEDIATED)
    host.end(host.begin("m1", session_id="s1"), "Done.", "s1")
    assert (narration(host).routing.address, narration(host).session_id) == ("user", None)


def test_a_narration_is_as_deep_as_the_deepest_event_that_it_tells_of(host):
    for id, depth in (("m1", 0), ("m2", 2), ("m3", 1)):
        host.add(id, MEDIATED, depth=depth)
    host.end(host.begin("m1"), "Done.", "m2", "m3")
    assert (narration(host).depth, narration(host).causation_id) == (3, "m1")


def test_a_narration_came_of_what_it_tells_of_where_that_is_not_what_started_the_turn(host):
    host.add("s1", SESSION_MEDIATED, deduplication_key="backup")
    host.add("m1", MEDIATED)
    turn = host.begin("s1", session_id="s1")
    new_words(host, "s1")
    step = host.end(turn, "Done.", "m1")
    assert refusals(step) == [("s1", "stale-revision")]
    assert (narration(host).causation_id, narration(host).routing.address) == ("m1", "session")


def test_an_event_too_long_for_any_prompt_starts_a_turn_that_tells_of_others(host):
    host.add("m1", MEDIATED)
    host.add("m2", MEDIATED)
    endless = replace(host.event("m1"), actions=tuple(f"{number:0250}" for number in range(1_200)))
    turn = host.taken(
        anp.begin_turn(
            host.lane(),
            "t1",
            user_id=OLIVIA,
            now=NOW,
            trigger=endless,
            context=anp.TurnContext(events=[host.event("m2")]),
        )
    ).turn
    assert [grant.id for grant in turn.grants] == ["m2"]
    host.end(turn, "Done.", "m2", events={"m2": host.event("m2")})
    assert narration(host).causation_id == "m2"


# What is withheld


def test_what_tells_of_an_event_that_was_taken_is_withheld_and_the_turn_broke_off(host):
    host.add("a1", AUTONOMOUS)
    host.add("m1", MEDIATED, delivery_deadline="2026-11-21T20:57:00Z")
    turn = host.begin("a1")
    host.decide("m1", anp.Tick(), now=LATER)
    step = host.end(turn, "Done.", "m1", "a1", now=LATER)
    assert (refusals(step), shown(step)) == ([("m1", "stale-lease")], ["a1"])
    assert [note.code for note in step.diagnostics] == ["narration-withheld"]
    assert (host.event("a1").escalation, host.ledger.get("n-t1")) == ("failed", None)


def test_newer_words_of_another_event_withhold_nothing(host):
    host.add("m1", MEDIATED)
    host.add("m2", MEDIATED, deduplication_key="backup")
    turn = host.begin("m1")
    new_words(host, "m2")
    step = host.end(turn, "Done.", "m2")
    assert (refusals(step), shown(step)) == ([("m2", "stale-revision")], ["n-t1"])
    assert host.event("m2").status == "dispatched"


def test_a_narration_is_submitted_by_the_agent_and_audited(host):
    host.add("m1", MEDIATED)
    step = host.end(host.begin("m1"), "Done.")
    assert [one.what for one in every(anp.Audit, step.all_effects)] == ["submitted"]
    assert (narration(host).origin, narration(host).version) == ("agent", 2)
