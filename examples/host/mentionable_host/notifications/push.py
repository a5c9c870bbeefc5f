"""Tells devices by Web Push of what is presented and of what is settled: each by a job of its own.

Spec: RFC 8030 §5, RFC 8188, RFC 8291, RFC 8292.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from attrs import frozen
from mentionable import Failed, HttpRequest, HttpResponse, MentionableError, anp, decode_trusted
from mentionable.connectors import retry_after
from sqlalchemy import Connection

from mentionable_host.notifications.encryption import ENCODING, encrypted
from mentionable_host.notifications.vapid import Vapid
from mentionable_host.queue.outcome import Dead, Done, Handler, Outcome, Retry
from mentionable_host.store import blocks, pushes
from mentionable_host.store.jobs import StoredJob

if TYPE_CHECKING:
    from mentionable_host.host import Host

__all__ = ["Pusher"]

log = logging.getLogger(__name__)

SECONDS: Final = 10
TRIES: Final = 6
"""So often a message is tried: within about an hour. What is pushed later is old."""
SIZES: Final = (3_993, 2_000, 1_000)
"""So many bytes a message has at most; the next where a push service takes no longer one."""
SALT: Final = 16

LAST_STATUS: Final = 299
GONE: Final = (404, 410)
TOO_LONG: Final = 413
BUSY: Final = (408, 425, 429)


@frozen
class _Message:
    """Something that is just going to a device."""

    what: anp.Notification | anp.Settled
    subscription: anp.PushSubscription
    secret: bytes


class Pusher:
    """Does the jobs of `store.pushes`."""

    def __init__(self, host: Host) -> None:
        """Reads nothing yet."""
        self._host = host
        self._vapid: Vapid | None = None

    @property
    def vapid(self) -> Vapid:
        """The key of the host, read when it is first used.

        Raises:
            ConfigError: It cannot be read or made.
        """
        if self._vapid is None:
            self._vapid = Vapid.load(self._host.config)
        return self._vapid

    def handlers(self) -> Mapping[str, Handler]:
        """Kind of job → what does it."""
        return {pushes.PRESENT: self._present, pushes.SETTLE: self._settle}

    async def _present(self, job: StoredJob) -> Outcome:
        """Shows an event on a device, where it is still presented as it was when it came into the stream."""
        now, fresh = self._host.world.now(), self._host.world.entropy()

        def begin(db: Connection) -> _Message | None:
            push = None if _is_unheard(db, job) else pushes.begin(db, job, now=now)
            secret = pushes.topics_secret(db, fresh)
            return None if push is None else _Message(push.event, push.subscription, secret)

        message = await self._host.database.write(begin)
        return Done() if message is None else await self._push(message, job)

    async def _settle(self, job: StoredJob) -> Outcome:
        """Takes an event from a device that may display it."""
        what, fresh = json.loads(job.payload), self._host.world.entropy()
        item = decode_trusted(anp.Settled, what["settled"])

        def begin(db: Connection) -> _Message | None:
            to = None if _is_unheard(db, job) else pushes.subscription(db, what["endpoint"], person=item.user_id)
            return None if to is None else _Message(item, to, pushes.topics_secret(db, fresh))

        message = await self._host.database.write(begin)
        if message is None:
            return Done()
        outcome = await self._push(message, job)
        return Done(partial(pushes.settled, name=what["endpoint"], item=item)) if outcome == Done() else outcome

    async def _push(self, message: _Message, job: StoredJob) -> Outcome:
        """Sends a message; shorter ones, where the push service takes no longer one."""
        service = urlsplit(message.subscription.endpoint).hostname
        name, got = pushes.name_of(message.subscription.endpoint), HttpResponse(status=TOO_LONG)
        for size in SIZES:
            try:
                request = self._request(message, size=size, now=self._host.world.now())
            except (MentionableError, ValueError) as error:  # its ids are too long, or its keys are none
                return Dead(f"the message to {service} cannot be written: {type(error).__name__}")
            answer = await self._host.world.send(request, seconds=SECONDS)
            if isinstance(answer, Failed):  # its reason may have the whole URL
                reason = f"{service} does not answer, or may not be asked"
                return _again(reason, job) if answer.temporary else Dead(reason)
            got = answer
            if got.status != TOO_LONG:
                break
        if got.status <= LAST_STATUS:
            return Done()
        if got.status in GONE:
            log.info("a subscription at %s has ended", service)
            return Done(lambda db: pushes.end(db, name))
        reason = f"{service} answers {got.status}"
        if got.status in BUSY or got.status >= 500:
            return _again(reason, job, retry_after(got, now=self._host.world.now()))
        return Dead(reason)

    def _request(self, message: _Message, *, size: int, now: datetime) -> HttpRequest:
        """The request to the push service.

        Raises:
            UsageError: The event does not fit.
            ValueError: The keys of the subscription are none.
        """
        to = message.subscription
        push = anp.to_web_push(message.what, now=now, secret=message.secret, max_bytes=size)
        headers = {
            **push.headers,
            "Authorization": self.vapid.authorization(to.endpoint, now=now),
            "Content-Encoding": ENCODING,
            "Content-Type": "application/octet-stream",
        }
        body = encrypted(push.payload, to.keys, salt=self._host.world.entropy()[-SALT:])
        return HttpRequest(method="POST", url=to.endpoint, headers=headers, body=body)


def _again(reason: str, job: StoredJob, after: timedelta | None = None) -> Outcome:
    return Retry(reason, after) if job.tries < TRIES - 1 else Dead(reason)


def _is_unheard(db: Connection, job: StoredJob) -> bool:
    return job.person is not None and blocks.is_unheard(db, job.person)
