"""The driver of the notification protocol: what turns decisions into a running host.

A `Bus` has one method for each thing that its workers do, in a loop, each worker in a process or thread of its own:

- `submit` takes events from plugins;
- `carry_out` empties the outbox: events go where their flags say, what is presented and settled goes to clients;
- `watch` hands over what nobody handled in time, and says when to look again;
- `hear` and `reconnect` are for clients (`device.py` is the other end of those);
- `turns.py` runs the turns of an agent.

Every method decides upon what is stored, stores decisions and effects at once, and decides anew where somebody else was
faster. It may be killed anywhere and run again.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeVar

from sql_store import SHARDS, Change, SqlStore

from mentionable import DecodeError, LimitError, Rejected, anp, replace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from device import Item

T = TypeVar("T")
ALL = range(SHARDS)


class Bus:
    """One worker of a host.

    Args:
        store: Where events are.
        rules: The times and numbers of the host.
        session_exists: Whether a session is still there.
        clock: The time.
    """

    def __init__(
        self,
        store: SqlStore,
        *,
        rules: anp.Rules,
        session_exists: Callable[[str], bool] = lambda _: True,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.store, self.rules = store, rules
        self.conflicts = 0
        self._session_exists, self.clock = session_exists, clock

    def settle(
        self, things: Sequence[T], decide: Callable[[Sequence[T]], Sequence[Change]], done: Callable[[T], int | None]
    ) -> None:
        """Decides upon things and stores it all at once; where somebody was faster, half by half, and each anew."""
        changes = decide(things)
        places = [place for place in map(done, things) if place is not None]
        if not (changes or places) or self.store.commit(*changes, done=places):
            return
        self.conflicts += 1
        middle = len(things) // 2
        for part in (things[:middle], things[middle:]) if middle else (things,):
            self.settle(part, decide, done)

    def facts(self, events: Iterable[anp.Notification]) -> dict[str, anp.Facts]:
        """How the world is for some events."""
        return {
            one.id: anp.Facts(session_exists=one.session_id is None or self._session_exists(one.session_id))
            for one in events
        }

    def _decided(self, event: anp.Notification | None, command: anp.Command) -> list[anp.Decision]:
        """A decision, if there is anything to store."""
        facts = self.facts([event]).get(event.id) if event is not None else None
        found = anp.decide(event, command, now=self.clock(), facts=facts or anp.Facts(), rules=self.rules)
        return [] if isinstance(found, Rejected) or not (found.changes or found.effects) else [found]

    # Plugins

    def submit(self, given: Sequence[tuple[str, anp.Submission]]) -> None:
        """Takes events with their ids. Once it returns, none of them can get lost; to give one again does no harm."""
        keyed: set[tuple[str, str]] = set()
        batch: list[tuple[str, anp.Submission]] = []
        for id, event in given:
            key = (event.user_id, event.deduplication_key or "")
            if key[1] and key in keyed:  # it is merged into one that must be stored first
                self.settle(batch, self._submitted, lambda _: None)
                batch, keyed = [], set()
            keyed.add(key)
            batch.append((id, event))
        self.settle(batch, self._submitted, lambda _: None)

    def _submitted(self, batch: Sequence[tuple[str, anp.Submission]]) -> list[Change]:
        known = self.store.some(id for id, _ in batch)
        changes: list[Change] = []
        for id, event in batch:
            found = known.get(id)
            if found is None and event.deduplication_key is not None:
                found = next(iter(self.store.open(event.user_id, deduplication_key=event.deduplication_key)), None)
            changes += self._decided(found, anp.Submit(submission=event, id=id))
        return changes

    # The outbox

    def carry_out(self, deliver: Callable[[Sequence[Item]], None], *, shards: range = ALL, limit: int = 200) -> int:
        """Carries effects out; how many. Only one worker at a time may serve a shard, or users see things out of order.

        Args:
            deliver: Sends items to all clients of their users. One may be sent twice.
            shards: Of which users.
            limit: How many effects at most.
        """
        count, full = 0, dict[str, str]()
        while rows := self.store.todo("bus", shards=shards, limit=limit, blocked=set(full.values())):
            before = len(full)
            count += self._carry_out(rows, deliver, full)
            if len(full) == before:
                break
        return count

    def _carry_out(
        self,
        rows: Sequence[tuple[int, anp.Effect]],
        deliver: Callable[[Sequence[Item]], None],
        full: dict[str, str],
    ) -> int:
        """Carries some effects out; how many. Events that find their lane full stay, and are noted with their users."""
        items = [found for _, effect in rows if (found := _item(effect)) is not None]
        if items:
            deliver(items)
        for _, effect in rows:
            if isinstance(effect, anp.MustSurface) and effect.notice is not None:
                self.submit([(effect.notice_id or effect.id, effect.notice)])
        self.settle(rows, lambda some: self._dispatched(some, full), lambda row: None if row[1].id in full else row[0])
        return sum(effect.id not in full for _, effect in rows)

    def _dispatched(self, rows: Sequence[tuple[int, anp.Effect]], full: dict[str, str]) -> list[Change]:
        """Sends events where their flags say: one step for each lane. For those in a full lane, ask again later."""
        ids = [*dict.fromkeys(effect.id for _, effect in rows if isinstance(effect, anp.Dispatch))]
        if not ids:
            return []
        events = self.store.some(ids)
        facts = self.facts(events.values())
        own = {event.id: anp.lane_of(event, facts=facts[event.id], rules=self.rules) for event in events.values()}
        lanes = self.store.lanes(own.values())
        steps: dict[str, list[anp.LaneStep]] = {}
        for event in (events[id] for id in ids if id in events):
            lane = lanes[own[event.id]]
            step = anp.dispatch(lane, event, now=self.clock(), facts=facts[event.id], rules=self.rules)
            full.pop(event.id, None)
            if not isinstance(step, Rejected):
                steps.setdefault(lane.id, []).append(step)
                lanes[lane.id] = step.lane
            elif step.code == "lane-full":
                full[event.id] = event.user_id
        return [_joined(some) for some in steps.values()]

    # The watchdog

    def watch(self, *, limit: int = 200) -> datetime | None:
        """Handles deadlines that have passed; when to look again, None: not before something else happens."""
        self.settle(self.store.due(self.clock(), limit=limit), self._overdue, lambda _: None)
        return self.store.next_deadline()

    def _overdue(self, due: Sequence[anp.Notification | anp.Lane]) -> list[Change]:
        changes: list[Change] = []
        events = self.store.some(one.id for one in due if isinstance(one, anp.Notification))
        for event in events.values():
            changes += self._decided(event, anp.Tick())
        for lane in self.store.lanes(one.id for one in due if isinstance(one, anp.Lane)).values():
            if lane.turn is not None:
                involved = self.store.some([*lane.waiting, lane.turn.trigger or ""])
                facts = self.facts(involved.values())
                step = anp.lane_tick(lane, events=involved, now=self.clock(), facts=facts, rules=self.rules)
                changes += [step] if step.lane.version != step.expected else []
        return changes

    # Clients

    def hear(self, said: Iterable[tuple[str, bytes]]) -> None:
        """Takes messages of clients: a human has an event before them, or this device cannot show it.

        Another device may. What could not be shown is presented again, until `Rules.attempts` have failed.

        Args:
            said: Whom the host has authenticated, with the JSON of a message. What is no message is passed over.
        """
        commands: dict[tuple[str, str], anp.Command] = {}
        for user_id, data in said:
            try:
                message = anp.client_message(data)
            except (DecodeError, LimitError):
                continue
            commands[user_id, message.id] = anp.command_of(message, user_id=user_id)
        self._commanded([(id, command) for (_, id), command in commands.items()])

    def reconnect(self, *user_ids: str) -> None:
        """Shows users again what nobody has acknowledged: a client of theirs is back.

        What is pending needs nothing: its `Dispatch` is in the outbox until it is carried out, or it waits in a lane.
        """
        opened = [event for user_id in user_ids for event in self.store.open(user_id)]
        self._commanded(
            [(event.id, anp.Reconnect(user_id=event.user_id)) for event in opened if event.status != "pending"]
        )

    def _commanded(self, commands: Sequence[tuple[str, anp.Command]]) -> None:
        def decided(some: Sequence[tuple[str, anp.Command]]) -> list[Change]:
            events = self.store.some(id for id, _ in some)
            return [one for id, command in some for one in self._decided(events.get(id), command)]

        self.settle(commands, decided, lambda _: None)


def _item(effect: anp.Effect) -> Item | None:
    """What clients are sent of an effect."""
    return effect if isinstance(effect, anp.Settled) else anp.presentation(effect)


def _joined(steps: Sequence[anp.LaneStep]) -> anp.LaneStep:
    """Steps of one lane, each decided upon what the one before has left, as one."""
    decisions = tuple(decision for step in steps for decision in step.decisions)
    return replace(steps[-1], expected=steps[0].expected, decisions=decisions)
