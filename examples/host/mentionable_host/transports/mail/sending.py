"""One session of SMTP with a server of others: what it says about each recipient of a mail."""

from __future__ import annotations

import asyncio
import logging
import re
import ssl
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from typing import Final
from urllib.parse import unquote, urlsplit

from aiosmtplib import SMTP, SMTPDataError, SMTPException, SMTPResponse
from attrs import field, frozen

from mentionable_host.config import ConfigError
from mentionable_host.world.egress import is_loopback

__all__ = ["Letter", "Relay", "Server", "Undeliverable", "Unreachable", "send"]

log = logging.getLogger(__name__)

CONNECT_SECONDS: Final = 30
COMMAND_SECONDS: Final = 120
SESSION_SECONDS: Final = 600
"""So long a whole session may take; a mail that is not taken by then is sent again (RFC 5321 §4.5.3.2)."""

REPLY_LENGTH: Final = 300
_PORTS: Final = {"smtp": 587, "smtps": 465}
_UNSAFE: Final = re.compile(r"[\x00-\x20<>\x7f]")


class Unreachable(Exception):
    """No mail could be brought to this server. Another one, or a later try, may do better."""


class Undeliverable(Exception):
    """The server can never take this mail."""


@frozen(kw_only=True)
class Letter:
    """A mail as it is sent: the very same bytes each time."""

    native_id: str
    mail_from: str
    smtputf8: bool
    data: bytes = field(repr=False)


@frozen(kw_only=True)
class Server:
    """A server that takes mail.

    Attributes:
        name: Its name, which its certificate has.
        host: Where to connect: an address, where its name was looked up before.
        port: The port.
        tls: `required`: with a certificate of its name. `tried`: where it offers it, of any name. `whole`: as
            `required`, from the first byte. `none`.
        user: Who logs in; None: no one does.
        password: Their password.
    """

    name: str
    host: str
    port: int
    tls: str
    user: str | None = None
    password: str | None = field(default=None, repr=False)


@frozen(kw_only=True)
class Relay:
    """The server that passes mail on."""

    server: Server

    @classmethod
    def parse(cls, url: str) -> Relay:
        """The relay of a URL: `smtp://user:password@host:port`, or `smtps://…`.

        Without TLS it may be on this machine alone.

        Raises:
            ConfigError: The URL is none.
        """
        try:
            parsed = urlsplit(url)
            host, port = parsed.hostname, parsed.port
        except ValueError:
            host = port = None
        if host is None or parsed.scheme not in _PORTS:
            raise ConfigError("mail.relay is no URL: write smtp://user:password@host:port, smtps://…, or direct")
        tls = "whole" if parsed.scheme == "smtps" else "none" if is_loopback(host) else "required"
        user, password = (None if one is None else unquote(one) for one in (parsed.username, parsed.password))
        if tls == "none" and port is None:
            port = 25
        return cls(
            server=Server(
                name=host, host=host, port=port or _PORTS[parsed.scheme], tls=tls, user=user, password=password
            )
        )


async def send(
    letter: Letter, recipients: Sequence[str], *, server: Server, hostname: str, verified: ssl.SSLContext
) -> dict[str, SMTPResponse]:
    """Brings a mail to a server: recipient → what it replied for them, `250` where it took the mail for them.

    Args:
        letter: The mail.
        recipients: Their mailboxes.
        server: The server.
        hostname: What this host calls itself.
        verified: Verifies certificates.

    Raises:
        Unreachable: It is not there, does not answer, or has no TLS where it must.
        Undeliverable: It cannot take this mail.
    """
    if any(_UNSAFE.search(mailbox) for mailbox in (letter.mail_from, *recipients)):
        raise Undeliverable("an address has a space or a control character")
    try:
        async with asyncio.timeout(SESSION_SECONDS):
            try:
                return await _session(letter, recipients, server=server, hostname=hostname, verified=verified)
            except ssl.SSLError as error:
                if server.tls != "tried":
                    raise
                log.info("%s offers TLS that does not work, so it is done without: %s", server.name, error)
            plain = Server(name=server.name, host=server.host, port=server.port, tls="none")
            return await _session(letter, recipients, server=plain, hostname=hostname, verified=verified)
    except (SMTPException, OSError) as error:  # a time-out and an ssl.SSLError are OSErrors
        words = f"{type(error).__name__}: {error}".strip(": ")
        raise Unreachable(f"{server.name}: {words[:REPLY_LENGTH]}") from error


async def _session(
    letter: Letter, recipients: Sequence[str], *, server: Server, hostname: str, verified: ssl.SSLContext
) -> dict[str, SMTPResponse]:
    client = SMTP(
        hostname=server.host,
        port=server.port,
        local_hostname=hostname,
        timeout=COMMAND_SECONDS,
        start_tls=False,
        use_tls=server.tls == "whole",
        tls_context=verified if server.tls == "whole" else None,
    )
    try:
        await client.connect(timeout=CONNECT_SECONDS)
        await client.ehlo()
        await _secure(client, server, verified=verified)
        if server.user is not None:
            await client.login(server.user, server.password or "")
        if letter.smtputf8 and not client.supports_extension("smtputf8"):
            raise Undeliverable(f"{server.name} cannot write to a mailbox that is not ASCII (no SMTPUTF8)")
        replies = await _transaction(client, letter, recipients)
        with suppress(SMTPException, OSError):
            await client.quit(timeout=CONNECT_SECONDS)
        return replies
    finally:
        client.close()


async def _secure(client: SMTP, server: Server, *, verified: ssl.SSLContext) -> None:
    """Begins TLS, where it must be or can be."""
    if server.tls in ("none", "whole"):
        return
    if not client.supports_extension("starttls"):
        if server.tls == "required":
            raise Unreachable(f"{server.name} offers no TLS, which it must")
        return
    context = verified if server.tls == "required" else _unverified()
    try:
        await client.starttls(server_hostname=server.name, tls_context=context)
    except (SMTPException, OSError) as error:  # a refusal, or a connection that ends
        raise ssl.SSLError(f"{type(error).__name__}: {error}") from error
    await client.ehlo()


async def _transaction(client: SMTP, letter: Letter, recipients: Sequence[str]) -> dict[str, SMTPResponse]:
    """MAIL, RCPT and DATA."""
    options = [f"SIZE={len(letter.data)}".encode()] if client.supports_extension("size") else []
    options += [b"SMTPUTF8"] if letter.smtputf8 else []
    begun = await client.execute_command(b"MAIL", b"FROM:<%s>" % letter.mail_from.encode(), *options)
    if not _is_taken(begun):
        return dict.fromkeys(recipients, begun)
    replies = {one: await client.execute_command(b"RCPT", b"TO:<%s>" % one.encode()) for one in recipients}
    accepted = [mailbox for mailbox, reply in replies.items() if _is_taken(reply)]
    if not accepted:
        return replies
    try:
        ended = await client.data(letter.data, timeout=SESSION_SECONDS)
    except SMTPDataError as error:
        is_refusal = 400 <= error.code < 600  # else the mail was perhaps not even asked for
        ended = SMTPResponse(error.code if is_refusal else 451, error.message)
    return replies | dict.fromkeys(accepted, ended)


def _is_taken(reply: SMTPResponse) -> bool:
    """Whether a command did what it was to do (RFC 5321 §4.2.1)."""
    return 200 <= reply.code < 300


@cache
def _unverified() -> ssl.SSLContext:
    """TLS with whoever is there: better than none (RFC 7435). No certificates of authorities are read for it."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context
