"""The store in one file, for a host that is one program or a few on one machine. Needs nothing but Python."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Any

from sql_store import Row, SqlStore

if TYPE_CHECKING:
    from collections.abc import Collection
    from os import PathLike


class SqliteStore(SqlStore):
    """The store in an SQLite file. Writers wait for one another; readers wait for nobody.

    Args:
        path: The file.
        synchronous: `FULL` outlives a power cut; `OFF` outlives only that a process is killed.
        journal: As for every store.
    """

    PLACE = "INTEGER PRIMARY KEY AUTOINCREMENT"
    BEGIN = "BEGIN IMMEDIATE"
    ITEMS = "SELECT value FROM json_each(?)"
    IN_TURN = None  # there is one writer at a time
    CONFLICTS = ()

    def __init__(self, path: str | PathLike[str], *, synchronous: str = "FULL", journal: bool = False) -> None:
        super().__init__(journal=journal)
        self._db = sqlite3.connect(path, timeout=60, isolation_level=None)
        self.run("PRAGMA journal_mode = WAL")
        self.run(f"PRAGMA synchronous = {synchronous}")

    def run(self, sql: str, *values: Any) -> list[Row]:
        """The rows of a statement."""
        return self._db.execute(sql, values).fetchall()

    def run_many(self, sql: str, rows: Collection[Row]) -> int:
        """Runs a statement with each of some rows of values; how many rows it wrote."""
        return self._db.executemany(sql, rows).rowcount if rows else 0

    def close(self) -> None:
        """Ends the connection."""
        self._db.close()
