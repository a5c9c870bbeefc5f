"""An `anp.Store` with its outbox, in the SQL that SQLite and PostgreSQL have in common.

A subclass says how a statement is run and the few words that differ. What is compared is compared by the statement that
writes, and the effects are written by the same transaction: a process may be killed anywhere.
"""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias
from zlib import crc32

from mentionable import anp, decode_trusted, dumps

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

Change: TypeAlias = anp.Decision | anp.LaneStep
Row: TypeAlias = tuple[Any, ...]
Work: TypeAlias = Literal["bus", "agent"]

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
SHARDS = 64
"""Users are spread over so many. One worker at a time serves the outbox of a shard: effects keep their order."""

WORK: dict[str, Work] = {
    "dispatch": "bus",
    "present": "bus",
    "update": "bus",
    "settled": "bus",
    "must_surface": "bus",
    "dead_letter": "bus",
    "start_turn": "agent",
}
"""Who carries an effect out. Nobody need do so with the others: `due` finds deadlines, `open` finds what a prompt
needs, `aware` finds what the agent should know."""

SCHEMA = """
CREATE TABLE IF NOT EXISTS events (
    place {PLACE}, id TEXT NOT NULL UNIQUE, user_id TEXT NOT NULL, deduplication_key TEXT, status TEXT NOT NULL,
    owner_lease BIGINT NOT NULL, version BIGINT NOT NULL, deadline BIGINT, record TEXT NOT NULL);
CREATE UNIQUE INDEX IF NOT EXISTS one_open_event ON events (user_id, deduplication_key)
    WHERE status IN ('pending', 'dispatched');
CREATE INDEX IF NOT EXISTS open_events ON events (user_id, place) WHERE status NOT IN ('delivered', 'failed');
CREATE INDEX IF NOT EXISTS due_events ON events (deadline) WHERE deadline IS NOT NULL;
CREATE TABLE IF NOT EXISTS lanes (
    id TEXT NOT NULL PRIMARY KEY, version BIGINT NOT NULL, deadline BIGINT, record TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS due_lanes ON lanes (deadline) WHERE deadline IS NOT NULL;
CREATE TABLE IF NOT EXISTS outbox (
    place {PLACE}, user_id TEXT NOT NULL, session_id TEXT, shard INTEGER NOT NULL, kind TEXT NOT NULL, todo TEXT,
    effect TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS outbox_todo ON outbox (todo, place) WHERE todo IS NOT NULL;
CREATE INDEX IF NOT EXISTS outbox_aware ON outbox (user_id, place) WHERE kind = 'agent_aware'
"""

DONE = "UPDATE outbox SET todo = NULL WHERE todo IN ('agent', 'bus') AND place = ?"


