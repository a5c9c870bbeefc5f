"""What a person asks for is done one after the other: who asks for much waits, and others do not."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from mentionable_host.notifications.access import Refused

__all__ = ["WAITING", "InTurn"]

WAITING: Final = 200
"""The maximum of requests of a person that wait: a page with all its events asks for less."""


class InTurn:
    """The requests of all people in this process."""

    def __init__(self) -> None:
        """There are none."""
        self._people = dict[str, _Requests]()

    @asynccontextmanager
    async def of(self, person: str) -> AsyncIterator[None]:
        """A request of a person, when those before it are done.

        Read its body before: a slow device keeps no other waiting.

        Raises:
            Refused: Too many of theirs wait (429).
        """
        theirs = self._people.setdefault(person, _Requests())
        if theirs.count >= WAITING:
            raise Refused("too-many-requests", status=429)
        theirs.count += 1
        try:
            async with theirs.turn:
                yield
        finally:
            theirs.count -= 1
            if not theirs.count:
                del self._people[person]


class _Requests:
    """Those of a person."""

    def __init__(self) -> None:
        self.turn, self.count = asyncio.Lock(), 0
