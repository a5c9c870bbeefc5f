"""The one writer of a SQLite database: what waits for it is committed together, and the disk is waited for elsewhere.

The statements run on the event loop: each takes some microseconds, and a thread would wait for the loop at each of
them. Only the commit, which waits for the disk, has a thread; what comes meanwhile is the next batch.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import local
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, TypeVar

from attrs import define, field, frozen
from sqlalchemy.exc import DBAPIError

from mentionable_host.store.errors import StoreUnavailable, first_error, told
from mentionable_host.store.statements import run_text

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine, RootTransaction

__all__ = ["SqliteWriter"]

T = TypeVar("T")
Work = Callable[["Connection"], T]

TOGETHER: Final = 64
"""So many writes are committed at once."""
BUSY_SECONDS: Final = 30
"""So long a batch waits for another process."""
PAUSE: Final = 0.005
LONG: Final = 0.05
"""After so many seconds of statements the event loop does other things, while these are committed."""


@frozen(eq=False)
class _Write:
    work: Work[Any]
    future: asyncio.Future[Any]


@define(eq=False)
class _Queue:
    """What waits in one event loop, and the task that writes it."""

    loop: asyncio.AbstractEventLoop
    waiting: deque[_Write] = field(factory=deque)
    task: asyncio.Task[None] | None = None


class SqliteWriter:
    """Writes, for one event loop or for several in threads of their own, which wait for each other as processes do."""

    def __init__(self, engine: Engine) -> None:
        """Writes nothing yet.

        Args:
            engine: Its transactions begin with `BEGIN IMMEDIATE`, and fail at once where another process writes.
        """
        self._engine = engine
        self._here = local()
        self._thread = ThreadPoolExecutor(1, "commits")
        self._is_closed = False

    async def write(self, work: Work[T]) -> T:
        """Runs `work` in a transaction, which is committed when this returns.

        Raises:
            Conflict: Another transaction was faster.
            StoreUnavailable: The database cannot be used just now.
        """
        queue = self._queue(asyncio.get_running_loop())
        one = _Write(work, queue.loop.create_future())
        queue.waiting.append(one)
        self._begin_with(queue)
        return await one.future  # type: ignore[no-any-return]

    def close(self) -> None:
        """Waits for a commit that has begun; what still waits is refused."""
        self._is_closed = True
        self._thread.shutdown()
        self._engine.dispose()

    def _queue(self, loop: asyncio.AbstractEventLoop) -> _Queue:
        """The queue of a loop; that of one that has ended before in this thread is forgotten, as nobody waits there."""
        queue: _Queue | None = getattr(self._here, "queue", None)
        if queue is None or queue.loop is not loop:
            queue = self._here.queue = _Queue(loop)
        return queue

    def _begin_with(self, queue: _Queue) -> None:
        """Has a task write what waits in a queue, where none does."""
        if queue.waiting and (queue.task is None or queue.task.done()):
            queue.task = queue.loop.create_task(self._run(queue))
            queue.task.add_done_callback(lambda _: self._begin_with(queue))  # a loop that ends cancels it in the middle

    async def _run(self, queue: _Queue) -> None:
        """Writes until nothing waits."""
        while queue.waiting:
            batch = [queue.waiting.popleft() for _ in range(min(TOGETHER, len(queue.waiting)))]
            batch = [one for one in batch if not one.future.done()]
            left = await self._commit(batch) if batch else []
            queue.waiting.extendleft(reversed(left))

    async def _commit(self, batch: list[_Write]) -> list[_Write]:
        """Runs some works in one transaction; those that are left for the next one, as these took long.

        One that fails takes no other with it, unless the database itself fails. What nobody waits for any more before
        it has begun is not done.
        """
        try:
            results = await self._store(batch)
        except Exception as error:
            results = [_raiser(told(error))] * len(batch)
        except BaseException:  # the loop ends: no caller learns what came of it
            for one in batch:
                one.future.cancel()
            raise
        for one, result in zip(batch, results, strict=False):
            if not one.future.done():
                _settle(one.future, result)
        return batch[len(results) :]

    async def _store(self, batch: list[_Write]) -> list[Callable[[], Any]]:
        """What comes of the works, or of the first ones."""
        if self._is_closed:
            raise StoreUnavailable("the database is closed")
        db = await self._begin()
        try:
            transaction = db.get_transaction()
            assert transaction is not None  # noqa: S101  it has begun
            results = [_outcome(batch[0].work(db))] if len(batch) == 1 else _attempts(db, batch)
            ending = self._submit(db, transaction)
        except BaseException:
            with db:
                db.rollback()
            raise
        await asyncio.shield(asyncio.wrap_future(ending))
        return results

    def _submit(self, db: Connection, transaction: RootTransaction) -> Future[None]:
        """Has the thread commit."""
        try:
            return self._thread.submit(_end, db, transaction)
        except RuntimeError as error:  # it takes nothing more
            raise StoreUnavailable("the database is closed") from error

    async def _begin(self) -> Connection:
        """A connection with a transaction that may write, as soon as no other process writes."""
        limit = monotonic() + BUSY_SECONDS
        while True:
            db = self._engine.connect()
            try:
                db.begin()
            except DBAPIError as error:
                db.close()
                if "locked" not in str(error.orig):
                    raise
                if monotonic() > limit:
                    raise StoreUnavailable(f"another process writes for {BUSY_SECONDS} seconds") from error
                await asyncio.sleep(PAUSE)
            except BaseException:
                db.close()
                raise
            else:
                return db


def _end(db: Connection, transaction: RootTransaction) -> None:
    """Commits, and gives the connection back."""
    with db:
        transaction.commit()


def _attempts(db: Connection, batch: list[_Write]) -> list[Callable[[], Any]]:
    """Runs works, until they have held up the event loop for long; what comes of them."""
    limit, results = monotonic() + LONG, list[Callable[[], Any]]()
    for one in batch:
        results.append(_attempt(db, one.work))
        if monotonic() > limit:
            break
    return results


def _attempt(db: Connection, work: Work[T]) -> Callable[[], T]:
    """Runs one work in a savepoint; what comes of it, to be called when all are committed."""
    run_text(db, "SAVEPOINT work")
    try:
        value = work(db)
    except Exception as error:
        if not _is_open(db):  # SQLite itself has rolled all of it back: the disk is full, say
            raise first_error(error) from error  # the savepoint is gone too, which says less
        run_text(db, "ROLLBACK TO work")
        run_text(db, "RELEASE work")
        return _raiser(told(error))
    run_text(db, "RELEASE work")
    return _outcome(value)


def _is_open(db: Connection) -> bool:
    """Whether the transaction is still there."""
    connection = db.connection.driver_connection
    return connection is not None and bool(connection.in_transaction)


def _outcome(value: T) -> Callable[[], T]:
    return lambda: value


def _raiser(error: Exception) -> Callable[[], Any]:
    def again() -> Any:
        raise error

    return again


def _settle(future: asyncio.Future[T], result: Callable[[], T]) -> None:
    try:
        value = result()
    except Exception as error:
        future.set_exception(error)
    else:
        future.set_result(value)
