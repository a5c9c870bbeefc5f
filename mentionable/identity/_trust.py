"""What evidence says, and whether a receiver believes it: everything that needs neither a key nor a look-up.

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
from .._model.trust import TrustEntry, TrustPolicy, behind_scheme, is_issuer
from .._wire.address import canonical, is_canonical
from .._wire.time import utc_time
from ._read import Statement
from ._step import Refused

ATTESTATION: Final = "signed-attestation"
ALGORITHM: Final = "Ed25519"
CANONICALIZATION: Final = "jcs"

_PROOF: Final = frozenset({"type", "alg", "kid", "canonicalization", "value"})
_SIGNATURE: Final = re.compile(r"[A-Za-z0-9_-]{85}[AQgw]", re.ASCII).fullmatch
_SUBJECT: Final = re.compile(r"@[!-?A-~]+@[a-z0-9.-]+|[a-z][a-z0-9+.-]*:[!-~]+", re.ASCII).fullmatch
_ODD_SUBJECT: Final = re.compile(r'[\\"%]|[/:]\.\.?(?:[/:]|\Z)').search
_METHOD: Final = re.compile(r"[!-~]{1,256}", re.ASCII).fullmatch
_MOST_SUBJECT: Final = 512
_MOST_AUDIENCES: Final = 16
_REACHED: Final[tuple[Code, ...]] = ("method-untrusted", "assurance-untrusted", "subject-out-of-scope")


class Believed(NamedTuple):
    """Evidence that a receiver would believe, were it signed.

    Attributes:
        number: The number of the entry that takes it.
        entry: The entry.
        principals: Whose authority is carried.
        issued_at: When it was said.
        until: When it ends in any case, clocks that differ included.
    """

    number: int
    entry: TrustEntry
    principals: tuple[str, ...]
    issued_at: datetime
    until: datetime


def is_subject(text: object) -> bool:
    """Whether something can be a subject: visible ASCII, one way to write it, no way up and out of its namespace."""
    return (
        text.__class__ is str
        and len(text) <= _MOST_SUBJECT
        and _SUBJECT(text) is not None
        and _ODD_SUBJECT(text) is None
        and ("//" not in text or "//" not in (text if text[:1] == "@" else behind_scheme(text)))
    )


def is_method(text: object) -> bool:
    """Whether something can be a method: 1 to 256 visible ASCII characters."""
    return text.__class__ is str and _METHOD(text) is not None


def believe(
    statement: Statement, *, recipient: str, caller: str | None, policy: TrustPolicy, now: datetime
) -> Believed:
    """The entry that takes the evidence, for this recipient and at this time.

    Raises:
        Refused: Steps `proof`, `syntax`, `trust`, `delegation`, `audience`, `time` and `caller`.
    """
    members = statement.members
    _check_proof(statement.proof, policy)
    entries = [pair for pair in enumerate(policy.entries) if pair[1].issuer == members["issuer"]]
    if not entries and not is_issuer(members["issuer"]):  # that of an entry is well formed
        raise Refused("issuer-malformed", "syntax", "the issuer is not a bare host in lower case")
    if not is_subject(members["subject"]):
        raise Refused("subject-malformed", "syntax")
    if not is_method(members["method"]):
        raise Refused("method-malformed", "syntax")
    number, entry = _entry(members, entries)
    if "canonicalization" not in statement.proof and not entry.without_canonicalization:
        raise Refused("canonicalization-unsupported", "proof", "this issuer must say canonicalization: jcs")
    principals = _principals(members, entry)
    _check_audience(members.get("audience"), recipient)
    issued_at, until = _times(members, policy, now)
    if not entry.forwarding and not _is_of(caller, members["issuer"]):
        raise Refused("caller-not-issuer", "caller", "somebody else than the issuer brought it along")
    return Believed(number, entry, principals, issued_at, until)


def _check_proof(proof: Mapping[str, Any], policy: TrustPolicy) -> None:
    """Step `proof`. Where some entry lets its issuer leave canonicalization out, the entry that fits decides later."""
    if proof.get("type") != ATTESTATION:
        raise Refused("proof-not-verifiable", "proof", "only a signed attestation counts when it comes over a wire")
    if not proof.keys() <= _PROOF:
        raise Refused("proof-member-unknown", "proof")
    if proof.get("alg") != ALGORITHM:
        raise Refused("algorithm-not-allowed", "proof")
    canonicalization = proof.get("canonicalization")
    if canonicalization != CANONICALIZATION and not (
        "canonicalization" not in proof and any(entry.without_canonicalization for entry in policy.entries)
    ):
        raise Refused("canonicalization-unsupported", "proof")
    if not is_key_id(proof.get("kid")):
        raise Refused("key-id-malformed", "proof")
    signature = proof.get("value")
    if signature.__class__ is not str or not _SIGNATURE(signature):
        raise Refused("signature-malformed", "proof", "value is not 64 bytes in base64url")


def _entry(members: Mapping[str, Any], entries: list[tuple[int, TrustEntry]]) -> tuple[int, TrustEntry]:
    """The first of the issuer's entries that takes method, assurance and subject together."""
    reached = -1
    for number, entry in entries:
        if members["method"] not in entry.methods:
            step = 0
        elif members["assurance"] not in entry.assurance:
            step = 1
        elif not entry.takes(members["subject"]):
            step = 2
        else:
            return number, entry
        reached = max(reached, step)
    raise Refused("issuer-untrusted" if reached < 0 else _REACHED[reached], "trust")


