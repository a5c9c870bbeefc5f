"""Order: of effects, of open events, and of deadlines."""

from __future__ import annotations

from ... import anp
from ._hooks import Hooks
from ._values import (
    ALEX,
    DIRECT,
    LANE,
    LATER,
    MEDIATED,
    OLIVIA,
    PASSIVE,
    at,
    begin,
    born,
    decided,
    dispatch,
    dispatched_effect,
    end,
    event,
    ids,
    lane_step,
    running,
    stamp,
)


class Ordered(Hooks):
    """Order: of effects, of open events, and of deadlines."""

    # Order

    def test_effects_are_stored_in_the_order_in_which_they_are_to_happen(self, store: anp.Store) -> None:
        store.commit(born("e1"))
        store.commit(born("e0"))
        first, second = (decided(event(store, id), anp.Route()) for id in ("e1", "e0"))
        step = lane_step(
            1,
            expected=0,
            effects=(dispatched_effect("z"), dispatched_effect("y")),
            decisions=(first, second),
        )
        first_effects = [*born("e1").effects, *born("e0").effects]
        assert self._outbox(store) == self._expected(first_effects)
        assert store.commit(born("e9"), step, born("e3"))
        all_effects = [*first_effects, *born("e9").effects, *step.all_effects, *born("e3").effects]
        assert self._outbox(store) == self._expected(all_effects)
        assert [effect.kind for effect in step.all_effects][:4] == ["dispatch", "dispatch", "present", "agent_aware"]

    def test_open_events_come_in_the_order_in_which_they_were_submitted(self, store: anp.Store) -> None:
        for id in ("e3", "e1", "e2"):
            store.commit(born(id, MEDIATED))
        store.commit(born("x", MEDIATED, user_id=ALEX))
        store.commit(born("e0", MEDIATED), born("e4", MEDIATED))
        store.commit(decided(event(store, "e1"), anp.Route()))
        store.commit(decided(event(store, "e3"), anp.Route()))
        assert [one.id for one in store.open(OLIVIA)] == ["e3", "e1", "e2", "e0", "e4"]

    def test_all_open_events_come_however_many_there_are(self, store: anp.Store) -> None:
        many = [born(f"e{place}", PASSIVE) for place in range(250)]
        assert store.commit(*many)
        assert ids(store.open(OLIVIA)) == [one.record.id for one in many]

    def test_locked_and_escalated_events_are_open_and_terminal_ones_are_not(self, store: anp.Store) -> None:
        for id in ("e1", "e2", "e3", "e4"):
            store.commit(born(id, MEDIATED))
            store.commit(decided(event(store, id), anp.Route()))
        store.commit(decided(event(store, "e1"), anp.Claim(lease=1, holder="w1")))
        for id in ("e2", "e3", "e4"):
            store.commit(decided(event(store, id), anp.TurnFailed(lease=1)))
        store.commit(decided(event(store, "e3"), anp.ClientAck(lease=2, user_id=OLIVIA)))
        store.commit(decided(event(store, "e4"), anp.DeliveryFailed(lease=2)))
        assert [(one.id, one.status) for one in store.open(OLIVIA)] == [("e1", "locked"), ("e2", "escalated")]
        assert [event(store, id).status for id in ("e3", "e4")] == ["delivered", "failed"]

    # What is due

    def test_events_and_lanes_come_earliest_first_and_never_before_their_time(self, store: anp.Store) -> None:
        for id, seconds in (("e3", 30), ("e1", 10), ("e2", 20)):
            store.commit(born(id, MEDIATED, delivery_deadline=stamp(seconds)))
        store.commit(lane_step(1, expected=0, turn=running(deadline=stamp(15))))
        assert ids(store.due(at(9.999), limit=10)) == []
        assert ids(store.due(at(10), limit=10)) == ["e1"]
        assert ids(store.due(at(25), limit=10)) == ["e1", LANE, "e2"]
        assert ids(store.due(at(10**6), limit=10)) == ["e1", LANE, "e2", "e3"]

    def test_what_is_due_stays_due_while_nothing_is_stored(self, store: anp.Store) -> None:
        store.commit(born("e1", MEDIATED))
        store.commit(born("e2", MEDIATED, delivery_deadline=stamp(1)))
        for limit in (10, 1, 10):
            assert ids(store.due(LATER, limit=limit)) == ["e2", "e1"][:limit]
        assert ids(store.due(at(1), limit=10)) == ["e2"]

    def test_no_more_come_than_the_limit(self, store: anp.Store) -> None:
        for place in range(5):
            store.commit(born(f"e{place}", MEDIATED, delivery_deadline=stamp(place + 1)))
        assert ids(store.due(LATER, limit=0)) == []
        assert ids(store.due(LATER, limit=3)) == ["e0", "e1", "e2"]

    def test_what_is_due_comes_as_it_is_now(self, store: anp.Store) -> None:
        store.commit(born("e1", MEDIATED))
        store.commit(decided(event(store, "e1"), anp.Route()))
        assert list(store.due(LATER, limit=10)) == [store.get("e1")]
        assert event(store, "e1").status == "dispatched"

    def test_what_the_system_shows_has_no_deadline(self, store: anp.Store) -> None:
        for id, route in (("d1", DIRECT), ("f1", PASSIVE)):
            store.commit(born(id, route))
            store.commit(decided(event(store, id), anp.Route()))
        assert ids(store.due(at(10**7), limit=10)) == []

    def test_an_event_is_due_at_its_last_deadline_alone(self, store: anp.Store) -> None:
        store.commit(born("e1", MEDIATED))
        store.commit(decided(event(store, "e1"), anp.Route()))
        store.commit(decided(event(store, "e1"), anp.Extend(lease=1, until=stamp(600))))
        assert ids(store.due(at(599), limit=10)) == []
        assert ids(store.due(at(600), limit=10)) == ["e1"]
        store.commit(decided(event(store, "e1"), anp.Extend(lease=1, until=stamp(300))))
        assert ids(store.due(at(300), limit=10)) == ["e1"]
        store.commit(decided(event(store, "e1"), anp.Extend(lease=1, until=stamp(600))))
        assert ids(store.due(at(300), limit=10)) == []
        assert ids(store.due(at(900), limit=10)) == ["e1"]

    def test_an_escalated_event_is_due_when_it_was_not_seen(self, store: anp.Store) -> None:
        store.commit(born("e1", MEDIATED))
        store.commit(decided(event(store, "e1"), anp.Tick(), now=LATER))
        assert ids(store.due(at(10**5), limit=10)) == []
        assert ids(store.due(at(10**6), limit=10)) == ["e1"]
        store.commit(decided(event(store, "e1"), anp.ClientAck(lease=2, user_id=OLIVIA), now=LATER))
        assert ids(store.due(at(10**6), limit=10)) == []

    def test_a_lane_is_due_while_a_turn_runs_there(self, store: anp.Store) -> None:
        store.commit(lane_step(1, expected=0, turn=running(deadline=stamp(10))))
        store.commit(lane_step(2, expected=1, turn=running(deadline=stamp(10)), waiting=("d1",)))
        assert list(store.due(at(10), limit=10)) == [store.lane(LANE)]
        store.commit(lane_step(3, expected=2))
        assert ids(store.due(at(10), limit=10)) == []
        store.commit(lane_step(4, expected=3, turn=running("t2", deadline=stamp(20))))
        assert ids(store.due(at(19), limit=10)) == []
        assert ids(store.due(at(20), limit=10)) == [LANE]

    # All of it together

    def test_a_turn_from_an_event_to_its_narration_and_the_alert_that_waited(self, store: anp.Store) -> None:
        store.commit(born("m1", MEDIATED))
        store.commit(dispatch(store, "m1"))
        begun = begin(store, "m1")
        assert store.commit(begun)
        assert not store.commit(begun)
        store.commit(born("d1"))
        assert store.commit(dispatch(store, "d1"))
        assert store.lane(LANE).waiting == ("d1",)
        ended = end(store, begun, "It failed.", "m1")
        assert store.commit(ended)
        assert not store.commit(ended)
        assert [(one.id, one.status) for one in store.open(OLIVIA)] == [
            ("d1", "dispatched"),
            ("n1", "dispatched"),
        ]
        presented = [effect.id for effect in self._outbox(store) if isinstance(effect, anp.Present)]
        assert (presented, event(store, "m1").status) == (["n1", "d1"], "delivered")
        assert store.lane(LANE) == ended.lane
