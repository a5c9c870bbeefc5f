"""The program of `mentionable demo anp`: a ledger in memory, a client, and a clock that the demo sets."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import TypeVar

from ... import anp
from ..._flow.outcome import Rejected
from .steps import NOW
from .story import DemoFailed, expect

E = TypeVar("E", bound=anp.EventEffect)

OLIVIA = "olivia"


class Host:
    """Reads events, asks the library for a decision, stores it, and carries out its effects.

    Attributes:
        ledger: The store of events.
        now: The time.
        screen: Every presentation that the client showed or replaced, in order.
        lines: Event → what the client remembers of it.
        turns: The turns of the agent that should start.
    """

    def __init__(self) -> None:
        self.ledger = anp.Ledger()
        self.now = NOW
        self.screen: list[anp.Presentation] = []
        self.lines: dict[str, anp.Seen] = {}
        self.turns: list[anp.StartTurn] = []
        self._counts: dict[str, int] = {}
        self._done = 0

    @property
    def showings(self) -> str:
        """How often the client showed, replaced or repeated something."""
        return ", ".join(f"{showing} × {count}" for showing, count in self._counts.items())

    # -- events

    def event(self, id: str) -> anp.Notification:
        """The event under an id."""
        return expect(self.ledger.get(id), anp.Notification, "plugin")

    def submit(self, content: str, flags: anp.Routing, id: str, *, key: str | None = None) -> None:
        """A plugin submits an event."""
        submission = anp.Submission(
            content=content, user_id=OLIVIA, session_id="s1", routing=flags, deduplication_key=key
        )
        same = self.ledger.open(OLIVIA, deduplication_key=key) if key else ()
        command = anp.Submit(submission=submission, id=id)
        self.store(expect(anp.decide(same[0] if same else None, command, now=self.now), anp.Decision, "plugin"))

    def decide(self, id: str, command: anp.Command) -> anp.Decision | Rejected:
        """The decision, not yet stored."""
        return anp.decide(self.ledger.get(id), command, now=self.now)

    def command(self, id: str, command: anp.Command) -> anp.Decision | Rejected:
        """Decide, store the decision, and carry out its effects."""
        outcome = self.decide(id, command)
        if isinstance(outcome, anp.Decision):
            self.store(outcome)
        return outcome

    def tick(self, id: str) -> anp.Decision | Rejected:
        """The watchdog looks at an event."""
        return self.command(id, anp.Tick())

    def acknowledge(self, item: anp.Presentation) -> anp.Decision | Rejected:
        """Olivia acknowledges a presentation."""
        return self.command(item.id, anp.acknowledge(item, user_id=OLIVIA))

    def until_due(self) -> timedelta:
        """Set the clock to the next deadline; return how long that took."""
        before, due = self.now, anp.next_deadline(self.ledger.open(OLIVIA))
        if due is None:
            raise DemoFailed("watchdog", "a deadline", "none")
        self.now = max(due, before)
        return self.now - before

    # -- turns

    def begin(self, turn_id: str, *, trigger: str | None = None, session: str | None = None) -> anp.Turn:
        """Begin a turn of the agent."""
        event = self.event(trigger) if trigger is not None else None
        if event is not None and event.routing.address == "session":
            session = event.session_id
        lane = self.ledger.lane(anp.lane_id(OLIVIA, session))
        events = self.ledger.open(OLIVIA)
        step = anp.begin_turn(
            lane,
            turn_id,
            user_id=OLIVIA,
            session_id=session,
            context=anp.TurnContext(events=events),
            trigger=event,
            now=self.now,
        )
        begun = expect(step, anp.LaneStep, "agent")
        self.store(begun)
        return expect(begun.turn, anp.Turn, "agent")

    def act(self, turn: anp.Turn, tool: str, classification: str) -> anp.LaneStep | Rejected:
        """Ask whether the agent may call a tool."""
        lane = self.ledger.lane(turn.lane_id)
        step = anp.act(lane, turn, tool, classification, events=self._events(lane, turn), now=self.now)
        if isinstance(step, anp.LaneStep):
            self.store(step)
        return step

    def finish(self, turn: anp.Turn, output: str | None, acknowledged: Sequence[str]) -> anp.LaneStep:
        """End the turn."""
        lane = self.ledger.lane(turn.lane_id)
        committed = anp.commit_turn(
            lane,
            turn,
            events=self._events(lane, turn),
            output=output,
            acknowledged_ids=acknowledged,
            narration_id=f"{turn.id}:output",
            now=self.now,
        )
        step = expect(committed, anp.LaneStep, "agent")
        self.store(step)
        return step

    def _events(self, lane: anp.Lane, turn: anp.Turn) -> dict[str, anp.Notification]:
        ids = [*lane.waiting, *(one.id for one in (*turn.grants, *turn.facts))]
        return {id: self.event(id) for id in ids}

    # -- effects

    def store(self, change: anp.Decision | anp.LaneStep) -> bool:
        """Store a change and carry out its effects; False if the store has changed meanwhile."""
        if not self.ledger.commit(change):
            return False
        while self._done < len(self.ledger.outbox):
            effect = self.ledger.outbox[self._done]
            self._done += 1
            self._carry_out(effect)
        return True

    def effects(self, kind: type[E]) -> list[E]:
        """All effects of one type, in order."""
        return [one for one in self.ledger.outbox if isinstance(one, kind)]

    def _carry_out(self, effect: anp.Effect) -> None:
        match effect:
            case anp.Dispatch(id=id):
                event = self.event(id)
                lane = self.ledger.lane(anp.lane_of(event))
                self.store(expect(anp.dispatch(lane, event, now=self.now), anp.LaneStep, "agent"))
            case anp.StartTurn():
                self.turns.append(effect)
            case _:
                item = anp.presentation(effect)
                if item is not None:
                    self.show(item)

    def show(self, item: anp.Presentation) -> str:
        """Olivia's client receives a presentation; returns what it does: `show`, `replace`, `repeat` or `stale`."""
        reception = anp.receive_presentation(item, self.lines.get(item.id))
        self._counts[reception.showing] = self._counts.get(reception.showing, 0) + 1
        if reception.showing in ("show", "replace"):
            self.lines[item.id] = reception.seen
            self.screen.append(item)
        return reception.showing
