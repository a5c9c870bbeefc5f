"""Whether a receiver trusts what evidence states: every check that needs neither a key nor a look-up.

Spec: decisions, signed attestation, steps 3 to 9; Building a Connector (Trust Policy).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any, Final, NamedTuple

from .._crypto.connector_card import is_key_id
from .._errors.exceptions import Code
from .._model.base import tuple_maker
from .._model.trust import TrustEntry, TrustPolicy, behind_scheme, is_issuer
from .._wire.address import canonical, is_canonical
from .._wire.time import utc_time
from ._read import EvidenceRejected, ParsedEvidence

ATTESTATION: Final = "signed-attestation"
ALGORITHM: Final = "Ed25519"
CANONICALIZATION: Final = "jcs"

_PROOF: Final = frozenset({"type", "alg", "kid", "canonicalization", "value"})
_SIGNATURE: Final = re.compile(r"[A-Za-z0-9_-]{85}[AQgw]", re.ASCII).fullmatch
_SUBJECT: Final = re.compile(r"@[!-?A-~]+@[a-z0-9.-]+|[a-z][a-z0-9+.-]*:[!-~]+", re.ASCII).fullmatch
_ODD_SUBJECT: Final = re.compile(r'[\\"%]|[/:]\.\.?(?:[/:]|\Z)').search
_METHOD: Final = re.compile(r"[!-~]{1,256}", re.ASCII).fullmatch
_MAX_SUBJECT: Final = 512
_MAX_AUDIENCES: Final = 16
_MISMATCH_CODES: Final[tuple[Code, ...]] = ("method-untrusted", "assurance-untrusted", "subject-out-of-scope")


class TrustedStatement(NamedTuple):
    """A statement that the trust policy accepts, provided that its signature is valid.

    Attributes:
        number: The index of the trust entry that accepts it.
        entry: The entry.
        principals: The principals whose authority it carries.
        issued_at: When it was issued.
        expires_at: When it expires, clock skew included.
    """

    number: int
    entry: TrustEntry
    principals: tuple[str, ...]
    issued_at: datetime
    expires_at: datetime


_new_trusted: Final = tuple_maker(TrustedStatement)


def is_subject(text: object) -> bool:
    """Whether a value is a subject: visible ASCII, one spelling, and no `..` that leaves its namespace."""
    return (
        text.__class__ is str
        and len(text) <= _MAX_SUBJECT
        and _SUBJECT(text) is not None
        and _ODD_SUBJECT(text) is None
        and ("//" not in text or "//" not in (text if text[:1] == "@" else behind_scheme(text)))
    )


def is_method(text: object) -> bool:
    """Whether a value is a method: 1 to 256 visible ASCII characters."""
    return text.__class__ is str and _METHOD(text) is not None


def check_trust(
    parsed: ParsedEvidence, *, recipient: str, caller: str | None, policy: TrustPolicy, now: datetime
) -> TrustedStatement:
    """Find the trust entry that accepts the statement, for this recipient and at this time.

    Raises:
        EvidenceRejected: Steps `proof`, `syntax`, `trust`, `delegation`, `audience`, `time` and `caller`.
    """
    # In this order, so that the code of a rejection names the first step that failed:
    #   1. proof: type, algorithm, key id        5. delegation: every principal is in the entry's scope
    #   2. syntax of issuer, subject, method     6. audience: exactly this recipient
    #   3. trust: the entry that accepts them    7. time: lifetime and clock skew
    #   4. proof: canonicalization               8. caller: the issuer, unless the entry allows forwarding
    members = parsed.members
    _check_proof(parsed.proof, policy)
    entries = [pair for pair in enumerate(policy.entries) if pair[1].issuer == members["issuer"]]
    if not entries and not _is_issuer(members["issuer"]):  # an issuer with an entry is well formed
        raise EvidenceRejected("issuer-malformed", "syntax", "the issuer is not a bare host in lower case")
    if not is_subject(members["subject"]):
        raise EvidenceRejected("subject-malformed", "syntax")
    if not is_method(members["method"]):
        raise EvidenceRejected("method-malformed", "syntax")
    number, entry = _entry(members, entries)
    if "canonicalization" not in parsed.proof and not entry.without_canonicalization:
        raise EvidenceRejected("canonicalization-unsupported", "proof", "this issuer must name canonicalization: jcs")
    principals = _principals(members, entry)
    _check_audience(members.get("audience"), recipient)
    issued_at, expires_at = _check_times(members, entry.max_lifetime or policy.max_lifetime, policy.skew, now)
    if not entry.forwarding and not _is_issuer_host(caller, members["issuer"]):
        raise EvidenceRejected("caller-not-issuer", "caller", "the caller is not the issuer")
    return _new_trusted(number, entry, principals, issued_at, expires_at)


_MAX_ISSUER: Final = 253
"""No name of the DNS is longer: it bounds what is remembered."""

_remembered_issuer: Final = lru_cache(1024)(is_issuer)


def _is_issuer(text: str) -> bool:
    """Whether a text is an issuer. A stranger who was refused comes again, and costs less then."""
    return len(text) <= _MAX_ISSUER and _remembered_issuer(text)


def _check_proof(proof: Mapping[str, Any], policy: TrustPolicy) -> None:
    """Step `proof`. Where an entry allows proofs without canonicalization, the matching entry decides later."""
    if proof.get("type") != ATTESTATION:
        raise EvidenceRejected("proof-not-verifiable", "proof", "only a signed attestation can be verified over a wire")
    if not proof.keys() <= _PROOF:
        raise EvidenceRejected("proof-member-unknown", "proof")
    if proof.get("alg") != ALGORITHM:
        raise EvidenceRejected("algorithm-not-allowed", "proof")
    canonicalization = proof.get("canonicalization")
    if canonicalization != CANONICALIZATION and not (
        "canonicalization" not in proof and any(entry.without_canonicalization for entry in policy.entries)
    ):
        raise EvidenceRejected("canonicalization-unsupported", "proof")
    if not is_key_id(proof.get("kid")):
        raise EvidenceRejected("key-id-malformed", "proof")
    signature = proof.get("value")
    if signature.__class__ is not str or not _SIGNATURE(signature):
        raise EvidenceRejected("signature-malformed", "proof", "value is not 64 bytes in base64url")


def _entry(members: Mapping[str, Any], entries: list[tuple[int, TrustEntry]]) -> tuple[int, TrustEntry]:
    """The first of the issuer's entries that accepts method, assurance and subject together.

    The code of a rejection is that of the entry that came furthest, so that an operator sees what to add.
    """
    furthest = -1
    for number, entry in entries:
        code = mismatch_of(entry, members["method"], members["assurance"], members["subject"])
        if code is None:
            return number, entry
        furthest = max(furthest, _MISMATCH_CODES.index(code))
    raise EvidenceRejected("issuer-untrusted" if furthest < 0 else _MISMATCH_CODES[furthest], "trust")


def mismatch_of(entry: TrustEntry, method: str, assurance: str, subject: str) -> Code | None:
    """The code of the first member of an entry that evidence of its issuer does not fit; None when it fits all."""
    if method not in entry.methods:
        return "method-untrusted"
    if assurance not in entry.assurance:
        return "assurance-untrusted"
    return None if entry.takes(subject) else "subject-out-of-scope"


def _principals(members: Mapping[str, Any], entry: TrustEntry) -> tuple[str, ...]:
    """The principals whose authority is carried. Rejected unless the entry allows them, never ignored."""
    principals, subject = members.get("on_behalf_of") or (), members["subject"]
    if not principals:
        if members["assurance"] == "delegated":
            raise EvidenceRejected("delegation-malformed", "delegation", "delegated evidence names no principal")
        return ()
    if not entry.delegation or not entry.max_delegation:
        raise EvidenceRejected("delegation-not-allowed", "delegation")
    if len(principals) > entry.max_delegation:
        raise EvidenceRejected("delegation-too-deep", "delegation")
    if not all(map(is_subject, principals)) or len({*principals, subject}) <= len(principals):
        raise EvidenceRejected("delegation-malformed", "delegation")
    if not all(one.startswith(entry.delegation) for one in principals):
        raise EvidenceRejected("principal-out-of-scope", "delegation")
    return tuple(principals)


def _check_audience(audience: Any, recipient: str) -> None:
    """Step `audience`: exactly one, canonical, and this recipient. No value is normalized."""
    if audience == recipient:
        return
    named = [audience] if audience.__class__ is str else audience
    if named.__class__ is not list or not named:
        raise EvidenceRejected("audience-missing", "audience")
    if len(named) > _MAX_AUDIENCES:
        raise EvidenceRejected("audience-too-broad", "audience")
    for one in named:
        if one.__class__ is not str or not is_canonical(one):
            raise EvidenceRejected("audience-not-canonical", "audience")
    if recipient not in named:
        raise EvidenceRejected("audience-mismatch", "audience")
    if len(named) > 1:
        raise EvidenceRejected("audience-too-broad", "audience")


def _check_times(
    members: Mapping[str, Any], max_seconds: int, skew_seconds: int, now: datetime
) -> tuple[datetime, datetime]:
    """Step `time`: when it was issued, and when it expires, clock skew included."""
    issued_at = _time(members["issued_at"])
    if "expires_at" not in members:
        raise EvidenceRejected("expiry-missing", "time")
    expires_at = _time(members["expires_at"])
    not_before = _time(members["not_before"]) if "not_before" in members else issued_at
    skew, max_lifetime = _seconds(skew_seconds), _seconds(max_seconds)
    if expires_at <= issued_at or not_before >= expires_at:
        raise EvidenceRejected("lifetime-invalid", "time")
    starts_later = not_before > issued_at  # otherwise it is no longer in the future than `issued_at`
    if expires_at - (issued_at if starts_later else not_before) > max_lifetime:
        raise EvidenceRejected("lifetime-too-long", "time")
    if issued_at - now > skew:
        raise EvidenceRejected("issued-in-future", "time")
    if starts_later and not_before - now > skew:
        raise EvidenceRejected("not-yet-valid", "time")
    refused_from = expires_at + skew
    if now >= refused_from:
        raise EvidenceRejected("expired", "time")
    return issued_at, refused_from


@lru_cache(16)
def _seconds(seconds: int) -> timedelta:
    return timedelta(seconds=seconds)


def _time(text: str) -> datetime:
    moment = utc_time(text)
    if moment is None:
        raise EvidenceRejected("timestamp-malformed", "time")
    return moment


def _is_issuer_host(caller: str | None, issuer: str) -> bool:
    """Whether the authenticated caller is the issuer's host, or an address on it."""
    if caller is None or caller == issuer:
        return caller is not None
    address = canonical(caller)
    return address is not None and address.domain == issuer
