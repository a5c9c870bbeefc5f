"""The keys of a token issuer, from the settings or published; and whether one of them signed a token.

Spec: RFC 7517 §5.
"""

from __future__ import annotations

import re
from typing import Final, cast

from ..._crypto.jwt import MAX_KEY_SET, KeySet, Token, check_signature, read_key_set
from ..._crypto.verification import VerificationFailed
from ..._errors.exceptions import WireError
from ..._flow.asks import Fetch
from ..._flow.flow import Failed, Flow, bounded
from ..._flow.settings import Limits
from ..._wire.http import is_busy, is_fetchable_url, is_gone, url_host
from .._settings import TokenIssuer

_JSON_TYPES: Final = re.compile(r"application/(?:[a-z0-9.-]{1,64}\+)?json[ \t]*+(?:;.*+)?", re.DOTALL).fullmatch
_ACCEPT: Final = "application/jwk-set+json, application/json;q=0.9"
_CHANGED: Final = frozenset(("key-unknown", "bad-signature"))
"""The codes that a change of the issuer's keys causes."""


def check_key(token: Token, issuer: TokenIssuer, limits: Limits) -> Flow[Fetch, None]:
    """Raises unless a key of the issuer signed the token.

    Raises:
        VerificationFailed: `key-unknown`, `key-unresolvable`, `key-refused`, `algorithm-refused`, `bad-signature`. Its
            `steps` are `key` when there is such a key.
    """
    if issuer.jwks_url is not None:
        yield from bounded(_check_published(token, issuer.jwks_url, limits), remote=limits.asks)
    elif issuer.keys is None:
        raise VerificationFailed("key-unknown", "the settings of the issuer name no keys")
    else:
        _check(token, cast("KeySet", issuer.keys))


def _check(token: Token, keys: KeySet) -> None:
    """Raises unless the key that the token names is among `keys` and signed it."""
    key = keys.signing_key(token.header)
    try:
        check_signature(token, key)
    except VerificationFailed as fault:
        fault.steps = ("key",)
        raise


def _check_published(token: Token, url: str, limits: Limits) -> Flow[Fetch, None]:
    """The same with published keys: they are fetched once more past the cache, when none of them fits."""
    try:
        _check(token, (yield from _published(url, limits, fresh=False)))
    except VerificationFailed as before:
        if before.code not in _CHANGED:
            raise
        try:
            _check(token, (yield from _published(url, limits, fresh=True)))
        except VerificationFailed as fault:
            fault.steps = fault.steps or before.steps
            raise


def _published(url: str, limits: Limits, *, fresh: bool) -> Flow[Fetch, KeySet]:
    """The keys that an issuer publishes."""
    bound = min(MAX_KEY_SET, limits.fetched_bytes)
    answer = yield from Fetch(url=url, accept=_ACCEPT, purpose="jwks", fresh=fresh, max_bytes=bound)
    if isinstance(answer, Failed):
        raise VerificationFailed("key-unresolvable", answer.reason, temporary=answer.temporary)
    if is_gone(answer.status):
        raise VerificationFailed("key-unknown", "the issuer publishes no keys")
    if answer.status != 200:
        temporary = is_busy(answer.status)
        raise VerificationFailed(
            "key-unresolvable", f"the keys were answered with {answer.status}", temporary=temporary
        )
    if url_host(answer.url) != url_host(url) or not is_fetchable_url(answer.url):
        raise VerificationFailed("key-unresolvable", "the keys came from another host")
    if _JSON_TYPES(answer.content_type.lower()) is None:
        raise VerificationFailed("key-unresolvable", "the keys are not JSON")
    if len(answer.body) > bound:
        raise VerificationFailed("key-unresolvable", f"the keys have {len(answer.body)} bytes, at most {bound}")
    try:
        return read_key_set(answer.body)
    except WireError as error:
        raise VerificationFailed("key-unresolvable", f"the keys are no JWKS: {error}") from None
