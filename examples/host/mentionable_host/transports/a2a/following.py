"""Follows tasks for clients: until the agent has answered, or update by update.

All is read from the store, so that any process may do it, and a client may come back to another one.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import aclosing, contextmanager
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

from attrs import frozen
from sqlalchemy import Connection

from mentionable_host.store import frames, tasks
from mentionable_host.store.tasks import TaskRow
from mentionable_host.transports.a2a.progress import Update, updates_after

if TYPE_CHECKING:
    from mentionable_host.host import Host

__all__ = ["Following", "IsGone", "Place", "news"]

T = TypeVar("T")

IsGone: TypeAlias = Callable[[], Awaitable[bool]]

LISTENERS: Final = 1_000
"""So many clients may wait or listen at a time in this process."""
OF_ONE: Final = 100
"""So many of one caller; of those without a name, of one network."""
KEEP_ALIVE_SECONDS: Final = 15
"""After so long without news a comment is sent: proxies keep the connection, and one that is dead is noticed."""
QUIET_SECONDS: Final = 600
"""After so long without news a stream ends. Its client may subscribe again."""


@frozen(kw_only=True)
class Place:
    """A task at a moment, and the number of its last update then."""

    row: TaskRow
    number: int


class Following:
    """Who follows tasks in this process."""

    def __init__(self, host: Host) -> None:
        """No client does."""
        self._host = host
        self._callers = Counter[str]()

    def is_full(self, caller: str) -> bool:
        """Whether as many follow as may, or as many of this caller."""
        return self._callers.total() >= LISTENERS or self._callers[caller] >= OF_ONE

    @contextmanager
    def listening(self, caller: str) -> Iterator[None]:
        """Counts a client of a caller while it follows."""
        self._callers[caller] += 1
        try:
            yield
        finally:
            self._callers -= Counter([caller])

    async def place(self, task_id: str) -> Place | None:
        """A task as it is now."""
        return await self._host.database.read(lambda db: place_of(db, task_id))

    async def until_answered(self, task_id: str, *, topic: str, is_gone: IsGone) -> TaskRow | None:
        """The task as soon as the agent has answered, or as it is when the patience has ended; None: it is gone.

        Args:
            task_id: The task.
            topic: The signal when there is news: the id of the message.
            is_gone: Whether the client has gone: it waits no more, and takes no place of others.
        """

        async def look() -> tuple[TaskRow | None] | None:
            row = await self._host.database.read(lambda db: tasks.get(db, task_id))
            is_waited_for = row is not None and row.is_at_work and not await is_gone()
            return None if is_waited_for else (row,)

        patience = self._host.config.a2a.patience
        found = await self._host.signals.until(topic, look, seconds=patience)
        return found[0] if found else await self._host.database.read(lambda db: tasks.get(db, task_id))

    async def updates(
        self, task_id: str, *, topic: str, after: int, until_ended: bool = False
    ) -> AsyncGenerator[Update | None, None]:
        """What becomes of a task after an update; None says that there is no news yet.

        Args:
            task_id: The task.
            topic: The signal when there is news: the id of the message, or of the task.
            after: The number of the update.
            until_ended: Whether to go on while the task waits for its client; else it is over when the agent answered.
        """
        number = after

        def read(db: Connection) -> tuple[list[tuple[int, Update]], bool]:
            items, row = updates_after(db, task_id, number), tasks.get(db, task_id)
            return items, row is None or (row.task.is_ended if until_ended else not row.is_at_work)

        async with aclosing(news(self._host, topic, read)) as pieces:
            async for items in pieces:
                for number, update in items:  # noqa: B007 - where to read on
                    yield update
                if not items:
                    yield None


async def news(
    host: Host, topic: str, read: Callable[[Connection], tuple[list[T], bool]]
) -> AsyncGenerator[list[T], None]:
    """What is new, as soon as it is stored; nothing now and then, so that the connection stays open.

    It ends where all is over, and after `QUIET_SECONDS` without news.

    Args:
        host: The host.
        topic: The signal when there is news.
        read: What is new since it was read last, and whether all is over.
    """
    clock = asyncio.get_running_loop().time
    last_news = last_sent = clock()
    is_over = False

    async def look() -> list[T] | None:
        nonlocal is_over
        items, is_over = await host.database.read(read)
        return items if items or is_over or clock() - last_sent >= KEEP_ALIVE_SECONDS else None

    async for items in host.signals.watch(topic, look):
        last_sent = clock()
        last_news = last_sent if items else last_news
        if not items and (is_over or last_sent - last_news >= QUIET_SECONDS):
            return
        yield items


def place_of(db: Connection, task_id: str) -> Place | None:
    """A task as it is stored, and the number of its last update."""
    row = tasks.get(db, task_id)
    return None if row is None else Place(row=row, number=frames.last(db, task_id))
