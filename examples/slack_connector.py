"""A Slack app that brings people to an agent elsewhere, in FastAPI: verified events in, answers out.

What is special: the agent is elsewhere, and trusts this connector. `mentionable-host` has both in one.

Needs `pip install mentionable fastapi httpx uvicorn`, safe_fetch.py, outbox.py and slack_files.py in the same folder,
four secrets in the environment (SLACK_SIGNING_SECRET, SLACK_BOT_TOKEN, AGENT_TOKEN, FILES_SECRET), and a key:
`openssl genpkey -algorithm ed25519 -out connector.pem`. Try it:
`CONNECTOR_STORE=connector.sqlite uvicorn slack_connector:app --timeout-graceful-shutdown 1`, behind a proxy that speaks
TLS for slack.agents.example, and let Slack send its events to `/slack/events`.

What is not answered when it ends is asked after the next start. What stands in dictionaries belongs into a database.
"""

import asyncio
import json
import os
from datetime import UTC, datetime
from hashlib import sha256
from hmac import compare_digest
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import safe_fetch
import slack_files
from fastapi import FastAPI, Request, Response
from outbox import Outbox

from mentionable import (
    AgentChain,
    AsyncAnswers,
    Failed,
    HttpRequest,
    HttpResponse,
    NormalizedMessage,
    NormalizedResponse,
    Rejected,
    SigningKey,
    StoredMessage,
    UnanswerableError,
    Used,
    UseOnce,
    a2a,
    adrive,
    decode_trusted,
    directory,
    discovery,
    dumps,
    encode,
)
from mentionable.connectors import ApiRequest, Claimed, ReceivedEvent, slack

HOST, ISSUER, AGENT = "https://slack.agents.example", "slack.agents.example", "@helper@agents.example"
API, EVENTS, SECONDS = "https://slack.com/api", "events of Slack", 60
CHAIN = AgentChain(hop=1, max_hops=3, is_final=False)  # the agent that is asked here may ask two more
KEY = SigningKey.from_pem(Path("connector.pem").read_bytes(), key_id="2026-11")
SETTINGS = slack.Settings(
    signing_secret=os.environ["SLACK_SIGNING_SECRET"].encode(), issuer=ISSUER, files=slack_files.KEY
)
CARD = discovery.ConnectorCard(
    issuer=ISSUER,
    keys=(discovery.ConnectorKey.of(KEY),),  # of a key that is changed the old one too, for six minutes after its end
    name="Slack at agents.example",
    methods=(slack.METHOD,),
    subject_prefixes=("slack:",),
)
BOT = {"authorization": f"Bearer {os.environ['SLACK_BOT_TOKEN']}"}

stored: dict[tuple[str, str], StoredMessage] = {}
used: dict[str, str] = {}


async def api(method: str, *, content_type: str, body: bytes) -> Any:
    """What Slack answers to a call of its API; `Failed` when it does not."""
    headers = {**BOT, "content-type": content_type}
    response = await safe_fetch.post(HttpRequest(method="POST", url=f"{API}/{method}", headers=headers, body=body))
    return json.loads(response.body) if response.status == 200 else Failed(f"{method}: status {response.status}")


async def call_api(ask: slack.CallApi) -> Any:
    """What the library wants to know of Slack."""
    form = "application/x-www-form-urlencoded"
    return await api(ask.method, content_type=form, body=urlencode(ask.params).encode())


def use_once(ask: UseOnce) -> Used:
    """What was under the key before. Of several workers all must ask the same store."""
    if ask.key not in used:
        used[ask.key] = ask.binding
        return "first"
    return "same" if used[ask.key] == ask.binding else "other"


lookups = AsyncAnswers(
    fetch=safe_fetch.fetch,
    find_agent=directory({"slack:T123/UBOT": AGENT}),
    find_message=lambda ask: stored.get((ask.native_id, ask.recipient)),
    use_once=use_once,
    call_api=call_api,
    debit=slack_files.debit,
)


async def send(place: str, body: bytes) -> bool:
    """Does what is due: completes an event, asks the agent, or posts the next call of its answer; False: once more."""
    if place == EVENTS:
        return await take_in(decode_trusted(Claimed, body))
    if place == AGENT:
        await converse(decode_trusted(NormalizedMessage, body))
        return True
    due = json.loads(body)
    posted = await post(reply_of(due).request(len(due["answers"]), due["answers"]))
    if isinstance(posted, Failed):
        return False
    post_later({**due, "answers": [*due["answers"], posted]})
    return True


async def take_in(claimed: Claimed) -> bool:
    """Looks up what the message of an event needs, and stores the question; False: that cannot be known just now."""
    now, entropy = datetime.now(UTC), sha256(str(claimed.key).encode()).digest()  # once more, it has the same id
    flow = slack.complete(claimed, now=now, entropy=entropy, agent_chain=CHAIN, settings=SETTINGS)
    got = await adrive(flow, lookups)
    if isinstance(got, Rejected):
        return not got.temporary
    for place, row in got.to_store.items():
        if row.replaces(stored.get(place)):
            stored[place] = row
    if isinstance(got, ReceivedEvent):  # an edit, a deletion, a reaction: this agent does not need to know
        return True
    if got.native_id not in outbox.answers:
        outbox.put(got.native_id, "", [(AGENT, dumps(got.message))])
    return True


