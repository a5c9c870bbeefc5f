"""An A2A endpoint as a plain ASGI application. Needs `pip install mentionable` and any ASGI server.

It answers A2A 0.3 and 1.0, over JSON-RPC and over REST, whole or as a stream, as it was asked. The agent card and the
methods that do not send a message (`GetTask` …) are the host's job, and not here: they are refused.

Try it: `uvicorn a2a_endpoint:app`, and let a client of A2A send a message to `/a2a`.
"""

from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC, datetime
from secrets import token_bytes
from typing import Any

from mentionable import (
    Answers,
    HttpRequest,
    HttpResponse,
    Limits,
    NormalizedMessage,
    NormalizedResponse,
    Rejected,
    a2a,
    directory,
    drive,
    plain_text,
    split,
)

MOST = Limits().a2a_bytes
URL = "https://agents.example/a2a"
# JSON-RPC comes to the URL itself; over REST the method stands behind it.
WAYS = ("", "/message:send", "/message:stream", "/v1/message:send", "/v1/message:stream")
world = Answers(find_agent=directory({f"{URL}{way}": "@helper@agents.example" for way in WAYS}))
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]


def answer(message: NormalizedMessage) -> NormalizedResponse:
    """Where your agent begins."""
    return NormalizedResponse.to(message, f"You said: {plain_text(message)}")


async def body_of(receive: Receive) -> bytes:
    """The body of a request; of one that is too large, just so much that it is refused."""
    body, more = bytearray(), True
    while more and len(body) <= MOST:
        event = await receive()
        body += event.get("body", b"")
        more = event.get("more_body", False)
    return bytes(body)


def respond(request: HttpRequest) -> Iterator[HttpResponse]:
    """The response; for who asked for a stream, piece by piece."""
    now = datetime.now(UTC)
    got = drive(a2a.receive(request, now=now, entropy=token_bytes(32)), world)
    if isinstance(got, Rejected):
        yield a2a.refuse(got, request=request)
        return
    whole = answer(got.message)  # an agent that works in steps makes frames itself: docs/how-to/stream-answers.md
    for one in split(whole, stream_id=got.message.id) if a2a.wants_stream(got.message) else [whole]:
        yield a2a.reply(one, to=got.message, now=now, entropy=token_bytes(32)).response


async def app(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """The ASGI application."""
    if scope["type"] != "http":
        return
    if scope["path"] not in [f"/a2a{way}" for way in WAYS]:
        pieces = iter([HttpResponse(status=404)])
    elif scope["method"] != "POST":
        pieces = iter([HttpResponse(status=405, headers={"allow": "POST"})])
    else:
        pieces = respond(HttpRequest.from_asgi(scope, await body_of(receive), origin="https://agents.example"))
    for number, piece in enumerate(pieces):
        if number == 0:
            headers = [(name.encode(), value.encode()) for name, value in piece.headers]
            await send({"type": "http.response.start", "status": piece.status, "headers": headers})
        await send({"type": "http.response.body", "body": piece.body, "more_body": True})
    await send({"type": "http.response.body", "body": b""})
