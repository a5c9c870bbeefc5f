"""An A2A endpoint as a plain ASGI application. Needs `pip install mentionable` and any ASGI server.

Try it: `uvicorn a2a_endpoint:app`, and let an A2A client send a message to it.
"""

import json
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from secrets import token_bytes
from typing import Any
from uuid import uuid4

from mentionable import Answers, HttpRequest, Limits, NormalizedMessage, Rejected, a2a, drive, plain_text

MOST = Limits().a2a_bytes
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]


def answer(message: NormalizedMessage) -> str:
    """Where your agent begins."""
    return f"You said: {plain_text(message)}"


async def body_of(receive: Receive) -> bytes:
    """The body of a request; of one that is too large, just so much that it is refused."""
    body, more = b"", True
    while more and len(body) <= MOST:
        event = await receive()
        body, more = body + event.get("body", b""), event.get("more_body", False)
    return body


def respond(unit: HttpRequest) -> dict[str, Any]:
    """The JSON-RPC response to a request."""
    flow = a2a.receive(unit, recipient="@helper@agents.example", now=datetime.now(UTC), entropy=token_bytes(32))
    got = drive(flow, Answers())
    if isinstance(got, Rejected):
        return {"jsonrpc": "2.0", "id": None, "error": {"code": got.jsonrpc_code, "message": got.code}}
    reply = {"messageId": str(uuid4()), "role": "ROLE_AGENT", "parts": [{"text": answer(got.message)}]}
    return {"jsonrpc": "2.0", "id": got.message.raw["envelope"]["id"], "result": {"message": reply}}


async def app(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """The ASGI application."""
    if scope["type"] == "http":
        unit = HttpRequest.from_asgi(scope, await body_of(receive), origin="https://agents.example")
        body = json.dumps(respond(unit)).encode()
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"application/json")]})
        await send({"type": "http.response.body", "body": body})
