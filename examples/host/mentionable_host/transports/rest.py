"""Plain HTTP: a form comes, and its answer goes back on the same connection, whole or as a stream."""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from hashlib import sha256
from typing import Any, ClassVar, Final

from attrs import evolve
from mentionable import (
    HttpRequest,
    HttpResponse,
    Limits,
    NormalizedMessage,
    NormalizedResponse,
    Received,
    Rejected,
    a2a,
    decode_trusted,
    discovery,
    dumps,
    rest,
    split,
)
from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from mentionable_host.agents.running import FAILED
from mentionable_host.host import Host
from mentionable_host.http import network_of, request_of, response_of, streamed
from mentionable_host.receiving import take_in
from mentionable_host.store import frames, jobs, messages
from mentionable_host.store.database import Conflict, StoreUnavailable
from mentionable_host.store.forgotten import is_sender_forgotten
from mentionable_host.transports.a2a.following import Following, news
from mentionable_host.transports.callers import (
    TOO_MANY,
    UNAVAILABLE,
    Callers,
    Refused,
    again_later,
    call_settings,
    store_for_caller,
    with_own_id,
)
from mentionable_host.transports.frames import ShownFrames
from mentionable_host.transports.transport import Reply, Transport

__all__ = ["Rest"]

log = logging.getLogger(__name__)

LATE: Final = "No answer came in time."
COMMENT: Final = HttpResponse(status=200, headers={"content-type": "text/event-stream"}, body=b":\n\n")


