"""Runs a command line, and says every error in one or two lines that tell what to do."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import inspect
import io
import os
import sys
import traceback
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.text import Text

from mentionable_host.cli.collector import unhindered
from mentionable_host.cli.commands import make_parser
from mentionable_host.cli.words import CommandError, lines_of
from mentionable_host.config import Config, ConfigError

__all__ = ["main"]

UNUSABLE: Final = 2
INTERRUPTED: Final = 130
BROKEN_PIPE: Final = 141


def main(argv: Sequence[str] | None = None) -> int:
    """The exit status of a command line; without a command it prints the help.

    Args:
        argv: The words after the program's name; by default those of this process.
    """
    words = sys.argv[1:] if argv is None else list(argv)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # not every terminal can show what people write
    console, errors = Console(highlight=False), Console(stderr=True, highlight=False)
    try:
        status = _run(words, console)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _forget_stdout()
        return BROKEN_PIPE
    except Exception as error:
        if "--debug" in words:
            traceback.print_exc()
        _report(errors, _words(error))
        return UNUSABLE
    return status


def _run(words: list[str], console: Console) -> int:
    """Does what the words say."""
    parser, _ = make_parser()
    try:
        arguments = parser.parse_args(words or ["--help"])
    except SystemExit as done:  # --help and --version have printed all there is to say
        return int(done.code or 0)
    entry = arguments.entry
    config = Config.load(arguments.config) if entry.has_project else None
    with unhindered():
        module = import_module(entry.module)
    found = module.run(config, arguments, console)
    return int(asyncio.run(found) if inspect.iscoroutine(found) else found)


def _words(error: Exception) -> str:
    """An error, and what to do about it."""
    from sqlalchemy.exc import DBAPIError

    from mentionable_host.store.database import Conflict, StoreUnavailable

    match error:
        case CommandError() | ConfigError():
            return str(error)
        case StoreUnavailable():
            return f"the database cannot be used just now: {error}\nTry again; `store.url` says where it is."
        case DBAPIError():
            first = str(error.orig).strip().partition("\n")[0]
            return f"the database cannot be used: {first}\n`store.url` says where it is."
        case Conflict():
            return "another process changed the same thing at this moment: try again"
        case OSError(errno=errno.EADDRINUSE):
            return f"{error.strerror}\nAnother program listens there, perhaps this host: end it, or name another place."
        case PermissionError(filename=str() as place):
            return f"{place}: {error.strerror}\nRun it as the user who owns that, or give it to the user who runs this."
        case OSError(filename=None):
            return str(error.strerror or error)
        case OSError():
            return f"{error.filename}: {error.strerror}"
        case _:
            fault = f"{type(error).__name__}: {error}"
            return (
                f"this is a fault of mentionable-host: {fault}\nRun it again with --debug, and report what it prints."
            )


def _report(errors: Console, words: str) -> None:
    """Writes an error to standard error: two lines at most, of what others wrote nothing that a terminal obeys."""
    first, *more = lines_of(words.strip()).split("\n")
    errors.print(Text.assemble(("mentionable-host: ", "bold red"), first), soft_wrap=True)
    for line in more[:1]:
        errors.print(Text(line), soft_wrap=True)


def _forget_stdout() -> None:
    """Points standard output nowhere, so that the interpreter does not try to flush it once more at its end."""
    with contextlib.suppress(OSError, ValueError), Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())
