"""The worker of this process: takes jobs that are due, a few of each lane, and stores what becomes of them."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from contextlib import suppress
from datetime import timedelta
from typing import Final

from sqlalchemy import Connection, update

from mentionable_host.queue.attempts import Attempts
from mentionable_host.store import jobs
from mentionable_host.store.database import Conflict, Database, StoreUnavailable
from mentionable_host.store.tables import jobs as table
from mentionable_host.world.world import World

__all__ = ["Worker"]

log = logging.getLogger(__name__)

AT_ONCE: Final = 32
LEASE: Final = timedelta(seconds=60)
IDLE_SECONDS: Final = 1.0
"""So often the database is asked when no signal came of new jobs."""


class Worker:
    """Does jobs until it is stopped."""

    def __init__(self, database: Database, world: World, attempts: Attempts) -> None:
        """Nothing is done yet.

        Args:
            database: Where the jobs are.
            world: The clock.
            attempts: Tries them.
        """
        self._database, self._world, self._attempts = database, world, attempts
        self._running: dict[int, tuple[str, asyncio.Task[None]]] = {}
        self._has_new = asyncio.Event()
        self._is_finishing = False

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
                    async with asyncio.timeout(IDLE_SECONDS):  # `wait_for` of Python 3.11 can swallow a cancellation
                        await self._has_new.wait()
        finally:
            tasks = [keeping, *(task for _, task in self._running.values())]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def finish(self, seconds: float) -> None:
        """Begins with nothing more, and waits so long for what has begun."""
        self._is_finishing = True
        tasks = [task for _, task in self._running.values()]
        if tasks:
            await asyncio.wait(tasks, timeout=seconds)

    async def recover(self) -> None:
        """Takes back what an earlier process had begun. Only where no other process works on this database."""
        now = self._world.now()

        def work(db: Connection) -> None:
            db.execute(update(table).where(table.c.state == "running").values(leased_until=0))
            jobs.correct(db, now=now, leased_until=now + LEASE)

        await self._database.write(work)

    async def _begin(self) -> None:
        """Begins with what is due."""
        free = AT_ONCE - len(self._running)
        if free <= 0 or self._is_finishing:
            return
        counts = Counter(lane for lane, _ in self._running.values())
        now = self._world.now()
        try:
            found = await self._database.write(
                lambda db: jobs.lease(db, now=now, until=now + LEASE, limit=free, running=counts)
            )
        except (StoreUnavailable, Conflict) as error:
            log.warning("no jobs are begun: %s", error)
            return
        for job in found:
            self._running[job.number] = job.lane, asyncio.create_task(self._do(job))

    async def _do(self, job: jobs.StoredJob) -> None:
        """Does one job; what cannot be stored stays leased, and is tried when the lease has ended."""
        try:
            await self._attempts.make(job)
        except (StoreUnavailable, Conflict) as error:
            log.warning("%s: what became of it cannot be stored: %s", job.kind, error)
        finally:
            self._running.pop(job.number, None)
            self.wake()

    async def _keep(self) -> None:
        """Keeps what is worked on from being taken by others."""
        while True:
            await asyncio.sleep(LEASE.total_seconds() / 3)
            with suppress(StoreUnavailable, Conflict):
                await self._database.write(self._keep_once)

    def _keep_once(self, db: Connection) -> None:
        now = self._world.now()
        jobs.extend(db, numbers=[*self._running], until=now + LEASE)
        jobs.correct(db, now=now, leased_until=now + LEASE)
