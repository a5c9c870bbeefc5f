"""Jobs as the operator sees them: what waits, what was given up and why; and what the operator decides about one."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Final

from sqlalchemy import ColumnElement, Connection, func, select, update

from mentionable_host.store import jobs
from mentionable_host.store.jobs import JobState, StoredJob
from mentionable_host.store.tables import jobs as table

__all__ = ["count_after", "counts", "discard", "last_number", "listed", "retry", "take"]

MOST: Final = 200
"""So many are read at once, whatever is asked for."""
DROPPED: Final = "dropped by the operator"


def counts(db: Connection) -> Mapping[str, int]:
    """State → how many jobs are in it."""
    rows = db.execute(select(table.c.state, func.count()).group_by(table.c.state))
    return {row.state: row[1] for row in rows}


def listed(
    db: Connection, *, states: Collection[JobState], before: int | None = None, limit: int = 50
) -> list[StoredJob]:
    """Jobs in some states, the newest first.

    Args:
        db: The transaction.
        states: Which ones.
        before: Go on after the job with this number.
        limit: So many.
    """
    found = select(table.c.number).where(table.c.state.in_(states))
    if before is not None:
        found = found.where(table.c.number < before)
    numbers = db.execute(found.order_by(table.c.number.desc()).limit(max(1, min(limit, MOST)))).scalars().all()
    read = (jobs.get(db, number) for number in numbers)
    return [one for one in read if one is not None]


def last_number(db: Connection) -> int:
    """The number of the newest job; 0: there was none yet."""
    return int(db.execute(select(func.max(table.c.number))).scalar() or 0)


def count_after(db: Connection, number: int) -> int:
    """How many jobs were stored after the one with a number, and are there."""
    return int(db.execute(select(func.count()).where(table.c.number > number)).scalar_one())


def retry(db: Connection, number: int, *, now: datetime) -> bool:
    """Has a job that waits or was given up tried now, from its first try on. False: there is none."""
    again = {"state": "waiting", "due": now.timestamp(), "tries": 0, "ended_at": None}
    if not _changed(db, number, table.c.state.in_(("waiting", "dead")), again):
        return False
    jobs.announce(db, number, now)
    return True


def discard(db: Connection, number: int, *, now: datetime) -> bool:
    """Ends a job that waits or was given up. False: there is none, or it is being done just now."""
    ended = {"state": "done", "ended_at": now.timestamp(), "error": DROPPED, "payload": b""}
    return _changed(db, number, table.c.state.in_(("waiting", "dead")), ended)


def take(db: Connection, number: int, *, now: datetime, until: datetime) -> StoredJob | None:
    """Takes one job that is due, so that no other worker does until then; None: another has it."""
    job = jobs.get(db, number)
    taken = {"state": "running", "leased_until": until.timestamp(), "tries": table.c.tries + 1}
    is_due = (table.c.state == "waiting") & (table.c.due <= now.timestamp())
    return job if _changed(db, number, is_due, taken) else None


def _changed(db: Connection, number: int, where: ColumnElement[bool], values: Mapping[str, object]) -> bool:
    return bool(db.execute(update(table).where(table.c.number == number, where).values(**values)).rowcount)
