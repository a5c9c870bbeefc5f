"""`mentionable conformance`: runs the conformance suite, a separate package."""

from __future__ import annotations

from importlib import import_module

from ._error import CliError


def run(words: list[str]) -> int:
    """The exit status of the suite's own command line.

    Raises:
        CliError: The suite is not installed.
    """
    try:
        suite = import_module("mentionable_conformance")
    except ImportError:
        raise CliError(
            "the conformance suite is not installed: pip install ./conformance from a checkout,"
            " or pip install mentionable-conformance"
        ) from None
    try:
        status: int = suite.main(words)
    except SystemExit as done:
        return int(done.code or 0)
    return status
