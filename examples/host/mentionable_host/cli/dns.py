"""`mentionable-host dns`: the DNS records to publish, and whether they are there."""

from __future__ import annotations

import asyncio
from argparse import ArgumentParser, Namespace
from typing import Final

from rich.console import Console
from rich.text import Text

from mentionable_host.checks.records import Checked, check, records, zone_line
from mentionable_host.config import Config
from mentionable_host.keys import Keys
from mentionable_host.world.internet import Internet
from mentionable_host.world.world import World

__all__ = ["add_arguments", "dns", "run"]

_STYLES: Final = {"ok": "green", "missing": "red", "wrong": "red", "unknown": "yellow"}


def add_arguments(parser: ArgumentParser) -> None:
    """Adds the arguments of the command."""
    parser.add_argument("--zone", action="store_true", help="print lines for a zone file, and check nothing")


async def run(config: Config, arguments: Namespace, console: Console) -> int:
    """Runs the command; its exit status."""
    if arguments.zone:
        for record in records(config, Keys.load(config)):
            console.print(Text(zone_line(record)), soft_wrap=True)
        return 0
    async with Internet.of(config) as world:
        return await dns(config, world, console)


async def dns(config: Config, world: World, console: Console) -> int:
    """Prints the records and what DNS has of them; 1: one that is needed is missing or wrong.

    Args:
        config: The configuration.
        world: What is outside.
        console: Where to print.
    """
    expected = records(config, Keys.load(config))
    with console.status("Asking DNS …"):
        found = await asyncio.gather(*(check(record, world) for record in expected))
    for one in found:
        _print(one, console)
    bad = [one for one in found if one.record.is_needed and one.state in ("missing", "wrong")]
    unknown = [one for one in found if one.record.is_needed and one.state == "unknown"]
    if bad:
        console.print(Text(f"{len(bad)} of {len(found)} records are to be published or changed.", "bold red"))
    elif unknown:
        console.print(Text(f"{len(unknown)} of {len(found)} records could not be checked: try again.", "yellow"))
    else:
        console.print(Text("All records that are needed are there.", "bold green"))
    return 1 if bad else 0


def _print(one: Checked, console: Console) -> None:
    """A record: its name and state, its value as it is to be copied, and why."""
    record = one.record
    is_wish = not record.is_needed and one.state != "ok"
    state, style = (f"optional, {one.state}", "yellow") if is_wish else (one.state, _STYLES[one.state])
    head = Text.assemble((f"{record.type:<6}", "bold"), record.name, "  ", (state, style))
    if one.words:
        head.append(f": {one.words}", "dim")
    console.print(head, soft_wrap=True)
    if one.state != "ok":
        for line in record.value.splitlines():
            console.print(Text(f"       {line}", "cyan"), soft_wrap=True)  # in one piece, so that it can be copied
        console.print(Text(f"       {record.why}", "dim"), soft_wrap=True)
