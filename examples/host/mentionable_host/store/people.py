"""Who wrote to the agent, and how sure it is."""

from __future__ import annotations

from datetime import datetime

from mentionable import NormalizedMessage, Verdict
from sqlalchemy import Connection, update

from mentionable_host.store.database import insert_new
from mentionable_host.store.tables import people

__all__ = ["note"]


def note(db: Connection, message: NormalizedMessage, *, verdict: Verdict, transport: str, now: datetime) -> None:
    """Notes that somebody wrote."""
    sender = message.sender
    values = {
        "actor": sender.profile.provider_subject if sender.profile else None,
        "transport": transport,
        "display_name": sender.display_name,
        "verified": sender.verified,
        "method": sender.auth_method,
        "refusal": None if sender.verified else verdict.code,
        "last_seen": now.timestamp(),
    }
    insert_new(db, people, {"address": sender.address, **values, "first_seen": now.timestamp(), "messages": 0})
    is_no_weaker = (people.c.address == sender.address) & (people.c.verified.is_(False) | sender.verified)
    db.execute(update(people).where(is_no_weaker).values(**values))
    counted = update(people).where(people.c.address == sender.address)
    db.execute(counted.values(messages=people.c.messages + 1, last_seen=now.timestamp()))
