"""TXT records from the resolver of this machine, for `decode email --dns`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from .._flow.asks import LookupTxt
from .._flow.flow import Failed
from ._error import Trouble

_SECONDS: Final = 5.0
_MOST_RECORDS: Final = 64


def system_resolver() -> Callable[[LookupTxt], list[bytes] | Failed]:
    """What answers for TXT records by asking the resolver of this machine, five seconds a name at most.

    Raises:
        Trouble: dnspython is not installed, or this machine names no resolver.
    """
    try:
        import dns.exception
        import dns.resolver
    except ImportError:
        raise Trouble("--dns needs dnspython: pip install 'mentionable[dns]'") from None
    try:
        resolver = dns.resolver.get_default_resolver()
    except dns.exception.DNSException as error:
        raise Trouble(f"--dns: this machine names no resolver: {error}") from None

    def lookup(ask: LookupTxt) -> list[bytes] | Failed:
        try:
            answer = resolver.resolve(ask.name, "TXT", lifetime=_SECONDS, search=False)
        except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
            return []
        except dns.exception.DNSException as error:
            return Failed(reason=f"{type(error).__name__} of {ask.name}", temporary=True)
        return [b"".join(record.strings) for record in list(answer)[:_MOST_RECORDS]]

    return lookup
