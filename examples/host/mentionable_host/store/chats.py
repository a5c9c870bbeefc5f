"""The chat of a person with the agent, as rows of messages."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, bindparam, select

from mentionable_host.store.messages import Entry, entry
from mentionable_host.store.statements import run
from mentionable_host.store.tables import messages

__all__ = ["newest", "page"]

NEWEST: Final = 2**53
"""Higher than any number."""


def newest(db: Connection, message_id: str, *, role: str) -> Entry | None:
    """The row of a message (`user`) or of the answer to it (`assistant`)."""
    rows = run(db, _NUMBER, {"id": message_id, "role": role})
    return entry(db, rows[0][0]) if rows else None


_NUMBER: Final = (
    select(messages.c.number)
    .where(messages.c.id == bindparam("id"), messages.c.role == bindparam("role"))
    .order_by(messages.c.number.desc())
    .limit(1)
)


def page(db: Connection, person: str, *, thread_id: str, agent: str, before: int | None, limit: int) -> list[Entry]:
    """The newest rows of the chat of a person, newest first.

    Args:
        db: The connection.
        person: Who it is.
        thread_id: Their chat.
        agent: The agent.
        before: Only rows with a lower number.
        limit: So many at most.
    """
    asked = {"person": person, "thread_id": thread_id, "agent": agent, "before": before or NEWEST, "most": limit}
    found = (entry(db, number) for (number,) in run(db, _PAGE, asked))
    return [one for one in found if one is not None]


_PAGE: Final = (
    select(messages.c.number)
    .where(
        messages.c.thread_id == bindparam("thread_id"),
        messages.c.agent == bindparam("agent"),
        messages.c.person == bindparam("person"),
        messages.c.number < bindparam("before"),
    )
    .order_by(messages.c.number.desc())
    .limit(bindparam("most"))
)
