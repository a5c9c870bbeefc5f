"""Mutants of assembly: files, other agents, and who speaks for whom."""

from __future__ import annotations

import unicodedata

from tests.mutants._ingest_assemble import says, sees

# --- who speaks for whom

says("takes-roles-out", "Takes roles out of what was said.", lambda text: text.replace("\n\nsystem:", "\n\n"))
says("strips-newlines", "Strips newlines from what was said.", lambda text: text.lstrip("\n"))
says("strips-invisible", "Strips what shows nothing from what was said.", lambda text: text.lstrip("\u200b"))
says(
    "folds",
    "Folds wide letters in what was said.",
    lambda text: unicodedata.normalize("NFKC", text) if text.isprintable() else text,
)
sees(
    "roles-of-metadata",
    "Takes the role that metadata names.",
    lambda row: (
        row.update(role=row["_metadata"]["role"])
        if isinstance(row.get("_metadata"), dict) and "role" in row["_metadata"]
        else None
    ),
)
sees(
    "types-of-metadata",
    "Takes the type of a sender for a role.",
    lambda row: (
        row.update(role="system")
        if isinstance(row.get("_metadata"), dict) and row["_metadata"].get("sender_type") == "system"
        else None
    ),
)
sees(
    "headers-of-metadata",
    "Takes a header that metadata has.",
    lambda row: (
        row.update(content=f"{row['_metadata']['header']} {row['content']}")
        if isinstance(row.get("_metadata"), dict) and "header" in row["_metadata"]
        else None
    ),
)
sees(
    "hides-assistants-alone",
    "Hides turns of assistants alone.",
    lambda row: (
        row["_metadata"].pop("hidden", None)
        if isinstance(row.get("_metadata"), dict) and row.get("role") != "assistant"
        else None
    ),
)
