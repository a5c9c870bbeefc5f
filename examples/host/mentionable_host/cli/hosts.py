"""The host as a command uses it: beside a server that runs, and without the program of the project."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from random import Random
from typing import Final

from mentionable_host.agents.agent import Agent
from mentionable_host.build import build
from mentionable_host.config import Config
from mentionable_host.host import Host
from mentionable_host.queue.outcome import Retry, pause
from mentionable_host.queue.worker import attempt, settle
from mentionable_host.store import outbox
from mentionable_host.store.database import Conflict

__all__ = ["do_now", "opened"]

LEASE: Final = timedelta(minutes=5)


@asynccontextmanager
async def opened(config: Config) -> AsyncIterator[Host]:
    """A host that serves nothing and does no jobs by itself."""
    host = build(config, Agent())
    try:
        yield host
    finally:
        close = getattr(host.world, "close", None)
        if close is not None:
            await close()
        host.database.close()


async def do_now(host: Host, number: int) -> None:
    """Does a job at once, unless a server that runs does it already."""
    now = host.world.now()
    job = await host.database.write(lambda db: outbox.take(db, number, now=now, until=now + LEASE))
    if job is None:
        return
    outcome = await attempt(host.handlers(), job)
    chance = Random(host.world.entropy())  # noqa: S311 - it spreads retries
    wait = pause(job.tries, outcome, chance=chance) if isinstance(outcome, Retry) else None
    try:
        await host.database.write(lambda db: settle(db, job, outcome, wait=wait, world=host.world))
    except Conflict:
        again = Retry("another transaction was faster")
        later = pause(job.tries, again, chance=chance)
        await host.database.write(lambda db: settle(db, job, again, wait=later, world=host.world))
