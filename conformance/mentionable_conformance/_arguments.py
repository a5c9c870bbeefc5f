"""The words of the command line, read."""

from __future__ import annotations

import argparse
import os
import re
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final, NoReturn

from mentionable_conformance._cases import root
from mentionable_conformance._reports import REPORTS
from mentionable_conformance._select import add_arguments, either, written_path
from mentionable_conformance._version import VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

__all__ = ["UNUSABLE", "read"]

UNUSABLE: Final = 2
_TALKING: Final = ("run", "explain")
"""The commands that a harness command may follow."""
_NO_HARNESS: Final = "put the harness command after --: run … -- COMMAND"
_SECONDS: Final = re.compile(r"[0-9]*\.?[0-9]+")


class _Parser(argparse.ArgumentParser):
    """Says in one line what cannot be meant, as the other runner does. Options are written out."""

    def __init__(self, **how: Any) -> None:
        """Parsers of commands are made so, too."""
        super().__init__(allow_abbrev=False, **how)

    def error(self, message: str) -> NoReturn:
        """End the program with status 2."""
        self.exit(UNUSABLE, f"mentionable-conformance: error: {message}\n")


def read(words: Sequence[str], default_harness: Sequence[str] | None) -> tuple[argparse.Namespace, list[str]]:
    """The arguments, and the command after `--`. What cannot be meant so ends the program with status 2."""
    place = words.index("--") if "--" in words else len(words)
    command, parser = list(words[place + 1 :]), _parser()
    if not place or words[0] not in (*_COMMANDS, "-h", "--help", "--version"):
        parser.error(f"a command is needed: {either(tuple(_COMMANDS))}")
    arguments, rest = parser.parse_known_args(words[:place])
    takes_command = arguments.do in _TALKING
    if rest and takes_command and not rest[0].startswith("-"):
        parser.error(f"put the harness command after --: {arguments.do} … -- {' '.join(rest)}")
    if rest or (command and not takes_command):
        parser.error(f"unrecognized arguments: {' '.join(rest or command)}")
    if takes_command and place < len(words) and not (command and command[0]):
        parser.error("no harness command stands after --")
    if arguments.do == "run" and arguments.fix and arguments.expected_failures is None:
        parser.error("--fix needs --expected-failures FILE")
    if arguments.do == "run" and not command:
        command = list(default_harness or _own_harness(parser))
        arguments.path = os.pathsep.join(filter(None, sys.path))  # our own harness imports what we can import
    return arguments, command


def _own_harness(parser: argparse.ArgumentParser) -> Sequence[str]:
    """The command of the harness of the library `mentionable`, where that is installed."""
    library = find_spec("mentionable")
    if library is None or library.origin is None:
        parser.error(f"{_NO_HARNESS} (without one the library mentionable is judged, which is not installed)")
    return (sys.executable, str(root() / "harness" / "python.py"))


def _parser() -> argparse.ArgumentParser:
    """The arguments of all commands."""
    parser = _Parser(prog="mentionable-conformance", description="Judge an implementation of Mentionable.")
    parser.add_argument("--version", action="version", version=VERSION)
    commands = parser.add_subparsers(dest="do", required=True)
    for name, (what, add) in _COMMANDS.items():
        after = "after --: the harness command" if name in _TALKING else None
        add(commands.add_parser(name, help=what, epilog=after))
    return parser


def _run_arguments(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(path=None)
    add_arguments(parser)
    parser.add_argument("--strict", action="store_true", help="a failing SHOULD fails the run too")
    _talking(parser)
    listed = "ids known to fail, each with `# why`"
    parser.add_argument("--expected-failures", type=written_path, metavar="FILE", help=listed)
    parser.add_argument("--fix", action="store_true", help="rewrite the file of expected failures")
    for name in REPORTS:
        parser.add_argument(f"--{name}", type=written_path, metavar="FILE", help=f"write the report as {name}")


def _list_arguments(parser: argparse.ArgumentParser) -> None:
    add_arguments(parser)


def _explain_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help="the id of the case")
    parser.add_argument("--cases", type=written_path, metavar="DIR", help="cases from here instead of the suite's own")
    parser.add_argument("--full", action="store_true", help="show long texts and files as a whole")
    _talking(parser)


def _manifest_arguments(parser: argparse.ArgumentParser) -> None:
    gone = "print which cases of this earlier manifest are gone or changed"
    parser.add_argument("--against", type=written_path, metavar="FILE", help=gone)


def _talking(parser: argparse.ArgumentParser) -> None:
    """How a harness is spoken to."""
    parser.add_argument("--validate", action="store_true", help="check cases and every line against the schemas")
    parser.add_argument("--timeout", type=_seconds, default=10.0, metavar="SECONDS", help="for each case (10)")


def _seconds(text: str) -> float:
    """A positive number of seconds."""
    value = float(text) if _SECONDS.fullmatch(text) else 0.0
    if not 0 < value <= 3600:
        raise argparse.ArgumentTypeError("must be more than 0 and at most 3600")
    return value


_COMMANDS: Final[Mapping[str, tuple[str, Callable[[argparse.ArgumentParser], None]]]] = {
    "run": ("run the cases through a harness", _run_arguments),
    "list": ("print the ids of the cases, with their levels, tiers and operations", _list_arguments),
    "explain": ("say what a case is, and what a harness makes of it", _explain_arguments),
    "manifest": ("print the manifest: every case with a digest of its meaning", _manifest_arguments),
}
