"""The cases of lazy file capabilities: what a connector mints, what it lets in, and what it counts.

Each module `_files_*.py` has `behaviours()`: the behaviour, the operation, a note, and the cases. Tokens are signed by
code of these modules, never by the library under test.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.vectors import case_file

if TYPE_CHECKING:
    from collections.abc import Iterator


def files() -> Iterator[tuple[Path, str]]:
    """Every case file of file capabilities."""
    for path in sorted(Path(__file__).parent.glob("_files_*.py")):
        module: Any = import_module(f"tests.vectors.{path.stem}")
        for behaviour, op, note, cases in getattr(module, "behaviours", tuple)():
            yield case_file("files", behaviour, op, note, cases)
