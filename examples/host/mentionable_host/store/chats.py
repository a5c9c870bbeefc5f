"""The chat of a person with the agent on its page: one for each person, on all devices, which stays."""

from __future__ import annotations

from typing import Final
from uuid import NAMESPACE_URL, uuid5

from sqlalchemy import Connection, bindparam, select

from mentionable_host.store.messages import Entry, entry
from mentionable_host.store.rows import NEWEST
from mentionable_host.store.statements import run
from mentionable_host.store.tables import messages

__all__ = ["chat_thread", "newest", "page"]


def chat_thread(agent: str, person: str) -> str:
    """The thread of the chat of a person: the session of the events in it.

    Args:
        agent: The address of the agent.
        person: The address of the person.
    """
    return str(uuid5(NAMESPACE_URL, f"chat {agent} {person}"))


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


def page(db: Connection, person: str, *, agent: str, before: int | None, limit: int) -> list[Entry]:
    """The newest rows of the chat of a person, newest first.

    Args:
        db: The connection.
        person: Who it is.
        agent: The agent.
        before: Only rows with a lower number.
        limit: How many.
    """
    asked = {
        "person": person,
        "thread_id": chat_thread(agent, person),
        "agent": agent,
        "before": NEWEST if before is None else before,
        "limit": limit,
    }
    entries = (entry(db, number) for (number,) in run(db, _PAGE, asked))
    return [one for one in entries if one is not None]


_PAGE: Final = (
    select(messages.c.number)
    .where(
        messages.c.thread_id == bindparam("thread_id"),
        messages.c.agent == bindparam("agent"),
        messages.c.person == bindparam("person"),
        messages.c.number < bindparam("before"),
    )
    .order_by(messages.c.number.desc())
    .limit(bindparam("limit"))
)
