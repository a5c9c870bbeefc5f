"""Plays the demo: three people write twice each, and what they read is shown and checked."""

from __future__ import annotations

import asyncio
import json
import secrets
import shlex
import socket
from collections.abc import Coroutine, Iterable
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import Final

from attrs import asdict, evolve, frozen
from mentionable import NormalizedResponse, mail, plain_text
from rich.console import Console
from rich.text import Text
from sqlalchemy import Connection, select

from mentionable_host.build import build, transports_of
from mentionable_host.cli.demo.events import VISITOR, DemoEvents, leave_some
from mentionable_host.cli.demo.loopback import LOCAL, Loopback
from mentionable_host.cli.demo.people import Alice, Bob, Carol, DemoAnswer, NoAnswer, Person
from mentionable_host.cli.listening import listen, options, serving, stopping, url_of
from mentionable_host.cli.words import CommandError, lines_of, say
from mentionable_host.config import Config
from mentionable_host.host import Host
from mentionable_host.notifications.access import notifications_link
from mentionable_host.operator import login_link
from mentionable_host.sections import OperatorSettings, StoreSettings
from mentionable_host.store import messages
from mentionable_host.store.settings import read_setting, write_setting
from mentionable_host.store.tables import messages as message_table
from mentionable_host.transports.sections import MailSettings

__all__ = ["demo_config", "how_to_ask", "play"]

QUESTIONS: Final = (
    ("Will it rain tomorrow?", "And what did I ask you before?"),
    ("When does the sun rise?", "What was my question before this one?"),
    ("Is it warm in May?", "Do you remember what I have just asked?"),
    ("Which way does the wind blow?", "What did I want to know?"),
)
"""Each start has others: an agent need not answer the same words again and again."""
FILE: Final = "demo.db"
KEY: Final = "demo conversations"
INTERRUPTED: Final = 130
WINDOWS: Final = 2
"""So many links to the page of a person are printed: an event is to be seen in one, and to leave the other."""
RED, GREEN, DIM = "bold red", "green", "dim"


@frozen(kw_only=True)
class _Talk:
    """Where a conversation is: what its next message answers, what was asked last, and how many starts it had."""

    place: str
    asked: str
    starts: int


async def play(config: Config, console: Console, *, once: bool) -> int:
    """Plays it on this machine, and goes on serving; 1 if an answer was wrong and it is not to serve on.

    Args:
        config: Of the project. The demo has a database of its own, and reaches this machine alone.
        console: Where it is shown.
        once: Whether to end after it.
    """
    world, port, token = Loopback(), _free_port(), secrets.token_urlsafe(24)
    config = demo_config(config, mail_port=port, caller=token)
    host = build(config, world=world, transports=[*transports_of(config), DemoEvents])
    leave_some(host.agent)
    world.txt[host.keys.mail.key_id] = mail.dkim_record(host.keys.mail).encode()
    people: list[Alice | Bob | Carol] = [
        Alice(config, world),
        Bob(config, world, port=port),
        Carol(config, world, token=token),
    ]
    try:
        async with AsyncExitStack() as open_here:
            stop = open_here.enter_context(stopping())
            place = open_here.enter_context(_listen(config))
            world.ports[config.agent.domain] = place.getsockname()[1]
            await open_here.enter_async_context(host.running())
            await open_here.enter_async_context(serving(host.app(), place, **options(config)))
            open_here.callback(host.release)
            for one in people:
                await open_here.enter_async_context(one.here())
            say(console, f"{host.address} is at {url_of(place)}, for this machine alone. Nothing leaves it.")
            faults = await _until(stop, _talks(host, people, console))
            if faults is None:
                return INTERRUPTED
            if not once:
                await _say_next(console, host, url_of(place))
                await stop.wait()
    finally:
        host.database.close()
    return 1 if faults and once else 0


async def _until(stop: asyncio.Event, talks: Coroutine[None, None, int]) -> int | None:
    """What the talks bring; None: somebody ended the program meanwhile."""
    talking, stopped = asyncio.create_task(talks), asyncio.create_task(stop.wait())
    try:
        await asyncio.wait({talking, stopped}, return_when=asyncio.FIRST_COMPLETED)
        return talking.result() if talking.done() else None
    finally:
        talking.cancel()
        stopped.cancel()
        await asyncio.gather(talking, stopped, return_exceptions=True)


async def _talks(host: Host, people: Iterable[Person], console: Console) -> int:
    """All talks, one after the other; how many went wrong."""
    faults = [fault for one in people for fault in await _talk(host, one, console)]
    for fault in faults:
        say(console, fault, style=RED)
    return len(faults)


async def _talk(host: Host, person: Person, console: Console) -> list[str]:
    """One person asks twice, and goes on where they were the last time; what was wrong."""
    talk = await host.database.read(lambda db: _stored(db, person.address))
    verb = "writes" if talk is None else "goes on, after a restart,"
    starts = talk.starts if talk else 0
    for question in QUESTIONS[starts % len(QUESTIONS)]:
        say(console, f"\n{person.address} {verb} {person.how}: {question}", style="bold")
        verb = "writes"
        began = host.world.now()
        try:
            answer = await person.ask(question, place=talk.place if talk else None)
        except NoAnswer as error:
            return [f"{person.address}, {person.how}: {error}"]
        _show(console, host.address, answer, seconds=(host.world.now() - began).total_seconds())
        entries = await host.database.read(lambda db: _conversation(db, person.address))
        fault = _fault(entries, before=talk.asked if talk else None)
        if fault is not None:
            return [f"{person.address}, {person.how}: {fault}"]
        talk = _Talk(place=answer.place, asked=question, starts=starts + 1)
        await host.database.write(partial(_store, address=person.address, talk=talk))
    return []


