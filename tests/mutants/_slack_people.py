"""Mutants of the Slack connector: what was said before."""

from __future__ import annotations

from tests.mutants._answers import mends

AREA, HISTORY = "connectors", ("slack.history",)

# --- history

mends(
    AREA,
    HISTORY,
    "slack-history-unanswered",
    "Knows every thread.",
    lambda given, unit: (
        {
            **given,
            "lookups": {
                row: {"ok": True} if isinstance(found, dict) and "failed" in found else found
                for row, found in given["lookups"].items()
            },
        },
        unit,
    ),
)
