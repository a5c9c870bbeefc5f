"""What an HTTP signature covers, by draft-cavage-12 and by RFC 9421, and the bytes that it signs: the signature base.

Nothing here needs a key. `check_cavage` and `check_rfc9421` check what the sender declared, and build the signature
base from the request that really came.

Spec: draft-cavage-http-signatures-12; RFC 9421; RFC 9530 (digests).
"""

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
from .signature import SignatureInput

WINDOW: Final = 43_200
"""How long after it was made a signature is accepted, in seconds: Mastodon retries a delivery for so long."""

SKEW: Final = 3_600
"""How much the clocks of two servers may differ, in seconds."""

ALGORITHMS: Final[Mapping[str, KeyKind]] = {"rsa-v1_5-sha256": "rsa", "ed25519": "ed25519"}
"""The algorithms of RFC 9421 that are accepted, each with its kind of key."""

_URL: Final = re.compile(
    r"([A-Za-z][A-Za-z0-9+.-]{0,15})://([^/?#\s]++)([^?#\r\n]*+)(?:\?([^#\r\n]*+))?", re.ASCII
).match
_PORTS: Final = {"https": ":443", "http": ":80"}
_FIELD: Final = re.compile(r"[a-z0-9!#$%&'*+.^_`|~-]++", re.ASCII).fullmatch
_DIGESTS: Final = {"sha-256": sha256, "sha-512": sha512}
_ITEMS: Final = re.compile(r"[^,]++").finditer  # an iterator: an attacker could make a list as long as the header
_TIMES: Final = frozenset({"(created)", "(expires)"})
_REMEMBERED_CHARS: Final = 1_024


class UnverifiedSignature(NamedTuple):
    """A signature that passed every check that needs no key.

    Attributes:
        method: What it verifies the sender by.
        key_id: The key, as the signature names it.
        key_kind: The kind of key that its algorithm needs; None: any.
        signature: The signature itself.
        signature_bases: The bytes that it may sign, the likeliest first.
        expires_at: When it ends to count, in seconds.
        steps: The steps that it passed.
    """

    method: AuthMethod
    key_id: str
    key_kind: KeyKind | None
    signature: bytes
    signature_bases: tuple[bytes, ...]
    expires_at: int
    steps: tuple[str, ...]


class Target(NamedTuple):
    """A request URL in its parts (RFC 9421 §2.2).

    Attributes:
        scheme: In lower case.
        authority: Host in lower case, and the port unless it is the default one.
        path: Never empty.
        query: Without the question mark; None when there is none.
        path_and_query: The request target, as in the request line.
    """

    scheme: str
    authority: str
    path: str
    query: str | None
    path_and_query: str


def _target_of(url: str) -> Target:
    match = _URL(url)
    if match is None:
        return Target(scheme="", authority="", path="/", query=None, path_and_query="/")
    scheme, authority, path, query = match[1].lower(), match[2].lower(), match[3] or "/", match[4]
    return Target(
        scheme=scheme,
        authority=authority.removesuffix(_PORTS.get(scheme, ":")),
        path=path,
        query=query,
        path_and_query=path if query is None else f"{path}?{query}",
    )


_remembered_target: Final = lru_cache(256)(_target_of)


class SignedRequest(NamedTuple):
    """A request as its signatures cover it.

    Attributes:
        method: As it came.
        target: Its public URL.
        headers: Names in lower case → values, several joined with a comma, without blanks around them.
        body: The bytes.
        has_content: Whether there is a body that a signature must cover.
        is_for_host: Whether the Host header names the host of the public URL.
    """

    method: str
    target: Target
    headers: dict[str, str]
    body: bytes
    has_content: bool
    is_for_host: bool


