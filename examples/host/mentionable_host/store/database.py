"""One database, SQLite or PostgreSQL, behind two verbs: `read` and `write`. Both run a function with a connection.

SQLite has one writer at a time: what waits for it is committed together, so that a disk that takes a millisecond for
each commit still takes thousands of messages a second. PostgreSQL has a thread for each transaction.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import Final, TypeVar

from sqlalchemy import Connection, Engine, create_engine
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from mentionable_host.store.errors import Conflict, StoreUnavailable, told
from mentionable_host.store.idle import check_idle
from mentionable_host.store.sqlite_file import compact, looking_connection, sqlite_engine
from mentionable_host.store.sqlite_writer import SqliteWriter

__all__ = [
    "Conflict",
    "Database",
    "StoreUnavailable",
]

T = TypeVar("T")
Work = Callable[[Connection], T]

READERS: Final = 4
WRITERS: Final = 8
ATTEMPTS: Final = 4
CONNECT_SECONDS: Final = 10


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
            self.engine = sqlite_engine(url)
            self._reading = sqlite_engine(url, read_only=True)
        elif self.dialect == "postgresql":
            place = parsed.set(drivername="postgresql+psycopg")
            waits = {"connect_timeout": CONNECT_SECONDS}
            self.engine = create_engine(
                place, pool_size=WRITERS + READERS, pool_use_lifo=True, connect_args=waits, hide_parameters=True
            )
            check_idle(self.engine)
            self._glancing = self.engine.execution_options(isolation_level="AUTOCOMMIT", postgresql_readonly=True)
            self._reading = self.engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        else:
            raise ValueError(f"{self.dialect} is no database of this host: use sqlite:/// or postgresql://")
        self._looking = looking_connection(self._reading) if self.dialect == "sqlite" else None
        self._readers = ThreadPoolExecutor(READERS, "reads")
        self._writer = SqliteWriter(sqlite_engine(url, waits=False)) if self.dialect == "sqlite" else None
        self._writers = ThreadPoolExecutor(WRITERS, "writes")
        self._lock, self._is_closed = Lock(), False

    async def read(self, work: Work[T]) -> T:
        """What `work` reads, in one transaction that sees one state.

        Raises:
            StoreUnavailable: The database cannot be used just now.
        """
        return await self._read_by(self._reading, work)

    async def _read_by(self, engine: Engine, work: Work[T]) -> T:
        with self._open():
            future = self._readers.submit(self._read, engine, work)
        return await asyncio.wrap_future(future)

    async def look(self, work: Work[T]) -> T:
        """As `read`, for what an index finds at once: SQLite is asked here and now, without a thread.

        Raises:
            StoreUnavailable: The database cannot be used just now.
        """
        if self._looking is None:
            return await self._read_by(self._glancing, work)
        with self._lock:  # nothing closes it meanwhile, and it has one user at a time
            self._check_open()
            return self._look(self._looking, work)

    async def write(self, work: Work[T]) -> T:
        """Runs `work` in a transaction, which is committed when this returns.

        Who is canceled while this waits does not know whether the work is stored. It never is in part.

        Raises:
            Conflict: Another transaction was faster.
            StoreUnavailable: The database cannot be used just now.
        """
        if self._writer is not None:
            with self._open():
                writing = self._writer.write(work)
            return await writing
        with self._open():
            future = self._writers.submit(self._write, work)
        return await asyncio.wrap_future(future)

    async def write_again(self, work: Work[T]) -> T:
        """As `write`, and again from its beginning where another transaction was faster, a few times.

        Raises:
            Conflict: Others were faster each time.
            StoreUnavailable: The database cannot be used just now.
        """
        for _ in range(ATTEMPTS - 1):
            with suppress(Conflict):
                return await self.write(work)
        return await self.write(work)

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
        """Ends all connections, after a commit that has begun. Nothing is read or written from then on."""
        with self._lock:
            if self._is_closed:
                return
            self._is_closed = True
        if self._writer is not None:
            self._writer.close()
        self._writers.shutdown()
        self._readers.shutdown()
        if self._looking is not None:
            self._looking.close()
        self.engine.dispose()
        self._reading.dispose()

    @contextmanager
    def _open(self) -> Iterator[None]:
        """Nothing closes the database meanwhile.

        Raises:
            StoreUnavailable: It is closed.
        """
        with self._lock:
            self._check_open()
            yield

    def _check_open(self) -> None:
        if self._is_closed:
            raise StoreUnavailable("the database is closed")

    def _compact(self) -> bool:
        if self.dialect == "sqlite":
            return compact(Path(str(self.engine.url.database)))
        with self.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as db:
            db.exec_driver_sql("VACUUM")
        return True

    def _read(self, engine: Engine, work: Work[T]) -> T:
        try:
            with engine.connect() as db:
                found = work(db)
                db.commit()  # psycopg forgets the prepared statements of a connection that rolls back
                return found
        except (DBAPIError, PoolTimeout, OSError) as error:
            raise told(error) from error

    def _look(self, db: Connection, work: Work[T]) -> T:
        """Each statement sees the newest state."""
        try:
            return work(db)
        except (DBAPIError, OSError) as error:
            raise told(error) from error
        finally:
            if db.in_transaction():
                db.rollback()

    def _write(self, work: Work[T]) -> T:
        """One transaction."""
        try:
            with self.engine.begin() as db:
                return work(db)
        except (DBAPIError, PoolTimeout, OSError) as error:
            raise told(error) from error
