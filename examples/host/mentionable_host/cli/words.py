"""What is printed: texts of others without what a terminal obeys, times, and JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from mentionable_host.escaping import printable

__all__ = ["CommandError", "cut", "json_out", "lines_of", "one_line", "rows", "say", "table", "when"]

WIDTH: Final = 200
_UNPRINTABLE: Final = {code: f"\\u{code:04x}" for code in range(0x7F, 0xA0)}


class CommandError(Exception):
    """The command cannot do what it was asked. The message says why and what to do instead."""


def lines_of(text: str) -> str:
    """A text with its line breaks; every other character that a terminal may obey is escaped."""
    return "\n".join(map(printable, text.split("\n")))


def one_line(text: str) -> str:
    """A text on one line, with every character escaped that a terminal may obey."""
    return printable(" ".join(text.split()))


def cut(text: str, length: int = WIDTH) -> str:
    """A text on one line, not longer than that."""
    line = one_line(text)
    return line if len(line) <= length else f"{line[: length - 1]}…"


def when(moment: datetime) -> str:
    """A time as the operator's clock shows it."""
    return f"{moment.astimezone():%Y-%m-%d %H:%M:%S}"


def say(console: Console, text: str, *, style: str = "") -> None:
    """Prints a text as it is: nothing of it is markup, and lines are not broken."""
    console.print(Text(lines_of(text), style=style), soft_wrap=True)


def json_out(console: Console, value: Any) -> None:
    """Prints a value as JSON that no terminal obeys."""
    can_show = console.encoding.replace("-", "").startswith("utf")
    text = json.dumps(value, ensure_ascii=not can_show, indent=2).translate(_UNPRINTABLE)
    console.print(Text(text), soft_wrap=True)


def table(*columns: str) -> Table:
    """A table without lines, for a terminal and for a file alike."""
    made = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        made.add_column(column, overflow="fold")
    return made


def rows(console: Console, made: Table, cells: Iterable[tuple[str, ...]]) -> None:
    """Fills a table and prints it. Where no terminal is, one row is one line."""
    if not console.is_terminal:
        for row in cells:
            print("\t".join(map(one_line, row)), file=console.file)  # rich makes spaces of tabs
        return
    for row in cells:
        made.add_row(*(Text(one_line(cell)) for cell in row))
    console.print(made)
