"""A question of this command line's own, as another agent is asked it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from mentionable import NoRelay, NormalizedMessage, RecipientCapabilities, Sender, TextPart, format_time

__all__ = ["question_of"]


def question_of(text: str, *, sender: str, recipient: str, now: datetime) -> NormalizedMessage:
    """A message that came from nowhere, for `a2a.call` alone."""
    facts: dict[str, Any] = {"thread_id": "command line", "received_via": "connector", "raw": None}
    return NormalizedMessage(
        id=f"question-{now.timestamp()}",
        sender=Sender(address=sender),
        recipient=recipient,
        parts=(TextPart(content=text),),
        recipient_capabilities=RecipientCapabilities(mention_relay=NoRelay()),
        received_at=format_time(now),
        **facts,
    )
