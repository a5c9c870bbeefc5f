"""The events, lanes and decisions that the tests of stores store."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final, TypeAlias

from ... import anp
from ..._model.base import replace

Flags: TypeAlias = tuple[Any, Any, Any]
"""Address, target and handler of an event."""

NOW: Final = datetime(2026, 11, 21, 20, 56, tzinfo=UTC)
LATER: Final = NOW + timedelta(minutes=2)
"""When the usual deadline has come."""

OLIVIA: Final = "olivia"
ALEX: Final = "alex"
LANE: Final = "user:olivia"

DIRECT: Final[Flags] = ("user", "user", "system")
MEDIATED: Final[Flags] = ("user", "user", "agent")
PASSIVE: Final[Flags] = ("user", "agent", "system")
AUTONOMOUS: Final[Flags] = ("user", "agent", "agent")


def at(seconds: float) -> datetime:
    """So many seconds after `NOW`."""
    return NOW + timedelta(seconds=seconds)


def stamp(seconds: float) -> str:
    """The same as text."""
    return at(seconds).isoformat().replace("+00:00", "Z")


def submission(route: Flags = DIRECT, **members: Any) -> anp.Submission:
    """An event as a plugin submits it."""
    address, target, handler = route
    routing = anp.Routing(address=address, target=target, handler=handler)
    return anp.Submission(**{"content": "Backup failed.", "user_id": OLIVIA, "routing": routing, **members})


def decided(record: anp.Notification | None, command: anp.Command, *, now: datetime = NOW) -> anp.Decision:
    """What is decided, where it is not refused."""
    decision = anp.decide(record, command, now=now)
    assert isinstance(decision, anp.Decision), decision
    return decision


def born(id: str, route: Flags = DIRECT, **members: Any) -> anp.Decision:
    """A new event, as it is to be stored."""
    return decided(None, anp.Submit(submission=submission(route, **members), id=id))


def expecting(decision: anp.Decision, **members: Any) -> anp.Decision:
    """The same decision, which expects something else of what is stored."""
    assert decision.expected is not None
    return replace(decision, expected=replace(decision.expected, **members))


def lane_step(version: int, *, expected: int, id: str = LANE, **members: Any) -> anp.LaneStep:
    """A step of a lane that decides upon no event, unless `decisions` say so."""
    rest = {name: members.pop(name) for name in ("decisions", "effects") if name in members}
    return anp.LaneStep(lane=anp.Lane(id=id, version=version, **members), expected=expected, **rest)


def running(id: str = "t1", *, deadline: str = "2026-11-21T21:01:00Z") -> anp.RunningTurn:
    """A turn that has a lane."""
    return anp.RunningTurn(id=id, deadline=deadline)


def dispatched_effect(id: str) -> anp.Effect:
    """An effect that belongs to no event."""
    return anp.Dispatch(id=id, revision=1, lease=1)


def event(store: anp.Store, id: str) -> anp.Notification:
    """An event that is stored."""
    stored = store.get(id)
    assert stored is not None, id
    return stored


def dispatch(store: anp.Store, id: str) -> anp.LaneStep:
    """The step that sends an event where it goes."""
    return _step(anp.dispatch(store.lane(LANE), event(store, id), now=NOW))


def begin(store: anp.Store, trigger: str) -> anp.LaneStep:
    """The step that begins a turn."""
    context = anp.TurnContext(events=store.open(OLIVIA))
    return _step(
        anp.begin_turn(store.lane(LANE), "t1", user_id=OLIVIA, trigger=event(store, trigger), now=NOW, context=context)
    )


def end(store: anp.Store, begun: anp.LaneStep, output: str, *acknowledged_ids: str) -> anp.LaneStep:
    """The step that ends a turn."""
    assert begun.turn is not None
    answer: dict[str, Any] = {"output": output, "acknowledged_ids": acknowledged_ids, "narration_id": "n1"}
    events = {one.id: one for one in store.open(OLIVIA)}
    return _step(anp.commit_turn(store.lane(LANE), begun.turn, events=events, now=NOW, **answer))


def _step(outcome: object) -> anp.LaneStep:
    assert isinstance(outcome, anp.LaneStep), outcome
    return outcome


def ids(stored: Sequence[anp.Notification | anp.Lane]) -> list[str]:
    """The ids of events and lanes."""
    return [one.id for one in stored]
