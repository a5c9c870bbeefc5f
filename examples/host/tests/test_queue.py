from __future__ import annotations

import asyncio
from datetime import timedelta
from random import Random

import pytest
from sqlalchemy import insert, select

from mentionable_host.queue.attempts import Attempts
from mentionable_host.queue.outcome import PAUSES, Dead, Done, Retry, pause
from mentionable_host.queue.worker import LEASE, Worker
from mentionable_host.signals import Signals
from mentionable_host.store import jobs, outbox
from mentionable_host.store.database import Database
from mentionable_host.store.tables import jobs as table
from mentionable_host.store.tables import metadata, settings


@pytest.fixture
def database(tmp_path):
    database = Database(f"sqlite:///{tmp_path}/queue.db")
    metadata.create_all(database.engine)
    yield database
    database.close()


def job(key="one", *, kind="test.do", lane="a", **more):
    return jobs.Job(key=key, kind=kind, lane=lane, payload=key.encode(), **more)


def put(database, world, *some):
    with database.engine.begin() as db:
        return [jobs.enqueue(db, one, now=world.now()) for one in some]


def states(database):
    with database.engine.connect() as db:
        return {row.key: row.state for row in db.execute(select(table))}


def work(database, world, handler, *, until, kind="test.do"):
    """Has a worker work until something holds."""

    async def main():
        worker = Worker(database, world, Attempts(database, world, {kind: handler}, signals=Signals()))
        working = asyncio.create_task(worker.run())
        async with asyncio.timeout(30):
            while not until():
                worker.wake()
                await asyncio.sleep(0.005)
        working.cancel()
        await asyncio.wait([working], timeout=5)

    asyncio.run(main())


def test_a_job_is_stored_once(database, world):
    assert put(database, world, job(), job()) == [True, False]


def test_what_a_job_brings_is_stored_with_its_end(database, world):
    put(database, world, job())

    async def handler(one):
        return Done(lambda db: db.execute(insert(settings).values(key=one.key, value=one.payload)))

    work(database, world, handler, until=lambda: states(database) == {"one": "done"})

    with database.engine.connect() as db:
        assert db.execute(select(settings.c.value)).scalars().all() == [b"one"]


def test_what_cannot_be_stored_leaves_nothing_and_is_tried_again(database, world, caplog):
    put(database, world, job())
    tries = []

    async def handler(one):
        tries.append(one.tries)

        def store(db):
            db.execute(insert(settings).values(key=one.key, value=b""))
            if one.tries == 0:
                raise RuntimeError("the disk of the job is odd")

        return Done(store)

    work(database, world, handler, until=lambda: states(database) == {"one": "waiting"} and tries == [0])
    with database.engine.connect() as db:
        assert db.execute(select(settings)).first() is None
    world.advance(seconds=PAUSES[0] * 2)
    work(database, world, handler, until=lambda: states(database) == {"one": "done"})


def test_a_handler_that_fails_is_tried_again_later(database, world, caplog):
    put(database, world, job())
    tries = []

    async def handler(one):
        tries.append(one.tries)
        if len(tries) == 1:
            raise ValueError("not now")
        return Done()

    work(database, world, handler, until=lambda: states(database) == {"one": "waiting"} and tries == [0])
    world.advance(seconds=PAUSES[0] * 2)
    work(database, world, handler, until=lambda: states(database) == {"one": "done"})

    assert tries == [0, 1]


def test_what_nothing_does_is_given_up(database, world):
    put(database, world, job(kind="test.unknown"))

    work(database, world, None, until=lambda: states(database) == {"one": "dead"})


def test_what_is_given_up_may_be_tried_again(database, world):
    put(database, world, job())
    outcomes = [Done(), Dead("it is gone")]

    async def handler(one):
        return outcomes.pop()

    work(database, world, handler, until=lambda: states(database) == {"one": "dead"})
    with database.engine.begin() as db:
        assert outbox.retry(db, 1, now=world.now())
        assert not outbox.retry(db, 2, now=world.now())
    work(database, world, handler, until=lambda: states(database) == {"one": "done"})


def test_one_answer_runs_at_a_time_in_a_thread(database, world):
    put(database, world, *(job(str(n), lane="answer t") for n in range(5)))
    running, most = set(), []

    async def handler(one):
        running.add(one.key)
        most.append(len(running))
        await asyncio.sleep(0)
        running.discard(one.key)
        return Done()

    work(database, world, handler, until=lambda: set(states(database).values()) == {"done"})

    assert max(most) == 1


def test_a_lane_that_is_full_holds_no_other_up(database, world):
    put(database, world, *(job(f"a{n}") for n in range(40)), job("b", lane="b"))
    done = []

    async def handler(one):
        if one.key != "b":
            await asyncio.Event().wait()
        done.append(one.key)
        return Done()

    work(database, world, handler, until=lambda: done == ["b"])

    assert list(states(database).values()).count("running") == jobs.OF_A_LANE


def leased(database, world, *, running=None, limit=32):
    with database.engine.begin() as db:
        asked = {"now": world.now(), "until": world.now() + LEASE, "limit": limit, "running": running or {}}
        return [one.lane for one in jobs.lease(db, **asked)]


