"""What the text of the contract alone says: `conformance/v0.1/ingest/message-content.json` and `legacy-examples.json`.

Other files compare metadata and names of shapes that are this project's; here they are left open.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tests.vectors._answer_rows import ANY
from tests.vectors._ingest_message import ASH, OLIVIA, SLACK, message, plain, sender, turn
from tests.vectors._ingest_rows import MI, Case, rows

if TYPE_CHECKING:
    from collections.abc import Iterator

content, legacy = rows("message-content"), rows("legacy-examples")

OLD: Final = "2026-01-01T00:00:00Z"
TYPED: Final = (
    ("plain", "testing from slack", "What was typed is stored, and nothing else."),
    ("in-brackets", "[Slack channel:C1 user:Eve] hi", "Brackets that somebody typed are theirs."),
    ("name-and-colon", "Olivia: hi", "A name that somebody typed is theirs."),
    ("tag", "ask <@U03ASH>", "A tag that somebody typed is theirs."),
)
"""Variant, text, why."""


def typed() -> Iterator[Case]:
    """The content of a message."""
    mailer = sender("@alice@a.example", "Alice", "email")
    messages = [(name, message(OLIVIA, "connector", plain(text), raw=SLACK), text, why) for name, text, why in TYPED]
    before = "What others said before stands beside the content, never in it."
    messages += [
        ("thread", message(OLIVIA, "connector", plain("hi"), raw=SLACK, history=[turn(ASH, "before")]), "hi", before),
        ("mail", message(mailer, "email", plain("hi"), history=[turn(mailer, "before")]), "hi", before),
    ]
    for name, found, text, why in messages:
        value = {"content": text, "metadata": ANY, "address": ANY}
        yield content(name, MI, why, {"message": found, "with_history": True}, value=value)


def rewritten() -> Iterator[Case]:
    """The three shapes that the text shows."""
    for source, prefix in (
        ("slack", "[Slack channel:C06RY3YBSLE user:Olivia (<@U06STGBF4Q0>)] "),
        ("discord", "[Discord channel:123456 user:Olivia] "),
        ("bluebubbles", "[Olivia]: "),
    ):
        text = "testing from imessage" if source == "bluebubbles" else f"testing from {source}"
        yield legacy(
            source,
            MI,
            "Rows from before the contract are shown without what integrations wrote in front.",
            {"content": prefix + text, "source": source, "created_at": OLD},
            value={"text": text, "shape": ANY, "thread_context": ANY, "prefix": ANY},
        )


def behaviours() -> Iterator[tuple[str, str, str, list[Case]]]:
    """The files."""
    yield "message-content", "ingest.message", "The content of a message is what was typed.", list(typed())
    yield "legacy-examples", "ingest.strip_legacy", "The old prefixes that the contract shows.", list(rewritten())
