"""Jobs in the database. A job is stored in the transaction of what asks for it, and ends in that of what it brings."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final, Literal

from attrs import field, frozen
from sqlalchemy import ColumnElement, Connection, bindparam, func, select, text, update

from mentionable_host.store.dialects import insert_returning, lock
from mentionable_host.store.rows import value_of
from mentionable_host.store.statements import run
from mentionable_host.store.tables import jobs

__all__ = [
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
    "hold",
    "lease",
    "lease_one",
    "left",
    "limit_of",
    "postpone",
    "state_by_number",
    "state_of",
]

QUEUE: Final = "mentionable"
TASK: Final = "do"
"""What procrastinate knows these jobs as: its own carry nothing but the number of ours."""

ANSWERS: Final = "answer "
"""Lanes of answers begin with it."""

OF_A_LANE: Final = 4
PATIENCE: Final = timedelta(seconds=60)
CORRECTED: Final = 1_000

_DEFER: Final = text(
    "SELECT procrastinate_defer_jobs_v1(ARRAY[ROW(:queue, :task, 0, NULL, NULL, CAST(:args AS jsonb), :due)"
    "::procrastinate_job_to_defer_v1])"
)

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
    """How many jobs of a lane run at once: one answer in a thread, a few deliveries to a host."""
    return 1 if lane.startswith(ANSWERS) else OF_A_LANE


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
    counts = Counter(running)
    full = [lane for lane, count in counts.items() if count >= limit_of(lane)]
    found = select(jobs.c.number, jobs.c.lane).where(_may_begin(now), jobs.c.lane.not_in(full))
    taken: list[int] = []
    for number, lane in db.execute(found.order_by(jobs.c.due, jobs.c.number).limit(limit * OF_A_LANE)):
        if counts[lane] < limit_of(lane) and len(taken) < limit:
            counts[lane] += 1
            taken.append(number)
    return _take(db, taken, until=until)


def lease_one(db: Connection, number: int, *, now: datetime, until: datetime) -> StoredJob | None:
    """Takes the first job that is due in the lane of a job, for processes that share a database.

    None: nothing of the lane is due, or as much of it runs as may. What ends then hands the lane on.
    """
    lane = db.execute(select(jobs.c.lane).where(jobs.c.number == number)).scalar()
    if lane is None:
        return None
    hold(db, lane)
    alive = (jobs.c.lane == lane) & (jobs.c.state == "running") & (jobs.c.leased_until >= now.timestamp())
    count = db.execute(select(func.count()).select_from(jobs).where(alive)).scalar_one()
    if count >= limit_of(lane):
        return None
    return next(iter(_take(db, _first(db, lane, now=now), until=until)), None)


def hand_on(db: Connection, lane: str, *, now: datetime) -> None:
    """Announces the next job of a lane whose job ends; the lane was held by `hold` before."""
    if db.dialect.name == "postgresql":
        for number in _first(db, lane, now=now):
            announce(db, number, now)


def hold(db: Connection, lane: str) -> None:
    """Keeps others from looking at a lane while one of its jobs ends: who looks sees it before, or after."""
    lock(db, "lane", [lane])


def _first(db: Connection, lane: str, *, now: datetime) -> list[int]:
    found = select(jobs.c.number).where(jobs.c.lane == lane, _may_begin(now)).order_by(jobs.c.due, jobs.c.number)
    return list(db.execute(found.limit(1)).scalars())


def left(db: Connection, *, now: datetime, limit: int) -> list[int]:
    """Jobs that no worker does although they are due: its process was killed, or no signal came."""
    late = (now - PATIENCE).timestamp()
    is_forgotten = (jobs.c.state == "waiting") & (jobs.c.due < late)
    is_left = (jobs.c.state == "running") & (jobs.c.leased_until < now.timestamp())
    rows = db.execute(select(jobs.c.number).where(is_forgotten | is_left).order_by(jobs.c.number).limit(limit))
    return [number for (number,) in rows]


def get(db: Connection, number: int) -> StoredJob | None:
    """The job with a number."""
    row = db.execute(select(jobs).where(jobs.c.number == number)).mappings().first()
    return None if row is None else value_of(StoredJob, row)


def state_of(db: Connection, key: str) -> JobState | None:
    """How far the job of a key is; None: there is none."""
    found: JobState | None = db.execute(select(jobs.c.state).where(jobs.c.key == key)).scalar()
    return found


def state_by_number(db: Connection, number: int) -> JobState | None:
    """In which state the job with a number is; None: it is not there any more.

    The job is locked: whoever forgets its person waits for its end, or was first.
    """
    rows = run(db, _STATE, {"number": number})
    return rows[0][0] if rows else None


_STATE: Final = select(jobs.c.state).where(jobs.c.number == bindparam("number")).with_for_update()


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


def finish(db: Connection, number: int, *, now: datetime) -> None:
    """Ends a job. Its payload goes: what it brought is stored elsewhere."""
    ended = {"state": "done", "ended_at": now.timestamp(), "leased_until": None, "error": None, "payload": b""}
    db.execute(update(jobs).where(jobs.c.number == number).values(**ended))


def postpone(db: Connection, number: int, *, due: datetime, error: str) -> None:
    """Has a job tried again later."""
    later = {"state": "waiting", "due": due.timestamp(), "error": error, "leased_until": None}
    db.execute(update(jobs).where(jobs.c.number == number).values(**later))
    announce(db, number, due)


def bury(db: Connection, number: int, *, now: datetime, error: str) -> None:
    """Gives a job up: it stays to be looked at, and may be tried again by the operator."""
    dead = {"state": "dead", "error": error, "ended_at": now.timestamp(), "leased_until": None}
    db.execute(update(jobs).where(jobs.c.number == number).values(**dead))


def drop(db: Connection, *, person: str, now: datetime) -> None:
    """Drops what waits for a person. A turn of theirs ends by itself, as somebody may wait for it."""
    where = (jobs.c.person == person) & (jobs.c.state == "waiting") & (jobs.c.kind != "answer")
    dropped = {"state": "done", "ended_at": now.timestamp(), "error": "dropped", "payload": b""}
    db.execute(update(jobs).where(where).values(**dropped))


def _may_begin(now: datetime) -> ColumnElement[bool]:
    is_due = (jobs.c.state == "waiting") & (jobs.c.due <= now.timestamp())
    return is_due | ((jobs.c.state == "running") & (jobs.c.leased_until < now.timestamp()))


def _take(db: Connection, numbers: list[int], *, until: datetime) -> list[StoredJob]:
    rows = db.execute(select(jobs).where(jobs.c.number.in_(numbers)).order_by(jobs.c.due)).mappings().fetchall()
    taken = {"state": "running", "leased_until": until.timestamp(), "tries": jobs.c.tries + 1}
    db.execute(update(jobs).where(jobs.c.number.in_(numbers)).values(**taken))
    return [value_of(StoredJob, row) for row in rows]


def announce(db: Connection, number: int, due: datetime) -> None:
    """Has a worker of any process look at a job when it is due; in the transaction that stores it.

    On SQLite the one worker looks by itself.
    """
    if db.dialect.name == "postgresql":
        args = {"queue": QUEUE, "task": TASK, "args": json.dumps({"number": number}), "due": due}
        db.execute(_DEFER, args)
