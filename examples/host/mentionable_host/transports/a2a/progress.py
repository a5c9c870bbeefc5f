"""What becomes of a task: it is stored, together with what its followers are shown and what its webhooks get."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from mentionable import StoredTask, a2a, format_time, replace
from sqlalchemy import Connection

from mentionable_host.store import frames, jobs, tasks, webhooks
from mentionable_host.store.database import Conflict
from mentionable_host.store.tasks import TaskRow
from mentionable_host.transports.a2a.push import push_job

__all__ = ["Update", "advance", "begin", "cancel", "end_silently", "locked", "updates_after"]

Update = Mapping[str, Any]
"""An event of A2A 1.0 as JSON."""


def advance(db: Connection, row: TaskRow, updates: Sequence[Update], *, now: datetime) -> int:
    """Stores the next state of a task, and what is new about it; the number of the last update."""
    tasks.put(db, row)
    number = frames.append(db, row.task.id, (json.dumps(one).encode() for one in updates), now=now)
    for webhook in webhooks.take_pending(db, row.task.id, newest=number) if updates else ():
        jobs.enqueue(db, push_job(webhook, person=row.task.owner, newest=number), now=now)
    return number


def begin(db: Connection, task_id: str, *, now: datetime) -> None:
    """Notes that the agent works on a task."""
    row = tasks.lock(db, task_id)
    if row is not None and row.task.state == "submitted":
        task = replace(row.task, state="working", updated_at=format_time(now))
        advance(db, TaskRow(task=task, unanswered=row.unanswered), [a2a.status_update(task)], now=now)


def end_silently(db: Connection, task_id: str, message_id: str, *, is_canceled: bool, now: datetime) -> None:
    """Notes that a message of a task gets no answer; where no other one waits, the task is completed, or canceled."""
    row = tasks.lock(db, task_id)
    if row is None or row.task.is_ended:
        return
    row, now_text = row.after(row.task, answered=message_id), format_time(now)
    if not row.unanswered:
        state = "canceled" if is_canceled else "completed"
        task = replace(row.task, state=state, updated_at=now_text, message=None, history=row.task.messages)
        row = TaskRow(task=task)
    advance(db, row, [a2a.status_update(row.task)], now=now)


def cancel(db: Connection, row: TaskRow, *, now: datetime) -> StoredTask:
    """The task, canceled."""
    canceled = row.task.canceled(now=now)
    advance(db, TaskRow(task=canceled), [a2a.status_update(canceled)], now=now)
    return canceled


def updates_after(db: Connection, task_id: str, number: int) -> list[tuple[int, Update]]:
    """What became of a task after an update with a number."""
    return [(one, json.loads(value)) for one, value in frames.after(db, task_id, number)]


def locked(db: Connection, task_id: str) -> TaskRow:
    """A task that goes on; until the transaction ends no other changes it.

    Raises:
        Conflict: It has ended, or is not there any more.
    """
    row = tasks.lock(db, task_id)
    if row is None or row.task.is_ended:
        raise Conflict("the task has ended meanwhile")
    return row
