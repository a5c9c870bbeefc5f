"""Asks agents on loopback with the client of the A2A SDK: a JSON object a line comes in, a JSON object a line goes out.

The agent is found by its card. Each call gives what the client has of it, in the order in which it came.
"""

from __future__ import annotations

import asyncio
import json
import sys
import traceback
from contextlib import asynccontextmanager
from typing import Any

import httpx
from a2a.client import ClientConfig, ClientFactory
from a2a.types import GetTaskRequest, SendMessageRequest
from google.protobuf.json_format import MessageToDict, ParseDict


@asynccontextmanager
async def client_of(url: str, *, token: str | None, binding: str = "JSONRPC", stream: bool = False) -> Any:
    """A client of the agent at `url`."""
    headers = {} if token is None else {"authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(headers=headers, trust_env=False, timeout=20) as connection:
        config = ClientConfig(httpx_client=connection, streaming=stream, supported_protocol_bindings=[binding])
        yield await ClientFactory(config).create_from_url(url)


async def ask(url, message, token=None, binding="JSONRPC", stream=False):
    """What is answered to a message; an error as `{"error": [class, message]}`."""
    said: list[Any] = []
    async with client_of(url, token=token, binding=binding, stream=stream) as client:
        try:
            request = ParseDict({"message": message}, SendMessageRequest())
            async for event in client.send_message(request):
                said.append(MessageToDict(event))
        except Exception as error:
            said.append({"error": [type(error).__name__, str(error)]})
    return said


async def task(url, id, token=None):
    """A task that the agent keeps, or the error."""
    async with client_of(url, token=token) as client:
        try:
            return MessageToDict(await client.get_task(GetTaskRequest(id=id)))
        except Exception as error:
            return {"error": [type(error).__name__, str(error)]}


DOES = {"ask": ask, "task": task}


def main() -> None:
    for line in sys.stdin:
        given = json.loads(line)
        try:
            answer = {"answer": asyncio.run(DOES[given.pop("op")](**given))}
        except Exception:
            answer = {"failed": traceback.format_exc()}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
