"""The world as the host sees it: one object that tests replace."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from secrets import token_bytes
from typing import Protocol

from attrs import frozen
from mentionable import Failed, Fetch, Fetched, HttpRequest, HttpResponse, LookupTxt

__all__ = ["MailServer", "NoAddress", "Place", "World"]

Place = tuple[str, int]
"""An IP address and a port."""

MailServer = tuple[int, str]
"""The preference and the name of a server that takes mail, from an MX record."""


@frozen
class NoAddress(Failed):
    """Nothing was asked, since DNS has no address of the host. Of a host that is known, this says that DNS is wrong."""


class World(Protocol):
    """What the host needs from outside. `mentionable_host.world.internet.Internet` is the real one."""

    def now(self) -> datetime:
        """The time, aware."""

    def entropy(self) -> bytes:
        """32 fresh random bytes."""

    async def fetch(self, ask: Fetch, *, sign: Sign | None = None) -> Fetched | Failed:
        """What a GET brings: by pinned public addresses, within bounds, from the HTTP cache where it may be.

        Args:
            ask: What to get.
            sign: Signs each request just before it is sent, for servers that answer no other.
        """

    async def send(self, request: HttpRequest, *, seconds: float = 10) -> HttpResponse | Failed:
        """What a server answers to a request of ours, without redirects; `Failed` when none did."""

    async def lookup_txt(self, ask: LookupTxt) -> list[bytes] | Failed:
        """The TXT records of a name."""

    async def lookup_mx(self, domain: str) -> list[MailServer] | Failed:
        """The mail servers of a domain, the preferred ones first; empty: it takes no mail (RFC 7505)."""

    async def places(self, host: str, port: int) -> list[Place] | Failed:
        """The public addresses of a host, checked; one that leads to any other is `Failed`."""


Sign = Callable[[HttpRequest], HttpRequest]


def system_now() -> datetime:
    """The time of this machine."""
    return datetime.now(UTC)


def system_entropy() -> bytes:
    """32 random bytes of this machine."""
    return token_bytes(32)
