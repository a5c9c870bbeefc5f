"""Mutants of what is stored of messages, of prior turns, and of rows from before."""

from __future__ import annotations

import re
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


# --- what was typed


def _spliced(value: Any) -> None:
    for token, name in (value["metadata"].get("mentions") or {}).items():
        value["content"] = value["content"].replace(token, f"@{name}")


def _joined(value: Any) -> None:
    for part in value.get("attachments") or []:
        if part["kind"] == "text":
            value["content"] += f"\n\n{part['content']}"


def _without_form(value: Any) -> None:
    value["metadata"].pop("format", None)


def _without_names(value: Any) -> None:
    value["metadata"].pop("mentions", None)


def _as_markdown(value: Any) -> None:
    value["content"] = value["content"].replace("*hi*", "**hi**")


def _native_lost(value: Any) -> None:
    for part in value["parts"]:
        part.pop("native_text", None)


gives(STORED, "message-names-spliced", "Stores names in place of tokens.", _spliced)
gives(STORED, "message-others-joined", "Stores words of others as typed ones.", _joined)
gives(STORED, "message-without-form", "Forgets how a text is written.", _without_form)
gives(STORED, "message-without-names", "Forgets who is mentioned.", _without_names)
gives(STORED, "message-as-markdown", "Stores Markdown in place of what was typed.", _as_markdown)
gives(BACK, "turn-native-lost", "Forgets what the platform sent.", _native_lost)
spoils(
    AREA,
    SUMMARY,
    "summary-others-joined",
    "Gives words of others to who passed them on.",
    lambda value, *_: re.sub(r"- [^,\n]*, shared by ", "- ", value) if isinstance(value, str) else None,
)
