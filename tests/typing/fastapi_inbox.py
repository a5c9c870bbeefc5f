"""An inbox of the Fediverse by FastAPI, which answers whatever it receives."""

import asyncio
from datetime import UTC, datetime
from secrets import token_bytes

import httpx
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from fastapi import FastAPI, Request, Response

from mentionable import (
    AsyncAnswers,
    Fetch,
    Fetched,
    HttpRequest,
    NormalizedResponse,
    Received,
    Rejected,
    SigningKey,
    activitypub,
    adrive,
    directory,
)

app, client = FastAPI(), httpx.AsyncClient(follow_redirects=True, timeout=10)
PEM = rsa.generate_private_key(65_537, 2_048).private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
KEY = SigningKey.from_pem(PEM, key_id="https://agents.example/helper#main-key")


async def fetch(ask: Fetch) -> Fetched:
    get = activitypub.sign(ask.request, key=KEY, now=datetime.now(UTC))
    r = await client.request(get.method, get.url, headers=get.headers)
    return Fetched(url=str(r.url), status=r.status_code, content_type=r.headers.get("content-type", ""), body=r.content)


world = AsyncAnswers(fetch=fetch, find_agent=directory({"https://agents.example/helper": "@helper@agents.example"}))


@app.post("/inbox")
async def inbox(request: Request) -> Response:
    unit = HttpRequest.from_asgi(request.scope, await request.body(), origin="https://agents.example")
    now, entropy = datetime.now(UTC), token_bytes(32)
    flow = activitypub.receive(unit, now=now, entropy=entropy)
    match await adrive(flow, world, gather=asyncio.gather, catch=httpx.HTTPError):
        case Rejected() as no:
            return Response(no.code, no.http_status)
        case activitypub.ReceivedActivity():
            return Response(status_code=202)
        case Received(messages=messages):
            for message in messages:
                answer = NormalizedResponse.to(message, "Hello!")
                base = "https://agents.example"
                settings = activitypub.Settings(key=KEY)
                out = activitypub.reply(answer, to=message, base=base, now=now, entropy=entropy, settings=settings)
                for post in out.deliveries:
                    await client.request(post.method, post.url, headers=post.headers, content=post.body)
            return Response(status_code=202)
