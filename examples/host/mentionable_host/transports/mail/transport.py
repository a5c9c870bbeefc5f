"""E-mail as a transport: listens for it, answers it, and brings its answers to the servers of others."""

from __future__ import annotations

import asyncio
import logging
import os
import ssl
from collections.abc import Mapping
from contextlib import suppress
from functools import cached_property, partial
from typing import TYPE_CHECKING, ClassVar, Final

from mentionable import (
    Address,
    Limits,
    NormalizedMessage,
    NormalizedResponse,
    UsageError,
    mail,
)
from sqlalchemy import Connection

from mentionable_host.config import ConfigError, secret
from mentionable_host.first_contact import begin, in_own_thread, write
from mentionable_host.queue.outcome import Handler
from mentionable_host.store import blocks, mailings
from mentionable_host.store.database import StoreUnavailable
from mentionable_host.transports.mail import receiving
from mentionable_host.transports.mail.deliveries import DELIVER, deliver, enqueue
from mentionable_host.transports.mail.listening import Connections, LmtpServer, Rules, SmtpServer
from mentionable_host.transports.mail.sending import Relay
from mentionable_host.transports.sections import MailSettings
from mentionable_host.transports.transport import Reply, Transport

if TYPE_CHECKING:
    from mentionable_host.host import Host

__all__ = ["Mail"]

log = logging.getLogger(__name__)

SOCKET_MODE: Final = 0o666
"""Who is on this machine may bring mail by the socket, as they may by a port: signatures say who it is from."""

STOP_SECONDS: Final = 5


