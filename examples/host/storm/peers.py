"""Peers of three transports. They send everything until it is taken, and then again; their servers are unreliable."""

from __future__ import annotations

import asyncio
import email
import json
import random
import re
from collections import defaultdict
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import aiosmtplib
import httpx
from aiosmtpd.smtp import SMTP, Envelope, Session
from mentionable.testing import Peer
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

HOST, MAIL_HOST, AGENT = "social.example", "mail.example", "@helper@agents.example"
AGAIN, MISHAPS = 0.3, 0.1
"""How often something that was taken is sent again; how often a peer fails to take an answer."""
SECONDS = 60


class Heard:
    """What came: question → ids of answers → their texts."""

    def __init__(self) -> None:
        self.answers: dict[str, dict[str, str]] = defaultdict(dict)
        self._waiting: dict[str, asyncio.Event] = defaultdict(asyncio.Event)
        self.deliveries = 0

    def put(self, question: str, answer_id: str, text: str) -> None:
        """Notes an answer."""
        self.deliveries += 1
        self.answers[question][answer_id] = text
        self._waiting[question].set()

    async def of(self, question: str) -> tuple[str, str]:
        """The id and the text of the first answer to a question."""
        await self._waiting[question].wait()
        return next(iter(self.answers[question].items()))


class Fediverse:
    """People on another server of the Fediverse."""

    name = "fediverse"

    def __init__(self, people: int, *, port: Callable[[], int], chance: random.Random, heard: Heard) -> None:
        self.people = [Peer.activitypub(f"@p{number}@{HOST}") for number in range(people)]
        self._port, self._chance, self._heard = port, chance, heard
        self._documents = {ask: found for one in self.people for ask, found in one.lookups.items()}
        self._client = httpx.AsyncClient(trust_env=False, timeout=SECONDS)
        self.app = Starlette(
            routes=[Route("/users/{name}/inbox", self._inbox, methods=["POST"]), Route("/{path:path}", self._document)]
        )

    async def ask(self, person: int, text: str, *, place: str | None) -> tuple[str, str, str]:
        """Mentions the agent; the id of the question, and the id and text of the answer."""
        note = self.people[person].write(
            text,
            to="https://agents.example/actors/helper",
            inbox="https://agents.example/inbox",
            mention=AGENT,
            in_reply_to=place,
            now=datetime.now(UTC),
        )
        question = json.loads(note.body)["object"]["id"]
        headers = {**dict(note.headers), "host": "agents.example"}

        async def send() -> bool:
            url = f"http://127.0.0.1:{self._port()}/inbox"
            got = await self._client.post(url, headers=headers, content=note.body)
            return 200 <= got.status_code < 300

        await until_taken(send, self._chance)
        answer, said = await self._heard.of(question)
        return question, answer, said

    async def _document(self, request: Request) -> Response:
        path = request.url.path + (f"?{request.url.query}" if request.url.query else "")
        found = self._documents.get(f"GET https://{HOST}{path}")
        if found is None:
            return Response(status_code=404)
        return JSONResponse(found["json"], media_type=found["content_type"])

    async def _inbox(self, request: Request) -> Response:
        document = json.loads(await request.body())
        if self._chance.random() < MISHAPS:
            return Response(status_code=self._chance.choice([500, 503, 429]))
        note = document["object"]
        text = re.sub(r"<[^>]+>", "", note["content"])
        self._heard.put(note["inReplyTo"], note["id"], text)
        if self._chance.random() < MISHAPS:
            return Response(status_code=502)  # it was taken, but the sender does not learn it
        return Response(status_code=202)


