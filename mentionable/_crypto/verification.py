"""What every `verify` shares: how a step fails, the evidence of a success, and the check against replay."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from typing import Any, Final, TypeAlias

from .._errors.exceptions import Code
from .._flow.asks import UseOnce
from .._flow.flow import Failed, Flow
from .._flow.outcome import Rejected, Verdict
from .._flow.settings import Settings
from .._model.base import EMPTY_DICT, unchecked
from .._model.identity import IdentityEvidence, TransportProof, VerifiedIdentity
from .._model.sender import AuthMethod, Sender
from .._wire.time import format_time

_ASSURANCE: Final[Mapping[AuthMethod, str]] = {
    "ap-http-signature": "address",
    "ap-object-integrity-proof": "address",
    "a2a-jwt": "agent",
    "a2a-oauth": "oauth",
    "email-dkim": "domain",
    "email-dmarc": "domain",
}
"""What each method proves: mail proves the domain alone, whoever of its users wrote."""

Audience: TypeAlias = str | tuple[str, ...]
NO_AUDIENCE: Final[Audience] = ()
"""The audience of evidence that was signed for no agent in particular: the published type cannot leave it out."""

_LAST: Final = 253_402_300_799
"""The last second that a `datetime` can name."""

_new_sender: Final = unchecked(Sender)
_new_use_once: Final = unchecked(UseOnce)


class VerificationFailed(Exception):
    """A step of a verification failed. Never leaves `verify`: it becomes the code of the verdict.

    Attributes:
        code: A key of `CODES`.
        detail: In words, for logs.
        temporary: Whether trying again later may verify it.
        steps: The steps that passed before, where the check that raised it names them.
    """

    def __init__(self, code: Code, detail: str = "", *, temporary: bool = False) -> None:
        self.code: Code = code
        self.detail = detail
        self.temporary = temporary
        self.steps: tuple[str, ...] = ()
        super().__init__(code, detail)

    def verdict(self, steps: tuple[str, ...] = ()) -> Verdict:
        """The verdict on the message, of which `steps` were passed."""
        return Verdict(
            method="none", verified=False, steps=steps, code=self.code, detail=self.detail, temporary=self.temporary
        )


def transport_evidence(
    method: AuthMethod, subject: str, *, issuer: str, audience: Audience, key_id: str | None, now: datetime
) -> IdentityEvidence:
    """The evidence that a transport makes of its own verification.

    Args:
        method: How the subject was verified; its URN is `urn:mentionable:auth:<method>:v0.1`.
        subject: The canonical address that was verified.
        issuer: Whose word it is: the domain that published the key, or the issuer of the token.
        audience: The host that it is for; `NO_AUDIENCE` where the signature does not cover it.
        key_id: Which key verified it.
        now: The time.

    Spec: IdentityEvidence v0.1 (transport proof); Normalized Message §5 (sender.identities).
    """
    new_evidence, new_proof, _ = _constructors()
    evidence: IdentityEvidence = new_evidence(
        subject=subject,
        issuer=issuer,
        method=f"urn:mentionable:auth:{method}:v0.1",
        assurance=_ASSURANCE[method],
        audience=audience,
        issued_at=format_time(now),
        proof=new_proof(verified_by=method.partition("-")[0], key_id=key_id),
    )
    return evidence


def _addressed(evidence: IdentityEvidence, audience: Audience) -> IdentityEvidence:
    """The same evidence of a transport for another audience; not by `replace`, since every recipient needs it."""
    if evidence.audience == audience:
        return evidence
    new_evidence, _, _ = _constructors()
    addressed: IdentityEvidence = new_evidence(
        subject=evidence.subject,
        issuer=evidence.issuer,
        method=evidence.method,
        assurance=evidence.assurance,
        audience=audience,
        issued_at=evidence.issued_at,
        proof=evidence.proof,
        on_behalf_of=evidence.on_behalf_of,
        claims=evidence.claims,
    )
    return addressed


@cache
def _constructors() -> tuple[Callable[..., Any], Callable[..., Any], Callable[..., Any]]:
    """The constructors of evidence, its proof and identities, made on first use: most messages have none."""
    return unchecked(IdentityEvidence), unchecked(TransportProof), unchecked(VerifiedIdentity)


def verified_sender(sender: Sender, verdict: Verdict, recipient: str) -> Sender:
    """The sender as the verdict shows them, with the evidence for one recipient. Nothing else makes one verified."""
    if verdict.method == "none":
        return sender
    evidence, forwarded = verdict.evidence, sender.identities or ()
    own: tuple[IdentityEvidence, ...] = ()
    if evidence is not None:
        is_for_recipient = evidence.audience or recipient in verdict.addressed
        own = (_addressed(evidence, recipient if is_for_recipient else NO_AUDIENCE),)
    return _new_sender(
        address=verdict.address or sender.address,
        auth_method=verdict.method,
        verified=verdict.verified,
        display_name=sender.display_name,
        profile=sender.profile,
        key_id=verdict.key_id,
        identities=(*own, *forwarded) or None,
        extra=sender.extra,
    )


def verified_identity(evidence: IdentityEvidence, addressed: str | None = None) -> VerifiedIdentity:
    """What a transport verified itself, as the identity to authorize on; for one agent where `addressed` names it."""
    proof: Any = evidence.proof
    _, _, new_identity = _constructors()
    identity: VerifiedIdentity = new_identity(
        issuer=evidence.issuer,
        subject=evidence.subject,
        method=evidence.method,
        assurance=evidence.assurance,
        audience=addressed or evidence.audience,
        issued_at=evidence.issued_at,
        key_id=proof.key_id,
        id=evidence.id,
        claims=evidence.claims or EMPTY_DICT,
        source=evidence.source or EMPTY_DICT,
    )
    return identity


def replay_ask(transport: str, used: bytes, *, binding: str, until: float) -> UseOnce:
    """The ask that lets a signature or token count for one message only.

    Args:
        transport: The name of the transport.
        used: The bytes that may be used once, in the same form for every spelling on the wire.
        binding: The native id of the message.
        until: When they expire in any case, in seconds.
    """
    key = f"{transport}:{sha256(used).hexdigest()}"
    return _new_use_once(key=key, binding=binding, until=datetime.fromtimestamp(min(until, _LAST), UTC))


def check_replay(verdict: Verdict, settings: Settings) -> Flow[UseOnce, Verdict]:
    """The same verdict, unless its signature or token was used for another message before, where that is checked."""
    if verdict.replay is None or not settings.use_once:
        return verdict
    try:
        yield from check_unused(verdict.replay)
    except VerificationFailed as fault:
        return fault.verdict(verdict.steps)
    return verdict


def check_unused(ask: UseOnce) -> Flow[UseOnce, None]:
    """Raises unless the answer to a replay ask is that the signature or token counts.

    Raises:
        VerificationFailed: `replayed`, `replay-unknown`.
    """
    answer = yield from ask
    if isinstance(answer, Failed):
        raise VerificationFailed("replay-unknown", answer.reason, temporary=answer.temporary)
    if answer is not True:
        raise VerificationFailed("replayed", "its replay key is taken")


def rejection_of(verdict: Verdict) -> Rejected:
    """The outcome for a message whose sender is not verified, where the settings require verified ones."""
    return Rejected(code="lookup-failed" if verdict.temporary else "verification-required", verdict=verdict)
