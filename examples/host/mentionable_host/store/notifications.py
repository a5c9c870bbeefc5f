"""The store of the notification protocol, on the host's tables: events, lanes, and effects as jobs.

An effect is a job of the transaction that stores its decision, and so is the look of the watchdog at each deadline.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from mentionable import anp, decode_trusted, dumps
from sqlalchemy import Connection, Table, bindparam, delete, select, update

from mentionable_host.store import jobs, pushes, streams
from mentionable_host.store.dialects import insert_new, lock
from mentionable_host.store.statements import run
from mentionable_host.store.tables import lanes, notifications

__all__ = ["ENDED", "Events", "has_open", "remove_ended"]

EFFECTS: Final = frozenset(("dispatch", "present", "update", "start_turn", "must_surface", "dead_letter"))
"""The effects that somebody must carry out. Deadlines are jobs too, and `open` finds what a prompt needs."""
LANES: Final = "anp"
"""The lanes of jobs of events begin with it;"""
TURNS: Final = "anp turn"
"""those that run a turn of the agent with this: what takes long holds up nothing else of the person."""
ENDED: Final = ("delivered", "failed")
"""The statuses in which an event stays as it is."""
MAX_OPEN: Final = 10_000
"""How many events of a person are read that are not delivered or failed. Of more, the rest waits for their end."""


def has_open(db: Connection, person: str) -> bool:
    """Whether there are events of a person that are not delivered or failed."""
    return bool(run(db, _OPEN, {"person": person}))


_OPEN: Final = (
    select(notifications.c.number)
    .where(notifications.c.person == bindparam("person"), notifications.c.status.not_in(ENDED))
    .limit(1)
)


class _Faster(Exception):
    """What was read has changed: nothing is stored."""


class Events(anp.Store):
    """Events and lanes, in one transaction."""

    def __init__(
        self,
        db: Connection,
        *,
        now: datetime,
        push_after: timedelta = timedelta(),
        write_after: timedelta = timedelta(hours=1),
    ) -> None:
        """Takes the transaction, and the time for what is stored.

        Args:
            db: The transaction.
            now: The time.
            push_after: A presentation is pushed so much later.
            write_after: A person who has a device is written to so much later.
        """
        self._db, self._now = db, now
        self._push_after, self._write_after = push_after, write_after

    def get(self, id: str, /) -> anp.Notification | None:
        """The event under an id."""
        value = self._db.execute(select(notifications.c.value).where(notifications.c.id == id)).scalar()
        return None if value is None else decode_trusted(anp.Notification, value)

    def lane(self, id: str, /) -> anp.Lane:
        """The lane under an id; a new one where none is stored."""
        value = self._db.execute(select(lanes.c.value).where(lanes.c.id == id)).scalar()
        return anp.Lane(id=id) if value is None else decode_trusted(anp.Lane, value)

    def open(self, user_id: str, /, *, deduplication_key: str | None = None) -> list[anp.Notification]:
        """The events of a person that are not delivered or failed; with a key, the one that it would be merged into."""
        where = (notifications.c.person == user_id) & notifications.c.status.not_in(ENDED)
        if deduplication_key is not None:
            is_merged = notifications.c.status.in_(("pending", "dispatched"))
            where = where & is_merged & (notifications.c.deduplication_key == deduplication_key)
        values = select(notifications.c.value).where(where).order_by(notifications.c.number).limit(MAX_OPEN)
        return [decode_trusted(anp.Notification, value) for value in self._db.execute(values).scalars()]

    def due(self, now: datetime, /, *, limit: int) -> list[anp.Notification | anp.Lane]:
        """Events and lanes whose deadline has come, the earliest first."""
        due: list[tuple[float, anp.Notification | anp.Lane]] = []
        for deadline, value in self._due(notifications, now, limit):
            due.append((deadline, decode_trusted(anp.Notification, value)))
        for deadline, value in self._due(lanes, now, limit):
            due.append((deadline, decode_trusted(anp.Lane, value)))
        return [one for _, one in sorted(due, key=lambda entry: entry[0])[:limit]]

    def commit(self, *changes: anp.Change) -> bool:
        """Stores all changes, their effects and deadlines, and the items of them for devices, or nothing."""
        steps = [change for change in changes if isinstance(change, anp.LaneStep)]
        decisions = [one for change in changes for one in _decisions(change)]
        event_ids, lane_ids = {one.record.id for one in decisions}, {step.lane.id for step in steps}
        if len(event_ids) < len(decisions) or len(lane_ids) < len(steps):
            return False
        decisions.sort(key=lambda one: one.expected is not None)  # no new event takes a key that an older one frees
        streams.hold(self._db, {one.user_id for change in changes for one in _stream_items(change)})
        try:
            with self._db.begin_nested():
                lock(self._db, "lane", [f"anp key {key}" for key in map(_key, decisions) if key is not None])
                for step in steps:
                    self._put_lane(step)
                for decision in decisions:
                    self._put_event(decision)
                for change in changes:
                    self._put_effects(change)
        except _Faster:
            return False
        return True

    def _due(self, table: Table, now: datetime, limit: int) -> Sequence[Any]:
        rows = select(table.c.deadline, table.c.value).where(table.c.deadline <= now.timestamp())
        return self._db.execute(rows.order_by(table.c.deadline).limit(limit)).fetchall()

    def _put_effects(self, change: anp.Change) -> None:
        effects = change.all_effects if isinstance(change, anp.LaneStep) else change.effects
        owners = {one.record.id: one.record.user_id for one in _decisions(change)}
        for item in _stream_items(change):
            streams.append(self._db, item.user_id, item, now=self._now)
            pushes.follow(self._db, item, now=self._now, after=self._push_after)
        for effect in effects:
            if effect.kind in EFFECTS:
                self._enqueue_effect(effect, person=getattr(effect, "user_id", owners.get(effect.id)))

    def _enqueue_effect(self, effect: anp.Effect, *, person: str | None) -> None:
        """Has a job carry an effect out. Who has a device reads it there, and is written to only where they do not."""
        key, kind, due = f"anp {effect.kind} {effect.id} {effect.revision} {effect.lease}", "anp.effect", None
        is_presented = isinstance(effect, (anp.Present, anp.Update)) and anp.presentation(effect) is not None
        if is_presented and person is not None and streams.has_device(self._db, person, now=self._now):
            kind, due = "anp.write", self._now + self._write_after
        lane = TURNS if isinstance(effect, anp.StartTurn) else LANES
        self._enqueue(key, kind, dumps(effect), lane=lane, due=due, person=person)

    def _put_lane(self, step: anp.LaneStep) -> None:
        row = {
            "version": step.lane.version,
            "deadline": self._watch(step.lane, _person_of(step)),
            "value": dumps(step.lane),
        }
        if step.expected == 0 and insert_new(self._db, lanes, {"id": step.lane.id, **row}):
            return
        here = (lanes.c.id == step.lane.id) & (lanes.c.version == step.expected)
        if not self._db.execute(update(lanes).where(here).values(**row)).rowcount:
            raise _Faster

    def _put_event(self, decision: anp.Decision) -> None:
        record, expected = decision.record, decision.expected
        row = {
            "status": record.status,
            "version": record.version,
            "deduplication_key": record.deduplication_key,
            "deadline": self._watch(record, record.user_id),
            "ended_at": self._now.timestamp() if record.status in ENDED else None,
            "value": dumps(record),
        }
        if expected is None:
            same = record.deduplication_key and self.open(record.user_id, deduplication_key=record.deduplication_key)
            if same or not insert_new(self._db, notifications, {"id": record.id, "person": record.user_id, **row}):
                raise _Faster
            return
        here = select(notifications.c.value).where(notifications.c.id == record.id).with_for_update()
        stored = self._db.execute(here).scalar()
        before = None if stored is None else decode_trusted(anp.Notification, stored)
        if before is None or (before.status, before.owner_lease, before.version) != (
            expected.status,
            expected.owner_lease,
            expected.version,
        ):
            raise _Faster
        self._db.execute(update(notifications).where(notifications.c.id == record.id).values(**row))

    def _watch(self, one: anp.Notification | anp.Lane, person: str | None) -> float | None:
        """Has the watchdog look at the deadline of an event or a lane; the deadline."""
        deadline = anp.next_deadline((one,))
        if deadline is None:
            return None
        self._enqueue(f"anp.tick {one.id} {deadline.timestamp()}", "anp.tick", b"", due=deadline, person=person)
        return deadline.timestamp()

    def _enqueue(
        self,
        key: str,
        kind: str,
        payload: bytes,
        *,
        lane: str = LANES,
        due: datetime | None = None,
        person: str | None = None,
    ) -> None:
        job = jobs.Job(key=key, kind=kind, lane=f"{lane} {person}", payload=payload, due=due, person=person)
        jobs.enqueue(self._db, job, now=self._now)


def _decisions(change: anp.Change) -> Sequence[anp.Decision]:
    return change.decisions if isinstance(change, anp.LaneStep) else (change,)


def _person_of(step: anp.LaneStep) -> str | None:
    """Whose lane a step is of, where it says so."""
    if step.turn is not None:
        return step.turn.user_id
    return next((one.record.user_id for one in step.decisions), None)


def _key(decision: anp.Decision) -> str | None:
    """What no two writers may store at once: a person's key of a new event."""
    record = decision.record
    is_new = decision.expected is None and record.deduplication_key is not None
    return f"{record.user_id} {record.deduplication_key}" if is_new else None


def _stream_items(change: anp.Change) -> list[anp.Presentation | anp.Settled]:
    """What the devices of people are items of a change, in order."""
    effects = change.all_effects if isinstance(change, anp.LaneStep) else change.effects
    items = [one if isinstance(one, anp.Settled) else anp.presentation(one) for one in effects]
    return [one for one in items if one is not None]


def remove_ended(db: Connection, *, before: datetime, limit: int) -> int:
    """Removes some of the events that were delivered or failed before a moment; how many.

    The lane of a person goes with their last event, unless a turn has it.
    """
    rows = db.execute(
        select(notifications.c.number, notifications.c.person)
        .where(notifications.c.ended_at < before.timestamp())
        .limit(limit)
    ).fetchall()
    db.execute(delete(notifications).where(notifications.c.number.in_([row.number for row in rows])))
    persons = {row.person for row in rows}
    left = set(db.execute(select(notifications.c.person).where(notifications.c.person.in_(persons))).scalars())
    gone = [anp.lane_id(person) for person in persons - left]
    db.execute(delete(lanes).where(lanes.c.id.in_(gone), lanes.c.deadline.is_(None)))
    return len(rows)
