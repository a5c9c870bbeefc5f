"""Places in the streams of people, in both databases: who has read one has seen all that come before it."""

import asyncio
from datetime import UTC, datetime, timedelta
from threading import Thread

import pytest
from devices import ALICE, BOB
from mentionable import anp
from sqlalchemy import delete, select

from mentionable_host.store import streams
from mentionable_host.store.tables import devices, stream_items

NOW = datetime(2026, 11, 27, 12, tzinfo=UTC)
WRITERS, EACH, AT_ONCE = 8, 40, 3


def said(number):
    return anp.HostItem(name="message", data=number)


def put(database, person, *numbers, now=NOW):
    return asyncio.run(database.write(lambda db: [streams.append(db, person, said(one), now=now) for one in numbers]))


def read(database, person, after=0):
    return asyncio.run(database.read(lambda db: streams.page(db, person, after=after, limit=10_000)))


def numbers(rows):
    return [row.item.item.data for row in rows]


def test_each_person_has_a_stream_of_their_own(database):
    put(database, ALICE, 1, 2)
    put(database, BOB, 3)
    put(database, ALICE, 4)

    assert (numbers(read(database, ALICE)), numbers(read(database, BOB))) == ([1, 2, 4], [3])
    assert numbers(read(database, ALICE, after=read(database, ALICE)[1].place)) == [4]


def test_what_is_not_committed_is_in_no_stream(database):
    def work(db):
        streams.append(db, ALICE, said(1), now=NOW)
        raise RuntimeError("no")

    with pytest.raises(RuntimeError):
        asyncio.run(database.write(work))

    assert read(database, ALICE) == []


def test_a_place_is_never_given_twice(database):
    before = put(database, ALICE, 1, 2)
    asyncio.run(database.write(lambda db: db.execute(delete(stream_items)).rowcount))

    (after,) = put(database, ALICE, 3)

    assert after > max(before)


def test_presentations_and_settlements_are_read_as_they_were_written(database):
    shown = anp.Presentation(
        id="e1", revision=2, lease=1, surface="inbox", user_id=ALICE, content="Ü \u2028 \0 🎉", replaces=True
    )
    settled = anp.Settled(id="e1", revision=2, lease=1, how="seen", surface="inbox", user_id=ALICE)

    async def story():
        for one in (shown, settled):
            await database.write(lambda db, one=one: streams.append(db, ALICE, one, now=NOW))

    asyncio.run(story())

    assert [row.item.item for row in read(database, ALICE)] == [shown, settled]


def test_the_bounds_are_those_of_the_person(database):
    put(database, BOB, 1)
    places = put(database, ALICE, 2, 3)
    put(database, BOB, 4)

    bounds = asyncio.run(database.read(lambda db: (streams.bounds(db, ALICE), streams.bounds(db, "@x@x.example"))))

    assert bounds == ((places[0], places[1]), (0, 0))


def test_places_follow_the_clock_and_never_go_back(database):
    def raised(when):
        asyncio.run(database.write(lambda db: streams.raise_places(db, now=when)))
        return put(database, ALICE, 1, 2)

    first, later, behind = raised(NOW), raised(NOW + timedelta(hours=1)), raised(NOW - timedelta(days=1))

    assert first[0] == NOW.timestamp() * 1_000 + 1
    assert later[0] == first[0] + 3_600_000
    assert behind[0] == later[1] + 1


def test_of_too_many_devices_the_longest_unused_go(database):
    async def story():
        for number in range(25):
            when = NOW + timedelta(minutes=number)
            await database.write(
                lambda db, number=number, when=when: streams.note_device(
                    db, ALICE, f"d{number}", now=when, cursor=number
                )
            )
        await database.write(lambda db: streams.note_device(db, BOB, "d0", now=NOW))
        return await database.read(lambda db: db.execute(select(devices.c.id, devices.c.person)).fetchall())

    found = asyncio.run(story())

    assert {row.id for row in found if row.person == ALICE} == {f"d{number}" for number in range(5, 25)}
    assert [row.id for row in found if row.person == BOB] == ["d0"]


def test_a_device_that_comes_again_keeps_its_row(database):
    async def story():
        await database.write(lambda db: streams.note_device(db, ALICE, "d", now=NOW, cursor=3))
        await database.write(lambda db: streams.note_device(db, ALICE, "d", now=NOW + timedelta(days=40)))
        rows = await database.read(lambda db: db.execute(select(devices.c.cursor, devices.c.seen_at)).fetchall())
        there = [
            await database.read(lambda db, days=days: streams.has_device(db, ALICE, now=NOW + timedelta(days=days)))
            for days in (41, 71)
        ]
        return rows, there

    rows, there = asyncio.run(story())

    assert [row.cursor for row in rows] == [3]
    assert there == [True, False]


@pytest.mark.storm
def test_a_reader_misses_nothing_of_many_writers(database):
    """Each transaction appends to both people, in another order, and some are rolled back."""

    def write(writer):
        async def story():
            for turn in range(EACH):
                number = writer * EACH + turn

                def work(db, number=number):
                    streams.hold(db, (ALICE, BOB))
                    for person in (ALICE, BOB) if number % 2 else (BOB, ALICE):
                        for _ in range(AT_ONCE):
                            streams.append(db, person, said(number), now=NOW)
                    if number % 7 == 0:
                        raise RuntimeError("no")

                try:
                    await database.write(work)
                except RuntimeError:
                    continue

        asyncio.run(story())

    threads = [Thread(target=write, args=(writer,)) for writer in range(WRITERS)]
    for one in threads:
        one.start()
    seen, place = [], 0
    while any(one.is_alive() for one in threads):
        for row in read(database, ALICE, after=place):
            seen.append(row.place)
            place = row.place
    for one in threads:
        one.join()
    seen += [row.place for row in read(database, ALICE, after=place)]

    stored = [row.place for row in read(database, ALICE)]
    kept = [number for number in range(WRITERS * EACH) if number % 7]
    assert seen == stored
    assert sorted(numbers(read(database, ALICE))) == sorted(kept * AT_ONCE)
