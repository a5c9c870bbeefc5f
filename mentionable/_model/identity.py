"""Evidence of who somebody is, as an envelope that this version reads and `identity` verifies."""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from .._value import NO_MEMBERS, Misfit, value
from .rules import JsonObject, Name, Timestamp


@value
class TransportProof:
    """The transport module that made the evidence checked it itself.

    Attributes:
        type: Always `transport`.
        verified_by: Which module.
        key_id: Which key.
        extra: Members that this version does not know.
    """

    type: Literal["transport"] = "transport"
    verified_by: Name
    key_id: str | None = None
    extra: JsonObject = NO_MEMBERS


@value
class AttestationProof:
    """The issuer signed the evidence.

    Attributes:
        type: Always `signed-attestation`.
        alg: Signature algorithm.
        kid: Which of the issuer's keys.
        value: The signature, base64url.
        canonicalization: How the signed bytes are made; absent: `jcs`.
        extra: Members that this version does not know.
    """

    type: Literal["signed-attestation"] = "signed-attestation"
    alg: Name
    kid: Name
    value: Name
    canonicalization: str | None = None
    extra: JsonObject = NO_MEMBERS


@value
class BearerProof:
    """A bearer token was checked; the token itself is never here.

    Attributes:
        type: Always `bearer-token`.
        verified_by: Who checked it.
        token_hash: SHA-256 of the token.
        extra: Members that this version does not know.
    """

    type: Literal["bearer-token"] = "bearer-token"
    verified_by: Name
    token_hash: str | None = None
    extra: JsonObject = NO_MEMBERS


@value
class UnknownProof:
    """A proof of a type that this version does not know: proves nothing.

    Attributes:
        type: The type as it came.
        extra: All its other members.
    """

    known: ClassVar[frozenset[str]] = frozenset({"transport", "signed-attestation", "bearer-token"})
    type: Name
    extra: JsonObject = NO_MEMBERS

    def _check(self) -> None:
        if self.type in self.known:
            raise Misfit(f"{self.type} has a class of its own")


Proof: TypeAlias = TransportProof | AttestationProof | BearerProof | UnknownProof
"""What stands behind an evidence."""


@value
class IdentityEvidence:
    """A statement of an issuer about a subject. Data, until it was verified.

    Attributes:
        subject: Who, in the issuer's words, for example `slack:T123/U456`.
        issuer: Who says so.
        method: How the issuer knows, a URN.
        assurance: Which kind of knowledge: `platform`, `domain`, `address`, `agent`, `oauth`, `wallet`, `delegated`
            or another word.
        audience: For whom, one address or several.
        issued_at: When it was said.
        proof: What stands behind it.
        id: Unique at the issuer.
        not_before: Not valid before.
        expires_at: Not valid from then on.
        on_behalf_of: Whose authority is carried.
        claims: More about the subject.
        source: Where it was observed.
        extra: Members that this version does not know.

    Spec: IdentityEvidence v0.1.
    """

    subject: Name
    issuer: Name
    method: Name
    assurance: Name
    audience: Name | tuple[Name, ...]
    issued_at: Timestamp
    proof: Proof
    id: Name | None = None
    not_before: Timestamp | None = None
    expires_at: Timestamp | None = None
    on_behalf_of: tuple[Name, ...] | None = None
    claims: JsonObject | None = None
    source: JsonObject | None = None
    extra: JsonObject = NO_MEMBERS
