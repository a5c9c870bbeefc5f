"""What every transport of the host has, and every other service."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar

from attrs import field, frozen
from mentionable import Fetched, HttpRequest, NormalizedMessage, NormalizedResponse
from sqlalchemy import Connection
from starlette.routing import BaseRoute

from mentionable_host.queue.outcome import GivenUp, Handler
from mentionable_host.store import messages

if TYPE_CHECKING:
    from mentionable_host.host import Host

__all__ = ["Reply", "Service", "Transport", "Written"]


@frozen(kw_only=True)
class Reply:
    """An answer as a transport writes it.

    Attributes:
        native_ids: The ids under which the peer knows it, so that replies to it are found.
        store: Stores its deliveries and documents, in the transaction that stores the answer itself.
    """

    native_ids: tuple[str, ...] = ()
    store: Callable[[Connection], object] = field()


@frozen(kw_only=True)
class Written:
    """An answer, and how a transport has written it.

    Attributes:
        response: The answer.
        to: What it answers.
        transport: The name of the transport.
        reply: The answer as the transport wrote it.
    """

    response: NormalizedResponse
    to: NormalizedMessage
    transport: str
    reply: Reply

    def store(self, db: Connection, *, now: datetime) -> None:
        """Stores the answer, the ids under which replies to it come, and what its transport delivers."""
        native_ids = self.reply.native_ids
        messages.put_answer(db, self.response, to=self.to, transport=self.transport, now=now, native_ids=native_ids)
        self.reply.store(db)


class Service:
    """Something that the host serves: pages, documents, or a transport."""

    name: ClassVar[str]
    """Of a transport, as in the column `transport` of a message."""

    def __init__(self, host: Host) -> None:
        """Opens nothing."""
        self.host = host

    def routes(self) -> Sequence[BaseRoute]:
        """What it serves over HTTP; Starlette's, so FastAPI takes them too."""
        return ()

    def handlers(self) -> Mapping[str, Handler]:
        """Kind of job → what does it."""
        return {}

    def on_give_up(self) -> Mapping[str, GivenUp]:
        """Kind of job → what follows where it is tried no more."""
        return {}

    def describe(self) -> Mapping[str, Any]:
        """Members of the agent card that say how the agent is reached here: `a2a`, `activitypub` or `rest` → a section.

        `Discovery` makes the card of them, and the WebFinger that leads to it.
        """
        return {}

    def forget(self, db: Connection, address: str) -> None:
        """Takes back what went to a person and forgets what is stored of them for this transport alone.

        Args:
            db: The transaction in which they are forgotten, before their messages are.
            address: Their address.
        """

    async def own_document(self, url: str) -> Fetched | None:
        """A document of this host's own, which is not fetched over the network."""
        return None

    def sign(self, request: HttpRequest) -> HttpRequest | None:
        """A GET of ours, signed, for servers that answer no other; None where this transport signs none."""
        return None

    def release(self) -> None:
        """Ends connections that have no end of their own, before a server stops."""

    async def start(self) -> None:
        """Begins to listen where HTTP is not enough."""

    async def stop(self) -> None:
        """Ends what `start` began."""


class Transport(Service, ABC):
    """A way for messages to come and go."""

    async def show(self, frame: NormalizedResponse, *, to: NormalizedMessage) -> None:
        """Shows a frame of an answer that is still being made, where the transport can. It is not stored here."""

    def silence(self, db: Connection, message: NormalizedMessage, *, is_canceled: bool) -> None:
        """Stores that a message gets no answer, where somebody waits for it.

        Args:
            db: The transaction in which the job of the answer ends.
            message: The message.
            is_canceled: Whether its turn was canceled, or its sender blocked; else the agent says nothing.
        """

    def give_up(self, db: Connection, message: NormalizedMessage) -> None:
        """Stores that no answer to a message will come, where somebody waits for it.

        Args:
            db: The transaction in which the job of the answer is given up.
            message: The message.
        """

    async def working(self, *, to: NormalizedMessage) -> None:
        """Shows that somebody works on an answer, where the transport can: that the agent types."""

    def repeatable(self, message: NormalizedMessage) -> NormalizedMessage:
        """A message, ready to be repeated under another id in a turn that goes on with a receipt."""
        return message

    @abstractmethod
    async def reply(self, response: NormalizedResponse, *, to: NormalizedMessage) -> Reply:
        """An answer, ready to be stored and delivered.

        Raises:
            UnanswerableError: There is no way to say this to this person here.
            UsageError: The answer breaks the rules of the transport: a fault of the agent.
        """

    async def write(self, response: NormalizedResponse, *, to: NormalizedMessage) -> Written:
        """An answer, ready to be stored together with all that its delivery needs.

        Raises:
            UnanswerableError: As `reply` does.
            UsageError: As `reply` does.
        """
        return Written(response=response, to=to, transport=self.name, reply=await self.reply(response, to=to))
