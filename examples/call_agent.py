"""A client that talks with an A2A agent: it reads the card, goes on with tasks, and asks again for what takes long.

What is special: it is the other side, a client, and its program stores nothing.

Needs `pip install mentionable httpx`. Try it: `uvicorn a2a_endpoint:app`, then `python call_agent.py`, or give the
URL of another agent, and AGENT_TOKEN. Where strangers choose the URL, check its address first, as safe_fetch.py does.

The card and the answers are a stranger's: no more of them is read than the library takes, what they name is asked for
only where it may be, and what they say is printed without the characters that a terminal obeys.
"""

import asyncio
import os
import re
import sys
from datetime import UTC, datetime
from secrets import token_bytes, token_hex
from typing import Any

import httpx

import mentionable as m
from mentionable import Answered, NormalizedMessage, Rejected, TextPart, a2a, discovery

SECONDS, TRIES, PAUSE = 60, 30, 1.0  # without a byte; so often a task is asked for again, and so long between
LIMITS = m.Limits()
LOCAL = re.compile(r"https?://(?:localhost|127\.0\.0\.1|\[::1\])(?::[0-9]{1,5})?(?:/[\w/.-]*)?", re.ASCII).fullmatch
# No server there, no card, no way that we speak, or an id that cannot be asked for:
FAULTS = (httpx.HTTPError, httpx.InvalidURL, m.WireError, m.UsageError, LookupError)
PLAIN = {"accept-encoding": "identity"}  # bytes that are not packed cannot swell
CONTEXT = a2a.CallContext(token=os.environ.get("AGENT_TOKEN"))
TURNS = ("I order bread", "Rye", "Friday", "Bake rolls", "I order rolls", "Monday", "I order", "Hm", "Today", "Bake")


class Conversation:
    """What you say to one agent."""

    def __init__(self, client: httpx.AsyncClient, ways: tuple[discovery.Endpoint, ...]) -> None:
        """The conversation has no message yet."""
        self._client, self._ways, self._way, self._place = client, ways, ways[0], dict[str, str]()

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
        method, url, headers = request.method, request.url, {**dict(request.headers), **PLAIN}
        stream = a2a.ResultStream(to=question, request=request)
        async with self._client.stream(method, url, headers=headers, content=request.body) as got:
            if not got.headers.get("content-type", "").startswith("text/event-stream"):
                body = await body_of(got, LIMITS.a2a_bytes)
                whole = m.HttpResponse(status=got.status_code, headers=dict(got.headers), body=body)
                return a2a.result(whole, to=question, request=request)
            try:
                async for chunk in got.aiter_raw():
                    for frame in stream.feed(chunk):
                        print("  …", *(printable(part.content) for part in frame.parts if isinstance(part, TextPart)))
                    if stream.is_complete:  # some agents keep the connection open
                        break
            except httpx.HTTPError as error:
                print(f"  … broke off: {type(error).__name__}")
        return stream.close()


async def body_of(got: httpx.Response, most: int) -> bytes:
    """The body of an answer; of one that is too large, just so much that it is refused."""
    body = bytearray()
    async for chunk in got.aiter_raw():
        body += chunk
        if len(body) > most:
            break
    return bytes(body)


async def card_at(client: httpx.AsyncClient, url: str) -> discovery.A2ACard:
    """The card of the agent at `url`."""
    async with client.stream("GET", f"{url}/.well-known/agent-card.json", headers=PLAIN) as got:
        return discovery.read_a2a_card(await body_of(got, LIMITS.fetched_bytes))


def ways_of(card: discovery.A2ACard, url: str) -> tuple[discovery.Endpoint, ...]:
    """How to call the agent with this card at `url`: what anybody may call, else what is where the card is."""
    near = [one for one in card.interfaces if f"{one.url}/".startswith(f"{url}/") or (LOCAL(url) and LOCAL(one.url))]
    local = tuple(discovery.Endpoint(url=one.url, dialect=one.dialect) for one in near if one.dialect)
    ways = card.endpoints or local  # `endpoints` has nothing of a network of your own
    if not ways:
        raise LookupError("the card names no URL that may be called in a version that this program speaks")
    return ways


def printable(text: str) -> str:
    """Another agent's text, without what a terminal obeys; no line of it begins like one of this program."""
    lines = ("".join(char if char.isprintable() else ascii(char)[1:-1] for char in line) for line in text.split("\n"))
    return "\n    ".join(lines)


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
        conversation = Conversation(client, ways_of(await card_at(client, url), url))
        for text in TURNS:
            answer = await conversation.say(text)
            if isinstance(answer, Rejected):
                print(f"{text}: {answer.code}", *(printable(str(problem)) for problem in answer.problems))
                return 1
            words = "".join(part.content for part in answer.response.parts if isinstance(part, TextPart))
            print(f"{text}: {printable(words)} [{answer.response.extra.get('a2a', {}).get('state')}]")
        return 0


def run(url: str) -> int | str:
    """What the program ends with: 0, or 1, or in a line why it cannot talk with the agent."""
    try:
        return asyncio.run(main(url))
    except FAULTS as error:
        return f"{type(error).__name__}: {printable(' '.join(str(error).split()))}"


if __name__ == "__main__":
    sys.exit(run(sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000"))
