"""Turns and the ledger grow with what there is, and no faster."""

from __future__ import annotations

import pytest

from mentionable import anp
from mentionable.testing.store_contract._values import born
from tests.anp.events import LATER, NOW, OLIVIA, decided
from tests.anp.turns import AUTONOMOUS, LANE, MEDIATED, PASSIVE
from tests.linearity import count_steps, steps_grow_linearly

FREE = anp.Lane(id=LANE)
BUSY = anp.RunningTurn(id="t0", deadline="2026-11-21T21:01:00Z")
HALF = 50
"""A size whose fourfold still fits into one prompt."""


def filled(size: int) -> anp.Ledger:
    """A ledger with events of the agent, which all have the same deadline."""
    ledger = anp.Ledger()
    for place in range(size):
        ledger.commit(born(f"e{place}", MEDIATED, deduplication_key=f"k{place}"))
        ledger.commit(decided(ledger.get(f"e{place}"), anp.Route()))
    return ledger


def drained(ledger: anp.Ledger) -> None:
    """Every event is taken over, twenty at once."""
    while found := ledger.due(LATER, limit=20):
        for event in found:
            assert ledger.commit(decided(event, anp.Tick(), now=LATER))


def waiting(size: int) -> tuple[anp.Lane, dict[str, anp.Notification]]:
    """A lane where a turn runs and alerts wait."""
    events = {f"d{place}": born(f"d{place}").record for place in range(size)}
    return anp.Lane(id=LANE, version=1, turn=BUSY, waiting=tuple(events)), events


def routed(size: int) -> list[anp.Notification]:
    """Events of every kind of which an agent reads."""
    kinds = (MEDIATED, AUTONOMOUS, PASSIVE)
    return [decided(born(f"e{at}", kinds[at % 3]).record, anp.Route()).record for at in range(size)]


def test_storing_events_is_linear():
    steps_grow_linearly(filled, lambda size: size, size=40)


def test_storing_an_event_does_not_depend_on_how_many_there_are():
    few, many = filled(10), filled(400)
    new = born("new", deduplication_key="new")
    few_steps, many_steps = [count_steps(ledger.commit, new) for ledger in (few, many)]
    assert many_steps <= few_steps + 5


def test_one_commit_of_many_is_linear():
    steps_grow_linearly(
        lambda changes: anp.Ledger().commit(*changes), lambda size: [born(f"e{at}") for at in range(size)], size=100
    )


def test_taking_over_all_that_is_due_is_linear():
    steps_grow_linearly(drained, filled, size=40)


def test_asking_what_is_due_depends_on_the_limit_alone():
    few, many = (count_steps(lambda one: one.due(LATER, limit=5), filled(size)) for size in (20, 400))
    assert many <= few * 1.5


def test_deadlines_that_were_put_off_are_looked_at_once():
    ledger = filled(1)
    for place in range(200):
        until = f"2026-11-21T21:{place % 50:02}:00Z"
        assert ledger.commit(decided(ledger.get("e0"), anp.Extend(lease=1, until=until)))
    at_first, later = (count_steps(lambda one: one.due(LATER.replace(hour=23), limit=1000), ledger) for _ in range(2))
    assert later < at_first / 4


def test_open_events_are_linear_and_one_key_is_found_at_once():
    steps_grow_linearly(lambda ledger: ledger.open(OLIVIA), filled, size=100)
    few, many = (count_steps(lambda one: one.open(OLIVIA, deduplication_key="k3"), filled(size)) for size in (20, 400))
    assert few == many


def test_open_events_of_one_user_do_not_depend_on_those_of_others_or_on_what_is_over():
    ledger = filled(400)
    drained(ledger)
    for event in list(ledger.open(OLIVIA)):
        assert ledger.commit(decided(event, anp.ClientAck(lease=2, user_id=OLIVIA), now=LATER))
    for user_id in (OLIVIA, "alex"):
        assert count_steps(lambda one, user=user_id: one.open(user), ledger) < 20


@pytest.mark.parametrize("size", [HALF, 200], ids=["all fit", "most are left out"])
def test_beginning_a_turn_is_linear(size):
    def begin(events: list[anp.Notification]) -> None:
        anp.begin_turn(FREE, "t1", user_id=OLIVIA, context=anp.TurnContext(events=events), now=NOW)

    steps_grow_linearly(begin, routed, size=size)


def test_telling_the_agent_of_other_events_is_linear():
    def told(size: int) -> list[tuple[int, anp.AgentAware]]:
        made = [
            anp.AgentAware(id=f"e{at}", revision=1, lease=1, awareness="shown", user_id=OLIVIA, content="x" * at)
            for at in range(size)
        ]
        return list(enumerate(made, 1))

    def begin(aware: list[tuple[int, anp.AgentAware]]) -> None:
        anp.begin_turn(FREE, "t1", user_id=OLIVIA, context=anp.TurnContext(aware=aware), now=NOW)

    steps_grow_linearly(begin, told, size=HALF)


def test_ending_a_turn_is_linear_in_its_events():
    def begun(size: int) -> tuple[anp.LaneStep, dict[str, anp.Notification]]:
        events = routed(size)
        step = anp.begin_turn(FREE, "t1", user_id=OLIVIA, context=anp.TurnContext(events=events), now=NOW)
        assert isinstance(step, anp.LaneStep)
        return step, {event.id: event for event in events}

    def end(given: tuple[anp.LaneStep, dict[str, anp.Notification]]) -> None:
        step, events = given
        assert step.turn is not None
        ended = anp.commit_turn(
            step.lane, step.turn, events=events, acknowledged_ids=events, output="All.", narration_id="n1", now=NOW
        )
        assert isinstance(ended, anp.LaneStep)
        assert len(ended.decisions) == len(events)

    def use_tool(given: tuple[anp.LaneStep, dict[str, anp.Notification]]) -> None:
        step, events = given
        assert step.turn is not None
        assert isinstance(anp.act(step.lane, step.turn, "rm", None, events=events, now=NOW), anp.LaneStep)

    steps_grow_linearly(end, begun, size=HALF)
    steps_grow_linearly(use_tool, begun, size=HALF)


def test_letting_go_what_waited_is_linear():
    def fail(given: tuple[anp.Lane, dict[str, anp.Notification]]) -> None:
        lane, events = given
        step = anp.fail_turn(lane, "t0", events=events, now=NOW)
        assert isinstance(step, anp.LaneStep)
        assert len(step.decisions) == len(events)
        assert len(step.all_effects) == 2 * len(events)

    steps_grow_linearly(fail, waiting, size=80)


def test_putting_one_more_into_a_lane_is_linear_at_worst():
    alert = born("new").record
    steps_grow_linearly(lambda given: anp.dispatch(given[0], alert, now=NOW), waiting, size=200)


def test_acknowledgements_in_vain_are_linear():
    lane = anp.Lane(id=LANE, version=1, turn=anp.RunningTurn(id="t1", deadline=BUSY.deadline))
    turn = anp.Turn(id="t1", lane_id=LANE, user_id=OLIVIA, what="conversation", prompt="")

    def end(ids: list[str]) -> None:
        anp.commit_turn(lane, turn, events={}, acknowledged_ids=ids, now=NOW)

    steps_grow_linearly(end, lambda size: [f"x{at}" for at in range(size)], size=200)
