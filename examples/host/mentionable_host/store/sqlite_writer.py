"""The one writer of a SQLite database: what waits for it is committed together, and the disk is waited for elsewhere.

The statements run on the event loop: each takes some microseconds, and a thread would wait for the loop at each of
them. Only the commit, which waits for the disk, has a thread; what comes meanwhile is the next batch.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, TypeVar

from attrs import frozen
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


@frozen(eq=False)
class _Write:
    work: Work[Any]
    future: asyncio.Future[Any]


class SqliteWriter:
    """Writes."""

    def __init__(self, engine: Engine) -> None:
        """Writes nothing yet.

        Args:
            engine: Its transactions begin with `BEGIN IMMEDIATE`, and fail at once where another process writes.
        """
        self._engine = engine
        self._waiting: deque[_Write] = deque()
        self._task: asyncio.Task[None] | None = None
        self._thread = ThreadPoolExecutor(1, "commits")
        self._ending: Future[None] | None = None
        self._is_closed = False

    async def write(self, work: Work[T]) -> T:
        """Runs `work` in a transaction, which is committed when this returns.

        Raises:
            Conflict: Another transaction was faster.
            StoreUnavailable: The database cannot be used just now.
        """
        loop = asyncio.get_running_loop()
        one = _Write(work, loop.create_future())
        if self._task is None or self._task.done() or self._task.get_loop() is not loop:
            self._waiting.clear()  # who waited in a loop that has ended is not there any more
            self._task = loop.create_task(self._run())
        self._waiting.append(one)
        return await one.future  # type: ignore[no-any-return]

    def close(self) -> None:
        """Waits for a commit that has begun; what still waits is refused."""
        self._is_closed = True
        self._thread.shutdown()
        self._engine.dispose()

    async def _run(self) -> None:
        """Writes until nothing waits."""
        if self._ending is not None:  # a commit of a loop that has ended meanwhile: nobody waits for what came of it
            with suppress(Exception):
                await asyncio.wrap_future(self._ending)
        while self._waiting:
            batch = [self._waiting.popleft() for _ in range(min(TOGETHER, len(self._waiting)))]
            await self._commit([one for one in batch if not one.future.done()])

    async def _commit(self, batch: list[_Write]) -> None:
        """Runs some works in one transaction. One that fails takes no other with it, unless the database itself fails.

        What nobody waits for any more before it has begun is not done.
        """
        try:
            results = await self._store(batch)
        except Exception as error:
            results = [_raiser(told(error))] * len(batch)
        for one, result in zip(batch, results, strict=True):
            if not one.future.done():
                _settle(one.future, result)

    async def _store(self, batch: list[_Write]) -> list[Callable[[], Any]]:
        if not batch:
            return []
        db = await self._begin()
        try:
            transaction = db.get_transaction()
            assert transaction is not None  # noqa: S101  it has begun
            is_one = len(batch) == 1
            results = [_outcome(batch[0].work(db))] if is_one else [_attempt(db, one.work) for one in batch]
            if self._is_closed:
                raise StoreUnavailable("the database is closed")
            self._ending = self._thread.submit(_end, db, transaction)
        except BaseException:
            with db:
                db.rollback()
            raise
        await asyncio.shield(asyncio.wrap_future(self._ending))
        self._ending = None
        return results

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
