"""How many requests are worked on: an origin that is slow to give its documents keeps no other waiting.

The origin is what a request claims, and whoever sends it may claim many. So those of one network are counted as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

__all__ = ["Pending"]

OF_AN_ORIGIN: Final = 32
OF_A_NETWORK: Final = 128
"""A large server delivers from a few addresses."""
IN_ALL: Final = 512


class Pending:
    """The requests that are worked on."""

    def __init__(self) -> None:
        """There are none."""
        self._counts, self._networks = Counter[str](), Counter[str]()

    @contextmanager
    def of(self, origin: str, *, network: str) -> Iterator[bool]:
        """Counts a request while it is open; False: there are too many, so it must be refused.

        Args:
            origin: The server that it claims to come from.
            network: Where it comes from: `http.network_of`.
        """
        is_crowded = self._counts[origin] >= OF_AN_ORIGIN or self._networks[network] >= OF_A_NETWORK
        if is_crowded or self._counts.total() >= IN_ALL:
            yield False
            return
        self._counts[origin] += 1
        self._networks[network] += 1
        try:
            yield True
        finally:
            for counts, name in ((self._counts, origin), (self._networks, network)):
                counts[name] -= 1
                if not counts[name]:
                    del counts[name]
