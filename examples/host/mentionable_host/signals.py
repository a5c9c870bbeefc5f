"""What waits for something that another part of the host stores gets a signal when it may be there."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import TYPE_CHECKING, Final, NoReturn, TypeVar

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    import psycopg

__all__ = ["SharedSignals", "Signals"]

log = logging.getLogger(__name__)

T = TypeVar("T")

SECONDS: Final = 0.5
"""So often the store is asked when no signal came: another process may have stored it."""

CHANNEL: Final = "mentionable"
TOPIC_BYTES: Final = 4_000
AGAIN_SECONDS: Final = 5
TOGETHER: Final = 256
_TELL: Final = "SELECT pg_notify(%s, topic) FROM unnest(%s::text[]) AS topic"


class Signals:
    """Topics, and who waits for them, in this process."""

    def __init__(self) -> None:
        """Nothing waits."""
        self._events: dict[str, list[asyncio.Event]] = {}

    def tell(self, *topics: str) -> None:
        """Says that something about some topics was stored."""
        for topic in topics:
            for event in self._events.get(topic, ()):
                event.set()

    async def until(self, topic: str, look: Callable[[], Awaitable[T | None]], *, seconds: float) -> T | None:
        """What `look` finds, as soon as it finds something; None: it did not in time."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                async for found in self.watch(topic, look):
                    return found
        return None

    async def watch(
        self,
        topic: str,
        look: Callable[[], Awaitable[T | None]],
        *,
        has_looked: bool = False,
        seconds: float = SECONDS,
    ) -> AsyncIterator[T]:
        """Whatever `look` finds, again and again, until its reader stops.

        Args:
            topic: What it is about.
            look: Asks the store.
            has_looked: Whether the reader asked just now, so that this waits before it does.
            seconds: So often it looks when no signal came.
        """
        event = asyncio.Event()
        self._events.setdefault(topic, []).append(event)
        try:
            while True:
                if has_looked:
                    with suppress(TimeoutError):
                        async with asyncio.timeout(seconds):
                            await event.wait()
                event.clear()
                found = await look()
                has_looked = found is None
                if found is not None:
                    yield found
        finally:
            self._events[topic].remove(event)
            if not self._events[topic]:
                del self._events[topic]

    async def run(self) -> None:
        """Does nothing: one process needs no other."""


class SharedSignals(Signals):
    """Topics of all processes that share a PostgreSQL database, by LISTEN and NOTIFY.

    What gets lost on the way costs `SECONDS`: who waits looks by itself.
    """

    def __init__(self, conninfo: str) -> None:
        """Nothing waits.

        Args:
            conninfo: As psycopg takes it.
        """
        super().__init__()
        self._conninfo, self._topics = conninfo, asyncio.Queue[str](10_000)

    def tell(self, *topics: str) -> None:
        """Says it here and to the other processes."""
        super().tell(*topics)
        with suppress(asyncio.QueueFull):
            for topic in topics:
                self._topics.put_nowait(topic)

    async def run(self) -> None:
        """Tells and listens, until it is canceled; connects again where the database was away."""
        import psycopg

        while True:
            try:
                async with (
                    await psycopg.AsyncConnection.connect(self._conninfo, autocommit=True) as telling,
                    await psycopg.AsyncConnection.connect(self._conninfo, autocommit=True) as hearing,
                    asyncio.TaskGroup() as both,
                ):
                    both.create_task(self._tell(telling))
                    both.create_task(self._hear(hearing))
            except* (psycopg.Error, OSError) as error:
                log.warning("no signals of other processes for now: %s", error.exceptions[0])
            await asyncio.sleep(AGAIN_SECONDS)

    async def _tell(self, connection: psycopg.AsyncConnection) -> NoReturn:
        """Tells what waits at once: each signal wakes up every process."""
        while True:
            topics = [await self._topics.get()]
            while len(topics) < TOGETHER and not self._topics.empty():
                topics.append(self._topics.get_nowait())
            named = [topic for topic in dict.fromkeys(topics) if _fits(topic)]
            if named:
                await connection.execute(_TELL, (CHANNEL, named))

    async def _hear(self, connection: psycopg.AsyncConnection) -> None:
        await connection.execute(f"LISTEN {CHANNEL}")
        async for notice in connection.notifies():
            super().tell(notice.payload)


def _fits(topic: str) -> bool:
    """Whether PostgreSQL takes it; peers name some topics."""
    return topic.isprintable() and len(topic.encode()) <= TOPIC_BYTES
