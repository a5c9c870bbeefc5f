"""A world that is this machine: names lead to its ports, and nothing else is asked."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Final

import httpx
from mentionable import Failed, Fetch, Fetched, HttpRequest, HttpResponse, Limits, LookupTxt

from mentionable_host.world.world import MailServer, Place, Sign, system_entropy, system_now

__all__ = ["LOCAL", "Loopback"]

LOCAL: Final = "127.0.0.1"
SECONDS: Final = 20


class Loopback:
    """What the demo has for the Internet.

    Attributes:
        ports: Host → its port for HTTP on this machine.
        mail_ports: Host → its port for mail on this machine.
        txt: Name → its TXT record.
    """

    def __init__(self) -> None:
        """Without peers yet."""
        self.ports: dict[str, int] = {}
        self.mail_ports: dict[str, int] = {}
        self.txt: dict[str, bytes] = {}

    def now(self) -> datetime:
        """The time of this machine."""
        return system_now()

    def entropy(self) -> bytes:
        """32 random bytes of this machine."""
        return system_entropy()

    async def fetch(self, ask: Fetch, *, sign: Sign | None = None) -> Fetched | Failed:
        """A document of one of the servers here."""
        request = ask.request if sign is None else sign(ask.request)
        got = await self.send(request)
        if isinstance(got, Failed):
            return got
        return Fetched(url=ask.url, status=got.status, content_type=got.header("content-type") or "", body=got.body)

    async def send(self, request: HttpRequest, *, seconds: float = SECONDS) -> HttpResponse | Failed:
        """What a server here answers."""
        try:
            async with asyncio.timeout(seconds), self.stream(request) as got:
                body = await got.aread()
        except (httpx.HTTPError, OSError) as error:
            return Failed(f"{type(error).__name__}: {error}")
        return HttpResponse(status=got.status_code, headers=[*got.headers.items()], body=body[: Limits().a2a_bytes])

    @asynccontextmanager
    async def stream(self, request: HttpRequest) -> AsyncIterator[httpx.Response]:
        """The answer of a server here, while it comes.

        Raises:
            OSError: No such server is here.
        """
        url = httpx.URL(request.url)
        if url.host not in self.ports:
            raise OSError(f"{url.host} is not on this machine, and the demo asks nobody else")
        there = f"http://{LOCAL}:{self.ports[url.host]}{url.raw_path.decode()}"
        headers = {**dict(request.headers), "host": url.host, "x-forwarded-proto": "https"}
        async with (
            httpx.AsyncClient(trust_env=False, timeout=SECONDS) as client,
            client.stream(request.method, there, headers=headers, content=request.body) as got,
        ):
            yield got

    async def lookup_txt(self, ask: LookupTxt) -> list[bytes] | Failed:
        """The TXT record of a name."""
        found = self.txt.get(ask.name)
        return [] if found is None else [found]

    async def lookup_mx(self, domain: str) -> list[MailServer] | Failed:
        """A domain of the demo takes its mail itself."""
        return [(10, domain)] if domain in self.mail_ports else []

    async def places(self, host: str, port: int) -> list[Place] | Failed:
        """Where a host is on this machine."""
        ports: Mapping[str, int] = self.mail_ports if host in self.mail_ports else self.ports
        return [(LOCAL, ports[host])] if host in ports else Failed(f"{host} is not on this machine")
