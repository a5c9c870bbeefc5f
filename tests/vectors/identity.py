"""The cases of identity evidence: what is signed, what is believed of whom, and who may do what.

Each module `_identity_*.py` has `behaviours()`: the behaviour, the operation, a note, and the cases. Evidence is signed
by `cryptography` over canonical JSON of these modules, never by the library under test.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.vectors import case_file

if TYPE_CHECKING:
    from collections.abc import Iterator


def files() -> Iterator[tuple[Path, str]]:
    """Every case file of identity evidence."""
    for path in sorted(Path(__file__).parent.glob("_identity_*.py")):
        module: Any = import_module(f"tests.vectors.{path.stem}")
        for behaviour, op, note, cases in getattr(module, "behaviours", tuple)():
            yield case_file("identity", behaviour, op, note, list(cases))
