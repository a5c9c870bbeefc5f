"""The host: one agent, its transports, its store, its queue, and the world around them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager, nullcontext
from datetime import timedelta
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Final, Literal, TypeVar

from mentionable import Failed, Fetch, Fetched, FindAgent, Flow, HttpRequest, adrive, policy
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from mentionable_host import refusing, turns
from mentionable_host.agents import receipts
from mentionable_host.agents.agent import Agent
from mentionable_host.config import Config, ConfigError
from mentionable_host.keys import Keys
from mentionable_host.lookups import answers_of
from mentionable_host.notifications import effects, events
from mentionable_host.notifications.access import person_token
from mentionable_host.queue.attempts import Attempts
from mentionable_host.queue.outcome import GivenUp, Handler
from mentionable_host.queue.shared import SharedWorker
from mentionable_host.queue.worker import Worker
from mentionable_host.signals import SharedSignals, Signals
from mentionable_host.stopping import released_by_signals
from mentionable_host.store import retention
from mentionable_host.store.database import Database
from mentionable_host.store.sqlite_file import worked_on_alone
from mentionable_host.store.uses import Uses
from mentionable_host.transports import policies as consent
from mentionable_host.transports.transport import Service, Transport
from mentionable_host.trust import acl_of
from mentionable_host.world.world import World

__all__ = ["Host", "Parts", "TransportFactory"]

log = logging.getLogger(__name__)

TransportFactory = Callable[["Host"], Service]
Parts = Literal["all", "web", "worker"]

R = TypeVar("R")

AGAIN_SECONDS: Final = 1.0


class Host:
    """An agent that can be reached.

    Attributes:
        agent: Who answers.
        config: The configuration.
        keys: The keys of the agent.
        database: The store.
        world: What is outside.
        signals: Tells who waits that something was stored.
        transports: Name → transport.
        attempts: Tries a job.
        acl: Who has which role; None: `[trust]` gives none.
    """

    def __init__(
        self,
        agent: Agent,
        config: Config,
        *,
        keys: Keys,
        database: Database,
        world: World,
        transports: Sequence[TransportFactory],
    ) -> None:
        """Opens nothing: `app`, or `running`, does.

        Args:
            agent: Who answers.
            config: The configuration.
            keys: `Keys.load(config)`.
            database: An open store whose tables are there.
            world: What is outside.
            transports: What messages come by: the classes of `mentionable_host.transports`.
        """
        self.agent, self.config, self.keys = agent, config, keys
        self.database, self.world, self.acl = database, world, acl_of(config)
        self.signals = SharedSignals(database.conninfo) if database.dialect == "postgresql" else Signals()
        made = [make(self) for make in transports]
        self.transports: Mapping[str, Service] = {one.name: one for one in made}
        self.attempts = Attempts(database, world, self.handlers(), signals=self.signals, given_up=self.on_give_up())
        kind = SharedWorker if database.dialect == "postgresql" else Worker
        self._worker = kind(database, world, self.attempts)

    @property
    def address(self) -> str:
        """The address of the agent."""
        return self.config.agent.address

    def transport(self, name: str) -> Transport:
        """The transport of a name.

        Raises:
            KeyError: It is not configured any more.
        """
        found = self.transports[name]
        if not isinstance(found, Transport):
            raise KeyError(name)  # no message comes by it
        return found

    def handlers(self) -> dict[str, Handler]:
        """Kind of job → what does it."""
        own: dict[str, Handler] = {
            "answer": turns.handler(self),
            "refuse": refusing.handler(self),
            **effects.handlers(self),
        }
        for one in self.transports.values():
            own |= one.handlers()
        return own

    def on_give_up(self) -> dict[str, GivenUp]:
        """Kind of job → what follows where it is tried no more."""
        own: dict[str, GivenUp] = {"answer": partial(turns.give_up, self)}
        for one in self.transports.values():
            own |= one.on_give_up()
        return own

    def routes(self) -> list[BaseRoute]:
        """Everything that is served over HTTP."""
        return [*consent.routes(self), *(route for one in self.transports.values() for route in one.routes())]

    async def cancel_turn(self, message_id: str) -> bool:
        """Cancels the turn that answers a message. True: no answer will come. False: it is there, or no turn is.

        Args:
            message_id: The id of the message.
        """
        return await turns.cancel(self, message_id)

    async def complete(self, candidate: policy.Candidate, *, subject: str | None = None) -> bool:
        """Has the agent go on with a receipt that came to a page or callback of the program; False: it is for nothing.

        Args:
            candidate: The receipt, with the state that the page or the payment provider was given.
            subject: Who met the demand, where it names one: the account that is signed in.
        """
        return await receipts.complete(self, candidate, subject=subject)

    async def notify(
        self,
        person: str,
        text: str,
        *,
        key: str | None = None,
        within: timedelta | None = None,
        source: str = "",
        by: events.Speaker = "agent",
        in_chat: bool = False,
        urgency: str | None = None,
    ) -> str:
        """Lets a person know something: once, in a browser or on a phone, and where they have none, where they write.

        The agent tells it at once where its program has `@agent.on_notice`, else in the next conversation; where that
        is late, or `by` says so, the host presents it.

        Args:
            person: Their address, `@name@domain` or a mailbox. It has written to this agent and was verified, or has a
                device here.
            text: What to tell.
            key: A new notice of this key replaces one that they have not seen yet.
            within: How long the agent has.
            source: What it comes of: the same text of the same source is one notice.
            by: Who tells it: the agent in its own words, or the system in these.
            in_chat: Whether it belongs into the chat of the person's page, rather than into the inbox.
            urgency: What it may cost a phone: `high`, `low`, and so on; see `anp.push_urgency`.

        Returns:
            The id of the event, unless it was put in place of an earlier one with its key.

        Raises:
            ValueError: It is no address.
        """
        return await events.notify(
            self,
            person,
            text,
            key=key,
            within=within,
            source=source,
            by=by,
            in_chat=in_chat,
            urgency=urgency,
        )

    async def person_token(self, person: str) -> str:
        """A token with which a page of the program shows a person their notifications, for an hour.

        Give it to who you know is this person: it reads all of their notifications, and acknowledges them.

        Args:
            person: Their address: `@name@domain`, or a mailbox.

        Raises:
            ValueError: It is no address.
        """
        return await person_token(self, person)

    def release(self) -> None:
        """Ends connections that have no end of their own, so that a server can stop."""
        for one in self.transports.values():
            one.release()

    def wake(self) -> None:
        """Says that there may be new jobs."""
        self._worker.wake()

    async def finish(self, seconds: float) -> None:
        """Begins with no more jobs, and waits so long for those that have begun."""
        await self._worker.finish(seconds)

    def find_agent(self, ask: FindAgent) -> str | None:
        """The agent, where it is meant: by address, mailbox, actor or URL."""
        return self.address if ask.native_id.casefold() in self._names else None

    @cached_property
    def _names(self) -> frozenset[str]:
        """What the agent is known by, in lower case."""
        agent = self.config.agent
        names = (agent.address, agent.mailbox, f"acct:{agent.mailbox}", f"{self.config.origin}/actors/{agent.name}")
        return frozenset(name.casefold() for name in names)

    async def drive(self, flow: Flow[Any, R]) -> R:
        """What a flow of the library brings that counts nothing as used: a look-up, or a verification."""
        return await adrive(flow, answers_of(self, Uses()), gather=asyncio.gather)

    async def fetch(self, ask: Fetch) -> Fetched | Failed:
        """A document, for the library: our own from here, others by a GET that is signed where a transport signs."""
        for one in self.transports.values():
            own = await one.own_document(ask.url)
            if own is not None:
                return own
        return await self.world.fetch(ask, sign=self._sign)

    def _sign(self, request: HttpRequest) -> HttpRequest:
        signed = (one.sign(request) for one in self.transports.values())
        return next((one for one in signed if one is not None), request)

    @asynccontextmanager
    async def running(self, app: object = None, *, parts: Parts = "all") -> AsyncIterator[None]:
        """Listens and works while it is open; `app` is not used: so this is the lifespan of an ASGI application.

        Args:
            app: The application with this lifespan.
            parts: `web` alone takes messages in, `worker` alone does jobs; these need PostgreSQL.

        Raises:
            ConfigError: Another process works on this database of SQLite. What runs there would run here once more.
        """
        is_shared = parts == "web" or self.database.dialect != "sqlite"
        with nullcontext() if is_shared else _alone(self.database):
            async with self._running(parts):
                with released_by_signals(self.release):
                    yield

    @asynccontextmanager
    async def _running(self, parts: Parts) -> AsyncIterator[None]:
        """Listens and works while it is open."""
        if parts != "web":
            await self._worker.recover()
        always = {"signals": self.signals.run}
        if parts != "web":
            always |= {"the worker": self._worker.run, "retention": partial(retention.keep_removing, self)}
        tasks = [asyncio.create_task(_always(what, work)) for what, work in always.items()]
        listening = [] if parts == "worker" else [*self.transports.values()]
        try:
            for one in listening:
                await one.start()
            yield
        finally:
            for one in listening:
                try:
                    await one.stop()
                except Exception:  # the others end all the same
                    log.exception("%s cannot be ended", one.name)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def app(self, *, parts: Parts = "all") -> Starlette:
        """The ASGI application. Who opens its address in a browser is led to the page of the agent."""
        routes, agent = [*self.routes()], f"/actors/{self.config.agent.name}"
        has_page = not self.config.activitypub.authorized_fetch
        if has_page and any(isinstance(one, Route) and one.path == agent for one in routes):
            routes.append(Route("/", partial(_lead_to, agent)))
        return Starlette(routes=routes, lifespan=partial(self.running, parts=parts))


async def _lead_to(place: str, request: Request) -> Response:
    return RedirectResponse(place)


@contextmanager
def _alone(database: Database) -> Iterator[None]:
    """Works alone on a file of SQLite.

    Raises:
        ConfigError: Another process does, or this one already. The message says what to do.
    """
    place = Path(str(database.engine.url.database))
    with ExitStack() as held:
        try:
            held.enter_context(worked_on_alone(place))
        except BlockingIOError as error:
            raise ConfigError(
                f"{place} is worked on already, by another process or a second time by this one\n"
                "End that, or write another file, or postgresql://… for several processes, to store.url."
            ) from error
        yield


async def _always(what: str, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Runs what runs as long as the host; where a fault ends it, it begins anew."""
    while True:
        try:
            return await work()
        except Exception:
            log.exception("%s: a fault, after which it begins anew", what)
        await asyncio.sleep(AGAIN_SECONDS)
