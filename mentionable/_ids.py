"""Ids and secrets, made from given time and given entropy: the same inputs give the same id."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta
from typing import Final

from ._errors import UsageError

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)

MIN_ENTROPY: Final = 32
"""How many random bytes a door wants."""


def check_inputs(now: datetime, entropy: bytes) -> None:
    """Raises `UsageError` unless `now` is aware and `entropy` long enough: every door calls it first."""
    if now.tzinfo is None:
        raise UsageError("now must be aware: datetime.now(UTC)")
    if len(entropy) < MIN_ENTROPY:
        raise UsageError(f"entropy must be at least {MIN_ENTROPY} random bytes: secrets.token_bytes({MIN_ENTROPY})")


def derive(label: str, entropy: bytes, *what: str | bytes) -> bytes:
    """32 bytes that depend on all arguments: SHA-256 of each, led by its length.

    The purpose (`label` and `what`) is part of the input, so the same entropy used twice never gives the same secret
    for two purposes.
    """
    digest = hashlib.sha256()
    for item in (label, entropy, *what):
        data = item if isinstance(item, bytes) else item.encode()
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return digest.digest()


def uuid7(now: datetime, entropy: bytes, label: str, n: int = 0) -> str:
    """The `n`-th UUIDv7 (RFC 9562 §5.7) of one call, as text.

    Ids of one call are ordered by `n`: the 12 bits after the version count up from an 11-bit random start (RFC 9562
    §6.2, method 1).

    Args:
        now: The time that the id carries, to the millisecond.
        entropy: Random bytes of the caller.
        label: What the id is for.
        n: Which id of this call, 0 to 2047.
    """
    seed = derive(label, entropy, str(n))
    start = int.from_bytes(derive(label, entropy)[:2], "big") & 0x7FF
    millis = (now - _EPOCH) // _MILLISECOND & 0xFFFF_FFFF_FFFF
    tail = int.from_bytes(seed[:8], "big") & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    digits = f"{millis:012x}7{(start + n) & 0xFFF:03x}{tail:016x}"
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"
