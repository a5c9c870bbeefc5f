"""A DNS server and web servers on loopback that do what tests tell them. 127.0.0.2 and up count as public there."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import dns.flags
import dns.message
import dns.rcode
import dns.rrset
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from mentionable import is_public_address

from mentionable_host.world.dns import DnsClient, system_resolver
from mentionable_host.world.internet import Internet

PUBLIC = "127.0.0.2"
OTHER = "127.0.0.3"


def is_public(ip: str) -> bool:
    """Loopback addresses but the usual one count as public in tests; the rest is as it is."""
    return is_public_address(ip) or ip in (PUBLIC, OTHER)


class DnsServer(asyncio.DatagramProtocol):
    """Answers from a table; a name with several answers gives one after the other, the last one for ever."""

    def __init__(self) -> None:
        self.table: dict[tuple[str, str], list[list[str]]] = {}
        self.rcodes: dict[str, str] = {}
        self.asked: list[tuple[str, str]] = []
        self.ttl = 1
        self.spoil: Callable[[dns.message.Message], list[bytes]] | None = None
        self.port = 0

    def add(self, name: str, kind: str, *answers: list[str]) -> None:
        self.table[name, kind] = list(answers)

    def answer(self, wire: bytes, *, tcp: bool) -> list[bytes]:
        query = dns.message.from_wire(wire)
        question = query.question[0]
        name, kind = question.name.to_text(omit_final_dot=True).lower(), dns.rdatatype.to_text(question.rdtype)
        self.asked.append((name, kind))
        response = dns.message.make_response(query)
        response.flags |= dns.flags.RA
        if name in self.rcodes:
            response.set_rcode(dns.rcode.from_text(self.rcodes[name]))
            return [response.to_wire()]
        if not any(known == name for known, _ in self.table):
            response.set_rcode(dns.rcode.NXDOMAIN)
        owner = name
        for _ in range(40):
            answers = self.table.get((owner, kind))
            alias = self.table.get((owner, "CNAME"))
            if answers is not None:
                rows = answers[0] if len(answers) == 1 else answers.pop(0)
                if rows:
                    response.answer.append(dns.rrset.from_text_list(f"{owner}.", self.ttl, "IN", kind, rows))
                break
            if alias is None:
                break
            response.answer.append(dns.rrset.from_text(f"{owner}.", self.ttl, "IN", "CNAME", alias[0][0]))
            owner = alias[0][0].rstrip(".")
        if self.spoil is not None:
            return self.spoil(response)
        whole = response.to_wire(max_size=65_535)
        if not tcp and len(whole) > 1232:
            response.answer.clear()
            response.flags |= dns.flags.TC
            return [response.to_wire()]
        return [whole]

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        for one in self.answer(data, tcp=False):
            self.transport.sendto(one, addr)

    async def _stream(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            size = int.from_bytes(await reader.readexactly(2))
            for one in self.answer(await reader.readexactly(size), tcp=True):
                writer.write(len(one).to_bytes(2) + one)
            await writer.drain()
        finally:
            writer.close()

    async def __aenter__(self) -> DnsServer:
        for _ in range(20):  # until a port is free for both
            self._tcp = await asyncio.start_server(self._stream, "127.0.0.1", 0)
            self.port = self._tcp.sockets[0].getsockname()[1]
            try:
                await asyncio.get_running_loop().create_datagram_endpoint(lambda: self, ("127.0.0.1", self.port))
                break
            except OSError:
                self._tcp.close()
        return self

    async def __aexit__(self, *error: object) -> None:
        self.transport.close()
        self._tcp.close()
        await self._tcp.wait_closed()
        await asyncio.sleep(0.001)  # until the sockets are closed


Script = Callable[[bytes, asyncio.StreamWriter], Awaitable[None]]


class WebServer:
    """Answers each request by a script that writes what it likes."""

    def __init__(self, tls: ssl.SSLContext | None) -> None:
        self.tls, self.script, self.port = tls, reply(b"hello"), 0
        self.accepted: list[str] = []
        self.requests: list[bytes] = []
        self._open: set[asyncio.StreamWriter] = set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.accepted.append(writer.get_extra_info("sockname")[0])
        self._open.add(writer)
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                self.requests.append(head)
                await self.script(head, writer)
                await writer.drain()
                if writer.is_closing():
                    return
        except (OSError, EOFError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    async def listen(self, *hosts: str) -> None:
        for _ in range(20):  # until a port is free at all of them
            self._servers, self.port = [], 0
            try:
                for host in hosts:
                    server = await asyncio.start_server(self.serve, host, self.port, ssl=self.tls)
                    self.port = server.sockets[0].getsockname()[1]
                    self._servers.append(server)
                break
            except OSError:
                await self.close()

    async def close(self) -> None:
        for server in self._servers:
            server.close()
        for writer in list(self._open):
            with suppress(AttributeError):  # asyncio of Python 3.11.2 raises it where TLS has ended already
                writer.transport.abort()
        await asyncio.sleep(0.001)


def reply(body: bytes, *headers: str, status: str = "200 OK") -> Script:
    async def script(head: bytes, writer: asyncio.StreamWriter) -> None:
        lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers, "", ""]
        writer.write("\r\n".join(lines).encode("latin-1") + body)

    return script


class Web:
    """The servers and an `Internet` that sees them."""

    def __init__(self, ca: Path, server_tls: ssl.SSLContext) -> None:
        self.dns, self.server = DnsServer(), WebServer(server_tls)
        self.client_tls = ssl.create_default_context(cafile=str(ca))
        self.time = 0.0
        self.more: dict[str, object] = {}
        self.seconds = 1.0

    def place(self, *addresses: str, host: str = "social.example") -> None:
        v4 = [one for one in addresses if ip_address(one).version == 4]
        v6 = [one for one in addresses if ip_address(one).version == 6]
        self.dns.add(host, "A", v4)
        self.dns.add(host, "AAAA", v6)

    @property
    def dns_client(self) -> DnsClient:
        resolver = system_resolver(["127.0.0.1"], port=self.dns.port)
        resolver.timeout = 0.2
        return DnsClient(resolver, seconds=self.seconds, clock=lambda: self.time)

    def run(self, talk: Callable[[Internet], Awaitable[object]], *, hosts: tuple[str, ...] = (PUBLIC,)) -> object:
        """What `talk` returns, within half a minute."""

        async def main() -> object:
            async with asyncio.timeout(30), self.dns:
                await self.server.listen(*hosts)
                more = {"tls": self.client_tls, "is_public": is_public, "https": self.server.port, **self.more}
                try:
                    async with Internet(dns=self.dns_client, clock=lambda: self.time, **more) as internet:
                        return await talk(internet)
                finally:
                    await self.server.close()

        return asyncio.run(main())


@pytest.fixture(scope="session")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """An authority, and what it issued for some names."""
    folder = tmp_path_factory.mktemp("tls")
    names = ("social.example", "other.example", "www.social.example")
    now, key, own = datetime.now(UTC), ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    issuer = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Authority of tests")])

    def build(subject: x509.Name, public: ec.EllipticCurvePublicKey) -> x509.CertificateBuilder:
        made = x509.CertificateBuilder().subject_name(subject).issuer_name(issuer).public_key(public)
        made = made.serial_number(x509.random_serial_number())
        return made.not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=40))

    usage = x509.KeyUsage(False, False, False, False, False, True, True, False, False)
    ski = x509.SubjectKeyIdentifier.from_public_key(key.public_key())
    ca = build(issuer, key.public_key()).add_extension(x509.BasicConstraints(True, None), True)
    ca_made = ca.add_extension(usage, True).add_extension(ski, False).sign(key, hashes.SHA256())
    leaf = build(x509.Name([]), own.public_key())
    leaf = leaf.add_extension(x509.SubjectAlternativeName([x509.DNSName(name) for name in names]), True)
    leaf = leaf.add_extension(x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(ski), False)
    made = leaf.sign(key, hashes.SHA256())
    (folder / "ca.pem").write_bytes(ca_made.public_bytes(Encoding.PEM))
    private = own.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    (folder / "server.pem").write_bytes(private + made.public_bytes(Encoding.PEM))
    return folder / "ca.pem", folder / "server.pem"


@pytest.fixture
def web(certificates: tuple[Path, Path]) -> Web:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificates[1])
    return Web(certificates[0], context)


@pytest.fixture(name="reply")
def reply_fixture() -> Callable[..., Script]:
    return reply
