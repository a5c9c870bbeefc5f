"""Memory of a host that takes messages in by the hundred thousand, answers them, and stores both: it must stay flat.

Usage: python benchmarks/memory.py [--messages N]. The host is one process on SQLite. Signed mentions are given to its
ASGI application, a few at a time, and its worker answers them. What it has in memory is written down each twentieth of
the way; what counts is the slope over the second half: by then every cache that has a bound is as full as it gets.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import statistics
import sys
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from httpx import ASGITransport, AsyncClient
from inbox_host import LIMITS
from loopback import HOST, INBOX, Mentioner, peers_served
from sqlalchemy import func, select

from mentionable_host import Agent, Config, Context
from mentionable_host.build import build
from mentionable_host.host import Host
from mentionable_host.keys import make_keys
from mentionable_host.store.tables import jobs
from mentionable_host.world.internet import Internet

WANTED = 100
"""Bytes for each message and its answer, at most: 10 MB in 100,000."""
CLIENTS, PEOPLE, STEPS, LEFT = 8, 50, 20, 200


async def main_of(host: Host, people: list[Mentioner], *, total: int) -> list[tuple[int, int]]:
    """How many were answered → bytes of the process, in steps."""
    numbers, found = iter(range(total)), list[tuple[int, int]]()
    transport = ASGITransport(host.app())

    async def client() -> None:
        async with AsyncClient(transport=transport) as http:
            for number in numbers:
                raw = people[number % len(people)].mention(f"Hello {number}", now=datetime.now(UTC))
                head, _, body = raw.partition(b"\r\n\r\n")
                headers = dict(line.split(": ", 1) for line in head.decode().split("\r\n")[1:])
                response = await http.post(INBOX, content=body, headers=headers)
                assert response.status_code == 202, response.status_code
                if number % 25 == 0:
                    await answered(host)
                if number % (total // STEPS) == 0:
                    found.append((number, resident()))
                    print(f"{number:7} {found[-1][1] / 1e6:8.1f} MB", flush=True)

    async with host.running():
        await asyncio.gather(*(client() for _ in range(CLIENTS)))
        await answered(host)
    return [*found, (total, resident())]


async def answered(host: Host) -> None:
    """Waits until little is left to be answered and delivered."""
    waiting = select(func.count()).where(jobs.c.state.in_(("waiting", "running")))
    while await host.database.read(lambda db: db.execute(waiting).scalar_one()) > LEFT:
        await asyncio.sleep(0.05)


def resident() -> int:
    """Bytes of memory that this process has."""
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def slope(found: list[tuple[int, int]]) -> float:
    """Bytes that each message more took, in the second half."""
    late = found[len(found) // 2 :]
    return statistics.linear_regression([number for number, _ in late], [size for _, size in late]).slope


def main() -> int:
    """Prints the memory in steps, and the slope; 1 where it is more than wanted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=100_000)
    options = parser.parse_args()
    agent = Agent()

    @agent.on_message
    async def answer(message: object, context: Context) -> str:
        return f"You wrote: {context.text}"

    people = [Mentioner(f"u{number}") for number in range(PEOPLE)]
    with TemporaryDirectory() as place, peers_served(people) as peers:
        folder = Path(place)
        make_keys(folder)
        table = {"agent": {"name": "helper", "domain": "agents.example"}, "limits": LIMITS}
        world = Internet(routes={HOST: ("127.0.0.1", peers)}, tls=False)
        host = build(Config.parse(table, folder=folder), agent, world=world)
        found = asyncio.run(main_of(host, people, total=options.messages))
        host.database.close()
    taken = slope(found)
    print(f"{taken:.0f} bytes for each message in the second half, wanted: at most {WANTED}")
    return 0 if taken <= WANTED else 1


if __name__ == "__main__":
    sys.exit(main())
