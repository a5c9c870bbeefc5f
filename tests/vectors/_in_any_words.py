"""Cases that pin words of this project, and the same with the words left open. Ruling R66."""

from __future__ import annotations

from typing import Any, Final

SUFFIX: Final = "-in-any-words"


def own_words(words: str) -> tuple[tuple[str, Any, str], ...]:
    """What ends the name, what stands for the words, and the level: SHOULD for the words, MUST for all beside them."""
    return ("", words, "SHOULD"), (SUFFIX, {"$any": "json"}, "MUST")
