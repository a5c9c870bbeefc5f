"""An A2A endpoint as a plain ASGI application. Needs `pip install mentionable` and any ASGI server.

It answers `SendMessage` of A2A 1.0 over JSON-RPC, at once and with a message. Everything else it refuses in words: the
library reads the other dialects too, but answering in them is not part of this version.

Try it: `uvicorn a2a_endpoint:app`, and let a client of A2A 1.0 send a message to `/a2a`.
"""

import json
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from secrets import token_bytes
from typing import Any
from uuid import uuid4

from mentionable import CODES, Answers, HttpRequest, Limits, NormalizedMessage, Rejected, a2a, drive, plain_text

MOST = Limits().a2a_bytes
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]


def answer(message: NormalizedMessage) -> str:
    """Where your agent begins."""
    return f"You said: {plain_text(message)}"


async def body_of(receive: Receive) -> bytes:
    """The body of a request; of one that is too large, just so much that it is refused."""
    body, more = bytearray(), True
    while more and len(body) <= MOST:
        event = await receive()
        body += event.get("body", b"")
        more = event.get("more_body", False)
    return bytes(body)


def id_of(body: bytes) -> str | int | None:
    """The id of a call, also of one that is refused; None where there is none to be read."""
    try:
        call = json.loads(body) if len(body) <= MOST else None
    except (ValueError, RecursionError):
        return None
    found = call.get("id") if isinstance(call, dict) else None
    return found if type(found) in (str, int) else None


def respond(unit: HttpRequest) -> dict[str, Any]:
    """The JSON-RPC response to a request."""
    flow = a2a.receive(unit, recipient="@helper@agents.example", now=datetime.now(UTC), entropy=token_bytes(32))
    got, call = drive(flow, Answers()), {"jsonrpc": "2.0", "id": id_of(unit.body)}
    if isinstance(got, Rejected):
        return {**call, "error": {"code": got.jsonrpc_code, "message": CODES[got.code].text}}
    method = got.message.raw["envelope"]["method"]
    if method != "SendMessage":
        number = -32600 if method is None else -32601
        return {**call, "error": {"code": number, "message": "Only SendMessage over JSON-RPC is answered here."}}
    reply = {"messageId": str(uuid4()), "role": "ROLE_AGENT", "parts": [{"text": answer(got.message)}]}
    return {**call, "result": {"message": reply}}


async def app(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """The ASGI application."""
    if scope["type"] != "http":
        return
    status, body = 200, b""
    if (scope["method"], scope["path"]) == ("POST", "/a2a"):
        unit = HttpRequest.from_asgi(scope, await body_of(receive), origin="https://agents.example")
        body = json.dumps(respond(unit)).encode()
    else:
        status = 405 if scope["path"] == "/a2a" else 404
    await send({"type": "http.response.start", "status": status, "headers": [(b"content-type", b"application/json")]})
    await send({"type": "http.response.body", "body": body})