class Rest(Transport):
    """The form at `/rest/NAME`."""

    name: ClassVar[str] = "rest"

    def __init__(self, host: Host) -> None:
        """Opens nothing.

        Raises:
            ConfigError: A token cannot be read, or the document about trust does not fit.
        """
        super().__init__(host)
        self._path = f"/rest/{host.config.agent.name}"
        self._callers = Callers.of(host.config)
        self._settings = call_settings(host.config, url=f"{host.config.origin}{self._path}")
        self._shown, self._following = ShownFrames(self._add), Following(host)

    def routes(self) -> Sequence[BaseRoute]:
        """One path."""
        return [Route(self._path, self.receive, methods=["POST"])]

    def describe(self) -> Mapping[str, Any]:
        """Where the agent is asked, for its card of Mentionable; nothing where others cannot reach it by https."""
        origin = self.host.config.origin
        is_public = origin.startswith("https://")
        return {"rest": discovery.RestSection(endpoint=f"{origin}{self._path}")} if is_public else {}

    async def receive(self, request: Request) -> Response:
        """Takes a form, and waits for its answer."""
        asked = await request_of(request, limit=Limits().a2a_bytes, origin=self.host.config.origin)
        try:
            who = await self._who(asked)
            listener = who or network_of(request)
            if self._following.is_full(listener):
                raise Refused(TOO_MANY)
            with self._following.listening(listener):
                message = await self._take_in(asked, who)
                if not rest.wants_stream(message):
                    files = await self.host.database.read(lambda db: messages.files_of_id(db, message.id))
                    answer = await self._answer(message, is_gone=request.is_disconnected)
                    return response_of(self._write(answer, message, files=files))
        except Refused as refused:
            response = _with_notice(rest.error_response(refused.rejected), refused.notice)
            return response_of(again_later(response) if refused.rejected is TOO_MANY else response)
        except (StoreUnavailable, Conflict) as error:
            log.warning("a form is not stored, or not answered now: %s", error)
            response = rest.error_response(Rejected(code="lookup-failed"))
            return response_of(again_later(response, status=UNAVAILABLE))
        return await streamed(self._stream(message, listener))

    async def _take_in(self, request: HttpRequest, who: str | None) -> NormalizedMessage:
        """Stores a message; where it came before, it is that one.

        Raises:
            Refused: It is none, or its sender is not answered.
        """
        host, world = self.host, self.host.world
        taken = list[NormalizedMessage]()

        def store(db: Connection, got: Received | Rejected) -> None:
            if isinstance(got, Rejected):
                return
            got = with_own_id(db, got)
            if not got.redelivered:
                store_for_caller(db, got, host=host, transport=self.name)
            taken[:] = got.messages

        got = await take_in(
            host,
            lambda: rest.receive(
                request,
                caller=None if who is None else rest.Caller(subject=who),
                recipient=host.address,
                now=world.now(),
                entropy=world.entropy(),
                settings=self._settings,
            ),
            store=store,
        )
        if isinstance(got, Rejected):
            raise Refused(got)
        return taken[0]

    async def _who(self, request: HttpRequest) -> str | None:
        """The caller whose token a form has; None: it has none, and needs none.

        Raises:
            Refused: It has a token that is not known here, or needs one.
        """
        who = self._callers.who(request)
        if who is None:
            flow = a2a.verify(request, now=self.host.world.now(), settings=self._settings)
            verdict = await self.host.drive(flow)
            if not self._callers.admits(None, verdict):
                raise Refused(Rejected(code="verification-required"))
            who = verdict.address if verdict.verified else None
        return who

    async def _answer(
        self, message: NormalizedMessage, *, is_gone: Callable[[], Awaitable[bool]]
    ) -> NormalizedResponse:
        """The answer, as soon as it is stored. Whoever has gone waits no more, and takes no place of others."""
        host, late = self.host, NormalizedResponse.failed(message, LATE, code="timeout", retriable=True)

        async def look() -> NormalizedResponse | None:
            found = await host.database.read(lambda db: answer_or_silence(db, message))
            return late if found is None and await is_gone() else found

        return await host.signals.until(message.id, look, seconds=host.config.a2a.patience) or late

    async def _stream(self, message: NormalizedMessage, listener: str) -> AsyncGenerator[HttpResponse, None]:
        """The pieces of the answer, while its client counts as one that listens."""
        with self._following.listening(listener):
            async with aclosing(self._pieces(message)) as pieces:
                async for piece in pieces:
                    yield piece

    async def _pieces(self, message: NormalizedMessage) -> AsyncGenerator[HttpResponse, None]:
        """The pieces of the answer as they are stored: its frames, or the whole answer in frames.

        Where the agent began anew meanwhile, the stream breaks off: what was sent is not what will be stored.
        """
        number, seq = 0, -1
        whole: NormalizedResponse | None = None

        def read(db: Connection) -> tuple[list[tuple[int, bytes]], bool]:
            nonlocal whole
            rows, whole = frames.after(db, message.id, number), answer_or_silence(db, message)
            return rows, whole is not None

        files = await self.host.database.read(lambda db: messages.files_of_id(db, message.id))
        async with aclosing(news(self.host, message.id, read)) as pieces:
            async for rows in pieces:
                for number, value in rows:  # noqa: B007 - where to read on
                    frame = decode_trusted(NormalizedResponse, value)
                    if frame.streaming is None or frame.streaming.seq <= seq:
                        return
                    yield self._write(frame, message, files=files)
                    seq = frame.streaming.seq
                    if frame.streaming.final:
                        return
                if not rows:
                    yield COMMENT
        for frame in () if whole is None or seq >= 0 else split(whole, stream_id=message.id):
            yield self._write(frame, message, files=files)

    def _write(
        self, response: NormalizedResponse, message: NormalizedMessage, *, files: dict[str, bytes]
    ) -> HttpResponse:
        """The answer, or a frame of it, for the client; the same each time."""
        seq = 0 if response.streaming is None else response.streaming.seq
        entropy, now = sha256(f"{message.id} {seq}".encode()).digest(), self.host.world.now()
        out = rest.reply(response, to=message, now=now, entropy=entropy, blobs=files, settings=self._settings)
        return out.response

    async def show(self, frame: NormalizedResponse, *, to: NormalizedMessage) -> None:
        """Stores a frame, where the client wants a stream, maybe together with the next ones."""
        if rest.wants_stream(to):
            await self._shown.show(frame, to=to)

    async def _add(self, frame: NormalizedResponse, to: NormalizedMessage) -> None:
        """Stores frames."""
        is_first, now = frame.streaming is not None and frame.streaming.seq == 0, self.host.world.now()

        def work(db: Connection) -> None:
            if not is_sender_forgotten(db, to):
                frames.append(db, to.id, [dumps(frame)], now=now, anew=is_first)

        await self.host.database.write(work)
        self.host.signals.tell(to.id)

    async def reply(self, response: NormalizedResponse, *, to: NormalizedMessage) -> Reply:
        """Nothing is delivered: who asked waits for it, or asks again under the same id."""
        await self._shown.settle(to)
        frame, now = self._shown.last(response, to=to), self.host.world.now()
        files = await self.host.database.read(lambda db: messages.files_of_id(db, to.id))
        self._write(response if frame is None else frame, to, files=files)  # what breaks a rule is known in time

        def store(db: Connection) -> None:
            if frame is not None:
                frames.append(db, to.id, [dumps(frame)], now=now)
            self._shown.forget(to.id)

        return Reply(store=store)


def answer_or_silence(db: Connection, message: NormalizedMessage) -> NormalizedResponse | None:
    """The answer to a message; None: it is not there yet.

    Where its job has ended without one, or it was forgotten, it is empty; where that was given up, it is a failure.
    """
    found = messages.answer_to(db, message.id)
    state = None if found is not None else jobs.state_of(db, f"answer {message.id}")
    if state == "dead":
        return NormalizedResponse.failed(message, FAILED, code="agent-failed")
    is_over = state == "done" or (found is None and state is None and not messages.is_there(db, message.id))
    return NormalizedResponse(reply_to=message.id, parts=(), status="ok") if is_over else found


def _with_notice(problem: HttpResponse, notice: str | None) -> HttpResponse:
    """A problem with a sentence for people (RFC 9457 §3.1.4)."""
    if notice is None:
        return problem
    return evolve(problem, body=json.dumps(json.loads(problem.body) | {"detail": notice}).encode())
