"""Base64, read strictly. What Python's own strict reading lets through differs from version to version."""

from __future__ import annotations

import re
from base64 import b64decode
from typing import Final

__all__ = ["b64decoded"]

_FORM: Final = re.compile(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")


def b64decoded(text: str) -> bytes:
    """The bytes of a text in base64.

    Raises:
        ValueError: It is not in base64.
        TypeError: It is no text.
    """
    if _FORM.fullmatch(text) is None:
        raise ValueError("is not base64")
    return b64decode(text)
