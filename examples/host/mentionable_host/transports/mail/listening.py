"""SMTP and LMTP as a server: aiosmtpd, with bounds on what peers may take of this machine.

A reply holds printable ASCII alone, whatever a peer sent. A mail with a line end other than CRLF is refused (RFC 5321
§2.3.8): programs that take such a line end for one would see other mails in it.
"""

from __future__ import annotations

import asyncio
import logging
import re
import ssl
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable
from ipaddress import ip_address, ip_network
from typing import Any, Final

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session
from attrs import define, field, frozen

from mentionable_host.transports.mail.data import TooLarge, read_data

__all__ = ["Connections", "LmtpServer", "Rules", "Sessions", "SmtpServer"]

log = logging.getLogger(__name__)

RECIPIENTS: Final = 100
"""So many a mail may have (RFC 5321 §4.5.3.1.8); all are one agent."""

SESSION_SECONDS: Final = 300
"""So long a peer may take for a command, and for a whole mail after DATA (RFC 5321 §4.5.3.2)."""

LINE_BYTES: Final = 65_536
"""Longer than RFC 5321 allows, as some programs write whole paragraphs as a line."""

LINES: Final = 1_000_000
"""So many a mail may have: empty ones at its beginning are read byte by byte."""

COMMANDS: Final = {"*": 100, "MAIL": 1_000, "RCPT": 10_000, "DATA": 1_000, "RSET": 1_000, "NOOP": 1_000}
"""So often each command may come on one connection."""

AT_ONCE: Final = 100
OF_AN_ADDRESS: Final = 10

BYTES_AT_ONCE: Final = 250_000_000
"""So much may be on its way in all mails together: they are in memory until they are stored."""

IPV6_NETWORK: Final = 64
"""A person has at least so many addresses of IPv6: they count as one."""

REPLY_BYTES: Final = 510
OF_SENDER: Final = "250 2.1.0 OK"
OF_RECIPIENT: Final = "250 2.1.5 OK"
_LATER: Final = (OF_SENDER, OF_RECIPIENT)
"""Replies that go out with the next one where more commands have come already (RFC 2920 §3.2)."""

_ATOM: Final = r"[\w!#$%&'*+/=?^`{|}~-]+"
_DOMAIN: Final = r"[\w-]+(?:\.[\w-]+)*"
_ADDRESS: Final = re.compile(rf"<({_ATOM}(?:\.{_ATOM})*@{_DOMAIN})>(?: (.*))?", re.ASCII | re.DOTALL).fullmatch
_UNPRINTABLE: Final = re.compile(rb"[^\x20-\x7e]")


@define
class Connections:
    """The connections that are open, in all and of each address, and what is in memory of their mails."""

    of_an_address: int | None = OF_AN_ADDRESS
    size: int = field(default=0, init=False)
    _counts: Counter[str] = field(factory=Counter, init=False)
    servers: set[SMTP] = field(factory=set, init=False)

    def enter(self, server: SMTP, peer: str) -> bool:
        """Counts a connection in; False: there are too many."""
        is_full = self.of_an_address is not None and self._counts[peer] >= self.of_an_address
        if len(self.servers) >= AT_ONCE or is_full:
            return False
        self.servers.add(server)
        self._counts[peer] += 1
        return True

    def leave(self, server: SMTP, peer: str) -> None:
        """Counts a connection out."""
        if server in self.servers:
            self.servers.remove(server)
            self._counts[peer] -= 1
            if not self._counts[peer]:
                del self._counts[peer]


@frozen(kw_only=True)
class Rules:
    """What a server asks about an envelope, and what takes a mail. Each gives a reply; None: nothing is wrong."""

    sender: Callable[[str], Awaitable[str | None]]
    recipient: Callable[[str], str | None]
    take: Callable[[bytes, str, tuple[str, ...]], Awaitable[str]]


