"""What people did with what the agent wrote: reactions, which are counted, and reports, which the operator reads."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Final

from attrs import frozen
from mentionable import activitypub
from sqlalchemy import Connection, delete, func, select

from mentionable_host.store.dialects import insert_new, upsert
from mentionable_host.store.rows import value_of
from mentionable_host.store.tables import reactions
from mentionable_host.store.tables import reports as table

__all__ = ["Report", "put", "put_report", "remove", "reports"]

MAX_REACTIONS: Final = 10_000
"""So many reactions to one object are kept."""

REPORTS_OF_ONE: Final = 100
"""So many reports of one actor are kept."""

REPORT_CHARS: Final = 10_000
"""So much of the words of a report is kept."""

MAX_REPORTS: Final = 200
"""So many reports are read at once."""


@frozen(kw_only=True)
class Report:
    """What somebody reports about the agent (Flag). It is for the operator alone.

    Attributes:
        address: Who reports.
        objects: The ids of what it is about.
        content: Their words, which are plain text.
        at: When it came.
    """

    id: str
    actor: str
    address: str
    objects: tuple[str, ...]
    content: str | None
    at: datetime


def put(db: Connection, *, actor: str, kind: str, object_id: str, content: str | None, now: datetime) -> bool:
    """Stores what somebody did with an object, once for each actor and kind; whether it is kept."""
    count = db.execute(select(func.count()).select_from(reactions).where(reactions.c.object == object_id)).scalar_one()
    if count >= MAX_REACTIONS:
        return False
    values = {"object": object_id, "actor": actor, "kind": kind, "content": _storable(content), "at": now.timestamp()}
    upsert(db, reactions, values, keep=["at"])
    return True


def remove(db: Connection, *, actor: str, kind: str, object_id: str) -> None:
    """Takes a reaction back."""
    where = (reactions.c.object == object_id) & (reactions.c.actor == actor) & (reactions.c.kind == kind)
    db.execute(delete(reactions).where(where))


def put_report(db: Connection, report: activitypub.ReceivedActivity, *, now: datetime) -> None:
    """Stores what somebody reports, so many of each actor; one that is there stays as it is."""
    own = select(func.count()).select_from(table).where(table.c.actor == report.actor.id)
    if db.execute(own).scalar_one() >= REPORTS_OF_ONE:
        return
    facts = {"id": report.id, "actor": report.actor.id, "address": report.actor.address}
    objects = json.dumps(report.object_ids).encode()
    values = {
        **facts,
        "content": (_storable(report.content) or "")[:REPORT_CHARS] or None,
        "objects": objects,
        "at": now.timestamp(),
    }
    insert_new(db, table, values)


def reports(db: Connection, *, limit: int = 50) -> list[Report]:
    """The newest reports."""
    found = select(table).order_by(table.c.at.desc(), table.c.id).limit(min(limit, MAX_REPORTS))
    rows = db.execute(found).mappings().fetchall()
    return [value_of(Report, row, objects=tuple(json.loads(row["objects"]))) for row in rows]


def _storable(text: str | None) -> str | None:
    """Text of a peer without what PostgreSQL takes in no text."""
    return None if text is None else text.replace("\0", "")
