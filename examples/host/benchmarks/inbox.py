"""Signed mentions by RSA to a stored message and a queued answer, committed to the disk: requests a second.

Usage: python benchmarks/inbox.py [--rounds N] [--requests N]. It needs Node with Fedify, as `tests/setup_interop.py` of
the checkout makes it. Both inboxes run in turns, with the same requests over four connections, and store in SQLite with
`synchronous = FULL`. Neither answers anything meanwhile. The last line has the ratio and its spread; the one before it
says the same by the time of the processor, which a busy machine changes less.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sqlite3
import statistics
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from loopback import Mentioner, peers_served, send_all

ROOT = Path(__file__).resolve().parents[3]
NODE, LIBRARIES = ROOT / ".cache/interop/python/bin/node", ROOT / ".cache/interop/node"
CLIENTS, PEOPLE, WARM = 4, 8, 200
BOUND, WANTED = 1.1, 1.5
"""What was reached on a quiet machine, less its noise, and what was to be reached; docs/decisions.md says why."""

HERE = Path(__file__).parent


@contextmanager
def running(command: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The port of a server, which is its first line, and its process."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True) as process:
        try:
            assert process.stdout is not None
            yield int(process.stdout.readline()), process.pid
        finally:
            os.killpg(process.pid, signal.SIGKILL)  # Node may be a child of what starts it


def measure(port: int, requests: Sequence[bytes]) -> float:
    """Requests a second; all of them must be taken."""
    seconds, statuses = asyncio.run(send_all(port, requests, clients=CLIENTS))
    assert statuses == {202: len(requests)}, statuses
    return len(requests) / seconds


def processor(pid: int) -> float:
    """Seconds of the processor that a process has had, with its threads and its children."""
    user, system = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK") + sum(processor(int(child)) for child in children)


def rows(path: Path, table: str = "messages") -> int:
    """How many rows are stored."""
    with sqlite3.connect(path) as database:
        return int(database.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


def main() -> int:
    """Measures; 1 where the ratio is below the bound, as it may be where few requests are measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--requests", type=int, default=400)
    options = parser.parse_args()
    people, now = [Mentioner(f"u{number}") for number in range(PEOPLE)], datetime.now(UTC)
    total = WARM + options.rounds * options.requests
    requests = [people[number % PEOPLE].mention(f"Hello {number}", now=now) for number in range(total)]
    rates: dict[str, list[float]] = {"fedify": [], "mentionable-host": []}
    spent: dict[str, list[float]] = {name: [] for name in rates}
    with TemporaryDirectory() as folder, peers_served(people) as peers:
        fedify = [str(NODE), str(HERE / "inbox_fedify.mjs"), str(LIBRARIES), str(peers), folder]
        host = [sys.executable, str(HERE / "inbox_host.py"), folder, str(peers)]
        with running(fedify) as of_fedify, running(host) as of_host:
            places = {"fedify": of_fedify, "mentionable-host": of_host}
            for port, _ in places.values():
                measure(port, requests[:WARM])
            for round_ in range(options.rounds):
                begin = WARM + round_ * options.requests
                for name, (port, pid) in places.items():
                    before = processor(pid)
                    rates[name].append(measure(port, requests[begin : begin + options.requests]))
                    spent[name].append((processor(pid) - before) / options.requests * 1000)
        stored = {"fedify": rows(Path(folder, "fedify.db")), "mentionable-host": rows(Path(folder, "host.db"))}
        jobs = {
            "fedify": rows(Path(folder, "fedify.db"), "jobs"),
            "mentionable-host": rows(Path(folder, "host.db"), "jobs"),
        }
    assert stored == jobs == dict.fromkeys(rates, total), (stored, jobs)
    for name, found in rates.items():
        own = spent[name]
        clock = f"{statistics.median(found):.0f} requests/s ({min(found):.0f} to {max(found):.0f})"
        print(f"{name}: {clock}, {statistics.median(own):.1f} ms of the processor ({min(own):.1f} to {max(own):.1f})")
    costs = [other / own for own, other in zip(spent["mentionable-host"], spent["fedify"], strict=True)]
    print(f"ratio by the processor: {statistics.median(costs):.2f} ({min(costs):.2f} to {max(costs):.2f})")
    ratios = [own / other for own, other in zip(rates["mentionable-host"], rates["fedify"], strict=True)]
    print(f"bound: at least {BOUND:g}, wanted {WANTED:g}")
    print(f"ratio: {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})")
    return 0 if statistics.median(ratios) >= BOUND else 1


if __name__ == "__main__":
    sys.exit(main())
