"""The key of an issuer, from its Connector Card, which is fetched only after the issuer is trusted.

Spec: decisions, signed attestation, steps 10 and 11; Building a Connector (Security Checklist).
"""

from __future__ import annotations

import re
from datetime import datetime
from functools import lru_cache
from typing import Final

from .._crypto.connector_card import ACCEPT, MAX_BYTES, LoadedCard, LoadedKey, card_url, check_origin, remembered_card
from .._crypto.keys import PublicKey
from .._errors.exceptions import WireError
from .._flow.asks import Fetch, Fetched
from .._flow.flow import Failed, Flow
from .._model.trust import TrustEntry
from ._read import EvidenceRejected

_MEDIA: Final = re.compile(r"[ \t]*+application/(?:[a-z0-9.-]++\+)?json[ \t]*+(?:;.*+)?", re.IGNORECASE).fullmatch
_STALE: Final = frozenset({"key-unknown", "card-expired"})
"""Codes that a newer copy of the card may resolve."""


def signing_key(entry: TrustEntry, key_id: str, *, issued_at: datetime, now: datetime) -> Flow[Fetch, PublicKey]:
    """The key with this id, valid both when the evidence was issued and now.

    A card that lacks the key, or has expired, is fetched once more past the caller's cache.

    Raises:
        EvidenceRejected: Steps `card` and `key`.
    """
    answer = yield from _ask(entry.issuer, False)
    try:
        return _key(_card(entry.issuer, answer), entry, key_id, issued_at, now)
    except EvidenceRejected as rejected:
        if rejected.code not in _STALE:
            raise
    answer = yield from _ask(entry.issuer, True)
    return _key(_card(entry.issuer, answer), entry, key_id, issued_at, now)


def _card(issuer: str, answer: Fetched | Failed) -> LoadedCard:
    """The card of an issuer in the answer to the ask for it."""
    if isinstance(answer, Failed):
        raise EvidenceRejected("card-unavailable", "card", answer.reason)
    if answer.status != 200 or not _MEDIA(answer.content_type):
        raise EvidenceRejected("card-unavailable", "card", f"status {answer.status}, {answer.content_type[:80]}")
    try:
        card = remembered_card(answer.body)
        if card.card.issuer != issuer:
            raise EvidenceRejected("card-issuer-mismatch", "card")
        check_origin(card, answer.url)
    except WireError as error:
        raise EvidenceRejected(error.code, "card", str(error)) from None
    return card


@lru_cache(256)
def _ask(issuer: str, fresh: bool) -> Fetch:
    """The ask for a card. Only trusted issuers are asked for, so the cache is bounded by the trust policy."""
    return Fetch(url=card_url(issuer), accept=ACCEPT, purpose="connector-card", fresh=fresh, max_bytes=MAX_BYTES)


def _key(card: LoadedCard, entry: TrustEntry, key_id: str, issued_at: datetime, now: datetime) -> PublicKey:
    """The key of a card.

    Raises:
        EvidenceRejected: Step `card` when it is too old, and step `key`.
    """
    if card.expires_at is not None and now >= card.expires_at:
        raise EvidenceRejected("card-expired", "card")
    key = card.keys.get(key_id)
    if key is None:
        raise EvidenceRejected("key-unknown", "key")
    if key.fault is not None or key.public is None:
        raise EvidenceRejected(key.fault or "key-type-mismatch", "key")
    _check_window(key, issued_at, now)
    if entry.thumbprints and key.thumbprint not in entry.thumbprints:
        raise EvidenceRejected("key-pin-mismatch", "key")
    return key.public


def _check_window(key: LoadedKey, issued_at: datetime, now: datetime) -> None:
    if key.not_before is not None and issued_at < key.not_before:
        raise EvidenceRejected("key-not-yet-valid", "key")
    if key.not_after is not None and (issued_at >= key.not_after or now >= key.not_after):
        raise EvidenceRejected("key-retired", "key")
