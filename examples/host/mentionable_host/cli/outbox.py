"""`outbox`: what is still to be done and what was given up; the operator tries a job again, or drops it."""

from __future__ import annotations

import argparse
from typing import Any

from rich.console import Console

from mentionable_host.build import load_agent, open_database
from mentionable_host.cli.hosts import do_now, opened
from mentionable_host.cli.words import CommandError, cut, json_out, rows, say, table, when
from mentionable_host.config import Config
from mentionable_host.store import jobs, outbox
from mentionable_host.store.jobs import JobState, StoredJob

__all__ = ["add_arguments", "run"]

OPEN: tuple[JobState, ...] = ("waiting", "running", "dead")
STATES: dict[str, tuple[JobState, ...]] = {
    "open": OPEN,
    "waiting": ("waiting", "running"),
    "dead": ("dead",),
    "all": (*OPEN, "done"),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to show, or what to do with one job."""
    parser.add_argument(
        "action",
        nargs="?",
        choices=("list", "retry", "drop"),
        default="list",
        help="retry: try a job now; drop: end it",
    )
    parser.add_argument("number", nargs="?", type=int, metavar="NUMBER", help="the job, as the list shows it")
    parser.add_argument(
        "--state", choices=tuple(STATES), default="open", help="which ones (default: waiting, running and dead)"
    )
    parser.add_argument("--before", type=int, metavar="NUMBER", help="go on with the jobs before this one")
    parser.add_argument("--limit", type=int, default=50, metavar="N", help="so many (default: 50, at most 200)")
    parser.add_argument("--json", action="store_true", help="as JSON")


async def run(config: Config, arguments: argparse.Namespace, console: Console) -> int:
    """Shows them, or changes one."""
    number: int | None = arguments.number
    if arguments.action == "list":
        if number is not None:
            raise CommandError("`outbox list` takes no number: `outbox retry NUMBER` and `outbox drop NUMBER` do")
        return await _list(config, arguments, console)
    if number is None:
        raise CommandError(f"which one? `outbox` shows the numbers: `outbox {arguments.action} NUMBER`")
    return await (_retry if arguments.action == "retry" else _drop)(config, number, console)


async def _list(config: Config, arguments: argparse.Namespace, console: Console) -> int:
    database = open_database(config)
    try:
        how: dict[str, Any] = {"before": arguments.before, "limit": arguments.limit}
        found = await database.read(lambda db: outbox.listed(db, states=STATES[arguments.state], **how))
        counts = await database.read(outbox.counts)
    finally:
        database.close()
    if arguments.json:
        json_out(console, {"counts": dict(counts), "jobs": [_facts(one) for one in found]})
        return 0
    cells = [
        (str(one.number), one.state, one.kind, one.person or one.lane, str(one.tries), _next(one), cut(one.error or ""))
        for one in found
    ]
    if cells:
        rows(console, table("number", "state", "what", "for", "tries", "next", "last fault"), cells)
    order = ("waiting", "running", "dead", "done")
    say(console, ", ".join(f"{counts.get(state, 0)} {state}" for state in order))
    return 0


async def _retry(config: Config, number: int, console: Console) -> int:
    """Tries one job at once; 1 when it does not work. An answer is the program's to make."""
    database = open_database(config)
    try:
        job = await database.read(lambda db: jobs.get(db, number))
    finally:
        database.close()
    agent = load_agent(config) if job is not None and job.kind == "answer" else None
    async with opened(config, agent=agent) as host:
        now = host.world.now()
        if not await host.database.write(lambda db: outbox.retry(db, number, now=now)):
            raise CommandError(f"no job {number} waits or was given up: `outbox` shows them")
        await do_now(host, number)
        return await tell(host.database.read, number, console)


async def _drop(config: Config, number: int, console: Console) -> int:
    async with opened(config) as host:
        if not await host.attempts.drop(number):
            raise CommandError(f"no job {number} waits or was given up: `outbox` shows them")
    say(console, f"{number} is dropped")
    return 0


async def tell(read: Any, number: int, console: Console) -> int:
    """Says what became of a job; 1 where it was given up."""
    job: StoredJob | None = await read(lambda db: jobs.get(db, number))
    match job:
        case None:
            say(console, f"{number} is not there any more")
        case StoredJob(state="done"):
            say(console, f"{number} {job.kind}: done")
        case StoredJob(state="dead"):
            say(console, f"{number} {job.kind}: given up: {cut(job.error or '')}", style="red")
            return 1
        case _:
            say(console, f"{number} {job.kind}: {job.state}, {_next(job)}: {cut(job.error or 'not tried yet')}")
    return 0


def _next(job: StoredJob) -> str:
    return f"at {when(job.due)}" if job.state == "waiting" and job.due else ""


def _facts(job: StoredJob) -> dict[str, Any]:
    """A job without its payload, which may have what somebody wrote."""
    names = ("number", "key", "kind", "lane", "state", "tries", "error", "person", "thread_id")
    times = {"due": job.due and job.due.isoformat(), "created_at": job.created_at.isoformat()}
    return {**{name: getattr(job, name) for name in names}, **times}
