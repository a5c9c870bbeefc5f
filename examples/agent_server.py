"""An agent that a connector may bring people to, in FastAPI: it is found, called over A2A, and decides who may ask.

What is special: it trusts connectors that others run, by a file of rules, and answers whom they vouch for.

Needs `pip install mentionable fastapi httpx uvicorn`, with safe_fetch.py and agent_trust.toml in its folder. Try it:
`uvicorn agent_server:app`, behind a proxy that speaks TLS for agents.example. What stands in dictionaries here belongs
into a database.
"""

import asyncio
import os
import tomllib
from datetime import UTC, datetime
from hmac import compare_digest
from pathlib import Path
from secrets import token_bytes

import safe_fetch
from fastapi import FastAPI, Request, Response

from mentionable import (
    AsyncAnswers,
    FindMessage,
    HttpRequest,
    HttpResponse,
    Limits,
    NormalizedMessage,
    NormalizedResponse,
    Received,
    Rejected,
    StoredMessage,
    Used,
    UseOnce,
    a2a,
    adrive,
    discovery,
    identity,
    plain_text,
    policy,
)

HOST, NAME = "https://agents.example", "@helper@agents.example"
# Who calls with which token: your list, or an issuer of tokens in `a2a.Settings(token_issuers=...)`.
CALLERS = {os.environ["CONNECTOR_TOKEN"]: "connector@slack.agents.example"}
# Which connectors count, and who may do what: `mentionable trust lint agent_trust.toml` finds mistakes in it.
TRUST = identity.read_trust(tomllib.loads(Path(__file__).with_name("agent_trust.toml").read_text()))
ACL = TRUST.acl(NAME)
SETTINGS = a2a.Settings(trust=TRUST.trust)
CARD = discovery.AgentCard(
    address=NAME,
    name="Helper",
    version="1.0.0",
    a2a=discovery.A2ASection(
        endpoint=f"{HOST}/a2a",
        transport="https+jsonrpc",
        protocol_version="1.0",
        auth=discovery.A2AAuth(scheme="bearer"),  # a token that a caller has from you; `bearer-jwt` names who issues it
    ),
    mentionable=discovery.MentionableSection(supported_inbound=("a2a",)),
)
JRD = discovery.write_jrd(NAME, agent_card=discovery.agent_card_url(NAME))

app = FastAPI()
stored: dict[tuple[str, str], StoredMessage] = {}
# message.id → what was asked, the answer, and what made its ids
answered: dict[str, tuple[NormalizedMessage, NormalizedResponse, datetime, bytes]] = {}
used: dict[str, str] = {}


def use_once(ask: UseOnce) -> Used:
    """What was under the key before. Of several workers all must ask the same store."""
    if ask.key not in used:
        used[ask.key] = ask.binding
        return "first"
    return "same" if used[ask.key] == ask.binding else "other"


def find_message(ask: FindMessage) -> StoredMessage | None:
    """What is stored under an id."""
    return stored.get((ask.native_id, ask.recipient))


lookups = AsyncAnswers(fetch=safe_fetch.fetch, find_message=find_message, use_once=use_once)


def answer(got: Received) -> NormalizedResponse:
    """Where your agent begins: who asks is known by now, and may read, or deploy, or neither."""
    message, roles = got.message, ACL.roles(got.identities)
    if "reader" not in roles:
        return NormalizedResponse.to(message, policy.Forbidden(message="I only talk to people I know."))
    if "deploy" in plain_text(message) and "deployer" not in roles:
        return NormalizedResponse.to(message, "Only those who deploy may ask for that.")
    return NormalizedResponse.to(message, f"**{name_of(message)}**, you may: {', '.join(sorted(roles))}.")


def name_of(message: NormalizedMessage) -> str:
    """What to call who asks. A name shows nobody; it is for people."""
    return message.sender.display_name or "Somebody"


async def unit_of(request: Request) -> HttpRequest:
    """The request, its body no larger than is read of it."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > Limits().a2a_bytes:
            break
    return HttpRequest.from_asgi(request.scope, bytes(body), origin=HOST)


def caller_of(unit: HttpRequest) -> a2a.Caller | None:
    """The caller whose token this is."""
    token = unit.bearer_token or ""
    for known, subject in CALLERS.items():
        if compare_digest(known.encode(), token.encode()):
            return a2a.Caller(subject=subject)
    return None


def sent(response: HttpResponse) -> Response:
    """A response of the library as one of FastAPI."""
    return Response(response.body, response.status, dict(response.headers))


@app.post("/a2a")
async def called(request: Request) -> Response:
    """Takes one call, and answers it."""
    unit, now = await unit_of(request), datetime.now(UTC)
    flow = a2a.receive(
        unit, caller=caller_of(unit), recipient=NAME, now=now, entropy=token_bytes(32), settings=SETTINGS
    )
    got = await adrive(flow, lookups, gather=asyncio.gather)
    if isinstance(got, Rejected):
        return sent(a2a.error_response(got, request=unit, settings=SETTINGS))
    message = got.message
    for note in got.diagnostics:
        if note.code == "evidence-refused":
            print(note.detail)
    for place, row in got.to_store.items():
        if row.replaces(stored.get(place)):
            stored[place] = row
    before = answered.get(message.id) if got.redelivered else None
    if before is None or before[0].parts != message.parts:  # else: who asks again never got the answer
        before = message, answer(got), now, token_bytes(32)
        answered.setdefault(message.id, before)
    _, response, then, entropy = before
    out = a2a.reply(response, to=message, now=then, entropy=entropy)
    stored[out.native_id, NAME] = StoredMessage(
        id=f"answer-to-{message.id}", thread_id=message.thread_id, sender=NAME, auth_method="own"
    )
    return sent(out.response)


@app.get("/.well-known/webfinger")
async def webfinger(request: Request) -> Response:
    """Who is behind the address of the agent."""
    return sent(discovery.webfinger_response(await unit_of(request), agents=[JRD]))


@app.get("/.well-known/agent-card/helper")
def card() -> Response:
    """What the agent says about itself."""
    return sent(discovery.agent_card_response(CARD))
