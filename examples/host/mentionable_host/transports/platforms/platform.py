"""What Slack, Discord and BlueBubbles share: an event is claimed and answered at once, and its message is made later.

The claim and the job that makes the message are stored in one transaction, before the platform hears that the event
came. What an answer needs and no message may hold (the token of an interaction, the chat of a phone number) is kept in
`reply_targets`, and no payload of a job has it.
"""

from __future__ import annotations

import asyncio
import logging
from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, Protocol, TypeGuard, TypeVar
from urllib.parse import urlsplit

from attrs import define, field
from mentionable import (
    AsyncAnswers,
    Failed,
    FindAgent,
    Flow,
    Handshake,
    HttpRequest,
    HttpResponse,
    Received,
    Rejected,
    UsageError,
    UseOnce,
    adrive,
    decode_trusted,
    dumps,
)
from mentionable.connectors import Claimed, ReceivedEvent
from mentionable.connectors.files import FileKey
from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from mentionable_host.config import ConfigError, secret
from mentionable_host.http import request_of, response_of
from mentionable_host.lookups import answers_of
from mentionable_host.queue.outcome import Dead, Done, Handler, Outcome, Retry
from mentionable_host.receiving import store_received, take_in
from mentionable_host.store import changes, jobs, messages, reply_targets
from mentionable_host.store.database import Conflict, StoreUnavailable
from mentionable_host.store.forgotten import was_forgotten
from mentionable_host.store.jobs import Job, StoredJob
from mentionable_host.store.uses import Uses
from mentionable_host.transports.platforms import files
from mentionable_host.transports.platforms.progress import Progress

if TYPE_CHECKING:
    from mentionable_host.host import Host

__all__ = ["Connector", "Incoming", "Lookups", "Platform", "is_at"]

log = logging.getLogger(__name__)

C = TypeVar("C")
S = TypeVar("S")

Incoming = HttpRequest | Mapping[str, Any]
"""A request of a platform, or an event of Discord's gateway."""

Outcomes = Received | ReceivedEvent | Rejected

WAIT_FOR_EARLIER: Final = timedelta(seconds=1)
LOOKUP_TRIES: Final = 3
"""So often the look-ups of an event are tried; then its message is made without what they did not bring."""
QUIET: Final = frozenset(("unsupported-event", "own-message", "owner-mismatch"))
"""Refusals that an operator can do nothing about: no dead letters."""


@define
class Lookups:
    """What the API of the platform did not answer, while one message was made."""

    missing: list[Retry] = field(factory=list)


class Connector(Protocol):
    """What a module of `mentionable.connectors` has for each platform: both stages of an event."""

    def claim(self, event: Any, /, *, now: datetime, settings: Any) -> Flow[UseOnce, Claimed | Handshake | Rejected]:
        """Verifies an event, and claims it."""

    def complete(self, claimed: Claimed, /, *, now: datetime, entropy: bytes, settings: Any) -> Flow[Any, Outcomes]:
        """Makes its message."""


