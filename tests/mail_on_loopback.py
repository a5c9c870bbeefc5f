"""Mail on loopback: SMTP in and out, zones of DNS, and dkimpy at the other end; for tests of examples."""

from __future__ import annotations

import asyncio
import email
import email.policy
import smtplib
import threading
from contextlib import contextmanager
from email.message import EmailMessage
from queue import Queue
from typing import TYPE_CHECKING, Any

import dkim
from aiosmtpd.smtp import SMTP

from mentionable import SigningKey, mail
from tests.test_examples import pem

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

ALICE, HELPER = "alice@a.example", "helper@agents.example"
AGENT_KEY = "2026._domainkey.agents.example"


@contextmanager
def listening(serve: Callable[[], Awaitable[asyncio.Server]]) -> Iterator[int]:
    """Runs a server in a thread and a loop of its own; gives its port."""
    found: Queue[tuple[int, Callable[[], object]]] = Queue()

    async def run() -> None:
        stopping, loop = asyncio.Event(), asyncio.get_running_loop()
        async with await serve() as server:
            found.put((server.sockets[0].getsockname()[1], lambda: loop.call_soon_threadsafe(stopping.set)))
            await stopping.wait()

    thread = threading.Thread(target=asyncio.run, args=(run(),))
    thread.start()
    port, stop = found.get(timeout=10)
    try:
        yield port
    finally:
        stop()
        thread.join(10)


class Mailbox:
    """Alice's mail server: keeps what comes, and first says its refusals, one a mail."""

    def __init__(self) -> None:
        self.mails: list[Any] = []
        self.refusals: list[str] = []
        self.is_full = threading.Semaphore(0)

    async def handle_DATA(self, server: object, session: object, smtp: Any) -> str:
        if self.refusals:
            return self.refusals.pop()
        self.mails.append(smtp)
        self.is_full.release()
        return "250 2.0.0 OK"

    async def serve(self) -> asyncio.Server:
        loop = asyncio.get_running_loop()
        return await loop.create_server(lambda: SMTP(self, enable_SMTPUTF8=True), "127.0.0.1", 0)

    def next(self) -> tuple[Any, EmailMessage]:
        """The next mail, as SMTP brought it and as it is read."""
        assert self.is_full.acquire(timeout=10), "no mail came"
        smtp = self.mails.pop(0)
        return smtp, email.message_from_bytes(smtp.original_content, policy=email.policy.default)  # type: ignore[return-value]


def zone(keys: dict[str, str]) -> str:
    """A zone file with these TXT records."""
    lines = ["$ORIGIN example.", "$TTL 60", "@ IN SOA ns.example. root.example. 1 3600 600 86400 60", "@ IN NS ns"]
    for name, record in keys.items():
        strings = " ".join(f'"{record[at : at + 200]}"' for at in range(0, len(record), 200))
        lines.append(f"{name}. IN TXT {strings}")
    return "\n".join(lines) + "\n"


def records() -> dict[str, str]:
    """What the domains publish. They share a key, since making one takes long."""
    names = (AGENT_KEY, "s1._domainkey.a.example", "s1._domainkey.xn--r8jz45g.example")
    return {name: mail.dkim_record(SigningKey.from_pem(pem(), key_id=name)) for name in names}


def written(text: str, *, number: str, to: str = HELPER, **fields: str) -> bytes:
    """A mail from Alice, signed with dkimpy."""
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = f"Alice <{ALICE}>", to, "Rain"
    message["Message-ID"] = f"<{number}@a.example>"
    for name, value in fields.items():
        message[name.replace("_", "-")] = value
    message.set_content(text)
    raw = message.as_bytes(policy=email.policy.SMTP)
    signature: bytes = dkim.sign(raw, b"s1", b"a.example", pem(), include_headers=[b"From", b"To", b"Subject"])
    return signature + raw


def sent(raw: bytes, port: int, *, to: str = HELPER, mail_from: str = ALICE) -> tuple[int, str]:
    """What a server says to a mail, from Alice where nothing else is said."""
    with smtplib.SMTP("127.0.0.1", port, "mx.a.example", timeout=10) as client:
        client.ehlo()
        client.mail(mail_from, [] if mail_from.isascii() else ["SMTPUTF8"])
        client.rcpt(to)
        code, words = client.data(raw)
    return code, words.decode()


def is_signed(raw: bytes, known: dict[str, str]) -> bool:
    """Whether dkimpy finds that it is signed by its domain."""
    return bool(dkim.verify(raw, dnsfunc=lambda name, timeout: known[name.decode().rstrip(".")].encode()))


def bounce(answer: str) -> bytes:
    """What a mail server writes, unsigned, when Alice's mailbox is gone."""
    head = "From: mailer-daemon@mx.example\r\nTo: helper@agents.example\r\nMIME-Version: 1.0\r\n"
    kind = "Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n"
    status = "--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example\r\n\r\n"
    failed = f"Final-Recipient: rfc822; {ALICE}\r\nAction: failed\r\nStatus: 5.1.1\r\n"
    fields = f"--b\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: {answer}\r\n--b--\r\n"
    return (head + kind + status + failed + fields).encode()
