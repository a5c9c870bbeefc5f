"""Tells devices by Web Push of what is presented and of what is settled: each by a job of its own.

Spec: RFC 8030 §5, RFC 8188, RFC 8291, RFC 8292.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from mentionable import Failed, HttpRequest, MentionableError, anp
from mentionable.connectors import retry_after
from sqlalchemy import Connection

from mentionable_host.notifications.encryption import ENCODING, encrypted
from mentionable_host.notifications.vapid import Vapid
from mentionable_host.queue.outcome import Dead, Done, Handler, Outcome, Retry
from mentionable_host.store import blocks, pushes
from mentionable_host.store.jobs import StoredJob
from mentionable_host.store.pushes import Push

if TYPE_CHECKING:
    from mentionable_host.host import Host

__all__ = ["Pusher"]

log = logging.getLogger(__name__)

SECONDS: Final = 10
TRIES: Final = 6
"""So often a message is tried: within about an hour. What is pushed later is old."""
SIZES: Final = (3_993, 2_000, 1_000)
"""The limits of a message in bytes; the next counts where a push service takes no longer one."""
SALT: Final = 16

LAST_STATUS: Final = 299
GONE: Final = (404, 410)
TOO_LONG: Final = 413
BUSY: Final = (408, 425, 429)
SERVER_ERROR: Final = 500


class Pusher:
    """Sends pushes: does the jobs that `store.pushes` stores."""

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
        now = self._host.world.now()
        push, secret = await self._begin(job, lambda db: pushes.begin_present(db, job, now=now))
        return Done() if push is None else await self._push(push, job, secret=secret)

    async def _settle(self, job: StoredJob) -> Outcome:
        """Takes an event from a device that may display it."""
        push, secret = await self._begin(job, lambda db: pushes.begin_settle(db, job))
        if push is None:
            return Done()
        outcome = await self._push(push, job, secret=secret)
        return Done(lambda db: pushes.note_settled(db, job)) if outcome == Done() else outcome

    async def _begin(self, job: StoredJob, begin: Callable[[Connection], Push | None]) -> tuple[Push | None, bytes]:
        """What a job sends, and what its topic is made with."""
        fresh = self._host.world.entropy()

        def work(db: Connection) -> tuple[Push | None, bytes]:
            is_unheard = job.person is not None and blocks.is_unheard(db, job.person)
            return None if is_unheard else begin(db), pushes.topics_secret(db, fresh)

        return await self._host.database.write(work)

    async def _push(self, push: Push, job: StoredJob, *, secret: bytes) -> Outcome:
        """Sends a message; shorter ones, where the push service takes no longer one."""
        endpoint, status, wait = push.to.endpoint, TOO_LONG, None
        service = urlsplit(endpoint).hostname
        for size in SIZES:
            now = self._host.world.now()
            try:
                message = anp.to_web_push(push.what, now=now, secret=secret, max_bytes=size)
                request = self._request(message, push.to, now=now)
            except (MentionableError, ValueError) as error:  # its ids are too long, or its keys are none
                return Dead(f"the message to {service} cannot be written: {type(error).__name__}")
            got = await self._host.world.send(request, seconds=SECONDS)
            if isinstance(got, Failed):  # its reason may have the whole URL
                reason = f"{service} does not answer" if got.temporary else f"{service} may not be asked"
                return _again(reason, job) if got.temporary else Dead(reason)
            status, wait = got.status, retry_after(got, now=now)
            if status != TOO_LONG:
                break
        if status <= LAST_STATUS:
            return Done()
        if status in GONE:
            log.info("a subscription at %s has ended", service)
            return Done(lambda db: pushes.end(db, pushes.name_of(endpoint)))
        reason = f"{service} answers {status}"
        return _again(reason, job, wait) if status in BUSY or status >= SERVER_ERROR else Dead(reason)

    def _request(self, message: anp.WebPush, to: anp.PushSubscription, *, now: datetime) -> HttpRequest:
        """The request to the push service.

        Raises:
            ValueError: The keys of the subscription are none.
        """
        headers = {
            **message.headers,
            "Authorization": self.vapid.authorization(to.endpoint, now=now),
            "Content-Encoding": ENCODING,
            "Content-Type": "application/octet-stream",
        }
        body = encrypted(message.payload, to.keys, salt=self._host.world.entropy()[-SALT:])
        return HttpRequest(method="POST", url=to.endpoint, headers=headers, body=body)


def _again(reason: str, job: StoredJob, after: timedelta | None = None) -> Outcome:
    return Retry(reason, after) if job.tries < TRIES - 1 else Dead(reason)
