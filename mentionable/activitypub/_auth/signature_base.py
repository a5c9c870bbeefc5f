"""What both HTTP forms of signatures share: the request as they see it, its time, its digests, and the outcome."""

from __future__ import annotations

import re
from binascii import b2a_base64
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256, sha512
from typing import Final, NamedTuple

from ..._crypto.keys import KeyKind
from ..._crypto.verification import VerificationFailed
from ..._model.sender import AuthMethod
from ..._wire.base64 import base64_decode
from ..._wire.http import HttpRequest
from ..._wire.time import http_seconds
from .signature import HttpSignature

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


_TIMES: Final = frozenset({"(created)", "(expires)"})


def check_cavage(found: HttpSignature, request: SignedRequest, *, now: int, steps: list[str]) -> Signed:
    """The signature, when it is over enough of `request`, of now, and of this body and host; `steps` takes what passed.

    Raises:
        Unproven: `signature-malformed`, `signature-ambiguous`, `algorithm-refused`, `coverage-missing`, `time-missing`,
            `not-yet-valid`, `expired`, `digest-mismatch`, `host-mismatch`, `bad-signature`.
    """
    if found.fault is not None:
        raise VerificationFailed(*found.fault)
    key_id, signature = check_key_id(found.key_id), signature_bytes(found.signature)
    names = ["(created)"] if found.covered is None else [name.lower() for name in found.covered]
    covered = set(names)
    if len(covered) != len(names):
        raise VerificationFailed("signature-ambiguous", "a header is covered twice")
    _check_algorithm(found.algorithm, covered)
    steps.append("parse")
    _check_cavage_coverage(covered, request)
    steps.append("coverage")
    until = _check_times(found, covered, request, now=now)
    steps.append("time")
    check_digests(request, covered, ("digest", "content-digest"))
    steps.append("digest")
    _check_host(request)
    steps.append("host")
    target = request.target
    texts = [signing_string(names, found, request, target.path_and_query)]
    if target.query is not None:  # some servers leave it out
        texts.append(signing_string(names, found, request, target.path))
    kind: KeyKind | None = "rsa" if found.algorithm == "rsa-sha256" else None
    return Signed("ap-http-signature", key_id, kind, signature, tuple(texts), until)


def _check_algorithm(algorithm: str | None, covered: set[str]) -> None:
    """The algorithm is that of the key; the parameter may only agree."""
    if algorithm not in (None, "hs2019", "rsa-sha256"):
        raise VerificationFailed("algorithm-refused", "an algorithm that is not taken")
    if algorithm == "rsa-sha256" and not _TIMES.isdisjoint(covered):
        raise VerificationFailed("algorithm-refused", "rsa-sha256 does not go with (created) and (expires)")


def _check_cavage_coverage(covered: set[str], request: SignedRequest) -> None:
    for name in ("(request-target)", "host"):
        if name not in covered:
            raise VerificationFailed("coverage-missing", f"{name} is not covered")
    if request.has_content and "digest" not in covered and "content-digest" not in covered:
        raise VerificationFailed("coverage-missing", "the digest of the body is not covered")


def _check_times(found: HttpSignature, covered: set[str], request: SignedRequest, *, now: int) -> int:
    """Until when the signature counts, by each of the times that it covers."""
    ends: list[int] = []
    for name in ("(created)", "date"):
        if name in covered:
            made = seconds_of(found.created) if name == "(created)" else http_seconds(request.headers.get(name, ""))
            if made is None:
                raise VerificationFailed("time-missing", f"{name} cannot be read")
            ends.append(check_time(made, found.expires, now=now))
    if not ends:
        raise VerificationFailed("time-missing", "neither the date nor (created) is covered")
    return min(ends)


def _check_host(request: SignedRequest) -> None:
    """The host that was signed is the one of the public URL."""
    if not request.is_for_host:
        raise VerificationFailed("host-mismatch", "Host is not the host of the URL")


def signing_string(names: Sequence[str], found: HttpSignature, request: SignedRequest, target: str) -> bytes:
    """What was signed (§2.3), when the request line held `target`.

    Raises:
        Unproven: Something that is covered is not there, or can be read in two ways.
    """
    lines: list[str] = []
    for name in names:
        if name == "(request-target)":
            lines.append(f"(request-target): {request.method.lower()} {target}")
            continue
        if name[:1] == "(":  # never a header of that name, which could say something else
            value = found.created if name == "(created)" else found.expires if name == "(expires)" else None
        else:
            value = request.headers.get(name)
        if value is None:
            raise VerificationFailed("bad-signature", "covers something that did not come along")
        lines.append(f"{name}: {value}")
    return text_of(lines)


