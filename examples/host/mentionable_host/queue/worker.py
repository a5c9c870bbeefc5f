"""The worker of this process: takes jobs that are due, a few of each lane, and stores what becomes of them."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from datetime import timedelta
from functools import partial
from random import Random
from typing import Final

from sqlalchemy import Connection, update

from mentionable_host.queue.outcome import Dead, Done, Handler, Outcome, Retry, pause
from mentionable_host.signals import Signals
from mentionable_host.store import jobs
from mentionable_host.store.database import Conflict, Database, StoreUnavailable
from mentionable_host.store.tables import jobs as table
from mentionable_host.world.world import World

__all__ = ["Worker"]

log = logging.getLogger(__name__)

AT_ONCE: Final = 32
OF_A_LANE: Final = 2
LEASE: Final = timedelta(seconds=60)
IDLE_SECONDS: Final = 1.0
"""So often the database is asked when nothing was heard of new jobs."""


class Worker:
    """Does jobs until it is stopped."""

    def __init__(self, database: Database, world: World, handlers: Mapping[str, Handler], *, signals: Signals) -> None:
        """Nothing is done yet.

        Args:
            database: Where the jobs are.
            world: The clock.
            handlers: Kind of job → what does it.
            signals: Tells who waits for what a job brings.
        """
        self._signals = signals
        self._database, self._world, self._handlers = database, world, handlers
        self._running: dict[int, tuple[str, asyncio.Task[None]]] = {}
        self._has_new, self._chance = asyncio.Event(), Random(world.entropy())  # noqa: S311 - it spreads retries

    def wake(self) -> None:
        """Says that there may be new jobs."""
        self._has_new.set()

    async def run(self) -> None:
        """Does jobs, until it is canceled. What is canceled with it is done again after the next start."""
        keeping = asyncio.create_task(self._keep())
        try:
            while True:
                self._has_new.clear()
                await self._begin()
                with suppress(TimeoutError):
                    # `wait_for` of Python 3.11 loses a cancellation that comes together with the event
                    async with asyncio.timeout(IDLE_SECONDS):
                        await self._has_new.wait()
        finally:
            tasks = [keeping, *(task for _, task in self._running.values())]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def recover(self) -> None:
        """Takes back what an earlier process had begun. Only where no other process works on this database."""
        await self._database.write(
            lambda db: db.execute(update(table).where(table.c.state == "running").values(state="waiting"))
        )

    async def _begin(self) -> None:
        """Begins with what is due."""
        room = AT_ONCE - len(self._running)
        if room <= 0:
            return
        counts = Counter(lane for lane, _ in self._running.values())
        full = frozenset(lane for lane, count in counts.items() if count >= OF_A_LANE)
        now = self._world.now()
        try:
            found = await self._database.write(
                lambda db: jobs.lease(db, now=now, until=now + LEASE, limit=room, beside=full)
            )
        except (StoreUnavailable, Conflict) as error:
            log.warning("no jobs are begun: %s", error)
            return
        for job in found:
            self._running[job.number] = job.lane, asyncio.create_task(self._do(job))

    async def _do(self, job: jobs.StoredJob) -> None:
        """Does one job, and stores what became of it."""
        try:
            await self._store(job, await attempt(self._handlers, job))
        except StoreUnavailable as error:  # it stays leased, and is tried when the lease has ended
            log.warning("%s: what became of it cannot be stored: %s", job.kind, error)
        except Conflict:
            await self._store(job, Retry("another transaction was faster"))
        finally:
            self._running.pop(job.number, None)
            self.wake()

    async def _store(self, job: jobs.StoredJob, outcome: Outcome) -> None:
        wait = pause(job.tries, outcome, chance=self._chance) if isinstance(outcome, Retry) else None
        await self._database.write(lambda db: settle(db, job, outcome, wait=wait, world=self._world))
        log.info("%s %s: %s", job.kind, job.key, type(outcome).__name__.lower())
        for topic in outcome.topics if isinstance(outcome, Done) else ():
            self._signals.tell(topic)

    async def _keep(self) -> None:
        """Keeps what is worked on from being taken by others."""
        while True:
            await asyncio.sleep(LEASE.total_seconds() / 3)
            until, numbers = self._world.now() + LEASE, [*self._running]
            with suppress(StoreUnavailable, Conflict):
                await self._database.write(partial(jobs.extend, numbers=numbers, until=until))


async def attempt(handlers: Mapping[str, Handler], job: jobs.StoredJob) -> Outcome:
    """What becomes of one try. A fault of a handler is a try that failed, never the end of the worker."""
    handler = handlers.get(job.kind)
    if handler is None:
        return Dead(f"nothing here does {job.kind}")
    try:
        return await handler(job)
    except (StoreUnavailable, Conflict) as error:
        return Retry(f"{type(error).__name__}: {error}")
    except Exception as error:
        log.exception("%s %s", job.kind, job.key)
        return Retry(f"{type(error).__name__}: {error}")


def settle(db: Connection, job: jobs.StoredJob, outcome: Outcome, *, wait: timedelta | None, world: World) -> None:
    """Stores what became of a job, in one transaction with what it brought."""
    now = world.now()
    match outcome:
        case Done(store=store):
            store(db)
            jobs.finish(db, job.number, now=now)
        case Retry(reason=reason) if wait is not None:
            jobs.postpone(db, job.number, due=now + wait, error=reason)
        case Retry(reason=reason):
            jobs.bury(db, job.number, now=now, error=reason)
        case Dead(reason=reason, store=store):
            store(db)
            jobs.bury(db, job.number, now=now, error=reason)
