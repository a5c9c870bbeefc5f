"""An agent on ActivityPub, in FastAPI: it is found, takes notes, and answers those whose signature fits.

Needs `pip install mentionable fastapi httpx uvicorn`, safe_fetch.py and outbox.py in the same folder, and a key that is
made once: `openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out agent.pem`. Start it:
`AGENT_STORE=agent.sqlite uvicorn fastapi_inbox:app --timeout-graceful-shutdown 1`, behind a proxy that speaks TLS for
agents.example. Try it without any of that: `python try_mention.py "Will it rain?"`.

It may end at any time: an answer is in the file AGENT_STORE before the question is taken, and is sent from there, now
or after the next start. What stands in dictionaries here belongs into a database too.
"""

import asyncio
import json
import os
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_bytes
from typing import Any
from urllib.parse import urlsplit

import safe_fetch
from fastapi import FastAPI, Request, Response
from outbox import Outbox

from mentionable import (
    AsyncAnswers,
    Failed,
    Fetch,
    Fetched,
    FindMessage,
    HttpRequest,
    HttpResponse,
    Limits,
    NormalizedMessage,
    NormalizedResponse,
    Rejected,
    SigningKey,
    StoredMessage,
    activitypub,
    adrive,
    directory,
    discovery,
    plain_text,
)

HOST, NAME = "https://agents.example", "@helper@agents.example"
ACTOR = f"{HOST}/actors/helper"
KEY = SigningKey.from_pem(Path("agent.pem").read_bytes(), key_id=f"{ACTOR}#main-key")
SETTINGS = activitypub.Settings(key=KEY)
MOST, TURNS = Limits().activitypub_bytes, 20
JSON = "application/activity+json"

documents: dict[str, dict[str, Any]] = activitypub.empty_collections(ACTOR)  # id → what lies there
documents[ACTOR] = activitypub.actor(NAME, url=ACTOR, keys=KEY, shared_inbox=f"{HOST}/inbox")
files: dict[str, activitypub.ServedFile] = {}
stored: dict[tuple[str, str], StoredMessage] = {}
turns: Counter[tuple[str, str]] = Counter()
forms: dict[str, activitypub.SignatureForm] = {}  # host → the form of signature that it took


async def fetch(ask: Fetch) -> Fetched | Failed:
    """A document: our own from here, others by a signed GET, since many servers answer no other."""
    if ask.url in documents:
        body = json.dumps(documents[ask.url]).encode()
        return Fetched(url=ask.url, status=200, content_type=JSON, body=body)
    return await safe_fetch.fetch(ask, sign=lambda get: activitypub.sign(get, key=KEY, now=datetime.now(UTC)))


async def post(ask: activitypub.Post) -> int:
    """The status that an inbox answers."""
    return (await safe_fetch.post(ask.request)).status


def find_message(ask: FindMessage) -> StoredMessage | None:
    """What is stored under an id."""
    return stored.get((ask.native_id, ask.recipient))


lookups = AsyncAnswers(fetch=fetch, find_agent=directory({ACTOR: NAME}), find_message=find_message)


def answer(message: NormalizedMessage) -> NormalizedResponse:
    """Where your agent begins. For one that takes its time, put the question on a queue like that of the answers."""
    return NormalizedResponse.to(message, f"You wrote: {plain_text(message)}")


async def deliver(inbox: str, body: bytes) -> bool:
    """Whether one inbox needs no other try; signed just now, at first in the form that its host took the last time."""
    delivery = HttpRequest(method="POST", url=inbox, headers={"content-type": JSON}, body=body)
    host = urlsplit(inbox).netloc
    flow = activitypub.deliver(delivery, key=KEY, now=datetime.now(UTC), form=forms.get(host))
    done = await adrive(flow, post)
    if done.form is not None:
        forms[host] = done.form
    return done.outcome != "retry"


outbox = Outbox(os.environ.get("AGENT_STORE", "agent.sqlite"), deliver)
for served in outbox.answers.values():
    documents.update(json.loads(served))
app = FastAPI(lifespan=outbox.working)


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
async def inbox(request: Request) -> Response:
    """Takes one delivery as soon as its answer is stored; that is sent when the peer has gone."""
    unit = HttpRequest.from_asgi(request.scope, await body_of(request), origin=HOST)
    flow = activitypub.receive(unit, now=datetime.now(UTC), entropy=token_bytes(32))
    got = await adrive(flow, lookups, gather=asyncio.gather)
    if isinstance(got, Rejected):
        return Response(got.code, got.http_status)
    if isinstance(got, activitypub.ReceivedActivity):
        return Response(status_code=202)
    for place, row in got.to_store.items():
        if got.verdict.verified and row.replaces(stored.get(place)):  # what anybody can send fills no store
            stored[place] = row
    for message in got.messages:
        how = got.verdict.method if message.sender.verified else f"not verified: {got.verdict.code}"
        print(f"{message.sender.address} ({how}) to {message.recipient}: {plain_text(message)!r}")
        question = f"{got.native_id} of {message.sender.address}"
        if not message.sender.verified or question in outbox.answers:
            continue
        talk = (message.thread_id, message.sender.address)
        turns[talk] += 1
        if turns[talk] <= TURNS:  # two agents could go on for ever
            respond(message, question)
    return Response(status_code=202)


def respond(message: NormalizedMessage, question: str) -> None:
    """Answers, stores the answer and what is to be delivered, and serves it."""
    now, entropy = datetime.now(UTC), token_bytes(32)
    out = activitypub.reply(answer(message), to=message, base=HOST, now=now, entropy=entropy, settings=SETTINGS)
    outbox.put(question, json.dumps(out.serve), [(delivery.url, delivery.body) for delivery in out.deliveries])
    documents.update(out.serve)
    files.update(out.files)
    stored[out.native_id, NAME] = StoredMessage(
        id=f"answer-to-{message.id}", thread_id=message.thread_id, sender=NAME, auth_method="own"
    )


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
