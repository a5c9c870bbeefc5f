"""HTTP messages as values, in either direction, and what the text of a URL alone shows about it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Final, Self

from attrs import field, frozen

from .._errors.exceptions import UsageError
from .address import canonical_domain
from .strict_json import well_formed


def _header_pairs(headers: Mapping[str, str] | Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    pairs = headers if headers.__class__ is tuple or not isinstance(headers, Mapping) else headers.items()
    lowered = []  # filled by a loop: before Python 3.12 a comprehension is a function of its own, made and called
    for name, value in pairs:
        lowered.append((name.lower(), value if value.isascii() else well_formed(value)))
    return tuple(lowered)


def _check_body(body: object) -> None:
    if not isinstance(body, bytes):
        raise UsageError(f"the body of an HTTP message must be bytes, not {type(body).__name__}")


def credentials(value: str) -> tuple[str, str]:
    """Scheme and token of an `Authorization` field; no token where it has parameters (RFC 9110 §11.4)."""
    scheme, _, token = value.partition(" ")
    token = token.strip(" ")
    return scheme.lower(), "" if " " in token or "," in token else token


def _header_names(headers: tuple[tuple[str, str], ...]) -> str:
    """Headers for `repr`: their values may be credentials."""
    return repr([name for name, _ in headers])


class _HasHeaders:
    """What requests and responses share: looking a header up."""

    __slots__ = ()
    headers: tuple[tuple[str, str], ...]

    def header(self, name: str) -> str | None:
        """The value of header `name`, several fields joined with `, ` (RFC 9110 §5.3), or None."""
        lower_name = name.lower()
        values: list[str] = []
        for key, value in self.headers:
            if key == lower_name:
                values.append(value)
        return ", ".join(values) if values else None


@frozen(kw_only=True)
class HttpRequest(_HasHeaders):
    """An HTTP request as bytes and facts: one that came in, or one for you to transmit.

    Attributes:
        method: In capitals.
        url: Absolute. Of a request that came in: the public URL, with the path undecoded as the peer sent it.
        headers: Pairs, names in lower case, in order; a mapping or any iterable of pairs is taken.
        body: The bytes as they came, before any decoding but the transfer coding.

    Example:
        >>> HttpRequest(method="GET", url="https://a.example/", headers={"Accept": "text/html"}).header("accept")
        'text/html'
    """

    method: str
    url: str
    headers: tuple[tuple[str, str], ...] = field(converter=_header_pairs, default=(), repr=_header_names)
    body: bytes = field(default=b"", repr=False)

    def __attrs_post_init__(self) -> None:
        if self.body.__class__ is not bytes:
            _check_body(self.body)
        if "://" not in self.url:
            raise UsageError("HttpRequest.url must be absolute: https://host/path")

    @property
    def bearer_token(self) -> str | None:
        """The token of its one `Authorization` header, when the scheme is Bearer (RFC 6750 §2.1); else None.

        The token is not checked. Compare it with those that you issued by `hmac.compare_digest`.

        Example:
            >>> HttpRequest(method="GET", url="https://a.example/", headers={"Authorization": "Bearer t1"}).bearer_token
            't1'
        """
        fields = [value for name, value in self.headers if name == "authorization"]
        scheme, token = credentials(fields[0]) if len(fields) == 1 else ("", "")
        return token if scheme == "bearer" and token else None

    @classmethod
    def from_asgi(cls, scope: Mapping[str, Any], body: bytes, *, origin: str | None = None) -> Self:
        """The request of an ASGI scope (FastAPI, Starlette, Litestar, Quart, Django).

        Args:
            scope: The `http` scope.
            body: The whole body.
            origin: Your public `https://host`, without a slash at its end. Needed behind a proxy, where the scope
                knows only the inner host; it also keeps a forged `Host` header out.
        """
        headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"]]
        host = next((value for name, value in headers if name.lower() == "host"), "") or UNNAMED_HOST
        raw_path = scope.get("raw_path")
        path = (
            raw_path.decode("latin-1")
            if raw_path
            else _percent_encoded(scope["path"].encode("utf-8", "replace").decode("latin-1"))
        )
        query = (scope.get("query_string") or b"").decode("latin-1")
        return cls(
            method=scope["method"],
            url=_url(origin or f"{scope.get('scheme', 'http')}://{host}", path, query),
            headers=headers,
            body=body,
        )

    @classmethod
    def from_wsgi(cls, environ: Mapping[str, Any], body: bytes, *, origin: str | None = None) -> Self:
        """The request of a WSGI environ (Flask, Django, Pyramid).

        Args:
            environ: The WSGI environment.
            body: The whole body.
            origin: Your public `https://host`, as for `from_asgi`.
        """
        headers = [(key[5:].replace("_", "-"), str(value)) for key, value in environ.items() if key.startswith("HTTP_")]
        headers += [
            (key.replace("_", "-"), str(environ[key])) for key in ("CONTENT_TYPE", "CONTENT_LENGTH") if environ.get(key)
        ]
        host = environ.get("HTTP_HOST") or environ.get("SERVER_NAME") or UNNAMED_HOST
        target = str(environ.get("RAW_URI") or environ.get("REQUEST_URI") or "")
        if target[:1] != "/":  # none, or in absolute form (RFC 9112 §3.2.2), which names a host of the peer's choice
            path = _percent_encoded(environ.get("SCRIPT_NAME", "") + environ.get("PATH_INFO", "/"))
            query = environ.get("QUERY_STRING", "")
        else:
            path, _, query = target.partition("?")
        return cls(
            method=environ["REQUEST_METHOD"],
            url=_url(origin or f"{environ['wsgi.url_scheme']}://{host}", path, query),
            headers=headers,
            body=body,
        )


def check_request(request: object) -> None:
    """Raises `UsageError` when an argument is something else than a request."""
    if not isinstance(request, HttpRequest):
        raise UsageError("request must be an HttpRequest")


@frozen(kw_only=True)
class HttpResponse(_HasHeaders):
    """An HTTP response as bytes and facts: one for you to send, or one that a peer gave.

    Attributes:
        status: The status code.
        headers: As in `HttpRequest`.
        body: The bytes.
    """

    status: int
    headers: tuple[tuple[str, str], ...] = field(converter=_header_pairs, default=(), repr=_header_names)
    body: bytes = field(default=b"", repr=False)

    def __attrs_post_init__(self) -> None:
        _check_body(self.body)


def _url(base: str, path: str, query: str) -> str:
    base = base.removesuffix("/")
    return f"{base}{path}?{query}" if query else f"{base}{path}"


def _percent_encoded(path: str) -> str:
    """A decoded path (bytes as Latin-1) encoded again, for servers that keep no raw target."""
    return "".join(
        chr(byte) if byte < 0x80 and (chr(byte).isalnum() or byte in b"-._~!$&'()*+,;=:@/") else f"%{byte:02X}"
        for byte in path.encode("latin-1", "replace")
    )


_DIRECTIONS: Final = r"\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # they show a URL as another one
_WEB_URL: Final = re.compile(
    r"[Hh][Tt][Tt][Pp][Ss]?://(?:[A-Za-z0-9][A-Za-z0-9._~-]*+|(?P<odd>\[[0-9A-Fa-f:.]{2,45}\]|[^\x00-\x2c/:?#@\[\]\x7f]++))"
    rf"(?::(?P<port>[0-9]{{1,5}}))?(?:[/?#][^\s\x00-\x1f\x7f\\<>\"{_DIRECTIONS}]*+)?"
).fullmatch
_FETCHABLE: Final = re.compile(
    r"https://(?P<host>[A-Za-z0-9.-]{3,253})(?::443)?(?:[/?][!$-;=?-\[\]^-z|~]*+)?(?:#[!-~]*+)?", re.ASCII
).fullmatch


def without_query(url: str) -> str:
    """The URL of a request without query and fragment: what an agent is known by there."""
    return url.partition("#")[0].partition("?")[0]


def query_of(url: str) -> str:
    """The query of a URL as it is written, without the question mark; empty when it has none."""
    return url.partition("#")[0].partition("?")[2]


def path_of(url: str) -> str:
    """The path of an absolute URL as it is written; empty when it has none."""
    _, slash, path = without_query(url).partition("://")[2].partition("/")
    return slash + path


def is_web_url(text: str) -> bool:
    """Whether `text` is an http or https URL without userinfo, blanks or control characters, fit to be shown as a link.

    Spec: Normalized Message §7 (canonicalization): http(s) only, not rewritten.
    """
    match = _WEB_URL(text) if len(text) <= _MAX_URL else None
    if match is None:
        return False
    if match.lastindex is None:  # a plain name without a port, as nearly all are
        return True
    odd, port = match["odd"], match["port"]
    return (odd is None or _is_odd_host(odd)) and (port is None or int(port) <= 65_535)


@lru_cache(1024)
def _is_odd_host(host: str) -> bool:
    """Whether a host that is no plain ASCII name is one all the same: an IPv6 address, or a Unicode domain."""
    if host[0] == "[":
        import ipaddress

        try:
            return ipaddress.ip_address(host[1:-1]).version == 6
        except ValueError:
            return False
    return not host.isascii() and canonical_domain(host) is not None


def is_fetchable_url(text: str) -> bool:
    """Whether the text of a URL allows it to be asked for: https, default port, a DNS name, no userinfo.

    This is the half of SSRF protection that needs no network. The rest is the caller's: check the addresses after
    DNS with `is_public_address`, connect to what was checked, refuse redirects to anything that fails.

    Spec: Normalized Message §5.1.1 (SSRF rules).
    """
    match = _FETCHABLE(text) if len(text) <= _MAX_URL else None
    return match is not None and _is_public_name(match["host"])


@lru_cache(1024)
def _is_public_name(host: str) -> bool:
    """Whether a host is a DNS name outside the domains that are never public."""
    name = canonical_domain(host)
    return name is not None and not name.endswith(_PRIVATE_SUFFIXES)


_PRIVATE_SUFFIXES: Final = (
    *(".localhost", ".localdomain", ".local", ".internal", ".intranet", ".private", ".corp", ".home", ".lan"),
    *(".arpa", ".onion", ".i2p", ".alt", ".svc"),
)
"""Names that lead nowhere, into private networks or to other resolvers (RFC 6761, RFC 8375, RFC 9476; convention)."""
_MAX_URL: Final = 8192


def url_host(url: str) -> str:
    """The host of a URL that passed `is_fetchable_url` or `is_web_url`, in lower case."""
    authority = re.split(r"[/?#]", url.partition("://")[2], maxsplit=1)[0]
    return authority.partition(":")[0].lower() if authority[:1] != "[" else authority.partition("]")[0] + "]"


def is_busy(status: int) -> bool:
    """Whether a status says that the same request may be answered later."""
    return status >= 500 or status in _BUSY


def is_gone(status: int) -> bool:
    """Whether a status says that there is no such thing, now or ever."""
    return status in _GONE


_BUSY: Final = frozenset({408, 425, 429})
_GONE: Final = frozenset({404, 410})

UNNAMED_HOST: Final = "host.invalid"
"""The host of a request that names none (RFC 2606): nothing of its path may take the place."""

_NOT_PUBLIC: Final = ("fec0::/10", "3fff::/20", "5f00::/16", "2001:db8::/32", "192.88.99.0/24", "100::/64")
"""Networks that older tables of Python's standard library call global."""


def is_public_address(ip: str) -> bool:
    """Whether an IP address is on the public Internet, for callers to check after DNS and before connecting.

    False for private, loopback, link-local, multicast, shared, reserved and documentation addresses, for IPv4
    addresses inside IPv6 ones (mapped, 6to4, NAT64) that are not public themselves, and for text that is no address.

    Example:
        >>> is_public_address("8.8.8.8"), is_public_address("169.254.169.254"), is_public_address("::ffff:10.0.0.1")
        (True, False, False)
    """
    import ipaddress

    try:
        address = ipaddress.ip_address(ip)
    except ValueError:
        return False
    if "%" in ip or any(address in ipaddress.ip_network(network) for network in _NOT_PUBLIC):
        return False
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if inner is None and address in ipaddress.ip_network("64:ff9b::/96"):
            inner = ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF)
        if inner is not None:
            address = inner
        elif address.teredo is not None:
            return False
    return address.is_global and not address.is_multicast and not address.is_reserved
