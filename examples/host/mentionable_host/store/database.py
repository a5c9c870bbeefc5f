"""One database, SQLite or PostgreSQL, behind two verbs: `read` and `write`. Both run a function with a connection.

SQLite has one writer at a time, so one thread writes, and what waits for it is committed together: a disk that takes a
millisecond for each commit still takes thousands of messages a second. PostgreSQL has a thread for each transaction.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, Final, TypeVar

from attrs import frozen
from sqlalchemy import Column, Connection, Engine, Table, create_engine, event
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError

__all__ = ["Conflict", "Database", "StoreUnavailable", "insert_new", "insert_returning", "upsert"]

T = TypeVar("T")
Work = Callable[[Connection], T]

TOGETHER: Final = 64
"""So many writes are committed at once."""
READERS: Final = 4
WRITERS: Final = 8
BUSY_SECONDS: Final = 30


class Conflict(Exception):
    """Another transaction was faster. Nothing of this one is stored: read again, and try again."""


class StoreUnavailable(Exception):
    """The database cannot be used just now: the disk is full, the server is away. Nothing of the work is stored."""


@frozen
class _Write:
    work: Work[Any]
    future: Future[Any]


class Database:
    """An open database.

    Attributes:
        dialect: `sqlite` or `postgresql`.
        conninfo: On PostgreSQL what its own library connects with; it has the password.
    """

    def __init__(self, url: str) -> None:
        """Opens the database; tables are not made (`migrations.upgrade` does).

        Args:
            url: `sqlite:///relative.db`, `sqlite:////absolute.db` or `postgresql://user:password@host/name`.

        Raises:
            ValueError: The URL is of another kind of database.
        """
        parsed = make_url(url)
        self.conninfo: Final = parsed.set(drivername="postgresql").render_as_string(hide_password=False)
        self.dialect: Final = parsed.get_backend_name()
        if self.dialect == "sqlite":
            self.engine = _sqlite(url, begin="BEGIN IMMEDIATE")
            self._reading = _sqlite(url, begin="BEGIN")
        elif self.dialect == "postgresql":
            place = parsed.set(drivername="postgresql+psycopg")
            self.engine = create_engine(place, pool_size=WRITERS + READERS, pool_pre_ping=True)
            self._reading = self.engine
        else:
            raise ValueError(f"{self.dialect} is no database of this host: use sqlite:/// or postgresql://")
        self._readers = ThreadPoolExecutor(READERS, "reads")
        self._writers = ThreadPoolExecutor(WRITERS, "writes") if self.dialect == "postgresql" else None
        self._waiting: SimpleQueue[_Write | None] = SimpleQueue()
        self._writer = Thread(target=self._write_together, name="writes", daemon=True)
        if self._writers is None:
            self._writer.start()

    async def read(self, work: Work[T]) -> T:
        """What `work` reads, in one transaction that sees one state.

        Raises:
            StoreUnavailable: The database cannot be used just now.
        """
        return await asyncio.wrap_future(self._readers.submit(self._read, work))

    async def write(self, work: Work[T]) -> T:
        """Runs `work` in a transaction, which is committed when this returns.

        Raises:
            Conflict: Another transaction was faster.
            StoreUnavailable: The database cannot be used just now.
        """
        if self._writers is not None:
            return await asyncio.wrap_future(self._writers.submit(self._write, work))
        future: Future[T] = Future()
        self._waiting.put(_Write(work, future))
        return await asyncio.wrap_future(future)

    def close(self) -> None:
        """Ends all connections; what waits is written before."""
        if self._writers is None:
            self._waiting.put(None)
            self._writer.join()
        else:
            self._writers.shutdown()
        self._readers.shutdown()
        self.engine.dispose()
        self._reading.dispose()

    def _read(self, work: Work[T]) -> T:
        try:
            with self._reading.connect() as db:
                return work(db)
        except (OperationalError, OSError) as error:
            raise StoreUnavailable(str(error)) from error

    def _write(self, work: Work[T]) -> T:
        """One transaction."""
        try:
            with self.engine.begin() as db:
                return work(db)
        except IntegrityError as error:
            raise Conflict(str(error.orig)) from error
        except (OperationalError, OSError) as error:
            if getattr(error.orig if isinstance(error, DBAPIError) else None, "sqlstate", None) in ("40001", "40P01"):
                raise Conflict(str(error)) from error  # a serialization failure, a deadlock
            raise StoreUnavailable(str(error)) from error

    def _write_together(self) -> None:
        """The thread that writes to SQLite."""
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
        done: list[tuple[_Write, Callable[[], Any]]] = []
        try:
            with self.engine.begin() as db:
                done = [(one, _attempt(db, one.work)) for one in batch]
        except (OperationalError, OSError) as error:
            for one in batch:
                one.future.set_exception(StoreUnavailable(str(error)))
            return
        for one, result in done:
            _settle(one.future, result)


def _attempt(db: Connection, work: Work[T]) -> Callable[[], T]:
    """Runs one work in a savepoint; what comes of it, to be called when all are committed."""
    try:
        with db.begin_nested():
            value = work(db)
    except IntegrityError as error:
        return _raiser(Conflict(str(error.orig)))
    except OperationalError:
        raise
    except Exception as error:
        return _raiser(error)
    return lambda: value


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


def _sqlite(url: str, *, begin: str) -> Engine:
    """An engine for SQLite that says itself where a transaction begins: the driver would begin too late."""
    place = make_url(url).database
    if place and place != ":memory:":
        Path(place).absolute().parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(url, connect_args={"timeout": BUSY_SECONDS, "check_same_thread": False})

    @event.listens_for(engine, "connect")
    def connected(connection: Any, record: Any) -> None:
        connection.isolation_level = None
        for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "secure_delete = ON"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def began(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


def insert_new(db: Connection, table: Table, values: dict[str, Any]) -> bool:
    """Inserts a row unless one with such a key is there; whether it was new."""
    insert = postgresql.insert if db.dialect.name == "postgresql" else sqlite.insert
    return bool(db.execute(insert(table).values(values).on_conflict_do_nothing()).rowcount)


def insert_returning(db: Connection, table: Table, values: dict[str, Any], column: Column[T]) -> T | None:
    """As `insert_new`, but gives a column of the new row; None: the row was there."""
    insert = postgresql.insert if db.dialect.name == "postgresql" else sqlite.insert
    return db.execute(insert(table).values(values).on_conflict_do_nothing().returning(column)).scalar()


def upsert(db: Connection, table: Table, values: dict[str, Any], *, keep: Iterable[str] = ()) -> None:
    """Inserts a row, or changes the one with this primary key.

    Args:
        db: The transaction.
        table: The table.
        values: Column → value.
        keep: Columns that stay as they are where the row is there.
    """
    insert = postgresql.insert if db.dialect.name == "postgresql" else sqlite.insert
    statement = insert(table).values(values)
    keys = [column.name for column in table.primary_key.columns]
    changed = {name: statement.excluded[name] for name in values if name not in {*keys, *keep}}
    db.execute(statement.on_conflict_do_update(index_elements=keys, set_=changed))
