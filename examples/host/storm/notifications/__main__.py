"""Kills the host at random while its people are shown thousands of events on three screens each, and then counts.

Usage, in `examples/host`:
    python -m storm.notifications [--events N] [--users N] [--postgres URL] [--seed N] [--folder PATH]

Each person has a browser with two tabs of the real client, which reload in the middle of anything and are offline now
and then, and a phone that gets real pushes. Two thirds of the events are of the system, some with a key under which
newer words replace them; the rest is for the agent, which tells most, and is late, silent or broken for some. `audit`
says what must hold. It needs Node 24: `python tests/setup_interop.py` in the root of the repository fetches one.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import httpx
from mentionable import anp, decode_trusted
from sqlalchemy import func, select

from mentionable_host.keys import make_keys
from mentionable_host.store.database import Database
from mentionable_host.store.streams import Stored
from mentionable_host.store.tables import jobs, lanes, notifications, stream_items
from storm.__main__ import free_port
from storm.notifications.audit import Remains, faults, figures, read_journal, too_little

HERE: Final = Path(__file__).parents[2]
NODE: Final = HERE.parents[1] / ".cache" / "interop" / "python" / "bin" / "node"
QUIET_SECONDS: Final = 240
"""After the last event and the last kill, everything has so long to come to its end."""
KILL_SECONDS: Final = (1.0, 6.0)
"""It serves for so long before it is killed."""
AS_IT_STARTS: Final = 0.1
"""So often it is killed as it starts."""
PACE: Final = 20
"""So many events are submitted in a second."""
LATE_SECONDS: Final = 6
"""Nothing more is submitted while the host is so late: else there is no time for the agent, and for pushes."""
SUBMIT_SECONDS: Final = 3_600
"""So long it may take until every event is taken."""


class Server:
    """The process of the host, and who kills it."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder, self.port, self.kills = folder, port, 0
        self.process = self._begin()

    def _begin(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "storm.notifications.server", str(self.folder), str(self.port)]
        with (self.folder / "server.log").open("ab") as log:
            return subprocess.Popen(command, cwd=HERE, env=_environment(), stdout=log, stderr=log)

    async def trouble(self, chance: random.Random) -> None:
        """Kills it now and then, wherever it is, until it is canceled; seldom before it serves anybody."""
        while True:
            if chance.random() < AS_IT_STARTS:
                await asyncio.sleep(chance.uniform(0, KILL_SECONDS[0]))
            else:
                await self._until_it_serves()
                await asyncio.sleep(chance.uniform(*KILL_SECONDS))
            self.kill()
            self.process = self._begin()

    async def _until_it_serves(self) -> None:
        while True:
            with suppress(OSError):
                _, writer = await asyncio.open_connection("127.0.0.1", self.port)
                writer.close()
                return
            await asyncio.sleep(0.1)

    def kill(self) -> None:
        """Kill -9."""
        self.process.kill()
        self.process.wait()
        self.kills += 1


def _environment() -> dict[str, str]:
    paths = [str(HERE), str(HERE.parents[1]), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}


async def storm(folder: Path, *, events: int, users: int, store: str, seed: int) -> tuple[Remains, dict[str, int]]:
    """Runs it; what is left, and how much trouble there was."""
    chance, port, push = random.Random(seed), free_port(), free_port()
    people = [f"@person{number}@people.example" for number in range(users)]
    origin = f"http://127.0.0.1:{port}"
    (folder / "world.json").write_text(json.dumps({"store": store, "push": push}))
    make_keys(folder)
    given = {"server": origin, "port": push, "people": people, "seed": seed}
    (folder / "people.json").write_text(json.dumps(given))
    server, began = Server(folder, port), time.monotonic()
    with (folder / "browsers.log").open("ab") as log:
        command = [str(NODE), "storm/notifications/browsers.ts", str(folder)]
        # In a group of its own: NODE may be a script that starts the real one.
        browsers = subprocess.Popen(command, cwd=HERE, stdout=log, stderr=log, start_new_session=True)
    troubles: asyncio.Task[None] | None = None
    try:
        async with httpx.AsyncClient(timeout=20) as client:
            await _until_ready(folder)
            troubles = asyncio.create_task(server.trouble(chance))
            is_in_time = asyncio.Event()
            watching = asyncio.create_task(_watch(client, origin, is_in_time))
            async with asyncio.timeout(SUBMIT_SECONDS):
                await _submit_all(client, origin, folder, people, events=events, chance=chance, is_in_time=is_in_time)
            watching.cancel()
            troubles.cancel()
            await client.post(f"http://127.0.0.1:{push}/finish")
            open_now = await _until_quiet(client, push, store)
    finally:
        if troubles is not None:
            troubles.cancel()
        os.killpg(browsers.pid, signal.SIGKILL)
        browsers.wait()
        server.process.kill()
        server.process.wait()
    trouble = {"kills": server.kills, "reloads": open_now["reloads"], "seconds": round(time.monotonic() - began)}
    said = folder / "faults.txt"
    remains = Remains(
        submitted=read_journal(folder / "submitted.jsonl"),
        devices=read_journal(folder / "devices.jsonl"),
        device_faults=said.read_text().splitlines() if said.exists() else [],
        **_stored(store),
        open_tabs=open_now["tabs"],
        open_phones=open_now["phones"],
    )
    return remains, trouble


