"""Which turn of a conversation is next, and which was canceled."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import Connection, Integer, bindparam, literal_column, select

from mentionable_host.store.dialects import insert_new
from mentionable_host.store.jobs import RUNNING, WAITING, StoredJob
from mentionable_host.store.statements import run
from mentionable_host.store.tables import jobs, uses

__all__ = ["cancel", "has_earlier", "is_canceled"]

KEPT: Final = timedelta(days=7)
"""So long it is known that a turn was canceled: longer than a job is tried."""


def has_earlier(db: Connection, job: StoredJob, *, now: datetime) -> bool:
    """Whether an earlier message of the conversation is worked on, or is to be next.

    One that was tried in vain is not waited for before it is tried again: it may be due behind all that wait for it.
    """
    here = {"thread_id": job.thread_id, "lane": job.lane, "kind": job.kind, "number": job.number}
    return bool(run(db, _EARLIER, {**here, "now": now.timestamp()}))


def _earlier() -> Any:
    is_next = (jobs.c.state == WAITING) & (jobs.c.tries == literal_column("0")) & (jobs.c.due <= bindparam("now"))
    is_at_work = (jobs.c.state == RUNNING) | is_next
    same = [jobs.c[name] == bindparam(name) for name in ("thread_id", "lane", "kind")]
    return (
        select(jobs.c.number)
        .where(*same, jobs.c.number < bindparam("number"), is_at_work)
        .limit(literal_column("1", Integer))
    )


_EARLIER: Final = _earlier()


def cancel(db: Connection, message_id: str, *, now: datetime) -> bool:
    """Cancels the turn that answers a message; False: it is over, or there is none.

    The job is locked, as it is when an answer ends it: one of the two comes first.
    """
    here = select(jobs.c.state).where(jobs.c.key == f"answer {message_id}").with_for_update()
    if db.execute(here).scalar() not in ("waiting", "running"):
        return False
    row = {"key": _key(message_id), "binding": "canceled", "until": (now + KEPT).timestamp()}
    insert_new(db, uses, row)
    return True


def is_canceled(db: Connection, message_id: str) -> bool:
    """Whether the turn for a message was canceled. Where its job has ended in this transaction, it stays so."""
    return bool(run(db, _CANCELED, {"key": _key(message_id)}))


_CANCELED: Final = select(uses.c.key).where(uses.c.key == bindparam("key"))


def _key(message_id: str) -> str:
    return f"canceled {message_id}"
