"""An agent on ActivityPub, in FastAPI: it is found, takes notes, and answers those whose signature fits.

Needs `pip install mentionable fastapi httpx uvicorn`, safe_fetch.py beside it, and a key that is made once:
`openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out agent.pem`. Try it: `uvicorn fastapi_inbox:app`.
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
PUBLIC = "https://www.w3.org/ns/activitystreams#Public"
MOST, TURNS = Limits().activitypub_bytes, 20
PAUSES = (0, 60, 3_600, 86_400)  # before each try to deliver

app = FastAPI()
documents: dict[str, dict[str, Any]] = {
    ACTOR: activitypub.actor(NAME, url=ACTOR, keys=KEY, shared_inbox=f"{HOST}/inbox")
}
for name in ("outbox", "followers", "following"):
    documents[f"{ACTOR}/{name}"] = {"@context": PUBLIC.removesuffix("#Public"), "id": f"{ACTOR}/{name}"}
    documents[f"{ACTOR}/{name}"] |= {"type": "OrderedCollection", "totalItems": 0, "orderedItems": []}
answers: dict[str, dict[str, Any]] = {}  # id → what was said
files: dict[str, activitypub.ServedFile] = {}
stored: dict[tuple[str, str], Known] = {}
turns: Counter[str] = Counter()
forms: dict[str, activitypub.SignatureForm] = {}  # host → the form that it took


async def fetch(ask: Fetch) -> Fetched | Failed:
    """A document: our own from here, others by a signed GET, since many servers answer no other."""
    if ask.url in answers:
        return Fetched(url=ask.url, status=200, content_type="application/activity+json", body=dump(answers[ask.url]))
    return await safe_fetch.fetch(ask, sign=lambda get: activitypub.sign(get, key=KEY, now=datetime.now(UTC)))


def find_message(ask: FindMessage) -> Known | None:
    """What is stored under an id."""
    return stored.get((ask.native_id, ask.recipient))


world = AsyncAnswers(fetch=fetch, find_agent=directory({ACTOR: NAME}), find_message=find_message)


def dump(document: dict[str, Any]) -> bytes:
    return json.dumps(document).encode()


def answer(message: NormalizedMessage) -> NormalizedResponse:
    """Where your agent begins."""
    print(f"{message.sender.address} to {message.recipient}:\n{plain_text(message)}")
    return NormalizedResponse.to(message, "Hello!")


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
    for message in got.messages:
        who = message.sender
        row = Known(
            id=message.id,
            thread_id=message.thread_id,
            sender=who.address,
            auth_method=who.auth_method,
            verified=who.verified,
        )
        for native_id in (got.native_id, *got.aliases):
            stored.setdefault((native_id, message.recipient), row)
        is_new = "redelivered" not in [note.code for note in got.diagnostics]
        turns[message.thread_id] += is_new
        if who.verified and is_new and turns[message.thread_id] <= TURNS:  # two agents could go on for ever
            tasks.add_task(respond, message)
    return Response(status_code=202)


async def respond(message: NormalizedMessage) -> None:
    """Answers, serves the answer, and delivers it: again and again, ever less often."""
    now, entropy = datetime.now(UTC), token_bytes(32)
    out = activitypub.reply(answer(message), to=message, base=HOST, key=KEY, now=now, entropy=entropy)
    answers.update(out.serve)
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
    """Posts one delivery, signed just now: in the form that its host takes, else in the other one too."""
    host = urlsplit(delivery.url).netloc
    form = forms.get(host, "cavage")
    for both_tried in (False, True):
        post = activitypub.sign(delivery, key=KEY, now=datetime.now(UTC), form=form)
        outcome = activitypub.judge_delivery((await safe_fetch.post(post)).status, both_tried=both_tried)
        if outcome == "done":
            forms[host] = form
        if outcome != "other-form":
            break
        form = "rfc9421" if form == "cavage" else "cavage"
    return outcome


@app.get("/.well-known/webfinger")
def webfinger(request: Request) -> Response:
    """Who is behind the address of the agent."""
    asked = HttpRequest.from_asgi(request.scope, b"", origin=HOST)
    found = discovery.webfinger_response(asked, agents=[activitypub.webfinger(NAME, url=ACTOR)])
    return Response(found.body, found.status, dict(found.headers))


@app.get("/files/{name}")
def file(name: str) -> Response:
    """A file of an answer."""
    found = files.get(f"{HOST}/files/{name}")
    return Response(status_code=404) if found is None else Response(found.data, headers=dict(found.headers))


@app.get("/{path:path}")
def document(path: str) -> Response:
    """The actor, its collections, and the answers that are for everybody; the others reached whom they are for."""
    url = f"{HOST}/{path}"
    found = documents.get(url)
    if found is None:
        found = answers.get(url, {})
        if PUBLIC not in [*found.get("to", ()), *found.get("cc", ())]:
            return Response(status_code=404)
    return Response(dump(found), headers={"content-type": "application/activity+json"})
