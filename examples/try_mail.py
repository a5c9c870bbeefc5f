"""Mails the agent of smtp_hook.py as somebody whose domain signs, and prints what comes back; all on this machine.

Needs `pip install mentionable aiosmtpd dnspython`. Try it: `python try_mail.py "Will it rain?"`. With `--forged` one
byte of the mail is another one when it arrives, and nobody is answered.

Real are the two SMTP servers, the DNS server, the signatures and their verification on both sides. Not as on the
Internet is one thing: DNS is asked at a port of this machine, for the two domains of this file.
"""

import asyncio
import smtplib
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, chdir
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_bytes
from tempfile import TemporaryDirectory
from typing import Any

import dns.asyncresolver
import dns.message
import dns.rcode
import dns.rrset
from aiosmtpd.smtp import SMTP, Envelope, Session
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from mentionable import AsyncAnswers, Received, adrive, mail, plain_text
from mentionable.testing import Peer

ALICE, HELPER = Peer.mail("@alice@a.example"), "@helper@agents.example"


class Names(asyncio.DatagramProtocol):
    """A DNS server for a few TXT records."""

    def __init__(self, records: dict[str, str]) -> None:
        self.records = records

    def connection_made(self, transport: Any) -> None:
        """Keeps what answers go by."""
        self.transport = transport

    def datagram_received(self, data: bytes, peer: Any) -> None:
        """Answers one question."""
        query = dns.message.from_wire(data)
        response, name = dns.message.make_response(query), query.question[0].name
        found = self.records.get(name.to_text(omit_final_dot=True))
        if found is None:
            response.set_rcode(dns.rcode.NXDOMAIN)
        else:
            strings = " ".join(f'"{found[at : at + 255]}"' for at in range(0, len(found), 255))
            response.answer.append(dns.rrset.from_text(name, 60, "IN", "TXT", strings))
        self.transport.sendto(response.to_wire(), peer)


class Mailbox(asyncio.Queue[bytes]):
    """The handler of Alice's mail server: keeps what comes for her."""

    async def handle_DATA(self, server: SMTP, session: Session, smtp: Envelope) -> str:
        """Takes one mail."""
        await self.put(smtp.original_content or b"")
        return "250 2.0.0 OK"


def new_key() -> bytes:
    """An RSA key, which is what all verify."""
    key = rsa.generate_private_key(65537, 2048)
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def port_of(server: asyncio.Server) -> int:
    port: int = server.sockets[0].getsockname()[1]
    return port


@asynccontextmanager
async def names(records: dict[str, str]) -> AsyncIterator[None]:
    """From now on DNS is asked here."""
    loop, resolver = asyncio.get_running_loop(), dns.asyncresolver.Resolver(configure=False)
    transport, _ = await loop.create_datagram_endpoint(lambda: Names(records), ("127.0.0.1", 0))
    resolver.nameservers, resolver.port = ["127.0.0.1"], transport.get_extra_info("sockname")[1]
    dns.asyncresolver.default_resolver = resolver  # type: ignore[assignment]
    try:
        yield
    finally:
        transport.close()


def send(raw: bytes, port: int) -> str:
    """What the agent's server says to a mail from Alice."""
    with smtplib.SMTP("127.0.0.1", port, "mx.a.example") as client:
        client.ehlo()
        client.mail("alice@a.example")
        client.rcpt("helper@agents.example")
        code, words = client.data(raw)
    return f"{code} {words.decode()}"


async def exchange(text: str, *, forged: bool) -> int:
    """One mail and its answer: 0 when there was one, and it is from whom it says."""
    import smtp_hook  # reads its key

    records = {smtp_hook.KEY.key_id: mail.dkim_record(smtp_hook.KEY)}
    records |= {row.removeprefix("TXT "): found[0] for row, found in ALICE.lookups.items()}
    raw, mailbox = ALICE.write(text, to=HELPER, subject="A question", now=datetime.now(UTC)), Mailbox()
    hers = await asyncio.get_running_loop().create_server(lambda: SMTP(mailbox), "127.0.0.1", 0)
    smtp_hook.RELAY = ("127.0.0.1", port_of(hers))
    if forged:
        raw = raw.replace(b"Subject: A", b"Subject: B")
    async with names(records), hers, await smtp_hook.serve(0) as agents:
        print(f"alice@a.example writes to helper@agents.example: {text}")
        print(f"The agent's server says: {await asyncio.to_thread(send, raw, port_of(agents))}")
        if mailbox.empty():
            print("No answer came.")
            return 1
        lookups = AsyncAnswers(lookup_txt=smtp_hook.lookup_txt)
        flow = mail.receive(
            await mailbox.get(), recipient=ALICE.address, now=datetime.now(UTC), entropy=token_bytes(32)
        )
        got = await adrive(flow, lookups)
    if not isinstance(got, Received) or not got.message.sender.verified:
        print("An answer came that nobody signed.")
        return 1
    print(f"{got.message.sender.address} ({got.verdict.method}) answers {got.message.in_reply_to}:")
    print(plain_text(got.message))
    return 0


def main(words: list[str]) -> int:
    if {"-h", "--help"} & set(words):
        print(__doc__)
        return 0
    text = " ".join(word for word in words if word != "--forged") or "Will it rain?"
    with TemporaryDirectory() as folder, chdir(folder):
        Path("agent.pem").write_bytes(new_key())
        return asyncio.run(exchange(text, forged="--forged" in words))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
