"""What every `verify` shares: how a step fails, the evidence of a success, and the check against replay."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from typing import Any, Final, TypeAlias

from .._errors.exceptions import Code
from .._flow.asks import Used, UseOnce
from .._flow.flow import Failed, Flow, ask_each
from .._flow.outcome import Rejected, Verdict
from .._flow.settings import Settings
from .._model.base import EMPTY_DICT, frozen, unchecked
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

_URNS: Final[Mapping[AuthMethod, str]] = {method: f"urn:mentionable:auth:{method}:v0.1" for method in _ASSURANCE}

TRANSPORT_METHODS: Final[Mapping[str, str]] = {_URNS[method]: assurance for method, assurance in _ASSURANCE.items()}
"""The methods, as URNs, by which a transport verifies a sender itself, and the assurance of each."""

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
        method=_URNS[method],
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


def verified_identities(
    verified: Iterable[IdentityEvidence | None], addressed: Iterable[str] = ()
) -> tuple[VerifiedIdentity, ...]:
    """What a transport or a platform verified itself, as the identities to authorize on.

    Evidence without an audience gives one for each agent in `addressed`: for none, it authorizes no sender.
    """
    _, _, new_identity = _constructors()
    return tuple(
        [
            new_identity(
                issuer=evidence.issuer,
                subject=evidence.subject,
                method=evidence.method,
                assurance=evidence.assurance,
                audience=audience,
                issued_at=evidence.issued_at,
                key_id=evidence.proof.key_id,  # type: ignore[union-attr]
                id=evidence.id,
                claims=evidence.claims or EMPTY_DICT,
                source=evidence.source or EMPTY_DICT,
            )
            for evidence in verified
            if evidence is not None
            for audience in ([evidence.audience] if evidence.audience else addressed)
        ]
    )


def replay_ask(
    transport: str, used: bytes, *, binding: str, recipient: str | None = None, until: float | None
) -> UseOnce:
    """The ask that lets a signature or token count for one message only.

    Args:
        transport: The name of the transport.
        used: The bytes that may be used once, in the same form for every spelling on the wire.
        binding: The message: its native id, and the digest of its content where that is signed.
        recipient: Who it is for: for each recipient a signature counts once. None for a token: it can go along with any
            message, so it counts for one recipient, which the binding names.
        until: From when on they are refused in any case, in seconds; None: they never are.
    """
    key = f"{transport}:{sha256(used).hexdigest()}"
    ends = datetime.fromtimestamp(_LAST if until is None else min(until, _LAST), UTC)
    if recipient is None:
        return _new_use_once(key=key, binding=binding, until=ends)
    return _new_use_once(key=f"{key} {recipient}", binding=f"{binding} {recipient}", until=ends)


@frozen
class ReplayCheck:
    """What is known of earlier uses of a signature or token.

    Attributes:
        verdict: The verdict on the message: that of its verification, or why its signature or token does not count.
        seen_by: The agents that got the same message before.
        is_repeated: Whether it came before, also where it is for no agent alone.
    """

    verdict: Verdict
    seen_by: frozenset[str] = frozenset()
    is_repeated: bool = False


_new_check: Final = unchecked(ReplayCheck)


def check_replay(verdict: Verdict, settings: Settings, recipients: Sequence[str] = ()) -> Flow[UseOnce, ReplayCheck]:
    """Whether a signature or token counts: not when it was used for another message before, where that is checked.

    Args:
        verdict: The verdict on the message.
        settings: Whether it is checked.
        recipients: The agents that the message is for. Without any, it counts for the host that it was sent to.
    """
    if not settings.use_once or not verdict.replays:
        return _new_check(verdict=verdict)
    uses = [use for replay in verdict.replays for use in _uses_of(replay, recipients)]
    answers = yield from ask_each([ask for ask, _ in uses])
    try:
        repeated = [agent for (_, agent), answer in zip(uses, answers, strict=True) if _is_repeated(answer)]
    except VerificationFailed as fault:
        return ReplayCheck(verdict=fault.verdict(verdict.steps))
    return ReplayCheck(verdict=verdict, seen_by=frozenset(filter(None, repeated)), is_repeated=bool(repeated))


def _uses_of(ask: UseOnce, recipients: Sequence[str]) -> list[tuple[UseOnce, str | None]]:
    """The same replay ask for each recipient, and who it is, where its key names one.

    A token names none, and goes to one agent.
    """
    key, named, _ = ask.key.partition(" ")
    if not named or not recipients:
        return [(ask, recipients[0] if recipients else None)]
    message = ask.binding.rpartition(" ")[0]
    return [
        (_new_use_once(key=f"{key} {agent}", binding=f"{message} {agent}", until=ask.until), agent)
        for agent in recipients
    ]


def check_unused(ask: UseOnce) -> Flow[UseOnce, None]:
    """Raises unless the answer to a replay ask is that the signature or token counts.

    Raises:
        VerificationFailed: `replayed`, `replay-unknown`.
    """
    _is_repeated((yield from ask))


def _is_repeated(answer: Used | Failed) -> bool:
    """Whether a signature or token was used for the very same before.

    Raises:
        VerificationFailed: `replayed`: it was used for something else. `replay-unknown`: that is not known.
    """
    if isinstance(answer, Failed):
        raise VerificationFailed("replay-unknown", answer.reason, temporary=answer.temporary)
    if answer == "other":
        raise VerificationFailed("replayed", "its replay key is taken")
    return answer == "same"


def rejection_of(verdict: Verdict) -> Rejected:
    """The outcome for a message whose sender is not verified, where the settings require verified ones."""
    return Rejected(code="lookup-failed" if verdict.temporary else "verification-required", verdict=verdict)
