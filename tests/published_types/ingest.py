"""The types of the Message Ingest Contract: a row, its metadata, and the rows that a model gets.

The examples of the contract write `None` into members that a message does not have.
"""

from __future__ import annotations

from typing import Final

from ._check import TEXT, TRUTH, nullable, pattern, record, words

METADATA: Final = record(
    "IngestMessageMetadata",
    {
        "source": TEXT,
        "sender_id": pattern(r"[^:]+:(?s:.+)"),
        "sender_display_name": TEXT,
        "sender_type": words("human", "bot"),
    },
    {
        "channel_external_id": nullable(TEXT),
        "mention_token": nullable(TEXT),
        "thread_context": nullable(TEXT),
        "is_from_me": nullable(TRUTH),
        "passive": nullable(TRUTH),
        "trigger_rag": nullable(TRUTH),
        "recipient_id": nullable(TEXT),
    },
)
ROW: Final = record("Message", {"content": TEXT, "metadata": METADATA})
HEADER: Final = pattern(r"\[[^\[\]\n]+\]:")
SUMMARY: Final = pattern(r"\[Thread context — [^\n]*\](\n- [^\n]+)+")
