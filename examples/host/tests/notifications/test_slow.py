"""Clients that do not read, stores that are away, and hosts of several processes."""

import asyncio
import socket

import pytest
from conftest import TestWorld, keys_of
from devices import ALICE, TEXT, browser, contents, served, told
from mentionable import anp
from recorder import Recorder, idle

from mentionable_host import Agent, Config, Host, migrations
from mentionable_host import http as module
from mentionable_host.notifications.service import Notifications
from mentionable_host.queue import shared
from mentionable_host.store import streams
from mentionable_host.store.database import Database, StoreUnavailable
from mentionable_host.store.sqlite_writer import SqliteWriter

MANY, LONG = 200, 100_000


async def until(look, seconds=10):
    async with asyncio.timeout(seconds):
        while not look():
            await asyncio.sleep(0.02)


def fill(db, now):
    for number in range(MANY):
        streams.append(db, ALICE, anp.HostItem(name="message", data=f"{number} " + "x" * LONG), now=now)


def test_who_reads_nothing_is_cut_off_and_goes_on_later(notified, world, monkeypatch):
    monkeypatch.setattr(module, "SLOW_SECONDS", 0.2)
    host = notified()
    service = host.transports["notifications"]

    async def story():
        await host.database.write(lambda db: fill(db, world.now()))
        async with served(host) as url, browser(host, url, token=True) as one:
            sleeper = socket.socket()
            sleeper.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
            sleeper.connect(("127.0.0.1", int(url.rpartition(":")[2])))
            head = f"GET /notifications/stream?after=0 HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {one.token}\r\n\r\n"
            sleeper.sendall(head.encode())
            await until(lambda: service.connections.count == 1)
            await until(lambda: service.connections.count == 0)
            sleeper.close()
            async with one.stream(after=0) as stream:
                first = await stream.take(MANY // 2)
                place = stream.place
            async with one.stream(after=first[-1].place) as stream:
                return first + await stream.take(MANY // 2), place

    found, place = told(story)

    assert [int(one.item.data.partition(" ")[0]) for one in found] == [*range(MANY)]
    assert place >= MANY // 2


def test_who_reads_nothing_keeps_nobody_else_waiting(notified, world):
    host = notified()

    async def story():
        await host.database.write(lambda db: fill(db, world.now()))
        async with (
            served(host) as url,
            browser(host, url, token=True) as one,
            browser(host, url) as two,
            one.stream(after=0),  # it is read no further
            two.stream(after=MANY) as stream,
        ):
            await host.notify(ALICE, TEXT, by="system")
            return await stream.take(1)

    assert contents(told(story)) == [TEXT]


def test_what_cannot_be_stored_is_asked_for_again(notified, monkeypatch):
    host = notified()

    async def away(*_):
        raise StoreUnavailable("the disk is full")

    async def story():
        async with served(host) as url, browser(host, url) as one, one.stream() as stream:
            await host.notify(ALICE, TEXT, by="system")
            (_, shown) = await stream.take(2)
            await idle(host)
            monkeypatch.setattr(SqliteWriter, "write", away)
            message = {"kind": "displayed", "id": shown.item.id, "lease": 1, "revision": 1}
            headers = {"sec-fetch-site": "same-origin"}
            said = await one.http.post("/notifications/client", json=[message], headers=headers)
            opened = await one.http.get("/notifications/stream")
            monkeypatch.undo()
            return said, opened, await one.see(shown.item)

    said, opened, after = told(story)

    assert (said.status_code, said.json(), said.headers["retry-after"]) == (503, {"error": "try-again"}, "10")
    assert opened.status_code == 503
    assert after == [None]


@pytest.mark.storm
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # procrastinate leaves them open
def test_two_processes_of_a_host_show_the_same_and_settle_it_for_each_other(postgres, key_folder):
    url = postgres.new_database()
    first = Database(url)
    migrations.upgrade(first)
    shared.install(first.engine)
    config = Config.parse({"agent": {"name": "helper", "domain": "agents.example"}}, folder=key_folder)
    databases = [first, Database(url)]
    one, two = [
        Host(
            Agent(),
            config,
            keys=keys_of(config),
            database=database,
            world=TestWorld(),
            transports=[Recorder, Notifications],
        )
        for database in databases
    ]

    async def story():
        async with (
            served(one) as here,
            served(two) as there,
            browser(one, here) as near,
            browser(two, there) as far,
            near.stream() as left,
            far.stream() as right,
        ):
            for number in range(5):
                await one.notify(ALICE, f"No. {number}", by="system")
            shown = (await left.take(6, seconds=30))[1:]
            also = (await right.take(6, seconds=30))[1:]
            for item in also:
                await far.see(item.item)
            return shown, also, await left.take(5, seconds=30), await right.take(5, seconds=30)

    try:
        shown, also, settled, too = told(story)
    finally:
        for database in databases:
            database.close()

    assert sorted(contents(shown)) == [f"No. {number}" for number in range(5)]
    assert [item.place for item in shown] == [item.place for item in also]
    assert contents(settled) == contents(too) == ["seen"] * 5
