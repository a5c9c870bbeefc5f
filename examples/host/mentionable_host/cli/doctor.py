"""`mentionable-host doctor`: what keeps others from reaching the agent, and what to do about it."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections import Counter
from itertools import zip_longest
from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from mentionable_host.checks import local, reach
from mentionable_host.checks.finding import Finding, Severity
from mentionable_host.cli.words import say
from mentionable_host.config import Config, ConfigError
from mentionable_host.keys import Keys
from mentionable_host.store.database import Database
from mentionable_host.world.internet import Internet
from mentionable_host.world.world import World

__all__ = ["add_arguments", "doctor", "run"]

SUBJECT_WIDTH: Final = 14

_MARKS: Final[dict[Severity, tuple[str, str]]] = {
    "ok": ("✓", "green"),
    "note": ("·", "cyan"),
    "warning": ("!", "yellow"),
    "error": ("✗", "bold red"),
}
_ORDER: Final[tuple[Severity, ...]] = ("error", "warning", "note", "ok")


def add_arguments(parser: ArgumentParser) -> None:
    """Adds the arguments of the command."""
    parser.add_argument("--local", action="store_true", help="look at this machine alone, and at nothing outside")


async def run(config: Config, arguments: Namespace, console: Console) -> int:
    """Runs the command; its exit status."""
    from mentionable_host.build import open_database

    try:
        database: Database | None = open_database(config)
        trouble: ConfigError | None = None
    except ConfigError as error:
        database, trouble = None, error
    try:
        async with Internet.of(config) as world:
            asked = None if arguments.local else world
            return await doctor(config, asked, console, database=database, trouble=trouble)
    finally:
        if database is not None:
            database.close()


async def doctor(
    config: Config,
    world: World | None,
    console: Console,
    *,
    database: Database | None = None,
    trouble: ConfigError | None = None,
) -> int:
    """Prints what it finds, the worst first; 1: others cannot reach the agent, or it is not safe.

    Args:
        config: The configuration.
        world: What is outside; None: nothing is asked.
        console: Where to print.
        database: The store.
        trouble: Why there is none.
    """
    with console.status("Looking …"):
        found = await _findings(config, world, database, trouble)
    ordered = sorted(found, key=lambda one: _ORDER.index(one.severity))
    for one, following in zip_longest(ordered, ordered[1:]):
        is_repeated = following is not None and following.do == one.do
        _print(one, console, with_do=not is_repeated)
    counts = Counter(one.severity for one in found)
    console.print()
    console.print(_summary(counts, is_local=world is None))
    return 1 if counts["error"] else 0


async def _findings(
    config: Config, world: World | None, database: Database | None, trouble: ConfigError | None
) -> list[Finding]:
    found = [*local.of_config(config), *local.of_files(config)]
    if database is not None:
        found += await local.of_store(database)
    if trouble is not None:
        found.append(Finding(subject="store", severity="error", means=str(trouble), do="Put store.url right."))
    try:
        keys = Keys.load(config)
    except ConfigError as error:
        means = f"the keys cannot be used: {error}"
        found.append(Finding(subject="keys", severity="error", means=means, do="Do that, then run this again."))
        return found
    return found if world is None else found + await reach.from_outside(config, keys, world)


def _print(finding: Finding, console: Console, *, with_do: bool) -> None:
    """A finding; where no terminal is, no line is broken."""
    if console.is_terminal:
        console.print(_row(finding, with_do=with_do))
        return
    mark, _ = _MARKS[finding.severity]
    say(console, f"{mark} {finding.subject:<{SUBJECT_WIDTH}} {finding.means}")
    if finding.do and with_do:
        say(console, f"{'':<{SUBJECT_WIDTH + 2}} {finding.do}")


def _row(finding: Finding, *, with_do: bool) -> Table:
    """A finding: what it is, what it means, and what to do."""
    mark, style = _MARKS[finding.severity]
    table = Table.grid(padding=(0, 1))
    table.add_column(width=1)
    table.add_column(width=SUBJECT_WIDTH)
    table.add_column(overflow="fold")
    table.add_row(Text(mark, style), Text(finding.subject, "bold"), Text(finding.means))
    if finding.do and with_do:
        table.add_row("", "", Text(finding.do, "cyan"))
    return table


def _summary(counts: Counter[Severity], *, is_local: bool) -> Text:
    if counts["error"]:
        return Text(f"To put right: {counts['error']}. To look at: {counts['warning']}.", "bold red")
    well = "Nothing is wrong on this machine." if is_local else "Nothing keeps others from reaching the agent."
    if counts["warning"]:
        return Text(f"{well} To look at: {counts['warning']}.", "yellow")
    return Text(well, "bold green")
