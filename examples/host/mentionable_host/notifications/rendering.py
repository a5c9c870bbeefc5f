"""Makes HTML in a thread of its own: Markdown of 20,000 characters can take half a second, and nothing waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Final, TypeVar

from mentionable_host.notifications.access import Refused

__all__ = ["WAITING", "Renderer"]

T = TypeVar("T")

WAITING: Final = 200
"""The maximum of requests of a person that wait: a page with all its events asks for less."""


class Renderer:
    """One thread for all people. Of each person one text is in it at a time, however much they ask for."""

    def __init__(self) -> None:
        """Starts nothing yet."""
        self._thread = ThreadPoolExecutor(1, "html")
        self._lines = dict[str, _Line]()

    async def make(self, work: Callable[[], T]) -> T:
        """What `work` makes of one text."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    @asynccontextmanager
    async def turn_of(self, person: str) -> AsyncIterator[None]:
        """A request of a person, when those before it are rendered.

        Raises:
            Refused: Too many of theirs wait (429).
        """
        line = self._lines.setdefault(person, _Line())
        if line.users >= WAITING:
            raise Refused("too-many-requests", status=429)
        line.users += 1
        try:
            async with line.free:
                yield
        finally:
            line.users -= 1
            if not line.users:
                del self._lines[person]


class _Line:
    """The requests of a person."""

    def __init__(self) -> None:
        self.free, self.users = asyncio.Lock(), 0
