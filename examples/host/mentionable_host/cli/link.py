"""`link`: a link that signs a device of a person in."""

from __future__ import annotations

import argparse

from rich.console import Console

from mentionable_host.cli.hosts import opened
from mentionable_host.cli.words import CommandError, say
from mentionable_host.config import Config
from mentionable_host.notifications.access import notifications_link

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the person that the link is for."""
    parser.add_argument("person", metavar="PERSON", help="@name@domain, or a mailbox")


async def run(config: Config, arguments: argparse.Namespace, console: Console) -> int:
    """Prints the link."""
    async with opened(config) as host:
        try:
            link = await notifications_link(host, arguments.person)
        except ValueError as error:
            raise CommandError(str(error)) from error
    say(console, link)
    return 0
