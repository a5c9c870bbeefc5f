"""The cases of ActivityPub that are signed, and those of documents. The modules of `MODULES` have `behaviours()`."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tests.vectors import _ap_build, _ap_documents, _ap_reader, case_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

INBOX = ("types", "authority", "messages")
MODULES = ("cavage", "rfc9421", "proof", "request", "keys", "address", "messages")


def files() -> Iterator[tuple[Path, str]]:
    """Every case file of this room that is signed."""
    for name in MODULES:
        module: Any = import_module(f"tests.vectors._ap_{name}")
        for note, cases in module.behaviours():
            op = "activitypub.receive" if "message" in cases.behaviour else "activitypub.verify"
            yield case_file("activitypub", cases.behaviour, op, note, cases.found)
    for note, cases in _ap_reader.behaviours():
        yield case_file("activitypub", cases.behaviour, _ap_reader.OP, note, cases.found)
    for name in INBOX:
        module = import_module(f"tests.vectors._ap_inbox_{name}")
        for note, cases in module.behaviours():
            yield case_file("activitypub", cases.behaviour, "activitypub.inbox", note, cases.found)
    for behaviour, op, note, rows in _ap_documents.behaviours():
        yield case_file("activitypub", behaviour, f"activitypub.{op}", note, rows)
    for behaviour, note, rows in _ap_build.behaviours():
        yield case_file("activitypub", behaviour, "activitypub.build", note, rows)
