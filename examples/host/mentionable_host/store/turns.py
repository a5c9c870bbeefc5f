"""Which turn of a conversation is next, and which was canceled."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection, select

from mentionable_host.store.dialects import insert_new
from mentionable_host.store.jobs import StoredJob
from mentionable_host.store.tables import jobs, uses

__all__ = ["cancel", "has_earlier", "is_canceled"]

KEPT: Final = timedelta(days=7)
"""So long it is known that a turn was canceled: longer than a job is tried."""


def has_earlier(db: Connection, job: StoredJob, *, now: datetime) -> bool:
    """Whether an earlier message of the conversation is worked on, or is to be next.

    One that was tried in vain is not waited for before it is tried again: it may be due behind all that wait for it.
    """
    is_next = (jobs.c.state == "waiting") & (jobs.c.tries == 0) & (jobs.c.due <= now.timestamp())
    is_at_work = (jobs.c.state == "running") | is_next
    same = (jobs.c.thread_id == job.thread_id) & (jobs.c.lane == job.lane) & (jobs.c.kind == job.kind)
    earlier = same & (jobs.c.number < job.number)
    return db.execute(select(jobs.c.number).where(earlier, is_at_work).limit(1)).first() is not None


def cancel(db: Connection, message_id: str, *, now: datetime) -> bool:
    """Cancels the turn that answers a message; False: it is over, or there is none.

    The job is locked, as it is when an answer is stored: one of the two comes first.
    """
    here = select(jobs.c.state).where(jobs.c.key == f"answer {message_id}").with_for_update()
    if db.execute(here).scalar() not in ("waiting", "running"):
        return False
    row = {"key": _key(message_id), "binding": "canceled", "until": (now + KEPT).timestamp()}
    insert_new(db, uses, row)
    return True


def is_canceled(db: Connection, message_id: str, *, job: int | None = None) -> bool:
    """Whether the turn for a message was canceled.

    Args:
        db: The transaction.
        message_id: The message.
        job: The job, to be locked where an answer is about to be stored.
    """
    if job is not None:
        db.execute(select(jobs.c.number).where(jobs.c.number == job).with_for_update())
    return db.execute(select(uses.c.key).where(uses.c.key == _key(message_id))).first() is not None


def _key(message_id: str) -> str:
    return f"canceled {message_id}"
