"""A host on this machine, with a world that is made up."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from mentionable import Failed, Fetch, Fetched, HttpRequest, HttpResponse, LookupTxt

from mentionable_host import Agent, Config, Host
from mentionable_host.keys import Keys, make_keys
from mentionable_host.store.database import Database
from mentionable_host.store.tables import metadata
from mentionable_host.transports.transport import Transport
from mentionable_host.world.world import MailServer, Place, Sign

_KEYS: dict[str, Path] = {}


class TestWorld:
    """A world of tables: what is not in them is not there. Its clock moves when it is told to."""

    __test__ = False

    def __init__(self) -> None:
        self.time, self.count = datetime(2026, 11, 27, 12, tzinfo=UTC), 0
        self.documents: dict[str, Fetched | Failed] = {}
        self.txt: dict[str, list[bytes]] = {}
        self.mx: dict[str, list[MailServer]] = {}
        self.sent: list[HttpRequest] = []
        self.responses: Callable[[HttpRequest], HttpResponse | Failed] = lambda _: HttpResponse(status=202)

    def now(self) -> datetime:
        return self.time

    def advance(self, **by: float) -> None:
        self.time += timedelta(**by)

    def entropy(self) -> bytes:
        self.count += 1
        return self.count.to_bytes(32)

    async def fetch(self, ask: Fetch, *, sign: Sign | None = None) -> Fetched | Failed:
        return self.documents.get(ask.url, Fetched(url=ask.url, status=404, content_type="", body=b""))

    async def send(self, request: HttpRequest, *, seconds: float = 10) -> HttpResponse | Failed:
        self.sent.append(request)
        return self.responses(request)

    async def lookup_txt(self, ask: LookupTxt) -> list[bytes] | Failed:
        return self.txt.get(ask.name, [])

    async def lookup_mx(self, domain: str) -> list[MailServer] | Failed:
        return self.mx.get(domain, [])

    async def places(self, host: str, port: int) -> list[Place] | Failed:
        return Failed(f"{host} is not there")


@pytest.fixture(scope="session")
def key_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Keys are made once: they take a second."""
    folder = tmp_path_factory.mktemp("project")
    make_keys(folder)
    return folder


@pytest.fixture
def world() -> TestWorld:
    return TestWorld()


@pytest.fixture
def make_host(tmp_path: Path, key_folder: Path, world: TestWorld):  # type: ignore[no-untyped-def]
    """Makes a host with some transports, and an agent that repeats what it read."""
    opened: list[Database] = []

    def make(
        *transports: Callable[[Host], Transport],
        agent: Agent | None = None,
        own: dict[str, object] | None = None,
        **more: object,
    ) -> Host:
        table = {"agent": {"name": "helper", "domain": "agents.example", **(own or {})}, **more}
        config = Config.parse(table, folder=key_folder)
        database = Database(f"sqlite:///{tmp_path}/host.db")
        opened.append(database)
        metadata.create_all(database.engine)
        return Host(
            agent or echo(),
            config,
            keys=Keys.load(config),
            database=database,
            world=world,
            transports=transports,
        )

    yield make
    for database in opened:
        database.close()


def echo() -> Agent:
    """An agent that repeats what it read."""
    agent = Agent()

    @agent.on_message
    async def answer(message, context):  # type: ignore[no-untyped-def]
        return f"You wrote: {context.text}"

    return agent
