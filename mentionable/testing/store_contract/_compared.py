"""What is stored is compared first, and a user has one open event for a key."""

from __future__ import annotations

from typing import Any

import pytest

from ... import anp
from ._hooks import Hooks
from ._values import (
    ALEX,
    AUTONOMOUS,
    DIRECT,
    LANE,
    LATER,
    MEDIATED,
    OLIVIA,
    PASSIVE,
    Flags,
    born,
    decided,
    dispatch,
    dispatched_effect,
    event,
    expecting,
    lane_step,
    running,
    submission,
)


class Compared(Hooks):
    """What is stored is compared first, and a user has one open event for a key."""

    # Compare and set

    def test_a_new_event_is_stored_once(self, store: anp.Store) -> None:
        assert store.commit(born("e1"))
        assert not store.commit(born("e1"))
        assert not store.commit(born("e1", content="Other."))
        assert event(store, "e1").content == "Backup failed."
        assert self._outbox(store) == self._expected(born("e1").effects)

    def test_of_two_decisions_upon_the_same_the_first_is_stored(self, store: anp.Store) -> None:
        store.commit(born("e1"))
        first = decided(event(store, "e1"), anp.Route())
        second = decided(event(store, "e1"), anp.Route())
        assert store.commit(first)
        assert not store.commit(second)
        assert not store.commit(first)
        assert store.get("e1") == first.record

    @pytest.mark.parametrize(
        "wrong", [{"status": "pending"}, {"owner_lease": 2}, {"version": 1}, {"version": 3}], ids=str
    )
    def test_status_lease_and_version_are_each_compared(self, store: anp.Store, wrong: dict[str, Any]) -> None:
        store.commit(born("e1", MEDIATED))
        store.commit(decided(event(store, "e1"), anp.Route()))
        before, effects = store.get("e1"), self._outbox(store)
        claim = decided(before, anp.Claim(lease=1, holder="w1"))
        assert not store.commit(expecting(claim, **wrong))
        assert (store.get("e1"), self._outbox(store)) == (before, effects)
        assert store.commit(claim)

    def test_a_decision_upon_an_event_that_is_not_there_is_not_stored(self, store: anp.Store) -> None:
        route = decided(born("e1").record, anp.Route())
        assert not store.commit(route)
        assert store.get("e1") is None

    def test_a_decision_that_changes_nothing_is_compared_all_the_same(self, store: anp.Store) -> None:
        store.commit(born("e1", MEDIATED))
        store.commit(decided(event(store, "e1"), anp.Route()))
        early = decided(event(store, "e1"), anp.Tick())
        assert (early.changes, len(early.effects)) == (False, 1)
        assert store.commit(early)
        assert store.commit(early)
        store.commit(decided(event(store, "e1"), anp.Claim(lease=1, holder="w1")))
        effects = self._outbox(store)
        assert not store.commit(early)
        assert self._outbox(store) == effects

    def test_the_version_of_a_lane_is_compared(self, store: anp.Store) -> None:
        assert not store.commit(lane_step(2, expected=1))
        assert store.commit(lane_step(1, expected=0, turn=running("t1")))
        assert not store.commit(lane_step(1, expected=0, turn=running("t2")))
        assert not store.commit(lane_step(3, expected=2, turn=running("t3")))
        assert store.lane(LANE).turn == running("t1")
        assert store.commit(lane_step(2, expected=1, cursor=5))
        assert store.lane(LANE).cursor == 5

    def test_a_step_that_leaves_a_new_lane_as_it_is_is_stored_and_compared(self, store: anp.Store) -> None:
        still = lane_step(0, expected=0, decisions=(born("e1"),), effects=(dispatched_effect("x"),))
        assert store.commit(still)
        assert (event(store, "e1").status, store.lane(LANE)) == ("pending", anp.Lane(id=LANE))
        assert self._outbox(store) == self._expected(still.all_effects)
        assert store.commit(lane_step(0, expected=0))
        assert not store.commit(lane_step(2, expected=1))
        assert store.commit(lane_step(1, expected=0, turn=running()))
        assert not store.commit(lane_step(0, expected=0, decisions=(born("e2"),)))
        assert (store.get("e2"), store.lane(LANE).turn) == (None, running())
        assert store.commit(lane_step(2, expected=1, cursor=3))
        assert store.lane(LANE) == anp.Lane(id=LANE, version=2, cursor=3)

    def test_a_lane_that_nothing_happens_to_may_be_stored_many_times(self, store: anp.Store) -> None:
        for id in ("d1", "d2"):
            assert store.commit(born(id))
            assert store.commit(dispatch(store, id))
        assert store.lane(LANE) == anp.Lane(id=LANE)
        assert store.commit(lane_step(1, expected=0, turn=running()))
        assert store.commit(lane_step(1, expected=1, turn=running()))

    # One open event for each user and key

    @pytest.mark.parametrize("is_dispatched", [False, True], ids=["pending", "dispatched"])
    @pytest.mark.parametrize("route", [DIRECT, MEDIATED, PASSIVE, AUTONOMOUS], ids=" ".join)
    def test_a_key_is_taken_while_its_event_is_open(self, store: anp.Store, route: Flags, is_dispatched: bool) -> None:
        store.commit(born("e1", route, deduplication_key="k"))
        if is_dispatched:
            store.commit(decided(event(store, "e1"), anp.Route()))
        assert not store.commit(born("e2", deduplication_key="k"))
        assert [one.id for one in store.open(OLIVIA, deduplication_key="k")] == ["e1"]

    def test_a_key_is_taken_for_its_user_alone_and_to_the_letter(self, store: anp.Store) -> None:
        assert store.commit(born("e1", deduplication_key="k"))
        assert store.commit(born("e2", deduplication_key="K"))
        assert store.commit(born("e3", deduplication_key="k "))
        assert store.commit(born("e4", deduplication_key="k", user_id=ALEX))
        assert store.commit(born("e5"))
        assert store.commit(born("e6"))
        assert [one.id for one in store.open(ALEX, deduplication_key="k")] == ["e4"]

    def test_a_key_is_free_again_once_its_event_is_claimed_delivered_or_escalated(self, store: anp.Store) -> None:
        def ends(id: str, *commands: anp.Command) -> None:
            store.commit(born(id, MEDIATED, deduplication_key="k"))
            for command in (anp.Route(), *commands):
                assert store.commit(decided(store.get(id), command, now=LATER))
            assert list(store.open(OLIVIA, deduplication_key="k")) == []

        ends("e1", anp.Claim(lease=1, holder="w1"))
        ends("e2", anp.CommitTurn(lease=1, is_trigger=True, output="It failed.", narration_id="n2"))
        ends("e3", anp.TurnFailed(lease=1))
        assert store.commit(born("e4", deduplication_key="k"))
        assert [one.id for one in store.open(OLIVIA, deduplication_key="k")] == ["e4"]

    def test_what_happens_to_an_older_event_leaves_the_key_to_the_newer(self, store: anp.Store) -> None:
        store.commit(born("e1", MEDIATED, deduplication_key="k"))
        for command in (anp.Route(), anp.Claim(lease=1, holder="w1")):
            store.commit(decided(store.get("e1"), command))
        store.commit(born("e2", deduplication_key="k"))
        store.commit(decided(event(store, "e1"), anp.TurnFailed(lease=1, holder="w1")))
        assert [one.id for one in store.open(OLIVIA, deduplication_key="k")] == ["e2"]
        assert not store.commit(born("e3", deduplication_key="k"))

    def test_two_new_events_of_one_commit_do_not_share_a_key(self, store: anp.Store) -> None:
        assert not store.commit(born("e1", deduplication_key="k"), born("e2", deduplication_key="k"))
        assert list(store.open(OLIVIA)) == []
        assert store.commit(born("e1", deduplication_key="k"), born("e2", deduplication_key="k2"))

    @pytest.mark.parametrize("is_first", [True, False], ids=["before", "behind"])
    def test_no_new_event_takes_a_key_that_the_same_commit_makes_free(self, store: anp.Store, is_first: bool) -> None:
        store.commit(born("e1", MEDIATED, deduplication_key="k"))
        store.commit(decided(event(store, "e1"), anp.Route()))
        before, effects = store.get("e1"), self._outbox(store)
        frees, takes = decided(before, anp.Claim(lease=1, holder="w1")), born("e2", deduplication_key="k")
        assert not store.commit(*((takes, frees) if is_first else (frees, takes)))
        assert not store.commit(lane_step(1, expected=0, decisions=(frees, takes)))
        assert (store.get("e1"), store.get("e2"), self._outbox(store)) == (before, None, effects)
        assert store.commit(frees)
        assert store.commit(takes)

    def test_new_words_go_into_the_open_event(self, store: anp.Store) -> None:
        store.commit(born("e1", deduplication_key="k"))
        (match,) = store.open(OLIVIA, deduplication_key="k")
        again = submission(content="Twice.", deduplication_key="k")
        assert store.commit(decided(match, anp.Submit(submission=again, id="e2")))
        assert [(one.id, one.content, one.revision) for one in store.open(OLIVIA)] == [("e1", "Twice.", 2)]
