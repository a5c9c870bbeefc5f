"""Pushes the state of a task to a webhook, one notification at a time, so that they come in order.

Where updates come faster than a webhook takes them, it gets the newest state alone.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from attrs import evolve
from mentionable import Failed, HttpResponse, MentionableError, StoredTask, a2a
from mentionable.connectors import retry_after
from sqlalchemy import Connection

from mentionable_host.queue.outcome import Dead, Done, Outcome, Retry
from mentionable_host.store import blocks, jobs, tasks, webhooks
from mentionable_host.store.jobs import Job, StoredJob
from mentionable_host.store.webhooks import Webhook

if TYPE_CHECKING:
    from mentionable_host.host import Host

__all__ = ["KIND", "give_up", "handler", "push_job"]

KIND: Final = "a2a.push"
TRIES: Final = 6
"""So often a notification is sent; then the webhook waits for the next update. This is about three hours."""
SECONDS: Final = 10
LAST_STATUS: Final = 299
BUSY: Final = (408, 425, 429)


def push_job(webhook: Webhook, *, person: str | None, newest: int) -> Job:
    """The job that tells a webhook of an update of its task, or of a later one."""
    config = webhook.config
    return Job(
        key=f"{KIND} {config.task_id} {config.id} {newest}",
        kind=KIND,
        lane=f"push {urlsplit(config.url).hostname}",
        payload=json.dumps([config.task_id, config.id]).encode(),
        person=person,
    )


def handler(host: Host, settings: a2a.Settings) -> Callable[[StoredJob], Awaitable[Outcome]]:
    """The handler of these jobs."""
    signer = a2a.PushSigner(issuer=host.config.origin, key=host.keys.card)

    async def push(job: StoredJob) -> Outcome:
        task_id, config_id = json.loads(job.payload)

        def read(db: Connection) -> tuple[Webhook, StoredTask, bool] | None:
            row, webhook = tasks.get(db, task_id), webhooks.get(db, task_id, config_id)
            if row is None or webhook is None:
                return None
            owner = row.task.owner
            return webhook, row.task, owner is not None and blocks.is_unheard(db, owner)

        stored = await host.database.read(read)
        if stored is None:
            return Done()  # its client dropped it
        webhook, task, is_blocked = stored

        def settle(db: Connection) -> None:
            newer = webhooks.settle(db, task_id, config_id, pushed=webhook.newest)
            if newer is not None:
                jobs.enqueue(db, push_job(newer, person=task.owner, newest=newer.newest), now=host.world.now())

        if is_blocked:
            return Done(settle)
        try:
            request = a2a.push_notification(
                webhook.config,
                task,
                now=host.world.now(),
                entropy=host.world.entropy(),
                signer=signer,
                dialect=webhook.dialect,
                settings=settings,
            )
        except MentionableError as error:  # its URL may not be asked for any more, say
            return Dead(f"the notification cannot be written: {error}", settle)
        outcome = _outcome(await host.world.send(request, seconds=SECONDS), now=host.world.now())
        if isinstance(outcome, Retry) and job.tries >= TRIES:
            return Dead(outcome.reason, settle)
        return outcome if isinstance(outcome, Retry) else evolve(outcome, store=settle)

    return push


def give_up(db: Connection, job: StoredJob) -> tuple[str, ...]:
    """Has a webhook wait for the next update, unless a job is to push a later one already."""
    task_id, config_id = json.loads(job.payload)
    webhook = webhooks.get(db, task_id, config_id)
    if webhook is not None:
        later = push_job(webhook, person=None, newest=webhook.newest)
        if jobs.state_of(db, later.key) not in ("waiting", "running"):
            webhooks.release(db, task_id, config_id)
    return ()


def _outcome(got: HttpResponse | Failed, *, now: datetime) -> Outcome:
    """What an answer of a webhook means."""
    if isinstance(got, Failed):
        reason = f"the webhook does not answer: {got.reason}"
        return Retry(reason) if got.temporary else Dead(reason)
    if got.status <= LAST_STATUS:
        return Done()
    if got.status in BUSY or got.status >= 500:
        return Retry(f"the webhook answers {got.status}", retry_after(got, now=now))
    return Dead(f"the webhook answers {got.status}")
