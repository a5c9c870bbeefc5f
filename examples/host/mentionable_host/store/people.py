"""Who wrote to the agent, and how sure it is."""

from __future__ import annotations

from datetime import datetime
from functools import cache
from typing import Any

from mentionable import NormalizedMessage, Verdict
from sqlalchemy import Connection, case

from mentionable_host.store.database import inserting
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
    seen = {"address": sender.address, "first_seen": now.timestamp(), "messages": 1}
    db.execute(_noted(db.dialect.name), {**values, **seen})


@cache
def _noted(dialect: str) -> Any:
    """Inserts a person, or changes what is known of them: what is not verified changes nothing of what was."""
    new = inserting(dialect, people)
    is_no_weaker = people.c.verified.is_(False) | new.excluded["verified"].is_(True)
    names = ("actor", "transport", "display_name", "verified", "method", "refusal")
    known = {name: case((is_no_weaker, new.excluded[name]), else_=people.c[name]) for name in names}
    counted = {"messages": people.c.messages + 1, "last_seen": new.excluded["last_seen"]}
    return new.on_conflict_do_update(index_elements=["address"], set_={**known, **counted})
