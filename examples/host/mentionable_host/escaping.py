"""Text of others, as a terminal may get it."""

from __future__ import annotations

__all__ = ["printable"]


def printable(text: str) -> str:
    """A text whose characters are all printed: what a terminal would obey is escaped, line breaks too."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)