ALGORITHMS: Final[Mapping[str, KeyKind]] = {"rsa-v1_5-sha256": "rsa", "ed25519": "ed25519"}
"""The algorithms that are taken, and the kind of key that each is of."""


_FIELD: Final = re.compile(r"[a-z0-9!#$%&'*+.^_`|~-]++", re.ASCII).fullmatch


def check_rfc9421(found: HttpSignature, request: SignedRequest, *, now: int, steps: list[str]) -> Signed:
    """The signature, when it is over enough of `request`, of now, and of this body; `steps` takes what passed.

    The host is part of what is signed: it is taken from the public URL.

    Raises:
        Unproven: `signature-malformed`, `signature-ambiguous`, `algorithm-refused`, `coverage-missing`, `time-missing`,
            `not-yet-valid`, `expired`, `digest-mismatch`, `host-mismatch`, `bad-signature`.
    """
    if found.fault is not None:
        raise VerificationFailed(*found.fault)
    key_id, signature = check_key_id(found.key_id), signature_bytes(found.signature)
    names = found.covered or ()
    covered = set(names)
    if len(covered) != len(names):
        raise VerificationFailed("signature-ambiguous", "a component is covered twice")
    algorithm = found.algorithm
    if algorithm is not None and algorithm not in ALGORITHMS:
        raise VerificationFailed("algorithm-refused", "an algorithm that is not taken")
    steps.append("parse")
    _check_rfc9421_coverage(covered, request)
    steps.append("coverage")
    made = seconds_of(found.created)
    if made is None:
        raise VerificationFailed("time-missing", "created is missing")
    until = check_time(made, found.expires, now=now)
    steps.append("time")
    check_digests(request, covered, ("content-digest",))
    steps.append("digest")
    if not request.target.authority or ("host" in covered and not request.is_for_host):
        raise VerificationFailed("host-mismatch", "Host is not the host of the URL")
    steps.append("host")
    text = signature_base(names, found.parameters, request)
    kind = None if algorithm is None else ALGORITHMS[algorithm]
    return Signed("ap-http-signature", key_id, kind, signature, (text,), until)


def _check_rfc9421_coverage(covered: set[str], request: SignedRequest) -> None:
    if "@method" not in covered:
        raise VerificationFailed("coverage-missing", "@method is not covered")
    if "@target-uri" not in covered:
        if "@authority" not in covered and "host" not in covered:
            raise VerificationFailed("coverage-missing", "neither @target-uri nor @authority is covered")
        if "@path" not in covered and "@request-target" not in covered:
            raise VerificationFailed("coverage-missing", "neither @target-uri nor @path is covered")
    if request.has_content and "content-digest" not in covered:
        raise VerificationFailed("coverage-missing", "the digest of the body is not covered")


def signature_base(components: Sequence[str], parameters: str, request: SignedRequest) -> bytes:
    """What was signed (§2.5).

    Raises:
        Unproven: A component is not there, is not one that is read here, or can be read in two ways.
    """
    headers = request.headers
    lines: list[str] = []
    for name in components:
        value = _derived(name, request) if name[:1] == "@" else headers.get(name)
        if value is None:
            if name[:1] == "@" or _FIELD(name) is None:
                raise VerificationFailed("signature-malformed", "covers a component that is not read here")
            raise VerificationFailed("bad-signature", "covers a header that did not come along")
        lines.append(f'"{name}": {value}')
    lines.append(f'"@signature-params": {parameters}')
    return text_of(lines)


def _derived(name: str, request: SignedRequest) -> str | None:
    """The value of a derived component (§2.2); None for those that are not read here."""
    target = request.target
    match name:
        case "@method":
            return request.method
        case "@target-uri":
            return f"{target.scheme}://{target.authority}{target.path_and_query}"
        case "@authority":
            return target.authority
        case "@path":
            return target.path
        case "@query":
            return f"?{target.query or ''}"
        case "@scheme":
            return target.scheme
        case "@request-target":
            return target.path_and_query
    return None
