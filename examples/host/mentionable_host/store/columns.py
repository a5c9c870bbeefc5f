"""What columns of text hold. Peers choose ids, names and addresses, and both databases must be able to store them."""

from __future__ import annotations

from hashlib import sha256
from typing import Any, Final

from sqlalchemy import Dialect
from sqlalchemy import Text as AnyText
from sqlalchemy.types import TypeDecorator

__all__ = ["LongText", "StoredText", "Text", "fitting"]

KEY_BYTES: Final = 800
"""PostgreSQL has no index entry over 2,704 bytes, and an index has up to three such columns."""
KEPT: Final = 180
"""So many characters of a longer value stay readable."""


def fitting(value: str) -> str:
    """A value as it is stored in a column that may be part of a key: a long one by its hash."""
    value = _storable(value)
    if len(value) * 4 <= KEY_BYTES or len(value.encode("utf-8", "replace")) <= KEY_BYTES:
        return value
    return f"{value[:KEPT]}#{sha256(value.encode('utf-8', 'replace')).hexdigest()}"


def _storable(value: str) -> str:
    """A value without NUL, which PostgreSQL does not store, and without halves of characters, which neither does.

    It is a `str` and no `Address`, for which SQLite would look for an adapter each time.
    """
    if value.isascii() and "\0" not in value:
        return value if value.__class__ is str else str.__str__(value)
    return value.replace("\0", "␀").encode("utf-8", "backslashreplace").decode()


class StoredText(TypeDecorator[str]):
    """Text that is changed where it cannot be stored as it is."""

    impl = AnyText
    cache_ok = True

    @staticmethod
    def stored(value: str) -> str:
        """The value as it is stored."""
        return _storable(value)

    def process_bind_param(self, value: str | None, dialect: Dialect) -> Any:
        """The same, or NULL."""
        return None if value is None else self.stored(value)


class Text(StoredText):
    """Text that is looked for: ids, addresses, URLs. What is compared with it is changed in the same way."""

    cache_ok = True
    stored = staticmethod(fitting)


class LongText(StoredText):
    """Text that is read as a whole, of any length. It is no part of a key."""

    cache_ok = True
