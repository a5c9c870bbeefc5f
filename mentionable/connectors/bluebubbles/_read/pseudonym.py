"""Pseudonyms of phone numbers, mail addresses and chats, which agents must not see."""

from __future__ import annotations

import hmac
from typing import Final

from ...._wire.ascii import ascii_lower
from .._settings import Settings

_DIGITS: Final = 32
"""Hex digits of a pseudonym: 128 bits."""


def pseudonym(kind: str, text: str, *, settings: Settings) -> str:
    """The pseudonym of a text, the same under one key. Without the key an attacker cannot try texts out.

    Args:
        kind: `handle` or `chat`: the same text has another pseudonym for each.
        text: A phone number, a mail address, or the GUID of a chat; case and blanks make no difference.
        settings: Has the key.
    """
    tidy = ascii_lower("".join(text.split()))
    return hmac.digest(settings.pseudonym_key, f"{kind}\0{tidy}".encode(), "sha256").hex()[:_DIGITS]
