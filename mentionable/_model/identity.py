"""Evidence of who somebody is, as an envelope that this version reads and `identity` verifies."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, Self, TypeAlias

from attrs import field

from .._errors.exceptions import UsageError
from .annotation import InvalidMember
from .base import EMPTY_DICT, checked_object, validated
from .rules import ExactTimestamp, JsonObject, Name


@validated
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
    extra: JsonObject = EMPTY_DICT


@validated
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
    value: Name = field(repr=False)
    canonicalization: str | None = None
    extra: JsonObject = EMPTY_DICT


@validated
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
    extra: JsonObject = EMPTY_DICT


@validated
class UnknownProof:
    """A proof of a type that this version does not know: proves nothing.

    Attributes:
        type: The type as it came.
        extra: All its other members.
    """

    known: ClassVar[frozenset[str]] = frozenset({"transport", "signed-attestation", "bearer-token"})
    type: Name
    extra: JsonObject = EMPTY_DICT

    def _check(self) -> None:
        if self.type in self.known:
            raise InvalidMember(f"{self.type} has a class of its own")


Proof: TypeAlias = TransportProof | AttestationProof | BearerProof | UnknownProof
"""What stands behind an evidence."""


@validated
class IdentityEvidence:
    """A statement of an issuer about a subject. Data, until it was verified.

    Attributes:
        subject: Who, in the issuer's words, for example `slack:T123/U456`.
        issuer: Who says so.
        method: How the issuer knows, a URN.
        assurance: Which kind of knowledge: `platform`, `domain`, `address`, `agent`, `oauth`, `wallet`, `delegated`
            or another word.
        audience: The agents that it is for, one address or several.
        issued_at: When it was issued.
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
    issued_at: ExactTimestamp
    proof: Proof
    id: Name | None = None
    not_before: ExactTimestamp | None = None
    expires_at: ExactTimestamp | None = None
    on_behalf_of: tuple[Name, ...] | None = None
    claims: JsonObject | None = None
    source: JsonObject | None = None
    extra: JsonObject = EMPTY_DICT


@validated
class VerifiedIdentity:
    """An identity that was verified here. Authorize on this, and on nothing else in a message.

    `identity.verify` makes them from evidence, and each `receive` from what it verified itself.

    Note:
        There is no other way, so the class cannot be called. `decode_trusted` reads one from your own store.

    Attributes:
        issuer: The issuer: the host of a connector, the domain that published a key, or the issuer of a token.
        subject: Who acts, in the issuer's words, for example `slack:T123/U456`.
        method: How the issuer knows, a URN.
        assurance: Which kind of knowledge.
        audience: The agent that it is for, one address. Of a transport's own identity, the recipient's host, or
            the `aud` of its token.
        issued_at: When it was issued.
        not_before: When it begins to hold.
        expires_at: When it ends.
        principals: Whose authority is carried besides the subject's own, the outermost first. They do not act here.
        key_id: Which key verified it.
        entry: The number of the entry of the trust policy that let it in; None for a transport's own.
        digest: SHA-256 of the signed bytes, in hex; None for a transport's own.
        replay_key: Under which it was used; None for a transport's own.
        id: The issuer's id of the evidence.
        claims: What the issuer says more, as signed.
        source: Where it was observed, as signed.
        extra: Empty; here so that stores of later versions can be read.

    Spec: IdentityEvidence v0.1; Building a Connector (Trust Policy).
    """

    issuer: Name
    subject: Name
    method: Name
    assurance: Name
    audience: Name
    issued_at: ExactTimestamp
    not_before: ExactTimestamp | None = None
    expires_at: ExactTimestamp | None = None
    principals: tuple[Name, ...] = ()
    key_id: str | None = None
    entry: int | None = None
    digest: str | None = None
    replay_key: str | None = None
    id: str | None = None
    claims: JsonObject = EMPTY_DICT
    source: JsonObject = EMPTY_DICT
    extra: JsonObject = EMPTY_DICT

    def __attrs_post_init__(self) -> None:
        raise UsageError("only verification makes a VerifiedIdentity; one from your own store comes by restore()")

    @classmethod
    def restored(cls, **members: Any) -> Self:
        """One out of your own store, its members checked. `decode_trusted` calls this."""
        return checked_object(cls, members)
