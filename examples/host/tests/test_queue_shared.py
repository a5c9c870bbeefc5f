"""The queue of processes that share a PostgreSQL database."""

from __future__ import annotations

import asyncio
import threading
from datetime import timedelta

import psycopg
import pytest
from sqlalchemy import delete, select

from mentionable_host import host as module
from mentionable_host.queue.attempts import Attempts
from mentionable_host.queue.outcome import Dead, Done, Retry
from mentionable_host.queue.shared import SharedWorker, install
from mentionable_host.queue.worker import LEASE
from mentionable_host.signals import SharedSignals, Signals
from mentionable_host.store import jobs, outbox, turns
from mentionable_host.store.database import Database, StoreUnavailable
from mentionable_host.store.tables import jobs as table
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


@pytest.fixture
def shared(postgres):
    """A database with all tables."""
    database = Database(postgres.new_database())
    metadata.create_all(database.engine)
    install(database.engine)
    yield database
    database.close()


def put(database, *lanes):
    """Jobs in some lanes; their numbers are 1, 2 and so on."""

    def work(db):
        for number, lane in enumerate(lanes):
            job = jobs.Job(key=f"{lane} {number}", kind="test.do", lane=lane, payload=b"x")
            jobs.enqueue(db, job, now=system_now() - timedelta(seconds=9 - number))

    asyncio.run(database.write(work))


def taken(database, *numbers, later=timedelta(0)):
    """What is leased under numbers that procrastinate brings at the same time."""
    now = system_now() + later

    async def run():
        take = [lambda db, one=one: jobs.lease_one(db, one, now=now, until=now + LEASE) for one in numbers]
        return await asyncio.gather(*(database.write(one) for one in take))

    return [job for job in asyncio.run(run()) if job is not None]


def made(database, job, outcome):
    async def handle(one):
        return outcome

    attempts = Attempts(database, Clock(), {job.kind: handle}, signals=Signals())
    asyncio.run(attempts.make(job))


def announced(database):
    """How many jobs procrastinate has."""
    with database.snapshot() as db:
        return db.exec_driver_sql("SELECT count(*) FROM procrastinate_jobs").scalar()


def until_somebody_waits(database):
    """Returns when a transaction waits for another one."""
    with psycopg.connect(database.conninfo, autocommit=True) as watching:
        for _ in range(3_000):
            watching.execute("SELECT pg_sleep(0.01)")
            if watching.execute("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'").fetchone():
                return
    raise AssertionError("nobody waits")


def state(database, number):
    with database.snapshot() as db:
        return db.execute(select(table.c.state).where(table.c.number == number)).scalar()


@pytest.mark.storm
@pytest.mark.parametrize(("lane", "most"), [("answer t", 1), ("host a.example", jobs.OF_A_LANE)])
def test_of_a_lane_no_more_jobs_run_at_once_than_may_whoever_takes_them(shared, lane, most):
    put(shared, *[lane] * 6)

    found = taken(shared, *range(1, 7))

    assert sorted(job.number for job in found) == [*range(1, most + 1)]


@pytest.mark.storm
@pytest.mark.parametrize("outcome", [Done(), Retry("not now"), Dead("never")])
def test_the_end_of_a_job_brings_the_next_one_of_its_lane(shared, outcome):
    put(shared, "answer t", "answer t")
    (job,) = taken(shared, 1)
    before = announced(shared)

    made(shared, job, outcome)

    assert announced(shared) - before == (2 if isinstance(outcome, Retry) else 1)
    assert [one.number for one in taken(shared, 2)] == [2]


@pytest.mark.storm
@pytest.mark.parametrize("outcome", [Done(), Retry("not now"), Dead("never")])
def test_a_job_that_was_removed_while_it_ran_brings_the_next_one_of_its_lane(shared, outcome):
    put(shared, "answer t", "answer t")
    (job,) = taken(shared, 1)
    before = announced(shared)
    asyncio.run(shared.write(lambda db: db.execute(delete(table).where(table.c.number == 1))))

    made(shared, job, outcome)

    assert announced(shared) - before == 1
    assert [one.number for one in taken(shared, 2)] == [2]


@pytest.mark.storm
def test_a_job_that_another_process_left_is_taken_as_one_that_runs(shared):
    put(shared, "answer t")
    (first,) = taken(shared, 1)
    (again,) = taken(shared, 1, later=2 * LEASE)

    assert (first.state, first.tries, first.payload) == ("waiting", 0, b"x")
    assert (again.state, again.tries, again.payload) == ("running", 1, b"x")


@pytest.mark.storm
def test_pushes_leave_places_for_everything_else(shared):
    put(shared, "other", f"{jobs.PUSHES}a")
    full = [f"{jobs.PUSHES}{number}" for number in range(jobs.OF_PUSHES)]
    before = announced(shared)

    def take(number, running):
        now = system_now()
        return asyncio.run(
            shared.write(lambda db: jobs.lease_one(db, number, now=now, until=now + LEASE, running=running))
        )

    assert take(2, full) is None
    assert announced(shared) - before == 1
    assert take(1, full).lane == "other"
    assert take(2, full[1:]).lane == f"{jobs.PUSHES}a"


