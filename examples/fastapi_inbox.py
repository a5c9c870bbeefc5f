"""An ActivityPub inbox in FastAPI. Needs `pip install mentionable fastapi httpx uvicorn`, and safe_fetch.py beside it.

Try it: `uvicorn fastapi_inbox:app`. `message.sender.verified` says whether the signature and the address were shown.
"""

import asyncio
from datetime import UTC, datetime
from secrets import token_bytes

from fastapi import FastAPI, Request, Response
from safe_fetch import fetch

from mentionable import (
    AsyncAnswers,
    HttpRequest,
    Limits,
    NormalizedMessage,
    Received,
    Rejected,
    activitypub,
    adrive,
    directory,
    plain_text,
)

app = FastAPI()
AGENTS = {"https://agents.example/actors/helper": "@helper@agents.example"}
world = AsyncAnswers(fetch=fetch, find_agent=directory(AGENTS))
MOST = Limits().activitypub_bytes


async def body_of(request: Request) -> bytes:
    """The body of a request; of one that is too large, just so much that it is refused."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MOST:
            break
    return bytes(body)


@app.post("/inbox")
async def inbox(request: Request) -> Response:
    """Takes one delivery."""
    unit = HttpRequest.from_asgi(request.scope, await body_of(request), origin="https://agents.example")
    flow = activitypub.receive(unit, now=datetime.now(UTC), entropy=token_bytes(32))
    match await adrive(flow, world, gather=asyncio.gather):
        case Rejected() as no:
            return Response(no.code, no.http_status)
        case Received(messages=messages):
            for message in messages:
                dispatch(message)
            return Response(status_code=202)


def dispatch(message: NormalizedMessage) -> None:
    """Where your agent begins."""
    how = message.sender.auth_method if message.sender.verified else "not verified"
    print(f"{message.sender.address} ({how}) to {message.recipient}:\n{plain_text(message)}")
