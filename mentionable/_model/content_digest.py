"""By what an edit of a message is compared with the message that was stored."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

from .._wire.strict_json import dump_line
from .codec import encode
from .parts import Part


def digest_of(parts: Iterable[Part]) -> str:
    """SHA-256 in hex of the parts of a message: two messages have the same one when people read the same in both."""
    return sha256(dump_line([encode(part) for part in parts]).encode()).hexdigest()
