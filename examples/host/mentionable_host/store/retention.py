"""Removes what need not be kept any more, in small steps, so that nothing waits for it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import ColumnElement, Connection, Table, delete, select, tuple_

from mentionable_host.store import conversations, notifications, publications
from mentionable_host.store.database import Conflict, StoreUnavailable
from mentionable_host.store.messages import answer_id
from mentionable_host.store.streams import DEVICE_LIFETIME
from mentionable_host.store.tables import (
    blobs,
    counts,
    devices,
    documents,
    issuances,
    jobs,
    messages,
    metadata,
    native_ids,
    peer_questions,
    people,
    reactions,
    reports,
    stream_frames,
    stream_items,
    tasks,
    webhooks,
)

if TYPE_CHECKING:
    from mentionable_host.host import Host

__all__ = ["DEAD", "FINISHED", "FRAMES", "housekeeping", "keep_removing", "remove_old"]

log = logging.getLogger(__name__)

STEP: Final = 500
"""So many rows are removed in a transaction."""
STEPS: Final = 200
"""So many transactions there are in one run, of each kind; the next run goes on."""
FINISHED: Final = timedelta(days=7)
"""So long the keys of jobs that are done stay, so that what comes again is not done again."""
DEAD: Final = timedelta(days=30)
"""So long jobs that were given up can be looked at."""
FRAMES: Final = timedelta(hours=1)
"""So long a client that streams may come back for what it missed."""
SOON_SECONDS: Final = 60
EVERY_SECONDS: Final = 3_600
COUNTED: Final = timedelta(days=2)
GRACE: Final = {"issuances": timedelta(days=30)}
"""Rows of a table with a column `until` go when it has passed, here so much later."""


async def keep_removing(host: Host) -> None:
    """Removes what has expired: soon after the start, and then each hour, until it is canceled."""
    seconds = SOON_SECONDS
    while True:
        await asyncio.sleep(seconds)
        seconds = EVERY_SECONDS
        try:
            removed = await housekeeping(host)
        except (StoreUnavailable, Conflict) as error:
            log.warning("what has expired is not removed: %s", error)
        else:
            log.info("removed: %s", {name: count for name, count in removed.items() if count})


async def housekeeping(host: Host) -> dict[str, int]:
    """Removes what has expired; table → how many rows. Call it now and then: once an hour is enough."""
    now, keep_days = host.world.now(), host.config.store.keep_days
    removed = dict[str, int]()
    for name, step in _steps(now, keep_days, stream_days=host.config.notifications.keep_days):
        for _ in range(STEPS):
            count = await host.database.write(step)
            removed[name] = removed.get(name, 0) + count
            if count < STEP:
                break
    return removed


def _steps(now: datetime, keep_days: int | None, *, stream_days: int) -> list[tuple[str, Callable[[Connection], int]]]:
    past, frames = now.timestamp(), (now - FRAMES).timestamp()
    items, there = (now - timedelta(days=stream_days)).timestamp(), (now - DEVICE_LIFETIME).timestamp()
    minute = int((now - COUNTED).timestamp()) // 60
    done = (jobs.c.state == "done") & (jobs.c.ended_at < (now - FINISHED).timestamp())
    given_up = (jobs.c.state == "dead") & (jobs.c.ended_at < (now - DEAD).timestamp())
    found: list[tuple[str, Callable[[Connection], int]]] = [
        ("jobs", partial(_some, table=jobs, where=done | given_up)),
        ("stream_frames", partial(_some, table=stream_frames, where=stream_frames.c.at < frames)),
        ("devices", partial(_some, table=devices, where=devices.c.seen_at < there)),
        ("stream_items", partial(_some, table=stream_items, where=stream_items.c.at < items)),
        ("counts", partial(_some, table=counts, where=counts.c.window < minute)),
        ("blobs", partial(_some, table=blobs, where=blobs.c.message.not_in(select(messages.c.number)))),
    ]
    for name, table in metadata.tables.items():
        if "until" in table.columns:
            longer = GRACE.get(name, timedelta()).total_seconds()
            found.append((name, partial(_some, table=table, where=table.c.until < past - longer)))
    if keep_days is not None:
        before = now - timedelta(days=keep_days)
        found.append(("messages", partial(remove_old, before=before)))
        found.append(("tasks", partial(_old_tasks, before=before)))
        found.append(("notifications", partial(notifications.remove_ended, before=before, limit=STEP)))
        wrote = select(messages.c.number).where(messages.c.person == people.c.address).exists()
        is_gone = (people.c.last_seen < before.timestamp()) & ~wrote
        found.append(("people", partial(_some, table=people, where=is_gone)))
        for table in (peer_questions, reports):
            found.append((table.name, partial(_some, table=table, where=table.c.at < before.timestamp())))
    return found


def remove_old(db: Connection, *, before: datetime) -> int:
    """Removes some of the messages and answers before a moment, with all that is stored of them; how many."""
    old = select(messages.c.number, messages.c.id, messages.c.agent, messages.c.thread_id)
    rows = db.execute(
        old.where(messages.c.received_at < before.timestamp()).order_by(messages.c.received_at).limit(STEP)
    ).fetchall()
    numbers, ids = [row.number for row in rows], [row.id for row in rows]
    db.execute(delete(blobs).where(blobs.c.message.in_(numbers)))
    db.execute(delete(messages).where(messages.c.number.in_(numbers)))
    left = set(db.execute(select(messages.c.id).where(messages.c.id.in_(ids))).scalars())
    gone = [one for one in ids if one not in left]  # an answer may be younger than its question
    both = [*gone, *map(answer_id, gone)]
    known = select(native_ids.c.native_id).where(native_ids.c.message_id.in_(both))
    db.execute(delete(reactions).where(reactions.c.object.in_(known)))
    for table in metadata.tables.values():
        if "message_id" in table.columns and table is not issuances:
            db.execute(delete(table).where(table.c.message_id.in_(both)))
    publications.remove_answers(db, both)
    db.execute(delete(documents).where(documents.c.answer_id.in_(both)))
    conversations.recount(db, dict.fromkeys((row.agent, row.thread_id) for row in rows))
    return len(rows)


def _old_tasks(db: Connection, *, before: datetime) -> int:
    """Removes some of the tasks that did not change since a moment."""
    ids = db.execute(select(tasks.c.id).where(tasks.c.updated_at < before.timestamp()).limit(STEP)).scalars().all()
    for table, column in ((webhooks, webhooks.c.task_id), (stream_frames, stream_frames.c.topic), (tasks, tasks.c.id)):
        db.execute(delete(table).where(column.in_(ids)))
    return len(ids)


def _some(db: Connection, *, table: Table, where: ColumnElement[bool]) -> int:
    """Removes a few rows."""
    key: list[Any] = list(table.primary_key.columns)
    here = key[0] if len(key) == 1 else tuple_(*key)
    return db.execute(delete(table).where(here.in_(select(*key).where(where).limit(STEP)))).rowcount
