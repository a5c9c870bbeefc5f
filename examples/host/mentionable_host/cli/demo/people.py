"""The people of the demo: each has a server or a client of their own, and verifies what comes back."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final, Protocol

import aiosmtplib
from aiosmtpd.smtp import SMTP, Envelope, Session
from attrs import frozen
from mentionable import (
    Answered,
    AsyncAnswers,
    Failed,
    HttpRequest,
    HttpResponse,
    Received,
    Rejected,
    a2a,
    activitypub,
    adrive,
    discovery,
    mail,
    plain_text,
)
from mentionable.testing import Peer
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from mentionable_host.cli.demo.loopback import LOCAL, Loopback
from mentionable_host.cli.listening import listen, serving
from mentionable_host.cli.question import question_of
from mentionable_host.config import Config

__all__ = ["Alice", "Bob", "Carol", "DemoAnswer", "NoAnswer", "Person"]

SECONDS: Final = 20


class NoAnswer(Exception):
    """No answer came, or one that is not from the agent. The message says what happened in its place."""


@frozen(kw_only=True)
class DemoAnswer:
    """An answer as its recipient reads it.

    Attributes:
        text: What it says.
        proof: How the recipient knows that the agent wrote it.
        place: What the next message of this person answers, so that it is in the same conversation.
    """

    text: str
    proof: str
    place: str


class Person(Protocol):
    """Somebody who writes to the agent."""

    address: str
    how: str

    async def ask(self, text: str, *, place: str | None) -> DemoAnswer:
        """Writes to the agent, and reads its answer.

        Args:
            text: What to write.
            place: As in the last `DemoAnswer`; None: a new conversation.

        Raises:
            NoAnswer: None came, or none of the agent.
        """


class Alice:
    """Has an account on another server of the Fediverse."""

    address, how = "@alice@social.example", "on the Fediverse"

    def __init__(self, config: Config, world: Loopback) -> None:
        """Her server listens in `here`."""
        self._agent, self._world, self._peer = config.agent.address, world, Peer.activitypub(self.address)
        self._answers: asyncio.Queue[Received] = asyncio.Queue()
        self._lookups = AsyncAnswers(fetch=world.fetch)

    @asynccontextmanager
    async def here(self) -> AsyncIterator[None]:
        """Runs her server."""
        inbox = Route("/users/alice/inbox", self._inbox, methods=["POST"])
        app = Starlette(routes=[inbox, Route("/{path:path}", self._document)])
        with listen(LOCAL, 0) as place:
            self._world.ports["social.example"] = place.getsockname()[1]
            async with serving(app, place):
                yield

    async def ask(self, text: str, *, place: str | None) -> DemoAnswer:
        """Finds the agent by WebFinger, mentions it, and waits for what comes to her inbox."""
        found = await adrive(activitypub.find_actor(self._agent), self._lookups)
        if isinstance(found, Rejected):
            raise NoAnswer(f"WebFinger does not lead to {self._agent}: {found}")
        note = self._peer.write(
            text, to=found.id, inbox=found.inbox, mention=self._agent, in_reply_to=place, now=self._world.now()
        )
        got = await self._world.send(note)
        if not isinstance(got, HttpResponse) or not 200 <= got.status < 300:
            raise NoAnswer(f"the inbox says {_words(got)}")
        answer = await _next(self._answers, json.loads(note.body)["object"]["id"])
        return _answer_of(answer, of=self._agent)

    async def _document(self, request: Request) -> Response:
        """What her server says of her: by WebFinger, and her actor document with her key."""
        found = self._peer.lookups.get(f"GET {_asked(request).url}")
        if found is None:
            return Response(status_code=404)
        return Response(json.dumps(found["json"]), headers={"content-type": found["content_type"]})

    async def _inbox(self, request: Request) -> Response:
        """Her inbox, which takes what is signed."""
        got = await adrive(
            activitypub.receive(
                _asked(request, await request.body()),
                recipient=self.address,
                now=self._world.now(),
                entropy=self._world.entropy(),
                settings=activitypub.Settings(require_verified=True),
            ),
            self._lookups,
        )
        if isinstance(got, Rejected):
            return Response(status_code=got.http_status)
        if isinstance(got, Received) and got.messages:
            await self._answers.put(got)
        return Response(status_code=202)


class Bob:
    """Writes mail, which his domain signs, and has a mail server."""

    address, how = "@bob@mail.example", "by mail"

    def __init__(self, config: Config, world: Loopback, *, port: int) -> None:
        """His server listens in `here`.

        Args:
            config: Of the agent.
            world: The demo's.
            port: Where the agent takes mail.
        """
        self._config, self._world, self._port, self._peer = config, world, port, Peer.mail(self.address)
        self._answers: asyncio.Queue[Received] = asyncio.Queue()
        for row, (record, *_) in self._peer.lookups.items():
            world.txt[row.removeprefix("TXT ")] = record.encode()

    @asynccontextmanager
    async def here(self) -> AsyncIterator[None]:
        """Runs his server."""
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: SMTP(self, hostname="mail.example"), LOCAL, 0)
        self._world.mail_ports["mail.example"] = server.sockets[0].getsockname()[1]
        async with server:
            yield

    async def ask(self, text: str, *, place: str | None) -> DemoAnswer:
        """Sends a mail over SMTP, and waits for what comes to his mailbox."""
        agent, now = self._config.agent, self._world.now()
        raw = self._peer.write(text, to=agent.address, subject="A question", in_reply_to=place, now=now)
        try:
            await aiosmtplib.send(
                raw,
                hostname=LOCAL,
                port=self._port,
                sender="bob@mail.example",
                recipients=[agent.mailbox],
                local_hostname="mail.example",
                start_tls=False,
            )
        except (aiosmtplib.SMTPException, OSError) as error:
            raise NoAnswer(f"the mail server says {error}") from error
        name = next(line for line in raw.decode().splitlines() if line.startswith("Message-ID:"))
        answer = await _next(self._answers, name.removeprefix("Message-ID:").strip())
        return _answer_of(answer, of=agent.address)

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        """Takes a mail that the domain of its sender signed; aiosmtpd calls this."""
        flow = mail.receive(
            envelope.original_content or b"",
            recipient=self.address,
            now=self._world.now(),
            entropy=self._world.entropy(),
            settings=mail.Settings(require_verified=True),
        )
        got = await adrive(flow, AsyncAnswers(lookup_txt=self._world.lookup_txt))
        if isinstance(got, Received):
            await self._answers.put(got)
        return got.smtp_reply if isinstance(got, Rejected) else "250 2.0.0 OK"


class Carol:
    """Has an agent of her own, which calls over A2A with a token and reads the answer as it streams."""

    address, how = "@carol@agents.example", "over A2A"

    def __init__(self, config: Config, world: Loopback, *, token: str) -> None:
        """She has a token of the agent."""
        self._config, self._world, self._token = config, world, token

    @asynccontextmanager
    async def here(self) -> AsyncIterator[None]:
        """A client listens nowhere."""
        yield

    async def ask(self, text: str, *, place: str | None) -> DemoAnswer:
        """Reads the agent's card, calls, and reads the stream."""
        way = await self._way()
        question = question_of(text, sender=self.address, recipient=self._config.agent.address, now=self._world.now())
        request = a2a.call(
            question,
            url=way.url,
            dialect=way.dialect,
            stream=True,
            context_id=place,
            context=a2a.CallContext(token=self._token),
            entropy=self._world.entropy(),
        )
        stream, frames = a2a.ResultStream(to=question, request=request), 0
        async with self._world.stream(request) as got:
            if got.headers.get("content-type", "").startswith("text/event-stream"):
                async for chunk in got.aiter_raw():
                    frames += len(stream.feed(chunk))
                    if stream.is_complete:
                        break
                answer = stream.close()
            else:
                whole = HttpResponse(status=got.status_code, headers=[*got.headers.items()], body=await got.aread())
                answer = a2a.result(whole, to=question, request=request)
        if not isinstance(answer, Answered):
            raise NoAnswer(f"the agent refuses the call: {answer}")
        proof = f"streamed in {frames} frames" if frames else "whole"
        return DemoAnswer(
            text=plain_text(answer.response), proof=proof, place=answer.response.extra["a2a"]["context_id"]
        )

    async def _way(self) -> discovery.Endpoint:
        """How the agent's card says that it is called."""
        url = f"{self._config.origin}/.well-known/agent-card.json"
        got = await self._world.send(HttpRequest(method="GET", url=url))
        if not isinstance(got, HttpResponse) or got.status != 200:
            raise NoAnswer(f"{url} is not there: {_words(got)}")
        way = discovery.read_a2a_card(got.body).endpoint()
        if way is None:
            raise NoAnswer("the agent's card names no way that this client speaks")
        return way


def _asked(request: Request, body: bytes = b"") -> HttpRequest:
    return HttpRequest.from_asgi(request.scope, body, origin="https://social.example")


async def _next(answers: asyncio.Queue[Received], native_id: str) -> Received:
    """The answer to a message."""
    try:
        async with asyncio.timeout(SECONDS):
            while True:
                got = await answers.get()
                if (got.message.in_reply_to or "").strip("<>") == native_id.strip("<>"):
                    return got
    except TimeoutError:
        raise NoAnswer(f"nothing came in {SECONDS} seconds") from None


def _answer_of(got: Received, *, of: str) -> DemoAnswer:
    """What came, as long as the agent wrote it."""
    sender = got.message.sender
    if not sender.verified or sender.address != of:
        raise NoAnswer(f"something came that {of} did not sign: {got.verdict.detail or sender.address}")
    place = next(iter(got.aliases), got.native_id)  # of a note, its own id and not that of its Create
    return DemoAnswer(text=plain_text(got.message), proof=f"verified by {got.verdict.method}", place=place)


def _words(got: HttpResponse | Failed) -> str:
    return got.reason if isinstance(got, Failed) else f"{got.status} {got.body[:200].decode(errors='replace')}"
