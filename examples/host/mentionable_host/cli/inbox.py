"""`inbox`: the newest conversations, or one of them."""

from __future__ import annotations

import argparse
from typing import Any, Final

from rich.console import Console
from rich.text import Text

from mentionable_host.build import open_database
from mentionable_host.cli.words import CommandError, cut, json_out, lines_of, rows, say, table, when
from mentionable_host.config import Config
from mentionable_host.store import conversations, messages
from mentionable_host.store.database import Database

__all__ = ["add_arguments", "run"]

PREVIEW: Final = 60


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which conversations."""
    parser.add_argument("number", nargs="?", type=int, metavar="NUMBER", help="show the conversation of this number")
    parser.add_argument("--person", metavar="ADDRESS", help="only those with this person")
    parser.add_argument("--search", metavar="WORDS", help="messages that have these words")
    parser.add_argument("--before", type=int, metavar="NUMBER", help="go on with what is older than this")
    parser.add_argument("--limit", type=int, default=20, metavar="N", help="so many (default: 20, at most 200)")
    parser.add_argument("--json", action="store_true", help="as JSON")


async def run(config: Config, arguments: argparse.Namespace, console: Console) -> int:
    """Shows them; 1 when there is nothing."""
    database, how = open_database(config), {"before": arguments.before, "limit": arguments.limit}
    try:
        if arguments.number is not None:
            found = await _thread(database, arguments.number, how)
        elif arguments.search:
            found = await database.read(lambda db: conversations.search(db, arguments.search, **how))
        else:
            found = await database.read(lambda db: conversations.newest(db, person=arguments.person, **how))
    finally:
        database.close()
    is_list = arguments.number is None and not arguments.search
    if arguments.json:
        json_out(console, [_facts(one.last) | {"messages": one.messages} if is_list else _facts(one) for one in found])
    elif is_list:
        _list(console, found)
    else:
        _show(console, found)
    return 0 if found else 1


async def _thread(database: Database, number: int, how: dict[str, Any]) -> Any:
    """The rows of the thread that a row is in."""
    row = await database.read(lambda db: messages.entry(db, number))
    if row is None:
        raise CommandError(f"there is no message {number}: `inbox` shows the newest conversations")
    return await database.read(lambda db: conversations.lines(db, row.thread_id, agent=row.agent, **how))


def _list(console: Console, found: Any) -> None:
    """One row a conversation."""
    cells = [
        (
            str(one.last.number),
            when(one.last.received_at),
            one.last.transport,
            _who(one.last),
            str(one.messages),
            f"{'→ ' if one.last.role == 'assistant' else ''}{cut(one.last.text, PREVIEW)}",
        )
        for one in found
    ]
    if cells:
        rows(console, table("number", "last", "by", "person", "messages", "text"), cells)
    else:
        say(console, "Nobody wrote yet. `mentionable-host doctor` says what keeps others from it.")


def _show(console: Console, found: Any) -> None:
    """Whole messages, oldest first."""
    for one in found:
        who = _who(one) if one.role == "user" else one.sender
        head = f"{one.number}  {when(one.received_at)}  {who}  ({one.transport})"
        console.print(Text(lines_of(head), style="bold"), soft_wrap=True)
        say(console, f"{one.text}\n")
    if not found:
        say(console, "There is nothing.")


def _who(line: Any) -> str:
    """The person; a question mark where nothing proves that it is they."""
    return line.person if line.verified else f"{line.person} (?)"


def _facts(line: Any) -> dict[str, Any]:
    names = ("number", "id", "thread_id", "role", "transport", "sender", "person", "verified", "text")
    return {**{name: getattr(line, name) for name in names}, "received_at": line.received_at.isoformat()}
