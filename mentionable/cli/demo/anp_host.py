"""The host of `mentionable demo anp`: a ledger in memory, a client, and a clock that is set by hand."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import TypeVar

from ... import anp
from ..._flow.outcome import Rejected
from .steps import NOW
from .tell import Wrong, passed

E = TypeVar("E", bound=anp.EventEffect)

OLIVIA = "olivia"


class Host:
    """What reads, asks the library, stores, and then does what it was told.

    Attributes:
        ledger: What is stored.
        now: The time.
        screen: What was shown to Olivia, in order, each time it was shown or replaced.
        lines: Event → what the client keeps of it: as many as Olivia has before her.
        showings: How often the client showed something for the first time, and how often it replaced it.
        turns: The turns of the agent that are wanted.
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
        """How often the client did what, in words."""
        return ", ".join(f"{showing} × {count}" for showing, count in self._counts.items())

    # -- events

    def event(self, id: str) -> anp.Notification:
        """The event under an id."""
        return passed(self.ledger.get(id), anp.Notification, "plugin")

    def submit(self, content: str, flags: anp.Routing, id: str, *, key: str | None = None) -> None:
        """A plugin submits an event."""
        given = anp.Submission(content=content, user_id=OLIVIA, session_id="s1", routing=flags, deduplication_key=key)
        same = self.ledger.open(OLIVIA, deduplication_key=key) if key else ()
        command = anp.Submit(submission=given, id=id)
        self.store(passed(anp.decide(same[0] if same else None, command, now=self.now), anp.Decision, "plugin"))

    def decide(self, id: str, command: anp.Command) -> anp.Decision | Rejected:
        """What is decided, and not yet stored."""
        return anp.decide(self.ledger.get(id), command, now=self.now)

    def command(self, id: str, command: anp.Command) -> anp.Decision | Rejected:
        """What is decided, stored and done."""
        found = self.decide(id, command)
        if isinstance(found, anp.Decision):
            self.store(found)
        return found

    def tick(self, id: str) -> anp.Decision | Rejected:
        """The watchdog looks at an event."""
        return self.command(id, anp.Tick())

    def acknowledge(self, shown: anp.Presentation) -> anp.Decision | Rejected:
        """Olivia has seen what was shown."""
        return self.command(shown.id, anp.acknowledge(shown, user_id=OLIVIA))

    def until_due(self) -> timedelta:
        """Lets the time pass until the watchdog must look; how long that was."""
        before, due = self.now, anp.next_deadline(self.ledger.open(OLIVIA))
        if due is None:
            raise Wrong("watchdog", "a deadline", "none")
        self.now = max(due, before)
        return self.now - before

    def is_due(self) -> bool:
        """Whether the watchdog must look now."""
        return bool(self.ledger.due(self.now, limit=1))

    # -- turns

    def begin(self, turn_id: str, *, trigger: str | None = None, session: str | None = None) -> anp.Turn:
        """A turn of the agent begins."""
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
        begun = passed(step, anp.LaneStep, "agent")
        self.store(begun)
        return passed(begun.turn, anp.Turn, "agent")

    def act(self, turn: anp.Turn, tool: str, classification: str) -> anp.LaneStep | Rejected:
        """The agent asks for a tool."""
        lane = self.ledger.lane(turn.lane_id)
        step = anp.act(lane, turn, tool, classification, events=self._events(lane, turn), now=self.now)
        if isinstance(step, anp.LaneStep):
            self.store(step)
        return step

    def finish(self, turn: anp.Turn, output: str | None, acknowledged: Sequence[str]) -> anp.LaneStep:
        """The agent ends its turn."""
        lane = self.ledger.lane(turn.lane_id)
        committed = anp.commit_turn(
            lane,
            turn,
            events=self._events(lane, turn),
            output=output,
            acknowledged_ids=acknowledged,
            narration_id=f"{turn.id}:said",
            now=self.now,
        )
        step = passed(committed, anp.LaneStep, "agent")
        self.store(step)
        return step

    def _events(self, lane: anp.Lane, turn: anp.Turn) -> dict[str, anp.Notification]:
        ids = [*lane.waiting, *(one.id for one in (*turn.grants, *turn.facts))]
        return {id: self.event(id) for id in ids}

    # -- what is done

    def store(self, change: anp.Decision | anp.LaneStep) -> bool:
        """Stores a change and does what it says; False where something else is stored meanwhile."""
        if not self.ledger.commit(change):
            return False
        while self._done < len(self.ledger.outbox):
            effect = self.ledger.outbox[self._done]
            self._done += 1
            self._carry_out(effect)
        return True

    def effects(self, kind: type[E]) -> list[E]:
        """All effects of a kind, in order."""
        return [one for one in self.ledger.outbox if isinstance(one, kind)]

    def _carry_out(self, effect: anp.Effect) -> None:
        match effect:
            case anp.Dispatch(id=id):
                event = self.event(id)
                lane = self.ledger.lane(anp.lane_of(event))
                self.store(passed(anp.dispatch(lane, event, now=self.now), anp.LaneStep, "agent"))
            case anp.PresentNarration(narration=narration, narration_id=id):
                command = anp.Submit(submission=narration, id=id)
                self.store(passed(anp.decide(self.ledger.get(id), command, now=self.now), anp.Decision, "Olivia"))
            case anp.StartTurn():
                self.turns.append(effect)
            case _:
                shown = anp.presentation(effect)
                if shown is not None:
                    self.show(shown)

    def show(self, shown: anp.Presentation) -> str:
        """What the client of Olivia does with what comes: `show`, `replace`, `repeat` or `stale`."""
        reception = anp.receive_presentation(shown, self.lines.get(shown.id))
        self._counts[reception.showing] = self._counts.get(reception.showing, 0) + 1
        if reception.showing in ("show", "replace"):
            self.lines[shown.id] = reception.seen
            self.screen.append(shown)
        return reception.showing
