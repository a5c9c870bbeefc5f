"""The cases of the BlueBubbles connector: `conformance/v0.1/connectors/bluebubbles-*.json`.

Each module `_bluebubbles_*.py` has `behaviours()`: the behaviour, the operation, a note, and the cases. Pseudonyms are
made here with the standard library; what else must come out is written down.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.vectors import case_file

if TYPE_CHECKING:
    from collections.abc import Iterator


def files() -> Iterator[tuple[Path, str]]:
    """Every case file of the BlueBubbles connector."""
    for path in sorted(Path(__file__).parent.glob("_bluebubbles_*.py")):
        module: Any = import_module(f"tests.vectors.{path.stem}")
        for behaviour, op, note, cases in getattr(module, "behaviours", tuple)():
            yield case_file("connectors", behaviour, op, note, [*cases])
