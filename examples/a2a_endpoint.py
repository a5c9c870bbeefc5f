"""An A2A endpoint as a plain ASGI application. Needs `pip install mentionable` and any ASGI server.

What is special: it is one file without a framework or a store. It is found by its agent card, and answers A2A 0.3 and
1.0, over JSON-RPC and over REST, whole or as a stream, as it was asked. The methods that do not send a message
(`GetTask` …) are refused: `mentionable-host` knows them.

Try it: `uvicorn a2a_endpoint:app`, and let a client of A2A find it at http://127.0.0.1:8000, or run `call_agent.py`.
Behind a proxy that speaks TLS, AGENT_URL is where it is seen from outside. AGENT_CALLERS says in JSON whose which token
is: `{"long-and-random": "@alice@a.example"}`. Other callers stay anonymous.
"""

import json
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime
from hashlib import sha256
from hmac import compare_digest
from secrets import token_bytes
from typing import Any

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
    a2a,
    adrive,
    discovery,
    plain_text,
    replace,
    split,
)

NAME, MOST = "@helper@agents.example", Limits().a2a_bytes
URL = os.environ.get("AGENT_URL", "http://127.0.0.1:8000")
CALLERS: dict[str, str] = json.loads(os.environ.get("AGENT_CALLERS", "{}"))
CARD = "/.well-known/agent-card.json"
# JSON-RPC comes to the URL itself; over REST the method stands behind it.
WAYS = ("/a2a", "/a2a/message:send", "/a2a/message:stream", "/a2a/v1/message:send", "/a2a/v1/message:stream")
SPOKEN = (("JSONRPC", "1.0"), ("HTTP+JSON", "1.0"), ("JSONRPC", "0.3"), ("HTTP+JSON", "0.3"))
ANYONE, NO_ANSWERS = a2a.Settings(), AsyncAnswers()
stored: dict[tuple[str, str], StoredMessage] = {}  # these two belong into a database
answered: dict[str, tuple[NormalizedMessage, NormalizedResponse, datetime, bytes]] = {}

Agent = Callable[[NormalizedMessage], Awaitable[NormalizedResponse]]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]
App = Callable[[dict[str, Any], Receive, Send], Awaitable[None]]


async def answer(message: NormalizedMessage) -> NormalizedResponse:
    """Where your agent begins."""
    return NormalizedResponse.to(message, f"You said: {plain_text(message)}")


def card(url: str, description: str) -> HttpResponse:
    """What clients learn of the agent before they call it."""
    ways = [discovery.A2AInterface(url=f"{url}/a2a", protocol_binding=how, protocol_version=one) for how, one in SPOKEN]
    described = discovery.A2ACard(
        name="Helper",
        description=description,
        version="1.0.0",
        interfaces=tuple(ways),
        capabilities=discovery.Capabilities(streaming=True),
        default_input_modes=("text/plain",),
        default_output_modes=("text/markdown",),
        skills=(discovery.A2ASkill(id="answer", name="Answer", description=description, tags=("text",)),),
    )
    return discovery.a2a_card_response(described, form="hybrid")


async def body_of(receive: Receive) -> bytes:
    """The body of a request; of one that is too large, just so much that it is refused."""
    body, more = bytearray(), True
    while more and len(body) <= MOST:
        event = await receive()
        body += event.get("body", b"")
        more = event.get("more_body", False)
    return bytes(body)


def caller_of(request: HttpRequest) -> a2a.Caller | None:
    """The caller whose token this is."""
    token = request.bearer_token or ""
    for known, name in CALLERS.items():
        if compare_digest(known.encode(), token.encode()):
            return a2a.Caller(subject=name)
    return None


def find_message(ask: FindMessage) -> StoredMessage | None:
    """What is stored under an id."""
    return stored.get((ask.native_id, ask.recipient))


async def answer_to(got: Received, agent: Agent) -> tuple[NormalizedResponse, datetime, bytes]:
    """The answer, and what its ids are made of: the first one again for who asks the same again, and never got it.

    A caller whom nobody knows may name the id of somebody else's message, so it is not given for other words.
    """
    message = got.message
    before = answered.get(message.id) if got.redelivered else None
    if before is None or before[0].parts != message.parts:
        before = message, await agent(message), datetime.now(UTC), token_bytes(32)
        for place, row in got.to_store.items():
            if row.replaces(stored.get(place)):
                stored[place] = row
        answered.setdefault(message.id, before)
    return before[1:]


async def respond(
    request: HttpRequest, agent: Agent, settings: a2a.Settings, answers: AsyncAnswers
) -> AsyncIterator[HttpResponse]:
    """The response; for who asked for a stream, piece by piece."""
    caller, now = caller_of(request), datetime.now(UTC)
    flow = a2a.receive(request, caller=caller, recipient=NAME, now=now, entropy=token_bytes(32), settings=settings)
    got = await adrive(flow, answers if answers.find_message else replace(answers, find_message=find_message))
    if isinstance(got, Rejected):
        yield a2a.error_response(got, request=request, settings=settings)
        return
    whole, now, entropy = await answer_to(
        got, agent
    )  # one that works in steps makes frames itself: docs/how-to/stream-answers.md
    pieces = split(whole, stream_id=got.message.id) if a2a.wants_stream(got.message) else [whole]
    for number, one in enumerate(pieces):
        own = sha256(entropy + number.to_bytes(4)).digest()
        out = a2a.reply(one, to=got.message, now=now, entropy=own)
        answer_id, thread = f"answer-to-{got.message.id}", got.message.thread_id
        stored[out.native_id, NAME] = StoredMessage(id=answer_id, thread_id=thread, sender=NAME, auth_method="own")
        yield out.response


async def just(response: HttpResponse) -> AsyncIterator[HttpResponse]:
    """A response that is whole."""
    yield response


async def write(pieces: AsyncIterator[HttpResponse], send: Send) -> None:
    """Sends a response, piece by piece."""
    has_begun = False
    async for piece in pieces:
        if not has_begun:
            headers = [(name.encode(), value.encode()) for name, value in piece.headers]
            await send({"type": "http.response.start", "status": piece.status, "headers": headers})
        has_begun = True
        await send({"type": "http.response.body", "body": piece.body, "more_body": True})
    await send({"type": "http.response.body", "body": b""})


def endpoint(
    agent: Agent,
    *,
    description: str = "Says what was said.",
    url: str = URL,
    settings: a2a.Settings = ANYONE,
    answers: AsyncAnswers = NO_ANSWERS,
) -> App:
    """The ASGI application of an agent; `settings` name the issuers of tokens, `answers` fetch their keys."""

    async def app(scope: dict[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        path, method = scope["path"], scope["method"]
        if path in WAYS and method == "POST":
            pieces = respond(HttpRequest.from_asgi(scope, await body_of(receive), origin=url), agent, settings, answers)
        elif path == CARD and method == "GET":
            pieces = just(card(url, description))
        elif path in WAYS or path == CARD:
            pieces = just(HttpResponse(status=405, headers={"allow": "GET" if path == CARD else "POST"}))
        else:
            pieces = just(HttpResponse(status=404))
        await write(pieces, send)

    return app


app = endpoint(answer)
