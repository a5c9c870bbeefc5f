"""A progress bar for long runs, only on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress(total: int | None, *, is_long: bool) -> Iterator[Callable[[int], None]]:
    """Yield a function to call with the number of bytes that were processed.

    A bar is drawn when standard error is a terminal, standard output is not, and `rich` is installed (the extra
    `mentionable[cli]`). Otherwise nothing is drawn.

    Args:
        total: The number of bytes, if known.
        is_long: Whether the run may be long.
    """
    if not is_long or not sys.stderr.isatty() or sys.stdout.isatty():
        yield _ignore
        return
    try:
        from rich.console import Console
        from rich.progress import BarColumn, DownloadColumn, Progress, TimeRemainingColumn
    except ImportError:
        yield _ignore
        return
    console = Console(file=sys.stderr)
    with Progress(
        BarColumn(), DownloadColumn(), TimeRemainingColumn(), console=console, redirect_stdout=False, transient=True
    ) as bar:
        task = bar.add_task("decode", total=total)
        yield lambda size: bar.advance(task, size)


def _ignore(_: int) -> None:
    """No bar: nothing to do."""
