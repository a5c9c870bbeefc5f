"""What a demo prints, and which of its lines differ from its transcript."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest


def printed(capsys: pytest.CaptureFixture[str]) -> list[str]:
    """The lines of standard output, then those of standard error."""
    out, err = capsys.readouterr()
    return [*out.splitlines(), *err.splitlines()]


def wrong(lines: list[str]) -> list[str]:
    """The lines of standard error about lines that differ."""
    return [line.removeprefix("demo: ") for line in lines if line.startswith("demo: ")]


def name(fault: str) -> str:
    """The label of the line that a fault is about."""
    return fault.removeprefix('line "').partition("  ")[0].partition('":')[0]
