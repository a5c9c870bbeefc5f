"""Turns of an agent: they begin when an event asks for one or the user speaks, and end all at once or not at all."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol
from uuid import uuid4

from bus import ALL, Bus

from mentionable import Rejected, anp

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence


class Agent(Protocol):
    """What runs a turn: your model, with its tools."""

    def tools(self, turn: anp.Turn) -> Sequence[str]:
        """The tools that the agent wants to call."""

    def run(self, turn: anp.Turn, allowed: Sequence[str]) -> str | None:
        """What the model gives back, after the tools that it was allowed. None: it is still at it."""


class Ended(NamedTuple):
    """What became of some turns.

    Attributes:
        begun: How many began.
        hung: Those that did not come back. What they say later counts only while they have their lanes.
    """

    begun: int
    hung: list[anp.Turn]


class End(NamedTuple):
    """How a turn ends.

    Attributes:
        step: What it changes.
        answer: What the agent answers a user who spoke.
    """

    step: anp.LaneStep | Rejected
    answer: str | None = None


class Turns:
    """A worker that runs turns, those of several users at once.

    Args:
        bus: The worker's share in the host.
        agent: What runs a turn.
        actions: Which tools a human must be told of.
    """

    def __init__(self, bus: Bus, agent: Agent, actions: anp.Actions) -> None:
        self.bus, self.agent, self.actions = bus, agent, actions

    def take(self, *, limit: int = 16, shards: range = ALL) -> Ended:
        """Runs the turns that events ask for, those of several users at once.

        Args:
            limit: How many at most.
            shards: Of which users.
        """
        wanted = self._wanted(limit, shards)
        needless, begun = list[int](), dict[int, anp.LaneStep]()
        fresh = self.bus.store.some(id for _, _, id in wanted)
        for lane, place, id in wanted:
            if id not in fresh or self._lane_of(fresh[id]) != lane.id:  # it is looked at again
                continue
            step = self._begun(lane, fresh[id].user_id, fresh[id].addressed_session, fresh[id])
            if not isinstance(step, Rejected):
                begun[place] = step
            elif step.code != "lane-busy":
                needless.append(place)
        if needless:
            self.bus.store.commit(done=needless)
        return self._run(self._started(begun))

    def _wanted(self, limit: int, shards: range) -> list[tuple[anp.Lane, int, str]]:
        """Free lanes, with the event that is to start a turn there and the place of the effect that says so."""
        wanted: dict[str, tuple[anp.Lane, int, str]] = {}
        met = set[str]()
        while len(wanted) < limit:
            rows = self.bus.store.todo("agent", shards=shards, limit=6 * limit, blocked=met)
            if not rows:
                break
            needless = []
            events = self.bus.store.some(effect.id for _, effect in rows)
            lanes = self.bus.store.lanes(map(self._lane_of, events.values()))
            for place, effect in rows:
                event = events.get(effect.id)
                if event is None or event.responsible != "agent":  # nor will it ever be again
                    needless.append(place)
                    continue
                met.add(event.user_id)  # behind a lane that is busy, others come first
                lane = lanes[self._lane_of(event)]
                if lane.turn is None and len(wanted) < limit:
                    wanted.setdefault(lane.id, (lane, place, event.id))
            if needless:
                self.bus.store.commit(done=needless)
        return [*wanted.values()]

    def _lane_of(self, event: anp.Notification) -> str:
        """The lane in which the agent speaks of an event: that of its session even where the session has ended."""
        return anp.lane_id(event.user_id, event.addressed_session, rules=self.bus.rules)

    def converse(self, user_id: str, session_id: str | None = None) -> Ended:
        """Runs a turn because the user spoke: the agent reads what it should know by now."""
        lane = self.bus.store.lane(anp.lane_id(user_id, session_id, rules=self.bus.rules))
        step = self._begun(lane, user_id, session_id, None)
        if isinstance(step, Rejected):
            return Ended(0, [])
        return self._run(self._started({-1: step}))

    def _begun(
        self, lane: anp.Lane, user_id: str, session_id: str | None, trigger: anp.Notification | None
    ) -> anp.LaneStep | Rejected:
        """The beginning of a turn. Events are read after the lane: none is offered that a turn before has handled."""
        return anp.begin_turn(
            lane,
            _new_id(),
            user_id=user_id,
            session_id=session_id,
            trigger=trigger,
            context=anp.TurnContext(
                events=self._lazily(user_id), aware=self.bus.store.aware(lane, user_id, session_id)
            ),
            now=self.bus.clock(),
            rules=self.bus.rules,
        )

    def _lazily(self, user_id: str) -> Iterator[anp.Notification]:
        """The open events of a user, once they are needed."""
        yield from self.bus.store.open(user_id)

    def _started(self, begun: Mapping[int, anp.LaneStep]) -> list[tuple[int, anp.Turn]]:
        """The turns that got their lane, with the places of the effects that asked for them."""
        turns = [(place, step.turn) for place, step in begun.items() if step.turn is not None]
        if not begun or self.bus.store.commit(*begun.values()):
            return turns
        self.bus.conflicts += 1
        return [(place, turn) for place, turn in turns if self.bus.store.commit(begun[place])]

    def _run(self, turns: Sequence[tuple[int, anp.Turn]]) -> Ended:
        """Runs turns that have their lanes, and ends them."""
        hung: list[anp.Turn] = []
        said: dict[str, str | Exception] = {}
        for _, turn in turns:
            allowed = [name for name in self.agent.tools(turn) if self.ask(turn, name)]
            try:
                answer = self.agent.run(turn, allowed)
            except Exception as error:  # whatever a model or a tool may raise: the turn has failed
                said[turn.id] = error
                continue
            if answer is None:
                hung.append(turn)
            else:
                said[turn.id] = answer
        ended = [(place, turn) for place, turn in turns if turn.id in said]
        self._end(ended, said)
        return Ended(len(turns), hung)

    def ask(self, turn: anp.Turn, name: str) -> bool:
        """Whether a tool may run now. What it may do is stored before it runs."""
        kind = self.actions.classify(name)
        while True:
            lanes, events = self._world([turn])
            lane, facts = lanes[turn.lane_id], self.bus.facts(events.values())
            step = anp.act(
                lane, turn, name, kind, events=events, now=self.bus.clock(), facts=facts, rules=self.bus.rules
            )
            if isinstance(step, Rejected):
                return False
            if self.bus.store.commit(step):
                return True
            self.bus.conflicts += 1

    def ended(self, turn: anp.Turn, answer: str | Exception) -> anp.LaneStep | Rejected:
        """What the end of a turn changes."""
        return self._ended(turn, answer, *self._world([turn])).step

    def _ended(
        self,
        turn: anp.Turn,
        answer: str | Exception,
        lanes: Mapping[str, anp.Lane],
        events: Mapping[str, anp.Notification],
    ) -> End:
        """What the end of a turn changes, as its lane and events stand.

        `commit_turn` withholds what would tell the human twice of an event that was taken from the agent. This host
        goes further, since nobody has seen an answer before it is stored: it throws the answer of a conversation away
        too, and what was said of words that were replaced meanwhile.
        """
        lane, now, rules = lanes[turn.lane_id], self.bus.clock(), self.bus.rules
        facts = self.bus.facts(events.values())
        if not isinstance(answer, Exception):
            said = anp.read_output(answer)
            step = anp.commit_turn(
                lane,
                turn,
                events=events,
                now=now,
                output=said.output,
                acknowledged_ids=said.acknowledged_ids,
                narration_id=_new_id(),
                facts=facts,
                rules=rules,
            )
            told = {*said.acknowledged_ids, turn.trigger}
            if isinstance(step, Rejected) or said.output is None or not any(id in told for id, _ in step.refused):
                return End(step, said.output if turn.what == "conversation" else None)
        return End(anp.fail_turn(lane, turn.id, events=events, now=now, facts=facts, rules=rules))

    def _end(self, turns: Sequence[tuple[int, anp.Turn]], said: Mapping[str, str | Exception]) -> None:
        """Ends turns, all at once; where somebody was faster, each anew. What has lost its lane says nothing."""
        lookups = self._world(turn for _, turn in turns)
        ends = [self._ended(turn, said[turn.id], *lookups) for _, turn in turns]
        if not turns or self._stored(turns, ends):
            return
        self.bus.conflicts += 1
        for place, turn in turns:
            while not self._stored([(place, turn)], [self._ended(turn, said[turn.id], *self._world([turn]))]):
                self.bus.conflicts += 1

    def _stored(self, turns: Sequence[tuple[int, anp.Turn]], ends: Sequence[End]) -> bool:
        """Stores the ends of turns. The answer of a conversation goes out like an effect: it cannot get lost either."""
        steps, answers = list[anp.LaneStep](), list[tuple[str, anp.Effect]]()
        for (_, turn), end in zip(turns, ends, strict=True):
            if not isinstance(end.step, Rejected):
                steps.append(end.step)
                answers += [(turn.user_id, _answer(turn, end.answer))] if end.answer is not None else []
        return self.bus.store.commit(*steps, done=[place for place, _ in turns if place > 0], also=answers)

    def _world(self, turns: Iterable[anp.Turn]) -> tuple[dict[str, anp.Lane], dict[str, anp.Notification]]:
        """The lanes of turns, and then every event that their ends may change."""
        some = list(turns)
        lanes = self.bus.store.lanes(turn.lane_id for turn in some)
        ids = [one.id for turn in some for one in (*turn.grants, *turn.facts)]
        ids += [id for lane in lanes.values() for id in lane.waiting]
        return lanes, self.bus.store.some([*ids, *(turn.trigger for turn in some if turn.trigger is not None)])


def _new_id() -> str:
    """An id that nobody can guess: a plugin that submitted under it before would stand in its way."""
    return str(uuid4())


def _answer(turn: anp.Turn, output: str) -> anp.Present:
    """What the agent answers the user, as an effect of the host's own."""
    return anp.Present(
        id=turn.id,
        revision=1,
        lease=1,
        channel="chat" if turn.session_id is not None else "inbox",
        user_id=turn.user_id,
        content=output,
        session_id=turn.session_id,
        origin="agent",
    )
