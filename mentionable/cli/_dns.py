"""TXT records from the DNS resolver of this machine, for `decode email --dns`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from .._flow.asks import LookupTxt
from .._flow.flow import Failed
from ._error import CliError

_SECONDS: Final = 5.0
_MAX_RECORDS: Final = 64


def system_resolver() -> Callable[[LookupTxt], list[bytes] | Failed]:
    """A function that asks the DNS resolver of this machine for TXT records, at most five seconds per name.

    Raises:
        CliError: dnspython is not installed, or this machine has no DNS resolver.
    """
    try:
        import dns.exception
        import dns.resolver
    except ImportError:
        raise CliError("--dns needs dnspython: pip install 'mentionable[dns]'") from None
    try:
        resolver = dns.resolver.get_default_resolver()
    except dns.exception.DNSException as error:
        raise CliError(f"--dns: this machine has no DNS resolver: {error}") from None

    def lookup(ask: LookupTxt) -> list[bytes] | Failed:
        try:
            answer = resolver.resolve(ask.name, "TXT", lifetime=_SECONDS, search=False)
        except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
            return []
        except dns.exception.DNSException as error:
            return Failed(reason=f"{type(error).__name__} of {ask.name}", temporary=True)
        return [b"".join(record.strings) for record in list(answer)[:_MAX_RECORDS]]

    return lookup
