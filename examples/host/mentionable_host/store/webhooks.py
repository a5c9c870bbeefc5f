"""Where updates of tasks are pushed to."""

from __future__ import annotations

from datetime import datetime
from typing import cast

from attrs import frozen
from mentionable import a2a, decode_trusted, dumps, replace
from sqlalchemy import ColumnElement, Connection, RowMapping, delete, func, select, update

from mentionable_host.store.dialects import upsert
from mentionable_host.store.tables import webhooks

__all__ = ["Webhook", "drop", "get", "of_task", "put", "release", "settle", "take_pending"]


@frozen(kw_only=True)
class Webhook:
    """A webhook of a task.

    Attributes:
        config: What its client wants.
        dialect: What its client speaks.
        newest: The number of the last update of the task.
    """

    config: a2a.PushNotificationConfig
    dialect: a2a.CallDialect
    newest: int


def put(
    db: Connection, config: a2a.PushNotificationConfig, *, dialect: a2a.CallDialect, most: int, now: datetime
) -> a2a.PushNotificationConfig | None:
    """Stores a webhook, in place of the one with its id; None: the task has too many."""
    config = config if config.id else replace(config, id="default")
    others = (webhooks.c.task_id == config.task_id) & (webhooks.c.id != config.id)
    if db.execute(select(func.count()).select_from(webhooks).where(others)).scalar_one() >= most:
        return None
    values = {"task_id": config.task_id, "id": config.id, "dialect": dialect, "value": dumps(config)}
    upsert(db, webhooks, {**values, "made_at": now.timestamp()}, keep=("made_at",))
    return config


def get(db: Connection, task_id: str, config_id: str) -> Webhook | None:
    """The webhook of an id."""
    row = db.execute(select(webhooks).where(_place(task_id, config_id))).mappings().first()
    return None if row is None else _webhook(row)


def of_task(db: Connection, task_id: str) -> list[Webhook]:
    """The webhooks of a task, in the order in which they were made."""
    found = select(webhooks).where(webhooks.c.task_id == task_id).order_by(webhooks.c.made_at, webhooks.c.id)
    return [_webhook(row) for row in db.execute(found).mappings()]


def take_pending(db: Connection, task_id: str, *, newest: int) -> list[Webhook]:
    """Notes an update of a task for its webhooks; those for which no job waits yet, and now one must."""
    of_task_ = webhooks.c.task_id == task_id
    db.execute(update(webhooks).where(of_task_).values(newest=newest))
    rows = db.execute(select(webhooks).where(of_task_, webhooks.c.is_pending.is_(False))).mappings().fetchall()
    db.execute(update(webhooks).where(of_task_).values(is_pending=True))
    return [_webhook(row) for row in rows]


def settle(db: Connection, task_id: str, config_id: str, *, pushed: int) -> Webhook | None:
    """Notes that an update was pushed, or given up; the webhook, where a newer one came meanwhile."""
    db.execute(select(webhooks.c.id).where(_place(task_id, config_id)).with_for_update())
    webhook = get(db, task_id, config_id)
    if webhook is not None and webhook.newest > pushed:
        return webhook
    release(db, task_id, config_id)
    return None


def release(db: Connection, task_id: str, config_id: str) -> None:
    """Says that no job waits for a webhook: the next update gets one."""
    db.execute(update(webhooks).where(_place(task_id, config_id)).values(is_pending=False))


def drop(db: Connection, task_id: str, config_id: str) -> None:
    """Forgets a webhook."""
    db.execute(delete(webhooks).where(_place(task_id, config_id)))


def _place(task_id: str, config_id: str) -> ColumnElement[bool]:
    return (webhooks.c.task_id == task_id) & (webhooks.c.id == config_id)


def _webhook(row: RowMapping) -> Webhook:
    dialect = cast("a2a.CallDialect", row["dialect"])
    config = decode_trusted(a2a.PushNotificationConfig, row["value"])
    return Webhook(config=config, dialect=dialect, newest=row["newest"])
