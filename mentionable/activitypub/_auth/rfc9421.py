"""HTTP Message Signatures by RFC 9421, in the profile of the fediverse.

Spec: RFC 9421.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from ..._crypto.keys import KeyKind
from ..._crypto.verification import VerificationFailed
from .signature import HttpSignature
from .signature_base import (
    Signed,
    SignedRequest,
    check_digests,
    check_key_id,
    check_time,
    seconds_of,
    signature_bytes,
    text_of,
)

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
    _check_coverage(covered, request)
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


def _check_coverage(covered: set[str], request: SignedRequest) -> None:
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
