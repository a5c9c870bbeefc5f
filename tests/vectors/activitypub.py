"""The cases of ActivityPub that verify. Each module beside this one has `behaviours()`: a note, and cases of one."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tests.vectors import case_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MODULES = ("cavage", "rfc9421", "proof", "request", "keys", "address", "messages")


def files() -> Iterator[tuple[Path, str]]:
    """Every case file of this room that is signed."""
    for name in MODULES:
        module: Any = import_module(f"tests.vectors._ap_{name}")
        for note, cases in module.behaviours():
            op = "activitypub.receive" if "message" in cases.behaviour else "activitypub.verify"
            yield case_file("activitypub", cases.behaviour, op, note, cases.found)
