"""One try of a job: its handler is called, and what comes of it is stored with the end of the job."""

from __future__ import annotations

import asyncio
import logging
from random import Random
from typing import TYPE_CHECKING, Final

from mentionable_host import metrics
from mentionable_host.queue.outcome import Dead, Done, GivenUp, Handler, Outcome, Retry, pause
from mentionable_host.store import jobs, outbox
from mentionable_host.store.database import Conflict, Database, StoreUnavailable

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import timedelta

    from sqlalchemy import Connection

    from mentionable_host.signals import Signals
    from mentionable_host.world.world import World

__all__ = ["Attempts"]

log = logging.getLogger(__name__)

LEFT: Final = 3
"""After so many tries, a job whose process ended in the middle is tried later: perhaps it ends each process."""


class Attempts:
    """Tries jobs, for the worker of one process and for those of many."""

    def __init__(
        self,
        database: Database,
        world: World,
        handlers: Mapping[str, Handler],
        *,
        signals: Signals,
        given_up: Mapping[str, GivenUp] | None = None,
    ) -> None:
        """Nothing is tried yet.

        Args:
            database: Where the jobs are.
            world: The clock.
            handlers: Kind of job → what does it.
            signals: Tells who waits for what a job brings.
            given_up: Kind of job → what follows where one is given up.
        """
        self._database, self._world, self._handlers, self._signals = database, world, handlers, signals
        self._given_up = given_up or {}
        self.chance = Random(world.entropy())  # noqa: S311 - it spreads retries

    async def make(self, job: jobs.StoredJob) -> None:
        """Tries a job that is leased, and stores what became of it.

        Raises:
            StoreUnavailable: It stays leased, and is tried when the lease has ended.
        """
        began, is_left = self._world.now(), job.state == "running"
        outcome = Retry("its process ended in the middle") if is_left and job.tries >= LEFT else await self._call(job)
        ended = self._world.now()
        seconds, age = (ended - began).total_seconds(), (ended - job.created_at).total_seconds()
        metrics.note_job(job, outcome, seconds=seconds, age=age)
        try:
            topics = await self._store(job, outcome)
        except Conflict:
            topics = await self._store(job, Retry("another transaction was faster"))
        except StoreUnavailable:
            raise
        except Exception as error:  # what a handler stores is as fallible as itself
            log.exception("%s %r", job.kind, job.key)
            topics = await self._store(job, Retry(_words(error)))
        self._signals.tell(*topics)

    async def drop(self, number: int) -> bool:
        """Ends a job that waits or was given up, as the operator wants it.

        False: there is none, or it is being done just now.
        """

        def work(db: Connection) -> tuple[str, ...] | None:
            job, now = jobs.get(db, number), self._world.now()
            if job is None or not outbox.discard(db, number, now=now):
                return None
            return self._follow(db, job)

        topics = await self._database.write_again(work)
        self._signals.tell(*(topics or ()))
        return topics is not None

    async def _call(self, job: jobs.StoredJob) -> Outcome:
        """A fault of a handler is a try that failed, never the end of the worker."""
        handler = self._handlers.get(job.kind)
        if handler is None:
            return Dead(f"nothing here does {job.kind}")
        try:
            return await handler(job)
        except (StoreUnavailable, Conflict) as error:
            return Retry(_words(error))
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is None or task.cancelling():  # the host ends
                raise
            log.exception("%s %r", job.kind, job.key)
            return Retry("what it waited for was canceled")
        except Exception as error:
            log.exception("%s %r", job.kind, job.key)
            return Retry(_words(error))

    async def _store(self, job: jobs.StoredJob, outcome: Outcome) -> tuple[str, ...]:
        """Stores what became of a job; the signals to give."""
        wait = pause(job.tries, outcome, chance=self.chance) if isinstance(outcome, Retry) else None
        topics = await self._database.write(lambda db: self._settle(db, job, outcome, wait=wait))
        log.info("%s %r: %s", job.kind, job.key, type(outcome).__name__.lower())
        return topics

    def _settle(
        self, db: Connection, job: jobs.StoredJob, outcome: Outcome, *, wait: timedelta | None
    ) -> tuple[str, ...]:
        """Where it was canceled, or its person was forgotten meanwhile, nothing of it is stored."""
        now, topics = self._world.now(), outcome.topics if isinstance(outcome, Done) else ()
        match outcome:
            case Done(store=store):
                if jobs.finish(db, job.number, now=now, lane=job.lane):
                    store(db)
            case Retry(reason=reason) if wait is not None:
                jobs.postpone(db, job.number, due=now + wait, error=reason, lane=job.lane)
            case Retry(reason=reason):
                if jobs.bury(db, job.number, now=now, error=reason, lane=job.lane):
                    topics = self._follow(db, job)
            case Dead(reason=reason, store=store):
                if jobs.bury(db, job.number, now=now, error=reason, lane=job.lane):
                    store(db)
                    topics = self._follow(db, job)
        jobs.hand_on(db, job.lane, now=now)
        return topics

    def _follow(self, db: Connection, job: jobs.StoredJob) -> tuple[str, ...]:
        """Stores what follows where a job brings nothing any more; who waits for it."""
        follow = self._given_up.get(job.kind)
        try:
            with db.begin_nested():
                return () if follow is None else follow(db, job)
        except Exception:  # it is given up in any case
            log.exception("%s %r: those who wait are not told", job.kind, job.key)
            return ()


def _words(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
