"""Mentions the agent of fastapi_inbox.py from another server, and prints what it answers; all on this machine.

Needs `pip install mentionable fastapi httpx uvicorn`. Try it: `python try_mention.py "Will it rain?"`. With `--forged`
one byte of the note is another one when it arrives, and nobody is answered.

Real are the two HTTP servers, WebFinger, the documents, the signatures and their verification on both sides. Not as on
the Internet is one thing: agents.example and social.example are ports of this machine, without TLS.
"""

import asyncio
import json
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, chdir
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_bytes
from tempfile import TemporaryDirectory

import httpx
import safe_fetch
import uvicorn
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from fastapi import FastAPI, Request, Response

from mentionable import (
    AsyncAnswers,
    HttpRequest,
    HttpResponse,
    Received,
    Rejected,
    activitypub,
    adrive,
    plain_text,
    replace,
)
from mentionable.testing import Peer

ALICE, HERS, HELPER = Peer.activitypub("@alice@social.example"), "https://social.example", "@helper@agents.example"
SECONDS, SILENCE = 20, 3
ports: dict[str, int] = {}
heard: asyncio.Queue[Received] = asyncio.Queue()
alices = FastAPI()


async def exchange(request: HttpRequest, max_bytes: int) -> HttpResponse:
    """`safe_fetch.exchange`, but names lead to ports of this machine, where nobody speaks TLS."""
    url = httpx.URL(request.url)
    there = f"http://127.0.0.1:{ports[url.host]}{url.raw_path.decode()}"
    headers = {**dict(request.headers), "host": url.host}
    async with httpx.AsyncClient(trust_env=False) as client:
        got = await client.request(request.method, there, headers=headers, content=request.body)
    return HttpResponse(status=got.status_code, headers=got.headers.items(), body=got.content)


lookups = AsyncAnswers(fetch=safe_fetch.fetch)


@alices.get("/{path:path}")
async def document(request: Request) -> Response:
    """What Alice's server says of her: by WebFinger, and her actor document with her key."""
    url = HttpRequest.from_asgi(request.scope, b"", origin=HERS).url
    found = ALICE.lookups.get(f"GET {url}")
    if found is None:
        return Response(status_code=404)
    return Response(json.dumps(found["json"]), headers={"content-type": found["content_type"]})


@alices.post("/users/alice/inbox")
async def inbox(request: Request) -> Response:
    """Alice's inbox, which takes what is signed."""
    unit = HttpRequest.from_asgi(request.scope, await request.body(), origin=HERS)
    settings = activitypub.Settings(require_verified=True)
    flow = activitypub.receive(
        unit, recipient=ALICE.address, now=datetime.now(UTC), entropy=token_bytes(32), settings=settings
    )
    got = await adrive(flow, lookups)
    if isinstance(got, Rejected):
        return Response(status_code=got.http_status)
    if isinstance(got, Received):
        await heard.put(got)
    return Response(status_code=202)


@asynccontextmanager
async def served(host: str, app: FastAPI) -> AsyncIterator[None]:
    """An application at a free port, to which a name leads from now on."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        ports[host] = listening.getsockname()[1]
        server = uvicorn.Server(uvicorn.Config(app, log_level="critical", ws="none"))
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        try:
            yield
        finally:
            server.should_exit = True
            await serving


async def mention(text: str, *, forged: bool) -> int:
    """One note and its answer: 0 when there was one, and it is from whom it says."""
    import fastapi_inbox  # reads its key

    safe_fetch.exchange = exchange
    async with served("social.example", alices), served("agents.example", fastapi_inbox.app):
        agent = await adrive(activitypub.find_actor(HELPER), lookups)
        if isinstance(agent, Rejected):
            print(f"{HELPER} was not found: {agent}")
            return 1
        print(f"@alice@social.example writes to {agent.inbox}: {HELPER} {text}")
        unit = ALICE.write(text, to=agent.id, inbox=agent.inbox, mention=HELPER, now=datetime.now(UTC))
        if forged:
            unit = replace(unit, body=unit.body.replace(b"</a> ", b"</a>-"))
        print(f"The agent's server says: {(await safe_fetch.post(unit)).status}")
        try:
            got = await asyncio.wait_for(heard.get(), SILENCE if forged else SECONDS)
        except TimeoutError:
            print("No answer came.")
            return 1
    print(f"{got.message.sender.address} ({got.verdict.method}) answers {got.message.in_reply_to}:")
    print(plain_text(got.message))
    return 0


def new_key() -> bytes:
    """An RSA key, which is what all servers verify."""
    key = rsa.generate_private_key(65537, 2048)
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def main(words: list[str]) -> int:
    if {"-h", "--help"} & set(words):
        print(__doc__)
        return 0
    text = " ".join(word for word in words if word != "--forged") or "Will it rain?"
    with TemporaryDirectory() as folder, chdir(folder):
        Path("agent.pem").write_bytes(new_key())
        return asyncio.run(mention(text, forged="--forged" in words))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
