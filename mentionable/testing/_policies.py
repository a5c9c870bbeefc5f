"""Strategies for policies and policy resolutions."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any, Final

from .._model import policy
from ._leaves import extra, json_objects, json_values, names, st, tuples
from ._values import fitting, strategy_for, values

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

_LANGUAGES: Final = ("de", "en-GB", "fr", "ko", "zh-Hant-TW")
_KEYS: Final = ("com.example.order", "dev.mentionable.x", "org.x402.error")
_PLAIN: Final = (
    policy.Forbidden,
    policy.TooManyRequests,
    policy.UnavailableForLegalReasons,
    policy.ServiceUnavailable,
)
_PARAMS: Final = ("error", "nonce", "realm", "scope")


@cache
def _own_urls() -> SearchStrategy[str]:
    """URLs to which a policy of `@helper@agents.example` may lead."""
    path = st.text("abcdefghijklmnopqrstuvwxyz0123456789-._~", max_size=8).filter(lambda text: text not in (".", ".."))
    return st.builds("https://agents.example/{}".format, path)


@cache
def _printable() -> SearchStrategy[str]:
    """Text without control characters and without a colon, so that it contains no URL."""
    return st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs"), exclude_characters=":"), max_size=12)


@cache
def _messages() -> SearchStrategy[str]:
    """Text that is not blank."""
    return names().filter(str.strip)


@cache
def _states() -> SearchStrategy[str]:
    """States of 128 bits or more."""
    return st.text("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-", min_size=22, max_size=43)


@strategy_for(policy.PolicyPart)
def policies() -> SearchStrategy[policy.PolicyPart]:
    """Policies of the seven kinds and of others."""
    translations = values(policy.PolicyTranslation, message=_messages(), extra=extra(is_canonical=True))
    common: dict[str, Any] = {
        "message": _messages(),
        "message_translations": st.none() | st.dictionaries(st.sampled_from(_LANGUAGES), translations, max_size=2),
        "url": st.none() | _own_urls(),
        "data": st.none() | st.dictionaries(st.sampled_from(_KEYS), json_values(is_canonical=True), max_size=2),
        "extra": extra(is_canonical=True),
    }
    unknown = common["extra"]
    challenges = values(
        policy.AuthChallenge,
        scheme=st.sampled_from(("Basic", "Bearer", "DPoP", "x-own")),
        params=st.none() | st.dictionaries(st.sampled_from(_PARAMS), _printable(), max_size=2),
        extra=unknown,
    )
    payments = values(policy.AcceptedPayment, payload=json_objects(is_canonical=True), extra=unknown)
    offers = tuples(payments, min_size=1)
    kinds = names().filter(lambda kind: kind not in policy.KINDS)
    return st.one_of(
        values(policy.Unauthorized, auth_challenges=tuples(challenges), **common),
        values(policy.PaymentRequired, accepted_payments=offers, state=st.none() | _states(), **common),
        values(policy.ConsentRequired, state=_states(), return_to=_own_urls(), **common),
        *(values(cls, **common) for cls in _PLAIN),
        values(policy.UnknownPolicy, kind=kinds, **common),
    )


@strategy_for(policy.PolicyResolution)
def policy_resolutions() -> SearchStrategy[policy.PolicyResolution]:
    """Policy resolutions of both kinds."""
    kinds = {"payment_required": policy.PaymentConfirmation, "consent_required": policy.ConsentConfirmation}
    resolution = partial(values, policy.PolicyResolution)
    return st.one_of(*(resolution(kind=st.just(kind), confirmation=fitting(cls)) for kind, cls in kinds.items()))