class Mail(Transport):
    """Mail by SMTP and LMTP.

    Those who have an own server of mail call `receive` with what came, and need no `start`.

    Attributes:
        settings: What the library receives and writes with.
        relay: The server that passes mail on; None: the servers of each domain.
        ports: Where it listens, of those that are ports: `smtp` and `lmtp`.
    """

    name: ClassVar[str] = "email"

    def __init__(self, host: Host) -> None:
        """Opens nothing.

        Raises:
            ConfigError: The relay or the certificate is none.
        """
        super().__init__(host)
        self.config = host.config.mail or MailSettings()
        self.settings = mail.Settings(
            key=host.keys.mail,
            require_verified=not self.config.unverified,
            use_once=True,
            trusted_arc_sealers=self.config.trusted_forwarders,
        )
        written = secret(self.config.relay, folder=host.config.folder)
        self.relay = None if written == "direct" else Relay.parse(written)
        self.hostname = self.config.hostname or host.config.agent.domain
        self.ports: dict[str, int] = {}
        self._tls = self._certificate()
        self._listening: list[asyncio.Server] = []
        self._connections: list[Connections] = []

    @cached_property
    def verified_tls(self) -> ssl.SSLContext:
        """Verifies the certificates of servers that must have one. To read those of the authorities takes a moment."""
        return ssl.create_default_context()

    def handlers(self) -> Mapping[str, Handler]:
        """Brings mails to a server."""
        return {DELIVER: partial(deliver, self)}

    async def receive(self, raw: bytes, *, mail_from: str, rcpt_to: tuple[str, ...]) -> str:
        """Takes a mail that came by a server of your own.

        Args:
            raw: The mail as it came, byte for byte.
            mail_from: The reverse path, without `<>`; empty: bounces have none.
            rcpt_to: The mailboxes that it is delivered to here.

        Returns:
            The reply for the peer. `250 …`: it is stored. `4…`: it is to be sent again. `5…`: it is refused.
        """
        envelope = mail.Envelope(mail_from=mail_from, rcpt_to=rcpt_to)
        return await receiving.receive(self.host, raw, envelope, settings=self.settings, transport=self.name)

    async def start(self) -> None:
        """Listens, where the configuration says so.

        Raises:
            ConfigError: It cannot listen there.
        """
        logging.getLogger("mail.log").setLevel(logging.ERROR)  # aiosmtpd writes there whatever peers send, as it is
        for name, place in (("smtp", self.config.smtp), ("lmtp", self.config.lmtp)):
            if place:
                await self._listen(name, place)

    async def stop(self) -> None:
        """Listens no more. Who is in the middle of a mail sends it again."""
        for server in self._listening:
            server.close()
        ending = []
        for session in [one for connections in self._connections for one in connections.servers]:
            abort = getattr(session.transport, "abort", None)  # all have it that are for writing
            if abort is not None:
                with suppress(AttributeError):  # asyncio of Python 3.11.2 raises it where TLS has ended already
                    abort()
            ending += [session._handler_coroutine] if session._handler_coroutine is not None else []
        if ending:
            await asyncio.wait(ending, timeout=STOP_SECONDS)
        self._listening.clear()
        self._connections.clear()

    async def reply(self, response: NormalizedResponse, *, to: NormalizedMessage) -> Reply:
        """The answer as a signed mail, and a job for each domain that it goes to.

        Raises:
            UnanswerableError: A program or a list wrote, or there is no private way for what is private.
            UsageError: The answer breaks a rule of mail.
        """
        now, entropy = self.host.world.now(), self.host.world.entropy()
        out = mail.reply(response, to=to, now=now, entropy=entropy, settings=self.settings)
        own = in_own_thread(to, out.native_id)
        return Reply(native_ids=(out.native_id,), store=lambda db: self._enqueue(db, out, to=own))

    async def first_contact(self, address: str, response: NormalizedResponse | str, *, subject: str = "") -> str:
        """Mails somebody who did not write before. What they answer is in the thread that this begins.

        Args:
            address: The recipient: `@alice@a.example`, or a mailbox.
            response: What to say; a string is Markdown.
            subject: The subject.

        Returns:
            The thread. The mail is stored and will be sent.

        Raises:
            UsageError: The address is none, or the response breaks a rule of mail.
            StoreUnavailable: Nothing is stored and nothing sent.
        """
        first = begin(self.host, Address(address), channel="email", subject=subject)
        written = await write(self.host, response, to=first)
        await self.host.database.write(lambda db: written.store(db, now=self.host.world.now()))
        self.host.wake()
        return written.to.thread_id

    def _enqueue(self, db: Connection, out: mail.Outgoing, *, to: NormalizedMessage) -> None:
        """Stores a mail that is to be sent, and its jobs."""
        now = self.host.world.now()
        facts = {"message_id": to.id, "thread_id": to.thread_id, "person": to.sender.address}
        rcpt_to = mailings.put(db, out.native_id, out.rcpt_to, now=now, **facts)
        for mailbox in set(out.rcpt_to) - set(rcpt_to):
            log.warning("%s is not sent to %r: earlier mail of the thread bounced", out.native_id, mailbox)
        enqueue(db, out, rcpt_to, to=to, relay=self.relay, now=now)

    async def _listen(self, name: str, place: str) -> None:
        """Listens at a port or a socket."""
        is_smtp, loop = name == "smtp", asyncio.get_running_loop()
        connections = Connections() if is_smtp else Connections(of_an_address=None)  # one MTA brings all
        kind = SmtpServer if is_smtp else LmtpServer
        rules = Rules(sender=self._check_sender, recipient=self._check_recipient, take=self._take)

        def protocol() -> asyncio.Protocol:
            return kind(rules, connections, hostname=self.hostname, size=Limits().mail_bytes, tls=self._tls)

        try:
            if place.startswith("/"):
                server = await loop.create_unix_server(protocol, place)
                os.chmod(place, SOCKET_MODE)
            else:
                where, _, port = place.rpartition(":")
                server = await loop.create_server(protocol, where.strip("[]") or None, int(port))
                self.ports[name] = server.sockets[0].getsockname()[1]
        except (OSError, ValueError) as error:
            raise ConfigError(
                f"mail.{name} is {place!r}, where nothing can listen: {error}\n"
                f"Another program may listen there, perhaps another agent: write another port to mail.{name}."
            ) from error
        self._listening.append(server)
        self._connections.append(connections)

    async def _check_sender(self, mailbox: str) -> str | None:
        """Refuses who is blocked before a mail is read."""
        if mailbox in ("", "<>"):
            return None
        try:
            address = Address(mailbox)
        except UsageError:
            return None  # what From says decides
        try:
            is_unwanted = await self.host.database.look(lambda db: blocks.is_blocked(db, blocks.targets(address)))
        except StoreUnavailable:
            return receiving.AGAIN
        return "550 5.7.1 Mail from here is not wanted" if is_unwanted else None

    def _check_recipient(self, mailbox: str) -> str | None:
        """Refuses mail that is for others."""
        agent = self.host.config.agent
        if receiving.agent_of(agent, mailbox) is not None:
            return None
        if mailbox.rpartition("@")[2].casefold() == agent.domain.casefold():
            return "550 5.1.1 There is no such mailbox here"
        return "550 5.7.1 No mail is passed on here"

    async def _take(self, raw: bytes, mail_from: str, rcpt_to: tuple[str, ...]) -> str:
        return await self.receive(raw, mail_from=mail_from, rcpt_to=rcpt_to)

    def _certificate(self) -> ssl.SSLContext | None:
        """What STARTTLS is offered with."""
        if not self.config.certificate:
            return None
        context, folder = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH), self.host.config.folder
        key = self.config.certificate_key and folder / self.config.certificate_key
        try:
            context.load_cert_chain(folder / self.config.certificate, key or None)
        except OSError as error:  # ssl.SSLError is one
            raise ConfigError(f"mail.certificate cannot be used: {error}") from error
        return context
