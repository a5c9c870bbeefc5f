"""That the agent is at work, where a platform shows it: people see it type, or that an answer will come."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

from mentionable import NormalizedMessage
from sqlalchemy import Connection, select

from mentionable_host.queue.outcome import Dead, Done, Outcome, Retry
from mentionable_host.store import jobs, reply_targets
from mentionable_host.store.jobs import StoredJob
from mentionable_host.store.tables import jobs as job_table
from mentionable_host.transports.platforms import calls
from mentionable_host.transports.platforms.calls import Caller

__all__ = ["Progress"]

log = logging.getLogger(__name__)

TYPING_SECONDS: Final = 30.0
"""After so long it is of no use to show that the agent began."""


class Progress(Caller):
    """A platform on which people see that the agent is at work.

    Attributes:
        shows_typing: Whether they do.
        waits_visibly: Whether the platform itself shows that an answer will come, until there is one.
    """

    shows_typing: bool = True
    waits_visibly: ClassVar[bool] = False

    def typing(self, message: NormalizedMessage, *, target: Mapping[str, Any]) -> Sequence[calls.ApiRequest]:
        """The calls by which people see that the agent is at work."""
        return ()

    def dismissal(self, message: NormalizedMessage, *, target: Mapping[str, Any]) -> Sequence[calls.ApiRequest]:
        """The calls that take away what says that an answer will come."""
        return ()

    def show_later(self, db: Connection, message: NormalizedMessage) -> None:
        """Stores the job that shows that the agent is at work."""
        if self.shows_typing:
            typing = self._job("typing", message, key=message.id, payload={"id": message.id})
            jobs.enqueue(db, typing, now=self.host.world.now())

    def dismiss_later(self, db: Connection, message: NormalizedMessage) -> None:
        """Stores the job that takes away what says that an answer will come."""
        if self.waits_visibly:
            dismissal = self._job("dismiss", message, key=message.id, payload={"id": message.id})
            jobs.enqueue(db, dismissal, now=self.host.world.now())

    def silence(self, db: Connection, message: NormalizedMessage, *, is_canceled: bool) -> None:
        """Takes away what says that an answer will come."""
        self.dismiss_later(db, message)

    def give_up(self, db: Connection, message: NormalizedMessage) -> None:
        """Takes away what says that an answer will come."""
        self.dismiss_later(db, message)

    async def show_typing(self, job: StoredJob) -> Outcome:
        """Shows that the agent is at work, unless it has answered. Where it fails, nothing is missing."""
        message_id, now = json.loads(job.payload)["id"], self.host.world.now()
        if (now - job.created_at).total_seconds() > TYPING_SECONDS:
            return Done()
        message, response, target = await calls.stored(self.host, message_id)
        if message is None or response is not None:
            return Done()
        for request in self.typing(message, target=target):
            answer = await self.post(request, seconds=calls.SHOW_SECONDS)
            if isinstance(answer, (Retry, Dead)):
                log.debug("%s: that the agent is at work is not shown: %s", self.name, answer.reason)
        return Done()

    async def dismiss(self, job: StoredJob) -> Outcome:
        """Takes away what says that an answer will come, where none will."""
        message, response, target = await calls.stored(self.host, json.loads(job.payload)["id"])
        if message is None or response is not None:
            return Done()
        if await self.are_open([f"answer {message.id}", f"refuse {message.id}"], before=job):
            return Retry("an answer is still made")
        for request in self.dismissal(message, target=target):
            result = await self.post(request)
            if not isinstance(result, calls.Taken):
                return result
        return Done(lambda db: reply_targets.remove(db, message.id))

    async def are_open(self, keys: Sequence[str], *, before: StoredJob) -> bool:
        """Whether one of some jobs, which began before another, has not ended."""
        is_open = job_table.c.key.in_(keys) & job_table.c.state.in_(["waiting", "running"])
        query = select(job_table.c.number).where(is_open, job_table.c.number < before.number)
        return await self.host.database.read(lambda db: db.execute(query).first()) is not None
