"""The program of `mentionable demo anp`: a ledger in memory, a client, and a clock that the demo sets."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import TypeVar

from ... import anp
from ..._flow.outcome import Rejected
from .story import NOW, DemoFailed, expect

E = TypeVar("E", bound=anp.EventEffect)

OLIVIA = "olivia"


class Host:
    """Reads events, asks the library for a decision, stores it, and carries out its effects.

    Attributes:
        ledger: The store of events.
        now: The time.
        screen: Every presentation that the client showed or replaced, in order.
        lines: Event → what the client remembers of it.
        showings: How often the client showed, replaced or repeated something.
    """

    def __init__(self) -> None:
        self.ledger, self.now = anp.Ledger(), NOW
        self.screen: list[anp.Presentation] = []
        self.lines: dict[str, anp.Seen] = {}
        self.showings: Counter[str] = Counter()
        self._done = 0

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
        self._store(expect(anp.decide(same[0] if same else None, command, now=self.now), anp.Decision, "plugin"))

    def command(self, id: str, command: anp.Command) -> anp.Decision | Rejected:
        """Decide, store the decision, and carry out its effects."""
        outcome = anp.decide(self.ledger.get(id), command, now=self.now)
        if isinstance(outcome, anp.Decision):
            self._store(outcome)
        return outcome

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
        event = None if trigger is None else self.event(trigger)
        if event is not None and event.routing.address == "session":
            session = event.session_id
        lane = self.ledger.lane(anp.lane_id(OLIVIA, session))
        context = anp.TurnContext(events=self.ledger.open(OLIVIA))
        step = anp.begin_turn(
            lane, turn_id, user_id=OLIVIA, session_id=session, context=context, trigger=event, now=self.now
        )
        return expect(self._step(step).turn, anp.Turn, "agent")

    def act(self, turn: anp.Turn, tool: str, classification: str) -> anp.LaneStep | Rejected:
        """Ask whether the agent may call a tool."""
        lane = self.ledger.lane(turn.lane_id)
        step = anp.act(lane, turn, tool, classification, events=self._events(lane, turn), now=self.now)
        return step if isinstance(step, Rejected) else self._step(step)

    def finish(self, turn: anp.Turn, output: str | None, *acknowledged: str) -> anp.LaneStep:
        """End the turn."""
        lane = self.ledger.lane(turn.lane_id)
        return self._step(
            anp.commit_turn(
                lane,
                turn,
                events=self._events(lane, turn),
                output=output,
                acknowledged_ids=acknowledged,
                narration_id=f"{turn.id}:output",
                now=self.now,
            )
        )

    def _events(self, lane: anp.Lane, turn: anp.Turn) -> dict[str, anp.Notification]:
        ids = [*lane.waiting, *(one.id for one in (*turn.grants, *turn.facts))]
        return {id: self.event(id) for id in ids}

    def _step(self, outcome: object) -> anp.LaneStep:
        """Store a step of a lane, which must succeed."""
        step = expect(outcome, anp.LaneStep, "agent")
        self._store(step)
        return step

    # -- effects

    def effects(self, kind: type[E]) -> list[E]:
        """All effects of one type, in order."""
        return [effect for effect in self.ledger.outbox if isinstance(effect, kind)]

    def _store(self, change: anp.Decision | anp.LaneStep) -> None:
        """Store a change and carry out its effects."""
        self.ledger.commit(change)
        while self._done < len(self.ledger.outbox):
            effect = self.ledger.outbox[self._done]
            self._done += 1
            if isinstance(effect, anp.Dispatch):
                event = self.event(effect.id)
                self._step(anp.dispatch(self.ledger.lane(anp.lane_of(event)), event, now=self.now))
            elif (item := anp.presentation(effect)) is not None:
                self.show(item)

    def show(self, item: anp.Presentation) -> str:
        """Olivia's client receives a presentation; returns what it does: `show`, `replace`, `repeat` or `stale`."""
        reception = anp.receive_presentation(item, self.lines.get(item.id))
        self.showings[reception.showing] += 1
        if reception.showing in ("show", "replace"):
            self.lines[item.id] = reception.seen
            self.screen.append(item)
        return reception.showing
