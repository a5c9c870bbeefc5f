"""Brings a database to the state of `store/tables.py`, from whatever state an earlier version left it in.

One process does so at a time, in one transaction: one that is interrupted leaves the old state. A file of SQLite is
copied before it is changed.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from sqlalchemy import Connection, inspect, text

from mentionable_host.store.database import Database
from mentionable_host.store.sqlite_file import copy_file, worked_on_alone
from mentionable_host.store.tables import metadata

if TYPE_CHECKING:  # Alembic takes longer to import than the tables to look at: only who needs it waits for it
    from alembic.script import ScriptDirectory

__all__ = ["MigrationError", "head", "revision", "upgrade"]

FOLDER: Final = Path(__file__).parent
LOCK: Final = 0x6D656E74
"""The advisory lock of PostgreSQL: "ment"."""
VERSION: Final = "alembic_version"
"""The table in which Alembic keeps the revision."""


class MigrationError(Exception):
    """The database cannot be brought up to date. The message says why, and what to do. Nothing is changed."""


def head() -> str:
    """The revision that this version of the package works with."""
    found = _scripts().get_current_head()
    if found is None:
        raise MigrationError("the package is incomplete: it has no revisions. Install it anew")
    return found


def revision(database: Database) -> str | None:
    """The revision of a database; None: it is empty, or was not made by `upgrade`."""
    with database.snapshot() as db:
        return _revision(db)


def upgrade(database: Database) -> Path | None:
    """Brings a database up to date, or makes its tables; the copy that was made of a file before it was changed.

    Raises:
        MigrationError: The database is of a later version of the package, something else made its tables, or a server
            of an earlier version works on the file.
    """
    with database.snapshot() as db:
        if _revision(db) == _newest():
            return None
        before = _checked(db)
    if before == head():
        return None
    if before is None or database.dialect != "sqlite":
        _upgrade(database)
        return None
    try:
        with worked_on_alone(Path(str(database.engine.url.database))):
            copy = _copied(database, before)
            _upgrade(database)
    except BlockingIOError as error:
        raise MigrationError("a server works on it that needs it as it is: end that, then run this again") from error
    return copy


def _upgrade(database: Database) -> None:
    """Does it in one transaction, unless another process has done it meanwhile."""
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    with database.engine.begin() as db:
        if database.dialect == "postgresql":
            db.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
        if _checked(db) == head():
            return
        config = Config()
        config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
        config.attributes["connection"] = db
        try:
            command.upgrade(config, "head")
        except CommandError as error:
            raise MigrationError(str(error)) from error


def _checked(db: Connection) -> str | None:
    """The revision of a database that this package can bring up to date."""
    found = _revision(db)
    if found is None:
        tables = set(inspect(db).get_table_names()) & set(metadata.tables)
        if tables:
            raise MigrationError(f"the database has tables without a revision: {', '.join(sorted(tables)[:3])}")
        return None
    known = {script.revision for script in _scripts().walk_revisions()}
    if found not in known:
        raise MigrationError(f"the database has revision {found}, of a later version: upgrade mentionable-host")
    return found


def _revision(db: Connection) -> str | None:
    if not inspect(db).has_table(VERSION):
        return None
    found: str | None = db.execute(text(f"SELECT version_num FROM {VERSION}")).scalar()  # noqa: S608  a constant
    return found


def _newest() -> str:
    """The revision of the newest file, which `head` is where their order is that of their names."""
    names = sorted(place.stem for place in (FOLDER / "versions").glob("v*.py"))
    return names[-1].partition("_")[0].removeprefix("v") if names else ""


def _scripts() -> ScriptDirectory:
    from alembic.script import ScriptDirectory

    return ScriptDirectory(str(FOLDER))


def _copied(database: Database, before: str) -> Path:
    """Copies the file; a copy from an upgrade that was interrupted is made anew."""
    place = Path(str(database.engine.url.database))
    copy = place.with_name(f"{place.name}.{before}")
    copy.unlink(missing_ok=True)
    copy_file(place, copy)
    return copy
