"""Jobs in the database. A job is stored in the transaction of what asks for it, and ends in that of what it brings."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from functools import cache
from typing import Any, Final, Literal

from attrs import field, frozen
from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    Float,
    Integer,
    bindparam,
    func,
    literal_column,
    select,
    text,
    update,
)

from mentionable_host.store.dialects import LOCKS, insert_returning
from mentionable_host.store.rows import value_of
from mentionable_host.store.statements import run
from mentionable_host.store.tables import jobs

__all__ = [
    "PUSHES",
    "RUNNING",
    "WAITING",
    "Job",
    "JobState",
    "StoredJob",
    "announce",
    "bury",
    "correct",
    "drop",
    "enqueue",
    "extend",
    "finish",
    "get",
    "hand_on",
    "lease",
    "lease_one",
    "left",
    "limit_of",
    "postpone",
    "state_of",
]

QUEUE: Final = "mentionable"
TASK: Final = "do"
"""What procrastinate knows these jobs as: its own carry nothing but the number of ours."""

ANSWERS: Final = "answer "
"""Lanes of answers begin with it."""

PUSHES: Final = "web push "
"""Lanes of devices that are reached by Web Push begin with it."""
_AFTER_PUSHES: Final = "web push!"
"""The first name after those of their lanes."""

ENDING_THEMSELVES: Final = ("answer", "a2a.push")
"""Kinds of jobs that look themselves whether a person is blocked: a client, or a later job, waits for their end."""

OF_A_LANE: Final = 4
OF_PUSHES: Final = 16
"""So many pushes run at once, of all devices: each goes where a browser says, which may take as long as it likes."""
LATER: Final = timedelta(seconds=1)
"""What a process may not do now is announced so much later: it ends, or has as many pushes as it may."""
PATIENCE: Final = timedelta(seconds=60)
CORRECTED: Final = 1_000

_DEFER: Final = text(
    "SELECT procrastinate_defer_jobs_v1(ARRAY[ROW(:queue, :task, 0, NULL, NULL, CAST(:args AS jsonb), :due)"
    "::procrastinate_job_to_defer_v1])"
)

_IS_UNANNOUNCED: Final = text(
    "NOT EXISTS (SELECT 1 FROM procrastinate_jobs AS announced WHERE queue_name = :queue AND status = 'todo'"
    " AND CAST(announced.args ->> 'number' AS bigint) = jobs.number"
    " AND (scheduled_at IS NULL OR scheduled_at <= CAST(:now AS timestamptz)))"
)

_HOLD: Final = select(func.pg_advisory_xact_lock(LOCKS["lane"], func.hashtext(bindparam("of_lane")))).scalar_subquery()
_HOLD_LANE_OF: Final = text(
    "SELECT lane, pg_advisory_xact_lock(:kind, hashtext(lane)) FROM jobs WHERE number = :number"
)

WAITING: Final[ColumnElement[str]] = literal_column("'waiting'")
RUNNING: Final[ColumnElement[str]] = literal_column("'running'")
"""As constants: of a parameter PostgreSQL does not know that a row is in an index of those that wait or run."""

JobState = Literal["waiting", "running", "done", "dead"]


@frozen(kw_only=True)
class Job:
    """Something to be done.

    Attributes:
        key: What it is: a job whose key is stored already is not stored again, also after it has ended.
        kind: Whose handler does it, as `transport.what`: `activitypub.deliver`.
        lane: What it must not crowd out: jobs of a lane run a few at a time. The host of a peer, say.
        payload: What the handler needs.
        due: Not before this moment; None: at once.
        person: Who it is about, so that it goes when they are forgotten or blocked.
        thread_id: The conversation that it belongs to.
    """

    key: str
    kind: str
    lane: str
    payload: bytes = field(repr=False)
    due: datetime | None = None
    person: str | None = None
    thread_id: str | None = None


@frozen(kw_only=True)
class StoredJob(Job):
    """A job as it is stored.

    Attributes:
        tries: How often it was begun before.
        error: What the last try brought.
    """

    number: int
    state: JobState
    tries: int
    error: str | None
    created_at: datetime


def limit_of(lane: str) -> int:
    """How many jobs of a lane run at once: one answer in a thread, one push to a device, a few deliveries to a host."""
    return 1 if lane.startswith((ANSWERS, PUSHES)) else OF_A_LANE


def enqueue(db: Connection, job: Job, *, now: datetime) -> bool:
    """Stores a job; False: one of this key was stored before."""
    due = job.due or now
    values = {
        **{name: getattr(job, name) for name in ("key", "kind", "lane", "payload", "person", "thread_id")},
        "state": "waiting",
        "tries": 0,
        "due": due.timestamp(),
        "created_at": now.timestamp(),
    }
    number = insert_returning(db, jobs, values, jobs.c.number)
    if number is not None:
        announce(db, number, due)
    return number is not None


def lease(db: Connection, *, now: datetime, until: datetime, limit: int, running: Mapping[str, int]) -> list[StoredJob]:
    """Takes jobs that are due, the earliest first and a few of each lane, so that no other worker does until then.

    Args:
        db: The transaction.
        now: The time.
        until: When a job that was not ended may be taken again.
        limit: So many at most.
        running: Lane → how many jobs of it run.
    """
    counts, taken, few = Counter(running), list[int](), limit * OF_A_LANE
    pushes, is_whole = sum(count for lane, count in counts.items() if lane.startswith(PUSHES)), False
    while not is_whole and len(taken) < limit:  # each look takes something, and leaves out what is full by then
        full = [lane for lane, count in counts.items() if count >= limit_of(lane)]
        others = jobs.c.lane.not_in(full) & jobs.c.number.not_in(taken)
        if pushes >= OF_PUSHES:
            others &= ~jobs.c.lane.between(PUSHES, _AFTER_PUSHES)
        found = select(jobs.c.number, jobs.c.lane).where(_may_begin(now.timestamp()), others)
        rows = db.execute(found.order_by(jobs.c.due, jobs.c.number).limit(few)).fetchall()
        for number, lane in rows:
            is_push = lane.startswith(PUSHES)
            if counts[lane] < limit_of(lane) and len(taken) < limit and not (is_push and pushes >= OF_PUSHES):
                counts[lane] += 1
                pushes += is_push
                taken.append(number)
        is_whole = len(rows) < few
    return _take(db, taken, until=until)


def lease_one(
    db: Connection, number: int, *, now: datetime, until: datetime, running: Collection[str] = ()
) -> StoredJob | None:
    """Takes the first job that is due in the lane of a job, for processes that share a database.

    None: nothing of the lane is due, or as much of it runs as may. What ends then hands the lane on. None, too, for a
    push where the process has as many as it may; it is announced anew.

    Args:
        db: The transaction.
        number: The job.
        now: The time.
        until: When a job that was not ended may be taken again.
        running: The lanes of what runs in this process.
    """
    lanes = run(db, _HOLD_LANE_OF, {"kind": LOCKS["lane"], "number": number})
    if not lanes:
        return None
    lane = lanes[0][0]
    if lane.startswith(PUSHES) and sum(one.startswith(PUSHES) for one in running) >= OF_PUSHES:
        announce(db, number, now + LATER)
        return None
    values = {"of_lane": lane, "now": now.timestamp(), "limit": limit_of(lane), "until": until.timestamp()}
    row = db.execute(_TAKE_FIRST, values).mappings().first()
    return None if row is None else value_of(StoredJob, row, state=row["before"], tries=row["tries"] - 1)


def hand_on(db: Connection, lane: str, *, now: datetime) -> None:
    """Announces the next job of a lane whose job ends; its end holds the lane."""
    if db.dialect.name == "postgresql":
        for (number,) in run(db, _FIRST, {"of_lane": lane, "now": now.timestamp()}):
            announce(db, number, now)


def left(db: Connection, *, now: datetime, limit: int) -> list[int]:
    """Jobs on PostgreSQL that no worker will do although they are due: its process was killed, or no signal came.

    What has been announced is only late. Announced again, it would make everything behind it later still.
    """
    late = (now - PATIENCE).timestamp()
    is_forgotten = (jobs.c.state == "waiting") & (jobs.c.due < late)
    is_left = (jobs.c.state == "running") & (jobs.c.leased_until < now.timestamp())
    found = select(jobs.c.number).where(is_forgotten | is_left, _IS_UNANNOUNCED).order_by(jobs.c.number).limit(limit)
    return [number for (number,) in db.execute(found, {"queue": QUEUE, "now": now})]


def get(db: Connection, number: int) -> StoredJob | None:
    """The job with a number."""
    row = db.execute(select(jobs).where(jobs.c.number == number)).mappings().first()
    return None if row is None else value_of(StoredJob, row)


def state_of(db: Connection, key: str) -> JobState | None:
    """How far the job of a key is; None: there is none."""
    found: JobState | None = db.execute(select(jobs.c.state).where(jobs.c.key == key)).scalar()
    return found


def extend(db: Connection, *, numbers: list[int], until: datetime) -> None:
    """Keeps jobs that are worked on."""
    db.execute(update(jobs).where(jobs.c.number.in_(numbers)).values(leased_until=until.timestamp()))


def correct(db: Connection, *, now: datetime, leased_until: datetime) -> None:
    """Has nothing wait for a moment that was noted while the clock was ahead: what was due at once is due now.

    Args:
        db: The transaction.
        now: The time.
        leased_until: Until when a job is leased at most.
    """
    was_due = (jobs.c.state == "waiting") & (jobs.c.due <= jobs.c.created_at)
    is_ahead = was_due & (jobs.c.created_at > (now + PATIENCE).timestamp())
    late = [*db.execute(select(jobs.c.number).where(is_ahead).limit(CORRECTED)).scalars()]
    db.execute(update(jobs).where(jobs.c.number.in_(late)).values(due=now.timestamp(), created_at=now.timestamp()))
    for number in late:
        announce(db, number, now)
    is_leased = (jobs.c.state == "running") & (jobs.c.leased_until > (leased_until + PATIENCE).timestamp())
    db.execute(update(jobs).where(is_leased).values(leased_until=leased_until.timestamp()))


def finish(db: Connection, number: int, *, now: datetime, lane: str | None = None) -> bool:
    """Ends a job. Its payload goes: what it brought is stored elsewhere.

    Args:
        db: The transaction.
        number: The job.
        now: The time.
        lane: Its lane, from whoever works on it: it ends only where it is still worked on. While the transaction lasts,
            no other changes the job or looks at the lane: who looks sees it before, or after.

    Returns:
        Whether it has ended by this.
    """
    ended = {"state": "done", "ended_at": now.timestamp(), "leased_until": None, "error": None, "payload": b""}
    return _change(db, number, ended, lane=lane)


def postpone(db: Connection, number: int, *, due: datetime, error: str, lane: str | None = None) -> bool:
    """Has a job tried again later; as `finish`."""
    later = {"state": "waiting", "due": due.timestamp(), "error": error, "leased_until": None}
    if not _change(db, number, later, lane=lane):
        return False
    announce(db, number, due)
    return True


def bury(db: Connection, number: int, *, now: datetime, error: str, lane: str | None = None) -> bool:
    """Gives a job up: it stays to be looked at, and may be tried again by the operator; as `finish`."""
    dead = {"state": "dead", "error": error, "ended_at": now.timestamp(), "leased_until": None}
    return _change(db, number, dead, lane=lane)


def drop(db: Connection, *, person: str, now: datetime) -> None:
    """Drops what waits for a person, but for what ends by itself."""
    where = (jobs.c.person == person) & (jobs.c.state == "waiting") & jobs.c.kind.not_in(ENDING_THEMSELVES)
    dropped = {"state": "done", "ended_at": now.timestamp(), "error": "dropped", "payload": b""}
    db.execute(update(jobs).where(where).values(**dropped))


def _change(db: Connection, number: int, values: Mapping[str, Any], *, lane: str | None) -> bool:
    named = {f"new_{name}": value for name, value in values.items()}
    if lane is None:
        return bool(run(db, _changing(tuple(values)), {"job": number, **named}))
    if db.dialect.name == "postgresql":
        return bool(run(db, _ending_of_many(tuple(values)), {"job": number, "of_lane": lane, **named}))
    return bool(run(db, _ending(tuple(values)), {"job": number, **named}))


@cache
def _changing(names: tuple[str, ...]) -> Any:
    """A statement that is built once: to build one takes longer than to run it."""
    changed = update(jobs).values({name: bindparam(f"new_{name}") for name in names})
    return changed.where(jobs.c.number == bindparam("job")).returning(jobs.c.number)


@cache
def _ending(names: tuple[str, ...]) -> Any:
    return _changing(names).where(jobs.c.state == "running")


@cache
def _ending_of_many(names: tuple[str, ...]) -> Any:
    """The lock comes first: a row is changed, and read as it is by then, when it is known that there is one."""
    return _ending(names).where(_HOLD.is_not(None))


def _may_begin(now: float | BindParameter[float]) -> ColumnElement[bool]:
    is_due = (jobs.c.state == WAITING) & (jobs.c.due <= now)
    return is_due | ((jobs.c.state == RUNNING) & (jobs.c.leased_until < now))


def _take(db: Connection, numbers: list[int], *, until: datetime) -> list[StoredJob]:
    rows = db.execute(select(jobs).where(jobs.c.number.in_(numbers)).order_by(jobs.c.due)).mappings().fetchall()
    taken = {"state": "running", "leased_until": until.timestamp(), "tries": jobs.c.tries + 1}
    db.execute(update(jobs).where(jobs.c.number.in_(numbers)).values(**taken))
    return [value_of(StoredJob, row) for row in rows]


_now: Final = bindparam("now", type_=Float)
_next: Final = (
    select(jobs.c.number, jobs.c.state)
    .where(jobs.c.lane == bindparam("of_lane"), _may_begin(_now))
    .order_by(jobs.c.due, jobs.c.number)
    .limit(literal_column("1", Integer))
)
_FIRST: Final = _next.with_only_columns(jobs.c.number)


def _taking_first() -> Any:
    """A statement that takes the first job of a lane that is not full. Who holds the lane runs it."""
    others, first = jobs.alias(), _next.cte()
    is_running = (others.c.state == RUNNING) & (others.c.leased_until >= _now)
    count = select(func.count()).where(others.c.lane == bindparam("of_lane"), is_running).scalar_subquery()
    is_first = (jobs.c.number == first.c.number) & (jobs.c.state == first.c.state)  # the operator may have ended it
    values = {"state": "running", "leased_until": bindparam("until"), "tries": jobs.c.tries + 1}
    taken = update(jobs).values(values).where(is_first, count < bindparam("limit"))
    return taken.returning(*jobs.c, first.c.state.label("before"))


_TAKE_FIRST: Final = _taking_first()


def announce(db: Connection, number: int, due: datetime) -> None:
    """Has a worker of any process look at a job when it is due; in the transaction that stores it.

    On SQLite the one worker looks by itself.
    """
    if db.dialect.name == "postgresql":
        args = {"queue": QUEUE, "task": TASK, "args": json.dumps({"number": number}), "due": due}
        db.execute(_DEFER, args)
