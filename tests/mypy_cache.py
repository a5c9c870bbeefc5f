"""What mypy found out about the library, kept for its next run: from nothing that takes a quarter of a minute."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.setup_lock import alone

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["mypy_cache"]

HOME: Final = Path(__file__).resolve().parents[1] / ".cache" / "mypy"
"""`.ci/run` keeps it there too."""


@contextmanager
def mypy_cache() -> Iterator[Path]:
    """The folder for `--cache-dir`, for one run at a time: it holds databases."""
    with alone(HOME):
        yield HOME