class Mail:
    """People with mailboxes."""

    name = "mail"

    def __init__(self, people: int, *, port: Callable[[], int], chance: random.Random, heard: Heard) -> None:
        self.people = [Peer.mail(f"@alice@m{number}.{MAIL_HOST}") for number in range(people)]
        self._port, self._chance, self._heard = port, chance, heard

    @property
    def txt(self) -> dict[str, str]:
        """The DNS records of their domain."""
        return {ask.removeprefix("TXT "): found[0] for one in self.people for ask, found in one.lookups.items()}

    async def ask(self, person: int, text: str, *, place: str | None) -> tuple[str, str, str]:
        """Mails the agent; the id of the question, and the id and text of the answer."""
        raw = self.people[person].write(text, to=AGENT, subject="Storm", in_reply_to=place, now=datetime.now(UTC))
        question = email.message_from_bytes(raw)["Message-ID"]

        async def send() -> bool:
            await aiosmtplib.send(
                raw,
                hostname="127.0.0.1",
                port=self._port(),
                sender=f"alice@m{person}.{MAIL_HOST}",
                recipients=["helper@agents.example"],
                local_hostname=MAIL_HOST,
                start_tls=False,
                timeout=SECONDS,
            )
            return True

        await until_taken(send, self._chance)
        answer, said = await self._heard.of(question)
        return question, answer, said

    def server(self) -> SMTP:
        """A session of their mail server."""
        return SMTP(self, hostname=MAIL_HOST)

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        """Takes a mail; aiosmtpd calls this."""
        if self._chance.random() < MISHAPS:
            return "451 4.3.0 Not now"
        got = email.message_from_bytes(envelope.original_content or b"")
        part = next(one for one in got.walk() if one.get_content_type() == "text/plain")
        text = part.get_payload(decode=True).decode()
        self._heard.put(got["In-Reply-To"], got["Message-ID"], text)
        if self._chance.random() < MISHAPS:
            return "421 4.3.2 Going down"  # it was taken, but the sender does not learn it
        return "250 2.0.0 OK"


class Callers:
    """Agents that call over A2A, each with a token."""

    name = "a2a"

    def __init__(self, people: int, *, port: Callable[[], int], chance: random.Random, heard: Heard) -> None:
        self.tokens = {f"token-of-{number}-{'x' * 20}": f"@c{number}@agents.example" for number in range(people)}
        self._port, self._chance, self._heard = port, chance, heard
        self._client = httpx.AsyncClient(trust_env=False, timeout=SECONDS)

    async def ask(self, person: int, text: str, *, place: str | None) -> tuple[str, str, str]:
        """Calls the agent; the id of the question, the context of the answer, and its text."""
        question = f"q-{self._chance.getrandbits(64):x}"
        message: dict[str, Any] = {"messageId": question, "role": "ROLE_USER", "parts": [{"text": text}]}
        if place is not None:
            message["contextId"] = place
        body = {"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": {"message": message}}
        headers = {"authorization": f"Bearer {[*self.tokens][person]}", "a2a-version": "1.0", "host": "agents.example"}
        contexts = set[str]()

        async def send() -> bool:
            got = await self._client.post(f"http://127.0.0.1:{self._port()}/a2a/helper", headers=headers, json=body)
            if got.status_code != 200 or "result" not in got.json():
                return False
            task = got.json()["result"]["task"]
            if task["status"]["state"] != "TASK_STATE_COMPLETED":
                return False  # it is still worked on: asking again under the same id gives the same task
            parts = [
                *task["status"].get("message", {}).get("parts", ()),
                *(p for a in task.get("artifacts", ()) for p in a["parts"]),
            ]
            said = "".join(part["text"] for part in parts if "text" in part)
            self._heard.put(question, task["id"], said)
            contexts.add(task["contextId"])
            return True

        await until_taken(send, self._chance)
        _, said = await self._heard.of(question)
        return question, contexts.pop(), said


async def until_taken(send: Callable[[], Any], chance: random.Random) -> None:
    """Sends until it is taken; and sometimes once more at the same time, or later."""
    copies = [_send(send, chance)]
    if chance.random() < AGAIN:
        copies.append(_later(send, chance))
    await asyncio.gather(*copies)


async def _later(send: Callable[[], Any], chance: random.Random) -> None:
    await asyncio.sleep(chance.random())
    await _send(send, chance)


async def _send(send: Callable[[], Any], chance: random.Random) -> None:
    while True:
        try:
            if await send():
                return
        except (httpx.HTTPError, aiosmtplib.SMTPException, OSError, ValueError):
            pass  # the host was killed, or says that it cannot take it now
        await asyncio.sleep(0.05 + 0.3 * chance.random())
