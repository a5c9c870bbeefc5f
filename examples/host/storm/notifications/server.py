"""The host of the storm, in a process of its own, which may be killed at any time.

Usage: python -m storm.notifications.server FOLDER PORT. FOLDER has `world.json`: the store, and the push service.

`POST /storm/notify` submits an event, under the same source the same one; `GET /storm/token` makes a token of a person;
`GET /storm/late` says by how many seconds the first of what is to be done is late.
The agent tells most events that are for it, says nothing of some, fails for others, and hangs for a few.
"""

from __future__ import annotations

import asyncio
import json
import sys
from datetime import timedelta
from pathlib import Path
from zlib import crc32

import uvicorn
from mentionable import anp
from sqlalchemy import func, select
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from mentionable_host import Agent, Config, NoticeContext
from mentionable_host.build import build
from mentionable_host.cli.demo.loopback import Loopback
from mentionable_host.notifications.service import Notifications
from mentionable_host.queue import attempts, outcome, shared, worker
from mentionable_host.store import jobs
from mentionable_host.store.tables import jobs as table

PAUSES = (0.2, 0.5, 1, *(2 for _ in range(300)))
HANGS_SECONDS = 20
WITHIN_SECONDS = 15
LEASE_SECONDS = 3

FIRST_DUE = select(func.min(table.c.due)).where(table.c.state == "waiting")

agent = Agent()


@agent.on_message
async def answer(message: object, context: object) -> str:
    """Nobody asks in this storm."""
    return "Hello"


@agent.on_notice
async def tell(notice: anp.Notification, context: NoticeContext) -> str | None:
    """Tells an event in words of its own; by its words some are left out, some fail, some take too long."""
    chance = crc32(notice.content.encode()) % 20
    if chance == 0:
        raise OSError("no model")
    if chance == 1:
        await asyncio.sleep(HANGS_SECONDS)
    return None if chance in (2, 3) else f"Told: {notice.content}"


def main(folder: Path, port: int) -> None:
    """Serves until it is killed."""
    outcome.PAUSES = attempts.PAUSES = PAUSES  # type: ignore[misc,attr-defined]
    worker.LEASE = shared.LEASE = timedelta(seconds=LEASE_SECONDS)  # type: ignore[misc]
    # What a process that was killed had in hand is taken up soon: one is killed every few seconds.
    shared.SWEEP_SECONDS, jobs.PATIENCE = LEASE_SECONDS, timedelta(seconds=LEASE_SECONDS)  # type: ignore[misc]
    world = json.loads((folder / "world.json").read_text())
    loopback = Loopback()
    loopback.ports = {"push.example": world["push"]}
    table = {
        "agent": {"name": "helper", "domain": "agents.example"},
        "server": {"origin": f"http://127.0.0.1:{port}"},
        "store": {"url": world["store"]},
        "notifications": {"push_after_seconds": 1, "write_after_seconds": 604_800},
    }
    host = build(Config.parse(table, folder=folder), agent, transports=[Notifications], world=loopback)

    async def notify(request: Request) -> JSONResponse:
        given = await request.json()
        given["within"] = timedelta(seconds=WITHIN_SECONDS) if given["by"] == "agent" else None
        return JSONResponse({"id": await host.notify(given.pop("person"), given.pop("text"), **given)})

    async def token(request: Request) -> JSONResponse:
        return JSONResponse({"token": await host.person_token(request.query_params["person"])})

    async def late(request: Request) -> JSONResponse:
        due = await host.database.read(lambda db: db.execute(FIRST_DUE).scalar())
        return JSONResponse({"seconds": 0 if due is None else host.world.now().timestamp() - due})

    app = host.app()
    routes = [
        Route("/storm/notify", notify, methods=["POST"]),
        Route("/storm/token", token),
        Route("/storm/late", late),
    ]
    app.routes[:0] = routes
    uvicorn.Server(uvicorn.Config(app, port=port, log_level="warning", access_log=False)).run()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