class Platform(Progress, Generic[C, S]):
    """A platform whose events come over HTTP.

    Attributes:
        path: Where they come.
        connector: The connector of the library.
        config: The section of the configuration.
        app: How the connector names the app in its keys.
        settings: What the connector receives and writes with.
    """

    path: ClassVar[str]
    connector: ClassVar[Connector]
    app: str = ""

    def __init__(self, host: Host) -> None:
        """Opens nothing.

        Raises:
            ConfigError: Something in the section of the configuration is missing or wrong.
        """
        super().__init__(host)
        config: C | None = getattr(host.config, self.name)
        if config is None:
            raise ConfigError(f"there is no [{self.name}] in the configuration: docs/platforms.md says what it needs")
        self.config: Final = config
        self.issuer: Final = host.config.agent.domain.partition(":")[0]
        # No agent elsewhere sees these URLs: the files behind them are fetched before a message is stored.
        self.file_key: Final = FileKey.from_secret(host.world.entropy(), key_id=self.name)
        try:
            self.settings: S = self.make_settings()
        except UsageError as error:
            raise ConfigError(f"{self.name}: {error}") from error

    @abstractmethod
    def make_settings(self) -> S:
        """The settings of the connector, as the configuration says."""

    @abstractmethod
    def serves(self, native_id: str) -> bool:
        """Whether an event that is for this id, as the connector asks, is for the agent."""

    def secret(self, value: str) -> str:
        """A secret of the configuration."""
        return secret(value, folder=self.host.config.folder)

    def target(self, event: Incoming) -> tuple[dict[str, Any], timedelta]:
        """What an answer to an event needs that no message holds, and how long it counts."""
        return {}, timedelta(0)

    async def prepare(self) -> None:
        """Reads what the settings need from the store."""

    async def look_up(self, ask: Any, lookups: Lookups) -> Any:
        """What the API of the platform answers to what the connector asks."""
        return Failed("this platform is asked nothing")

    async def file(self, file: str, *, target: Mapping[str, Any]) -> bytes | Retry | None:
        """The bytes of a file of a message; None: there are none to be had."""
        return None

    async def download(self, request: HttpRequest) -> HttpResponse | Retry | None:
        """The answer with the bytes of a file; None: there are none to be had."""
        response = await self.exchange(request, what="a file")
        if not isinstance(response, HttpResponse):
            return response if isinstance(response, Retry) else None
        return response if response.status == 200 else None

    def forget(self, db: Connection, address: str) -> None:
        """Deletes the answers to a person on the platform, where they go with their questions."""
        for message_id in messages.ids_of(db, address, transport=self.name):
            for post in changes.posts(db, message_id):
                self.withdraw_later(db, post)

    def routes(self) -> Sequence[BaseRoute]:
        """One path."""
        return [Route(self.path, self.receive, methods=["POST"])]

    def handlers(self) -> Mapping[str, Handler]:
        """Messages are made, the calls of answers are made, answers are withdrawn, and people see that it works."""
        return {
            f"{self.name}.complete": self.complete,
            f"{self.name}.call": self.call,
            f"{self.name}.withdraw": self.withdraw,
            f"{self.name}.typing": self.show_typing,
            f"{self.name}.dismiss": self.dismiss,
        }

    async def receive(self, request: Request) -> Response:
        """Takes an event, and answers at once: Slack and Discord wait three seconds."""
        asked = await request_of(request, limit=self.body_bytes, origin=self.host.config.origin)
        outcome = await self.take(asked)
        if isinstance(outcome, (Claimed, Handshake)):
            return response_of(outcome.response)
        return Response(status_code=503 if outcome is None else outcome.http_status)

    async def take(self, event: Incoming) -> Claimed | Handshake | Rejected | None:
        """Claims an event, and stores it with the job that makes its message; None: the store is away just now."""
        try:
            await self.prepare()
            outcome = await take_in(
                self.host, lambda: self._claim(event), store=lambda db, got: self._store_claim(db, got, event)
            )
        except (StoreUnavailable, Conflict) as error:
            log.warning("%s: an event is not taken: %s", self.name, error)
            return None
        if isinstance(outcome, Rejected):
            verdict = outcome.verdict
            level = logging.DEBUG if outcome.code in QUIET else logging.INFO
            log.log(level, "%s: %s %s", self.name, outcome.code, (verdict and verdict.code) or "")
        return outcome

    def _claim(self, event: Incoming) -> Flow[UseOnce, Claimed | Handshake | Rejected]:
        return self.connector.claim(event, now=self.host.world.now(), settings=self.settings)

    def _store_claim(self, db: Connection, got: Claimed | Handshake | Rejected, event: Incoming) -> None:
        """Stores the job of an event under its key, new or not: what was not stored the first time is stored now."""
        if not isinstance(got, Claimed):
            return
        now = self.host.world.now()
        key = self._job_key(got.key or f"{got.event_id} {self.host.world.entropy().hex()}")
        lane = f"{self.name} {got.native_id.rpartition('/')[0] or got.native_id}"
        job = Job(key=key, kind=f"{self.name}.complete", lane=lane, payload=dumps(got))
        if not jobs.enqueue(db, job, now=now):
            return
        target, lasts = self.target(event)
        if target:
            reply_targets.put(db, key, target, until=now + lasts, now=now)

    def _job_key(self, key: str) -> str:
        return f"{self.name}.complete {key}"

    async def complete(self, job: StoredJob) -> Outcome:
        """Makes the message of an event, and stores it; or applies what happened to one."""
        await self.prepare()
        host, claimed, lookups = self.host, decode_trusted(Claimed, job.payload), Lookups()
        entropy = sha256(job.key.encode()).digest()  # when it is made once more, it has the same id

        async def call_api(ask: Any) -> Any:
            return await self.look_up(ask, lookups)

        def find_agent(ask: FindAgent) -> str | None:
            return host.address if self.serves(ask.native_id) else None

        more = AsyncAnswers(find_agent=find_agent, call_api=call_api)
        flow = self.connector.complete(claimed, now=host.world.now(), entropy=entropy, settings=self.settings)
        outcome = await adrive(flow, answers_of(host, Uses(), more), gather=asyncio.gather)
        if lookups.missing and job.tries < LOOKUP_TRIES:
            return lookups.missing[0]
        if isinstance(outcome, Rejected):
            return self._refused(outcome)
        if isinstance(outcome, ReceivedEvent):
            return await self._changed(outcome, claimed, job)
        now = host.world.now()
        target = await host.database.read(lambda db: reply_targets.get(db, job.key, now=now))
        got = await files.fetched(self, outcome, target=target, is_last=job.tries >= LOOKUP_TRIES)
        if isinstance(got, Retry):
            return got
        return Done(lambda db: self._store_message(db, got, job))

    def _refused(self, outcome: Rejected) -> Outcome:
        if outcome.temporary:
            return Retry(f"{outcome.code}: it cannot be known just now")
        if outcome.code in QUIET:
            log.info("%s: %s", self.name, outcome.code)
            return Done()
        hint = f": check the ids of {self.name} in the configuration" if outcome.code == "no-served-recipient" else ""
        return Dead(f"{outcome.code}{hint}")

    def _store_message(self, db: Connection, got: Received, job: StoredJob) -> None:
        """Stores a message that was made, unless it was deleted meanwhile."""
        host, [message] = self.host, got.messages
        if was_forgotten(db, got.native_id):
            reply_targets.remove(db, job.key)
            return
        due = store_received(db, got, host=host, transport=self.name)
        reply_targets.move(db, job.key, message.id, person=message.sender.address)
        if not due:
            self.dismiss_later(db, message)
        else:
            self.show_later(db, message)

    async def _changed(self, event: ReceivedEvent, claimed: Claimed, job: StoredJob) -> Outcome:
        """Applies an edit, a deletion or a reaction, behind the message that it is about."""
        app = (claimed.key or f" {self.app}").partition(" ")[2]
        keys = [self._job_key(_message_key(native_id, app)) for native_id in event.object_ids]
        if await self.are_open(keys, before=job):
            return Retry("its message is not made yet", WAIT_FOR_EARLIER)

        def store(db: Connection) -> None:
            for post in changes.apply(db, event, now=self.host.world.now()):
                self.withdraw_later(db, post)

        return Done(store)


def is_at(url: object, hosts: Collection[str]) -> TypeGuard[str]:
    """Whether something is an https URL on one of some hosts."""
    return isinstance(url, str) and urlsplit(url).scheme == "https" and urlsplit(url).hostname in hosts


def _message_key(native_id: str, app: str) -> str:
    """The key by which a message is claimed, whichever event brings it."""
    platform, _, own = native_id.partition(":")
    return " ".join(filter(None, (f"{platform}:message:{own}", app)))