def signed_request(request: HttpRequest) -> SignedRequest:
    """The request as its signatures cover it."""
    pairs = [(name, value.strip(" \t")) for name, value in request.headers]
    headers = dict(pairs)
    if len(headers) < len(pairs):
        several: dict[str, list[str]] = {}
        for name, value in pairs:
            several.setdefault(name, []).append(value)
        headers = {name: ", ".join(values) for name, values in several.items()}
    url = request.url
    target = _remembered_target(url) if len(url) <= _REMEMBERED_CHARS else _target_of(url)
    host = headers.get("host", "").lower().removesuffix(_PORTS.get(target.scheme, ":"))
    return SignedRequest(
        method=request.method,
        target=target,
        headers=headers,
        body=request.body,
        has_content=bool(request.body) or request.method not in ("GET", "HEAD"),
        is_for_host=host == target.authority != "",
    )


def check_cavage(declared: SignatureInput, request: SignedRequest, *, now: int) -> UnverifiedSignature:
    """Checks a draft-cavage-12 signature, as nearly all servers send them, as far as that needs no key.

    Raises:
        VerificationFailed: `signature-malformed`, `signature-ambiguous`, `algorithm-refused`, `coverage-missing`,
            `time-missing`, `not-yet-valid`, `expired`, `digest-mismatch`, `host-mismatch`, `bad-signature`. Its
            `steps` are those that passed.

    Spec: draft-cavage-http-signatures-12 §2.
    """
    # Cheapest first, so that no key is fetched for a signature that cannot count:
    #   1. parse: the parameters and the algorithm       4. digest: that of the body
    #   2. coverage: target, host and digest             5. host: that of the public URL
    #   3. time: each time that is covered               6. build the signing string
    steps: list[str] = []
    try:
        key_id, signature = _key_and_signature(declared)
        names = ["(created)"] if declared.covered is None else [name.lower() for name in declared.covered]
        covered = set(names)
        if len(covered) != len(names):
            raise VerificationFailed("signature-ambiguous", "a header is covered twice")
        # The key decides the algorithm (§2.1.3); the parameter may only agree, or an attacker could choose it.
        if declared.algorithm not in (None, "hs2019", "rsa-sha256"):
            raise VerificationFailed("algorithm-refused", "this algorithm is not accepted")
        if declared.algorithm == "rsa-sha256" and not _TIMES.isdisjoint(covered):
            raise VerificationFailed("algorithm-refused", "rsa-sha256 does not go with (created) and (expires)")
        steps.append("parse")

        for name in ("(request-target)", "host"):
            if name not in covered:
                raise VerificationFailed("coverage-missing", f"{name} is not covered")
        if request.has_content and "digest" not in covered and "content-digest" not in covered:
            raise VerificationFailed("coverage-missing", "the digest of the body is not covered")
        steps.append("coverage")

        ends: list[int] = []
        for name in ("(created)", "date"):
            if name in covered:
                date = request.headers.get("date", "")
                made = seconds_of(declared.created) if name == "(created)" else http_seconds(date)
                if made is None:
                    raise VerificationFailed("time-missing", f"{name} cannot be read")
                ends.append(check_time(made, declared.expires, now=now))
        if not ends:
            raise VerificationFailed("time-missing", "neither the date nor (created) is covered")
        steps.append("time")

        check_digests(request, covered, ("digest", "content-digest"))
        steps.append("digest")

        if not request.is_for_host:
            raise VerificationFailed("host-mismatch", "Host is not the host of the URL")
        steps.append("host")

        target = request.target
        bases = [signing_string(names, declared, request, target.path_and_query)]
        if target.query is not None:
            # Older versions of Mastodon sign the path without the query.
            bases.append(signing_string(names, declared, request, target.path))
    except VerificationFailed as fault:
        fault.steps = tuple(steps)
        raise
    return UnverifiedSignature(
        method="ap-http-signature",
        key_id=key_id,
        key_kind="rsa" if declared.algorithm == "rsa-sha256" else None,
        signature=signature,
        signature_bases=tuple(bases),
        expires_at=min(ends),
        steps=tuple(steps),
    )


