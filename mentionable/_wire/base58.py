"""Base58 in the alphabet of Bitcoin, as Multikeys and proof values use it."""

from __future__ import annotations

from typing import Final

_ALPHABET: Final = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_NO_DIGIT: Final = 255
_DIGITS: Final = bytes([_ALPHABET.find(byte) % 256 for byte in range(256)])
"""The value of each byte, `_NO_DIGIT` where it has none."""

_FIVE_DIGITS: Final = 58**5
"""As many digits as Python multiplies at once: the largest power within 30 bits."""


def base58_decode(text: str, *, size: int) -> bytes | None:
    """The `size` bytes that `text` stands for; None when it stands for fewer, for more, or for nothing."""
    if len(text) > size * 2 or not text.isascii():  # each character is more than half a byte
        return None
    digits = text.encode().translate(_DIGITS)
    if _NO_DIGIT in digits:
        return None
    number = 0
    each = iter(b"\0" * (-len(digits) % 5) + digits)
    for a, b, c, d, e in zip(each, each, each, each, each, strict=True):
        number = number * _FIVE_DIGITS + (((a * 58 + b) * 58 + c) * 58 + d) * 58 + e
    zeros = len(text) - len(text.lstrip("1"))
    if zeros + (number.bit_length() + 7) // 8 != size:
        return None
    return number.to_bytes(size, "big")


def base58_encode(data: bytes) -> str:
    """The text that stands for `data`."""
    number = int.from_bytes(data, "big")
    digits = []
    while number:
        number, digit = divmod(number, 58)
        digits.append(_ALPHABET[digit])
    return "1" * (len(data) - len(data.lstrip(b"\0"))) + bytes(reversed(digits)).decode()
