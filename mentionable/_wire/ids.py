"""Ids and secrets, made from given time and given entropy: the same inputs give the same id."""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta
from typing import Final

from .time import EPOCH

_MILLISECOND: Final = timedelta(milliseconds=1)


_VARIANT: Final = dict(zip("0123456789abcdef", "89ab" * 4, strict=True))
"""A hex digit → the same with the two bits of the variant in front."""


def derive(label: str, entropy: bytes, *what: str | bytes) -> bytes:
    """32 bytes that depend on all arguments: SHA-256 of each, led by its length.

    The purpose (`label` and `what`) is part of the input, so the same entropy used twice never gives the same secret
    for two purposes.
    """
    pieces: list[bytes] = []
    for item in (label, entropy, *what):
        octets = item if isinstance(item, bytes) else item.encode()
        pieces += (len(octets).to_bytes(8, "big"), octets)
    return hashlib.sha256(b"".join(pieces)).digest()


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
    # SHA-256 of label, entropy and number; the number ends the input and has a fixed length, the label has no NUL.
    seed = label.encode() + b"\0" + entropy
    first = hashlib.sha256(seed + b"\0\0\0\0").digest()
    tail = (hashlib.sha256(seed + n.to_bytes(4, "big")).digest() if n else first).hex()
    time = (now - EPOCH) // _MILLISECOND & 0xFFFF_FFFF_FFFF
    counter = (first[22] << 8 & 0x700 | first[23]) + n & 0xFFF
    return f"{time >> 16:08x}-{time & 0xFFFF:04x}-7{counter:03x}-{_VARIANT[tail[48]]}{tail[49:52]}-{tail[52:]}"


def uuid_of(digest: bytes) -> str:
    """A UUIDv8 (RFC 9562 §5.8) made of a digest, for ids that carry no time."""
    digits = digest.hex()
    return f"{digits[:8]}-{digits[8:12]}-8{digits[13:16]}-a{digits[17:20]}-{digits[20:32]}"


def task_id_for(message_id: str) -> str:
    """The id of the A2A task that an answer opens when the question names none: the same for whoever asks again."""
    return uuid_of(derive("a2a.task", message_id.encode()))
