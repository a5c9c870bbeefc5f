"""The cases of notifications: where an event goes, what becomes of it, and what an agent and a human are told.

Each module `_anp_*.py` has `behaviours()`: the behaviour, the operation, a note, and the cases.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.vectors import case_file

if TYPE_CHECKING:
    from collections.abc import Iterator


def files() -> Iterator[tuple[Path, str]]:
    """Every case file of notifications."""
    for path in sorted(Path(__file__).parent.glob("_anp_*.py")):
        module: Any = import_module(f"tests.vectors.{path.stem}")
        for behaviour, op, note, cases in getattr(module, "behaviours", tuple)():
            yield case_file("anp", behaviour, op, note, list(cases))
