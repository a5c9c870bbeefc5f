"""A host with a page of notifications, which runs in a thread and is told what to do from the test."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Coroutine, Sequence
from contextlib import AsyncExitStack
from datetime import timedelta
from typing import Any, Final, TypeVar
from uuid import uuid4

import uvicorn
from mentionable import Rejected, anp
from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from mentionable_host.notifications.access import Visitor, notifications_link
from mentionable_host.notifications.bodies import body_of
from mentionable_host.notifications.service import Notifications
from mentionable_host.store import streams
from mentionable_host.store.notifications import Events

T = TypeVar("T")

PERSON: Final = "@alice@social.example"
AGENT: Final = anp.Routing(address="user", target="user", handler="agent")
SECONDS: Final = 20


class Chatting(Notifications):
    """Notifications with a chat that keeps in memory what was said; the agent of it says what it is told to say."""

    def __init__(self, host: Any) -> None:
        super().__init__(host)
        self.turns: list[dict[str, Any]] = []
        self.is_away = False

    def routes(self) -> Sequence[BaseRoute]:
        own = Route("/notifications/chat", self._chat, methods=["GET", "POST"])
        return [own, *super().routes()]

    async def _chat(self, request: Request) -> Response:
        visitor: Visitor = await self.access.visitor(request)
        if request.method == "GET":
            before = int(request.query_params.get("before", 1_000_000))
            found = [turn for turn in self.turns if turn["number"] < before]
            return JSONResponse({"turns": found[-50:], "more": len(found) > 50})
        given = await body_of(self.host, request)
        if self.is_away:
            return JSONResponse({"error": "try-again"}, 503)
        await self.say(given["text"], id=given["id"], role="user", person=visitor.person)
        return JSONResponse({}, 202)

    async def say(
        self, text: str, *, html: str = "", id: str | None = None, role: str = "agent", person: str = PERSON
    ) -> None:
        if any(turn["id"] == id for turn in self.turns):
            return
        turn = {
            "id": id or str(uuid4()),
            "role": role,
            "text": text,
            "html": html or f"<p>{text}</p>",
            "at": "2026-11-27T12:00:00Z",
            "number": len(self.turns) + 1,
        }
        self.turns.append(turn)
        await self.append(anp.HostItem(name="message", data=turn), person=person)

    async def append(self, item: Any, *, person: str = PERSON) -> None:
        await self.host.database.write(lambda db: streams.append(db, person, item, now=self.host.world.now()))
        self.host.signals.tell(streams.topic_of(person))


class Site:
    """The host, served at one address over restarts."""

    def __init__(self, make: Any) -> None:
        """Serves what `make` makes."""
        self._make = make
        with socket.create_server(("127.0.0.1", 0)) as place:
            self.port = place.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.start()

    def start(self) -> None:
        """Serves."""
        self.host = self._make()
        self._started, self._loop = threading.Event(), asyncio.new_event_loop()
        self._stop = asyncio.Event()
        self._thread = threading.Thread(target=lambda: self._loop.run_until_complete(self._serve()))
        self._thread.start()
        assert self._started.wait(SECONDS)

    def stop(self) -> None:
        """Serves no more: its port refuses connections."""
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()
        self._loop.close()

    def call(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """What a coroutine brings, in the loop of the host."""
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(SECONDS)

    async def _serve(self) -> None:
        config = uvicorn.Config(
            self.host.app(), lifespan="off", log_config=None, access_log=False, ws="websockets-sansio"
        )
        server = uvicorn.Server(config)
        async with AsyncExitStack() as running:
            place = running.enter_context(socket.create_server(("127.0.0.1", self.port)))
            await running.enter_async_context(self.host.running())
            serving = asyncio.create_task(server.serve([place]))
            while not server.started:
                await asyncio.sleep(0.01)
            self._started.set()
            await self._stop.wait()
            self.host.release()
            server.should_exit = server.force_exit = True
            await serving

    @property
    def service(self) -> Any:
        """The service of notifications."""
        return self.host.transports["notifications"]

    def link(self, person: str = PERSON) -> str:
        """A link that signs in."""
        return self.call(notifications_link(self.host, person)).replace(self.host.config.origin, self.url)

    def submit(
        self, text: str, *, id: str | None = None, handler: Any = "system", person: str = PERSON, **more: Any
    ) -> str:
        """Submits an event and sends it where its flags say; its id."""
        id = id or str(uuid4())
        routing = anp.Routing(address="session" if "session_id" in more else "user", target="user", handler=handler)
        submission = anp.Submission(content=text, user_id=person, routing=routing, **more)

        def work(db: Connection) -> None:
            store, now = Events(db, now=self.host.world.now()), self.host.world.now()
            decision = anp.decide(store.get(id), anp.Submit(submission=submission, id=id), now=now)
            assert not isinstance(decision, Rejected)
            assert store.commit(decision)
            step = anp.dispatch(store.lane(anp.lane_of(decision.record)), decision.record, now=now)
            assert not isinstance(step, Rejected)
            assert store.commit(step)

        self._write(work, person)
        return id

    def merge(self, text: str, *, id: str, key: str) -> None:
        """Puts other words in the place of those of an open event."""
        routing = anp.Routing(address="user", target="user", handler="system")
        submission = anp.Submission(content=text, user_id=PERSON, routing=routing, deduplication_key=key)
        self.command(id, anp.Submit(submission=submission, id="another"))

    def command(self, id: str, command: anp.Command, *, later: float = 0, person: str = PERSON) -> None:
        """Applies a command to an event, as if some seconds had gone by."""

        def work(db: Connection) -> None:
            now = self.host.world.now() + timedelta(seconds=later)
            store = Events(db, now=now)
            decision = anp.decide(store.get(id), command, now=now)
            assert not isinstance(decision, Rejected), decision
            assert store.commit(decision)

        self._write(work, person)

    def escalate(self, id: str) -> None:
        """Has the watchdog take an event from the agent."""
        self.command(id, anp.Tick(), later=10 * 86_400)

    def event(self, id: str) -> anp.Notification | None:
        """An event as it is stored."""
        return self.call(self.host.database.read(lambda db: Events(db, now=self.host.world.now()).get(id)))

    def _write(self, work: Any, person: str) -> None:
        self.call(self.host.database.write(work))
        self._loop.call_soon_threadsafe(self.host.signals.tell, streams.topic_of(person))
