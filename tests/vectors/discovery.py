"""The cases of finding agents: WebFinger, cards and their signatures, directories, and the way from an address on.

Each `_discovery*` module beside this one has `behaviours()`: the behaviour, the operation, a note, and the cases.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.vectors import case_file

if TYPE_CHECKING:
    from collections.abc import Iterator


def files() -> Iterator[tuple[Path, str]]:
    """Every case file of finding agents."""
    for path in sorted(Path(__file__).parent.glob("_discovery*.py")):
        module: Any = import_module(f"tests.vectors.{path.stem}")
        for behaviour, op, note, cases in getattr(module, "behaviours", tuple)():
            yield case_file("discovery", behaviour, f"discovery.{op}", note, cases)
