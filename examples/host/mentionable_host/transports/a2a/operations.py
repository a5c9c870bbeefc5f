"""What clients ask for other than to send a message: their tasks, and where updates are pushed to."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Final, TypeAlias

from mentionable import Rejected, StoredTask, a2a
from sqlalchemy import Connection

from mentionable_host.config import Config
from mentionable_host.store import tasks, webhooks
from mentionable_host.transports.a2a.card import a2a_card

__all__ = ["WEBHOOKS", "act", "most_webhooks"]

Act: TypeAlias = Callable[[Connection], a2a.OperationAnswer]

WEBHOOKS: Final = 10
"""So many webhooks has a task of a caller that the agent knows."""
WEBHOOKS_OF_ANYONE: Final = 3
"""So many has a task of any other caller: each message of theirs becomes requests to these."""


def most_webhooks(owner: str | None) -> int:
    """How many webhooks a task may have."""
    return WEBHOOKS if owner is not None else WEBHOOKS_OF_ANYONE


def act(received: a2a.ReceivedOperation, *, config: Config, now: datetime) -> Act:
    """What answers an operation, in one transaction. To cancel a task takes more than that."""
    operation = received.operation
    task_id = ""
    match operation:
        case a2a.ListTasks():
            return lambda db: tasks.page(db, operation, owner=received.caller) or Rejected(code="page-token-unknown")
        case a2a.GetExtendedAgentCard():
            return lambda db: _extended_card(received, config)
        case a2a.CreateTaskPushNotificationConfig():
            task_id = operation.config.task_id or ""
        case _:
            task_id = operation.task_id

    def of_task(db: Connection) -> a2a.OperationAnswer:
        row = tasks.get(db, task_id)
        if row is None or not received.owns(row.task):
            return Rejected(code="task-not-found")
        return _act_on(db, received, row.task, now=now)

    return of_task


def _act_on(db: Connection, received: a2a.ReceivedOperation, task: StoredTask, *, now: datetime) -> a2a.OperationAnswer:
    """What answers an operation on a task of the caller."""
    match received.operation:
        case a2a.GetTask() | a2a.SubscribeToTask():
            return task
        case a2a.CreateTaskPushNotificationConfig(config=config):
            most = most_webhooks(task.owner)
            made = webhooks.put(db, config, dialect=received.dialect, most=most, now=now)
            return made or Rejected(code="unsupported-operation")
        case a2a.GetTaskPushNotificationConfig(config_id=config_id):
            found = webhooks.of_task(db, task.id)
            return next((one.config for one in found if config_id in (None, one.config.id)), None)
        case a2a.ListTaskPushNotificationConfigs():
            return tuple(one.config for one in webhooks.of_task(db, task.id))
        case a2a.DeleteTaskPushNotificationConfig(config_id=config_id):
            webhooks.drop(db, task.id, config_id)
            return None
    return Rejected(code="unsupported-operation")


def _extended_card(received: a2a.ReceivedOperation, config: Config) -> a2a.OperationAnswer:
    if not (config.a2a.callers or config.a2a.issuers):
        return None
    if received.caller is None:
        return Rejected(code="verification-required")
    return a2a_card(config, is_extended=True)
