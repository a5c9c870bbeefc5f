"""By what an edit of a message is compared with the message that was stored."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from typing import Final

from .._wire.strict_json import dump_line
from .codec import encode
from .parts import Part

TALLY: Final = "tally"
"""The `purpose` of a part that counts what others did, such as the votes of a poll: no word of the author."""


def digest_of(parts: Iterable[Part]) -> str:
    """SHA-256 in hex of the parts of a message: two messages have the same one when their authors wrote the same.

    A tally does not count: a vote is no edit.
    """
    written = [encode(part) for part in parts if part.extra.get("purpose") != TALLY]
    return sha256(dump_line(written).encode()).hexdigest()
