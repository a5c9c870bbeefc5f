"""The cases of prompts: a message as the context of a model.

Each module `_prompt_*.py` has `behaviours()`: the behaviour, the operation, a note, and the cases.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.vectors import case_file

if TYPE_CHECKING:
    from collections.abc import Iterator


def files() -> Iterator[tuple[Path, str]]:
    """Every case file of prompts."""
    for path in sorted(Path(__file__).parent.glob("_prompt_*.py")):
        module: Any = import_module(f"tests.vectors.{path.stem}")
        for behaviour, note, cases in getattr(module, "behaviours", tuple)():
            yield case_file("prompt", behaviour, "prompt.render", note, list(cases))