class Sessions:
    """The handler of aiosmtpd: what its methods return is what the peer reads."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules

    async def handle_EHLO(
        self, server: SMTP, session: Session, envelope: Envelope, hostname: str, responses: list[str]
    ) -> list[str]:
        """Says what is offered: no AUTH, as this is no relay."""
        session.host_name = hostname
        offered = [line for line in responses if not line.startswith("250-AUTH")]
        return [*offered[:-1], "250-PIPELINING", *offered[-1:]]

    async def handle_MAIL(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """The sender of an envelope."""
        if not _is_clean(address):
            return "553 5.1.7 This address cannot be read"
        refusal = await self._rules.sender(address)
        if refusal is not None:
            return refusal
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return OF_SENDER

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """A recipient of an envelope."""
        if not _is_clean(address):
            return "553 5.1.3 This address cannot be read"
        if len(envelope.rcpt_tos) >= RECIPIENTS:
            return "452 4.5.3 Too many recipients"
        refusal = self._rules.recipient(address)
        if refusal is not None:
            return refusal
        envelope.rcpt_tos.append(address)
        return OF_RECIPIENT

    async def take(self, raw: bytes | TooLarge, envelope: Envelope) -> str:
        """A mail."""
        if raw == "mail":
            return "552 5.3.4 The mail is too large"
        if raw == "line":
            return "500 5.5.2 A line is too long"
        if not raw.count(b"\r\n") == raw.count(b"\n") == raw.count(b"\r"):
            return "554 5.6.0 A line ends in a bare CR or LF"
        return await self._rules.take(raw, envelope.mail_from or "", tuple(envelope.rcpt_tos))

    async def handle_exception(self, error: Exception) -> str:
        """A command that aiosmtpd cannot read."""
        log.info("a command cannot be read: %s", type(error).__name__)
        return "501 5.5.2 This command cannot be read"


class _Bounded(SMTP):
    """A session with bounds, and with replies that a peer cannot shape."""

    line_length_limit = LINE_BYTES

    def __init__(self, rules: Rules, connections: Connections, *, hostname: str, size: int, tls: ssl.SSLContext | None):
        self.command_size_limits = defaultdict(lambda: self.command_size_limit)  # else all sessions share one
        self._connections, self._peer, self._mail_bytes = connections, "", size
        self._size = self._lines = 0
        self._is_refused = self._is_ended = False
        self._replies: list[bytes] = []
        self._handler = Sessions(rules)
        super().__init__(
            self._handler,
            data_size_limit=size,
            enable_SMTPUTF8=True,
            hostname=hostname,
            ident="ready",
            tls_context=tls,
            timeout=SESSION_SECONDS,
            command_call_limit=COMMANDS,
            auth_exclude_mechanism=("LOGIN", "PLAIN"),
            loop=asyncio.get_running_loop(),
        )

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Lets a peer in, unless there are too many."""
        if self._original_transport is None and self.session is None:
            self._peer = _network(transport.get_extra_info("peername"))
            if not self._connections.enter(self, self._peer):
                self._is_refused = self._is_ended = True
                log.info("too many connections: one of %s is refused", self._peer)
                _end(transport, b"421 4.7.0 Too many connections: please come again later\r\n")
                return
        super().connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        """Ends the session; what was not taken by then is not stored."""
        self._connections.leave(self, self._peer)
        self._count(-self._size)
        if not self._is_refused and self.session is not None:
            super().connection_lost(error)

    def data_received(self, data: bytes) -> None:
        """Reads on, unless the peer was refused, or all mails together are too large."""
        if self._is_ended:
            return
        self._count(len(data))
        self._lines += data.count(b"\n")
        if self._lines > LINES and self.transport is not None:
            self._is_ended = True
            log.info("a mail of %s has too many lines", self._peer)
            _end(self.transport, b"552 5.3.4 Too many lines\r\n")
            return
        if self._size > LINE_BYTES and self._connections.size > BYTES_AT_ONCE and self.transport is not None:
            self._is_ended = True
            log.info("too much mail at once: that of %s is to come again", self._peer)
            _end(self.transport, b"421 4.3.1 Too much mail at once: please come again later\r\n")
            return
        super().data_received(data)

    def eof_received(self) -> bool | None:
        """The peer writes no more, and so waits for no reply."""
        return False if self._is_refused else super().eof_received()

    def _set_post_data_state(self) -> None:
        """What was read of a mail is not in memory any more."""
        self._count(-self._size)
        self._lines = 0
        super()._set_post_data_state()  # type: ignore[no-untyped-call]

    def _count(self, size: int) -> None:
        self._size += size
        self._connections.size += size

    async def push(self, status: str | bytes) -> None:
        """Writes a reply: lines of printable ASCII, whatever they repeat of what the peer wrote."""
        written = status if isinstance(status, bytes) else status.encode("ascii", "replace")
        self._replies += [_UNPRINTABLE.sub(b"?", line)[:REPLY_BYTES] for line in written.split(b"\r\n")]
        if status not in _LATER:
            await self._write_replies()
        elif len(self._replies) == 1:
            self.loop.call_soon(self._write_late)

    async def _write_replies(self) -> None:
        """Writes what is to be written."""
        replies, self._replies = self._replies, []
        await super().push(b"\r\n".join(replies))

    def _write_late(self) -> None:
        """Writes replies where nothing else came that has one."""
        replies, self._replies = self._replies, []
        if replies and self.transport is not None:
            self._writer.write(b"\r\n".join([*replies, b""]))

    def _getaddr(self, arg: str) -> tuple[str | None, str | None]:
        """The address and the parameters of MAIL and RCPT, as aiosmtpd reads them. Few need all of its grammar."""
        match = _ADDRESS(arg)
        return super()._getaddr(arg) if match is None else (match[1], (match[2] or "").lstrip())

    async def smtp_DATA(self, arg: str | None) -> None:
        """Takes a mail, as aiosmtpd does, which awaits each of its lines."""
        if await self.check_helo_needed() or self.session is None or self.envelope is None:
            return
        if not self.envelope.rcpt_tos:
            await self.push("503 5.5.1 RCPT must come before DATA")
            return
        if arg:
            await self.push("501 5.5.4 DATA has no argument")
            return
        await self.push("354 End the mail with a line that is a dot")
        raw = await read_data(self._reader, mail_bytes=self._mail_bytes, line_bytes=LINE_BYTES)
        envelope, reply = self.envelope, await self._handler.take(raw, self.envelope)
        self._set_post_data_state()
        await self.push("\r\n".join([reply] * self._replies_of(envelope)))

    def _replies_of(self, envelope: Envelope) -> int:
        """How many a mail gets: LMTP wants one for each recipient (RFC 2033 §4.2)."""
        return 1

    async def smtp_AUTH(self, arg: str) -> None:
        """Refuses every login."""
        await self.push("502 5.5.1 There is no AUTH here")

    async def smtp_VRFY(self, arg: str) -> None:
        """Says nothing about who is here (RFC 5321 §7.3)."""
        await self.push("252 2.5.0 Send a mail to find out")

    async def _handle_client(self) -> None:
        """A connection that ends, or a handshake that fails, ends the session and is no fault of this host."""
        try:
            await super()._handle_client()
        except Exception as error:
            log.info("a session of %s ends: %s", self._peer, type(error).__name__)
            transport = self.transport or self._original_transport
            if transport is not None:
                transport.close()


class SmtpServer(_Bounded):
    """A session of SMTP."""


class LmtpServer(_Bounded, LMTP):
    """A session of LMTP: after a mail it replies once for each recipient (RFC 2033 §4.2); all are one agent."""

    def _replies_of(self, envelope: Envelope) -> int:
        return len(envelope.rcpt_tos)


def _end(transport: asyncio.BaseTransport, reply: bytes) -> None:
    """Says why, and closes."""
    if hasattr(transport, "write"):  # that of uvloop is no `WriteTransport`
        transport.write(reply)
    transport.close()


def _is_clean(address: str) -> bool:
    """Whether an address is text, without controls and lone surrogates."""
    return address.isprintable()


def _network(peer: Any) -> str:
    """What counts as one address: an address of IPv4, a network of IPv6, or all peers of a socket on this machine."""
    if not isinstance(peer, tuple):
        return "local"
    address = ip_address(peer[0].partition("%")[0])
    return str(address if address.version == 4 else ip_network((address, IPV6_NETWORK), strict=False))
