"""The host as a command uses it: while a server runs, and mostly without the program of the project."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Final

from mentionable_host.agents.agent import Agent
from mentionable_host.build import build
from mentionable_host.config import Config
from mentionable_host.host import Host
from mentionable_host.store import outbox

__all__ = ["do_now", "opened"]

LEASE: Final = timedelta(minutes=5)


@asynccontextmanager
async def opened(config: Config, *, agent: Agent | None = None) -> AsyncIterator[Host]:
    """A host that serves nothing and does no jobs by itself. Without an agent it can answer no message."""
    host = build(config, agent or Agent())
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
    await host.attempts.make(job)
