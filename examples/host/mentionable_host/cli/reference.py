"""Writes docs/cli.md from the parsers: `python -m mentionable_host.cli.reference > docs/cli.md`."""

from __future__ import annotations

import argparse
import sys

from mentionable_host.cli.commands import STATUSES, make_parser

__all__ = ["page"]

HEAD = """\
<!-- Written by `python -m mentionable_host.cli.reference`. -->

# The command line

`mentionable-host COMMAND` runs in the folder of a project, or with `--config FILE`. After `mentionable-host --debug`, a
fault of the program is shown with its place. Colours are for terminals alone. Where output goes into a file or a pipe,
a table has one line a row, with tabs between its columns.
"""


def page() -> str:
    """The page, in Markdown."""
    _, parsers = make_parser()
    statuses = " ".join(STATUSES.split()).removeprefix("exit status: ").split("; ")
    sections = [HEAD, "## Exit status\n", "".join(f"- {_status(one)}\n" for one in statuses)]
    for name, parser in parsers.items():
        parser.fill()
        sections += _section(parser, name, level=2)
    return "\n".join(sections)


def _section(parser: argparse.ArgumentParser, name: str, *, level: int) -> list[str]:
    """A command, and the commands in it."""
    lines = [f"{'#' * level} `{name}`\n", f"{parser.description or ''}\n"]
    rows, below = [], []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            helps = {one.dest: one.help for one in action._choices_actions}
            for word, one in action.choices.items():
                one.description = one.description or _capital(f"{helps.get(word) or ''}.".removeprefix("."))
                below += _section(one, f"{name} {word}", level=level + 1)
        elif action.dest not in ("help", "config"):
            rows.append(f"| {_written(action)} | {_cell(action.help or '')} |")
    if rows:
        lines += ["| argument | what it is |\n| --- | --- |\n" + "\n".join(rows) + "\n"]
    return lines + below


def _written(action: argparse.Action) -> str:
    """An argument as it is written."""
    choices = "{" + ",".join(map(str, action.choices)) + "}" if action.choices else None
    metavar = action.metavar if isinstance(action.metavar, str) else None
    value = metavar or choices or action.dest.upper()
    if not action.option_strings:
        return f"`[{value}]`" if action.nargs in ("?", "*") else f"`{value}`"
    takes = "" if action.nargs == 0 else f" {value}"
    return ", ".join(f"`{one}{takes}`" for one in action.option_strings)


def _status(text: str) -> str:
    number, _, words = text.partition(" ")
    return f"`{number}`: {words}"


def _cell(text: str) -> str:
    return _capital(text).replace("|", "\\|").replace("%%", "%")


def _capital(text: str) -> str:
    return text if "@" in text.partition(" ")[0] else text[:1].upper() + text[1:]


if __name__ == "__main__":
    sys.stdout.write(page())
