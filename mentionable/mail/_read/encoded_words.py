"""Encoded words (RFC 2047): `=?utf-8?q?caf=C3=A9?=` in a subject, a display name or a file name."""

from __future__ import annotations

import re
from binascii import a2b_qp
from typing import Final

from .charset import decode_text
from .transfer_encoding import decode_base64

# Begins with a literal, and every repeat stops at the next "?": the search is linear.
_ENCODED_WORDS: Final = re.compile(r"=\?([^?\s*]{1,40})(?:\*[^?\s]{0,40})?\?([bBqQ])\?([^?]*+)\?=").finditer
_UNPRINTABLE: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def clean_line(text: str) -> str:
    """`text` as one line that is safe to show: control characters become blanks."""
    return text if text.isprintable() else _UNPRINTABLE.sub(" ", text)


def decode_words(text: str) -> str:
    """`text` with its encoded words decoded.

    Blanks between two encoded words are nothing. Neighbours in one character set are joined before they are decoded,
    because senders split words inside a character.

    Spec: RFC 2047 §2, §6.2.
    """
    pieces: list[str] = []
    pending: list[bytes] = []
    charset, position = "", 0
    for word in _ENCODED_WORDS(text):
        gap = text[position : word.start()]
        label = word[1].lower()
        if pending and (gap.strip() or label != charset):
            pieces.append(decode_text(b"".join(pending), charset)[0])
            pending.clear()
            pieces.append(gap if gap.strip() else "")
        elif not pending:
            pieces.append(gap)
        pending.append(_word_bytes(word[2], word[3].encode("utf-8", "replace")))
        charset, position = label, word.end()
    if pending:
        pieces.append(decode_text(b"".join(pending), charset)[0])
    pieces.append(text[position:])
    return "".join(pieces)


def _word_bytes(encoding: str, payload: bytes) -> bytes:
    """The bytes of one encoded word; missing base64 padding is made up for."""
    if encoding in "bB":
        return decode_base64(payload + b"=" * (-len(payload) % 4))[0]
    return a2b_qp(payload, header=True)
