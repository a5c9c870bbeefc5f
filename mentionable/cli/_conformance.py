"""`mentionable conformance`: hands over to the conformance suite, which is a package of its own."""

from __future__ import annotations

from importlib import import_module

from ._error import Trouble


def run(words: list[str]) -> int:
    """The exit status of the suite's own command line.

    Raises:
        Trouble: The suite is not installed.
    """
    try:
        suite = import_module("mentionable_conformance")
    except ImportError:
        raise Trouble(
            "the conformance suite is not installed: pip install ./conformance from a checkout,"
            " or pip install mentionable-conformance"
        ) from None
    try:
        status: int = suite.main(words)
    except SystemExit as done:
        return int(done.code or 0)
    return status
