"""Devices of people: they sign in, read their streams, and say what was seen, over a real connection."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager

import httpx
from loopback import free_socket, serving
from mentionable import anp
from recorder import idle
from sqlalchemy import select

from mentionable_host.notifications.access import notifications_link, person_token
from mentionable_host.store import streams
from mentionable_host.store.tables import notifications

ALICE = "@alice@a.example"
BOB = "@bob@b.example"
TEXT = "Your table is free at eight."


class Stream:
    """What one connection has brought."""

    def __init__(self, response):
        self.response, self.items, self._chunks, self._reader = response, [], response.aiter_bytes(), anp.StreamReader()

    async def take(self, count, seconds=5):
        """The next items; fails where they do not come in time."""
        async with asyncio.timeout(seconds):
            while len(self.items) < count:
                self.items += self._reader.feed(await anext(self._chunks))
        taken, self.items = self.items[:count], self.items[count:]
        return taken

    async def ended(self, seconds=5):
        """Whether the host ends it."""
        await self.rest(seconds)
        return True

    async def rest(self, seconds=5):
        """What comes until the host ends it."""
        async with asyncio.timeout(seconds):
            async for chunk in self._chunks:
                self.items += self._reader.feed(chunk)
        return self.items

    @property
    def place(self):
        return self._reader.place


class Device:
    """A browser that has signed in, or a page with a token."""

    def __init__(self, http, *, token=None):
        self.http, self.token = http, token

    @property
    def headers(self):
        return {"authorization": f"Bearer {self.token}"} if self.token else {}

    @asynccontextmanager
    async def stream(self, after=None, **headers):
        last = {} if after is None else {"last-event-id": str(after)}
        async with self.http.stream("GET", "/notifications/stream", headers={**self.headers, **last, **headers}) as got:
            assert got.status_code == 200, await got.aread()
            stream = Stream(got)
            (stream.ready,) = await stream.take(1)
            yield stream

    async def say(self, *messages, **headers):
        """What the host answers to messages."""
        own = self.headers or {"sec-fetch-site": "same-origin"}
        got = await self.http.post("/notifications/client", json=[*messages], headers={**own, **headers})
        assert got.status_code == 200, got.text
        return [one["code"] for one in got.json()["results"]]

    async def see(self, shown, how=None):
        """Says that a presentation was seen."""
        return await self.say(displayed(shown, how=how))


def displayed(shown, *, how=None, **changed):
    """The message that says so."""
    facts = {"kind": "displayed", "id": shown.id, "lease": shown.lease, "revision": shown.revision}
    return {**facts, **({"how": how} if how else {}), **changed}


@asynccontextmanager
async def served(host):
    """The host over HTTP, and its URL."""
    listening, url = free_socket()
    async with serving(host.app(), listening):
        yield url
        host.release()


@asynccontextmanager
async def browser(host, url, person=ALICE, token=False):
    """A browser of a person, signed in by a link or with a token."""
    async with httpx.AsyncClient(base_url=url, trust_env=False, timeout=10) as http:
        if token:
            yield Device(http, token=await person_token(host, person))
            return
        code = httpx.URL(await notifications_link(host, person)).params["code"]
        got = await http.post("/notifications/sign-in", data={"code": code}, headers={"sec-fetch-site": "same-origin"})
        assert got.status_code == 303, got.text
        yield Device(http)


def contents(items):
    """What presentations say, and how what is settled was."""
    return [getattr(one.item, "content", None) or getattr(one.item, "how", None) for one in items]


def statuses(host):
    """Those of all events, in order."""
    with host.database.engine.connect() as db:
        return [*db.execute(select(notifications.c.status).order_by(notifications.c.number)).scalars()]


async def with_device(host):
    """Gives a person a device, which is not connected."""
    await host.database.write(lambda db: streams.note_device(db, ALICE, "d1", now=host.world.now()))


async def later(host, world, **time):
    """Lets time pass."""
    world.advance(**time)
    host.wake()
    await idle(host)


def told(story):
    """Runs a story."""
    return asyncio.run(asyncio.wait_for(story(), 60))


def names(items):
    return [one.name for one in items]


def frame(**members):
    return json.dumps(members)
