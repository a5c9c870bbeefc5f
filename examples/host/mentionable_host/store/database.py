"""One database, SQLite or PostgreSQL, behind two verbs: `read` and `write`. Both run a function with a connection.

SQLite has one writer at a time: what waits for it is committed together, so that a disk that takes a millisecond for
each commit still takes thousands of messages a second. PostgreSQL has a thread for each transaction.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any, Final, Literal, TypeVar

from sqlalchemy import Column, Connection, Table, create_engine, literal, text
from sqlalchemy.dialects import sqlite
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from mentionable_host.store.errors import Conflict, StoreUnavailable, told
from mentionable_host.store.sqlite_file import compact, looking_connection, sqlite_engine
from mentionable_host.store.sqlite_writer import SqliteWriter
from mentionable_host.store.statements import run

__all__ = [
    "Conflict",
    "Database",
    "StoreUnavailable",
    "insert_new",
    "insert_or",
    "insert_returning",
    "insert_rows_or",
    "upsert",
    "upsert_all",
]

T = TypeVar("T")
Work = Callable[[Connection], T]

READERS: Final = 4
WRITERS: Final = 8
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
                place, pool_size=WRITERS + READERS, pool_pre_ping=True, connect_args=waits, hide_parameters=True
            )
            self._reading = self.engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        else:
            raise ValueError(f"{self.dialect} is no database of this host: use sqlite:/// or postgresql://")
        self._looking = looking_connection(self._reading) if self.dialect == "sqlite" else None
        self._look_lock = Lock()
        self._readers = ThreadPoolExecutor(READERS, "reads")
        self._writer = SqliteWriter(sqlite_engine(url, waits=False)) if self.dialect == "sqlite" else None
        self._writers = ThreadPoolExecutor(WRITERS, "writes")
        self._lock, self._is_closed = Lock(), False

    async def read(self, work: Work[T]) -> T:
        """What `work` reads, in one transaction that sees one state.

        Raises:
            StoreUnavailable: The database cannot be used just now.
        """
        with self._open():
            future = self._readers.submit(self._read, work)
        return await asyncio.wrap_future(future)

    async def look(self, work: Work[T]) -> T:
        """As `read`, for what an index finds at once: SQLite is asked here and now, without a thread.

        Raises:
            StoreUnavailable: The database cannot be used just now.
        """
        if self._looking is None:
            return await self.read(work)
        with self._open(), self._look_lock:
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


def lock(db: Connection, kind: LockKind, names: Iterable[str]) -> None:
    """Holds names until the transaction ends: who holds one of them, in any process, is waited for.

    SQLite has one writer, so there nobody is.
    """
    if db.dialect.name == "postgresql":
        for name in sorted(names):  # in this order: so two transactions wait, and do not lock up
            db.execute(_LOCK, {"kind": LOCKS[kind], "name": name})


LockKind = Literal["lane", "message"]
LOCKS: Final[dict[LockKind, int]] = {"lane": 1, "message": 2}
_LOCK: Final = text("SELECT pg_advisory_xact_lock(:kind, hashtext(:name))")


@cache
def _insert(dialect: str, table: Table) -> Any:
    """The beginning of a statement that is built once: to build one takes longer than to run it."""
    if dialect == "postgresql":
        from sqlalchemy.dialects import postgresql  # it is large, and most hosts do not need it

        return postgresql.insert(table)
    return sqlite.insert(table)


@cache
def _insert_new(dialect: str, table: Table, column: Column[Any] | None) -> Any:
    statement = _insert(dialect, table).on_conflict_do_nothing()
    return statement.returning(literal(1) if column is None else column)  # not every driver counts the rows


@cache
def _upsert(dialect: str, table: Table, changed: tuple[str, ...]) -> Any:
    statement = _insert(dialect, table)
    keys = [column.name for column in table.primary_key.columns]
    values = {name: statement.excluded[name] for name in changed}
    return statement.on_conflict_do_update(index_elements=keys, set_=values)


def insert_new(db: Connection, table: Table, values: dict[str, Any]) -> bool:
    """Inserts a row unless one with such a key is there; whether it was new."""
    return bool(run(db, _insert_new(db.dialect.name, table, None), values))


def insert_returning(db: Connection, table: Table, values: dict[str, Any], column: Column[T]) -> T | None:
    """As `insert_new`, but gives a column of the new row; None: the row was there."""
    rows = run(db, _insert_new(db.dialect.name, table, column), values)
    return rows[0][0] if rows else None


def upsert(db: Connection, table: Table, values: dict[str, Any], *, keep: Iterable[str] = ()) -> None:
    """Inserts a row, or changes the one with this primary key.

    Args:
        db: The transaction.
        table: The table.
        values: Column → value.
        keep: Columns that stay as they are where the row is there.
    """
    run(db, _upsert(db.dialect.name, table, _changed(table, values, keep=keep)), values)


def upsert_all(db: Connection, table: Table, rows: list[dict[str, Any]], *, keep: Iterable[str] = ()) -> None:
    """The same with some rows, all of the same columns."""
    if rows:
        db.execute(_upsert(db.dialect.name, table, _changed(table, rows[0], keep=keep)), rows)


def _changed(table: Table, names: Iterable[str], *, keep: Iterable[str]) -> tuple[str, ...]:
    """The columns that change in a row that is there."""
    stays = {*(column.name for column in table.primary_key.columns), *keep}
    return tuple(name for name in names if name not in stays)


def insert_or(
    db: Connection,
    table: Table,
    values: dict[str, Any],
    change: Callable[[Any], dict[str, Any]],
    *returning: Column[Any],
) -> tuple[Any, ...]:
    """Inserts a row, or changes the one with this primary key as `change` says; what `returning` names of it.

    Args:
        db: The transaction.
        table: The table.
        values: Column → value of the new row.
        change: Column → expression, from what would have been inserted; always the same function.
        returning: Columns of the result.
    """
    rows = run(db, _insert_or(db.dialect.name, table, change, returning), values)
    return rows[0] if rows else ()


def insert_rows_or(dialect: str, table: Table, rows: list[dict[str, Any]], changed: dict[str, Any]) -> Any:
    """A statement that inserts rows, or changes those with these primary keys.

    Args:
        dialect: Of the database.
        table: The table.
        rows: Column → value, or a parameter.
        changed: Column → expression, for a row that is there.
    """
    keys = [column.name for column in table.primary_key.columns]
    return _insert(dialect, table).values(rows).on_conflict_do_update(index_elements=keys, set_=changed)


@cache
def _insert_or(dialect: str, table: Table, change: Callable[[Any], dict[str, Any]], returning: tuple[Any, ...]) -> Any:
    statement = _insert(dialect, table)
    keys = [column.name for column in table.primary_key.columns]
    changed = statement.on_conflict_do_update(index_elements=keys, set_=change(statement.excluded))
    return changed.returning(*returning) if returning else changed
