"""An ActivityPub inbox in FastAPI. Needs `pip install mentionable fastapi httpx uvicorn`.

Try it: `uvicorn fastapi_inbox:app`. Signatures are not checked in this version: `message.sender.verified` is false.
"""

import asyncio
from datetime import UTC, datetime
from secrets import token_bytes

import httpx
from fastapi import FastAPI, Request, Response

from mentionable import (
    AsyncAnswers,
    Fetch,
    Fetched,
    HttpRequest,
    Received,
    Rejected,
    activitypub,
    adrive,
    directory,
)

app = FastAPI()
client = httpx.AsyncClient(timeout=10)


async def fetch(ask: Fetch) -> Fetched:
    """The only network code: a GET that stops at the size which the library wants."""
    async with client.stream("GET", ask.url, headers={"accept": ask.accept}) as answer:
        body = b""
        async for chunk in answer.aiter_bytes():
            if len(body := body + chunk) > ask.max_bytes:
                break
        kind = answer.headers.get("content-type", "")
    return Fetched(url=str(answer.url), status=answer.status_code, content_type=kind, body=body)


AGENTS = {"https://agents.example/actors/helper": "@helper@agents.example"}
world = AsyncAnswers(fetch=fetch, find_agent=directory(AGENTS))


@app.post("/inbox")
async def inbox(request: Request) -> Response:
    """Takes one delivery."""
    unit = HttpRequest.from_asgi(request.scope, await request.body(), origin="https://agents.example")
    flow = activitypub.receive(unit, now=datetime.now(UTC), entropy=token_bytes(32))
    match await adrive(flow, world, gather=asyncio.gather, catch=httpx.HTTPError):
        case Rejected() as no:
            return Response(no.code, no.http_status)
        case Received(messages=messages):
            for message in messages:
                dispatch(message)
            return Response(status_code=202)


def dispatch(message: object) -> None:
    """Where your agent begins."""
