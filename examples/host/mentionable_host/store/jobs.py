"""Jobs in the database. A job is stored in the transaction of what asks for it, and ends in that of what it brings."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from attrs import field, frozen
from sqlalchemy import Connection, RowMapping, select, update

from mentionable_host.store.database import insert_new
from mentionable_host.store.tables import jobs

__all__ = ["Job", "JobState", "StoredJob", "bury", "drop", "enqueue", "extend", "finish", "get", "lease", "postpone"]

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
        person: Whom it concerns, so that it goes when they are forgotten or blocked.
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
    return insert_new(db, jobs, values)


def lease(db: Connection, *, now: datetime, until: datetime, limit: int, beside: frozenset[str]) -> list[StoredJob]:
    """Takes jobs that are due, the earliest first, so that nobody else does until then.

    Args:
        db: The transaction.
        now: The time.
        until: When a job that was not ended may be taken again.
        limit: So many at most.
        beside: Lanes that have enough jobs running.
    """
    is_due = (jobs.c.state == "waiting") & (jobs.c.due <= now.timestamp())
    is_left = (jobs.c.state == "running") & (jobs.c.leased_until < now.timestamp())
    found = select(jobs).where(is_due | is_left, jobs.c.lane.not_in(beside)).order_by(jobs.c.due, jobs.c.number)
    rows = db.execute(found.limit(limit).with_for_update(skip_locked=True)).mappings().fetchall()
    numbers = [row["number"] for row in rows]
    taken = {"state": "running", "leased_until": until.timestamp(), "tries": jobs.c.tries + 1}
    db.execute(update(jobs).where(jobs.c.number.in_(numbers)).values(**taken))
    return [_job(row) for row in rows]


def get(db: Connection, number: int) -> StoredJob | None:
    """The job with a number."""
    row = db.execute(select(jobs).where(jobs.c.number == number)).mappings().first()
    return None if row is None else _job(row)


def state_of(db: Connection, key: str) -> JobState | None:
    """How far the job of a key is; None: there is none."""
    found: JobState | None = db.execute(select(jobs.c.state).where(jobs.c.key == key)).scalar()
    return found


def extend(db: Connection, *, numbers: list[int], until: datetime) -> None:
    """Keeps jobs that are worked on."""
    db.execute(update(jobs).where(jobs.c.number.in_(numbers)).values(leased_until=until.timestamp()))


def finish(db: Connection, number: int, *, now: datetime) -> None:
    """Ends a job. Its payload goes: what it brought is stored elsewhere."""
    ended = {"state": "done", "ended_at": now.timestamp(), "leased_until": None, "error": None, "payload": b""}
    db.execute(update(jobs).where(jobs.c.number == number).values(**ended))


def postpone(db: Connection, number: int, *, due: datetime, error: str) -> None:
    """Has a job tried again later."""
    later = {"state": "waiting", "due": due.timestamp(), "error": error, "leased_until": None}
    db.execute(update(jobs).where(jobs.c.number == number).values(**later))


def bury(db: Connection, number: int, *, now: datetime, error: str) -> None:
    """Gives a job up: it stays to be looked at, and may be tried again by the operator."""
    dead = {"state": "dead", "error": error, "ended_at": now.timestamp(), "leased_until": None}
    db.execute(update(jobs).where(jobs.c.number == number).values(**dead))


def cancel(db: Connection, key: str, *, now: datetime) -> bool:
    """Ends a job that is not wanted any more; False: it has ended already, or is not there."""
    where = (jobs.c.key == key) & jobs.c.state.in_(("waiting", "running"))
    ended = {"state": "done", "ended_at": now.timestamp(), "leased_until": None, "error": "canceled", "payload": b""}
    return bool(db.execute(update(jobs).where(where).values(**ended)).rowcount)


def drop(db: Connection, *, person: str, now: datetime) -> None:
    """Drops what waits for a person."""
    where = (jobs.c.person == person) & (jobs.c.state == "waiting")
    dropped = {"state": "done", "ended_at": now.timestamp(), "error": "dropped", "payload": b""}
    db.execute(update(jobs).where(where).values(**dropped))


def _job(row: RowMapping) -> StoredJob:
    names = ("key", "kind", "lane", "payload", "person", "thread_id", "number", "state", "tries", "error")
    due, created = (datetime.fromtimestamp(row[name]).astimezone() for name in ("due", "created_at"))
    return StoredJob(**{name: row[name] for name in names}, due=due, created_at=created)
