"""Step-up: what an agent may demand before it goes on, and the verified completion of such a demand."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, ClassVar, Final, Literal, TypeAlias

from .._errors.exceptions import WireError
from .._wire.canonical_json import canonical_json
from .annotation import InvalidMember
from .base import EMPTY_DICT, validated
from .rules import Count, JsonObject, Name, SecureUrl, Timestamp, Token, is_token

EXTENSION: Final = "https://mentionable.dev/ns/policy/v0.1"
"""The extension by which policies travel: in agent cards, A2A, ActivityPub and as the type of HTTP problems."""

_LANGUAGE: Final = re.compile(r"[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8}+)*").fullmatch
_REVERSE_DNS: Final = re.compile(r"[A-Za-z][A-Za-z0-9-]*+(?:\.[A-Za-z0-9_-]++)+(?:[:/].*+)?", re.DOTALL).fullmatch
_UNPRINTABLE: Final = re.compile(r"[\0-\x08\n-\x1f\x7f]").search


@validated
class PolicyTranslation:
    """The words of a policy in another language.

    Attributes:
        message: The detail for people.
        title: Short summary.
        extra: Members that this version does not know.
    """

    message: Name
    title: str | None = None
    extra: JsonObject = EMPTY_DICT

    def _check(self) -> None:
        _check_words(self.message)
        _check_each(self.extra)


def _check_words(message: str) -> None:
    if not message.strip():
        raise InvalidMember("message must not be blank")


@validated
class AuthChallenge:
    """One way to authenticate (RFC 9110 §11.3).

    Attributes:
        scheme: The authentication scheme, for example `Bearer`.
        params: Its parameters, by names of which no two differ in case alone.
        extra: Members that this version does not know.
    """

    scheme: Token
    params: Mapping[str, str] | None = None
    extra: JsonObject = EMPTY_DICT

    def _check(self) -> None:
        params = self.params or {}
        _check_entries("params", [name for name in params if not is_token(name)], "params must be by tokens of HTTP")
        _check_unlike(params, "params")
        controls = [name for name, text in params.items() if _UNPRINTABLE(text)]
        _check_entries("params", controls, "params must not hold control characters")
        _check_each(self.extra)


def _check_canonical(*members: Mapping[str, Any] | None) -> None:
    """Raises when JSON has no canonical form: offers are compared by it, and every reader must read the same number."""
    for member in members:
        if member:
            try:
                canonical_json({**member})
            except WireError as error:
                raise InvalidMember(f"its JSON must have a canonical form: {error}") from None


def _check_each(members: Mapping[str, Any], *under: str) -> None:
    """Raises when members have no canonical form; each of them costs itself."""
    try:
        _check_canonical(members)
    except InvalidMember:
        wrong = [name for name, member in members.items() if not _is_canonical(member)]
        raise InvalidMember("its JSON must have a canonical form", *[(*under, name) for name in wrong]) from None


def _is_canonical(member: Any) -> bool:
    try:
        _check_canonical({"": member})
    except InvalidMember:
        return False
    return True


def _check_entries(member: str, wrong: list[str], words: str) -> None:
    """Raises when entries of a member are wrong."""
    if wrong:
        raise InvalidMember(words, *[(member, name) for name in wrong])


def _check_unlike(members: Mapping[str, Any], what: str) -> None:
    """Raises when two names differ in case alone, so that readers take one or the other."""
    first = {name.lower(): name for name in reversed(list(members))}
    again = [name for name in members if first[name.lower()] != name]
    _check_entries(what, again, f"{what} has two names that differ in case alone")


@validated
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
    extra: JsonObject = EMPTY_DICT

    def _check(self) -> None:
        _check_canonical(self.payload, self.extra)


@validated
class PolicyPartBase:
    """What every kind of policy has.

    Attributes:
        message: The detail for people. Required.
        code: Machine-readable token, for example `oauth:consent_required`.
        title: Short summary.
        message_translations: The words in other languages, by BCP 47 tag; `policy.localize` looks one up.
        url: Where a person can act: https, on the host of the agent that demands.
        action_label: The text of the button that leads to `url`.
        data: Protocol-native members, by keys that begin with a reversed domain, such as `com.example.order`.
        extra: Members that this version does not know.
    """

    message: Name
    code: str | None = None
    title: str | None = None
    message_translations: Mapping[str, PolicyTranslation] | None = None
    url: SecureUrl | None = None
    action_label: str | None = None
    data: JsonObject | None = None
    extra: JsonObject = EMPTY_DICT

    def _check(self) -> None:
        _check_words(self.message)
        translations = self.message_translations or {}
        _check_entries(
            "message_translations",
            [tag for tag in translations if not _LANGUAGE(tag)],
            "message_translations must be by language tags",
        )
        _check_unlike(translations, "message_translations")
        data = self.data or {}
        foreign = [name for name in data if not _REVERSE_DNS(name)]
        _check_entries("data", foreign, "data must be by keys that begin with a reversed domain")
        _check_each(data, "data")
        _check_each(self.extra)


@validated
class Unauthorized(PolicyPartBase):
    """The caller has no identity that this resource takes (401).

    Attributes:
        auth_challenges: How to authenticate.
    """

    kind: ClassVar[Literal["unauthorized"]] = "unauthorized"
    auth_challenges: tuple[AuthChallenge, ...]


@validated
class PaymentRequired(PolicyPartBase):
    """The caller must pay before the agent goes on (402).

    Attributes:
        accepted_payments: The ways to pay, at least one.
        state: The single-use token that a completion names.
    """

    kind: ClassVar[Literal["payment_required"]] = "payment_required"
    accepted_payments: tuple[AcceptedPayment, ...]
    state: Name | None = None

    def _check(self) -> None:
        super()._check()
        if not self.accepted_payments:
            raise InvalidMember("accepted_payments must not be empty")


@validated
class ConsentRequired(PolicyPartBase):
    """The person must consent before the agent goes on.

    Attributes:
        state: The single-use token that a completion names.
        return_to: Where the person comes back to, https.
    """

    kind: ClassVar[Literal["consent_required"]] = "consent_required"
    state: Name
    return_to: SecureUrl


@validated
class Forbidden(PolicyPartBase):
    """The caller is known and not allowed (403)."""

    kind: ClassVar[Literal["forbidden"]] = "forbidden"


@validated
class TooManyRequests(PolicyPartBase):
    """A rate limit was hit (429).

    Attributes:
        retry_after_seconds: How long to wait.
    """

    kind: ClassVar[Literal["too_many_requests"]] = "too_many_requests"
    retry_after_seconds: Count | None = None


@validated
class UnavailableForLegalReasons(PolicyPartBase):
    """Blocked by law or region (451)."""

    kind: ClassVar[Literal["unavailable_for_legal_reasons"]] = "unavailable_for_legal_reasons"


@validated
class ServiceUnavailable(PolicyPartBase):
    """A temporary outage (503).

    Attributes:
        retry_after_seconds: How long to wait.
    """

    kind: ClassVar[Literal["service_unavailable"]] = "service_unavailable"
    retry_after_seconds: Count | None = None


@validated
class UnknownPolicy(PolicyPartBase):
    """A policy of a kind that this version does not know. Never a success; every member is kept.

    Attributes:
        kind: The kind as it came.
    """

    kind: Name

    def _check(self) -> None:
        super()._check()
        if self.kind in KINDS:
            raise InvalidMember(f"{self.kind} has a class of its own")


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


@validated
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
    extra: JsonObject = EMPTY_DICT


@validated
class ConsentConfirmation:
    """What shows that consent was given.

    Attributes:
        scope_hash: SHA-256 over the canonical JSON of the scope.
        expires_at: When the consent ends; None: when it is revoked.
        extra: Members that this version does not know.
    """

    scope_hash: Name
    expires_at: Timestamp | None = None
    extra: JsonObject = EMPTY_DICT


@validated
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
    extra: JsonObject = EMPTY_DICT

    def _check(self) -> None:
        fitting = PaymentConfirmation if self.kind == "payment_required" else ConsentConfirmation
        if not isinstance(self.confirmation, fitting):
            raise InvalidMember(f"{self.kind} needs a {fitting.__name__}")
