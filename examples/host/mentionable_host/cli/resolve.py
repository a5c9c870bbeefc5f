"""`resolve`: what the domain of an address says of it, step by step."""

from __future__ import annotations

import argparse
import asyncio
from typing import Any

from mentionable import Failed, Rejected, UsageError, activitypub, discovery
from rich.console import Console

from mentionable_host.cli.hosts import opened
from mentionable_host.cli.words import CommandError, json_out, rows, table
from mentionable_host.config import Config
from mentionable_host.host import Host

__all__ = ["add_arguments", "look_up", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The address."""
    parser.add_argument("address", metavar="ADDRESS", help="@user@domain, or user@domain")
    parser.add_argument("--json", action="store_true", help="as JSON")


async def run(config: Config, arguments: argparse.Namespace, console: Console) -> int:
    """Looks somebody up; 1 when no account is found."""
    async with opened(config) as host:
        found = await look_up(host, arguments.address)
    if arguments.json:
        json_out(console, found)
    else:
        cells = [(name, str(value)) for name, value in found.items() if value is not None]
        rows(console, table("what", "found"), cells)
    return 0 if found.get("actor") or found.get("card") else 1


async def look_up(host: Host, written: str) -> dict[str, Any]:
    """What is found of an address: its actor on the Fediverse, its agent card, and who takes its mail.

    Raises:
        CommandError: It is no address.
    """
    address = address_of(written)
    try:
        actor, agent, servers = await asyncio.gather(
            host.drive(activitypub.find_actor(address)),
            host.drive(discovery.resolve_agent(address)),
            host.world.lookup_mx(address.rpartition("@")[2]),
        )
    except UsageError as error:
        raise CommandError(f"{written} is no address: write @user@domain ({error})") from error
    return {"address": address, **_actor(actor), **_agent(agent), "mail": _mail(servers)}


def address_of(written: str) -> str:
    """`@user@domain`, however it is written."""
    return f"@{written.removeprefix('acct:').removeprefix('mailto:').removeprefix('@')}"


def _actor(found: activitypub.Actor | Rejected) -> dict[str, Any]:
    if isinstance(found, Rejected):
        return {"actor": None, "no actor": _why(found)}
    members = {"name": found.name, "page": found.page, "inbox": found.inbox, "shared inbox": found.shared_inbox}
    return {"actor": found.id, **members}


def _agent(found: discovery.ResolvedAgent | Rejected) -> dict[str, Any]:
    if isinstance(found, Rejected):
        return {"card": None, "no card": _why(found)}
    ways = {f"A2A {way.dialect}": way.url for way in found.endpoints}
    card = {"agent": found.card.name if found.card else None, "mailbox": found.mailbox, "REST": found.rest}
    return {"card": found.card_url, **card, **ways}


def _mail(servers: list[tuple[int, str]] | Failed) -> str:
    if isinstance(servers, Failed):
        return f"not known: {servers.reason}"
    return ", ".join(name for _, name in servers) or "the domain takes none"


def _why(found: Rejected) -> str:
    return f"{found.code}: {'; '.join(str(problem) for problem in found.problems)}".removesuffix(": ")
