"""People who write signed mail, and mail servers of theirs on this machine."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

from aiosmtpd.smtp import SMTP
from aiosmtplib import SMTP as Client
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from mentionable import Failed
from mentionable.testing import Peer

from mentionable_host.store import jobs
from mentionable_host.store.rows import value_of
from mentionable_host.store.tables import jobs as job_table
from mentionable_host.world.world import Place

ALICE = Peer.mail("@alice@a.example")
HELPER = "@helper@agents.example"


def publish(world, *people):
    """Has the world know the keys of people."""
    for person in people or (ALICE,):
        for name, records in person.lookups.items():
            world.txt[name.removeprefix("TXT ")] = [record.encode() for record in records]


def place_at(world, port, *names):
    """Has names lead to a port of this machine."""

    async def places(host: str, asked: int) -> list[Place] | Failed:
        return [("127.0.0.1", port)] if host in names else Failed(f"{host} is not there")

    world.places = places


class Mailbox:
    """A mail server of others: keeps what comes, and says what it is told to say."""

    def __init__(self, *, tls: ssl.SSLContext | None = None, utf8: bool = True) -> None:
        self.mails: list[tuple[str, tuple[str, ...], bytes]] = []
        self.is_encrypted: list[bool] = []
        self.to_recipient: Callable[[str], str | None] = lambda mailbox: None
        self.to_data: list[str] = []
        self._tls, self._utf8, self.port = tls, utf8, 0

    async def handle_RCPT(self, server, session, envelope, address, options):
        refusal = self.to_recipient(address)
        if refusal is None:
            envelope.rcpt_tos.append(address)
        return refusal or "250 2.1.5 OK"

    async def handle_DATA(self, server, session, envelope):
        reply = self.to_data.pop(0) if self.to_data else "250 2.0.0 OK"
        self.is_encrypted.append(session.ssl is not None)
        self.mails.append((envelope.mail_from, tuple(envelope.rcpt_tos), envelope.original_content))
        return reply

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[Mailbox]:
        loop = asyncio.get_running_loop()

        def protocol():
            facts = {"enable_SMTPUTF8": self._utf8, "hostname": "mx.a.example", "tls_context": self._tls}
            return SMTP(self, loop=loop, **facts)

        server = await loop.create_server(protocol, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        async with server:
            yield self


async def client(port: int) -> Client:
    """A client that has said EHLO."""
    opened = Client(hostname="127.0.0.1", port=port, local_hostname="mx.a.example", start_tls=False, timeout=5)
    await opened.connect()
    await opened.ehlo()
    return opened


async def until(look, *, seconds=30):
    """What `look` finds, as soon as it finds something."""
    async with asyncio.timeout(seconds):
        while not (found := await look()):
            await asyncio.sleep(0.01)
    return found


async def ended_jobs(host, kind):
    """The jobs of a kind that are done or dead."""
    return [one for one in await all_jobs(host, kind) if one.state in ("done", "dead")]


async def all_jobs(host, kind):
    """The jobs of a kind."""
    rows = job_table.select().where(job_table.c.kind == kind).order_by(job_table.c.number)
    return await host.database.read(lambda db: [value_of(jobs.StoredJob, row) for row in db.execute(rows).mappings()])


def certificate(folder: Path, name: str) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """A server's context with a certificate of a name, and that of a client who trusts it."""
    key, subject = ec.generate_private_key(ec.SECP256R1()), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(datetime(2020, 1, 1, tzinfo=UTC))
        .not_valid_after(datetime(2120, 1, 1, tzinfo=UTC))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = folder / f"{name}.pem"
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    pem.write_bytes(made.public_bytes(Encoding.PEM) + private)
    server = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    server.load_cert_chain(pem)
    return server, ssl.create_default_context(cafile=pem)
