"""One database, SQLite or PostgreSQL, behind two verbs: `read` and `write`. Both run a function with a connection.

SQLite has one writer at a time, so one thread writes, and what waits for it is committed together: a disk that takes a
millisecond for each commit still takes thousands of messages a second. PostgreSQL has a thread for each transaction.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Any, Final, TypeVar

from attrs import frozen
from sqlalchemy import Connection, Table, bindparam, create_engine, literal
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, ProgrammingError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from mentionable_host.store.sqlite_file import compact, sqlite_engine

__all__ = [
    "Conflict",
    "Database",
    "StoreUnavailable",
    "insert_new",
    "insert_numbered",
    "inserting",
    "upsert",
    "upsert_all",
]

T = TypeVar("T")
Work = Callable[[Connection], T]

TOGETHER: Final = 64
"""So many writes are committed at once."""
READERS: Final = 4
WRITERS: Final = 8
CONNECT_SECONDS: Final = 10
STATEMENTS: Final = 256
"""So many statements are kept."""
DEEP: Final = 10
"""So many errors behind an error are looked at."""
CONFLICTS: Final = frozenset(("40001", "40P01"))
"""States of PostgreSQL: a serialization failure, a deadlock."""


class Conflict(Exception):
    """Another transaction was faster. Nothing of this one is stored: read again, and try again."""


class StoreUnavailable(Exception):
    """The database cannot be used just now: the disk is full, the server is away.

    Nothing of the work is stored, unless the server was lost at the very commit: then nobody knows. So the work is not
    tried again here. Whoever asked for it is told that it failed, and when they ask again it counts once.
    """


@frozen
class _Write:
    work: Work[Any]
    future: Future[Any]


class Database:
    """An open database.

    Attributes:
        dialect: `sqlite` or `postgresql`.
    """

    def __init__(self, url: str) -> None:
        """Opens the database; tables are not made (`migrations.upgrade` does).

        Args:
            url: `sqlite:///relative.db`, `sqlite:////absolute.db` or `postgresql://user:password@host/name`.

        Raises:
            ValueError: The URL is of another kind of database.
        """
        parsed = make_url(url)
        self.dialect: Final = parsed.get_backend_name()
        if self.dialect == "sqlite":
            self.engine = sqlite_engine(url)
            self._reading = sqlite_engine(url, read_only=True)
        elif self.dialect == "postgresql":
            place = parsed.set(drivername="postgresql+psycopg")
            waits = {"connect_timeout": CONNECT_SECONDS}
            self.engine = create_engine(
                place, pool_size=WRITERS + READERS, pool_pre_ping=True, connect_args=waits, hide_parameters=True
            )
            self._reading = self.engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        else:
            raise ValueError(f"{self.dialect} is no database of this host: use sqlite:/// or postgresql://")
        self._readers = ThreadPoolExecutor(READERS, "reads")
        self._writers = ThreadPoolExecutor(WRITERS, "writes") if self.dialect == "postgresql" else None
        self._waiting: SimpleQueue[_Write | None] = SimpleQueue()
        self._lock, self._is_closed = Lock(), False
        self._writer = Thread(target=self._write_together, name="writes", daemon=True)
        if self._writers is None:
            self._writer.start()

    async def read(self, work: Work[T]) -> T:
        """What `work` reads, in one transaction that sees one state.

        Raises:
            StoreUnavailable: The database cannot be used just now.
        """
        with self._open():
            future = self._readers.submit(self._read, work)
        return await asyncio.wrap_future(future)

    async def write(self, work: Work[T]) -> T:
        """Runs `work` in a transaction, which is committed when this returns.

        Who is canceled while this waits does not know whether the work is stored. It never is in part.

        Raises:
            Conflict: Another transaction was faster.
            StoreUnavailable: The database cannot be used just now.
        """
        future: Future[T] = Future()
        with self._open():
            if self._writers is not None:
                future = self._writers.submit(self._write, work)
            else:
                self._waiting.put(_Write(work, future))
        return await asyncio.wrap_future(future)

    @contextmanager
    def snapshot(self) -> Iterator[Connection]:
        """A connection that reads one state of the database for as long as it is open, for work outside a server."""
        with self._reading.connect() as db:
            yield db

    async def compact(self) -> bool:
        """Takes what was deleted out of the files, so that nobody can read it there.

        SQLite writes its file anew: others wait meanwhile, and the disk needs room for a second one. PostgreSQL frees
        the space of deleted rows, and overwrites it by and by.

        Returns:
            Whether it is done; False where another process kept SQLite from it.
        """
        return await asyncio.to_thread(self._compact)

    def close(self) -> None:
        """Ends all connections; what waits is written before. Nothing is read or written from then on."""
        with self._lock:
            if self._is_closed:
                return
            self._is_closed = True
            self._waiting.put(None)
        if self._writers is None:
            self._writer.join()
        else:
            self._writers.shutdown()
        self._readers.shutdown()
        self.engine.dispose()
        self._reading.dispose()

    @contextmanager
    def _open(self) -> Iterator[None]:
        """Nothing closes the database meanwhile.

        Raises:
            StoreUnavailable: It is closed.
        """
        with self._lock:
            if self._is_closed:
                raise StoreUnavailable("the database is closed")
            yield

    def _compact(self) -> bool:
        if self.dialect == "sqlite":
            return compact(Path(str(self.engine.url.database)))
        with self.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as db:
            db.exec_driver_sql("VACUUM")
        return True

    def _read(self, work: Work[T]) -> T:
        try:
            with self._reading.connect() as db:
                return work(db)
        except (DBAPIError, PoolTimeout, OSError) as error:
            raise _told(error) from error

    def _write(self, work: Work[T]) -> T:
        """One transaction."""
        try:
            with self.engine.begin() as db:
                return work(db)
        except (DBAPIError, PoolTimeout, OSError) as error:
            raise _told(error) from error

    def _write_together(self) -> None:
        """The thread that writes to SQLite. Nothing ends it but the end of the database."""
        while (first := self._waiting.get()) is not None:
            batch, is_last = [first], False
            with suppress(Empty):
                while len(batch) < TOGETHER and not is_last:
                    one = self._waiting.get_nowait()
                    is_last = one is None
                    batch += [one] if one is not None else []
            self._commit(batch)
            if is_last:
                return

    def _commit(self, batch: list[_Write]) -> None:
        """Runs some works in one transaction. One that fails takes no other with it, unless the database itself fails.

        What nobody waits for any more before it has begun is not done.
        """
        batch = [one for one in batch if one.future.set_running_or_notify_cancel()]
        if len(batch) == 1:
            _settle(batch[0].future, lambda: self._write(batch[0].work))
            return
        try:
            with self.engine.begin() as db:
                done = [(one, _attempt(db, one.work)) for one in batch]
        except Exception as error:
            for one in batch:
                one.future.set_exception(_told(error))
            return
        for one, result in done:
            _settle(one.future, result)


def _attempt(db: Connection, work: Work[T]) -> Callable[[], T]:
    """Runs one work in a savepoint; what comes of it, to be called when all are committed."""
    try:
        with db.begin_nested():
            value = work(db)
    except Exception as error:
        if not _is_open(db):  # SQLite itself has rolled all of it back: the disk is full, say
            raise _first(error) from error  # the savepoint is gone too, which says less
        return _raiser(_told(error))
    return lambda: value


def _is_open(db: Connection) -> bool:
    """Whether the transaction is still there."""
    connection = db.connection.driver_connection
    return connection is not None and bool(connection.in_transaction)


def _first(error: BaseException) -> BaseException:
    """The error of the database that was first; those after it came while it was handled."""
    found, before = error, error.__context__
    for _ in range(DEEP):
        if before is None:
            break
        found, before = before if isinstance(before, DBAPIError) else found, before.__context__
    return found


def _told(error: Exception) -> Exception:
    """An error as callers know it: the database's own, or that of the work as it is."""
    if isinstance(error, IntegrityError):
        return Conflict(str(error.orig))
    if isinstance(error, DBAPIError):
        if getattr(error.orig, "sqlstate", None) in CONFLICTS:
            return Conflict(str(error.orig))
        is_fault_of_work = isinstance(error, (DataError, ProgrammingError))
        return error if is_fault_of_work else StoreUnavailable(str(error.orig))
    return StoreUnavailable(str(error)) if isinstance(error, (PoolTimeout, OSError)) else error


