"""Who gets to know what becomes of a task, in this process. `a2a_tasks.py` uses it."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

LISTENERS, OF_ONE = 1_000, 100  # in all; of one caller, whose tasks at work count too
BEHIND, QUIET = 100, 300  # so many updates behind; so many seconds without news

Update = Mapping[str, Any]  # JSON of A2A 1.0
_Queue = asyncio.Queue[Update | None]  # None: there is no more


class News:
    """Passes on what becomes of tasks to who listens."""

    def __init__(self) -> None:
        """There are no listeners."""
        self._queues: dict[str, set[_Queue]] = {}
        self._callers = Counter[str | None]()

    def is_full(self, caller: str | None) -> bool:
        """Whether as many listen as may, or as many of this caller."""
        return self._callers.total() >= LISTENERS or self._callers[caller] >= OF_ONE

    @contextmanager
    def listen(self, task_id: str, caller: str | None) -> Iterator[AsyncIterator[Update]]:
        """What becomes of a task of this caller from now on, until there is no more, or no news for long."""
        queue: _Queue = asyncio.Queue(BEHIND)
        self._queues.setdefault(task_id, set()).add(queue)
        self._callers[caller] += 1
        try:
            yield _heard(queue)
        finally:
            self._callers -= Counter([caller])
            self._queues[task_id].discard(queue)
            if not self._queues[task_id]:
                del self._queues[task_id]

    def tell(self, task_id: str, *updates: Update | None) -> None:
        """Passes on what became of a task. Who does not keep up hears no more; it may subscribe again."""
        for queue in self._queues.get(task_id, ()):
            for update in updates:
                is_behind = queue.full()
                if is_behind:
                    queue.get_nowait()
                queue.put_nowait(None if is_behind else update)

    def end(self, task_id: str) -> None:
        """Says that there is no more of a task for now."""
        self.tell(task_id, None)


async def _heard(queue: _Queue) -> AsyncIterator[Update]:
    while True:
        try:
            async with asyncio.timeout(QUIET):
                update = await queue.get()
        except TimeoutError:
            return
        if update is None:
            return
        yield update
