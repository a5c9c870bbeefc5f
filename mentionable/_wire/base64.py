"""Base64 in exactly one spelling: text that stands for the same bytes in another way could be used a second time."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from binascii import a2b_base64, b2a_base64


def base64_decode(text: str) -> bytes | None:
    """The bytes that `text` stands for; None when it is not the one way to write them."""
    try:
        data = a2b_base64(text, strict_mode=True)
    except ValueError:
        return None
    rest = len(data) % 3  # only the last group can be written in several ways
    if b2a_base64(data[-rest or -3 :], newline=False).decode("ascii") != text[-4:] or len(text) % 4:
        return None
    return data


def base64url_decode(text: str) -> bytes | None:
    """The same for base64url without padding; `text` has no character of the other alphabet, and no padding."""
    return base64_decode(text.replace("-", "+").replace("_", "/") + "=" * (-len(text) % 4))


def base64url_encode(data: bytes) -> str:
    """`data` as base64url without padding (RFC 7515 §2)."""
    return urlsafe_b64encode(data).rstrip(b"=").decode("ascii")
