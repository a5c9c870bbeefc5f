"""The cases of step-up itself: demands, receipts, and what completes them. How they look on wires is written beside.

Each module beside this one has `behaviours()`: the folder, the behaviour, the operation, a note, and the cases. Hashes
and canonical JSON are made by code of these modules, never by the library under test.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.vectors import case_file

if TYPE_CHECKING:
    from collections.abc import Iterator

PATTERN = "_policy_core*.py"


def files() -> Iterator[tuple[Path, str]]:
    """Every case file of the core of step-up."""
    for path in sorted(Path(__file__).parent.glob(PATTERN)):
        module: Any = import_module(f"tests.vectors.{path.stem}")
        for area, behaviour, op, note, cases in getattr(module, "behaviours", tuple)():
            yield case_file(area, behaviour, op, note, cases)
