"""The worker of processes that share a PostgreSQL database: procrastinate brings the numbers of jobs to one of them.

A job of procrastinate is stored in the very transaction that stores ours, and carries its number alone; what is to be
done, and what became of it, is in the table `jobs`, as on SQLite. So both queues look the same to everybody else.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from attrs import frozen
from sqlalchemy import text

from mentionable_host.queue.worker import LEASE
from mentionable_host.store import jobs
from mentionable_host.store.database import Conflict, StoreUnavailable

if TYPE_CHECKING:
    from datetime import datetime

    from procrastinate import App
    from psycopg import AsyncConnection
    from psycopg_pool import AsyncConnectionPool
    from sqlalchemy import Connection, Engine

    from mentionable_host.queue.attempts import Attempts
    from mentionable_host.store.database import Database
    from mentionable_host.world.world import World

__all__ = ["SharedWorker", "install"]

log = logging.getLogger(__name__)

AT_ONCE: Final = 32
SWEEP_SECONDS: Final = 20
SWEPT: Final = 1_000
POLL_SECONDS: Final = 5.0


_FORGET: Final = text(
    "DELETE FROM procrastinate_jobs AS left_over WHERE queue_name = :queue AND status = 'doing' AND worker_id IS NULL"
    " AND NOT EXISTS (SELECT 1 FROM jobs"
    " WHERE number = CAST(left_over.args ->> 'number' AS bigint) AND state = 'running')"
)
"""What a process that was killed had fetched of procrastinate stays there; ours is announced again by itself."""


def install(engine: Engine) -> bool:
    """Makes the tables and functions of procrastinate where they are not there; whether it did."""
    from procrastinate.schema import SchemaManager

    with engine.begin() as db:
        if db.exec_driver_sql("SELECT to_regclass('procrastinate_jobs')").scalar() is not None:
            return False
        # A `%` of its functions is no place for a value: the driver looks for places only where values are given.
        cursor = db.connection.cursor()
        cursor.execute(SchemaManager.get_schema())
        return True


async def _commit_each(connection: AsyncConnection) -> None:
    """Procrastinate never has two statements that belong together."""
    await connection.set_autocommit(True)


def _unchecked(*, check: object, **words: Any) -> AsyncConnectionPool:
    """A pool that does not ask the database each time whether it is there: where it is not, the worker begins anew."""
    from psycopg_pool import AsyncConnectionPool

    return AsyncConnectionPool(**words)


@frozen
class _Running:
    """A job that is being done."""

    lane: str
    ended: asyncio.Event


class SharedWorker:
    """Does jobs that procrastinate brings, until it is stopped."""

    def __init__(self, database: Database, world: World, attempts: Attempts) -> None:
        """Nothing is done yet.

        Args:
            database: Where the jobs are, on PostgreSQL.
            world: The clock.
            attempts: Tries them.
        """
        self._database, self._world, self._attempts = database, world, attempts
        self._running: dict[int, _Running] = {}
        self._is_finishing = False

    def wake(self) -> None:
        """Does nothing: the database tells procrastinate of new jobs."""

    async def recover(self) -> None:
        """Does nothing: what another process left is taken when its lease has ended."""

    async def run(self) -> None:
        """Does jobs, until it is canceled. What is canceled with it is done again when its lease has ended.

        Raises:
            Exception: The database was lost in the middle: run it again.
        """
        app = self._app()
        sweeping = asyncio.create_task(self._sweep())
        try:
            async with app.open_async():
                await app.run_worker_async(
                    queues=[jobs.QUEUE],
                    concurrency=AT_ONCE,
                    delete_jobs="always",
                    install_signal_handlers=False,
                    fetch_job_polling_interval=POLL_SECONDS,
                    shutdown_graceful_timeout=0,
                )
            raise RuntimeError("the worker of procrastinate has ended")  # as it does where connections break
        finally:
            sweeping.cancel()
            await asyncio.gather(sweeping, return_exceptions=True)

    async def finish(self, seconds: float) -> None:
        """Begins with nothing more, and waits so long for what has begun; other processes get what comes."""
        self._is_finishing = True
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                for one in [*self._running.values()]:
                    await one.ended.wait()

    def _app(self) -> App:
        from procrastinate import App, PsycopgConnector

        how: dict[str, Any] = {"configure": _commit_each, "pool_factory": _unchecked}
        app = App(connector=PsycopgConnector(conninfo=self._database.conninfo, **how))

        @app.task(name=jobs.TASK)
        async def do(number: int) -> None:
            await self.do(number)

        return app

    async def do(self, number: int) -> None:
        """Does the first job that is due in the lane of the one with a number, unless the lane is full."""
        now = self._world.now()
        try:
            job = await self._database.write(lambda db: self._lease(db, number, now=now))
            if job is not None:
                ended = asyncio.Event()
                self._running[job.number] = _Running(job.lane, ended)
                try:
                    await self._attempts.make(job)
                finally:
                    del self._running[job.number]
                    ended.set()
        except (StoreUnavailable, Conflict) as error:  # it is swept up later
            log.warning("job %s is not begun, or not ended: %s", number, error)

    def _lease(self, db: Connection, number: int, *, now: datetime) -> jobs.StoredJob | None:
        if self._is_finishing:
            jobs.announce(db, number, now + jobs.LATER)
            return None
        lanes = [one.lane for one in self._running.values()]
        return jobs.lease_one(db, number, now=now, until=now + LEASE, running=lanes)

    async def _sweep(self) -> None:
        """Keeps what is worked on here, and announces again what a process that was killed has left."""
        while True:
            with suppress(StoreUnavailable, Conflict):
                await self._database.write(self._sweep_once)
            await asyncio.sleep(SWEEP_SECONDS * self._attempts.chance.uniform(0.75, 1.25))

    def _sweep_once(self, db: Connection) -> None:
        now = self._world.now()
        jobs.extend(db, numbers=[*self._running], until=now + LEASE)
        jobs.correct(db, now=now, leased_until=now + LEASE)
        for number in jobs.left(db, now=now, limit=SWEPT):
            jobs.announce(db, number, now)
        db.execute(_FORGET, {"queue": jobs.QUEUE})
