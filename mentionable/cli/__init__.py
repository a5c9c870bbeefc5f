"""The command line: `mentionable demo`, `decode`, `encode`, `trace`, `viewer`, `trust` and `conformance`.

The modules of this folder are the only ones that read files, standard input or the clock. Programs use the library.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

__all__ = ["main"]

UNUSABLE: Final = 2
BROKEN_PIPE: Final = 141
INTERRUPTED: Final = 130


def main(argv: Sequence[str] | None = None) -> int:
    """The exit status of a command line: 0 done, 1 a message was rejected, 2 the command could not run.

    Without a command it prints the help and ends with 0, as `--help` does.

    Args:
        argv: The words after the program's name; by default those of this process.
    """
    if sys.stderr is None:  # closed by whoever started this process
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - open to the end of the process
    if sys.stdout is None:
        print("mentionable: standard output is closed", file=sys.stderr)
        return UNUSABLE
    _write_utf8()
    from .._errors.exceptions import UsageError
    from ._error import CliError
    from ._lines import one_line

    try:
        status = _run(sys.argv[1:] if argv is None else list(argv))
        sys.stdout.flush()
    except (CliError, UsageError) as error:
        print(f"mentionable: {one_line(str(error))}", file=sys.stderr)
        return UNUSABLE
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _forget_stdout()
        return BROKEN_PIPE
    except OSError as error:
        _forget_stdout()
        print(f"mentionable: {error.filename or 'cannot write'}: {error.strerror}", file=sys.stderr)
        return UNUSABLE
    return status


def _run(words: list[str]) -> int:
    """Does what the words say."""
    if words[:1] == ["conformance"]:
        from ._conformance import run

        return run(words[1:])
    from ._arguments import parser

    try:
        arguments = parser().parse_args(words or ["--help"])
    except SystemExit as done:  # --help and --version have printed all there is to say
        return int(done.code or 0)
    status: int = arguments.run(arguments)
    return status


def _write_utf8() -> None:
    """Makes both streams UTF-8 whatever the locale says: JSON is UTF-8."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _forget_stdout() -> None:
    """Points standard output nowhere, so that the interpreter does not try to flush it once more at its end."""
    with contextlib.suppress(OSError, ValueError), Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())
