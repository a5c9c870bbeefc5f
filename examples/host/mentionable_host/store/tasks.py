"""Tasks of A2A. A task changes in the transaction of what changes it, and no other change comes between."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Final

from attrs import frozen
from mentionable import Limits, StoredTask, a2a, decode_trusted, dumps, parse_time
from sqlalchemy import ColumnElement, Connection, func, select, true, tuple_

from mentionable_host.store.dialects import upsert
from mentionable_host.store.tables import tasks

__all__ = ["TaskRow", "get", "lock", "page", "put"]

PAGE: Final = 50
"""Tasks on a page whose client names no size."""
PAGE_BYTES: Final = Limits().a2a_bytes // 2
"""Bytes of the tasks on a page of several: what goes out is a little more."""


@frozen(kw_only=True)
class TaskRow:
    """A task as it is stored.

    Attributes:
        task: The task.
        unanswered: The ids of its messages that the agent has yet to answer.
    """

    task: StoredTask
    unanswered: tuple[str, ...] = ()

    @property
    def is_at_work(self) -> bool:
        """Whether the agent works on it, or is going to."""
        return bool(self.unanswered) and not self.task.is_ended

    def after(self, task: StoredTask, *, answered: str) -> TaskRow:
        """The row when one of its messages was answered."""
        return TaskRow(task=task, unanswered=tuple(one for one in self.unanswered if one != answered))


def get(db: Connection, task_id: str) -> TaskRow | None:
    """The task of an id, whoever asks."""
    row = db.execute(select(tasks.c.value, tasks.c.unanswered).where(tasks.c.id == task_id)).first()
    if row is None:
        return None
    return TaskRow(task=decode_trusted(StoredTask, row.value), unanswered=tuple(json.loads(row.unanswered)))


def lock(db: Connection, task_id: str) -> TaskRow | None:
    """The task of an id; until the transaction ends no other changes it."""
    db.execute(select(tasks.c.id).where(tasks.c.id == task_id).with_for_update())
    return get(db, task_id)


def put(db: Connection, row: TaskRow) -> None:
    """Stores a task, in place of what is there."""
    task = row.task
    values = {
        "id": task.id,
        "owner": task.owner,
        "context_id": task.context_id,
        "state": task.state,
        "updated_at": parse_time(task.updated_at).timestamp(),
        "unanswered": json.dumps(row.unanswered),
        "value": dumps(task),
    }
    upsert(db, tasks, values)


def page(db: Connection, ask: a2a.ListTasks, *, owner: str | None) -> a2a.TaskPage | None:
    """One page of somebody's tasks, the newest first; None: its token was not made here.

    A page of large tasks ends early. Callers without a name have no list: they are not one person.
    """
    place = None if ask.page_token is None else _read_token(ask.page_token)
    if place is None and ask.page_token is not None:
        return None
    fits = tasks.c.owner == owner if owner is not None else ~true()
    for column, value in ((tasks.c.context_id, ask.context_id), (tasks.c.state, ask.state)):
        fits &= _same(column, value)
    if ask.updated_after is not None:
        fits &= tasks.c.updated_at >= parse_time(ask.updated_after).timestamp()
    total = db.execute(select(func.count()).select_from(tasks).where(fits)).scalar_one()
    older = fits if place is None else fits & (tuple_(tasks.c.updated_at, tasks.c.id) < place)
    newest = select(tasks.c.id, func.length(tasks.c.value).label("bytes")).where(older)
    newest = newest.order_by(tasks.c.updated_at.desc(), tasks.c.id.desc())
    size = ask.page_size or PAGE
    ids, total_bytes, has_more = list[str](), 0, False
    for row in db.execute(newest.limit(size + 1)).fetchall():
        total_bytes += row.bytes
        has_more = len(ids) == size or (total_bytes > PAGE_BYTES and bool(ids))
        if has_more:
            break
        ids.append(row.id)
    rows = db.execute(select(tasks.c.id, tasks.c.value).where(tasks.c.id.in_(ids))).fetchall()
    values = {row.id: row.value for row in rows}
    found = [decode_trusted(StoredTask, values[one]) for one in ids]
    token = _token(found[-1]) if has_more else ""
    return a2a.TaskPage(tasks=tuple(found), next_page_token=token, total_size=total, page_size=size)


def _same(column: ColumnElement[str], value: str | None) -> ColumnElement[bool]:
    return true() if value is None else column == value


def _token(task: StoredTask) -> str:
    """The token of the page that comes after a task."""
    return urlsafe_b64encode(json.dumps([parse_time(task.updated_at).timestamp(), task.id]).encode()).decode()


def _read_token(token: str) -> tuple[float, str] | None:
    """Where a page begins. A client may have written it, but it shows no tasks of others."""
    try:
        match json.loads(urlsafe_b64decode(token)):
            case [float() as updated, str() as task_id] if updated == updated and "\0" not in task_id:
                return updated, task_id
    except (ValueError, RecursionError):
        pass
    return None
