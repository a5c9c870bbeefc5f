"""HTTP signatures by draft-cavage-12, as nearly all servers send them.

Spec: draft-cavage-http-signatures-12.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..._crypto.keys import KeyKind
from ..._crypto.verification import VerificationFailed
from ..._wire.time import http_seconds
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
    _check_coverage(covered, request)
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


def _check_coverage(covered: set[str], request: SignedRequest) -> None:
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
