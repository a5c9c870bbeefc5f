"""What the benchmarks share: a server with the documents of peers, and clients that send requests made beforehand."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import ClassVar
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from mentionable import HttpRequest, SigningKey, activitypub
from mentionable.testing import Peer

HOST, INBOX, AGENT = "social.example", "https://agents.example/inbox", "https://agents.example/actors/helper"


class Mentioner:
    """Somebody with an RSA key, as on most servers, who mentions the agent."""

    def __init__(self, name: str) -> None:
        self.peer, self.url = Peer.activitypub(f"@{name}@{HOST}"), f"https://{HOST}/users/{name}"
        pem = rsa.generate_private_key(65537, 2048).private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        self.key = SigningKey.from_pem(pem, key_id=f"{self.url}#main-key")
        self.actor = activitypub.actor(self.peer.address, url=self.url, keys=self.key)

    def mention(self, text: str, *, now: datetime) -> bytes:
        """A signed mention, as it goes over a connection."""
        body = self.peer.write(text, to=AGENT, mention="@helper@agents.example", now=now, inbox=INBOX).body
        headers = {"content-type": "application/activity+json"}
        unsigned = HttpRequest(method="POST", url=INBOX, headers=headers, body=body)
        return as_bytes(activitypub.sign(unsigned, key=self.key, now=now))


class Documents(BaseHTTPRequestHandler):
    """Serves what `mentionable.testing` says of peers, and takes every delivery."""

    documents: ClassVar[dict[str, dict]] = {}
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        found = self.documents.get(f"GET https://{HOST}{self.path}")
        body = b"{}" if found is None else json.dumps(found["json"]).encode()
        self.send_response(404 if found is None else 200)
        self.send_header("content-type", "application/activity+json" if found is None else found["content_type"])
        self.send_header("cache-control", "max-age=180, public")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("content-length", 0)))
        self.send_response(202)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None: ...


@contextmanager
def peers_served(peers: Sequence[Mentioner]) -> Iterator[int]:
    """The port of a server with the documents of some peers."""
    documents = {ask: answer for one in peers for ask, answer in one.peer.lookups.items()}
    for one in peers:
        documents[f"GET {one.url}"] = {"json": one.actor, "content_type": "application/activity+json"}
    handler = type("Handler", (Documents,), {"documents": documents})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server.server_port
    finally:
        server.shutdown()


def as_bytes(request: HttpRequest) -> bytes:
    """A request as it goes over a connection."""
    url = urlsplit(request.url)
    headers = {"host": url.netloc, "content-length": str(len(request.body)), **dict(request.headers)}
    head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"{request.method} {url.path} HTTP/1.1\r\n{head}\r\n".encode() + request.body


async def send_all(port: int, requests: Sequence[bytes], *, clients: int) -> tuple[float, dict[int, int]]:
    """Seconds for all requests over so many connections, and status → how many were answered so."""
    waiting, statuses = iter(requests), dict[int, int]()

    async def client() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for request in waiting:
            writer.write(request)
            head = await reader.readuntil(b"\r\n\r\n")
            status = int(head.split(b" ", 2)[1])
            statuses[status] = statuses.get(status, 0) + 1
            names = dict(line.lower().split(b":", 1) for line in head.split(b"\r\n")[1:] if b":" in line)
            if b"content-length" in names:
                await reader.readexactly(int(names[b"content-length"]))
            elif b"transfer-encoding" in names:
                while int(await reader.readline(), 16):
                    await reader.readline()
                await reader.readline()
        writer.close()

    begun = time.perf_counter()
    await asyncio.gather(*(client() for _ in range(clients)))
    return time.perf_counter() - begun, statuses
