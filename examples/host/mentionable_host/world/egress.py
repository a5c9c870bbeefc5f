"""What may be asked for: the rules of a URL, before its name is looked up (egress: what goes out)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from ipaddress import ip_address
from typing import Final

from attrs import evolve, field, frozen
from mentionable import Fetch, UsageError, is_public_address

from mentionable_host.world.world import Place

__all__ = ["HTTPS", "EgressPolicy", "Target", "is_fetchable", "is_loopback", "target_of"]

_URL: Final = re.compile(
    r"(?P<scheme>https?)://(?P<host>[a-z0-9._-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::(?P<port>[0-9]{1,5}))?(?P<path>[/?][!-~]*)?",
    re.ASCII | re.IGNORECASE,
).fullmatch
"""A URL as it is sent. A user name, a blank or a control character fits nowhere."""
_PORTS: Final = {"https": 443, "http": 80}
MAX_URL: Final = 8192
HTTPS: Final = 443


@frozen(kw_only=True)
class Target:
    """A URL in the parts that a connection needs.

    Attributes:
        is_own: Whether the operator named it, so that it is neither judged nor asked by the proxy.
    """

    scheme: str
    host: str
    port: int
    path: str
    is_own: bool = False

    @property
    def origin(self) -> tuple[str, str, int]:
        """Scheme, host and port."""
        return self.scheme, self.host, self.port

    @property
    def authority(self) -> str:
        """What the `Host` header has."""
        return self.host if self.port == _PORTS[self.scheme] else f"{self.host}:{self.port}"


def _origins(urls: Iterable[str]) -> frozenset[tuple[str, str, int]]:
    """The origins of URLs that the operator named."""
    targets = [target_of(url) for url in urls]
    return frozenset(one.origin for one in targets if one is not None)


@frozen(kw_only=True)
class EgressPolicy:
    """What may be reached besides the public Internet.

    Attributes:
        routes: Host → where it is on this machine, for demos and tests.
        origins: What the operator named: a server in the own network, on any port.
        loopback: Whether this machine may be asked at all, for trying out.
        is_public: Judges an address.
        https: The port that others have https on; tests have another.
    """

    routes: Mapping[str, Place] = field(factory=dict)
    origins: frozenset[tuple[str, str, int]] = field(converter=_origins, default=())
    loopback: bool = False
    is_public: Callable[[str], bool] = is_public_address
    https: int = HTTPS

    def target(self, url: str) -> Target | None:
        """Where a request for a URL goes; None: nowhere, since it may not be asked."""
        found = target_of(url)
        if found is None:
            return None
        is_own = found.origin in self.origins or (self.loopback and is_loopback(found.host))
        is_own |= found.host in self.routes
        if is_own:
            return evolve(found, is_own=True)
        return found if is_fetchable(url) else None

    def is_own(self, host: str, port: int) -> bool:
        """Whether the operator named a host, so that its addresses are not judged."""
        named = any((host, port) == (other, number) for _, other, number in self.origins)
        return named or (self.loopback and is_loopback(host))


def is_fetchable(url: str) -> bool:
    """Whether the text of a URL allows it to be asked for: https on its own port of a public name."""
    try:
        Fetch(url=url, accept="*/*", purpose="any")
    except UsageError:
        return False
    return True


def target_of(url: str) -> Target | None:
    """The parts of a URL; None: it is no plain URL of the web."""
    match = _URL(url.partition("#")[0]) if len(url) <= MAX_URL else None
    if match is None:
        return None
    scheme, path = match["scheme"].lower(), match["path"] or "/"
    port = int(match["port"]) if match["port"] else _PORTS[scheme]
    if not 0 < port < 65_536:
        return None
    path = path if path.startswith("/") else f"/{path}"
    return Target(scheme=scheme, host=match["host"].lower(), port=port, path=path)


def is_loopback(host: str) -> bool:
    """Whether a host is this machine."""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower().rstrip(".") == "localhost"
