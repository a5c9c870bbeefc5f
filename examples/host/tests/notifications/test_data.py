"""What is stored of people for their devices: it is in their export, goes when they are forgotten, and grows old."""

import json
from datetime import timedelta

import pytest
from devices import ALICE, BOB, TEXT, browser, served, told
from recorder import idle
from sqlalchemy import func, select

from mentionable_host.forgetting import forget
from mentionable_host.store import export, retention
from mentionable_host.store.tables import metadata

TABLES = ("stream_items", "devices", "push_subscriptions", "pushes", "notifications")
SECRET = "BEcretBEcret"


async def filled(host):
    """Something of two people in each of the tables."""

    def work(db):
        for person in (ALICE, BOB):
            rows = {
                "push_subscriptions": {
                    "endpoint": f"hash of {person}",
                    "person": person,
                    "device": "d1",
                    "value": json.dumps({"endpoint": SECRET + person}).encode(),
                    "at": host.world.now().timestamp(),
                },
                "pushes": {
                    "endpoint": f"hash of {person}",
                    "event": "e1",
                    "lease": 1,
                    "person": person,
                    "until": host.world.now().timestamp() + 86_400,
                },
            }
            for name, row in rows.items():
                db.execute(metadata.tables[name].insert().values(**row))

    await host.database.write(work)
    async with served(host) as url:
        for person in (ALICE, BOB):
            async with browser(host, url, person) as one, one.stream() as stream:
                await host.notify(person, f"{TEXT} {person}", by="system")
                await stream.take(2)
        await idle(host)


def count(host, name, person):
    table = metadata.tables[name]
    with host.database.engine.connect() as db:
        return db.execute(select(func.count()).where(table.c.person == person)).scalar()


@pytest.mark.parametrize("name", TABLES)
def test_who_is_forgotten_has_no_rows_left_and_others_keep_theirs(notified, world, name):
    host = notified()

    async def story():
        await filled(host)
        before = count(host, name, ALICE)
        await host.database.write(lambda db: forget(db, ALICE, host=host))
        return before

    before = told(story)

    assert before >= 1
    assert (count(host, name, ALICE), count(host, name, BOB) >= 1) == (0, True)


def test_an_export_of_a_person_has_their_stream_and_devices_and_nobody_elses(notified, world):
    host = notified()
    told(lambda: filled(host))

    with host.database.snapshot() as db:
        lines = [json.loads(line) for line in export.lines(db, revision="0001", now=world.now(), person=ALICE)]
    rows = [line for line in lines if "table" in line]

    assert {"stream_items", "devices", "push_subscriptions", "notifications"} <= {line["table"] for line in rows}
    assert TEXT in json.dumps(rows)
    assert BOB not in json.dumps(rows)


def test_no_export_of_a_person_has_what_signs_sessions(notified, world):
    host = notified()
    told(lambda: filled(host))

    with host.database.snapshot() as db:
        lines = b"".join(export.lines(db, revision="0001", now=world.now(), person=ALICE))

    assert b"notifications secret" not in lines


def test_items_and_devices_go_when_their_time_is_over(notified, world):
    host = notified(notifications={"keep_days": 7})

    async def story():
        await filled(host)
        world.advance(days=6)
        await retention.housekeeping(host)
        early = count(host, "stream_items", ALICE), count(host, "devices", ALICE)
        world.advance(days=2)
        await retention.housekeeping(host)
        late = count(host, "stream_items", ALICE), count(host, "devices", ALICE)
        world.advance(days=21)
        await retention.housekeeping(host)
        still = count(host, "devices", ALICE)
        world.advance(days=2)
        await retention.housekeeping(host)
        return early, late, still, count(host, "devices", ALICE)

    assert told(story) == ((1, 1), (0, 1), 1, 0)


def test_a_stream_that_is_open_ends_when_its_person_is_forgotten(notified, world):
    host = notified()

    async def story():
        async with served(host) as url, browser(host, url) as one, one.stream() as stream:
            world.time += timedelta(seconds=1)
            await host.database.write(lambda db: forget(db, ALICE, host=host))
            await host.notify(ALICE, TEXT, by="system")
            rest = await stream.rest()
            again = await one.http.get("/notifications/stream")
            return [item.name for item in rest], again.status_code

    assert told(story) == (["snapshot"], 401)
    assert count(host, "devices", ALICE) == 0