class SqlStore(ABC):
    """A store, for one worker: make one in each process.

    Args:
        journal: Whether the outbox also says, before the effects of each change, what was changed. For audits.
    """

    PLACE: ClassVar[str]
    """The type of a column that counts by itself."""
    BEGIN: ClassVar[str]
    ITEMS: ClassVar[str]
    """A table of the texts in a JSON array."""
    IN_TURN: ClassVar[str | None]
    """What makes transactions write into the outbox one after another, so that `place` grows as they are stored."""
    CONFLICTS: ClassVar[tuple[type[Exception], ...]]
    """What the database raises where somebody else was faster."""

    def __init__(self, *, journal: bool = False) -> None:
        self._journal = journal

    @abstractmethod
    def run(self, sql: str, *values: Any) -> list[Row]:
        """The rows of a statement, whose values stand as `?`."""

    @abstractmethod
    def run_many(self, sql: str, rows: Collection[Row]) -> int:
        """Runs a statement with each of some rows of values; how many rows it wrote."""

    @abstractmethod
    def close(self) -> None:
        """Ends the connection."""

    def create(self) -> None:
        """Makes the tables, where they are not there."""
        for statement in SCHEMA.format(PLACE=self.PLACE).split(";"):
            self.run(statement)

    def get(self, id: str, /) -> anp.Notification | None:
        """The event under an id."""
        return self.some([id]).get(id)

    def some(self, ids: Iterable[str]) -> dict[str, anp.Notification]:
        """The events under some ids."""
        wanted = dumps([_key(id) for id in ids]).decode()
        rows = self.run(f"SELECT record FROM events WHERE id IN ({self.ITEMS})", wanted)
        return {event.id: event for event in _events(rows)}

    def lane(self, id: str, /) -> anp.Lane:
        """The lane under an id; a new one where none is stored."""
        return self.lanes([id])[id]

    def lanes(self, ids: Iterable[str]) -> dict[str, anp.Lane]:
        """The lanes under some ids."""
        found = {id: anp.Lane(id=id) for id in ids}
        rows = self.run(f"SELECT record FROM lanes WHERE id IN ({self.ITEMS})", dumps([*map(_key, found)]).decode())
        return found | {lane.id: lane for lane in (decode_trusted(anp.Lane, record) for (record,) in rows)}

    def open(self, user_id: str, /, *, deduplication_key: str | None = None) -> Sequence[anp.Notification]:
        """The events of a user that are not delivered or failed; with a key, the one that it would be merged into."""
        if deduplication_key is None:
            sql = "user_id = ? AND status NOT IN ('delivered', 'failed') ORDER BY place"
            return _events(self.run(f"SELECT record FROM events WHERE {sql}", _key(user_id)))
        sql = "user_id = ? AND deduplication_key = ? AND status IN ('pending', 'dispatched')"
        return _events(self.run(f"SELECT record FROM events WHERE {sql}", _key(user_id), _key(deduplication_key)))

    def due(self, now: datetime, /, *, limit: int) -> Sequence[anp.Notification | anp.Lane]:
        """Events and lanes whose deadline has come, the earliest first."""
        sql = "SELECT deadline, record FROM {} WHERE deadline <= ? ORDER BY deadline LIMIT ?"
        found: list[tuple[int, anp.Notification | anp.Lane]] = []
        for deadline, record in self.run(sql.format("events"), _milliseconds(now), limit):
            found.append((deadline, _event(record)))
        for deadline, record in self.run(sql.format("lanes"), _milliseconds(now), limit):
            found.append((deadline, decode_trusted(anp.Lane, record)))
        return [one for _, one in sorted(found, key=lambda entry: entry[0])[:limit]]

    def next_deadline(self) -> datetime | None:
        """`anp.next_deadline` of all events and lanes: each row keeps its own."""
        rows = [*self.run("SELECT MIN(deadline) FROM events"), *self.run("SELECT MIN(deadline) FROM lanes")]
        earliest = min((deadline for (deadline,) in rows if deadline is not None), default=None)
        return None if earliest is None else EPOCH + timedelta(milliseconds=earliest)

    def commit(
        self, *changes: Change, done: Collection[int] = (), also: Collection[tuple[str, anp.Effect]] = ()
    ) -> bool:
        """Stores all changes and their effects, or nothing.

        Args:
            changes: What was decided.
            done: Places of the outbox that this carries out.
            also: Users, with effects of the host's own for them.
        """
        steps = [change for change in changes if isinstance(change, anp.LaneStep)]
        decisions = [decision for change in changes for decision in _decisions(change)]
        ids, lanes = {decision.record.id for decision in decisions}, {step.lane.id for step in steps}
        if len(ids) < len(decisions) or len(lanes) < len(steps):
            return False
        self.run(self.BEGIN)
        try:
            texts = {decision.record.id: _text(decision.record) for decision in decisions}
            is_stored = self._write_lanes(steps) and self._write_events(decisions, texts)
            if is_stored:
                self._write_outbox(changes, also, texts)
                self.run_many(DONE, [(place,) for place in sorted(done)])
            self.run("COMMIT" if is_stored else "ROLLBACK")
        except BaseException as error:
            self.run("ROLLBACK")
            if isinstance(error, self.CONFLICTS):
                return False
            raise
        return is_stored

    def _write_lanes(self, steps: Sequence[anp.LaneStep]) -> bool:
        """Compares and sets lanes. One that stays as it is is locked so all the same: no turn begins meanwhile."""
        steps = sorted(steps, key=lambda step: step.lane.id)  # in one order everywhere: nobody waits in a circle
        new = [(_key(step.lane.id), _text(anp.Lane(id=step.lane.id))) for step in steps if not step.expected]
        self.run_many("INSERT INTO lanes (id, version, record) VALUES (?, 0, ?) ON CONFLICT DO NOTHING", new)
        rows = [
            (step.lane.version, _deadline(step.lane), _text(step.lane), _key(step.lane.id), step.expected)
            for step in steps
        ]
        sql = "UPDATE lanes SET version = ?, deadline = ?, record = ? WHERE id = ? AND version = ?"
        return self.run_many(sql, rows) == len(rows)

    def _write_events(self, decisions: Sequence[anp.Decision], texts: Mapping[str, str]) -> bool:
        """Compares and sets events."""
        old, new = [], []
        for one in decisions:
            record, expected, key = one.record, one.expected, one.record.deduplication_key
            row = (
                record.status,
                record.owner_lease,
                record.version,
                _deadline(record),
                texts[record.id],
                _key(record.id),
            )
            if expected is None:
                new.append((*row, _key(record.user_id), None if key is None else _key(key)))
            else:
                old.append((*row, expected.status, expected.owner_lease, expected.version))
        update = (
            "UPDATE events SET status = ?, owner_lease = ?, version = ?, deadline = ?, record = ?"
            " WHERE id = ? AND status = ? AND owner_lease = ? AND version = ?"
        )
        insert = (
            "INSERT INTO events (status, owner_lease, version, deadline, record, id, user_id, deduplication_key)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
        )
        if self.run_many(insert, new) < len(new):  # first: no new event takes a key that an update makes free
            return False
        return self.run_many(update, sorted(old, key=lambda row: str(row[5]))) == len(old)

    def _write_outbox(
        self, changes: Iterable[Change], also: Iterable[tuple[str, anp.Effect]], texts: Mapping[str, str]
    ) -> None:
        """Writes the effects, in their order."""
        said = [entry for change in changes for entry in self._said(change, texts)]
        said += [_entry(user_id, effect) for user_id, effect in also]
        if said and self.IN_TURN is not None:
            self.run(self.IN_TURN)
        insert = "INSERT INTO outbox (user_id, shard, session_id, kind, todo, effect) VALUES (?, ?, ?, ?, ?, ?)"
        self.run_many(insert, said)

    def _said(self, change: Change, texts: Mapping[str, str]) -> Iterator[Row]:
        """The rows of the outbox of a change: its effects, and what the journal says of it."""
        decisions = _decisions(change)
        if self._journal:
            if isinstance(change, anp.LaneStep) and change.lane.version != change.expected:
                yield "", 0, None, "lane", None, _text(change.lane)
            for one in decisions:
                path = json.dumps(one.path)
                text = f'{{"path":{path},"record":{texts[one.record.id]}}}'
                yield _key(one.record.user_id), 0, None, "decided", None, text
        if isinstance(change, anp.LaneStep):
            for effect in change.effects:
                notice = effect.notice if isinstance(effect, anp.MustSurface) else None
                yield _entry(notice.user_id if notice else "", effect)
        for one in decisions:
            for effect in one.effects:
                yield _entry(one.record.user_id, effect)

    def todo(
        self, work: Work, *, shards: range, limit: int, blocked: Collection[str] = ()
    ) -> list[tuple[int, anp.Effect]]:
        """Effects that somebody has to carry out, with their places, in order.

        Args:
            work: Who carries them out.
            shards: Of which users.
            limit: How many at most.
            blocked: Users whose events cannot get further now. Nobody else waits behind those.
        """
        sql = "SELECT place, effect FROM outbox WHERE todo = ? AND shard >= ? AND shard < ?{} ORDER BY place LIMIT ?"
        values: list[Any] = [work, shards.start, shards.stop]
        if blocked:
            values.append(dumps([_key(user_id) for user_id in blocked]).decode())
        others = f" AND NOT (kind IN ('dispatch', 'start_turn') AND user_id IN ({self.ITEMS}))" if blocked else ""
        rows = self.run(sql.format(others), *values, limit)
        return [(place, decode_trusted(anp.Effect, effect)) for place, effect in rows]

    def aware(self, lane: anp.Lane, user_id: str, session_id: str | None) -> Iterator[tuple[int, anp.AgentAware]]:
        """What the agent should know of a user's events, with its places, behind what it has read."""
        read, read_here = lane.cursor, lane.cursors.get(session_id or "", 0)
        sql = (
            "SELECT place, effect FROM outbox WHERE user_id = ? AND kind = 'agent_aware'"
            " AND ((session_id IS NULL AND place > ?) OR (session_id = ? AND place > ?)) ORDER BY place LIMIT 200"
        )
        while rows := self.run(sql, _key(user_id), read, _key(session_id or ""), read_here):
            for place, effect in rows:
                yield place, decode_trusted(anp.AgentAware, effect)
            read, read_here = max(rows[-1][0], read), max(rows[-1][0], read_here)

    def users(self) -> list[str]:
        """The users who have events that are not delivered or failed."""
        rows = self.run("SELECT DISTINCT user_id FROM events WHERE status NOT IN ('delivered', 'failed')")
        return [_text_of(key) for (key,) in rows]


