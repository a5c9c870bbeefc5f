"""What both HTTP forms of signatures share: the request as they see it, its time, its digests, and the outcome."""

from __future__ import annotations

import re
from binascii import b2a_base64
from collections.abc import Collection
from functools import lru_cache
from hashlib import sha256, sha512
from typing import Final, NamedTuple

from ..._crypto.keys import KeyKind
from ..._crypto.verification import VerificationFailed
from ..._model.sender import AuthMethod
from ..._wire.base64 import base64_decode
from ..._wire.http import HttpRequest

WINDOW: Final = 43_200
"""How long after it was made a signature is taken, in seconds: Mastodon tries again for so long."""

SKEW: Final = 3_600
"""How much the clocks of two servers may differ, in seconds."""

_URL: Final = re.compile(
    r"([A-Za-z][A-Za-z0-9+.-]{0,15})://([^/?#\s]++)([^?#\r\n]*+)(?:\?([^#\r\n]*+))?", re.ASCII
).match
_PORTS: Final = {"https": ":443", "http": ":80"}
_DIGESTS: Final = {"sha-256": sha256, "sha-512": sha512}
_ITEMS: Final = re.compile(r"[^,]++").finditer  # one after the other: a list of all would be as long as a peer likes
_REMEMBERED_CHARS: Final = 1_024


class Signed(NamedTuple):
    """A signature that says who made it over what, and passed every step that needs no key.

    Attributes:
        method: What it shows the sender by.
        key_id: The key, as the signature says.
        kind: Of which kind the key must be; None: of any.
        signature: The signature itself.
        texts: What it may be over, the likeliest first.
        until: When it ends to count, in seconds.
    """

    method: AuthMethod
    key_id: str
    kind: KeyKind | None
    signature: bytes
    texts: tuple[bytes, ...]
    until: int


class Target(NamedTuple):
    """A request URL in its parts (RFC 9421 §2.2).

    Attributes:
        scheme: In lower case.
        authority: Host in lower case, and the port unless it is the default one.
        path: Never empty.
        query: Without the question mark; None when there is none.
    """

    scheme: str
    authority: str
    path: str
    query: str | None

    @property
    def path_and_query(self) -> str:
        """What stands in the request line."""
        return self.path if self.query is None else f"{self.path}?{self.query}"


def _target_of(url: str) -> Target:
    found = _URL(url)
    if found is None:
        return Target("", "", "/", None)
    scheme, authority = found[1].lower(), found[2].lower()
    return Target(scheme, authority.removesuffix(_PORTS.get(scheme, ":")), found[3] or "/", found[4])


_remembered_target: Final = lru_cache(256)(_target_of)


class SignedRequest(NamedTuple):
    """A request as its signatures see it.

    Attributes:
        method: As it came.
        target: Its public URL.
        headers: Names in lower case → values, several joined with a comma, without blanks around them.
        body: The bytes.
    """

    method: str
    target: Target
    headers: dict[str, str]
    body: bytes

    @property
    def has_content(self) -> bool:
        """Whether there is a body that a signature must cover."""
        return bool(self.body) or self.method not in ("GET", "HEAD")

    @property
    def is_for_host(self) -> bool:
        """Whether the Host header names the host of the public URL."""
        target = self.target
        host = self.headers.get("host", "").lower().removesuffix(_PORTS.get(target.scheme, ":"))
        return host == target.authority != ""


def signed_request(request: HttpRequest) -> SignedRequest:
    """The request as its signatures see it."""
    pairs = [(name, value.strip(" \t")) for name, value in request.headers]
    headers = dict(pairs)
    if len(headers) < len(pairs):
        several: dict[str, list[str]] = {}
        for name, value in pairs:
            several.setdefault(name, []).append(value)
        headers = {name: ", ".join(values) for name, values in several.items()}
    url = request.url
    target = _remembered_target(url) if len(url) <= _REMEMBERED_CHARS else _target_of(url)
    return SignedRequest(request.method, target, headers, request.body)


def seconds_of(text: str | None) -> int | None:
    """A time in seconds, as a parameter has it; None when it is not one."""
    return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) < 16 else None