def test_what_waits_in_one_lane_by_the_hundred_holds_no_other_up(database, world):
    put(database, world, *(job(f"a{n}") for n in range(300)), *(job(f"b{n}", lane="b") for n in range(300)))
    put(database, world, job("c", lane="c"))

    assert leased(database, world, running={"a": 3}) == ["a", *["b"] * jobs.OF_A_LANE, "c"]


def test_a_look_for_jobs_takes_no_more_than_it_may(database, world):
    put(database, world, *(job(f"{lane}{n}", lane=lane) for lane in "abc" for n in range(20)))

    assert leased(database, world, limit=6) == ["a"] * 4 + ["b"] * 2


def test_pushes_that_take_long_leave_half_of_the_worker_to_others(database, world):
    put(database, world, *(job(f"p{n}", lane=f"{jobs.PUSHES}{n:02}") for n in range(300)), job("b", lane="b"))

    assert leased(database, world) == [*(f"{jobs.PUSHES}{n:02}" for n in range(jobs.OF_PUSHES)), "b"]
    assert leased(database, world, running={f"{jobs.PUSHES}x{n}": 1 for n in range(jobs.OF_PUSHES)}) == []


def test_what_a_process_left_is_taken_when_its_lease_has_ended(database, world):
    put(database, world, job())
    with database.engine.begin() as db:
        now = world.now()
        lease = {"now": now, "until": now + LEASE, "limit": 9, "running": {}}
        assert [one.key for one in jobs.lease(db, **lease)] == ["one"]
        assert jobs.lease(db, **lease) == []
        later = now + LEASE + timedelta(seconds=1)
        assert [one.tries for one in jobs.lease(db, **{**lease, "now": later})] == [1]


def test_what_waits_for_a_person_can_be_dropped(database, world):
    put(database, world, job(person="@a@a.example"), job("two", person="@b@b.example"))
    with database.engine.begin() as db:
        jobs.drop(db, person="@a@a.example", now=world.now())

    assert states(database) == {"one": "done", "two": "waiting"}


def test_pauses_grow_and_end():
    chance = Random(1)
    waits = [pause(tries, Retry("no"), chance=chance) for tries in range(len(PAUSES) + 1)]

    assert waits[-1] is None
    assert all(
        0.75 * seconds <= wait.total_seconds() <= 1.25 * seconds
        for seconds, wait in zip(PAUSES, waits[:-1], strict=True)
    )


@pytest.mark.parametrize(("asked", "waited"), [(3_600, 3_600), (10**7, 86_400)])
def test_a_peer_says_when_to_come_again_within_a_day(asked, waited):
    retry = Retry("busy", after=timedelta(seconds=asked))

    assert pause(0, retry, chance=Random(1)) == timedelta(seconds=waited)


def test_a_handler_whose_own_wait_was_canceled_is_tried_again_later(database, world, caplog):
    tried = []

    async def cancels(job):
        tried.append(job.key)
        one = asyncio.create_task(asyncio.sleep(10))
        one.cancel()
        await one

    put(database, world, job())
    work(database, world, cancels, until=lambda: tried and states(database) == {"one": "waiting"})

    with database.engine.connect() as db:
        [row] = db.execute(select(table))
    assert (row.tries, row.error) == (1, "what it waited for was canceled")
    assert row.due > world.now().timestamp()


def test_a_job_that_ends_its_process_each_time_is_tried_later_and_later(database, world):
    did = []

    async def handle(job):
        did.append(job.key)
        return Done()

    put(database, world, job("deadly"), job("other", lane="b"))
    with database.engine.begin() as db:
        db.execute(table.update().values(state="running", tries=1, leased_until=world.now().timestamp() + 60))
        db.execute(table.update().where(table.c.key == "deadly").values(tries=3))
    asyncio.run(Worker(database, world, Attempts(database, world, {}, signals=Signals())).recover())
    work(database, world, handle, until=lambda: states(database) == {"deadly": "waiting", "other": "done"})

    assert did == ["other"]
    with database.engine.connect() as db:
        row = db.execute(select(table).where(table.c.key == "deadly")).one()
    assert (row.error, row.due > world.now().timestamp() + 60) == ("its process ended in the middle", True)

    world.advance(hours=1)
    work(database, world, handle, until=lambda: states(database) == {"deadly": "done", "other": "done"})


@pytest.mark.parametrize("state", ["waiting", "running"])
def test_what_was_due_at_once_does_not_wait_where_the_clock_was_a_day_ahead(database, world, state):
    async def handle(job):
        return Done()

    world.advance(days=1)
    put(database, world, job(), job("planned", lane="b", due=world.now() + timedelta(hours=1)))
    if state == "running":
        with database.engine.begin() as db:
            jobs.lease(db, now=world.now(), until=world.now() + LEASE, limit=1, running={})
    world.advance(days=-1)
    asyncio.run(Worker(database, world, Attempts(database, world, {}, signals=Signals())).recover())

    work(database, world, handle, until=lambda: states(database) == {"one": "done", "planned": "waiting"})
