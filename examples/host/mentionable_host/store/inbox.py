"""The inbox of a person, as their devices read it: what is presented now, and what is settled."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from attrs import frozen
from mentionable import anp, decode_trusted, dumps
from sqlalchemy import Connection, bindparam, select

from mentionable_host.store.notifications import ENDED
from mentionable_host.store.rows import NEWEST, time_of
from mentionable_host.store.statements import run
from mentionable_host.store.tables import notifications

__all__ = ["PastEvent", "history", "snapshot"]

MAX_PRESENTATIONS: Final = 100
"""The maximum of presentations in a snapshot, the newest ones,"""
MAX_SNAPSHOT_BYTES: Final = 800_000
"""and so long they are together: `anp.StreamReader` reads an item of a megabyte."""
OPEN: Final = 1_000
"""So many open events are looked through for it."""
LOOKED: Final = 200
"""So many events are looked through: those that the agent narrated are none of the inbox."""


def snapshot(db: Connection, person: str) -> anp.Snapshot:
    """Everything that is presented to a person now and not acknowledged, the newest of it, oldest first."""
    rows = run(db, _OPEN_VALUES, {"person": person, "most": OPEN + 1})
    candidates = [anp.presentation(decode_trusted(anp.Notification, value)) for (value,) in rows]
    chosen, size = list[anp.Presentation](), 0
    presented = [one for one in candidates if one is not None]
    for one in presented[:MAX_PRESENTATIONS]:
        size += len(dumps(one))
        if size > MAX_SNAPSHOT_BYTES:
            break
        chosen.append(one)
    omitted = len(presented) - len(chosen) + (len(rows) > OPEN)
    return anp.Snapshot(presentations=tuple(reversed(chosen)), omitted=omitted)


_OPEN_VALUES: Final = (
    select(notifications.c.value)
    .where(notifications.c.person == bindparam("person"), notifications.c.status.not_in(ENDED))
    .order_by(notifications.c.number.desc())
    .limit(bindparam("most"))
)


@frozen(kw_only=True)
class PastEvent:
    """An event of the inbox that is settled.

    Attributes:
        number: Its place among all events, in the order in which they came.
        event: The event.
        at: When it was settled.
    """

    number: int
    event: anp.Notification
    at: datetime


def history(db: Connection, person: str, *, before: int | None, limit: int) -> list[PastEvent]:
    """The newest events that were before a person and are settled, newest first.

    Args:
        db: The transaction.
        person: The person.
        before: Only those with a lower number.
        limit: The maximum.
    """
    rows = run(db, _PAST, {"person": person, "before": NEWEST if before is None else before, "most": LOOKED})
    events = [
        PastEvent(number=number, event=event, at=time_of(at))
        for number, at, value in rows
        if _was_shown(event := decode_trusted(anp.Notification, value))
    ]
    return events[:limit]


def _was_shown(event: anp.Notification) -> bool:
    """Whether the system presented it to the person, at once or since the agent did not speak of it."""
    flags = event.routing
    return event.escalation is not None or (flags.handler == "system" and flags.target == "user")


_PAST: Final = (
    select(notifications.c.number, notifications.c.ended_at, notifications.c.value)
    .where(
        notifications.c.person == bindparam("person"),
        notifications.c.number < bindparam("before"),
        notifications.c.status.in_(ENDED),
    )
    .order_by(notifications.c.number.desc())
    .limit(bindparam("most"))
)
