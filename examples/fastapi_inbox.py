"""An agent on the Fediverse inside a FastAPI application that has routes of its own.

What is special: you have a server already. The agent's routes are added to it, and its worker runs in the lifespan of
the application, so one process does both. Without a server of yours, `mentionable-host serve` is all you need.

Needs `pip install mentionable mentionable-host fastapi`, and the configuration and keys of a project: this file goes
into the folder that `mentionable-host new helper --domain agents.example` makes. Start it behind a proxy that speaks
TLS for agents.example: `uvicorn fastapi_inbox:app`.
"""

from pathlib import Path

from fastapi import FastAPI
from mentionable_host import Agent, Config, Context, Host
from mentionable_host.build import open_database
from mentionable_host.keys import Keys
from mentionable_host.transports.activitypub import ActivityPub
from mentionable_host.transports.discovery import Discovery
from mentionable_host.world.internet import Internet

from mentionable import NormalizedMessage

agent = Agent()


@agent.on_message
async def answer(message: NormalizedMessage, context: Context) -> str:
    """Where your agent begins."""
    return f"You wrote: {context.text}"


config = Config.load(Path("mentionable.toml"))
host = Host(
    agent,
    config,
    keys=Keys.load(config),
    database=open_database(config),
    world=Internet(),
    transports=[ActivityPub, Discovery],
)
app = FastAPI(lifespan=host.running)
app.router.routes.extend(host.routes())


@app.get("/weather")
async def weather() -> dict[str, str]:
    """A route of yours. One that takes every path must come after those of the agent, as here."""
    return {"tomorrow": "rain"}
