"""Strategies for policies and policy resolutions."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any, Final

from .._model import policy
from ._leaves import extra, json_objects, json_values, names, st, tuples
from ._values import values

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

_LANGUAGES: Final = ("de", "en-GB", "fr", "ko", "zh-Hant-TW")
_KEYS: Final = ("com.example.order", "dev.mentionable.x", "org.x402.error")
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
def _sayings() -> SearchStrategy[str]:
    """Text that is not blank."""
    return names().filter(str.strip)


@cache
def _states() -> SearchStrategy[str]:
    """States of 128 bits or more."""
    return st.text("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-", min_size=22, max_size=43)


@cache
def policies() -> SearchStrategy[policy.PolicyPart]:
    """Policies of the seven kinds and of others."""
    translations = values(policy.PolicyTranslation, message=_sayings(), extra=extra(is_canonical=True))
    common: dict[str, Any] = {
        "message": _sayings(),
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
    paid = tuples(payments, min_size=1)
    kinds = names().filter(lambda kind: kind not in policy.KINDS)
    return st.one_of(
        values(policy.Unauthorized, auth_challenges=tuples(challenges), **common),
        values(policy.PaymentRequired, accepted_payments=paid, state=st.none() | _states(), **common),
        values(policy.ConsentRequired, state=_states(), return_to=_own_urls(), **common),
        values(policy.Forbidden, **common),
        values(policy.TooManyRequests, **common),
        values(policy.UnavailableForLegalReasons, **common),
        values(policy.ServiceUnavailable, **common),
        values(policy.UnknownPolicy, kind=kinds, **common),
    )


@cache
def policy_resolutions() -> SearchStrategy[policy.PolicyResolution]:
    """Policy resolutions of both kinds."""
    payments, consents = values(policy.PaymentConfirmation), values(policy.ConsentConfirmation)
    resolution = partial(values, policy.PolicyResolution)
    return resolution(kind=st.just("payment_required"), confirmation=payments) | resolution(
        kind=st.just("consent_required"), confirmation=consents
    )
