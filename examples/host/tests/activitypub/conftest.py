"""A host on the Fediverse, and people of other servers who write to it."""

import asyncio
import json
from contextlib import asynccontextmanager

import httpx
import pytest
from mentionable import Fetched, HttpRequest, activitypub
from mentionable.testing import Peer
from sqlalchemy import func, select
from starlette.applications import Starlette

from mentionable_host.queue.worker import LEASE
from mentionable_host.store import jobs
from mentionable_host.store.tables import metadata
from mentionable_host.transports.activitypub import ActivityPub
from mentionable_host.transports.discovery import Discovery

ORIGIN = "https://agents.example"
ACTOR = f"{ORIGIN}/actors/helper"
PUBLIC = "https://www.w3.org/ns/activitystreams#Public"


class Fediverse:
    """The host, seen from other servers."""

    def __init__(self, host, world, *, name="activitypub"):
        self.host, self.world = host, world
        self.transport = host.transport(name)

    def person(self, name, domain="social.example"):
        """Somebody whose documents can be fetched."""
        peer = Peer.activitypub(f"@{name}@{domain}")
        for key, page in peer.lookups.items():
            self.serve(key.removeprefix("GET "), page["json"], kind=page["content_type"])
        return peer

    def serve(self, url, document, *, kind="application/activity+json"):
        self.world.documents[url] = Fetched(url=url, status=200, content_type=kind, body=json.dumps(document).encode())

    def facts(self, peer):
        """The last arguments of each function of the library by which somebody acts."""
        settings = activitypub.Settings(key=peer.key)
        base = f"https://{peer.address.domain}"
        return {"base": base, "now": self.world.now(), "entropy": self.world.entropy(), "settings": settings}

    @property
    def helper(self):
        return activitypub.Actor(address="@helper@agents.example", id=ACTOR, inbox=f"{ACTOR}/inbox")

    def sent(self, kind=None):
        """The activities that the host has posted, each with its inbox."""
        came = [(one.url, json.loads(one.body)) for one in self.world.sent]
        return [one for one in came if kind in (None, one[1]["type"])]

    def run(self, work):
        return asyncio.run(work)

    @asynccontextmanager
    async def client(self):
        transport = httpx.ASGITransport(app=Starlette(routes=self.host.routes()))
        async with httpx.AsyncClient(transport=transport, base_url=ORIGIN) as client:
            yield client

    async def request(self, request: HttpRequest):
        async with self.client() as client:
            return await client.request(
                request.method, request.url, headers=dict(request.headers), content=request.body
            )

    def post(self, *requests):
        """The statuses that the inbox answers."""

        async def all_of_them():
            return [(await self.request(one)).status_code for one in requests]

        return self.run(all_of_them())

    def get(self, url, *, by=None, **headers):
        """The response to a GET, signed by somebody where they are named."""
        request = HttpRequest(method="GET", url=url, headers={"accept": "application/activity+json", **headers})
        if by is not None:
            request = activitypub.sign(request, key=by.key, now=self.world.now())
        return self.run(self.request(request))

    def work(self):
        """Does all jobs that are due."""
        self.run(self._work())

    async def _work(self):
        database, now = self.host.database, self.world.now()
        while found := await database.write(
            lambda db: jobs.lease(db, now=now, until=now + LEASE, limit=32, running={})
        ):
            for job in found:
                await self.host.attempts.make(job)

    def read(self, work):
        return self.run(self.host.database.read(work))

    def write(self, work):
        return self.run(self.host.database.write(work))

    def rows(self, table):
        """All rows of a table."""
        return self.read(lambda db: [dict(row) for row in db.execute(select(metadata.tables[table])).mappings()])

    def related(self, side):
        """The rows of who follows the agent, or whom it follows."""
        return [row for row in self.rows("relations") if row["side"] == side]

    def counts(self):
        """How many rows each table has that is not empty."""
        names = [*metadata.tables]
        return self.read(
            lambda db: {
                name: count
                for name in names
                if (count := db.execute(select(func.count()).select_from(metadata.tables[name])).scalar())
            }
        )


@pytest.fixture
def fediverse(make_host, world):
    return Fediverse(make_host(ActivityPub, Discovery), world)


@pytest.fixture
def fediverse_with(make_host, world):
    """A host with another agent, or another configuration: `own` is the table `agent`."""

    def make(agent=None, **tables):
        return Fediverse(make_host(ActivityPub, Discovery, agent=agent, **tables), world)

    return make


@pytest.fixture
def alice(fediverse):
    return fediverse.person("alice")


@pytest.fixture
def bob(fediverse):
    return fediverse.person("bob", "other.example")
