"""The real world: HTTP by judged addresses, DNS, the clock and chance of this machine."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from time import monotonic
from types import TracebackType
from typing import Final
from urllib.parse import unquote, urljoin, urlsplit

import httpcore
from attrs import frozen
from hishel import AsyncBaseStorage, AsyncSqliteStorage
from mentionable import (
    Failed,
    Fetch,
    Fetched,
    HttpRequest,
    HttpResponse,
    Limits,
    LookupTxt,
    is_public_address,
    replace,
)

from mentionable_host.config import Config, secret
from mentionable_host.world.dns import DnsClient
from mentionable_host.world.egress import HTTPS, EgressPolicy, is_fetchable
from mentionable_host.world.http_cache import HttpCache, MemoryStorage
from mentionable_host.world.http_client import Bounds, Congested, HttpClient
from mentionable_host.world.pinning import PinningBackend
from mentionable_host.world.ttl_cache import TtlCache
from mentionable_host.world.world import MailServer, Place, Sign, system_entropy, system_now

__all__ = ["Bounds", "Internet"]

SECONDS: Final = 10.0
"""How long a fetch may take, redirects and all."""
REDIRECTS: Final = 2
FOLLOWED: Final = frozenset(("webfinger",))
"""What may lead elsewhere: RFC 7033 §10.4 lets a host say that another answers for it. Other documents may not."""
KEPT: Final = frozenset(("actor", "key", "webfinger", "jwks", "connector-card"))
"""Documents that senders are verified by: one that came is not asked for again at once, whatever its headers say."""
KEPT_SECONDS: Final = 60
ABSENT_SECONDS: Final = 60
"""How long it counts that there is no such document, or that no server answers."""
MAX_CACHE_BYTES: Final = 256_000_000
RECENT_BYTES: Final = 16_000_000
RECENT_WEIGHT: Final = 1024
"""What one entry weighs besides its body."""


@frozen
class _Recent:
    """What was found out about a document.

    Attributes:
        answer: What the network, or the cache, answered.
        is_fresh: Whether it came past the cache.
    """

    answer: Fetched | Failed
    is_fresh: bool


class Internet:
    """What is outside: a `World`.

    Example:
        >>> async def main():
        ...     async with Internet() as world:
        ...         return await world.lookup_mx("agents.example")
    """

    def __init__(
        self,
        *,
        dns: DnsClient | None = None,
        routes: Mapping[str, Place] | None = None,
        origins: Iterable[str] = (),
        loopback: bool = False,
        tls: ssl.SSLContext | bool = True,
        proxy: str | None = None,
        storage: AsyncBaseStorage | None = None,
        bounds: Bounds = Bounds(),  # noqa: B008  it is frozen
        user_agent: str = "mentionable-host",
        is_public: Callable[[str], bool] = is_public_address,
        https: int = HTTPS,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        """Connects to nothing yet.

        Args:
            dns: Looks names up; by default the resolvers of this machine.
            routes: Host → where it is on this machine, for demos and tests.
            origins: What the operator named, such as `http://192.168.1.5:1234`: reached as it is, in any network.
            loopback: For trying out: this machine may be asked, on any port.
            tls: How certificates are verified. False: hosts of `routes` speak plain HTTP where their URL says https.
            proxy: `http://user:password@host:port`, which judges addresses itself. Without it, none is used.
            storage: Where the HTTP cache stores: `MemoryStorage()`, or hishel's `AsyncSqliteStorage`.
            bounds: How much connections may take.
            user_agent: Who asks: administrators look for an address there.
            is_public: Judges an address.
            https: The port that others have https on; tests have another.
            clock: Seconds that never go back.
        """
        self.dns = dns or DnsClient()
        self.user_agent = user_agent
        self._policy = EgressPolicy(
            routes=routes or {}, origins=origins, loopback=loopback, is_public=is_public, https=https
        )
        self._backend = PinningBackend(self.dns, self._policy, plain_routes=tls is False, clock=clock)
        context = tls if isinstance(tls, ssl.SSLContext) else ssl.create_default_context()
        direct = _pool(context, bounds, backend=self._backend)
        self._http = HttpClient(direct, _pool(context, bounds, proxy=proxy) if proxy else None, bounds=bounds)
        self._cache = HttpCache(storage or MemoryStorage(clock=clock), now=self.now)
        self._recent: TtlCache[_Recent] = TtlCache(capacity=RECENT_BYTES, weigh=_weight, clock=clock)

    @classmethod
    def of(cls, config: Config) -> Internet:
        """The Internet as a configuration has it.

        Raises:
            ConfigError: A secret of it is not there.
        """
        network, folder = config.network, config.folder
        return cls(
            origins=[config.bluebubbles.url] if config.bluebubbles else [],
            loopback=config.a2a.local_webhooks,
            proxy=secret(network.proxy, folder=folder) or None,
            storage=AsyncSqliteStorage(database_path=folder / network.cache / "http.db", max_size=MAX_CACHE_BYTES)
            if network.cache
            else None,
            user_agent=f"mentionable-host (+{config.origin})",
        )

    async def __aenter__(self) -> Internet:
        """Itself."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Closes it."""
        await self.close()

    async def close(self) -> None:
        """Ends all connections, and what is being asked."""
        await self._recent.close()
        await self._http.close()
        await self._cache.close()
        await self.dns.close()

    def now(self) -> datetime:
        """The time, aware."""
        return system_now()

    def entropy(self) -> bytes:
        """32 fresh random bytes."""
        return system_entropy()

    async def fetch(self, ask: Fetch, *, sign: Sign | None = None) -> Fetched | Failed:
        """What a GET brings, from the network or from the cache.

        A document that is asked for past the cache (`Fetch.fresh`) is asked for once a minute, and so is what is not
        there, and a host where no server answers.

        Args:
            ask: What to get.
            sign: Signs each request just before it is sent.
        """
        key = (ask.url.partition("#")[0], ask.accept, ask.max_bytes, sign is not None)
        recent = self._recent.peek(key)
        if recent is None or (ask.fresh and not recent.is_fresh):
            recent = await self._recent.ask(key, lambda: self._find(ask, sign), question=ask.fresh)
        return recent.answer

    async def send(self, request: HttpRequest, *, seconds: float = SECONDS) -> HttpResponse | Failed:
        """What a server answers to a request of ours, without redirects; `Failed` when none did."""
        return await self._exchange(request, max_bytes=Limits().a2a_bytes, seconds=seconds)

    async def lookup_txt(self, ask: LookupTxt) -> list[bytes] | Failed:
        """The TXT records of a name."""
        return await self.dns.txt(ask.name)

    async def lookup_mx(self, domain: str) -> list[MailServer] | Failed:
        """The mail servers of a domain, the preferred ones first; empty: it takes no mail (RFC 7505)."""
        return await self.dns.mail_servers(domain)

    async def places(self, host: str, port: int) -> list[Place] | Failed:
        """The public addresses of a host, checked; one that leads to any other is `Failed`."""
        return await self._backend.places(host.lower().rstrip("."), port)

    async def _find(self, ask: Fetch, sign: Sign | None) -> tuple[_Recent, float]:
        """A document, and for how many seconds it is not asked for again."""
        got, url = await self._follow(ask, sign)
        if isinstance(got, Failed):
            return _Recent(got, True), 0 if isinstance(got, Congested) else ABSENT_SECONDS
        answer = Fetched(url=url, status=got.status, content_type=got.header("content-type") or "", body=got.body)
        if got.status != 200:
            return _Recent(answer, ask.fresh), ABSENT_SECONDS
        is_kept = ask.fresh or (ask.purpose in KEPT and "no-store" not in (got.header("cache-control") or "").lower())
        return _Recent(answer, ask.fresh), KEPT_SECONDS if is_kept else 0

    async def _follow(self, ask: Fetch, sign: Sign | None) -> tuple[HttpResponse | Failed, str]:
        """The response to a GET and the URL that it came from; each step of a redirect is judged like the first."""
        loop = asyncio.get_running_loop()
        end = loop.time() + SECONDS

        async def send(request: HttpRequest) -> HttpResponse | Failed:
            signed = sign(request) if sign is not None else request
            return await self._exchange(signed, max_bytes=ask.max_bytes, seconds=end - loop.time())

        request = ask.request
        for _ in range(REDIRECTS + 1):
            got = await self._cache.get(request, send, is_signed=sign is not None, fresh=ask.fresh)
            if isinstance(got, Failed) or ask.purpose not in FOLLOWED or not 300 <= got.status < 400:
                return got, request.url
            url = _joined(request.url, got.header("location") or "")
            if url is None:
                return Failed(f"{ask.url!r} leads to what may not be asked", temporary=False), request.url
            request = replace(request, url=url)
        return Failed(f"{ask.url!r} leads on and on", temporary=False), request.url

    async def _exchange(self, request: HttpRequest, *, max_bytes: int, seconds: float) -> HttpResponse | Failed:
        target = self._policy.target(request.url)
        if target is None:
            return Failed(f"{request.url[:200]!r} may not be asked", temporary=False)
        return await self._http.exchange(
            request, target, max_bytes=max_bytes, seconds=seconds, user_agent=self.user_agent
        )


def _joined(base: str, location: str) -> str | None:
    """Where a redirect leads; None: where nothing may be asked."""
    try:
        url = urljoin(base, location)
    except ValueError:
        return None
    return url if is_fetchable(url) else None


def _weight(recent: _Recent) -> int:
    return RECENT_WEIGHT + (len(recent.answer.body) if isinstance(recent.answer, Fetched) else 0)


def _pool(
    context: ssl.SSLContext,
    bounds: Bounds,
    *,
    backend: httpcore.AsyncNetworkBackend | None = None,
    proxy: str | None = None,
) -> httpcore.AsyncConnectionPool:
    """Connections: neither cookies nor settings of the environment have a part in them."""
    return httpcore.AsyncConnectionPool(
        ssl_context=context,
        proxy=_proxy(proxy) if proxy else None,
        max_connections=bounds.connections,
        max_keepalive_connections=bounds.connections,
        keepalive_expiry=bounds.idle,
        http1=True,
        http2=False,
        network_backend=backend,
    )


def _proxy(url: str) -> httpcore.Proxy:
    parts = urlsplit(url)
    auth = (unquote(parts.username), unquote(parts.password or "")) if parts.username else None
    return httpcore.Proxy(parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl(), auth=auth)
