"""Strategies for policies, receipts and what is stored of a demand."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

from .._model import policy
from ._leaves import counts, extra, json_objects, json_values, names, st, texts, timestamps, tuples

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
    """Text without control characters, of which nobody would make a URL."""
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
    words, unknown = st.none() | texts(), extra(is_canonical=True)
    translations = st.builds(policy.PolicyTranslation, message=_sayings(), title=words, extra=unknown)
    common: dict[str, Any] = {
        "message": _sayings(),
        "code": words,
        "title": words,
        "message_translations": st.none() | st.dictionaries(st.sampled_from(_LANGUAGES), translations, max_size=2),
        "url": st.none() | _own_urls(),
        "action_label": words,
        "data": st.none() | st.dictionaries(st.sampled_from(_KEYS), json_values(is_canonical=True), max_size=2),
        "extra": unknown,
    }
    challenges = st.builds(
        policy.AuthChallenge,
        scheme=st.sampled_from(("Basic", "Bearer", "DPoP", "x-own")),
        params=st.none() | st.dictionaries(st.sampled_from(_PARAMS), _printable(), max_size=2),
        extra=unknown,
    )
    payments = st.builds(
        policy.AcceptedPayment,
        scheme=names(),
        payload=json_objects(is_canonical=True),
        label=words,
        description=words,
        extra=unknown,
    )
    later: dict[str, Any] = {"retry_after_seconds": st.none() | counts(), **common}
    kinds = names().filter(lambda kind: kind not in policy.KINDS)
    paid = tuples(payments, min_size=1)
    return st.one_of(
        st.builds(policy.Unauthorized, auth_challenges=tuples(challenges), **common),
        st.builds(policy.PaymentRequired, accepted_payments=paid, state=st.none() | _states(), **common),
        st.builds(policy.ConsentRequired, state=_states(), return_to=_own_urls(), **common),
        st.builds(policy.Forbidden, **common),
        st.builds(policy.TooManyRequests, **later),
        st.builds(policy.UnavailableForLegalReasons, **common),
        st.builds(policy.ServiceUnavailable, **later),
        st.builds(policy.UnknownPolicy, kind=kinds, **common),
    )


@cache
def policy_resolutions() -> SearchStrategy[policy.PolicyResolution]:
    """Completed demands of both kinds."""
    words = st.none() | texts()
    payments = st.builds(
        policy.PaymentConfirmation,
        scheme=names(),
        original_payload=json_objects(),
        transaction=words,
        payer=words,
        network=words,
        extra=extra(),
    )
    consents = st.builds(
        policy.ConsentConfirmation, scope_hash=names(), expires_at=st.none() | timestamps(), extra=extra()
    )
    common: dict[str, Any] = {"in_reply_to_state": names(), "verified_by": texts(), "extra": extra()}
    paid = st.builds(policy.PolicyResolution, kind=st.just("payment_required"), confirmation=payments, **common)
    return paid | st.builds(policy.PolicyResolution, kind=st.just("consent_required"), confirmation=consents, **common)
