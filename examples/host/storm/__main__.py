"""Kills the host at random while thousands of messages come over three transports, and then counts.

Usage, in `examples/host`: python -m storm [--messages N] [--postgres URL [--restart COMMAND]] [--seed N] [--no-kills].

Each conversation goes on when its answer has come, and names the one before. Deliveries are lost, doubled and
reordered; servers of peers fail, and take an answer without saying so; the disk is full for a while. What must hold is
checked at the end: every question has one answer, and an answer knows the questions of its own conversation alone.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path

import uvicorn
from sqlalchemy import func, select

from mentionable_host.keys import make_keys
from mentionable_host.store.database import Database
from mentionable_host.store.tables import jobs, messages
from storm.peers import HOST, MAIL_HOST, Callers, Fediverse, Heard, Mail

TOKEN = re.compile(r"\[([a-z0-9]+)#(\d+)\]")
PEOPLE, REMEMBERED = 8, 3
STARTS = 2
"""Between two troubles a process could start so many times, on average."""

PATIENT, ON, ON_SECONDS = 0.8, 50, 30
"""So often the next trouble waits until so many answers have come since a process was killed; else it may come during
its start."""
IN_ANY_CASE = 60
"""After so many seconds something was killed, or the storm is none."""

HERE = Path(__file__).parents[1]


PORTS = range(20_000, 32_000)
"""Below those that a system gives to connections: else another program may have it when a killed process comes back."""


def free_port() -> int:
    """A port that no process has."""
    while True:
        with suppress(OSError), socket.create_server(("127.0.0.1", random.SystemRandom().choice(PORTS))) as listening:
            return int(listening.getsockname()[1])


async def _is_listening(port: int) -> bool:
    """Whether a process accepts connections there."""
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return False
    writer.close()
    return True


class Hosts:
    """The processes of the host, and who kills them."""

    def __init__(self, folder: Path, parts: list[str], chance: random.Random) -> None:
        self.folder, self.chance, self.kills, self.full, self.restarts = folder, chance, 0, 0, 0
        self.ports = {number: free_port() for number, part in enumerate(parts) if part != "worker"}
        self.parts = parts
        self.processes = [self.begin(number) for number in range(len(parts))]

    def begin(self, number: int) -> subprocess.Popen[bytes]:
        """Starts one."""
        words = [str(self.folder), self.parts[number], str(self.ports.get(number, 0))]
        if number == min(self.ports):  # as in `serve --workers`, one process listens to mail
            words.append("smtp")
        log = (self.folder / f"host-{number}.log").open("ab")
        return subprocess.Popen([sys.executable, "-m", "storm.server", *words], cwd=HERE, stdout=log, stderr=log)

    def port(self) -> int:
        """Where one of them listens."""
        return self.chance.choice([*self.ports.values()])

    async def trouble(self, heard: Heard, *, every: float, restart: str | None) -> None:
        """Kills one after the other, fills the disk or restarts the database now and then, until it is canceled.

        On a machine on which a start takes long, it happens less often: who is killed as it starts does nothing.
        """
        began = time.monotonic()
        while not all([await _is_listening(port) for port in self.ports.values()]):
            for number, one in enumerate(self.processes):
                if one.poll() is not None:  # its database was away when it started
                    self.processes[number] = self.begin(number)
            await asyncio.sleep(0.2)
        every = max(every, STARTS * (time.monotonic() - began))
        while True:
            await asyncio.sleep(every * (0.5 + self.chance.random()))
            if restart is not None and self.chance.random() < 0.2:
                self.restarts += 1
                await (await asyncio.create_subprocess_shell(restart)).wait()
                continue
            number = self.chance.randrange(len(self.processes))
            if self.chance.random() < 0.2:
                self.full += 1
                self.processes[number].send_signal(signal.SIGUSR1)
                await asyncio.sleep(0.5)
                self.processes[number].send_signal(signal.SIGUSR2)
                continue
            self.kills += 1
            self.processes[number].kill()
            self.processes[number].wait()
            self.processes[number] = self.begin(number)
            if self.chance.random() < PATIENT:
                await self.until_on(heard)

    async def until_on(self, heard: Heard) -> None:
        """Waits until the conversations have gone on: else a busy machine would do nothing but start processes."""
        until = heard.deliveries + ON
        with suppress(TimeoutError):
            async with asyncio.timeout(ON_SECONDS):
                while heard.deliveries < until:
                    await asyncio.sleep(0.1)

    def end(self) -> None:
        """Ends all."""
        for one in self.processes:
            one.kill()
            one.wait()


@asynccontextmanager
async def served(app: object) -> AsyncIterator[int]:
    """The port at which an application is served."""
    with socket.create_server(("127.0.0.1", 0)) as place:
        server = uvicorn.Server(uvicorn.Config(app, log_level="critical", access_log=False, ws="none"))  # type: ignore[arg-type]
        task = asyncio.create_task(server.serve(sockets=[place]))
        yield int(place.getsockname()[1])
        server.should_exit = True
        await task


async def converse(transport: object, person: int, name: str, *, count: int, faults: Counter[str]) -> None:
    """One conversation: each question names the answer before it."""
    place = None
    for number in range(count):
        token = f"[{name}#{number}]"
        _, place, said = await transport.ask(person, f"Question {token}", place=place)  # type: ignore[attr-defined]
        found = TOKEN.findall(said)
        if not found or found[0] != (name, str(number)):
            faults["the answer is to another question"] += 1
        if any(conversation != name for conversation, _ in found):
            faults["another conversation is in the answer"] += 1
        remembered = {int(one) for _, one in found[1:]}
        if not set(range(max(0, number - REMEMBERED), number)) <= remembered:
            faults["an earlier question is forgotten"] += 1


async def storm(options: argparse.Namespace, folder: Path) -> int:
    """Runs it; the number of faults."""
    chance, heard, faults = random.Random(options.seed), Heard(), Counter[str]()
    parts = ["web", "web", "worker", "worker"] if options.postgres else ["all"]
    smtp = free_port()
    hosts: Hosts | None = None

    def port() -> int:
        assert hosts is not None
        return hosts.port()

    fediverse = Fediverse(PEOPLE, port=port, chance=chance, heard=heard)
    mail = Mail(PEOPLE, port=lambda: smtp, chance=chance, heard=heard)
    callers = Callers(PEOPLE, port=port, chance=chance, heard=heard)
    make_keys(folder)
    async with AsyncExitStack() as stack:
        social = await stack.enter_async_context(served(fediverse.app))
        sink = await asyncio.get_running_loop().create_server(mail.server, "127.0.0.1", 0)
        await stack.enter_async_context(sink)
        world = {
            "ports": {HOST: social},
            "mail_ports": {MAIL_HOST: sink.sockets[0].getsockname()[1]},
            "txt": mail.txt,
            "smtp": smtp,
            "relay": f"smtp://127.0.0.1:{sink.sockets[0].getsockname()[1]}",
            "callers": callers.tokens,
            "store": options.postgres or f"sqlite:///{folder}/host.db",
        }
        (folder / "world.json").write_text(json.dumps(world))
        hosts = Hosts(folder, parts, chance)
        began = time.monotonic()
        trouble = (
            asyncio.create_task(hosts.trouble(heard, every=options.every, restart=options.restart))
            if options.kills
            else None
        )
        transports = [fediverse, mail, callers]
        count = max(1, options.messages // (len(transports) * PEOPLE * options.conversations))
        talks = [
            converse(one, person, f"{one.name[0]}{person}x{number}", count=count, faults=faults)
            for one in transports
            for person in range(PEOPLE)
            for number in range(options.conversations)
        ]
        try:
            async with asyncio.timeout(options.seconds):
                await asyncio.gather(*talks)
        except TimeoutError:
            faults["not all answers came in time"] += 1
        seconds = time.monotonic() - began
        if trouble is not None:
            trouble.cancel()
        await asyncio.sleep(3)  # what was sent twice would come now
        hosts.end()
    faults["questions with several answers"] += sum(len(ids) > 1 for ids in heard.answers.values())
    database = Database(world["store"])  # type: ignore[arg-type]
    with database.snapshot() as db:
        stored = dict(db.execute(select(messages.c.role, func.count()).group_by(messages.c.role)).fetchall())  # type: ignore[arg-type]
        states = dict(db.execute(select(jobs.c.state, func.count()).group_by(jobs.c.state)).fetchall())  # type: ignore[arg-type]
        query = select(jobs.c.kind, jobs.c.error, func.max(jobs.c.due)).where(jobs.c.state != "done")
        open_jobs = db.execute(query.group_by(jobs.c.kind, jobs.c.error)).fetchall()
    for kind, error, due in open_jobs:
        print(f"not done: {kind}: {error} (due in {due - time.time():.0f} s)")
    database.close()
    asked = count * len(talks)
    if stored != {"user": asked, "assistant": asked}:
        faults[f"{asked} were asked, and stored are {stored}"] += 1
    if states.get("dead"):
        faults["jobs were given up"] += states["dead"]
    if options.kills and seconds > IN_ANY_CASE:
        faults["nothing was killed"] += hosts.kills == 0
    print(f"{asked} questions over {len(transports)} transports in {seconds:.0f} s, {asked / seconds:.0f} a second")
    print(
        f"{hosts.kills} times killed, {hosts.full} times a full disk, {hosts.restarts} times another database; "
        f"{heard.deliveries} answers came, {sum(map(len, heard.answers.values()))} different ones; jobs: {states}"
    )
    for fault, number in (+faults).items():
        print(f"FAULT: {fault}: {number}")
    print("no faults" if not +faults else f"{sum(faults.values())} faults")
    return sum(faults.values())


def main() -> int:
    """The exit status: 1 where something did not hold."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--messages", type=int, default=10_000)
    parser.add_argument("--conversations", type=int, default=2, help="of each person")
    parser.add_argument("--postgres", help="postgresql://… of an empty database; else SQLite")
    parser.add_argument("--restart", help="a command that restarts PostgreSQL")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every", type=float, default=4.0, help="seconds between two troubles")
    parser.add_argument("--seconds", type=float, default=3_600)
    parser.add_argument("--no-kills", dest="kills", action="store_false")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        faults = asyncio.run(storm(options, Path(folder)))
        if faults:
            kept = Path(tempfile.mkdtemp(prefix="storm"))
            for log in Path(folder).glob("*.log"):
                (kept / log.name).write_bytes(log.read_bytes())
            print(f"the logs are in {kept}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
