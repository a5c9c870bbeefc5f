"""Whose sessions, tokens and links count: of nobody who is blocked, or was forgotten since they were signed."""

from __future__ import annotations

from datetime import datetime
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from sqlalchemy import Connection, bindparam, select

from mentionable_host.store import blocks
from mentionable_host.store.dialects import upsert
from mentionable_host.store.statements import run
from mentionable_host.store.tables import people, uses

if TYPE_CHECKING:
    from mentionable_host.sessions import Session

__all__ = ["end_all", "is_admitted"]


def end_all(db: Connection, person: str, *, now: datetime, expires_at: datetime) -> None:
    """Ends all sessions, tokens and links of a person that began before now.

    Args:
        db: The transaction.
        person: The person.
        now: The time.
        expires_at: When none of them counts any more by itself.
    """
    upsert(db, uses, {"key": _ended(person), "binding": str(now.timestamp()), "until": expires_at.timestamp()})


def is_admitted(db: Connection, session: Session) -> bool:
    """Whether the person of a session is neither blocked, nor forgotten since it was signed."""
    actors = run(db, _ACTOR, {"person": session.subject})
    if blocks.is_unheard(db, session.subject, actors[0][0] if actors else None):
        return False
    rows = run(db, _ENDED, {"key": _ended(session.subject)})
    return not rows or float(rows[0][0]) < session.begun.timestamp()


_ENDED: Final = select(uses.c.binding).where(uses.c.key == bindparam("key"))
_ACTOR: Final = select(people.c.actor).where(people.c.address == bindparam("person"))


def _ended(person: str) -> str:
    return f"notifications ended {sha256(person.lower().encode('utf-8', 'replace')).hexdigest()}"
