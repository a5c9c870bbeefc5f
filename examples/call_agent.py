"""A client that talks with an A2A agent: it reads the card, goes on with tasks, and asks again for what takes long.

Needs `pip install mentionable httpx`. Try it: `uvicorn a2a_tasks:app`, then `python call_agent.py`, or give the URL of
another agent, and AGENT_TOKEN. Where strangers choose the URL, check its address first, as safe_fetch.py does.
"""

import asyncio
import os
import sys
from datetime import UTC, datetime
from secrets import token_bytes, token_hex
from typing import Any

import httpx

import mentionable as m
from mentionable import Answered, NormalizedMessage, Rejected, TextPart, a2a, discovery

SECONDS, TRIES, PAUSE = 60, 30, 1.0  # without a byte; so often a task is asked for again, and so long between
MOST = m.Limits().a2a_bytes  # bytes of an answer
CONTEXT = a2a.CallContext(token=os.environ.get("AGENT_TOKEN"))
TURNS = ("I order bread", "Rye", "Friday", "Bake rolls", "I order rolls", "Monday", "I order", "Hm", "Today", "Bake")


class Conversation:
    """What you say to one agent."""

    def __init__(self, client: httpx.AsyncClient, card: discovery.A2ACard) -> None:
        """The conversation has no message yet."""
        local = [discovery.Endpoint(url=one.url, dialect=one.dialect) for one in card.interfaces if one.dialect]
        self._ways = card.endpoints or tuple(local)  # `endpoints` has what others may call: not this machine
        self._client, self._way, self._place = client, self._ways[0], dict[str, str]()

    async def say(self, text: str) -> Answered | Rejected:
        """What the agent answers at the end, in the first dialect that it knows."""
        question = message(text)
        answer = await self._ask(question)
        while isinstance(answer, Rejected):
            dialect = a2a.next_dialect(answer, dialect=self._way.dialect, endpoints=self._ways)
            if dialect is None:
                return answer
            self._way = next(way for way in self._ways if way.dialect == dialect)
            answer = await self._ask(question)
        task_id = answer.response.extra.get("a2a", {}).get("task_id")
        for _ in range(TRIES):  # it is still at work, or the stream broke off
            if answer.response.status != "partial" or task_id is None:
                break
            await asyncio.sleep(PAUSE)
            later = await self._read(a2a.call_operation(a2a.GetTask(task_id=task_id), **self._how()), question)
            answer = answer if isinstance(later, Rejected) else later
        self._place = {"context_id": self._place.get("context_id", ""), **answer.response.extra.get("a2a", {})}
        return answer

    async def _ask(self, question: NormalizedMessage) -> Answered | Rejected:
        """The answer to a question, or as much of it as came."""
        context_id, state = self._place.get("context_id") or None, self._place.get("state")
        task_id = self._place.get("task_id") if state == "input-required" else None  # else the next task begins
        request = a2a.call(question, stream=True, context_id=context_id, task_id=task_id, **self._how())
        return await self._read(request, question)

    def _how(self) -> dict[str, Any]:
        """What every request needs."""
        return {"url": self._way.url, "dialect": self._way.dialect, "entropy": token_bytes(32), "context": CONTEXT}

    async def _read(self, request: m.HttpRequest, question: NormalizedMessage) -> Answered | Rejected:
        """What a request brings: whole, or as a stream, which is printed as it arrives."""
        method, url, headers = request.method, request.url, dict(request.headers)
        stream = a2a.ResultStream(to=question, request=request)
        async with self._client.stream(method, url, headers=headers, content=request.body) as got:
            if not got.headers.get("content-type", "").startswith("text/event-stream"):
                body = bytearray()
                async for chunk in got.aiter_bytes():
                    body += chunk
                    if len(body) > MOST:  # `result` refuses it as too large
                        break
                whole = m.HttpResponse(status=got.status_code, headers=dict(got.headers), body=bytes(body))
                return a2a.result(whole, to=question, request=request)
            try:
                async for chunk in got.aiter_bytes():
                    for frame in stream.feed(chunk):
                        print("  …", *(part.content for part in frame.parts if isinstance(part, TextPart)))
                    if stream.is_complete:  # some agents keep the connection open
                        break
            except httpx.HTTPError as error:
                print(f"  … broke off: {type(error).__name__}")
        return stream.close()


def message(text: str) -> NormalizedMessage:
    """A question of yours."""
    facts: Any = {"thread_id": "talk", "recipient": "@peer@peer.example", "received_via": "connector", "raw": None}
    sender, able = m.Sender(address="@you@agents.example"), m.RecipientCapabilities(mention_relay=m.NoRelay())
    now, parts = m.format_time(datetime.now(UTC)), (TextPart(content=text),)
    return NormalizedMessage(
        id=token_hex(16), sender=sender, parts=parts, recipient_capabilities=able, received_at=now, **facts
    )


async def main(url: str) -> int:
    """Talks with the agent at `url`; 1 when it does not answer."""
    async with httpx.AsyncClient(trust_env=False, timeout=SECONDS) as client:
        fetched = await client.get(f"{url}/.well-known/agent-card.json")
        conversation = Conversation(client, discovery.read_a2a_card(fetched.content))
        for text in TURNS:
            answer = await conversation.say(text)
            if isinstance(answer, Rejected):
                print(f"{text}: {answer.code}", *answer.problems)
                return 1
            words = "".join(part.content for part in answer.response.parts if isinstance(part, TextPart))
            print(f"{text}: {words} [{answer.response.extra.get('a2a', {}).get('state')}]")
        return 0


if __name__ == "__main__":
    try:
        sys.exit(asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000")))
    except (httpx.HTTPError, m.WireError, LookupError) as error:  # no server there, no card, or no way that we speak
        sys.exit(f"{type(error).__name__}: {error}")
