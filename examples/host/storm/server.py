"""The host of the storm, in a process of its own, which may be killed at any time.

Usage: python -m storm.server FOLDER PARTS PORT [smtp]. FOLDER has `world.json`: where peers are, and the store.
SIGUSR1 fills the disk of SQLite, SIGUSR2 makes room again. Retries come soon, so that a storm takes minutes.
"""

from __future__ import annotations

import asyncio
import json
import re
import signal
import sys
from pathlib import Path

import uvicorn
from mentionable import plain_text

from mentionable_host import Agent, Config, Context
from mentionable_host.build import build
from mentionable_host.cli.demo.loopback import Loopback
from mentionable_host.host import Host
from mentionable_host.queue import attempts, outcome, shared, worker
from mentionable_host.transports.mail import deliveries

TOKEN = re.compile(r"\[([a-z0-9]+)#(\d+)\]")
LIMITS = {"sender_per_hour": 10**9, "domain_per_hour": 10**9, "thread_turns": 10**9}
PAUSES = (0.2, 0.5, 1, *(2 for _ in range(300)))

agent = Agent()


@agent.on_message
async def answer(message: object, context: Context) -> str:
    """Repeats the token of the question, and those of all earlier questions that it knows in this conversation."""
    before = [TOKEN.search(plain_text(turn)) for turn in context.history if turn.role == "user"]
    seen = " ".join(found.group() for found in before if found is not None)
    asked = TOKEN.search(context.text)
    return f"Answer to {asked.group() if asked else '?'} after: {seen}"


def main(folder: Path, parts: str, port: int, *, has_smtp: bool) -> None:
    """Serves until it is killed."""
    outcome.PAUSES = attempts.PAUSES = PAUSES  # type: ignore[misc,attr-defined]
    deliveries.GREYLISTED = outcome.timedelta(seconds=1)  # type: ignore[misc,attr-defined]
    worker.LEASE = shared.LEASE = outcome.timedelta(seconds=6)  # type: ignore[misc,attr-defined]
    given = json.loads((folder / "world.json").read_text())
    world = Loopback()
    world.ports, world.mail_ports, world.txt = given["ports"], given["mail_ports"], {}
    world.txt = {name: value.encode() for name, value in given["txt"].items()}
    table = {
        "agent": {"name": "helper", "domain": "agents.example"},
        "store": {"url": given["store"]},
        "limits": LIMITS,
        "mail": {"smtp": f"127.0.0.1:{given['smtp']}" if has_smtp else "", "relay": given["relay"]},
        "a2a": {"callers": given["callers"], "patience": 60},
    }
    host = build(Config.parse(table, folder=folder), agent, world=world)
    asyncio.run(_serve(host, parts, port))


async def _serve(host: Host, parts: str, port: int) -> None:
    loop = asyncio.get_running_loop()
    for number, pages in ((signal.SIGUSR1, 1), (signal.SIGUSR2, 2**30)):
        loop.add_signal_handler(number, lambda pages=pages: loop.create_task(_limit(host, pages)))
    if parts == "worker":
        async with host.running(parts="worker"):
            await asyncio.Event().wait()
    config = uvicorn.Config(host.app(parts=parts), port=port, log_level="warning", access_log=False, ws="none")
    await uvicorn.Server(config).serve()


async def _limit(host: Host, pages: int) -> None:
    """The file of SQLite may have so many pages, but no fewer than it has."""
    if host.database.dialect == "sqlite":
        await host.database.look(lambda db: db.exec_driver_sql("SELECT 1"))
        await host.database.write(lambda db: db.exec_driver_sql(f"PRAGMA max_page_count = {pages}").fetchall())


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), has_smtp="smtp" in sys.argv[4:])