def _show(console: Console, address: str, answer: DemoAnswer, *, seconds: float) -> None:
    """An answer, as the recipient reads it."""
    console.print(Text.assemble(("  ✓ ", GREEN), address, (f"  {answer.proof}, {seconds:.1f} s", DIM)), soft_wrap=True)
    for line in lines_of(answer.text).split("\n"):
        console.print(Text.assemble(("  │ ", DIM), line), soft_wrap=True)


async def _say_next(console: Console, host: Host, url: str) -> None:
    """What there is to do while it serves."""
    say(console, f"\nAsk it yourself: {how_to_ask(host.config, url)}")
    link = _login_link(host)
    if link:
        say(console, f"The page of its operator, with this link once: {link.replace(host.config.origin, url)}")
    links = [(await notifications_link(host, VISITOR)).replace(host.config.origin, url) for _ in range(WINDOWS)]
    say(console, f"The notifications of {VISITOR}, for two browsers or profiles, each link once:")
    for one in links:
        say(console, f"  {one}")
    say(console, f"Ctrl-C ends it. Start it again: it remembers in {FILE}.")


def how_to_ask(config: Config, url: str) -> str:
    """A command that asks the agent, by the caller's token of the project where it has one: so it is remembered."""
    words, own = ["curl"], _own_token(config)
    if own is not None:
        path = own.removeprefix("file:")
        place = path if config.folder.absolute() == Path.cwd() else str(config.folder.absolute() / path)
        words += ["-H", f'"Authorization: Bearer $(cat {shlex.quote(place)})"', "-F", "session=1"]
    return " ".join([*words, "-H", "'Accept: text/markdown'", "-F", "user='Hello'", f"{url}/rest/{config.agent.name}"])


def _own_token(config: Config) -> str | None:
    """How the configuration names the file of a caller's token."""
    files = [one for one in config.a2a.callers if one.startswith("file:")]
    return next((one for one in files if (config.folder / one.removeprefix("file:")).is_file()), None)


def demo_config(config: Config, *, mail_port: int, caller: str) -> Config:
    """The configuration of the demo: a database of its own, this machine, and three people."""
    own = _own_token(config)
    callers = {caller: Carol.address} | ({own: config.a2a.callers[own]} if own is not None else {})
    by_mail = config.mail or MailSettings()
    return evolve(
        config,
        server=evolve(config.server, host=LOCAL, origin=None),
        store=StoreSettings(url=f"sqlite:///{FILE}"),
        mail=evolve(by_mail, smtp=f"{LOCAL}:{mail_port}", lmtp="", relay="direct", unverified=False),
        a2a=evolve(config.a2a, callers=callers, anonymous=True),
        operator=OperatorSettings(token=secrets.token_urlsafe(24)),
        slack=None,
        discord=None,
        bluebubbles=None,
    )


def _listen(config: Config) -> socket.socket:
    """The configured port, or a free one where another program has it."""
    try:
        return listen(LOCAL, config.server.port)
    except CommandError:
        return listen(LOCAL, 0)


def _free_port() -> int:
    with socket.create_server((LOCAL, 0)) as place:
        port: int = place.getsockname()[1]
        return port


def _login_link(host: Host) -> str | None:
    """A link to the operator's page that counts once; None: there is no page."""
    return login_link(host) if "operator" in host.transports else None


def _conversation(db: Connection, address: str) -> list[messages.Entry]:
    """The conversation that a person is in, as the agent remembers it."""
    newest = select(message_table.c.thread_id, message_table.c.agent)
    newest = newest.where(message_table.c.person == address).order_by(message_table.c.number.desc()).limit(1)
    found = db.execute(newest).first()
    return [] if found is None else messages.thread(db, found.thread_id, agent=found.agent)


def _fault(entries: list[messages.Entry], *, before: str | None) -> str | None:
    """What is wrong with a conversation after an answer came.

    Args:
        entries: The conversation.
        before: What was asked before in it.
    """
    answers = [one.value for one in entries if isinstance(one.value, NormalizedResponse)]
    if not answers or answers[-1].status == "error":
        return "the agent failed; what is logged above says where"
    asked = "\n".join(plain_text(one.value) for one in entries if one.role == "user")
    if before is not None and before not in asked:
        return f"the agent does not remember that they asked {before!r}"
    return None


def _stored(db: Connection, address: str) -> _Talk | None:
    value = read_setting(db, f"{KEY} {address}")
    return None if value is None else _Talk(**json.loads(value))


def _store(db: Connection, *, address: str, talk: _Talk) -> None:
    write_setting(db, f"{KEY} {address}", json.dumps(asdict(talk)).encode())
