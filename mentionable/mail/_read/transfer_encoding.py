"""Content-Transfer-Encoding: the bytes that a body stands for, read forgivingly and in linear time."""

from __future__ import annotations

import re
from binascii import Error as Base64Error
from binascii import a2b_base64, a2b_qp
from typing import Final

from ..._errors.exceptions import Code

_BASE64: Final = re.compile(rb"[A-Za-z0-9+/]*+").match
_BLANKS: Final = b" \t\r\n"
_PLAIN: Final = frozenset(("", "7bit", "8bit", "binary"))


def decode_transfer(body: bytes, encoding: str) -> tuple[bytes, Code | None]:
    """The content that `body` stands for, and the code of what was wrong with it, or None.

    An unknown encoding leaves the bytes as they are.

    Spec: RFC 2045 §6.
    """
    if encoding in _PLAIN:
        return body, None
    if encoding == "base64":
        return decode_base64(body)
    if encoding == "quoted-printable":
        return a2b_qp(_without_blanks_at_line_ends(body)), None
    return body, "encoding-unknown"


def _without_blanks_at_line_ends(body: bytes) -> bytes:
    """Quoted-printable as it was written: blanks before a line end were added on the way (RFC 2045 §6.7, rule 3)."""
    if b" \r\n" not in body and b"\t\r\n" not in body:
        return body
    return b"\r\n".join([line.rstrip(b" \t") for line in body.split(b"\r\n")])


def decode_base64(body: bytes) -> tuple[bytes, Code | None]:
    """The bytes that `body` stands for. Line ends and blanks are nothing; at the first other fault it ends.

    Whether the C decoder skipped anything is seen from the lengths alone: `n` bytes are always written with
    `ceil(n / 3) * 4` characters.
    """
    try:
        data = a2b_base64(body)
    except Base64Error:
        return _base64_prefix(body), "encoding-broken"
    written = (len(data) + 2) // 3 * 4
    if written != len(body) - 2 * body.count(b"\n") and written != len(body.translate(None, _BLANKS)):
        return _base64_prefix(body), "encoding-broken"
    return data, None


def _base64_prefix(body: bytes) -> bytes:
    """What stands before the first character that is not base64: whole groups of it."""
    text = body.translate(None, _BLANKS)
    match = _BASE64(text)
    length = match.end() if match else 0
    good = text[: length - 1 if length % 4 == 1 else length]
    return a2b_base64(good + b"=" * (-len(good) % 4))
