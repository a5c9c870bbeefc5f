"""An agent on ActivityPub, in FastAPI: it is found, takes notes, and answers those whose signature fits.

It accepts follows and honours what is withdrawn (`citizen.py`); private answers are for their readers alone. It reads
its key from `agent.pem`.

It may end at any time: what it remembers is in the file AGENT_STORE. An answer is there before the question is taken,
and is sent from there, now or after the next start.
"""

import asyncio
import json
import os
import sqlite3
from base64 import b64decode
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_bytes
from typing import Any
from urllib.parse import urlsplit

import safe_fetch
from citizen import Citizen
from fastapi import FastAPI, Request, Response
from outbox import Outbox

from mentionable import (
    AsyncAnswers,
    Failed,
    Fetch,
    Fetched,
    HttpRequest,
    HttpResponse,
    Limits,
    NormalizedMessage,
    NormalizedResponse,
    Received,
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
SETTINGS = activitypub.Settings(key=KEY, use_once=True)
ECHO, FORMS = 1_000, 1_000
MOST, JSON = Limits().activitypub_bytes, "application/activity+json"
STORE = os.environ.get("AGENT_STORE", "agent.sqlite")

actor = activitypub.actor(NAME, url=ACTOR, keys=KEY, shared_inbox=f"{HOST}/inbox")
nodeinfo = discovery.write_nodeinfo(software="helper", version="1.0", users=1)
forms: dict[str, activitypub.SignatureForm] = {}  # host → the form of signature that it took


async def post(ask: activitypub.Post) -> int:
    """The status that an inbox answers."""
    return (await safe_fetch.post(ask.request)).status


async def deliver(inbox: str, body: bytes) -> bool:
    """Whether one inbox needs no other try; signed just now, at first in the form that its host took the last time."""
    delivery = HttpRequest(method="POST", url=inbox, headers={"content-type": JSON}, body=body)
    host = urlsplit(inbox).netloc
    flow = activitypub.deliver(delivery, key=KEY, now=datetime.now(UTC), form=forms.get(host))
    done = await adrive(flow, post)
    if done.form is not None:
        forms[host] = done.form
        if len(forms) > FORMS:
            del forms[next(iter(forms))]  # the first one: a host that is asked again costs one more try
    if done.outcome == "gone":
        citizen.forget_inbox(inbox)
    return done.outcome != "retry"


outbox = Outbox(STORE, deliver)
citizen = Citizen(STORE, outbox, name=NAME, base=HOST, settings=SETTINGS)


def own_document(url: str) -> dict[str, Any] | None:
    """What lies under a URL of ours: the actor, its collections, an answer."""
    if url == actor["followers"]:  # how many, but not who
        return activitypub.collection(url, total=len(citizen.followers))
    return {ACTOR: actor, **activitypub.empty_collections(ACTOR)}.get(url) or citizen.documents.get(url)


async def fetch(ask: Fetch) -> Fetched | Failed:
    """A document: our own from here, others by a signed GET, since many servers answer no other."""
    own = own_document(ask.url)
    if own is not None:
        return Fetched(url=ask.url, status=200, content_type=JSON, body=json.dumps(own).encode())
    return await safe_fetch.fetch(ask, sign=lambda get: activitypub.sign(get, key=KEY, now=datetime.now(UTC)))


def lookups(body: bytes = b"{}") -> AsyncAnswers:
    """What the library is told while it works on a delivery, or on a GET."""
    try:
        by = json.loads(body)["actor"]  # as it claims; the library refuses what cannot be read
    except (ValueError, TypeError, LookupError, RecursionError):
        by = None
    return AsyncAnswers(
        fetch=fetch,
        find_agent=directory({ACTOR: NAME}),
        find_message=lambda ask: citizen.messages.find(ask.native_id, ask.recipient),
        find_messages=lambda ask: citizen.find_all(ask.native_id, by=by),
        use_once=lambda ask: citizen.uses.use(ask),
    )


app = FastAPI(lifespan=outbox.working)


def answer(message: NormalizedMessage) -> NormalizedResponse:
    """Where your agent begins. For one that takes its time, put the question on a queue like that of the answers."""
    return NormalizedResponse.to(message, f"You wrote: {plain_text(message)[:ECHO]}")


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
    flow = activitypub.receive(unit, now=datetime.now(UTC), entropy=token_bytes(32), settings=SETTINGS)
    got = await adrive(flow, lookups(unit.body), gather=asyncio.gather)
    if isinstance(got, Rejected):
        print(f"refused: {got.code}")  # the peer gets the status alone: the code may say what is stored
        return Response(status_code=got.http_status)
    try:
        take(got)
    except sqlite3.Error as error:  # the disk is full, say: a server sends it again later
        print(f"{type(error).__name__}: {error}")
        return Response(status_code=503)
    return Response(status_code=202)


def take(got: Received | activitypub.ReceivedActivity) -> None:
    """Does what an activity says, or answers a message. What others wrote goes into the log escaped."""
    if isinstance(got, activitypub.ReceivedActivity):
        print(f"{got.actor.address}: {got.type}")
        citizen.act(got)
        return
    for message in got.messages:
        how = got.verdict.method if message.sender.verified else f"not verified: {got.verdict.code}"
        print(f"{message.sender.address} ({how}) to {message.recipient}: {plain_text(message)!r}")
    citizen.read(got, answer)


def sent(response: HttpResponse) -> Response:
    """A response of the library as one of FastAPI."""
    return Response(response.body, response.status, dict(response.headers))


@app.get("/.well-known/webfinger")
async def webfinger(request: Request) -> Response:
    """Who is behind the address of the agent."""
    asked = HttpRequest.from_asgi(request.scope, b"", origin=HOST)
    return sent(discovery.webfinger_response(asked, agents=[activitypub.webfinger(NAME, url=ACTOR)]))


@app.get("/.well-known/nodeinfo")
@app.get("/nodeinfo/2.1")
async def software(request: Request) -> Response:
    """Which software this is."""
    return sent(discovery.nodeinfo_response(HttpRequest.from_asgi(request.scope, b"", origin=HOST), nodeinfo=nodeinfo))


@app.get("/files/{name}")
async def file(name: str) -> Response:
    """A file of an answer."""
    found = citizen.files.get(f"{HOST}/files/{name}")
    return Response(status_code=404) if found is None else Response(b64decode(found["data"]), headers=found["headers"])


@app.get("/{path:path}")
async def document(request: Request, path: str) -> Response:
    """The actor, its collections, and the answers: those that are not for everybody for their readers, who sign."""
    found = own_document(f"{HOST}/{path}")
    response = activitypub.document_response(found)
    if response.status == 404:
        asked = HttpRequest.from_asgi(request.scope, b"", origin=HOST)
        reader = await adrive(activitypub.verify_reader(asked, now=datetime.now(UTC)), lookups())
        member_of = {actor["followers"]} if reader.id in citizen.followers else ()
        response = activitypub.document_response(found, reader=reader, member_of=member_of)
    return sent(response)
