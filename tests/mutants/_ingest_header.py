"""Mutants of headers and of blocks of context."""

from __future__ import annotations

from tests.mutants._answers import mends, spoils
from tests.mutants._ingest import AREA

HEADER, CONTEXT = ("ingest.header",), ("ingest.context",)


# --- blocks of context


spoils(
    AREA,
    CONTEXT,
    "context-empty-text",
    "Gives an empty text for nothing.",
    lambda value, *_: "" if value is None else None,
)
mends(
    AREA,
    CONTEXT,
    "context-cut",
    "Cuts lines of a block.",
    lambda given, unit: (
        given,
        {**unit, "thread_context": "\n".join(line[:30] for line in unit["thread_context"].split("\n"))}
        if isinstance((unit or {}).get("thread_context"), str)
        else unit,
    ),
)
