"""The counterpart of `verify`: a connector signs, for one agent, exactly what it has verified.

Spec: Building a Connector (Identity Attestations); IdentityEvidence v0.1.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from attrs import field

from .._crypto.connector_card import is_key_id
from .._crypto.keys import SigningKey, check_signing_key
from .._errors.exceptions import UsageError, WireError
from .._flow.settings import check_kind, check_now
from .._model.base import frozen
from .._model.codec import decode_parsed_trusted, encode
from .._model.identity import IdentityEvidence, TransportProof
from .._model.message import NormalizedMessage
from .._model.trust import DEFAULT_LIFETIME, check_issuer
from .._text.redaction import credential_in
from .._wire.address import is_canonical
from .._wire.base64 import base64url_encode
from .._wire.strict_json import dump_line, pointer
from .._wire.time import signed_time
from ._read import MAX_BYTES, EvidenceRejected, parse_evidence
from ._sign import signing_input
from ._trust import ALGORITHM, ATTESTATION, CANONICALIZATION, is_method, is_subject

LIFETIME: Final = timedelta(seconds=DEFAULT_LIFETIME)
"""How long evidence is valid. Spec: Building a Connector (Security Checklist)."""

_MIN_LIFETIME: Final = timedelta(seconds=1)
_MAX_LIFETIME: Final = timedelta(hours=1)


@frozen
class Statement:
    """What an issuer attests about a subject. State only what you verified, and put no token and no secret into it.

    Attributes:
        subject: The subject, for example `slack:T123/U456`.
        method: The URN of the method by which you verified it.
        assurance: The kind of verification: `platform`, `oauth`, `wallet`, ….
        id: The platform's own id of the event, so that the evidence counts once: `slack:Ev0123`.
        on_behalf_of: The principals whose authority the subject carries, the outermost first.
        claims: Further facts about the subject; `profile` says how to display them.
        source: Where the subject was observed.
    """

    subject: str
    method: str
    assurance: str
    id: str | None = None
    on_behalf_of: tuple[str, ...] = ()
    claims: Mapping[str, Any] | None = field(default=None, hash=False)
    source: Mapping[str, Any] | None = field(default=None, hash=False)


def attest(
    statement: Statement,
    *,
    issuer: str,
    audience: str,
    key: SigningKey,
    now: datetime,
    lifetime: timedelta = LIFETIME,
) -> IdentityEvidence:
    """Sign a statement as evidence for one agent.

    Args:
        statement: What you attest.
        issuer: Your host, which serves your Connector Card.
        audience: The agent's canonical address, from the subject of its WebFinger document and not from user input.
        key: The Ed25519 key; its `key_id` is the `kid` of your card.
        now: The time, aware.
        lifetime: How long the evidence is valid, at most an hour. Receivers accept five minutes.

    Raises:
        UsageError: An argument is of the wrong kind, no receiver would accept the evidence, or a member of the
            statement looks like a credential: a platform's token or webhook, `Bearer …`, a JWT, PEM, a private JWK,
            anything under the name of a secret. The error names the member and does not repeat its value.

    Spec: Building a Connector (Identity Attestations).

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import SigningKey
        >>> member = Statement(
        ...     subject="slack:T123/U456", method="urn:mentionable:auth:slack-workspace-member:v0.1",
        ...     assurance="platform",
        ... )
        >>> badge = attest(
        ...     member, issuer="slack.agents.example", audience="@helper@agents.example",
        ...     key=SigningKey.from_seed(bytes(range(32)), key_id="2026-11"), now=datetime(2026, 11, 21, tzinfo=UTC),
        ... )
        >>> badge.expires_at, len(badge.proof.value)
        ('2026-11-21T00:05:00.000Z', 86)
    """
    # 1. check the statement and its terms     3. refuse what receivers would reject, and credentials
    # 2. draft the evidence                    4. sign the canonical form

    # 1.
    check_signing_key(key)
    check_now(now)
    if not isinstance(statement, Statement):
        raise UsageError("statement is an identity.Statement(subject=..., method=..., assurance=...)")
    if not is_subject(statement.subject) or not is_method(statement.method):
        raise UsageError("subject and method are visible ASCII; a subject is scheme:… or @local@domain")
    _check_terms(issuer, audience, key, lifetime)
    _check_principals(statement)

    # 2.
    members: dict[str, Any] = {
        "subject": statement.subject,
        "issuer": issuer,
        "method": statement.method,
        "assurance": statement.assurance,
        "audience": audience,
        "issued_at": signed_time(now),
        "expires_at": signed_time(now + lifetime),
        "proof": {"type": ATTESTATION, "alg": ALGORITHM, "kid": key.key_id, "canonicalization": CANONICALIZATION},
    }
    optional = {
        "id": statement.id,
        "on_behalf_of": statement.on_behalf_of or None,
        "claims": statement.claims,
        "source": statement.source,
    }
    members |= {name: member for name, member in optional.items() if member is not None}
    members["proof"]["value"] = "A" * 86  # a placeholder, so that the draft passes the reader before it is signed

    # 3.
    try:
        draft = encode(decode_parsed_trusted(IdentityEvidence, members))
        parse_evidence(dump_line(draft).encode())
        _check_no_credentials(draft)

        # 4.
        signature = key.sign(signing_input(draft))
    except EvidenceRejected as rejected:
        raise UsageError(
            f"no receiver would accept this evidence: {rejected.code}, at most {MAX_BYTES} bytes"
        ) from None
    except WireError as error:
        raise UsageError(f"not evidence: {error}") from None
    draft["proof"]["value"] = base64url_encode(signature)
    return decode_parsed_trusted(IdentityEvidence, draft)


def _check_no_credentials(draft: dict[str, Any]) -> None:
    """Raise `UsageError` where a credential would be signed, and so sent to every receiver.

    Spec: Building a Connector (Security Checklist); Normalized Message §3.2.
    """
    places = [(pointer(name), draft.get(name)) for name in ("claims", "source", "id", "subject", "method")]
    places += [(pointer("on_behalf_of", index), one) for index, one in enumerate(draft.get("on_behalf_of", ()))]
    for at, member in places:
        place = credential_in(member, at)
        if place is not None:
            raise UsageError(f"{place}: looks like a token or a key, which evidence must not hold")


def _check_terms(issuer: object, audience: object, key: SigningKey, lifetime: object) -> None:
    """Raise `UsageError` unless receivers can accept evidence with these terms."""
    check_issuer(issuer)
    if not isinstance(audience, str) or not is_canonical(audience):
        raise UsageError("audience is one canonical address @agent@domain")
    if key.kind != "ed25519" or not is_key_id(key.key_id):
        raise UsageError("key is Ed25519, and its key_id is 1 to 128 visible ASCII characters")
    if not isinstance(lifetime, timedelta) or not _MIN_LIFETIME <= lifetime <= _MAX_LIFETIME:
        raise UsageError("lifetime is a timedelta from a second to an hour")


def _check_principals(statement: Statement) -> None:
    """Raise `UsageError` unless the principals are distinct subjects other than the one who acts."""
    principals: object = statement.on_behalf_of
    if (
        not isinstance(principals, tuple)
        or not all(map(is_subject, principals))
        or len({*principals, statement.subject}) <= len(principals)
    ):
        raise UsageError("on_behalf_of is a tuple of distinct subjects without the statement's own")
    if statement.assurance == "delegated" and not principals:
        raise UsageError("on_behalf_of: delegated evidence names its principals")


def attest_sender(
    message: NormalizedMessage,
    *,
    audience: str,
    key: SigningKey,
    issuer: str,
    now: datetime,
    lifetime: timedelta = LIFETIME,
) -> tuple[IdentityEvidence, ...]:
    """The evidence of a connector for the sender of a message, for the agent that it forwards the message to.

    It states what the connector verified when it received the message, no more: subject, method, assurance,
    source, claims and the platform's id of the event stay as they are. Attest a message once: a redelivered one
    attested anew would have the same id with another signature, which receivers reject. Send the first request again.

    Returns:
        What `a2a.CallContext(evidence=...)` takes; empty when the connector of this issuer verified no sender.

    Raises:
        UsageError: Your program's fault: an argument of the wrong kind.

    Spec: Building a Connector (Identity Attestations, Required Pieces).
    """
    check_kind(message, NormalizedMessage, "message")
    check_signing_key(key)
    check_now(now)
    _check_terms(issuer, audience, key, lifetime)
    own = [
        evidence
        for evidence in message.sender.identities or ()
        if isinstance(evidence.proof, TransportProof) and evidence.issuer == issuer
    ]
    names = ("subject", "method", "assurance", "id", "claims", "source")
    statements = [Statement(**{name: getattr(evidence, name) for name in names}) for evidence in own]
    terms: dict[str, Any] = {"issuer": issuer, "audience": audience, "key": key, "now": now, "lifetime": lifetime}
    return tuple([attest(statement, **terms) for statement in statements])
