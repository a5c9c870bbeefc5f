"""Lower case for protocol tokens, which are ASCII."""

from __future__ import annotations

from string import ascii_lowercase, ascii_uppercase
from typing import Final

_LOWER: Final = str.maketrans(ascii_uppercase, ascii_lowercase)


def ascii_lower(text: str) -> str:
    """Text with A to Z in lower case, and every other character as it is.

    As Unicode, KELVIN SIGN and a few others become ASCII letters, so two different texts would become one.
    """
    return text.lower() if text.isascii() else text.translate(_LOWER)
