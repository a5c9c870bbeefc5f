"""What was stored comes back, and of several changes all are stored or none."""

from __future__ import annotations

import pytest

from ... import anp
from ._hooks import Hooks
from ._values import (
    LANE,
    LATER,
    MEDIATED,
    OLIVIA,
    born,
    decided,
    dispatch,
    dispatched_effect,
    event,
    lane_step,
    running,
    stamp,
)


class Stored(Hooks):
    """What was stored comes back, and of several changes all are stored or none."""

    # What is stored comes back

    def test_an_empty_store_has_no_events_and_every_lane(self, store: anp.Store) -> None:
        assert store.get("e1") is None
        assert list(store.open(OLIVIA)) == []
        assert list(store.open(OLIVIA, deduplication_key="k")) == []
        assert list(store.due(LATER, limit=10)) == []
        assert store.lane(LANE) == anp.Lane(id=LANE)
        assert store.commit()
        assert self._outbox(store) == []

    def test_an_event_comes_back_as_it_was_stored(self, store: anp.Store) -> None:
        instructions = anp.AgentInstructions(directive="Say “which”.\n", tone_hint="concise", extra={"x": 1})
        members = {
            "content": "Zeile\nzwei \U0001f600 ' \" \\ \u0001",
            "metadata": {"urgency": "high", "n": [1, 2.5, None, True]},
            "agent_instructions": instructions,
            "deduplication_key": "k'; DROP TABLE events; --",
            "session_id": "s1",
            "extra": {"unknown": {"a": "b"}},
        }
        routed = decided(born("e1", MEDIATED, **members).record, anp.Route())
        assert store.commit(born("e1", MEDIATED, **members))
        assert store.commit(routed)
        assert store.get("e1") == routed.record

    def test_a_lane_comes_back_as_it_was_stored(self, store: anp.Store) -> None:
        turn = anp.RunningTurn(id="t", deadline=stamp(9), trigger="e1", lease=2, holder="w1", extra={"x": [1]})
        step = lane_step(
            1, expected=0, turn=turn, waiting=("d2", "d1"), cursor=7, cursors={"s2": 3, "s1": 4}, extra={"y": None}
        )
        assert store.commit(step)
        assert store.lane(LANE) == step.lane
        assert store.lane("user:alex") == anp.Lane(id="user:alex")

    def test_events_and_lanes_may_have_the_same_id(self, store: anp.Store) -> None:
        assert store.commit(born(LANE))
        step = dispatch(store, LANE)
        assert store.commit(step)
        assert event(store, LANE).status == "dispatched"
        assert store.lane(LANE) == step.lane

    def test_names_are_the_same_only_character_by_character(self, store: anp.Store) -> None:
        # Some databases compare texts without case, or without the spaces at their end.
        for id, user, key in (("e1", OLIVIA, "k"), ("E1", OLIVIA, "K"), ("e1 ", OLIVIA, "k "), ("e2", "Olivia", "k")):
            assert store.commit(born(id, user_id=user, deduplication_key=key))
        assert [store.get(id) is not None for id in ("e1", "E1", "e1 ", "E2", "e2 ")] == [True] * 3 + [False] * 2
        for key, id in (("k", "e1"), ("K", "E1"), ("k ", "e1 ")):
            assert [one.id for one in store.open(OLIVIA, deduplication_key=key)] == [id]
        assert [one.id for one in store.open(OLIVIA)] == ["e1", "E1", "e1 "]
        assert [one.id for one in store.open("Olivia")] == ["e2"]

    # All or nothing

    @pytest.mark.parametrize("bad_first", [True, False])
    def test_of_several_changes_all_are_stored_or_none(self, store: anp.Store, bad_first: bool) -> None:
        store.commit(born("e1"))
        good, bad = born("e2"), born("e1")
        effects = self._outbox(store)
        assert not store.commit(*((bad, good) if bad_first else (good, bad)))
        assert (store.get("e2"), self._outbox(store)) == (None, effects)
        assert store.commit(good, born("e3"))
        assert [one.id for one in store.open(OLIVIA)] == ["e1", "e2", "e3"]

    def test_a_step_whose_decision_does_not_fit_leaves_its_lane(self, store: anp.Store) -> None:
        step = lane_step(
            1,
            expected=0,
            turn=running(),
            decisions=(born("e1"), decided(born("e9").record, anp.Route())),
            effects=(dispatched_effect("x"),),
        )
        assert not store.commit(step)
        assert (store.get("e1"), store.lane(LANE), self._outbox(store)) == (None, anp.Lane(id=LANE), [])

    def test_decisions_whose_lane_does_not_fit_are_not_stored(self, store: anp.Store) -> None:
        assert not store.commit(lane_step(2, expected=1, decisions=(born("e1"),)))
        assert (store.get("e1"), self._outbox(store)) == (None, [])
        assert not store.commit(born("e2"), lane_step(2, expected=1))
        assert store.get("e2") is None

    def test_an_event_is_not_decided_upon_twice_in_one_commit(self, store: anp.Store) -> None:
        store.commit(born("e1"))
        route = decided(event(store, "e1"), anp.Route())
        effects = self._outbox(store)
        assert not store.commit(route, route)
        assert not store.commit(route, lane_step(1, expected=0, decisions=(route,)))
        assert not store.commit(lane_step(1, expected=0, decisions=(route, route)))
        assert not store.commit(born("e2"), born("e2", content="Other."))
        assert (event(store, "e1").status, store.get("e2"), store.lane(LANE).version) == ("pending", None, 0)
        assert self._outbox(store) == effects

    def test_a_lane_does_not_take_two_steps_in_one_commit(self, store: anp.Store) -> None:
        assert not store.commit(lane_step(1, expected=0), lane_step(1, expected=0))
        assert not store.commit(lane_step(1, expected=0), lane_step(2, expected=1))
        assert not store.commit(lane_step(0, expected=0), lane_step(0, expected=0))
        assert store.lane(LANE) == anp.Lane(id=LANE)

    def test_two_lanes_may_change_in_one_commit(self, store: anp.Store) -> None:
        assert store.commit(lane_step(1, expected=0), lane_step(1, expected=0, id="user:alex"))
        assert [store.lane(id).version for id in (LANE, "user:alex")] == [1, 1]
