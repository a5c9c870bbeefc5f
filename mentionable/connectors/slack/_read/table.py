"""A table as Markdown."""

from __future__ import annotations

from collections.abc import Sequence


def markdown_table(rows: Sequence[Sequence[str]]) -> str:
    """Rows of cells as a table; the first row names the columns. Cells are Markdown.

    Only the first row is filled up, so that the table is no larger than its cells.
    """
    if not rows:
        return ""
    first, *rest = rows
    columns = max(map(len, rows))
    lines = [[*first, *[""] * (columns - len(first))], ["---"] * columns, *rest]
    return "\n".join([f"| {' | '.join(map(_cell, line))} |" for line in lines])


def _cell(text: str) -> str:
    """A cell on one line, without what would end it."""
    return " ".join(text.split("\n")).replace("|", "\\|").strip()