async def _until_ready(folder: Path) -> None:
    for _ in range(1_200):
        if "ready" in (folder / "browsers.log").read_text():
            return
        await asyncio.sleep(0.1)
    raise SystemExit(f"the browsers do not begin: {folder}/browsers.log")


async def _watch(client: httpx.AsyncClient, origin: str, is_in_time: asyncio.Event) -> None:
    """Looks whether the host keeps up, until it is canceled."""
    while True:
        with suppress(httpx.HTTPError, ValueError):
            late = (await client.get(f"{origin}/storm/late")).json()["seconds"]
            (is_in_time.clear if late > LATE_SECONDS else is_in_time.set)()
        await asyncio.sleep(0.5)


async def _submit_all(
    client: httpx.AsyncClient,
    origin: str,
    folder: Path,
    people: Sequence[str],
    *,
    events: int,
    chance: random.Random,
    is_in_time: asyncio.Event,
) -> None:
    """Submits all events: those of a person one after the other, each again and again until it is taken."""
    with (folder / "submitted.jsonl").open("a", buffering=1) as journal:

        async def of_person(person: int, seed: int) -> None:
            own = random.Random(seed)
            for number in range(events // len(people)):
                by = "system" if own.random() < 2 / 3 else "agent"
                key = own.choice(("disk", "mail")) if by == "system" and own.random() < 0.1 else None
                facts = {"by": by, "key": key, "source": f"storm {person} {number}"}
                text = f"[{person}#{number}] {own.choice(('Backup done.', 'Disk full.', 'New mail.'))}"
                body = {"person": people[person], "text": text, **facts, "urgency": own.choice(("high", "low", None))}
                await is_in_time.wait()
                while not await _taken(client, f"{origin}/storm/notify", body):
                    await asyncio.sleep(0.1)
                journal.write(f"{json.dumps({'person': person, 'number': number, 'by': by, 'key': key})}\n")
                await asyncio.sleep(own.expovariate(PACE / len(people)))

        await asyncio.gather(*(of_person(person, chance.getrandbits(32)) for person in range(len(people))))


async def _taken(client: httpx.AsyncClient, url: str, body: dict[str, Any]) -> bool:
    with suppress(httpx.HTTPError):
        return (await client.post(url, json=body)).status_code == httpx.codes.OK
    return False


async def _until_quiet(client: httpx.AsyncClient, push: int, store: str) -> dict[str, int]:
    """Returns when nothing is open anywhere, or when it is late; what is open then."""
    for _ in range(QUIET_SECONDS):
        await asyncio.sleep(1)
        found: dict[str, int] = (await client.get(f"http://127.0.0.1:{push}/open")).json()
        if not found["tabs"] and not found["phones"] and await asyncio.to_thread(_is_done, store):
            return found
    return found


def _is_done(store: str) -> bool:
    """Whether no event is open, and no job of notifications waits."""
    database = Database(store)
    try:
        with database.engine.connect() as db:
            here = notifications.c.status.not_in(("delivered", "failed"))
            waiting = jobs.c.state.in_(("waiting", "running")) & jobs.c.kind.not_in(("anp.write", "anp.tick"))
            is_open = db.execute(select(func.count()).select_from(notifications).where(here)).scalar()
            return not is_open and not db.execute(select(func.count()).select_from(jobs).where(waiting)).scalar()
    finally:
        database.close()


def _stored(store: str) -> dict[str, Any]:
    """The streams, events and lanes of everybody."""
    database = Database(store)
    columns = (stream_items.c.place, stream_items.c.event, stream_items.c.value)
    try:
        with database.engine.connect() as db:
            rows = [Stored(*row) for row in db.execute(select(*columns).order_by(stream_items.c.place))]
            return {
                "items": [row.item.item for row in rows if row.event in ("presentation", "settled")],
                "events": [
                    decode_trusted(anp.Notification, value)
                    for value in db.execute(select(notifications.c.value)).scalars()
                ],
                "lanes": [decode_trusted(anp.Lane, value) for value in db.execute(select(lanes.c.value)).scalars()],
            }
    finally:
        database.close()


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a storm, and prints what came of it; 1 where something is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--events", type=int, default=10_000)
    parser.add_argument("--users", type=int, default=100)
    parser.add_argument("--postgres", metavar="URL", help="an empty database, in place of a file of SQLite")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().getrandbits(32))
    parser.add_argument("--folder", type=Path, help="keeps what is left there")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.folder or Path(temporary)
        folder.mkdir(exist_ok=True)
        store = given.postgres or f"sqlite:///{folder}/store.db"
        remains, trouble = asyncio.run(
            storm(folder, events=given.events, users=given.users, store=store, seed=given.seed)
        )
    found = faults(remains)
    lacking = too_little(remains, reloads=int(trouble["reloads"])) + ["too little: no kills"] * (not trouble["kills"])
    for name, count in {"seed": given.seed, **trouble, **figures(remains)}.items():
        print(f"{name:24}{count:>10,}")
    for line in [*lacking, *found[:20]]:
        print(line)
    print(f"{len(found)} faults" if found else "no faults")
    return 1 if found or lacking else 0


if __name__ == "__main__":
    sys.exit(main())
