"""What is stored of pushes, in each database, with others at work at the same time."""

import asyncio
import threading
from datetime import UTC, datetime, timedelta

import pytest
from devices import ALICE, BOB
from mentionable import anp
from push_service import PushService
from sqlalchemy import select, text

from mentionable_host.store import jobs, pushes
from mentionable_host.store.notifications import Events
from mentionable_host.store.tables import jobs as job_table
from mentionable_host.store.tables import push_subscriptions
from mentionable_host.store.tables import pushes as pushed

NOW = datetime(2026, 11, 27, 12, tzinfo=UTC)
RULES = anp.Rules()


def subscription(name="phone"):
    given = PushService().browser(name).subscription
    return anp.PushSubscription(endpoint=given["endpoint"], keys=anp.PushKeys(**given["keys"]))


def commit(db, command):
    store = Events(db, now=NOW)
    assert store.commit(anp.decide(store.get("e1"), command, now=NOW, rules=RULES))


def present(database):
    routing = anp.Routing(address="user", target="user", handler="system")
    submission = anp.Submission(content="Disk full.", user_id=ALICE, routing=routing)

    def work(db):
        commit(db, anp.Submit(submission=submission, id="e1"))
        commit(db, anp.Route())

    asyncio.run(database.write(work))


def job_of(database, kind):
    def read(db):
        numbers = db.execute(select(job_table.c.number).where(job_table.c.kind == kind)).scalars()
        return [jobs.get(db, number) for number in numbers]

    return asyncio.run(database.read(read))


def is_waited_for(db):
    """Whether another transaction waits for this one."""
    return db.execute(text("SELECT count(*) FROM pg_locks WHERE NOT granted")).scalar() > 0


def test_who_settles_an_event_waits_for_a_push_that_begins_and_finds_its_device(database):
    asyncio.run(database.write(lambda db: pushes.subscribe(db, ALICE, "d1", subscription(), now=NOW)))
    present(database)
    [job] = job_of(database, pushes.PRESENT)
    begun = threading.Event()

    def begin(db):
        assert pushes.begin_present(db, job, now=NOW) is not None
        begun.set()
        while db.dialect.name == "postgresql" and other.is_alive() and not is_waited_for(db):
            pass

    def settle():
        begun.wait(5)
        work = database.write_again(lambda db: commit(db, anp.ClientAck(lease=1, user_id=ALICE, revision=1)))
        asyncio.run(work)

    other = threading.Thread(target=settle)
    other.start()
    asyncio.run(database.write(begin))
    other.join(20)

    [settled] = job_of(database, pushes.SETTLE)
    assert settled.person == ALICE


def test_a_push_that_begins_after_the_event_was_settled_goes_nowhere(database):
    asyncio.run(database.write(lambda db: pushes.subscribe(db, ALICE, "d1", subscription(), now=NOW)))
    present(database)
    [job] = job_of(database, pushes.PRESENT)
    asyncio.run(database.write(lambda db: commit(db, anp.ClientAck(lease=1, user_id=ALICE, revision=1))))

    assert asyncio.run(database.write(lambda db: pushes.begin_present(db, job, now=NOW))) is None
    assert asyncio.run(database.read(lambda db: db.execute(select(pushed)).all())) == []
    assert job_of(database, pushes.SETTLE) == []


@pytest.mark.parametrize("people", [(ALICE, ALICE), (ALICE, BOB)])
def test_a_url_belongs_to_one_device_whoever_else_subscribes_at_the_same_time(database, people):
    to, ready = subscription(), threading.Barrier(4)

    def keep(number):
        ready.wait(5)
        person = people[number % 2]
        work = database.write_again(lambda db: pushes.subscribe(db, person, f"d{number}", to, now=NOW))
        asyncio.run(work)

    threads = [threading.Thread(target=keep, args=(number,)) for number in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join(20)

    rows = asyncio.run(database.read(lambda db: db.execute(select(push_subscriptions)).all()))
    assert len(rows) == 1


def test_what_was_pushed_is_known_as_long_as_a_push_service_keeps_it(database):
    asyncio.run(database.write(lambda db: pushes.subscribe(db, ALICE, "d1", subscription(), now=NOW)))
    present(database)
    [job] = job_of(database, pushes.PRESENT)
    asyncio.run(database.write(lambda db: pushes.begin_present(db, job, now=NOW)))

    until = asyncio.run(database.read(lambda db: db.execute(select(pushed.c.until)).scalar_one()))
    assert until == (NOW + timedelta(weeks=4)).timestamp()
