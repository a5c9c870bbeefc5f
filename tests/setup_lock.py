"""One set-up at a time: whoever comes second waits for the first, and finds everything there."""

from __future__ import annotations

from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@contextmanager
def alone(home: Path) -> Iterator[None]:
    """Keep other processes that set up the same folder waiting. Windows has no such lock: there nobody waits."""
    home.mkdir(parents=True, exist_ok=True)
    with (home / ".lock").open("w") as file:
        if find_spec("fcntl") is not None:
            locks = import_module("fcntl")
            locks.flock(file, locks.LOCK_EX)
        yield