def _decisions(change: Change) -> Sequence[anp.Decision]:
    return change.decisions if isinstance(change, anp.LaneStep) else (change,)


def _events(rows: Iterable[Row]) -> list[anp.Notification]:
    return [_event(record) for (record,) in rows]


@lru_cache(20_000)
def _event(record: str) -> anp.Notification:
    """An event as it was written. A worker reads most of them more than once."""
    return decode_trusted(anp.Notification, record)


def _entry(user_id: str, effect: anp.Effect) -> Row:
    """An effect as a row of the outbox."""
    session = effect.session_id if isinstance(effect, anp.AgentAware) else None
    shard = crc32(user_id.encode()) % SHARDS
    key = None if session is None else _key(session)
    return _key(user_id), shard, key, effect.kind, WORK.get(effect.kind), _text(effect)


def _text(value: object) -> str:
    return str(dumps(value), "utf-8")


def _key(text: str) -> str:
    r"""A text as a column takes it: PostgreSQL has no U+0000 in a text."""
    return text.replace("\\", "\\\\").replace("\0", "\\0") if "\\" in text or "\0" in text else text


def _text_of(key: str) -> str:
    """The text of a column."""
    return re.sub(r"\\(.)", lambda found: "\0" if found[1] == "0" else found[1], key) if "\\" in key else key


def _deadline(one: anp.Notification | anp.Lane) -> int | None:
    """When the watchdog must look at an event or a lane."""
    deadline = anp.next_deadline((one,))
    return None if deadline is None else _milliseconds(deadline)


def _milliseconds(moment: datetime) -> int:
    return (moment - EPOCH) // timedelta(milliseconds=1)
