"""Mutants of what is stored of messages, of prior turns, and of rows from before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tests.mutants._answers import spoils, takes
from tests.mutants._ingest import AREA

if TYPE_CHECKING:
    from collections.abc import Callable

STORED, BACK, SUMMARY, LEGACY = (
    ("ingest.message",),
    ("ingest.turn",),
    ("ingest.thread_summary",),
    ("ingest.strip_legacy",),
)


def gives(ops: tuple[str, ...], name: str, rule: str, change: Callable[[Any], Any]) -> None:
    """Registers a mutant that gives another value: `change(value)` changes it."""

    def spoil(value: Any, *_: Any) -> Any:
        change(value)
        return value

    spoils(AREA, ops, name, rule, spoil)


# --- what was said before, and what the program says

takes(
    AREA,
    STORED,
    "message-hint-types",
    "Takes hints of any type.",
    lambda *_: {},
    "malformed",
    when=lambda unit: "passive" in unit.get("hints", {}),
)
takes(
    AREA,
    STORED,
    "message-any-sender-type",
    "Takes any kind of sender.",
    lambda *_: {},
    "malformed",
    when=lambda unit: "sender_type" in unit,
)

# --- back to a turn

KNOWN: Final = "known if metadata.source in _TRANSPORTS else account"
takes(AREA, BACK, "turn-any-time", "Takes any time.", lambda *_: {}, "malformed")

# --- subjects

gives(STORED, "message-no-subject", "Stores no subject.", lambda value: value["metadata"].pop("subject", None))
