"""What a host has stored of messages, for the threads of tests/differential."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tests.differential.texts import chance

if TYPE_CHECKING:
    from random import Random

    Given = dict[str, Any]

HELPER: Final = "@helper@agents.example"
_THREADS: Final = ("<first@a.example>", "t1", "https://social.example/c/1", "slack:T1:C1:1.2", "tag:x", "a b:c", "é:x")


def stored_message(random: Random) -> Any:
    """A row of a message that was stored, or of one that could not be looked up."""
    if chance(random, 0.1):
        return random.choice((None, {"failed": "down", "temporary": True}))
    who = random.choice((HELPER, "@alice@a.example"))
    row: Given = {"id": "m", "thread_id": random.choice(_THREADS), "sender": who}
    if chance(random, 0.5):
        row["verified"] = chance(random, 0.5)
    return row
