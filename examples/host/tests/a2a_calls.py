"""Calls of A2A in tests, as JSON."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from itertools import count
from typing import Any

import httpx
from starlette.types import Message

URL = "/a2a/helper"
OWN_ID = "0d6f7c1e-6a5b-4b1c-8f6e-2f6d1c0a9b11"
"""An id that nobody else has: so a message that comes again is the same."""
_NUMBERS = count(1)


def message(text: str, **more: Any) -> dict[str, Any]:
    """A message of A2A 1.0."""
    return {"messageId": f"m{next(_NUMBERS)}", "role": "ROLE_USER", "parts": [{"text": text}], **more}


def rpc(method: str, **params: Any) -> dict[str, Any]:
    """A call of JSON-RPC."""
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


@asynccontextmanager
async def client_of(host, token: str | None = None) -> AsyncIterator[httpx.AsyncClient]:
    """A client of a host that runs already."""
    headers = {"a2a-version": "1.0"} | ({"authorization": f"Bearer {token}"} if token else {})
    transport = httpx.ASGITransport(app=host.app())
    async with httpx.AsyncClient(transport=transport, base_url="https://agents.example", headers=headers) as client:
        yield client


def run(host, talk: Callable[[httpx.AsyncClient], Coroutine[Any, Any, Any]], token: str | None = None) -> Any:
    """Runs the host while somebody talks with it."""

    async def both() -> Any:
        async with host.running(), client_of(host, token) as client:
            return await talk(client)

    return asyncio.run(both())


async def call(client: httpx.AsyncClient, method: str, **params: Any) -> Any:
    """What a call brings: its result, or its error."""
    response = await client.post(URL, json=rpc(method, **params))
    is_stream = response.headers["content-type"].startswith("text/event-stream")
    got = events_in(response.text)[0] if is_stream else response.json()
    return got.get("result", got.get("error"))


def events_in(body: str) -> list[Any]:
    """The JSON of the events of a stream."""
    return [json.loads(line[6:]) for line in body.splitlines() if line.startswith("data: ")]


class OpenStream:
    """A response that is read while it is made, which `httpx.ASGITransport` does not do."""

    def __init__(
        self, app: Any, body: dict[str, Any], *, path: str = URL, headers: dict[str, str] | None = None
    ) -> None:
        self._queue: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._gone, content = asyncio.Event(), json.dumps(body).encode()
        pairs = {"host": "agents.example", "content-type": "application/json", "a2a-version": "1.0", **(headers or {})}
        raw = [(name.encode(), value.encode()) for name, value in pairs.items()]
        scope = {"type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST", "scheme": "https"}
        place = {"path": path, "raw_path": path.encode(), "query_string": b"", "headers": raw, "root_path": ""}
        place |= {"server": ("agents.example", 443), "client": ("127.0.0.1", 1)}
        sent = False

        async def receive() -> Message:
            nonlocal sent
            if not sent:
                sent = True
                return {"type": "http.request", "body": content, "more_body": False}
            await self._gone.wait()
            return {"type": "http.disconnect"}

        async def send(event: Message) -> None:
            if event["type"] == "http.response.body":
                await self._queue.put(event["body"] or None)

        self._task = asyncio.create_task(app({**scope, **place}, receive, send))

    async def event(self) -> Any:
        """The next event; None at the end."""
        while True:
            piece = await asyncio.wait_for(self._queue.get(), 5)
            if piece is None:
                return None
            found = events_in(piece.decode())
            if found:
                return found[0]

    async def leave(self) -> None:
        """Closes the connection."""
        self._gone.set()
        await asyncio.gather(self._task, return_exceptions=True)
