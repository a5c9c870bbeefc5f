"""What was found out and need not be asked again for a while, bounded in number, size and age.

Who asks for what somebody else is just asking waits for that answer, so a hundred forged messages that name one key
cost one question.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from time import monotonic
from typing import Generic, TypeVar

from attrs import frozen

__all__ = ["TtlCache"]

V = TypeVar("V")


@frozen
class _Entry(Generic[V]):
    value: V
    until: float
    weight: int


class TtlCache(Generic[V]):
    """Key → value, each for its own time. What was used longest ago is forgotten first."""

    def __init__(
        self, *, capacity: int, weigh: Callable[[V], int] = lambda _: 1, clock: Callable[[], float] = monotonic
    ) -> None:
        """Empty.

        Args:
            capacity: What all values may weigh together.
            weigh: What a value weighs; by default each is one.
            clock: Seconds that never go back.
        """
        self._capacity, self._weigh, self._clock = capacity, weigh, clock
        self._entries: OrderedDict[Hashable, _Entry[V]] = OrderedDict()
        self._asking: dict[Hashable, asyncio.Task[V]] = {}
        self._weight = 0

    def __len__(self) -> int:
        return len(self._entries)

    def peek(self, key: Hashable) -> V | None:
        """What is known; None: nothing, or not any more."""
        entry = self._entries.get(key)
        if entry is None:
            return None
        if entry.until <= self._clock():
            self.forget(key)
            return None
        self._entries.move_to_end(key)
        return entry.value

    def put(self, key: Hashable, value: V, *, seconds: float) -> None:
        """Remembers a value for some seconds; nothing that lasts no time, or takes all of it."""
        self.forget(key)
        weight = self._weigh(value)
        if seconds <= 0 or weight > self._capacity:
            return
        self._entries[key] = _Entry(value, self._clock() + seconds, weight)
        self._weight += weight
        while self._weight > self._capacity:
            self.forget(next(iter(self._entries)))

    def forget(self, key: Hashable) -> None:
        """Forgets a value."""
        entry = self._entries.pop(key, None)
        self._weight -= entry.weight if entry is not None else 0

    async def get(self, key: Hashable, find: Callable[[], Awaitable[tuple[V, float]]]) -> V:
        """What is known, or what `find` finds and for how many seconds it counts."""
        known = self.peek(key)
        return known if known is not None else await self.ask(key, find)

    async def ask(
        self, key: Hashable, find: Callable[[], Awaitable[tuple[V, float]]], *, question: Hashable = None
    ) -> V:
        """What `find` finds, whatever is known; together with all who ask the same at the same time.

        Args:
            key: What it is remembered under.
            find: Finds it, and says for how many seconds it counts.
            question: What is asked, where there are several questions about a key.
        """
        asked = (key, question)
        task = self._asking.get(asked)
        if task is None:
            task = self._asking[asked] = asyncio.create_task(self._find(key, asked, find))
        # Others may wait for the same answer, so who gives up waiting does not end it. `find` has its own end.
        return await asyncio.shield(task)

    async def close(self) -> None:
        """Ends what is being asked, and forgets everything."""
        asking = list(self._asking.values())
        for task in asking:
            task.cancel()
        await asyncio.gather(*asking, return_exceptions=True)
        self._entries.clear()
        self._weight = 0

    async def _find(self, key: Hashable, asked: Hashable, find: Callable[[], Awaitable[tuple[V, float]]]) -> V:
        try:
            value, seconds = await find()
            self.put(key, value, seconds=seconds)
            return value
        finally:
            del self._asking[asked]
