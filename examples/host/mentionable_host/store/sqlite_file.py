"""A file of SQLite: who may read it, how it is opened, and that it is still the one that was opened."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Final

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import make_url

__all__ = ["compact", "copy_file", "looking_connection", "sqlite_engine", "worked_on_alone"]

BUSY_SECONDS: Final = 30
"""So long a transaction waits for another process."""
PAUSE: Final = 0.01
LOG_BYTES: Final = 67_108_864
PRAGMAS: Final = (
    "journal_mode = WAL",
    "synchronous = FULL",
    "foreign_keys = ON",
    "secure_delete = ON",
    f"journal_size_limit = {LOG_BYTES}",
)
IN_MEMORY: Final = "temp_store = MEMORY"
"""What a savepoint may have to take back: else it goes to a file, 44 KB for a message, which has no use."""


def sqlite_engine(url: str, *, read_only: bool = False, waits: bool = True) -> Engine:
    """An engine that says itself where a transaction begins: the driver would begin too late.

    A file that is not there is made, for its owner alone. One that was removed or replaced while it was open gets
    nothing more: a commit ends in an `OSError`, since what it stored would not be found.

    Args:
        url: Of the file.
        read_only: Whether nothing is written by it.
        waits: Whether a transaction waits for another process; else it fails at once.

    Raises:
        ValueError: The URL names no file.
    """
    file = make_url(url).database
    if not file or file == ":memory:" or file.startswith("file:"):
        raise ValueError("sqlite needs a file: sqlite:///mentionable.db")
    place = Path(file).absolute()
    place.parent.mkdir(parents=True, exist_ok=True)
    with suppress(FileExistsError):  # to close a file that is open elsewhere in this process would end SQLite's locks
        os.close(os.open(place, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    connect = {"timeout": BUSY_SECONDS if waits else 0, "check_same_thread": False}
    engine = create_engine(f"sqlite:///{place}", connect_args=connect, hide_parameters=True)

    @event.listens_for(engine, "connect")
    def connected(connection: Any, record: Any) -> None:
        connection.isolation_level = None
        for pragma in (*PRAGMAS, "query_only = ON" if read_only else IN_MEMORY):
            _set(connection, pragma)
        record.info["file"] = _identity(place)

    @event.listens_for(engine, "begin")
    def began(connection: Connection) -> None:
        if connection.get_execution_options().get("isolation_level") != "AUTOCOMMIT":
            connection.exec_driver_sql("BEGIN" if read_only else "BEGIN IMMEDIATE")

    @event.listens_for(engine, "commit")
    def committing(connection: Connection) -> None:
        if _identity(place) != connection.info["file"]:
            raise OSError(f"{place} was removed or replaced: start again")

    return engine


def _set(connection: sqlite3.Connection, pragma: str) -> None:
    """Sets how a file is used. SQLite itself does not wait where several processes begin the log of a new file."""
    limit = monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute(f"PRAGMA {pragma}")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or monotonic() > limit:
                raise
            sleep(PAUSE)
        else:
            return


def looking_connection(engine: Engine) -> Connection:
    """A connection whose every statement sees the newest state."""
    return engine.connect().execution_options(isolation_level="AUTOCOMMIT")


@contextmanager
def worked_on_alone(place: Path) -> Iterator[None]:
    """No other process works on a database meanwhile; who reads and writes it for a moment still may.

    The lock is on a file of its own: to close the database itself would end the locks that SQLite has on it. It ends
    with this process, however that ends.

    Raises:
        BlockingIOError: Another process works on it, or another host in this process.
    """
    real = place.resolve()
    file = os.open(real.with_name(f"{real.name}.lock"), os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(file)


def copy_file(place: Path, to: Path) -> None:
    """Copies a database, as of one moment, into a new file of its owner's."""
    os.close(os.open(to, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    with closing(_opened(place)) as source, closing(sqlite3.connect(to)) as target:
        source.backup(target)


def compact(place: Path) -> bool:
    """Writes the file anew, without what was deleted, and empties its log.

    Returns False where another process reads or writes all the time: then its log may still hold deleted text.
    """
    with closing(_opened(place)) as connection:
        try:
            connection.execute("VACUUM")
        except sqlite3.OperationalError:
            return False
        (is_busy, _, _) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return not is_busy


def _opened(place: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(place, timeout=BUSY_SECONDS, isolation_level=None)
    connection.execute("PRAGMA secure_delete = ON")
    return connection


def _identity(place: Path) -> tuple[int, int] | None:
    """Which file it is."""
    try:
        found = place.stat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino
