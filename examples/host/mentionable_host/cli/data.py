"""`forget`, `export`, `import`, `blocks` and `migrate`: what is stored, and who is blocked."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from typing import Any, BinaryIO, Final

from rich.console import Console
from sqlalchemy import Connection

from mentionable_host import migrations
from mentionable_host.build import explained, open_database
from mentionable_host.cli.hosts import opened
from mentionable_host.cli.words import rows, say, table
from mentionable_host.config import Config, ConfigError
from mentionable_host.forgetting import forget
from mentionable_host.host import Host
from mentionable_host.store import block_lists, blocks, export, outbox
from mentionable_host.store.database import Database
from mentionable_host.store.erase import Erased
from mentionable_host.world.world import system_now

__all__ = [
    "add_blocks_arguments",
    "add_export_arguments",
    "add_forget_arguments",
    "add_import_arguments",
    "add_migrate_arguments",
    "run",
]

LIST_BYTES: Final = 50_000_000
"""A list of blocks has so many bytes at most."""


def add_forget_arguments(parser: argparse.ArgumentParser) -> None:
    """The person to forget."""
    parser.add_argument("person", metavar="PERSON", help="@name@domain, a mailbox, or the URL of an actor")
    parser.add_argument("--yes", action="store_true", help="erase; without this, only show how much it would be")


def add_export_arguments(parser: argparse.ArgumentParser) -> None:
    """What to export, and where to."""
    parser.add_argument("--person", metavar="PERSON", help="only what is stored of this person, to be given to them")
    parser.add_argument(
        "--to", metavar="FILE", type=Path, help="a new file, for its owner alone (default: standard output)"
    )


def add_import_arguments(parser: argparse.ArgumentParser) -> None:
    """What to import."""
    parser.add_argument("file", metavar="FILE", type=Path, help="what `export` wrote")


def add_blocks_arguments(parser: argparse.ArgumentParser) -> None:
    """What to do with blocks."""
    doing = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    doing.add_parser("list", help="show who is blocked")
    one = doing.add_parser("add", help="block somebody, or a domain with its subdomains")
    one.add_argument("target", metavar="TARGET", help="@name@domain, the URL of an actor, or a domain")
    one.add_argument("--silence", action="store_true", help="answer them seldom, and not never")
    one.add_argument("--note", metavar="WORDS", help="why, for yourself")
    one = doing.add_parser("remove", help="hear somebody again")
    one.add_argument("target", metavar="TARGET", help="as `list` shows it")
    one = doing.add_parser("import", help="add the blocks of a list that Mastodon exports")
    one.add_argument("file", metavar="FILE", type=Path, help="domain_blocks.csv or blocked_accounts.csv")
    one = doing.add_parser("export", help="write a list that Mastodon imports")
    one.add_argument("--people", action="store_true", help="people, and not domains")


def add_migrate_arguments(parser: argparse.ArgumentParser) -> None:
    """Nothing more."""


async def run(config: Config, arguments: argparse.Namespace, console: Console) -> int:
    """Does it; 1 when nothing was there.

    Raises:
        ConfigError: It cannot be done. The message says why.
    """
    name = arguments.entry.name
    if name == "forget":
        return await _forget(config, arguments, console)
    with closing(open_database(config, upgrade=name != "migrate")) as database:
        try:
            match name:
                case "export":
                    return _export(database, arguments, console)
                case "import":
                    return await _import(database, arguments, console)
                case "blocks":
                    return await _BLOCKS[arguments.action](database, arguments, console)
                case _:
                    with explained(config):
                        return _migrate(database, console)
        except (migrations.MigrationError, ValueError) as error:
            raise ConfigError(str(error)) from error


async def _forget(config: Config, arguments: argparse.Namespace, console: Console) -> int:
    async with opened(config) as host:
        try:
            return await _forget_by(host, arguments, console)
        except ValueError as error:
            raise ConfigError(str(error)) from error


async def _forget_by(host: Host, arguments: argparse.Namespace, console: Console) -> int:
    database, who = host.database, arguments.person
    if not arguments.yes:
        with database.engine.connect() as db:  # what is not committed is rolled back
            erased = forget(db, who, host=host)
        _show(console, erased)
        if not erased.is_empty:
            say(console, "Nothing is erased yet: run it again with --yes.")
        return 1 if erased.is_empty else 0
    erased, waiting = await database.write_again(lambda db: _forgotten(db, who, host))
    _show(console, erased)
    if not await database.compact():
        say(console, "Another process uses the database: stop it and run this again, to clean its files too.")
    if erased.is_empty:
        return 1
    say(console, "This is erased.")
    for place in _copies(database):
        say(console, f"{place} is a copy from an upgrade, with their words in it: delete it when you can.")
    if waiting:
        say(console, f"Others are told to delete what they have: {waiting} deliveries wait for the server (`outbox`).")
    if erased.documents:
        say(console, f"Other servers may have {len(erased.documents)} documents of this conversation.")
    return 0


def _forgotten(db: Connection, who: str, host: Host) -> tuple[Erased, int]:
    """What was erased, and how many new jobs tell others."""
    before = outbox.last_number(db)
    return forget(db, who, host=host), outbox.count_after(db, before)


def _export(database: Database, arguments: argparse.Namespace, console: Console) -> int:
    revision, target = migrations.revision(database) or "", arguments.to
    with _new_file(target) if target else nullcontext(sys.stdout.buffer) as file, database.snapshot() as db:
        for line in export.lines(db, revision=revision, now=system_now(), person=arguments.person):
            file.write(line)
        file.flush()
    if target:
        say(console, f"Wrote {target}.")
    return 0


async def _import(database: Database, arguments: argparse.Namespace, console: Console) -> int:
    revision = migrations.revision(database) or ""
    with arguments.file.open("rb") as file:
        counts = await database.write(lambda db: export.load(db, file, revision=revision))
    say(console, f"Read {sum(counts.values()):,} rows: {_counted(counts)}.")
    return 0


def _migrate(database: Database, console: Console) -> int:
    before = migrations.revision(database)
    copy = migrations.upgrade(database)
    if before == migrations.head():
        say(console, f"The database is up to date: revision {before}.")
    else:
        say(console, f"The database has revision {migrations.head()} now.")
    if copy is not None:
        say(console, f"{copy} is a copy of how it was before: delete it when all works.")
    return 0


async def _list(database: Database, arguments: argparse.Namespace, console: Console) -> int:
    every = await database.read(lambda db: list(blocks.every(db)))
    cells = [(one.target, one.severity, one.by, f"{one.since:%Y-%m-%d}", one.note or "") for one in every]
    if cells:
        rows(console, table("target", "severity", "by", "since", "note"), cells)
    return 0


async def _add(database: Database, arguments: argparse.Namespace, console: Console) -> int:
    severity: blocks.Severity = "silence" if arguments.silence else "suspend"
    how: dict[str, Any] = {"now": system_now(), "severity": severity, "note": arguments.note}
    block = await database.write_again(lambda db: blocks.add(db, arguments.target, **how))
    say(console, f"{block.target} is {'silenced' if arguments.silence else 'blocked'}.")
    return 0


async def _remove(database: Database, arguments: argparse.Namespace, console: Console) -> int:
    was_there = await database.write_again(lambda db: blocks.remove(db, arguments.target))
    say(console, f"{arguments.target} is heard again." if was_there else f"{arguments.target} was not blocked.")
    return 0 if was_there else 1


async def _read_list(database: Database, arguments: argparse.Namespace, console: Console) -> int:
    with arguments.file.open("rb") as file:
        data = file.read(LIST_BYTES + 1)
    if len(data) > LIST_BYTES:
        raise ValueError(f"{arguments.file} is too large: {LIST_BYTES:,} bytes at most")
    text, now = data.decode("utf-8", "replace"), system_now()
    result = await database.write_again(lambda db: block_lists.import_csv(db, text, now=now))
    say(console, f"{result.added:,} are blocked or silenced; {result.skipped:,} lines name nobody to block.")
    for number in result.refused[:10]:
        say(console, f"{arguments.file}:{number}: no domain or address")
    return 0 if result.added or not result.refused else 1


async def _write_list(database: Database, arguments: argparse.Namespace, console: Console) -> int:
    found = await database.read(lambda db: list(blocks.every(db, by="operator")))
    print(block_lists.export_csv(found, kind="address" if arguments.people else "domain"), end="", file=console.file)
    return 0


_BLOCKS: Final[dict[str, Callable[[Database, argparse.Namespace, Console], Awaitable[int]]]] = {
    "list": _list,
    "add": _add,
    "remove": _remove,
    "import": _read_list,
    "export": _write_list,
}


@contextmanager
def _new_file(place: Path) -> Iterator[BinaryIO]:
    """A file that was not there, for its owner alone; one that is not finished is removed."""
    try:
        number = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError as error:
        raise ConfigError(f"{place} is there already: name a new file") from error
    try:
        with os.fdopen(number, "wb") as file:
            yield file
    except BaseException:
        place.unlink(missing_ok=True)
        raise


def _copies(database: Database) -> list[Path]:
    """Copies of the file that upgrades made."""
    if database.dialect != "sqlite":
        return []
    place = Path(str(database.engine.url.database))
    return sorted(one for one in place.parent.glob(f"{place.name}.*") if one.suffix[1:].isdigit())


def _show(console: Console, erased: Erased) -> None:
    names = ", ".join((*erased.addresses, *erased.actors))
    found = _counted(erased.rows)
    say(console, f"{names}: {found or 'nothing is stored'}.")


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(f"{count:,} {name.replace('_', ' ')}" for name, count in sorted(counts.items()) if count)
