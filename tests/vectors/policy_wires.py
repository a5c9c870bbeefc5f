"""The cases of policies on their wires: `conformance/v0.1/policy/wire-*.json`, `x402-*`, `http-*` and `render-*`.

Each module beside this one whose name begins so has `behaviours()`, as those of answering have. What must come out is
written down there, or made with the JSON and base64 of the standard library.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.vectors import case_file

if TYPE_CHECKING:
    from collections.abc import Iterator

PATTERN = "_policy_wire_*.py"


def files() -> Iterator[tuple[Path, str]]:
    """Every case file of policies on their wires."""
    for path in sorted(Path(__file__).parent.glob(PATTERN)):
        module: Any = import_module(f"tests.vectors.{path.stem}")
        for behaviour, op, cases in getattr(module, "behaviours", tuple)():
            note = f"Written by tests/vectors/{path.name}; change that."
            yield case_file("policy", behaviour, op, note, cases)