def signing_string(names: Sequence[str], declared: SignatureInput, request: SignedRequest, target: str) -> bytes:
    """The bytes that a draft-cavage signature signs (§2.3), when the request line holds `target`.

    Raises:
        VerificationFailed: A covered header is missing, or its value is ambiguous.
    """
    lines: list[str] = []
    for name in names:
        if name == "(request-target)":
            lines.append(f"(request-target): {request.method.lower()} {target}")
            continue
        if name[:1] == "(":
            # Only the parameters: an attacker could add a header of this name with another value.
            value = declared.created if name == "(created)" else declared.expires if name == "(expires)" else None
        else:
            value = request.headers.get(name)
        if value is None:
            raise VerificationFailed("bad-signature", "a covered header is missing")
        lines.append(f"{name}: {value}")
    return _joined(lines)


def check_rfc9421(declared: SignatureInput, request: SignedRequest, *, now: int) -> UnverifiedSignature:
    """Checks an RFC 9421 signature in the profile of the fediverse, as far as that needs no key.

    Raises:
        VerificationFailed: `signature-malformed`, `signature-ambiguous`, `algorithm-refused`, `coverage-missing`,
            `time-missing`, `not-yet-valid`, `expired`, `digest-mismatch`, `host-mismatch`, `bad-signature`. Its
            `steps` are those that passed.

    Spec: RFC 9421 §3.2.
    """
    # The same order as in `check_cavage`:
    #   1. parse: the parameters and the algorithm       4. digest: that of the body
    #   2. coverage: method, target, host, digest        5. host: part of the base, from the public URL
    #   3. time: created and expires                     6. build the signature base
    steps: list[str] = []
    try:
        key_id, signature = _key_and_signature(declared)
        components = declared.covered or ()
        covered = set(components)
        if len(covered) != len(components):
            raise VerificationFailed("signature-ambiguous", "a component is covered twice")
        algorithm = declared.algorithm
        if algorithm is not None and algorithm not in ALGORITHMS:
            raise VerificationFailed("algorithm-refused", "this algorithm is not accepted")
        steps.append("parse")

        if "@method" not in covered:
            raise VerificationFailed("coverage-missing", "@method is not covered")
        if "@target-uri" not in covered:
            if "@authority" not in covered and "host" not in covered:
                raise VerificationFailed("coverage-missing", "neither @target-uri nor @authority is covered")
            if "@path" not in covered and "@request-target" not in covered:
                raise VerificationFailed("coverage-missing", "neither @target-uri nor @path is covered")
        if request.has_content and "content-digest" not in covered:
            raise VerificationFailed("coverage-missing", "the digest of the body is not covered")
        steps.append("coverage")

        made = seconds_of(declared.created)
        if made is None:
            raise VerificationFailed("time-missing", "created is missing")
        expires_at = check_time(made, declared.expires, now=now)
        steps.append("time")

        check_digests(request, covered, ("content-digest",))
        steps.append("digest")

        if not request.target.authority or ("host" in covered and not request.is_for_host):
            raise VerificationFailed("host-mismatch", "Host is not the host of the URL")
        steps.append("host")

        base = signature_base(components, declared.parameters, request)
    except VerificationFailed as fault:
        fault.steps = tuple(steps)
        raise
    return UnverifiedSignature(
        method="ap-http-signature",
        key_id=key_id,
        key_kind=None if algorithm is None else ALGORITHMS[algorithm],
        signature=signature,
        signature_bases=(base,),
        expires_at=expires_at,
        steps=tuple(steps),
    )


def signature_base(components: Sequence[str], parameters: str, request: SignedRequest) -> bytes:
    """The signature base of an RFC 9421 signature (§2.5).

    Args:
        components: The covered components, in order.
        parameters: The value of `@signature-params`.
        request: The request.

    Raises:
        VerificationFailed: A component is missing, ambiguous, or not supported.
    """
    headers = request.headers
    lines: list[str] = []
    for name in components:
        value = _derived_component(name, request) if name[:1] == "@" else headers.get(name)
        if value is None:
            if name[:1] == "@" or _FIELD(name) is None:
                raise VerificationFailed("signature-malformed", "this covered component is not supported")
            raise VerificationFailed("bad-signature", "a covered header is missing")
        lines.append(f'"{name}": {value}')
    lines.append(f'"@signature-params": {parameters}')
    return _joined(lines)


