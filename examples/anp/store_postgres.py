"""The same store on PostgreSQL, for workers on many machines. Needs `pip install "psycopg[binary]"`."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg import errors
from sql_store import Row, SqlStore

if TYPE_CHECKING:
    from collections.abc import Collection

SAME_EVERYWHERE = 0x414E50
"""The advisory lock of the outbox: "ANP". Numbers are given before a transaction is stored, so without it a reader
could pass a place that is stored only later."""


class PostgresStore(SqlStore):
    """The store in a PostgreSQL database of the encoding UTF8.

    Args:
        where: How to connect: `postgresql://…` or `host=… dbname=…`.
        journal: As for every store.
    """

    PLACE = "BIGINT GENERATED ALWAYS AS IDENTITY"  # no index: whoever reads by place has a better one
    BEGIN = "BEGIN ISOLATION LEVEL READ COMMITTED"  # a writer who has waited for another compares anew
    ITEMS = "SELECT json_array_elements_text(?::json)"
    IN_TURN = f"SELECT pg_advisory_xact_lock({SAME_EVERYWHERE})"
    CONFLICTS = (errors.DeadlockDetected, errors.UniqueViolation)

    def __init__(self, where: str, *, journal: bool = False) -> None:
        super().__init__(journal=journal)
        self._db = psycopg.connect(where, autocommit=True)

    def run(self, sql: str, *values: Any) -> list[Row]:
        """The rows of a statement."""
        found = self._db.execute(_spelled(sql), values or None)
        return found.fetchall() if found.description is not None else []

    def run_many(self, sql: str, rows: Collection[Row]) -> int:
        """Runs a statement with each of some rows of values, all sent at once; how many rows it wrote."""
        if not rows:
            return 0
        with self._db.cursor() as cursor:
            cursor.executemany(_spelled(sql), rows)
            return cursor.rowcount

    def close(self) -> None:
        """Ends the connection."""
        self._db.close()


@cache
def _spelled(sql: str) -> bytes:
    """A statement with the marks of psycopg for its values. No statement has either sign for anything else."""
    return sql.replace("?", "%s").encode()
