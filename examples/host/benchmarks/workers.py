"""Queued answers on PostgreSQL, done by one worker process and by two: answers a second, and their ratio.

Usage: python benchmarks/workers.py [--rounds N] [--answers N] [--milliseconds N] [--url postgresql://…]. Each answer
keeps the processor of its worker busy for some milliseconds, and is stored. Both numbers of workers run in turns, each
in tables of its own; the time begins when the workers are told to begin. Without a URL, a server is started as the
tests start it. Two processes need two processors: on a busy machine the ratio says little.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from typing import ClassVar

from attrs import evolve
from mentionable import (
    NoRelay,
    NormalizedMessage,
    NormalizedResponse,
    RecipientCapabilities,
    Sender,
    TextPart,
)
from sqlalchemy import Connection, create_engine, text

from mentionable_host import Agent, Config, Context, Host, migrations
from mentionable_host.keys import Keys, make_keys
from mentionable_host.queue import shared
from mentionable_host.receiving import answer_job
from mentionable_host.store import jobs, messages
from mentionable_host.store.database import Database
from mentionable_host.transports.transport import Reply, Transport
from mentionable_host.world.internet import Internet

WANTED = 1.6
TESTS = Path(__file__).parents[1] / "tests"
SECONDS = 120


class Nowhere(Transport):
    """Answers of it are stored, and go nowhere."""

    name: ClassVar[str] = "rest"

    async def reply(self, response: NormalizedResponse, *, to: NormalizedMessage) -> Reply:
        return Reply(store=lambda db: None)


def host_of(folder: Path, url: str, *, milliseconds: float = 0) -> Host:
    """A host whose agent works for so long."""
    agent = Agent()

    @agent.on_message
    async def answer(message: NormalizedMessage, context: Context) -> str:
        until = time.thread_time() + milliseconds / 1000
        while time.thread_time() < until:
            pass
        return "Yes."

    config = Config.parse({"agent": {"name": "helper", "domain": "agents.example"}}, folder=folder)
    database, keys = Database(url), Keys.load(config)
    return Host(agent, config, keys=keys, database=database, world=Internet(), transports=[Nowhere])


def fill(host: Host, count: int) -> None:
    """Stores questions of as many people, and the jobs that answer them."""
    now = host.world.now()
    one = NormalizedMessage(
        id="m",
        thread_id="t",
        sender=Sender(address="@u@a.example", verified=True, auth_method="ap-http-signature"),
        recipient=host.address,
        parts=(TextPart(content="Will it rain?", mime="text/markdown"),),
        recipient_capabilities=RecipientCapabilities(mention_relay=NoRelay()),
        received_via="rest",
        received_at=now.isoformat().replace("+00:00", "Z"),
        raw=None,
    )

    def work(db: Connection) -> None:
        for number in range(count):
            sender = evolve(one.sender, address=f"@u{number}@a.example")
            message = evolve(one, id=f"m{number}", thread_id=f"t{number}", sender=sender)
            stored = messages.put(db, message, transport="rest", files={})
            assert stored is not None
            jobs.enqueue(db, answer_job(message, number=stored), now=now)

    asyncio.run(host.database.write(work))


def worker(folder: Path, url: str, milliseconds: float) -> None:
    """A worker process: it says that it is ready, and begins with the next line of its input."""
    host = host_of(folder, url, milliseconds=milliseconds)

    async def run() -> None:
        async with host.running(parts="worker"):
            await asyncio.Event().wait()

    print("ready", flush=True)
    sys.stdin.readline()
    asyncio.run(run())


def drained(folder: Path, url: str, *, workers: int, options: argparse.Namespace) -> float:
    """Answers a second of so many workers, in a new database."""
    host = host_of(folder, url)
    migrations.upgrade(host.database)
    shared.install(host.database.engine)
    fill(host, options.answers)
    words = [sys.executable, __file__, "--worker", str(folder), "--url", url]
    words += ["--milliseconds", str(options.milliseconds)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    running = [subprocess.Popen(words, **pipes) for _ in range(workers)]
    try:
        for one in running:
            assert one.stdout.readline() == "ready\n"
        began = time.perf_counter()
        for one in running:
            one.stdin.write("\n")
            one.stdin.flush()
        with host.database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as db:
            left = text("SELECT count(*) FROM jobs WHERE state <> 'done'")
            while db.execute(left).scalar_one():
                assert time.perf_counter() - began < SECONDS
                time.sleep(0.02)
            seconds = time.perf_counter() - began
            answers = db.execute(text("SELECT count(*) FROM messages WHERE role = 'assistant'")).scalar_one()
            assert answers == options.answers, answers
    finally:
        for one in running:
            one.kill()
            one.wait()
        host.database.close()
    return options.answers / seconds


@contextmanager
def databases(url: str | None) -> Iterator[Iterator[str]]:
    """URLs of new databases."""
    if url is not None:
        yield iter(made_on(url))
        return
    sys.path.insert(0, str(TESTS))
    from conftest import PostgresServer, _postgres_programs

    server = PostgresServer(_postgres_programs())
    try:
        yield iter(server.new_database, None)
    finally:
        server.stop()
        rmtree(server.folder)


def made_on(url: str) -> Iterator[str]:
    """Databases with new names on a server, dropped at the end."""
    engine = create_engine(url.replace("postgresql:", "postgresql+psycopg:"), isolation_level="AUTOCOMMIT")
    for number in range(1000):
        name = f"benchmark_{number}"
        with engine.connect() as db:
            db.execute(text(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)"))
            db.execute(text(f"CREATE DATABASE {name}"))
        yield engine.url.set(drivername="postgresql", database=name).render_as_string(hide_password=False)


def main() -> int:
    """Prints the rates and their ratio; 1 where it is less than wanted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--answers", type=int, default=400)
    parser.add_argument("--milliseconds", type=float, default=20)
    parser.add_argument("--url")
    parser.add_argument("--worker", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker is not None:
        worker(options.worker, options.url, options.milliseconds)
        return 0
    rates: dict[int, list[float]] = {1: [], 2: []}
    with TemporaryDirectory() as folder, databases(options.url) as urls:
        make_keys(Path(folder))
        for number in range(options.rounds):
            for workers in (1, 2) if number % 2 else (2, 1):
                rates[workers].append(drained(Path(folder), next(urls), workers=workers, options=options))
    for workers, found in rates.items():
        print(f"{workers}: {statistics.median(found):.0f} answers/s ({min(found):.0f} to {max(found):.0f})")
    ratios = [two / one for one, two in zip(rates[1], rates[2], strict=True)]
    print(f"ratio: {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f}), wanted: {WANTED}")
    return 0 if statistics.median(ratios) >= WANTED else 1


if __name__ == "__main__":
    sys.exit(main())
