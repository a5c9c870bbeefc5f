"""A host as small as can be, for the tests of turns: it stores every step at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from mentionable import Rejected, anp
from tests.anp.events import NOW, OLIVIA, decided, submission

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

E = TypeVar("E", bound=anp.EventEffect)

LANE = "user:olivia"
PER_SESSION = anp.Rules(lanes="session")

MEDIATED = ("user", "user", "agent")
AUTONOMOUS = ("user", "agent", "agent")
DIRECT = ("user", "user", "system")
PASSIVE = ("user", "agent", "system")
PILL = ("session", "user", "system")
SESSION_MEDIATED = ("session", "user", "agent")
SESSION_AUTONOMOUS = ("session", "agent", "agent")


class Host:
    """Olivia's events and lanes, in a ledger.

    Attributes:
        ledger: The ledger.
        rules: What the host decided.
    """

    def __init__(self, rules: anp.Rules | None = None) -> None:
        self.ledger = anp.Ledger()
        self.rules = rules or anp.Rules()
        self._ids: list[str] = []

    def submit(self, id: str, route: tuple[str, str, str], *, now: datetime = NOW, **members: Any) -> anp.Notification:
        """An event comes in, and goes nowhere yet."""
        event = submission(*route, **{"content": f"Event {id}.", **members})
        self._store(decided(None, anp.Submit(submission=event, id=id), now=now, rules=self.rules))
        self._ids.append(id)
        return self.event(id)

    def dispatch(self, id: str, *, lane: str | None = None, now: datetime = NOW, **facts: bool) -> anp.LaneStep:
        """An event goes where its flags say, or waits in its lane."""
        event = self.event(id)
        its = self.ledger.lane(lane or anp.lane_of(event, rules=self.rules))
        return self.taken(anp.dispatch(its, event, now=now, facts=anp.Facts(**facts), rules=self.rules))

    def add(self, id: str, route: tuple[str, str, str], *, now: datetime = NOW, **members: Any) -> anp.Notification:
        """An event comes in, and goes where its flags say."""
        self.submit(id, route, now=now, **members)
        self.dispatch(id, now=now)
        return self.event(id)

    def decide(self, id: str, command: anp.Command, *, now: datetime = NOW, **facts: bool) -> anp.Decision:
        """Something happens to an event outside any turn."""
        decision = decided(self.event(id), command, now=now, facts=anp.Facts(**facts), rules=self.rules)
        self._store(decision)
        return decision

    def tried(self, trigger: str | None = None, *, id: str = "t1", **how: Any) -> anp.LaneStep | Rejected:
        """A turn is to begin."""
        session = how.get("session_id")
        lane = self.ledger.lane(anp.lane_id(OLIVIA, session, rules=self.rules))
        event = self.event(trigger) if trigger is not None else None
        context = anp.TurnContext(events=how.pop("events", self.ledger.open(OLIVIA)), aware=how.pop("aware", ()))
        given: dict[str, Any] = {"context": context, "now": NOW, "rules": self.rules, **how}
        return anp.begin_turn(lane, id, user_id=OLIVIA, trigger=event, **given)

    def begin(self, trigger: str | None = None, *, id: str = "t1", **how: Any) -> anp.Turn:
        """A turn begins."""
        turn = self.taken(self.tried(trigger, id=id, **how)).turn
        assert turn is not None
        return turn

    def act(self, turn: anp.Turn, name: str = "send_mail", what: str | None = None, **how: Any) -> anp.LaneStep:
        """The agent calls a tool."""
        return self.taken(anp.act(self.ledger.lane(turn.lane_id), turn, name, what, **self._world(how)))

    def ended(self, turn: anp.Turn, output: str | None = None, *acks: str, **how: Any) -> anp.LaneStep | Rejected:
        """A turn is to end."""
        how = {"narration_id": f"n-{turn.id}", **how}
        lane = self.ledger.lane(turn.lane_id)
        return anp.commit_turn(lane, turn, output=output, acknowledged_ids=acks, **self._world(how))

    def end(self, turn: anp.Turn, output: str | None = None, *acks: str, **how: Any) -> anp.LaneStep:
        """A turn ends."""
        return self.taken(self.ended(turn, output, *acks, **how))

    def fail(self, turn: anp.Turn, **how: Any) -> anp.LaneStep:
        """A turn breaks off."""
        return self.taken(anp.fail_turn(self.ledger.lane(turn.lane_id), turn.id, **self._world(how)))

    def tick(self, now: datetime, lane: str = LANE, **how: Any) -> anp.LaneStep:
        """The watchdog looks at a lane."""
        return self.taken(anp.lane_tick(self.ledger.lane(lane), **self._world({"now": now, **how})))

    def taken(self, step: anp.LaneStep | Rejected) -> anp.LaneStep:
        """A step that nothing stands against, stored."""
        assert isinstance(step, anp.LaneStep), step
        self._store(step)
        return step

    def event(self, id: str) -> anp.Notification:
        """An event as it is stored."""
        found = self.ledger.get(id)
        assert found is not None, id
        return found

    def lane(self) -> anp.Lane:
        """Olivia's lane."""
        return self.ledger.lane(LANE)

    @property
    def events(self) -> dict[str, anp.Notification]:
        """All events, whatever became of them."""
        return {id: self.event(id) for id in self._ids}

    def _store(self, change: anp.Decision | anp.LaneStep) -> None:
        assert self.ledger.commit(change)

    def _world(self, how: dict[str, Any]) -> dict[str, Any]:
        return {"events": self.events, "now": NOW, "rules": self.rules, **how}


def awareness(ledger: anp.Ledger) -> list[tuple[int, anp.AgentAware]]:
    """What the agent should know of events, each with its place among all effects."""
    return [(at, one) for at, one in enumerate(ledger.outbox, 1) if isinstance(one, anp.AgentAware)]


def every(kind: type[E], effects: Iterable[anp.Effect]) -> list[E]:
    """The effects of a class, in order."""
    return [one for one in effects if isinstance(one, kind)]


def shown(step: anp.LaneStep) -> list[str]:
    """The events that a step shows to the human, in order."""
    return [one.id for one in every(anp.Present, step.all_effects)]


def ends(step: anp.LaneStep) -> dict[str, tuple[str, ...]]:
    """The way that each event takes in a step."""
    return {decision.record.id: decision.path for decision in step.decisions}


def refusals(step: anp.LaneStep) -> list[tuple[str, str]]:
    """The events for which something was refused, each with the code."""
    return [(id, no.code) for id, no in step.refused]


def code(outcome: object) -> str:
    """The code of a refusal."""
    assert isinstance(outcome, Rejected), outcome
    return outcome.code
