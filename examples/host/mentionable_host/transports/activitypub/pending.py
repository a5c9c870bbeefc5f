"""How many requests of one origin are worked on: one that is slow to give its documents keeps no other waiting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

__all__ = ["Pending"]

OF_AN_ORIGIN: Final = 32
IN_ALL: Final = 512


class Pending:
    """The requests that are worked on."""

    def __init__(self) -> None:
        """There are none."""
        self._counts: Counter[str] = Counter()

    @contextmanager
    def of(self, origin: str) -> Iterator[bool]:
        """Counts a request while it is open; False: there are too many, so it must be refused."""
        is_admitted = self._counts[origin] < OF_AN_ORIGIN and self._counts.total() < IN_ALL
        if not is_admitted:
            yield False
            return
        self._counts[origin] += 1
        try:
            yield True
        finally:
            self._counts[origin] -= 1
            if not self._counts[origin]:
                del self._counts[origin]