@pytest.mark.storm
def test_what_is_late_is_announced_once(shared):
    put(shared, "a", "b", "c")
    taken(shared, 1)
    later = Clock()
    later.now = lambda: system_now() + 2 * jobs.PATIENCE
    worker = SharedWorker(shared, later, Attempts(shared, later, {}, signals=Signals()))

    def lose(db):
        db.exec_driver_sql("DELETE FROM procrastinate_jobs WHERE args ->> 'number' IN ('1', '2')")

    asyncio.run(shared.write(lose))
    for _ in range(3):
        asyncio.run(shared.write(worker._sweep_once))

    with shared.snapshot() as db:
        waiting = db.exec_driver_sql("SELECT args ->> 'number' FROM procrastinate_jobs ORDER BY 1").scalars().all()
    assert waiting == ["1", "2", "3"]


@pytest.mark.storm
def test_what_killed_processes_had_fetched_does_not_stay(shared):
    put(shared, "a", "b", "c")
    taken(shared, 1)
    worker = SharedWorker(shared, Clock(), Attempts(shared, Clock(), {}, signals=Signals()))

    def fetch(db):  # as procrastinate leaves it when it has noted that a worker is gone
        db.exec_driver_sql("UPDATE procrastinate_jobs SET status = 'doing' WHERE args ->> 'number' IN ('1', '2')")

    asyncio.run(shared.write(fetch))
    asyncio.run(shared.write(worker._sweep_once))

    with shared.snapshot() as db:
        left = db.exec_driver_sql("SELECT args ->> 'number' FROM procrastinate_jobs ORDER BY 1").scalars().all()
    assert left == ["1", "3"]


@pytest.mark.storm
def test_what_the_operator_drops_while_the_lane_is_looked_at_is_not_taken(shared):
    put(shared, "a")

    async def run():
        dropped, loop = asyncio.Event(), asyncio.get_running_loop()

        def drop(db):
            assert outbox.discard(db, 1, now=system_now())
            loop.call_soon_threadsafe(dropped.set)
            until_somebody_waits(shared)

        dropping = asyncio.create_task(shared.write(drop))
        await dropped.wait()
        now = system_now()
        found = await shared.write(lambda db: jobs.lease_one(db, 1, now=now, until=now + LEASE))
        await dropping
        return found

    assert asyncio.run(run()) is None
    assert state(shared, 1) == "done"


@pytest.mark.storm
def test_of_what_was_ended_by_another_process_nothing_is_stored(shared):
    put(shared, "a")
    (job,) = taken(shared, 1)
    asyncio.run(shared.write(lambda db: jobs.finish(db, 1, now=system_now())))
    stored = []

    made(shared, job, Done(stored.append))

    assert stored == []


@pytest.mark.storm
def test_a_turn_is_canceled_before_its_answer_is_stored_or_not_at_all(shared):
    def work(db):
        job = jobs.Job(key="answer m", kind="test.do", lane="a", payload=b"")
        jobs.enqueue(db, job, now=system_now())

    asyncio.run(shared.write(work))
    (job,) = taken(shared, 1)

    async def run():
        storing, loop = asyncio.Event(), asyncio.get_running_loop()

        def store(db):
            loop.call_soon_threadsafe(storing.set)
            assert not turns.is_canceled(db, "m")
            until_somebody_waits(shared)

        async def handle(one):
            return Done(store)

        attempts = Attempts(shared, Clock(), {"test.do": handle}, signals=Signals())
        making = asyncio.create_task(attempts.make(job))
        await storing.wait()
        was_canceled = await shared.write(lambda db: turns.cancel(db, "m", now=system_now()))
        await making
        return was_canceled

    assert asyncio.run(run()) is False


@pytest.mark.storm
def test_signals_go_on_whatever_peers_call_their_threads(shared, caplog):
    def heard():
        with psycopg.connect(shared.conninfo, autocommit=True) as hearing:
            hearing.execute("LISTEN mentionable")
            listens.set()
            return [notice.payload for notice in hearing.notifies(timeout=30, stop_after=1)]

    async def run():
        signals = SharedSignals(shared.conninfo)
        running, hearing = asyncio.create_task(signals.run()), asyncio.create_task(asyncio.to_thread(heard))
        await asyncio.to_thread(listens.wait)
        for topic in ("thread a\0b", "thread \ud800", "x" * 100_000, "thread good"):
            signals.tell(topic)
        found = await hearing
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        return found

    listens = threading.Event()

    assert asyncio.run(run()) == ["thread good"]
    assert not caplog.records
