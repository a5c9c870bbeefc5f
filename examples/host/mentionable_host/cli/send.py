"""`send`: writes to somebody first, by mail, on the Fediverse, or to another agent over A2A."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import Any, Final, Literal, TypeVar

from mentionable import (
    Answered,
    Channel,
    Failed,
    Flow,
    MentionableError,
    Rejected,
    a2a,
    activitypub,
    discovery,
    plain_text,
)
from rich.console import Console
from sqlalchemy import Connection

from mentionable_host import first_contact
from mentionable_host.cli.hosts import do_now, opened
from mentionable_host.cli.outbox import tell
from mentionable_host.cli.question import question_of
from mentionable_host.cli.resolve import address_of
from mentionable_host.cli.words import CommandError, say
from mentionable_host.config import Config
from mentionable_host.host import Host
from mentionable_host.store import outbox

__all__ = ["add_arguments", "run"]

R = TypeVar("R")
By = Literal["mail", "fediverse", "a2a"]

FEDIVERSE: Final = "activitypub"
MOST: Final = 100_000
"""So many characters are read from standard input."""
FOLLOWERS: Final = "followers"
AT_ONCE: Final = 20
"""So many followers' servers get a note from this process; the others from the server."""
SECONDS: Final = 60
"""So long another agent may take."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The recipient, and the text."""
    parser.add_argument(
        "address",
        metavar="ADDRESS",
        help="user@domain (mail), @user@domain (Fediverse, else A2A), or `followers` (a public note)",
    )
    parser.add_argument("text", metavar="TEXT", help="what to write, in Markdown; - reads standard input")
    parser.add_argument("--by", choices=("mail", "fediverse", "a2a"), help="by what it goes")
    parser.add_argument("--subject", default="", help="of a mail (default: the beginning of the text)")


async def run(config: Config, arguments: argparse.Namespace, console: Console) -> int:
    """Writes to them; 1 when it did not get there, or there is no such account."""
    text = sys.stdin.read(MOST) if arguments.text == "-" else arguments.text
    if not text.strip():
        raise CommandError("there is nothing to send: write a text, or - and give it by standard input")
    async with opened(config) as host:
        if arguments.address == FOLLOWERS:
            return await _publish(host, text, console)
        by: By = arguments.by or ("fediverse" if arguments.address.startswith("@") else "mail")
        if by == "mail":
            return await _mail(host, arguments.address, text, console, subject=arguments.subject)
        if by == "fediverse":
            actor = await _look_up(host, activitypub.find_actor, arguments.address)
            if not isinstance(actor, Rejected):
                return await _write(host, actor, text, console, channel="activitypub")
            if arguments.by:
                raise CommandError(f"nobody is found on the Fediverse as {arguments.address}: {actor.code}")
        return await _call(host, arguments.address, text, console)


async def _publish(host: Host, text: str, console: Console) -> int:
    """Publishes a note on the Fediverse, and delivers it to some followers at once; a server that runs, to all."""
    from mentionable_host.transports.activitypub import ActivityPub, actions

    transport = host.transports.get(FEDIVERSE)
    if not isinstance(transport, ActivityPub):
        raise CommandError("the agent is not on the Fediverse")
    before = await host.database.read(outbox.last_number)
    native_id = await actions.post(transport, text)
    numbers = range(before + 1, await host.database.read(outbox.last_number) + 1)
    for number in numbers[:AT_ONCE]:
        await do_now(host, number)
    left = len(numbers[AT_ONCE:])
    say(console, f"{native_id} is published" + (f"; {left} deliveries are in the outbox" if left else ""))
    return 0


async def _mail(host: Host, address: str, text: str, console: Console, *, subject: str) -> int:
    first_line = text.strip().splitlines()[0]
    return await _write(host, address_of(address), text, console, channel="email", subject=subject or first_line[:78])


async def _write(
    host: Host, person: str | activitypub.Actor, text: str, console: Console, *, channel: Channel, subject: str = ""
) -> int:
    """Stores what goes out, and delivers it at once, unless a server that runs does."""
    if channel not in host.transports:
        raise CommandError(f"{channel} is not configured: mentionable.toml has no such section")
    try:
        first = first_contact.begin(host, person, channel=channel, subject=subject)
        written = await first_contact.write(host, text, to=first)
    except MentionableError as error:
        raise CommandError(f"this cannot be sent: {error}") from error

    def work(db: Connection) -> range:
        before = outbox.last_number(db)
        written.store(db, now=host.world.now())
        return range(before + 1, outbox.last_number(db) + 1)

    numbers = await host.database.write(work)
    for number in numbers:
        await do_now(host, number)
    return max([await tell(host.database.read, number, console) for number in numbers], default=0)


async def _call(host: Host, address: str, text: str, console: Console) -> int:
    """Calls another agent over A2A, and prints its answer."""
    agent = await _look_up(host, discovery.resolve_agent, address)
    if isinstance(agent, Rejected):
        raise CommandError(f"neither a person nor an agent is found as {address}: {agent.code}")
    way = agent.endpoint()
    if way is None:
        raise CommandError(f"{address} has a card, but no way over A2A that may be called from here")
    question = question_of(text, sender=host.address, recipient=agent.address, now=host.world.now())
    request = a2a.call(question, url=way.url, dialect=way.dialect, entropy=host.world.entropy())
    got = await host.world.send(request, seconds=SECONDS)
    if isinstance(got, Failed):
        raise CommandError(f"{way.url} does not answer: {got.reason}")
    answer = a2a.result(got, to=question, request=request)
    if not isinstance(answer, Answered):
        raise CommandError(f"{address} refuses: {answer.code} {'; '.join(map(str, answer.problems))}")
    say(console, plain_text(answer.response))
    return 0 if answer.response.status != "error" else 1


async def _look_up(host: Host, begin: Callable[[str], Flow[Any, R]], address: str) -> R:
    try:
        return await host.drive(begin(address_of(address)))
    except MentionableError as error:
        raise CommandError(f"this is no address: write @user@domain ({error})") from error
