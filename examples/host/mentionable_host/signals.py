"""Who waits for something that another part of the host stores is told when it may be there."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from typing import Final, TypeVar

__all__ = ["Signals"]

T = TypeVar("T")

SECONDS: Final = 0.5
"""So often the store is asked when nothing was heard: another process may have stored it."""


class Signals:
    """Topics, and who waits for them."""

    def __init__(self) -> None:
        """Nobody waits."""
        self._events: dict[str, list[asyncio.Event]] = {}

    def tell(self, topic: str) -> None:
        """Says that something about a topic was stored."""
        for event in self._events.get(topic, ()):
            event.set()

    async def until(self, topic: str, look: Callable[[], Awaitable[T | None]], *, seconds: float) -> T | None:
        """What `look` finds, as soon as it finds something; None: it did not in time."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                async for found in self.watch(topic, look):
                    return found
        return None

    async def watch(self, topic: str, look: Callable[[], Awaitable[T | None]]) -> AsyncIterator[T]:
        """Whatever `look` finds, again and again, until its reader stops."""
        event = asyncio.Event()
        self._events.setdefault(topic, []).append(event)
        try:
            while True:
                event.clear()
                found = await look()
                if found is not None:
                    yield found
                    continue
                with suppress(TimeoutError):
                    async with asyncio.timeout(SECONDS):
                        await event.wait()
        finally:
            self._events[topic].remove(event)
            if not self._events[topic]:
                del self._events[topic]
