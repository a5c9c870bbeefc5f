"""The queue of processes that share a PostgreSQL database."""

from __future__ import annotations

import asyncio

import psycopg
import pytest

from mentionable_host import host as module
from mentionable_host.queue.attempts import Attempts
from mentionable_host.queue.outcome import Done
from mentionable_host.queue.shared import SharedWorker, install
from mentionable_host.signals import Signals
from mentionable_host.store import jobs
from mentionable_host.store.database import Database, StoreUnavailable
from mentionable_host.store.tables import metadata
from mentionable_host.world.world import system_entropy, system_now


class Clock:
    now, entropy = staticmethod(system_now), staticmethod(system_entropy)


@pytest.mark.storm
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # procrastinate leaves them open
def test_jobs_go_on_after_every_connection_broke(postgres, monkeypatch, caplog):
    monkeypatch.setattr(module, "AGAIN_SECONDS", 0.1)
    database, done = Database(postgres.new_database()), set()
    metadata.create_all(database.engine)
    install(database.engine)

    async def handle(job):
        done.add(job.key)
        return Done()

    async def put(key):
        job = jobs.Job(key=key, kind="test.do", lane="a", payload=b"")
        for _ in range(10):
            try:
                return await database.write(lambda db: jobs.enqueue(db, job, now=system_now()))
            except StoreUnavailable:
                continue  # the connection was of those that broke
        raise AssertionError("the database stays away")

    async def until(key):
        async with asyncio.timeout(60):
            while key not in done:
                await asyncio.sleep(0.05)

    def break_connections():
        others = "pid <> pg_backend_pid() AND datname = current_database()"
        with psycopg.connect(database.conninfo, autocommit=True) as connection:
            connection.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}")

    async def main():
        worker = SharedWorker(database, Clock(), Attempts(database, Clock(), {"test.do": handle}, signals=Signals()))
        working = asyncio.create_task(module._always("the worker", worker.run))
        await put("before")
        await until("before")
        await asyncio.to_thread(break_connections)
        await put("after")
        await until("after")
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)

    asyncio.run(main())
    database.close()
    assert done == {"before", "after"}
