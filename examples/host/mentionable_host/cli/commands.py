"""The commands of the host and their arguments. The module of a command is imported when it is used."""

from __future__ import annotations

import argparse
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NoReturn

from attrs import frozen

from mentionable_host.cli.words import CommandError
from mentionable_host.version import own_version

__all__ = ["COMMANDS", "STATUSES", "Command", "make_parser"]

STATUSES: Final = """\
exit status: 0 done; 1 a check found a fault, an address leads nowhere, a delivery was given up, an answer is wrong;
2 the command could not run: its arguments, the configuration, the database; 130 interrupted; 141 the output was closed
"""


@frozen(kw_only=True)
class Command:
    """A command.

    Attributes:
        name: Its name.
        module: Has `add_arguments(parser)`, or `add_NAME_arguments(parser)` where it has several commands, and
            `run(config, arguments, console)`, async or not; `arguments.entry.name` is the name of the command.
        help: What it does, in some words.
        has_project: Whether it needs a configuration.
    """

    name: str
    module: str
    help: str
    has_project: bool = True


def _commands(module: str, helps: dict[str, str]) -> list[Command]:
    return [Command(name=name, module=f"mentionable_host.cli.{module}", help=text) for name, text in helps.items()]


COMMANDS: Final = (
    Command(name="new", module="mentionable_host.cli.new", help="write a new project", has_project=False),
    *_commands("serve", {"serve": "run the agent: take messages in, answer them, deliver"}),
    *_commands("doctor", {"doctor": "say what keeps others from reaching the agent"}),
    *_commands("dns", {"dns": "print the DNS records to publish, and check them"}),
    *_commands("keys", {"keys": "show, make and rotate the keys"}),
    *_commands("send", {"send": "write to somebody first: by mail, on the Fediverse, or to an agent"}),
    *_commands("resolve", {"resolve": "look an address up: WebFinger, actor, agent card, endpoints"}),
    *_commands("link", {"link": "print a link with which a person sees their notifications in a browser, once"}),
    *_commands("inbox", {"inbox": "show the newest conversations, or one of them"}),
    *_commands("outbox", {"outbox": "show what is still to be done and what was given up; try again, or drop it"}),
    *_commands(
        "data",
        {
            "forget": "erase a person",
            "export": "write what is stored as JSON lines",
            "import": "read such lines into the store",
            "blocks": "list and change who is blocked",
            "migrate": "bring the database to the form of this version",
        },
    ),
)


class _Parser(argparse.ArgumentParser):
    """A parser that reports an error on one line."""

    def error(self, message: str) -> NoReturn:
        raise CommandError(f"{message} (see `{self.prog} --help`)")


class _CommandParser(_Parser):
    """The parser of a command, which gets its arguments when they are needed."""

    def __init__(self, *, command: Command | None = None, **more: Any) -> None:
        super().__init__(**more)
        self._command = command

    def fill(self) -> None:
        """Adds the arguments."""
        command, self._command = self._command, None
        if command is None:
            return
        if command.has_project:
            _add_config(self, default=argparse.SUPPRESS)
        module = import_module(command.module)
        own = getattr(module, f"add_{command.name}_arguments", None)
        (own or module.add_arguments)(self)
        self.set_defaults(entry=command)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """As its parent does, with the arguments of the command."""
        self.fill()
        return super().parse_known_args(args, namespace)


def make_parser() -> tuple[argparse.ArgumentParser, dict[str, Any]]:
    """The parser, and those of the commands by name."""
    form = partial(argparse.RawDescriptionHelpFormatter, max_help_position=32, width=100)
    top = _Parser(
        prog="mentionable-host",
        description="A server for one agent: the Fediverse, e-mail, A2A, HTTP, Slack, Discord and iMessage.",
        epilog=STATUSES,
        formatter_class=form,
        allow_abbrev=False,
    )
    top.add_argument("--version", action="version", version=f"mentionable-host {own_version()}")
    top.add_argument("--debug", action="store_true", help="show where in the program a fault is")
    _add_config(top, default=Path("mentionable.toml"))
    adding = top.add_subparsers(metavar="COMMAND", required=True, parser_class=_CommandParser)
    made = {}
    for one in COMMANDS:
        made[one.name] = adding.add_parser(
            one.name,
            command=one,
            help=one.help,
            description=f"{one.help[0].upper()}{one.help[1:]}.",
            formatter_class=form,
            allow_abbrev=False,
        )
    return top, made


def _add_config(parser: argparse.ArgumentParser, *, default: Any) -> None:
    parser.add_argument(
        "--config", type=Path, metavar="FILE", default=default, help="the configuration (default: mentionable.toml)"
    )
