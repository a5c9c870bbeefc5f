"""Connects to addresses that were judged, and to no others.

A name is looked up once for a connection, every address of it is judged, and the connection goes to one of those. So a
name whose answer changes meanwhile leads nowhere else. TLS and the `Host` header keep the name.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Callable, Iterable
from time import monotonic
from typing import Any, Final

import httpcore
from mentionable import Failed

from mentionable_host.world.dns import DnsClient
from mentionable_host.world.egress import HTTPS, EgressPolicy, is_fetchable
from mentionable_host.world.ttl_cache import TtlCache
from mentionable_host.world.world import Place

__all__ = ["PinningBackend", "Unreachable"]

TRIES: Final = 3
"""So many addresses of one host are tried: all of them take less time than a fetch may."""
CONNECT_SECONDS: Final = 3.0
"""How long one address may take."""
DEAD_SECONDS: Final = 60
"""How long a host that no connection could be made to is not tried again."""
DEAD_HOSTS: Final = 4096

Options = Iterable[Any] | None


class Unreachable(httpcore.ConnectError):
    """There is no address to connect to, or none answers."""

    def __init__(self, failed: Failed) -> None:
        """Keeps why."""
        super().__init__(failed.reason)
        self.failed: Final = failed


class PinningBackend(httpcore.AsyncNetworkBackend):
    """What HTTP connections are made by."""

    def __init__(
        self,
        dns: DnsClient,
        policy: EgressPolicy,
        *,
        plain_routes: bool = False,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        """Connects to nothing yet.

        Args:
            dns: Looks names up.
            policy: What may be reached.
            plain_routes: Whether the hosts of `policy.routes` speak plain HTTP where the URL says https.
            clock: Seconds that never go back.
        """
        self._dns, self._policy, self._plain_routes = dns, policy, plain_routes
        self._network = httpcore.AnyIOBackend()
        self._dead: TtlCache[Failed] = TtlCache(capacity=DEAD_HOSTS, clock=clock)

    async def places(self, host: str, port: int) -> list[Place] | Failed:
        """Where a host is: its addresses, all of them judged."""
        if host in self._policy.routes:
            return [self._policy.routes[host]]
        if self._policy.is_own(host, port):
            return await _system_places(host.strip("[]"), port)
        if not is_fetchable(f"https://{host}/"):
            return Failed(f"{host!r} is no public name", temporary=False)
        found = await self._dns.addresses(host)
        if isinstance(found, Failed):
            return found
        if not all(map(self._policy.is_public, found)):
            return Failed(f"{host!r} leads to an address that is not public", temporary=False)
        port = self._policy.https if port == HTTPS else port
        return [(address, port) for address in found[:TRIES]]

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Options = None,
    ) -> httpcore.AsyncNetworkStream:
        """A connection to one of the judged addresses of a host, the first that answers."""
        dead = self._dead.peek((host, port))
        if dead is not None:
            raise Unreachable(dead)
        places = await self.places(host, port)
        if isinstance(places, Failed):
            raise Unreachable(places)
        is_dead = not self._is_near(host, port)
        for place in places:
            got = await self._connect(place, timeout, local_address, socket_options)
            if isinstance(got, httpcore.AsyncNetworkStream):
                return _Plain(got) if self._plain_routes and host in self._policy.routes else got
            # Who was given less time than usual says nothing about the server by not getting there.
            is_dead &= isinstance(got, httpcore.ConnectError) or timeout is None or timeout >= CONNECT_SECONDS
        failed = Failed(f"nobody answers at {host!r}, port {port}")
        self._dead.put((host, port), failed, seconds=DEAD_SECONDS if is_dead else 0)
        raise Unreachable(failed)

    async def connect_unix_socket(self, path: str, timeout: float | None = None, socket_options: Options = None) -> Any:
        """Is not done."""
        raise Unreachable(Failed("sockets of this machine are not asked", temporary=False))

    async def sleep(self, seconds: float) -> None:
        """Waits."""
        await asyncio.sleep(seconds)

    async def _connect(
        self, place: Place, timeout: float | None, local_address: str | None, options: Options
    ) -> httpcore.AsyncNetworkStream | httpcore.ConnectError | httpcore.ConnectTimeout:
        seconds = CONNECT_SECONDS if timeout is None else min(timeout, CONNECT_SECONDS)
        try:
            return await self._network.connect_tcp(*place, seconds, local_address, options)
        except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
            return error

    def _is_near(self, host: str, port: int) -> bool:
        """Whether the operator placed it: such a host may just be starting."""
        return host in self._policy.routes or self._policy.is_own(host, port)


class _Plain(httpcore.AsyncNetworkStream):
    """A connection on this machine that stays as it is where the URL says https."""

    def __init__(self, stream: httpcore.AsyncNetworkStream) -> None:
        self._stream = stream

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return await self._stream.read(max_bytes, timeout)

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        await self._stream.write(buffer, timeout)

    async def aclose(self) -> None:
        await self._stream.aclose()

    async def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.AsyncNetworkStream:
        return self

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


async def _system_places(host: str, port: int) -> list[Place] | Failed:
    """Where this machine says that a host is, which may be in /etc/hosts or in the own network."""
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as error:
        return Failed(f"{host!r} has no address: {error.strerror}")
    return [(str(one[4][0]), port) for one in found[:TRIES]]