def reply_of(due: dict[str, Any]) -> slack.Outgoing:
    """The calls of an answer, the same each time."""
    message = decode_trusted(NormalizedMessage, json.dumps(due["message"]).encode())
    response = decode_trusted(NormalizedResponse, json.dumps(due["response"]).encode())
    return slack.reply(response, to=message, settings=SETTINGS)


async def post(call: ApiRequest) -> Any:
    """What Slack answers to a call; `Failed` when it does not. The bytes of a file go to a URL of their own."""
    if call.files and call.url is not None:
        sent = await safe_fetch.post(HttpRequest(method="POST", url=call.url, body=call.files[0].data))
        return None if sent.status == 200 else Failed(f"{call.method}: status {sent.status}")
    body = json.dumps(call.params).encode()
    return await api(call.method, content_type="application/json; charset=utf-8", body=body)


def post_later(due: dict[str, Any]) -> None:
    """Stores what is still to be posted of an answer. One call goes after the other, and none that was taken again."""
    number = len(due["answers"])
    place = f"{due['message']['id']}/{number}"
    if number < len(reply_of(due).calls) and place not in outbox.answers:
        outbox.put(place, "", [(API, json.dumps(due).encode())])


async def converse(message: NormalizedMessage) -> None:
    """Asks the agent, and stores what it answers, to be posted where the question was asked."""
    response = await ask_agent(message)
    if isinstance(response, Rejected):
        response = NormalizedResponse.failed(message, "The agent cannot be reached just now.", code=response.code)
    due = {"message": encode(message), "response": encode(response), "answers": []}
    try:
        post_later(due)
    except UnanswerableError:  # a program asked, and what the agent demands is for a person alone
        refusal = NormalizedResponse.failed(message, "This needs a person to ask for it.", code="no-private-way")
        post_later({**due, "response": encode(refusal)})


async def ask_agent(message: NormalizedMessage) -> NormalizedResponse | Rejected:
    """What the agent answers, wherever its address leads."""
    agent = await adrive(discovery.resolve_agent(AGENT), lookups, gather=asyncio.gather)
    if isinstance(agent, Rejected):
        return agent
    way = agent.endpoint()
    if way is None:
        return Rejected(code="agent-unknown")
    call = a2a.call(
        message,
        url=way.url,
        dialect=way.dialect,
        context=a2a.CallContext(
            evidence=slack.attest(message, audience=AGENT, key=KEY, settings=SETTINGS, now=datetime.now(UTC)),
            token=os.environ["AGENT_TOKEN"],
            history=message.history or (),  # the earlier messages of the thread
        ),
        entropy=sha256(message.id.encode()).digest(),  # the same question is asked under the same id
    )
    answer = a2a.result(await safe_fetch.post(call, seconds=SECONDS), to=message)
    return answer if isinstance(answer, Rejected) else answer.response


outbox = Outbox(os.environ.get("CONNECTOR_STORE", "connector.sqlite"), send)
app = FastAPI(lifespan=outbox.working)


async def body_of(request: Request) -> bytes:
    """The body of a request; of one that is too large, just so much that it is refused."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > SETTINGS.body_bytes:
            break
    return bytes(body)


@app.post("/slack/events")
async def events(request: Request) -> Response:
    """Takes an event. Slack wants an answer within three seconds, so nothing is looked up before it has one."""
    unit, now = HttpRequest.from_asgi(request.scope, await body_of(request), origin=HOST), datetime.now(UTC)
    got = await adrive(slack.claim(unit, now=now, settings=SETTINGS), lookups)
    if isinstance(got, Rejected):
        return Response(got.code, got.http_status)
    if isinstance(got, Claimed) and got.key not in outbox.answers:  # new or not: what was not queued is queued now
        outbox.put(got.key, "", [(EVENTS, dumps(got))])
    return sent(got.response)


def sent(response: HttpResponse) -> Response:
    """A response of the library as one of FastAPI."""
    return Response(response.body, response.status, dict(response.headers))


@app.get("/api/slack/files/{token}")
async def file(token: str, request: Request) -> Response:
    """A file that the agent fetches; it shows who it is by the token that it knows us by."""
    bearer = HttpRequest.from_asgi(request.scope, b"").bearer_token or ""
    presenter = AGENT if compare_digest(bearer.encode(), os.environ["AGENT_TOKEN"].encode()) else None
    return sent(await slack_files.serve(token, presenter, issuer=ISSUER, bot=BOT, lookups=lookups, call_api=call_api))


@app.get("/.well-known/adapter-card")
def card() -> Response:
    """Which keys sign for this connector."""
    return sent(discovery.connector_card_response(CARD))