def check_time(made: int, expires: str | None, *, now: int) -> int:
    """Until when a signature made at `made` counts.

    Raises:
        Unproven: It is from the future, or too old, or has expired.
    """
    check_made(made, now=now)
    until = made + WINDOW
    if expires is not None:
        whole, _, fraction = expires.partition(".")  # draft-cavage allows parts of a second here
        end = seconds_of(whole) if not fraction or seconds_of(fraction) is not None else None
        if end is None or end < made:
            raise VerificationFailed("signature-malformed", "expires is no time after it was made")
        until = min(until, end)
    return open_until(until, now=now)


def check_made(made: int, *, now: int) -> None:
    """Raises when a signature is from the future.

    Raises:
        Unproven: `not-yet-valid`.
    """
    if made > now + SKEW:
        raise VerificationFailed("not-yet-valid", f"made {made - now} seconds from now")


def open_until(end: int, *, now: int) -> int:
    """Until when a signature counts that ends at `end`, since clocks may differ.

    Raises:
        Unproven: `expired`.
    """
    if now > end + SKEW:
        raise VerificationFailed("expired", f"ended {now - end} seconds ago")
    return end + SKEW


def check_digests(request: SignedRequest, covered: Collection[str], accepted: tuple[str, ...]) -> None:
    """Raises unless every digest of the body is right, and a covered one of SHA-256 shows all of it.

    Raises:
        Unproven: `coverage-missing`, `digest-mismatch`.
    """
    headers = request.headers
    shown = False
    for name in ("digest", "content-digest"):
        if name in headers:
            has_sha256 = _check_digest(headers[name], request.body, colons=name == "content-digest")
            shown |= has_sha256 and name in covered and name in accepted
    if not shown and request.has_content:
        raise VerificationFailed("coverage-missing", "no SHA-256 digest of the body is covered")


def _check_digest(header: str, body: bytes, *, colons: bool) -> bool:
    """Whether SHA-256 is among the digests of one header, all of which must be right; unknown ones are passed over."""
    right = {"sha-256": digest_of(body, "sha-256", colons=colons)}
    if header[8:] == right["sha-256"] and header[:8].lower() == "sha-256=":  # what nearly all servers send
        return True
    has_sha256 = False
    for item in _ITEMS(header):
        name, _, value = item[0].strip(" \t").partition("=")
        name = name.lower()
        make = _DIGESTS.get(name)
        if make is None:
            continue
        if name not in right:
            right[name] = digest_of(body, name, colons=colons)
        if value != right[name]:
            raise VerificationFailed("digest-mismatch", f"the {name} digest is not that of the body")
        has_sha256 |= name == "sha-256"
    return has_sha256


def digest_of(body: bytes, name: str, *, colons: bool) -> str:
    """The digest of a body, in the form of `Digest` or, between colons, of `Content-Digest`."""
    text = b2a_base64(_DIGESTS[name](body).digest(), newline=False).decode("ascii")
    return f":{text}:" if colons else text


def check_key_id(key_id: str | None) -> str:
    """The id of the key, which must be there."""
    if not key_id:
        raise VerificationFailed("signature-malformed", "no key is named")
    return key_id


def signature_bytes(text: str | None) -> bytes:
    """The bytes of a signature, which must be base64 in the one way to write it."""
    if not text:
        raise VerificationFailed("signature-malformed", "there is no signature")
    found = base64_decode(text)
    if found is None:
        raise VerificationFailed("signature-malformed", "the signature is not base64 in the one way to write it")
    return found


def text_of(lines: list[str]) -> bytes:
    """The bytes that are signed: lines, none of which may hold another one.

    Raises:
        Unproven: A line holds a line break: what is signed could be read in two ways.
    """
    text = "\n".join(lines)
    if text.count("\n") != len(lines) - 1 or "\r" in text:
        raise VerificationFailed("signature-ambiguous", "a value that is covered holds a line break")
    try:
        return text.encode("latin-1")  # as the bytes came
    except UnicodeEncodeError:
        return text.encode()
