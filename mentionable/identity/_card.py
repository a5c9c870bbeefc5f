"""Which key an issuer signs with: from its card, which is asked for only once the issuer is trusted.

Spec: decisions, signed attestation, steps 10 and 11; Building a Connector (Security Checklist).
"""

from __future__ import annotations

import re
from datetime import datetime
from functools import lru_cache
from typing import Final

from .._crypto.connector_card import ACCEPT, MAX_BYTES, ReadyCard, ReadyKey, card_url, check_origin, read_ready
from .._crypto.keys import PublicKey
from .._errors.exceptions import WireError
from .._flow.ask import Failed, Flow
from .._flow.asks import Fetch, Fetched
from .._model.trust import TrustEntry
from ._step import Refused

_MEDIA: Final = re.compile(r"[ \t]*+application/(?:[a-z0-9.-]++\+)?json[ \t]*+(?:;.*+)?", re.IGNORECASE).fullmatch
_OLD: Final = frozenset({"key-unknown", "card-expired"})
"""What a newer copy of the card may mend."""


def signing_key(entry: TrustEntry, key_id: str, *, issued_at: datetime, now: datetime) -> Flow[Fetch, PublicKey]:
    """The key under this id that was good when the evidence was issued and is good now.

    A card that does not know the key, or is too old, is asked for once more past the caller's cache.

    Raises:
        Refused: Steps `card` and `key`.
    """
    answer = yield from _ask(entry.issuer, False)
    try:
        return _key(_card(entry.issuer, answer), entry, key_id, issued_at, now)
    except Refused as refused:
        if refused.code not in _OLD:
            raise
    answer = yield from _ask(entry.issuer, True)
    return _key(_card(entry.issuer, answer), entry, key_id, issued_at, now)


def _card(issuer: str, answer: Fetched | Failed) -> ReadyCard:
    """The card of an issuer in the answer to the ask for it."""
    if isinstance(answer, Failed):
        raise Refused("card-unavailable", "card", answer.reason)
    if answer.status != 200 or not _MEDIA(answer.content_type):
        raise Refused("card-unavailable", "card", f"status {answer.status}, {answer.content_type[:80]}")
    try:
        card = read_ready(answer.body)
        if card.card.issuer != issuer:
            raise Refused("card-issuer-mismatch", "card")
        check_origin(card, answer.url)
    except WireError as error:
        raise Refused(error.code, "card", str(error)) from None
    return card


@lru_cache(256)
def _ask(issuer: str, fresh: bool) -> Fetch:
    """What to ask for; only trusted issuers get here."""
    return Fetch(url=card_url(issuer), accept=ACCEPT, purpose="connector-card", fresh=fresh, max_bytes=MAX_BYTES)


def _key(card: ReadyCard, entry: TrustEntry, key_id: str, issued_at: datetime, now: datetime) -> PublicKey:
    """The key of a card.

    Raises:
        Refused: Step `card` when it is too old, and step `key`.
    """
    if card.expires_at is not None and now >= card.expires_at:
        raise Refused("card-expired", "card")
    key = card.keys.get(key_id)
    if key is None:
        raise Refused("key-unknown", "key")
    if key.fault is not None or key.public is None:
        raise Refused(key.fault or "key-type-mismatch", "key")
    _check_window(key, issued_at, now)
    if entry.thumbprints and key.thumbprint not in entry.thumbprints:
        raise Refused("key-pin-mismatch", "key")
    return key.public


def _check_window(key: ReadyKey, issued_at: datetime, now: datetime) -> None:
    if key.not_before is not None and issued_at < key.not_before:
        raise Refused("key-not-yet-valid", "key")
    if key.not_after is not None and (issued_at >= key.not_after or now >= key.not_after):
        raise Refused("key-retired", "key")
