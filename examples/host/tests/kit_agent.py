"""The agent that the test kits of A2A ask: bread that takes its time. `test_a2a_kits.py` starts it under uvicorn."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path

import httpx
from mentionable import Failed, HttpResponse, NormalizedResponse, a2a

from mentionable_host import Agent, Config, Host
from mentionable_host.keys import Keys, make_keys
from mentionable_host.store.database import Database
from mentionable_host.store.tables import metadata
from mentionable_host.transports.a2a import A2A
from mentionable_host.world.world import system_entropy, system_now

PACE = 0.3
DAYS = ("today", "tomorrow", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
ENDPOINT = "/a2a/baker"

agent = Agent()


@agent.on_message
async def answer(message, context):
    text = context.text.lower()
    day = next((day for day in DAYS if day in text), None)
    if day:
        return f"Your bread will be ready {day}."
    if "order" in text:
        return a2a.with_state(NormalizedResponse.to(message, "Which day shall it be?"), "input-required")
    return bake()


async def bake():
    for step in ("Kneading the dough. ", "Letting it rise. ", "Baking. "):
        yield step
        await asyncio.sleep(PACE)
    yield "Here is your bread."


class LocalWorld:
    """This machine alone."""

    now, entropy = staticmethod(system_now), staticmethod(system_entropy)

    async def fetch(self, ask, *, sign=None):
        return Failed("nothing is fetched")

    async def lookup_txt(self, ask):
        return []

    async def send(self, request, *, seconds=10):
        try:
            async with httpx.AsyncClient(trust_env=False, timeout=seconds) as client:
                got = await client.post(request.url, headers=list(request.headers), content=request.body)
        except httpx.HTTPError as error:
            return Failed(type(error).__name__)
        return HttpResponse(status=got.status_code)


def made() -> Host:
    folder, callers = Path(os.environ["KIT_FOLDER"]), json.loads(os.environ["KIT_CALLERS"])
    make_keys(folder)
    # Both kits take a public card for leaky that has the words localhost or 127.0.0.1; 127.1 is the same address. The
    # kit of 1.0 wants tasks that are still at work after a call that waits for the end.
    calls = {"patience": 0.05, "local_webhooks": True, "callers": callers, "anonymous": not callers}
    limits = {"sender_per_hour": 100_000, "domain_per_hour": 100_000, "thread_turns": 100_000}
    table = {
        "agent": {"name": "baker", "domain": "agents.example"},
        "server": {"origin": os.environ["KIT_ORIGIN"]},
        "a2a": {**calls, "card": "1.0" if callers else "hybrid"},
        "limits": limits,
    }
    config = Config.parse(table, folder=folder)
    database = Database(f"sqlite:///{folder}/host.db")
    metadata.create_all(database.engine)
    outside = {"keys": Keys.load(config), "database": database, "world": LocalWorld()}
    return Host(agent, config, transports=[A2A], **outside)


inner = made().app() if "KIT_FOLDER" in os.environ else None


async def app(scope, receive, send):
    """The host; the kits look for an agent at the root."""
    if scope["type"] == "http" and not scope["path"].startswith(("/.well-known", "/a2a")):
        path = ENDPOINT + scope["path"].rstrip("/")
        scope = {**scope, "path": path, "raw_path": path.encode()}
    await inner(scope, receive, send)