def _principals(members: Mapping[str, Any], entry: TrustEntry) -> tuple[str, ...]:
    """Whose authority is carried; refused unless the entry allows it, never ignored."""
    named, subject = members.get("on_behalf_of") or (), members["subject"]
    if not named:
        if members["assurance"] == "delegated":
            raise Refused("delegation-malformed", "delegation", "delegated, and nobody is named who delegates")
        return ()
    if not entry.delegation or not entry.max_delegation:
        raise Refused("delegation-not-allowed", "delegation")
    if len(named) > entry.max_delegation:
        raise Refused("delegation-too-deep", "delegation")
    if not all(map(is_subject, named)) or len(set(named)) < len(named) or subject in named:
        raise Refused("delegation-malformed", "delegation")
    if not all(one.startswith(entry.delegation) for one in named):
        raise Refused("principal-out-of-scope", "delegation")
    return tuple(named)


def _check_audience(audience: Any, recipient: str) -> None:
    """Step `audience`: exactly one, canonical, and this recipient. Nothing is normalized."""
    if audience == recipient:
        return
    named = [audience] if audience.__class__ is str else audience
    if named.__class__ is not list or not named:
        raise Refused("audience-missing", "audience")
    if len(named) > _MOST_AUDIENCES:
        raise Refused("audience-too-broad", "audience")
    for one in named:
        if one.__class__ is not str or not is_canonical(one):
            raise Refused("audience-not-canonical", "audience")
    if recipient not in named:
        raise Refused("audience-mismatch", "audience")
    if len(named) > 1:
        raise Refused("audience-too-broad", "audience")


def _times(members: Mapping[str, Any], policy: TrustPolicy, now: datetime) -> tuple[datetime, datetime]:
    """When it was issued, and when it ends, clocks that differ included."""
    issued_at = _time(members["issued_at"])
    if "expires_at" not in members:
        raise Refused("expiry-missing", "time")
    expires_at = _time(members["expires_at"])
    not_before = _time(members["not_before"]) if "not_before" in members else issued_at
    skew, longest = _span(policy.skew), _span(policy.max_lifetime)
    if expires_at <= issued_at or not_before >= expires_at:
        raise Refused("lifetime-invalid", "time")
    if expires_at - min(issued_at, not_before) > longest:
        raise Refused("lifetime-too-long", "time")
    if issued_at - now > skew:
        raise Refused("issued-in-future", "time")
    if not_before - now > skew:
        raise Refused("not-yet-valid", "time")
    if now - expires_at >= skew:
        raise Refused("expired", "time")
    return issued_at, expires_at + skew


@lru_cache(16)
def _span(seconds: int) -> timedelta:
    return timedelta(seconds=seconds)


def _time(text: str) -> datetime:
    moment = utc_time(text)
    if moment is None:
        raise Refused("timestamp-malformed", "time")
    return moment


def _is_of(caller: str | None, issuer: str) -> bool:
    """Whether an authenticated caller is the issuer's host, or an address on it."""
    if caller is None or caller == issuer:
        return caller is not None
    address = canonical(caller)
    return address is not None and address.domain == issuer
