"""What stands for phone numbers, mail addresses and chats, which are nobody else's business."""

from __future__ import annotations

import hmac
from typing import Final

from ...._wire.ascii import ascii_lower
from .._settings import Settings

_DIGITS: Final = 32
"""Hex digits of a pseudonym: 128 bits."""


def pseudonym(kind: str, text: str, *, settings: Settings) -> str:
    """The same word for the same text under one key; without the key nobody finds the text, nor tries texts out.

    Args:
        kind: What it is of: `handle` or `chat`. One of each kind is another word.
        text: A phone number, a mail address, or the GUID of a chat; case and blanks make no difference.
        settings: Has the key.
    """
    tidy = ascii_lower("".join(text.split()))
    return hmac.digest(settings.pseudonym_key, f"{kind}\0{tidy}".encode(), "sha256").hex()[:_DIGITS]
