"""The other side of `verify`: a connector says, signed and for one agent, exactly what it has verified.

Spec: Building a Connector (Identity Attestations); IdentityEvidence v0.1.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from .._crypto.connector_card import is_key_id
from .._crypto.keys import SigningKey, check_signing_key
from .._errors.exceptions import UsageError, WireError
from .._flow.settings import check_now
from .._model.codec import decode_parsed_trusted, encode
from .._model.identity import IdentityEvidence, TransportProof
from .._model.message import NormalizedMessage
from .._model.trust import DEFAULT_LIFETIME, check_issuer
from .._text.redaction import credential_in
from .._wire.address import is_canonical
from .._wire.strict_json import dump_line, pointer
from .._wire.time import signed_time
from ._read import MAX_BYTES, read_statement
from ._sign import signing_input
from ._step import Refused
from ._trust import ALGORITHM, ATTESTATION, CANONICALIZATION, is_method, is_subject

LIFETIME: Final = timedelta(seconds=DEFAULT_LIFETIME)
"""How long evidence holds. Spec: Building a Connector (Security Checklist)."""

_SHORTEST: Final = timedelta(seconds=1)
_LONGEST: Final = timedelta(hours=1)


def attest(
    *,
    subject: str,
    method: str,
    assurance: str,
    issuer: str,
    audience: str,
    key: SigningKey,
    now: datetime,
    lifetime: timedelta = LIFETIME,
    id: str | None = None,
    on_behalf_of: tuple[str, ...] = (),
    claims: Mapping[str, Any] | None = None,
    source: Mapping[str, Any] | None = None,
) -> IdentityEvidence:
    """Signed evidence for one agent. Say only what you have verified, and put no token and no secret into it.

    Args:
        subject: Who, for example `slack:T123/U456`.
        method: How you know, a URN.
        assurance: Which kind of knowledge: `platform`, `oauth`, `wallet`, ….
        issuer: Your host, where your Connector Card lies.
        audience: The agent, canonical, from the subject of its WebFinger and not from what a user typed.
        key: The Ed25519 key; its `key_id` is the `kid` of your card.
        now: The time, aware.
        lifetime: How long it holds, at most an hour. Five minutes is what receivers take.
        id: The platform's own id of the event, so that it counts once: `slack:Ev0123`.
        on_behalf_of: Whose authority is carried, the outermost first.
        claims: More about the subject; `profile` shows them.
        source: Where it was observed.

    Raises:
        UsageError: Your program's fault: an argument of the wrong kind, evidence that nobody would take, or evidence in
            which something looks like a credential: a platform's token or webhook, `Bearer …`, a JWT, PEM, a private
            JWK, anything under the name of a secret. The error points to it and does not repeat it.

    Spec: Building a Connector (Identity Attestations).

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import SigningKey
        >>> badge = attest(
        ...     subject="slack:T123/U456", method="urn:mentionable:auth:slack-workspace-member:v0.1",
        ...     assurance="platform", issuer="slack.agents.example", audience="@helper@agents.example",
        ...     key=SigningKey.from_seed(bytes(range(32)), key_id="2026-11"), now=datetime(2026, 11, 21, tzinfo=UTC),
        ... )
        >>> badge.expires_at, len(badge.proof.value)
        ('2026-11-21T00:05:00.000Z', 86)
    """
    check_signing_key(key)
    check_now(now)
    if not is_subject(subject) or not is_method(method):
        raise UsageError("subject and method are visible ASCII; a subject is scheme:… or @local@domain")
    _check_terms(issuer, audience, key, lifetime)
    _check_principals(on_behalf_of, subject, assurance)
    members: dict[str, Any] = {
        "subject": subject,
        "issuer": issuer,
        "method": method,
        "assurance": assurance,
        "audience": audience,
        "issued_at": signed_time(now),
        "expires_at": signed_time(now + lifetime),
        "proof": {"type": ATTESTATION, "alg": ALGORITHM, "kid": key.key_id, "canonicalization": CANONICALIZATION},
    }
    optional = {"id": id, "on_behalf_of": on_behalf_of or None, "claims": claims, "source": source}
    members |= {name: member for name, member in optional.items() if member is not None}
    members["proof"]["value"] = "A" * 86  # so that the draft is a whole evidence
    try:
        draft = encode(decode_parsed_trusted(IdentityEvidence, members))
        read_statement(dump_line(draft).encode())
        _check_no_credentials(draft)
        signature = key.sign(signing_input(draft))
    except Refused as refused:
        raise UsageError(f"evidence that nobody takes: {refused.code}, at most {MAX_BYTES} bytes") from None
    except WireError as error:
        raise UsageError(f"not evidence: {error}") from None
    draft["proof"]["value"] = urlsafe_b64encode(signature).decode("ascii").rstrip("=")
    return decode_parsed_trusted(IdentityEvidence, draft)


def _check_no_credentials(draft: dict[str, Any]) -> None:
    """Raises `UsageError` where something that authorizes somebody would be signed, and sent to every receiver.

    Spec: Building a Connector (Security Checklist); Normalized Message §3.2.
    """
    places = [(pointer(name), draft.get(name)) for name in ("claims", "source", "id", "subject", "method")]
    places += [(pointer("on_behalf_of", index), one) for index, one in enumerate(draft.get("on_behalf_of", ()))]
    for at, member in places:
        found = credential_in(member, at)
        if found is not None:
            raise UsageError(f"{found}: looks like a token or a key, which evidence must not hold")


def _check_terms(issuer: object, audience: object, key: SigningKey, lifetime: object) -> None:
    """Raises `UsageError` unless receivers could take evidence on these terms."""
    check_issuer(issuer)
    if not isinstance(audience, str) or not is_canonical(audience):
        raise UsageError("audience is one canonical address @agent@domain")
    if key.kind != "ed25519" or not is_key_id(key.key_id):
        raise UsageError("key is Ed25519, and its key_id is 1 to 128 visible ASCII characters")
    if not isinstance(lifetime, timedelta) or not _SHORTEST <= lifetime <= _LONGEST:
        raise UsageError("lifetime is a timedelta from a second to an hour")


def _check_principals(named: object, subject: str, assurance: object) -> None:
    """Raises `UsageError` unless receivers could take evidence that carries the authority of these."""
    if not isinstance(named, tuple) or not all(map(is_subject, named)) or len({*named, subject}) <= len(named):
        raise UsageError("on_behalf_of is a tuple of subjects, each once, and not of who acts")
    if assurance == "delegated" and not named:
        raise UsageError("delegated evidence says on whose behalf")


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

    It says what the connector's own room verified when it received the message, no more: subject, method, assurance,
    source, claims and the platform's id of the event stay as they are. Attest a message once: a redelivered one
    attested anew would show the same id with another signature, which receivers refuse. Send the first request again.

    Returns:
        What `a2a.call(evidence=...)` takes; empty when the room of this issuer showed nobody.

    Raises:
        UsageError: Your program's fault: an argument of the wrong kind.

    Spec: Building a Connector (Identity Attestations, Required Pieces).
    """
    check_signing_key(key)
    check_now(now)
    _check_terms(issuer, audience, key, lifetime)
    return tuple(
        [
            attest(
                subject=shown.subject,
                method=shown.method,
                assurance=shown.assurance,
                issuer=issuer,
                audience=audience,
                key=key,
                now=now,
                lifetime=lifetime,
                id=shown.id,
                claims=shown.claims,
                source=shown.source,
            )
            for shown in message.sender.identities or ()
            if isinstance(shown.proof, TransportProof) and shown.issuer == issuer
        ]
    )