def _derived_component(name: str, request: SignedRequest) -> str | None:
    """The value of a derived component (RFC 9421 §2.2); None for those that are not supported."""
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


def _key_and_signature(declared: SignatureInput) -> tuple[str, bytes]:
    """The id of the key and the bytes of the signature; base64 must be in its canonical form."""
    if declared.fault is not None:
        raise VerificationFailed(*declared.fault)
    if not declared.key_id:
        raise VerificationFailed("signature-malformed", "no key is named")
    if not declared.signature:
        raise VerificationFailed("signature-malformed", "there is no signature")
    signature = base64_decode(declared.signature)
    if signature is None:
        raise VerificationFailed("signature-malformed", "the signature is not canonical base64")
    return declared.key_id, signature


def _joined(lines: list[str]) -> bytes:
    """The lines of a signature base as bytes.

    Raises:
        VerificationFailed: A line holds a line break, so that one value could pass for two lines.
    """
    text = "\n".join(lines)
    if text.count("\n") != len(lines) - 1 or "\r" in text:
        raise VerificationFailed("signature-ambiguous", "a covered value holds a line break")
    try:
        return text.encode("latin-1")  # as the bytes came
    except UnicodeEncodeError:
        return text.encode()


def seconds_of(text: str | None) -> int | None:
    """A time in seconds, as a parameter has it; None when it is not one."""
    return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) < 16 else None


def check_time(made: int, expires: str | None, *, now: int) -> int:
    """When a signature made at `made` ends to count, in seconds.

    Raises:
        VerificationFailed: It is from the future, is too old, or has expired.
    """
    check_made(made, now=now)
    end = made + WINDOW
    if expires is not None:
        whole, _, fraction = expires.partition(".")  # draft-cavage allows fractions of a second here
        declared = seconds_of(whole) if not fraction or seconds_of(fraction) is not None else None
        if declared is None or declared < made:
            raise VerificationFailed("signature-malformed", "expires is no time after it was made")
        end = min(end, declared)
    return check_end(end, now=now)


def check_made(made: int, *, now: int) -> None:
    """Raises when a signature is from the future.

    Raises:
        VerificationFailed: `not-yet-valid`.
    """
    if made > now + SKEW:
        raise VerificationFailed("not-yet-valid", f"made {made - now} seconds from now")


def check_end(end: int, *, now: int) -> int:
    """When a signature that expires at `end` ends to count, since clocks may differ.

    Raises:
        VerificationFailed: `expired`.
    """
    if now > end + SKEW:
        raise VerificationFailed("expired", f"ended {now - end} seconds ago")
    return end + SKEW


def check_digests(request: SignedRequest, covered: Collection[str], accepted: tuple[str, ...]) -> None:
    """Raises unless every digest of the body is right, and a covered SHA-256 digest is among them.

    Raises:
        VerificationFailed: `coverage-missing`, `digest-mismatch`.
    """
    headers = request.headers
    is_covered = False
    for name in ("digest", "content-digest"):
        if name in headers:
            has_sha256 = _check_digest(headers[name], request.body, colons=name == "content-digest")
            is_covered |= has_sha256 and name in covered and name in accepted
    if not is_covered and request.has_content:
        raise VerificationFailed("coverage-missing", "no SHA-256 digest of the body is covered")


def _check_digest(header: str, body: bytes, *, colons: bool) -> bool:
    """Whether one header has a SHA-256 digest. All its digests must be right; those of unknown algorithms are skipped.

    Raises:
        VerificationFailed: `digest-mismatch`.
    """
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