def _raiser(error: Exception) -> Callable[[], Any]:
    def again() -> Any:
        raise error

    return again


def _settle(future: Future[T], result: Callable[[], T]) -> None:
    try:
        value = result()
    except Exception as error:
        future.set_exception(error)
    else:
        future.set_result(value)


def insert_new(db: Connection, table: Table, values: dict[str, Any]) -> bool:
    """Inserts a row unless one with such a key is there; whether it was new."""
    return db.execute(_insert_new(db.dialect.name, table, tuple(values), None), values).first() is not None


def insert_numbered(db: Connection, table: Table, values: dict[str, Any]) -> int | None:
    """Inserts a row of a table that counts by itself; its `number`, or None where one with such a key is there."""
    number: int | None = db.execute(_insert_new(db.dialect.name, table, tuple(values), "number"), values).scalar()
    return number


def upsert(db: Connection, table: Table, values: dict[str, Any], *, keep: Iterable[str] = ()) -> None:
    """Inserts a row, or changes the one with this primary key.

    Args:
        db: The transaction.
        table: The table.
        values: Column → value.
        keep: Columns that stay as they are where the row is there.
    """
    upsert_all(db, table, [values], keep=keep)


def upsert_all(db: Connection, table: Table, rows: list[dict[str, Any]], *, keep: Iterable[str] = ()) -> None:
    """The same with some rows, all of the same columns."""
    if rows:
        db.execute(_upsert(db.dialect.name, table, tuple(rows[0]), tuple(keep)), rows)


def inserting(dialect: str, table: Table) -> Any:
    """An INSERT that may have an ON CONFLICT, as this kind of database writes it."""
    return postgresql.insert(table) if dialect == "postgresql" else sqlite.insert(table)


@lru_cache(STATEMENTS)
def _insert_new(dialect: str, table: Table, columns: tuple[str, ...], returned: str | None) -> Any:
    """A statement is made once: that takes longer than to run it."""
    new = inserting(dialect, table).values({name: bindparam(name) for name in columns}).on_conflict_do_nothing()
    return new.returning(table.c[returned] if returned else literal(1))


@lru_cache(STATEMENTS)
def _upsert(dialect: str, table: Table, columns: tuple[str, ...], keep: tuple[str, ...]) -> Any:
    statement = inserting(dialect, table)
    keys = [column.name for column in table.primary_key.columns]
    changed = {name: statement.excluded[name] for name in columns if name not in {*keys, *keep}}
    return statement.on_conflict_do_update(index_elements=keys, set_=changed)
