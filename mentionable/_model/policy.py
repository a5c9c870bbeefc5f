"""Step-up: what an agent may demand before it goes on, and the verified completion of such a demand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final, Literal, TypeAlias

from .._value import NO_MEMBERS, Misfit, value
from .rules import Count, JsonObject, Name, Timestamp, WebUrl


@value
class PolicyTranslation:
    """The words of a policy in another language.

    Attributes:
        message: The detail for people.
        title: Short summary.
        extra: Members that this version does not know.
    """

    message: Name
    title: str | None = None
    extra: JsonObject = NO_MEMBERS


@value
class AuthChallenge:
    """One way to authenticate (RFC 9110 §11.3).

    Attributes:
        scheme: The authentication scheme, for example `Bearer`.
        params: Its parameters.
        extra: Members that this version does not know.
    """

    scheme: Name
    params: Mapping[str, str] | None = None
    extra: JsonObject = NO_MEMBERS


@value
class AcceptedPayment:
    """One way to pay. The scheme decides what the payload looks like.

    Attributes:
        scheme: Open name, for example `x402.exact`.
        payload: What the scheme needs, echoed back unchanged by the payer.
        label: Button text.
        description: What the button does.
        extra: Members that this version does not know.
    """

    scheme: Name
    payload: JsonObject
    label: str | None = None
    description: str | None = None
    extra: JsonObject = NO_MEMBERS


@value
class _Policy:
    """What every kind of policy has.

    Attributes:
        message: The detail for people. Required.
        code: Machine-readable token, for example `oauth:consent_required`.
        title: Short summary.
        message_translations: The words in other languages, by BCP 47 tag.
        url: Where a person can act.
        action_label: The text of the button that leads to `url`.
        data: Protocol-native members under reverse-DNS keys.
        extra: Members that this version does not know.
    """

    message: Name
    code: str | None = None
    title: str | None = None
    message_translations: Mapping[str, PolicyTranslation] | None = None
    url: WebUrl | None = None
    action_label: str | None = None
    data: JsonObject | None = None
    extra: JsonObject = NO_MEMBERS


@value
class Unauthorized(_Policy):
    """The caller has no identity that this resource takes (401).

    Attributes:
        auth_challenges: How to authenticate.
    """

    kind: ClassVar[Literal["unauthorized"]] = "unauthorized"
    auth_challenges: tuple[AuthChallenge, ...]


@value
class PaymentRequired(_Policy):
    """The caller must pay before the agent goes on (402).

    Attributes:
        accepted_payments: The ways to pay, at least one.
        state: The single-use token that a completion names.
    """

    kind: ClassVar[Literal["payment_required"]] = "payment_required"
    accepted_payments: tuple[AcceptedPayment, ...]
    state: Name | None = None

    def _check(self) -> None:
        if not self.accepted_payments:
            raise Misfit("accepted_payments must not be empty")


@value
class ConsentRequired(_Policy):
    """The person must consent before the agent goes on.

    Attributes:
        state: The single-use token that a completion names.
        return_to: Where the person comes back to.
    """

    kind: ClassVar[Literal["consent_required"]] = "consent_required"
    state: Name
    return_to: WebUrl


@value
class Forbidden(_Policy):
    """The caller is known and not allowed (403)."""

    kind: ClassVar[Literal["forbidden"]] = "forbidden"


@value
class TooManyRequests(_Policy):
    """A rate limit was hit (429).

    Attributes:
        retry_after_seconds: How long to wait.
    """

    kind: ClassVar[Literal["too_many_requests"]] = "too_many_requests"
    retry_after_seconds: Count | None = None


@value
class UnavailableForLegalReasons(_Policy):
    """Blocked by law or region (451)."""

    kind: ClassVar[Literal["unavailable_for_legal_reasons"]] = "unavailable_for_legal_reasons"


@value
class ServiceUnavailable(_Policy):
    """A temporary outage (503).

    Attributes:
        retry_after_seconds: How long to wait.
    """

    kind: ClassVar[Literal["service_unavailable"]] = "service_unavailable"
    retry_after_seconds: Count | None = None


@value
class UnknownPolicy(_Policy):
    """A policy of a kind that this version does not know. Never a success; every member is kept.

    Attributes:
        kind: The kind as it came.
    """

    kind: Name

    def _check(self) -> None:
        if self.kind in KINDS:
            raise Misfit(f"{self.kind} has a class of its own")


PolicyPart: TypeAlias = (
    Unauthorized
    | PaymentRequired
    | ConsentRequired
    | Forbidden
    | TooManyRequests
    | UnavailableForLegalReasons
    | ServiceUnavailable
    | UnknownPolicy
)
"""What an agent demands before it goes on. Spec: PolicyPart §Seven Well-Known Kinds."""

KINDS: Final[Mapping[str, type[Any]]] = {
    known.kind: known
    for known in (
        Unauthorized,
        PaymentRequired,
        ConsentRequired,
        Forbidden,
        TooManyRequests,
        UnavailableForLegalReasons,
        ServiceUnavailable,
    )
}


@value
class PaymentConfirmation:
    """What shows that a payment was made.

    Attributes:
        scheme: One of the schemes that were offered.
        original_payload: The offered payload, echoed unchanged.
        transaction: Transaction hash or id.
        payer: Wallet address or customer mail address.
        network: The network, where the scheme has one.
        extra: Members that this version does not know.
    """

    scheme: Name
    original_payload: JsonObject
    transaction: str | None = None
    payer: str | None = None
    network: str | None = None
    extra: JsonObject = NO_MEMBERS


@value
class ConsentConfirmation:
    """What shows that consent was given.

    Attributes:
        scope_hash: SHA-256 over the canonical JSON of the scope.
        expires_at: When the consent ends; None: when it is revoked.
        extra: Members that this version does not know.
    """

    scope_hash: Name
    expires_at: Timestamp | None = None
    extra: JsonObject = NO_MEMBERS


@value
class PolicyResolution:
    """A verified completion of a demand made on a former turn.

    Attributes:
        in_reply_to_state: The state of the policy that it completes.
        kind: Which kind of demand.
        confirmation: The payment or the consent.
        verified_by: Who verified it, for logs only.
        extra: Members that this version does not know.

    Spec: Normalized Message §3.4.
    """

    in_reply_to_state: Name
    kind: Literal["payment_required", "consent_required"]
    confirmation: PaymentConfirmation | ConsentConfirmation
    verified_by: str
    extra: JsonObject = NO_MEMBERS

    def _check(self) -> None:
        fitting = PaymentConfirmation if self.kind == "payment_required" else ConsentConfirmation
        if not isinstance(self.confirmation, fitting):
            raise Misfit(f"{self.kind} needs a {fitting.__name__}")
