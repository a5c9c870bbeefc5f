"""Explains who would be let in by what: which entry accepts evidence, which grants give a role, or which step refuses.

The functions that decide about evidence and roles are asked, so that an explanation cannot differ from a decision.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple

from .._crypto.verification import TRANSPORT_METHODS
from .._errors.exceptions import CODES, Code, UsageError
from .._flow.settings import check_now
from .._model.base import frozen
from .._model.trust import TrustPolicy
from .._wire.public_suffix import share_an_owner
from .._wire.strict_json import pointer
from .._wire.time import signed_time
from ._acl import AgentACL, Claim, mismatches
from ._attest import Statement
from ._read import EvidenceRejected, ParsedEvidence, parse_evidence
from ._trust import ALGORITHM, ATTESTATION, CANONICALIZATION, check_trust, is_subject, mismatch_of
from ._verify import bytes_of, check_facts, replay_key

_NOW: Final = datetime(2000, 1, 1, tzinfo=UTC)
_SECOND: Final = timedelta(seconds=1)
"""The lifetime of evidence that is only supposed; every policy allows it."""

_ADVICE: Final[Mapping[Code, str]] = {
    "issuer-untrusted": "add an entry for the issuer, if you trust that connector",
    "method-untrusted": "add the method to an entry of the issuer, if you trust the issuer about it",
    "assurance-untrusted": "add the assurance to an entry of the issuer, if it is enough for you",
    "subject-out-of-scope": "add the subject, or a prefix of it, to an entry of the issuer",
    "delegation-not-allowed": "set delegation and max_delegation in the entry, if the issuer may attest delegation",
    "delegation-too-deep": "raise max_delegation in the entry",
    "principal-out-of-scope": "add a prefix of the principal to delegation in the entry",
    "audience-mismatch": "the issuer must attest for this agent: the evidence is for another one",
    "lifetime-too-long": "let the issuer sign for a shorter time, or raise max_lifetime in the entry",
    "replay-id-missing": "let the issuer give its evidence an id, or remove require_id from the entry",
    "caller-not-issuer": "let the issuer send it, name the caller, or set forwarding in the entry",
}
_MAIL: Final = "urn:mentionable:auth:email-"
"""How the methods begin that mail has."""

_NO_GRANTS: Final = "there are no grants for this agent: add one"
_NO_GRANT_FITS: Final = "no grant fits: add one, or add what is missing to one of those that are named"


class Places(NamedTuple):
    """Where a document has the entries and the grants, as JSON Pointers."""

    entries: str
    grants: str


@frozen
class Refusal:
    """An entry or a grant that does not take a person, and why.

    Attributes:
        at: Its place in the document, as a JSON Pointer.
        reason: For an entry, the code of the step that refuses; for a grant, the members that do not fit.
    """

    at: str
    reason: str


@frozen
class Explanation:
    """Who would be let in by what. It verifies nothing: authorize on `Received.identities` alone.

    Attributes:
        agent: The agent.
        subject: The person.
        roles: The roles that they would have, sorted.
        verified_by: The place of the entry that accepts the evidence, or `transport` where a transport verifies that
            method itself; None if the evidence is refused.
        grants: The places of the grants that give the roles.
        step: The step that refuses the evidence, as in `Rejected.step`; None if none does.
        code: Its code.
        detail: Its reason, in words.
        refusals: The other entries of the issuer, and the other grants of the agent.
        advice: What would have to change; empty when the person has a role.
    """

    agent: str
    subject: str
    roles: tuple[str, ...] = ()
    verified_by: str | None = None
    grants: tuple[str, ...] = ()
    step: str | None = None
    code: Code | None = None
    detail: str = ""
    refusals: tuple[Refusal, ...] = ()
    advice: str = ""


def explain_statement(
    statement: Statement, *, issuer: str, acl: AgentACL, policy: TrustPolicy, places: Places
) -> Explanation:
    """Explain what the statement of an issuer would give."""
    if not isinstance(statement, Statement):
        raise UsageError("statement is an identity.Statement(subject=..., method=..., assurance=...)")
    if not isinstance(issuer, str):
        raise UsageError("issuer is the host of the issuer")
    members: dict[str, Any] = {
        "issuer": issuer,
        "subject": statement.subject,
        "method": statement.method,
        "assurance": statement.assurance,
        "audience": acl.agent,
        "issued_at": signed_time(_NOW),
        "expires_at": signed_time(_NOW + _SECOND),
        "on_behalf_of": list(statement.on_behalf_of),
    }
    if statement.id is not None:
        members["id"] = statement.id
    proof = {"type": ATTESTATION, "alg": ALGORITHM, "kid": "1", "canonicalization": CANONICALIZATION, "value": "A" * 86}
    parsed = ParsedEvidence(members=members, proof=proof, has_plain_numbers=True)
    explanation = _explained(parsed, caller=issuer, now=_NOW, acl=acl, policy=policy, places=places)
    if _is_of_transport(statement, issuer) and explanation.step in (
        "syntax",
        "trust",
    ):  # an entry of the policy is not needed
        return _with_roles(_claim_in(parsed), acl, places, verified_by="transport")
    return explanation


def _is_of_transport(statement: Statement, issuer: str) -> bool:
    """Whether a transport itself can verify a statement.

    Mail is verified by a domain of the owner of its sender's. Whether the two are in alignment is in DNS, which nothing
    asks here.
    """
    method, subject = statement.method, statement.subject
    if TRANSPORT_METHODS.get(method) != statement.assurance or not is_subject(subject):
        return False
    return not method.startswith(_MAIL) or share_an_owner(subject.rpartition("@")[2], issuer)


def explain_evidence(
    evidence: bytes | Mapping[str, Any],
    *,
    caller: str | None,
    now: datetime,
    acl: AgentACL,
    policy: TrustPolicy,
    places: Places,
) -> Explanation:
    """Explain what received evidence would give."""
    check_now(now)
    check_facts(b"", caller)
    try:
        parsed = parse_evidence(evidence if isinstance(evidence, bytes) else bytes_of(evidence))
    except EvidenceRejected as rejected:
        return _refused(rejected, acl.agent, "")
    return _explained(parsed, caller=caller, now=now, acl=acl, policy=policy, places=places)


def _explained(
    parsed: ParsedEvidence, *, caller: str | None, now: datetime, acl: AgentACL, policy: TrustPolicy, places: Places
) -> Explanation:
    claim = _claim_in(parsed)
    try:
        trusted = check_trust(parsed, recipient=acl.agent, caller=caller, policy=policy, now=now)
        replay_key(parsed, trusted, b"")  # refuses evidence without the id that its entry requires
    except EvidenceRejected as rejected:
        entries = _refusing_entries(claim, policy, places) if rejected.step == "trust" else ()
        return _refused(rejected, acl.agent, claim.subject, entries)
    return _with_roles(claim, acl, places, verified_by=places.entries + pointer(trusted.number))


def _claim_in(parsed: ParsedEvidence) -> Claim:
    members = parsed.members
    return Claim(members["issuer"], members["subject"], members["method"], members["assurance"])


def _with_roles(claim: Claim, acl: AgentACL, places: Places, *, verified_by: str) -> Explanation:
    """The roles that a person would have once their identity is verified, and the grants that do not give one."""
    others = {
        places.grants + pointer(index): ", ".join(missing)
        for index, grant in enumerate(acl.grants)
        if (missing := mismatches(grant, claim))
    }
    grants = {places.grants + pointer(index): grant.role for index, grant in enumerate(acl.grants)}
    fitting = {at: role for at, role in grants.items() if at not in others}
    return Explanation(
        agent=acl.agent,
        subject=claim.subject,
        roles=tuple(sorted(set(fitting.values()))),
        verified_by=verified_by,
        grants=tuple(fitting),
        refusals=tuple([Refusal(at=at, reason=reason) for at, reason in others.items()]),
        advice="" if fitting else _NO_GRANT_FITS if acl.grants else _NO_GRANTS,
    )


def _refusing_entries(claim: Claim, policy: TrustPolicy, places: Places) -> tuple[Refusal, ...]:
    """The entries of the issuer that do not fit, each with its code."""
    codes = {
        places.entries + pointer(number): mismatch_of(entry, claim.method, claim.assurance, claim.subject)
        for number, entry in enumerate(policy.entries)
        if entry.issuer == claim.issuer
    }
    return tuple([Refusal(at=at, reason=code) for at, code in codes.items() if code is not None])


def _refused(rejected: EvidenceRejected, agent: str, subject: str, refusals: tuple[Refusal, ...] = ()) -> Explanation:
    advice = _ADVICE.get(rejected.code, CODES[rejected.code].text)
    return Explanation(
        agent=agent,
        subject=subject,
        step=rejected.step,
        code=rejected.code,
        detail=rejected.detail,
        refusals=refusals,
        advice=advice,
    )
