"""How many writes a second the store takes: one commit for each, or those that wait together.

python benchmarks/store.py [postgresql://…]
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter

from mentionable import (
    NoRelay,
    NormalizedMessage,
    RecipientCapabilities,
    Sender,
    TextPart,
)
from sqlalchemy import Connection, insert

from mentionable_host import migrations
from mentionable_host.store import database as module
from mentionable_host.store import jobs, messages
from mentionable_host.store.database import Database
from mentionable_host.store.tables import settings

SECONDS = 3.0
NOW = datetime(2026, 11, 27, tzinfo=UTC)


def row(number: int) -> Callable[[Connection], object]:
    """One small row."""
    return lambda db: db.execute(insert(settings).values(key=f"k{number}", value=b"x" * 200))


def message(number: int) -> Callable[[Connection], object]:
    """A message, its native id, and the job that answers it."""
    one = NormalizedMessage(
        id=f"m{number}",
        thread_id=f"t{number % 1000}",
        sender=Sender(address=f"@u{number % 100}@a.example", verified=True, auth_method="ap-http-signature"),
        recipient="@helper@agents.example",
        parts=(TextPart(content="Will it rain? " * 10, mime="text/markdown"),),
        recipient_capabilities=RecipientCapabilities(mention_relay=NoRelay()),
        received_via="activitypub",
        received_at="2026-11-27T12:00:00Z",
        raw=None,
    )

    def work(db: Connection) -> None:
        stored = messages.put(db, one, transport="activitypub", files={})
        messages.put_native_ids(db, {(one.id, one.recipient): messages.own_row(one)}, person=one.sender.address)
        jobs.enqueue(db, jobs.Job(key=one.id, kind="answer", lane="l", payload=str(stored).encode()), now=NOW)

    return work


async def measured(database: Database, make: Callable[[int], Callable[[Connection], object]], writers: int) -> float:
    """Writes a second."""
    begin, count = perf_counter(), 0

    async def write() -> None:
        nonlocal count
        while perf_counter() - begin < SECONDS:
            count += 1
            await database.write(make(count))

    await asyncio.gather(*(write() for _ in range(writers)))
    return count / (perf_counter() - begin)


def main() -> None:
    """Prints a table."""
    urls = sys.argv[1:]
    print(f"{'what':10} {'writers':>8} {'together':>9} {'writes/s':>9}")
    for make in (row, message):
        for writers, together in ((1, 64), (64, 1), (64, 64)):
            module.TOGETHER = together  # type: ignore[misc]
            with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
                database = Database(urls[0] if urls else f"sqlite:///{folder}/store.db")
                migrations.upgrade(database)
                rate = asyncio.run(measured(database, make, writers))
                database.close()
            print(f"{make.__name__:10} {writers:8} {together:9} {rate:9,.0f}", flush=True)
            if urls:
                break


if __name__ == "__main__":
    main()
