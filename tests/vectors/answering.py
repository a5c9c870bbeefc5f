"""The cases of answering: traces, streams, and replies on each transport, with the way back.

Each module beside this one has `behaviours()`: the folder, the behaviour, the operation, a note, and the cases. What
must come out is written down or computed here, with the JSON and base64 of the standard library.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.vectors import case_file

if TYPE_CHECKING:
    from collections.abc import Iterator

PATTERN = "_answer_*.py"


def files() -> Iterator[tuple[Path, str]]:
    """Every case file of answering."""
    for path in sorted(Path(__file__).parent.glob(PATTERN)):
        module: Any = import_module(f"tests.vectors.{path.stem}")
        for area, behaviour, op, note, cases in getattr(module, "behaviours", tuple)():
            yield case_file(area, behaviour, op, note, cases)
