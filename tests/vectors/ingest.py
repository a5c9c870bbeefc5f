"""The cases of the message ingest contract: what is stored of a message, what a model reads, and what rows once were.

Each module `_ingest_*.py` has `behaviours()`: the behaviour, the operation, a note, and the cases.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.vectors import case_file

if TYPE_CHECKING:
    from collections.abc import Iterator


def files() -> Iterator[tuple[Path, str]]:
    """Every case file of the contract."""
    for path in sorted(Path(__file__).parent.glob("_ingest_*.py")):
        module: Any = import_module(f"tests.vectors.{path.stem}")
        for behaviour, op, note, cases in getattr(module, "behaviours", tuple)():
            yield case_file("ingest", behaviour, op, note, [*cases])
