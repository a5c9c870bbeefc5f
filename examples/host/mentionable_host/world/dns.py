"""What DNS says about names, within bounds of time and size, from a cache that keeps to the times of the records.

The answers are only as good as the resolver of this machine: use one that validates DNSSEC, on this machine or behind
a path that you trust.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from time import monotonic
from typing import Final

import dns.asyncresolver
import dns.exception
import dns.name
import dns.rdatatype
import dns.rdtypes.ANY.CAA
import dns.rdtypes.ANY.MX
import dns.rdtypes.ANY.PTR
import dns.rdtypes.ANY.TXT
import dns.resolver
import dns.reversename
from attrs import frozen
from dns.rdata import Rdata
from mentionable import Failed

from mentionable_host.world.ttl_cache import TtlCache
from mentionable_host.world.world import MailServer, NoAddress

__all__ = ["DnsClient", "system_resolver"]

log = logging.getLogger(__name__)

TRY_SECONDS: Final = 2.0
"""How long one server may take for one answer."""
SECONDS: Final = 6.0
"""How long all servers together may take."""
AT_ONCE: Final = 100
"""So many questions are open: each takes a socket, and a flood of names would take all that there are."""
CAPACITY_BYTES: Final = 4_000_000
ENTRY_BYTES: Final = 500
"""What an answer takes besides its records."""
MIN_SECONDS: Final = 30
MAX_SECONDS: Final = 3600
ABSENT_SECONDS: Final = 60
"""How long it counts that a name has no such record."""
TROUBLE_SECONDS: Final = 10
MAX_RECORDS: Final = 64
MAX_BYTES: Final = 65_536
_NO_NAME: Final = (
    *(dns.name.LabelTooLong, dns.name.NameTooLong, dns.name.EmptyLabel, dns.name.BadEscape, dns.name.IDNAException),
    UnicodeError,
)
UDP_BYTES: Final = 1232
"""What fits into a datagram that no network cuts in pieces."""


@frozen(kw_only=True)
class _Answer:
    """The records of a name: none where it has none of this type, or where there is no such name."""

    records: tuple[Rdata, ...] = ()
    is_name: bool = True

    @property
    def size(self) -> int:
        """The bytes of the records."""
        return sum(len(one.to_wire() or b"") for one in self.records)


def system_resolver(servers: Sequence[str] = (), *, port: int = 53) -> dns.asyncresolver.Resolver:
    """A resolver.

    Args:
        servers: The addresses of DNS servers; none: those that this machine is configured for.
        port: Their port.
    """
    try:
        resolver = dns.asyncresolver.Resolver(configure=not servers)
    except dns.resolver.NoResolverConfiguration:
        resolver = dns.asyncresolver.Resolver(configure=False)  # every question ends in `Failed`
    if servers:
        resolver.nameservers = list(servers)
        resolver.port = port
    resolver.timeout = TRY_SECONDS
    resolver.use_edns(0, 0, UDP_BYTES)
    resolver.cache = None  # ours knows bounds for the time, and about trouble
    return resolver


class DnsClient:
    """Looks names up."""

    def __init__(
        self,
        resolver: dns.asyncresolver.Resolver | None = None,
        *,
        seconds: float = SECONDS,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        """Asks nothing yet.

        Args:
            resolver: By default `system_resolver()`.
            seconds: How long an answer may take.
            clock: Seconds that never go back.
        """
        self._resolver, self._seconds = resolver or system_resolver(), seconds
        self._places = asyncio.Semaphore(AT_ONCE)
        self._known: TtlCache[_Answer | Failed] = TtlCache(capacity=CAPACITY_BYTES, weigh=_weight, clock=clock)

    async def close(self) -> None:
        """Ends what is being asked."""
        await self._known.close()

    async def txt(self, name: str) -> list[bytes] | Failed:
        """The TXT records of a name, the strings of each joined; empty: it has none."""
        answer = await self._ask(name, "TXT")
        if isinstance(answer, Failed):
            return answer
        return [b"".join(one.strings) for one in answer.records if isinstance(one, dns.rdtypes.ANY.TXT.TXT)]

    async def mail_servers(self, domain: str) -> list[MailServer] | Failed:
        """The servers that take the mail of a domain, the preferred ones first; empty: it takes none (RFC 7505).

        A domain without MX records is its own mail server (RFC 5321 §5.1).
        """
        answer = await self._ask(domain, "MX")
        if isinstance(answer, Failed):
            return answer
        if not answer.records:
            return [(0, domain)] if answer.is_name else []
        found = [one for one in answer.records if isinstance(one, dns.rdtypes.ANY.MX.MX)]
        named = [(one.preference, _text(one.exchange)) for one in found]
        return sorted((preference, name) for preference, name in named if name)

    async def addresses(self, host: str) -> list[str] | Failed:
        """The addresses of a host, IPv4 first. They may lead anywhere: the caller must judge them."""
        answers = await asyncio.gather(self._ask(host, "A"), self._ask(host, "AAAA"))
        found = [one.to_text() for answer in answers if isinstance(answer, _Answer) for one in answer.records]
        if found:
            return found
        trouble = next((one for one in answers if isinstance(one, Failed)), None)
        return trouble or NoAddress(f"{host!r} has no address", temporary=False)

    async def names_of(self, address: str) -> list[str] | Failed:
        """The names of an address (reverse DNS)."""
        try:
            name = dns.reversename.from_address(address).to_text()
        except (dns.exception.DNSException, ValueError):
            return []
        answer = await self._ask(name, "PTR")
        if isinstance(answer, Failed):
            return answer
        return [_text(one.target) for one in answer.records if isinstance(one, dns.rdtypes.ANY.PTR.PTR)]

    async def authorities(self, domain: str) -> list[str] | Failed:
        """Which authorities may issue certificates for a domain (CAA `issue`); empty: it does not say so itself."""
        answer = await self._ask(domain, "CAA")
        if isinstance(answer, Failed):
            return answer
        found = [one for one in answer.records if isinstance(one, dns.rdtypes.ANY.CAA.CAA)]
        return [one.value.decode("ascii", "replace") for one in found if one.tag.lower() == b"issue"]

    async def _ask(self, name: str, kind: str) -> _Answer | Failed:
        key = (name.lower().rstrip("."), kind)
        return await self._known.get(key, lambda: self._resolve(*key))

    async def _resolve(self, name: str, kind: str) -> tuple[_Answer | Failed, float]:
        """What DNS says, and for how many seconds it counts."""
        try:
            asked = dns.name.from_text(f"{name}.")
            async with asyncio.timeout(self._seconds), self._places:
                got = await self._resolver.resolve(asked, kind, search=False, lifetime=self._seconds)
        except dns.resolver.NXDOMAIN:
            return _Answer(is_name=False), ABSENT_SECONDS
        except dns.resolver.NoAnswer:
            return _Answer(), ABSENT_SECONDS
        except _NO_NAME:
            return Failed(f"{name!r} is no name", temporary=False), ABSENT_SECONDS
        except (dns.exception.DNSException, OSError, ValueError, EOFError) as error:
            log.info("DNS does not answer for %s %r: %s", kind, name, type(error).__name__)
            return Failed(f"DNS does not answer for {name!r}: {type(error).__name__}"), TROUBLE_SECONDS
        answer = _Answer(records=tuple(got))
        if len(answer.records) > MAX_RECORDS or answer.size > MAX_BYTES:
            return Failed(f"{name!r} has too many records of type {kind}", temporary=False), ABSENT_SECONDS
        return answer, min(max(got.chaining_result.minimum_ttl, MIN_SECONDS), MAX_SECONDS)


def _text(name: dns.name.Name) -> str:
    """A name without the dot at its end; empty for the root."""
    return name.to_text(omit_final_dot=True).lower() if name != dns.name.root else ""


def _weight(answer: _Answer | Failed) -> int:
    return ENTRY_BYTES + (answer.size if isinstance(answer, _Answer) else 0)
