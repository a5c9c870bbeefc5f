"""Base58 in the alphabet of Bitcoin, as Multikeys and proof values use it."""

from __future__ import annotations

from typing import Final

_ALPHABET: Final = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_VALUES: Final = {character: value for value, character in enumerate(_ALPHABET)}
_CHUNK: Final = 10
_CHUNK_VALUE: Final = 58**_CHUNK


def base58_decode(text: str, *, size: int) -> bytes | None:
    """The `size` bytes that `text` stands for; None when it stands for fewer, for more, or for nothing."""
    if len(text) > size * 2:  # each character is more than half a byte
        return None
    number = 0
    try:
        for start in range(0, len(text), _CHUNK):
            chunk = text[start : start + _CHUNK]
            value = 0
            for character in chunk:
                value = value * 58 + _VALUES[character]
            number = number * (_CHUNK_VALUE if len(chunk) == _CHUNK else 58 ** len(chunk)) + value
    except KeyError:
        return None
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
    return "1" * (len(data) - len(data.lstrip(b"\0"))) + "".join(reversed(digits))
