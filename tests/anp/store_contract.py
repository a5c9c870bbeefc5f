"""The contract of `anp.Store`, as tests that run on any store.

from tests.anp.store_contract import StoreContract

class TestSQLite(StoreContract):
    def new_store(self): ...            # an empty store; called once a test
    def effects(self, store): ...       # every effect that it holds, in order, as `anp.Effect`
    def close(self, store): ...         # optional
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from mentionable import anp
from mentionable.anp import Expected
from tests.anp.events import LATER, NOW, OLIVIA, at, decided, submission
from tests.anp.turns import AUTONOMOUS, DIRECT, LANE, MEDIATED, PASSIVE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ALEX = "alex"


def born(id: str, route: tuple[str, str, str] = DIRECT, **members: Any) -> anp.Decision:
    """A new event, as it is to be stored."""
    return decided(None, anp.Submit(submission=submission(*route, **members), id=id))


def expecting(decision: anp.Decision, **members: Any) -> anp.Decision:
    """The same decision, which expects something else of what is stored."""
    wanted = decision.expected
    assert wanted is not None
    given = {"status": wanted.status, "owner_lease": wanted.owner_lease, "version": wanted.version, **members}
    return anp.Decision(
        record=decision.record, expected=Expected(**given), path=decision.path, effects=decision.effects
    )


def lane_step(version: int, *, expected: int, id: str = LANE, **members: Any) -> anp.LaneStep:
    """A step of a lane that decides upon no event, unless `decisions` or `effects` are given."""
    rest = {name: members.pop(name) for name in ("decisions", "effects") if name in members}
    return anp.LaneStep(lane=anp.Lane(id=id, version=version, **members), expected=expected, **rest)


def running(id: str = "t1", *, deadline: str = "2026-11-21T21:01:00Z") -> anp.RunningTurn:
    return anp.RunningTurn(id=id, deadline=deadline)


def dispatched_effect(id: str) -> anp.Effect:
    return anp.Dispatch(id=id, revision=1, lease=1)


class StoreContract:
    """What every store does. Each test has an empty one."""

    def new_store(self) -> anp.Store:
        """An empty store."""
        raise NotImplementedError

    def effects(self, store: Any) -> Sequence[anp.Effect]:
        """Every effect that a store holds, in order."""
        raise NotImplementedError

    def close(self, store: Any) -> None:
        """The test is over."""

    @pytest.fixture
    def store(self) -> Iterator[anp.Store]:
        """The store of a test."""
        store = self.new_store()
        yield store
        self.close(store)

    # What is stored comes back

    def test_an_empty_store_has_no_events_and_every_lane(self, store):
        assert store.get("e1") is None
        assert list(store.open(OLIVIA)) == []
        assert list(store.open(OLIVIA, deduplication_key="k")) == []
        assert list(store.due(LATER, limit=10)) == []
        assert store.lane(LANE) == anp.Lane(id=LANE)
        assert store.commit()
        assert list(self.effects(store)) == []

    def test_an_event_comes_back_as_it_was_stored(self, store):
        told = anp.AgentInstructions(directive="Say “which”.\n", tone_hint="concise", extra={"x": 1})
        given = {
            "content": "Zeile\nzwei \U0001f600 ' \" \\ \u0001",
            "metadata": {"urgency": "high", "n": [1, 2.5, None, True]},
            "agent_instructions": told,
            "deduplication_key": "k'; DROP TABLE events; --",
            "session_id": "s1",
            "extra": {"unknown": {"a": "b"}},
        }
        event = decided(born("e1", MEDIATED, **given).record, anp.Route())
        assert store.commit(born("e1", MEDIATED, **given))
        assert store.commit(event)
        assert store.get("e1") == event.record

    def test_a_lane_comes_back_as_it_was_stored(self, store):
        turn = anp.RunningTurn(id="t", deadline=stamp(9), trigger="e1", lease=2, holder="w1", extra={"x": [1]})
        step = lane_step(
            1, expected=0, turn=turn, waiting=("d2", "d1"), cursor=7, cursors={"s2": 3, "s1": 4}, extra={"y": None}
        )
        assert store.commit(step)
        assert store.lane(LANE) == step.lane
        assert store.lane("user:alex") == anp.Lane(id="user:alex")

    def test_events_and_lanes_may_have_the_same_id(self, store):
        assert store.commit(born(LANE))
        step = anp.dispatch(store.lane(LANE), store.get(LANE), now=NOW)
        assert store.commit(step)
        assert store.get(LANE).status == "dispatched"
        assert store.lane(LANE) == step.lane

    # Compare and set

    def test_a_new_event_is_stored_once(self, store):
        assert store.commit(born("e1"))
        assert not store.commit(born("e1"))
        assert not store.commit(born("e1", content="Other."))
        assert store.get("e1").content == "Backup failed."
        assert len(self.effects(store)) == 2

    def test_of_two_decisions_upon_the_same_the_first_is_stored(self, store):
        store.commit(born("e1"))
        first = decided(store.get("e1"), anp.Route())
        second = decided(store.get("e1"), anp.Route())
        assert store.commit(first)
        assert not store.commit(second)
        assert not store.commit(first)
        assert store.get("e1") == first.record

    @pytest.mark.parametrize(
        "wrong", [{"status": "pending"}, {"owner_lease": 2}, {"version": 1}, {"version": 3}], ids=str
    )
    def test_status_lease_and_version_are_each_compared(self, store, wrong):
        store.commit(born("e1", MEDIATED))
        store.commit(decided(store.get("e1"), anp.Route()))
        before, effects = store.get("e1"), list(self.effects(store))
        claim = decided(before, anp.Claim(lease=1, holder="w1"))
        assert not store.commit(expecting(claim, **wrong))
        assert (store.get("e1"), list(self.effects(store))) == (before, effects)
        assert store.commit(claim)

    def test_a_decision_upon_an_event_that_is_not_there_is_not_stored(self, store):
        route = decided(born("e1").record, anp.Route())
        assert not store.commit(route)
        assert store.get("e1") is None

    def test_a_decision_that_changes_nothing_is_compared_all_the_same(self, store):
        store.commit(born("e1", MEDIATED))
        store.commit(decided(store.get("e1"), anp.Route()))
        early = decided(store.get("e1"), anp.Tick())
        assert (early.changes, len(early.effects)) == (False, 1)
        assert store.commit(early)
        assert store.commit(early)
        store.commit(decided(store.get("e1"), anp.Claim(lease=1, holder="w1")))
        held = len(self.effects(store))
        assert not store.commit(early)
        assert len(self.effects(store)) == held

    def test_the_version_of_a_lane_is_compared(self, store):
        assert not store.commit(lane_step(2, expected=1))
        assert store.commit(lane_step(1, expected=0, turn=running("t1")))
        assert not store.commit(lane_step(1, expected=0, turn=running("t2")))
        assert not store.commit(lane_step(3, expected=2, turn=running("t3")))
        assert store.lane(LANE).turn.id == "t1"
        assert store.commit(lane_step(2, expected=1, cursor=5))
        assert store.lane(LANE).cursor == 5

    def test_a_step_that_leaves_a_new_lane_as_it_is_is_stored_and_compared(self, store):
        still = lane_step(0, expected=0, decisions=(born("e1"),), effects=(dispatched_effect("x"),))
        assert store.commit(still)
        assert (store.get("e1").status, store.lane(LANE)) == ("pending", anp.Lane(id=LANE))
        assert len(self.effects(store)) == 3
        assert store.commit(lane_step(0, expected=0))
        assert not store.commit(lane_step(2, expected=1))
        assert store.commit(lane_step(1, expected=0, turn=running()))
        assert not store.commit(lane_step(0, expected=0, decisions=(born("e2"),)))
        assert (store.get("e2"), store.lane(LANE).turn) == (None, running())
        assert store.commit(lane_step(2, expected=1, cursor=3))
        assert store.lane(LANE) == anp.Lane(id=LANE, version=2, cursor=3)

    def test_a_lane_that_nothing_happens_to_may_be_stored_many_times(self, store):
        for id in ("d1", "d2"):
            assert store.commit(born(id))
            assert store.commit(anp.dispatch(store.lane(LANE), store.get(id), now=NOW))
        assert store.lane(LANE) == anp.Lane(id=LANE)
        assert store.commit(lane_step(1, expected=0, turn=running()))
        assert store.commit(lane_step(1, expected=1, turn=running()))

    # All or nothing

    @pytest.mark.parametrize("bad_first", [True, False])
    def test_of_several_changes_all_are_stored_or_none(self, store, bad_first):
        store.commit(born("e1"))
        good, bad = born("e2"), born("e1")
        effects = list(self.effects(store))
        assert not store.commit(*((bad, good) if bad_first else (good, bad)))
        assert (store.get("e2"), list(self.effects(store))) == (None, effects)
        assert store.commit(good, born("e3"))
        assert [event.id for event in store.open(OLIVIA)] == ["e1", "e2", "e3"]

    def test_a_step_whose_decision_does_not_fit_leaves_its_lane(self, store):
        step = lane_step(
            1,
            expected=0,
            turn=running(),
            decisions=(born("e1"), decided(born("e9").record, anp.Route())),
            effects=(dispatched_effect("x"),),
        )
        assert not store.commit(step)
        assert (store.get("e1"), store.lane(LANE), list(self.effects(store))) == (None, anp.Lane(id=LANE), [])

    def test_decisions_whose_lane_does_not_fit_are_not_stored(self, store):
        assert not store.commit(lane_step(2, expected=1, decisions=(born("e1"),)))
        assert (store.get("e1"), list(self.effects(store))) == (None, [])
        assert not store.commit(born("e2"), lane_step(2, expected=1))
        assert store.get("e2") is None

    def test_an_event_is_not_decided_upon_twice_in_one_commit(self, store):
        store.commit(born("e1"))
        route = decided(store.get("e1"), anp.Route())
        effects = list(self.effects(store))
        assert not store.commit(route, route)
        assert not store.commit(route, lane_step(1, expected=0, decisions=(route,)))
        assert not store.commit(lane_step(1, expected=0, decisions=(route, route)))
        assert not store.commit(born("e2"), born("e2", content="Other."))
        assert (store.get("e1").status, store.get("e2"), store.lane(LANE).version) == ("pending", None, 0)
        assert list(self.effects(store)) == effects

    def test_a_lane_does_not_take_two_steps_in_one_commit(self, store):
        assert not store.commit(lane_step(1, expected=0), lane_step(1, expected=0))
        assert not store.commit(lane_step(1, expected=0), lane_step(2, expected=1))
        assert not store.commit(lane_step(0, expected=0), lane_step(0, expected=0))
        assert store.lane(LANE) == anp.Lane(id=LANE)

    def test_two_lanes_may_change_in_one_commit(self, store):
        assert store.commit(lane_step(1, expected=0), lane_step(1, expected=0, id="user:alex"))
        assert [store.lane(id).version for id in (LANE, "user:alex")] == [1, 1]

    # One open event for each user and key

    @pytest.mark.parametrize("is_dispatched", [False, True], ids=["pending", "dispatched"])
    @pytest.mark.parametrize("route", [DIRECT, MEDIATED, PASSIVE, AUTONOMOUS], ids=" ".join)
    def test_a_key_is_taken_while_its_event_is_open(self, store, route, is_dispatched):
        store.commit(born("e1", route, deduplication_key="k"))
        if is_dispatched:
            store.commit(decided(store.get("e1"), anp.Route()))
        assert not store.commit(born("e2", deduplication_key="k"))
        assert [event.id for event in store.open(OLIVIA, deduplication_key="k")] == ["e1"]

    def test_a_key_is_taken_for_its_user_alone_and_to_the_letter(self, store):
        assert store.commit(born("e1", deduplication_key="k"))
        assert store.commit(born("e2", deduplication_key="K"))
        assert store.commit(born("e3", deduplication_key="k "))
        assert store.commit(born("e4", deduplication_key="k", user_id=ALEX))
        assert store.commit(born("e5"))
        assert store.commit(born("e6"))
        assert [event.id for event in store.open(ALEX, deduplication_key="k")] == ["e4"]

    def test_a_key_is_free_again_once_its_event_is_claimed_delivered_or_escalated(self, store):
        def ends(id: str, *commands: anp.Command) -> None:
            store.commit(born(id, MEDIATED, deduplication_key="k"))
            for command in (anp.Route(), *commands):
                assert store.commit(decided(store.get(id), command, now=LATER))
            assert list(store.open(OLIVIA, deduplication_key="k")) == []

        ends("e1", anp.Claim(lease=1, holder="w1"))
        ends("e2", anp.CommitTurn(lease=1, is_trigger=True, output="It failed.", narration_id="n2"))
        ends("e3", anp.TurnFailed(lease=1))
        assert store.commit(born("e4", deduplication_key="k"))
        assert [event.id for event in store.open(OLIVIA, deduplication_key="k")] == ["e4"]

    def test_what_happens_to_an_older_event_leaves_the_key_to_the_newer(self, store):
        store.commit(born("e1", MEDIATED, deduplication_key="k"))
        for command in (anp.Route(), anp.Claim(lease=1, holder="w1")):
            store.commit(decided(store.get("e1"), command))
        store.commit(born("e2", deduplication_key="k"))
        store.commit(decided(store.get("e1"), anp.TurnFailed(lease=1, holder="w1")))
        assert [event.id for event in store.open(OLIVIA, deduplication_key="k")] == ["e2"]
        assert not store.commit(born("e3", deduplication_key="k"))

    def test_two_new_events_of_one_commit_do_not_share_a_key(self, store):
        assert not store.commit(born("e1", deduplication_key="k"), born("e2", deduplication_key="k"))
        assert list(store.open(OLIVIA)) == []
        assert store.commit(born("e1", deduplication_key="k"), born("e2", deduplication_key="k2"))

    @pytest.mark.parametrize("is_first", [True, False], ids=["before", "behind"])
    def test_no_new_event_takes_a_key_that_the_same_commit_makes_free(self, store, is_first):
        store.commit(born("e1", MEDIATED, deduplication_key="k"))
        store.commit(decided(store.get("e1"), anp.Route()))
        before, effects = store.get("e1"), list(self.effects(store))
        frees, takes = decided(before, anp.Claim(lease=1, holder="w1")), born("e2", deduplication_key="k")
        assert not store.commit(*((takes, frees) if is_first else (frees, takes)))
        assert not store.commit(lane_step(1, expected=0, decisions=(frees, takes)))
        assert (store.get("e1"), store.get("e2"), list(self.effects(store))) == (before, None, effects)
        assert store.commit(frees)
        assert store.commit(takes)

    def test_new_words_go_into_the_open_event(self, store):
        store.commit(born("e1", deduplication_key="k"))
        (match,) = store.open(OLIVIA, deduplication_key="k")
        again = submission(*DIRECT, content="Twice.", deduplication_key="k")
        assert store.commit(decided(match, anp.Submit(submission=again, id="e2")))
        assert [(event.id, event.content, event.revision) for event in store.open(OLIVIA)] == [("e1", "Twice.", 2)]

    # Order

    def test_effects_are_kept_in_the_order_in_which_they_are_to_happen(self, store):
        store.commit(born("e1"))
        store.commit(born("e0"))
        first, second = (decided(store.get(id), anp.Route()) for id in ("e1", "e0"))
        step = lane_step(
            1,
            expected=0,
            effects=(dispatched_effect("z"), dispatched_effect("y")),
            decisions=(first, second),
        )
        given = [*born("e1").effects, *born("e0").effects]
        assert list(self.effects(store)) == given
        assert store.commit(born("e9"), step, born("e3"))
        wanted = [*given, *born("e9").effects, *step.all_effects, *born("e3").effects]
        assert list(self.effects(store)) == wanted
        assert [effect.kind for effect in step.all_effects][:4] == ["dispatch", "dispatch", "present", "agent_aware"]

    def test_open_events_come_in_the_order_in_which_they_were_submitted(self, store):
        for id in ("e3", "e1", "e2"):
            store.commit(born(id, MEDIATED))
        store.commit(born("x", MEDIATED, user_id=ALEX))
        store.commit(born("e0", MEDIATED), born("e4", MEDIATED))
        store.commit(decided(store.get("e1"), anp.Route()))
        store.commit(decided(store.get("e3"), anp.Route()))
        assert [event.id for event in store.open(OLIVIA)] == ["e3", "e1", "e2", "e0", "e4"]

    def test_locked_and_escalated_events_are_still_to_be_heard_of_and_terminal_ones_are_not(self, store):
        for id in ("e1", "e2", "e3", "e4"):
            store.commit(born(id, MEDIATED))
            store.commit(decided(store.get(id), anp.Route()))
        store.commit(decided(store.get("e1"), anp.Claim(lease=1, holder="w1")))
        for id in ("e2", "e3", "e4"):
            store.commit(decided(store.get(id), anp.TurnFailed(lease=1)))
        store.commit(decided(store.get("e3"), anp.ClientAck(lease=2, user_id=OLIVIA)))
        store.commit(decided(store.get("e4"), anp.DeliveryFailed(lease=2)))
        assert [(event.id, event.status) for event in store.open(OLIVIA)] == [("e1", "locked"), ("e2", "escalated")]
        assert [store.get(id).status for id in ("e3", "e4")] == ["delivered", "failed"]

    # What is due

    def test_events_and_lanes_come_earliest_first_and_never_before_their_time(self, store):
        for id, seconds in (("e3", 30), ("e1", 10), ("e2", 20)):
            store.commit(born(id, MEDIATED, delivery_deadline=stamp(seconds)))
        store.commit(lane_step(1, expected=0, turn=running(deadline=stamp(15))))
        assert ids(store.due(at(9.999), limit=10)) == []
        assert ids(store.due(at(10), limit=10)) == ["e1"]
        assert ids(store.due(at(25), limit=10)) == ["e1", LANE, "e2"]
        assert ids(store.due(at(10**6), limit=10)) == ["e1", LANE, "e2", "e3"]

    def test_what_is_due_stays_so_until_something_is_stored(self, store):
        store.commit(born("e1", MEDIATED))
        store.commit(born("e2", MEDIATED, delivery_deadline=stamp(1)))
        for limit in (10, 1, 10):
            assert ids(store.due(LATER, limit=limit)) == ["e2", "e1"][:limit]
        assert ids(store.due(at(1), limit=10)) == ["e2"]

    def test_so_many_are_given_and_no_more(self, store):
        for place in range(5):
            store.commit(born(f"e{place}", MEDIATED, delivery_deadline=stamp(place + 1)))
        assert ids(store.due(LATER, limit=0)) == []
        assert ids(store.due(LATER, limit=3)) == ["e0", "e1", "e2"]

    def test_what_is_due_is_given_as_it_is_now(self, store):
        store.commit(born("e1", MEDIATED))
        store.commit(decided(store.get("e1"), anp.Route()))
        assert list(store.due(LATER, limit=10)) == [store.get("e1")]
        assert store.get("e1").status == "dispatched"

    def test_what_the_system_shows_has_no_deadline(self, store):
        for id, route in (("d1", DIRECT), ("f1", PASSIVE)):
            store.commit(born(id, route))
            store.commit(decided(store.get(id), anp.Route()))
        assert ids(store.due(at(10**7), limit=10)) == []

    def test_an_event_is_due_at_its_last_deadline_alone(self, store):
        store.commit(born("e1", MEDIATED))
        store.commit(decided(store.get("e1"), anp.Route()))
        store.commit(decided(store.get("e1"), anp.Extend(lease=1, until=stamp(600))))
        assert ids(store.due(at(599), limit=10)) == []
        assert ids(store.due(at(600), limit=10)) == ["e1"]
        store.commit(decided(store.get("e1"), anp.Extend(lease=1, until=stamp(300))))
        assert ids(store.due(at(300), limit=10)) == ["e1"]
        store.commit(decided(store.get("e1"), anp.Extend(lease=1, until=stamp(600))))
        assert ids(store.due(at(300), limit=10)) == []
        assert ids(store.due(at(900), limit=10)) == ["e1"]

    def test_an_escalated_event_is_due_when_nobody_has_seen_it(self, store):
        store.commit(born("e1", MEDIATED))
        store.commit(decided(store.get("e1"), anp.Tick(), now=LATER))
        assert ids(store.due(at(10**5), limit=10)) == []
        assert ids(store.due(at(10**6), limit=10)) == ["e1"]
        store.commit(decided(store.get("e1"), anp.ClientAck(lease=2, user_id=OLIVIA), now=LATER))
        assert ids(store.due(at(10**6), limit=10)) == []

    def test_a_lane_is_due_while_a_turn_runs_there(self, store):
        store.commit(lane_step(1, expected=0, turn=running(deadline=stamp(10))))
        store.commit(lane_step(2, expected=1, turn=running(deadline=stamp(10)), waiting=("d1",)))
        assert list(store.due(at(10), limit=10)) == [store.lane(LANE)]
        store.commit(lane_step(3, expected=2))
        assert ids(store.due(at(10), limit=10)) == []
        store.commit(lane_step(4, expected=3, turn=running("t2", deadline=stamp(20))))
        assert ids(store.due(at(19), limit=10)) == []
        assert ids(store.due(at(20), limit=10)) == [LANE]

    # All of it together

    def test_a_turn_from_an_event_to_its_narration_and_the_alert_that_waited(self, store):
        store.commit(born("m1", MEDIATED))
        store.commit(anp.dispatch(store.lane(LANE), store.get("m1"), now=NOW))
        begun = anp.begin_turn(
            store.lane(LANE),
            "t1",
            user_id=OLIVIA,
            trigger=store.get("m1"),
            now=NOW,
            context=anp.TurnContext(events=store.open(OLIVIA)),
        )
        assert store.commit(begun)
        assert not store.commit(begun)
        store.commit(born("d1"))
        assert store.commit(anp.dispatch(store.lane(LANE), store.get("d1"), now=NOW))
        assert store.lane(LANE).waiting == ("d1",)
        ended = anp.commit_turn(
            store.lane(LANE),
            begun.turn,
            events={event.id: event for event in store.open(OLIVIA)},
            now=NOW,
            output="It failed.",
            acknowledged_ids=["m1"],
            narration_id="n1",
        )
        assert store.commit(ended)
        assert not store.commit(ended)
        assert [(event.id, event.status) for event in store.open(OLIVIA)] == [
            ("d1", "dispatched"),
            ("n1", "dispatched"),
        ]
        shown = [effect.id for effect in self.effects(store) if isinstance(effect, anp.Present)]
        assert (shown, store.get("m1").status) == (["n1", "d1"], "delivered")
        assert store.lane(LANE) == ended.lane


def stamp(seconds: float) -> str:
    """A moment so many seconds after `NOW`, as text."""
    return at(seconds).isoformat().replace("+00:00", "Z")


def ids(found: Sequence[anp.Notification | anp.Lane]) -> list[str]:
    """The ids of events and lanes."""
    return [one.id for one in found]
