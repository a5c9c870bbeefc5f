"""How a database fails, as the rest of the host knows it."""

from __future__ import annotations

from typing import Final

from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, ProgrammingError
from sqlalchemy.exc import TimeoutError as PoolTimeout

__all__ = ["Conflict", "StoreUnavailable", "first_error", "told"]

DEEP: Final = 10
"""So many errors behind an error are looked at."""
CONFLICTS: Final = frozenset(("40001", "40P01"))
"""States of PostgreSQL: a serialization failure, a deadlock."""


class Conflict(Exception):
    """Another transaction was faster. Nothing of this one is stored: read again, and try again."""


class StoreUnavailable(Exception):
    """The database cannot be used just now: the disk is full, the server is away.

    Nothing of the work is stored, unless the server was lost at the very commit: then no one knows. So the work is not
    tried again here. Whoever asked for it learns that it failed, and when they ask again it counts once.
    """


def first_error(error: BaseException) -> BaseException:
    """The error of the database that was first; those after it came while it was handled."""
    found, before = error, error.__context__
    for _ in range(DEEP):
        if before is None:
            break
        found, before = before if isinstance(before, DBAPIError) else found, before.__context__
    return found


def told(error: Exception) -> Exception:
    """An error as callers know it: the database's own, or that of the work as it is."""
    if isinstance(error, IntegrityError):
        return Conflict(str(error.orig))
    if isinstance(error, DBAPIError):
        if getattr(error.orig, "sqlstate", None) in CONFLICTS:
            return Conflict(str(error.orig))
        is_fault_of_work = isinstance(error, (DataError, ProgrammingError))
        return error if is_fault_of_work else StoreUnavailable(str(error.orig))
    return StoreUnavailable(str(error)) if isinstance(error, (PoolTimeout, OSError)) else error
