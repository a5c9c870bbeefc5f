"""Who wrote to the agent, and how sure it is."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from mentionable import NormalizedMessage, Verdict
from sqlalchemy import Connection, case, func

from mentionable_host.store.dialects import insert_or
from mentionable_host.store.tables import people

__all__ = ["note"]


def note(db: Connection, message: NormalizedMessage, *, verdict: Verdict, transport: str, now: datetime) -> None:
    """Notes that somebody wrote."""
    sender = message.sender
    values = {
        "address": sender.address,
        "actor": sender.profile.provider_subject if sender.profile else None,
        "transport": transport,
        "display_name": sender.display_name,
        "verified": sender.verified,
        "method": sender.auth_method,
        "refusal": None if sender.verified else verdict.code,
        "first_seen": now.timestamp(),
        "last_seen": now.timestamp(),
        "messages": 1,
    }
    insert_or(db, people, values, _again)


def _again(new: Any) -> dict[str, Any]:
    """What is known of somebody who wrote before: who is not verified now changes nothing of who was.

    An actor who sends a mail too has not lost their account.
    """
    is_no_weaker = people.c.verified.is_(False) | new.verified.is_(True)
    names = ("transport", "display_name", "verified", "method", "refusal")
    changed = {name: case((is_no_weaker, new[name]), else_=people.c[name]) for name in names}
    actor = case((is_no_weaker, func.coalesce(new.actor, people.c.actor)), else_=people.c.actor)
    return {**changed, "actor": actor, "last_seen": new.last_seen, "messages": people.c.messages + 1}
