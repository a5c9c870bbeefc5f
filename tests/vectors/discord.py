"""The cases of the Discord connector: `conformance/v0.1/connectors/discord-*.json`.

Each module `_discord_*.py` has `behaviours()`: the behaviour, the operation, a note, and the cases. Requests and
evidence are signed here by `cryptography`; what must come out is written down.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.vectors import case_file

if TYPE_CHECKING:
    from collections.abc import Iterator


def files() -> Iterator[tuple[Path, str]]:
    """Every case file of the Discord connector."""
    for path in sorted(Path(__file__).parent.glob("_discord_*.py")):
        module: Any = import_module(f"tests.vectors.{path.stem}")
        for behaviour, op, note, cases in getattr(module, "behaviours", tuple)():
            yield case_file("connectors", behaviour, op, note, [*cases])
