"""An agent on ActivityPub, in FastAPI: it is found, takes notes, and answers those whose signature fits.

Needs `pip install mentionable fastapi httpx uvicorn`, safe_fetch.py beside it, and a key that is made once:
`openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out agent.pem`. Start it: `uvicorn fastapi_inbox:app`,
behind a proxy that speaks TLS for agents.example. Try it without any of that: `python try_mention.py "Will it rain?"`.
What stands in dictionaries here belongs into a database, and what waits in a task into a queue.
"""

import asyncio
import json
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_bytes
from typing import Any
from urllib.parse import urlsplit

import safe_fetch
from fastapi import BackgroundTasks, FastAPI, Request, Response

from mentionable import (
    AsyncAnswers,
    Failed,
    Fetch,
    Fetched,
    FindMessage,
    HttpRequest,
    HttpResponse,
    Known,
    Limits,
    NormalizedMessage,
    NormalizedResponse,
    Rejected,
    SigningKey,
    activitypub,
    adrive,
    directory,
    discovery,
    plain_text,
)

HOST, NAME = "https://agents.example", "@helper@agents.example"
ACTOR = f"{HOST}/actors/helper"
KEY = SigningKey.from_pem(Path("agent.pem").read_bytes(), key_id=f"{ACTOR}#main-key")
MOST, TURNS = Limits().activitypub_bytes, 20
PAUSES = (0, 60, 3_600, 86_400)  # before each try to deliver

app = FastAPI()
documents: dict[str, dict[str, Any]] = activitypub.empty_collections(ACTOR)  # id → what lies there
documents[ACTOR] = activitypub.actor(NAME, url=ACTOR, keys=KEY, shared_inbox=f"{HOST}/inbox")
files: dict[str, activitypub.ServedFile] = {}
stored: dict[tuple[str, str], Known] = {}
answered: set[str] = set()
turns: Counter[tuple[str, str]] = Counter()
forms: dict[str, activitypub.SignatureForm] = {}  # host → the form of signature that it took


async def fetch(ask: Fetch) -> Fetched | Failed:
    """A document: our own from here, others by a signed GET, since many servers answer no other."""
    if ask.url in documents:
        body = json.dumps(documents[ask.url]).encode()
        return Fetched(url=ask.url, status=200, content_type="application/activity+json", body=body)
    return await safe_fetch.fetch(ask, sign=lambda get: activitypub.sign(get, key=KEY, now=datetime.now(UTC)))


async def post(ask: activitypub.Post) -> int:
    """The status that an inbox answers."""
    return (await safe_fetch.post(ask.request)).status


def find_message(ask: FindMessage) -> Known | None:
    """What is stored under an id."""
    return stored.get((ask.native_id, ask.recipient))


world = AsyncAnswers(fetch=fetch, find_agent=directory({ACTOR: NAME}), find_message=find_message)


def answer(message: NormalizedMessage) -> NormalizedResponse:
    """Where your agent begins."""
    return NormalizedResponse.to(message, f"You wrote: {plain_text(message)}")


async def body_of(request: Request) -> bytes:
    """The body of a request; of one that is too large, just so much that it is refused."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MOST:
            break
    return bytes(body)


@app.post("/inbox")
@app.post("/actors/helper/inbox")
async def inbox(request: Request, tasks: BackgroundTasks) -> Response:
    """Takes one delivery; it is answered when the peer has gone."""
    unit = HttpRequest.from_asgi(request.scope, await body_of(request), origin=HOST)
    flow = activitypub.receive(unit, now=datetime.now(UTC), entropy=token_bytes(32))
    got = await adrive(flow, world, gather=asyncio.gather)
    if isinstance(got, Rejected):
        return Response(got.code, got.http_status)
    for place, row in got.known.items():
        if got.verdict.verified and row.replaces(stored.get(place)):  # what anybody can send fills no store
            stored[place] = row
    for message in got.messages:
        how = got.verdict.method if message.sender.verified else f"not verified: {got.verdict.code}"
        print(f"{message.sender.address} ({how}) to {message.recipient}: {plain_text(message)!r}")
        if not message.sender.verified or message.id in answered:
            continue
        answered.add(message.id)
        talk = (message.thread_id, message.sender.address)
        turns[talk] += 1
        if turns[talk] <= TURNS:  # two agents could go on for ever
            tasks.add_task(respond, message)
    return Response(status_code=202)


async def respond(message: NormalizedMessage) -> None:
    """Answers, serves the answer, and delivers it: again and again, ever less often."""
    now, entropy = datetime.now(UTC), token_bytes(32)
    out = activitypub.reply(answer(message), to=message, base=HOST, key=KEY, now=now, entropy=entropy)
    documents.update(out.serve)
    files.update(out.files)
    stored[out.native_id, NAME] = Known(
        id=f"answer-to-{message.id}", thread_id=message.thread_id, sender=NAME, auth_method="own"
    )
    left = list(out.deliveries)
    for pause in PAUSES:
        await asyncio.sleep(pause)
        left = [delivery for delivery in left if await deliver(delivery) == "retry"]
        if not left:
            return


async def deliver(delivery: HttpRequest) -> activitypub.DeliveryOutcome:
    """Delivers to one inbox, signed just now, at first in the form that its host took the last time."""
    host = urlsplit(delivery.url).netloc
    done = await adrive(activitypub.deliver(delivery, key=KEY, now=datetime.now(UTC), form=forms.get(host)), post)
    if done.form is not None:
        forms[host] = done.form
    return done.outcome


def sent(response: HttpResponse) -> Response:
    """A response of the library as one of FastAPI."""
    return Response(response.body, response.status, dict(response.headers))


@app.get("/.well-known/webfinger")
def webfinger(request: Request) -> Response:
    """Who is behind the address of the agent."""
    asked = HttpRequest.from_asgi(request.scope, b"", origin=HOST)
    return sent(discovery.webfinger_response(asked, agents=[activitypub.webfinger(NAME, url=ACTOR)]))


@app.get("/files/{name}")
def file(name: str) -> Response:
    """A file of an answer."""
    found = files.get(f"{HOST}/files/{name}")
    return Response(status_code=404) if found is None else Response(found.data, headers=dict(found.headers))


@app.get("/{path:path}")
def document(path: str) -> Response:
    """The actor, its collections, and the answers that are for everybody; the others reached whom they are for."""
    return sent(activitypub.document_response(documents.get(f"{HOST}/{path}")))
