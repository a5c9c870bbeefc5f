"""What clients that stream are shown, in order. Who was away, or another process, reads on where it stopped."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, delete, func, insert, select

from mentionable_host.store.tables import stream_frames

__all__ = ["after", "append", "clear", "last"]

AT_ONCE: Final = 100
"""So many frames are read at a time."""


def append(db: Connection, topic: str, values: Iterable[bytes], *, now: datetime, anew: bool = False) -> int:
    """Adds frames to a topic; the number of the last one. Who adds to a topic holds the lock of what it is about.

    Args:
        db: The transaction.
        topic: The topic.
        values: The frames.
        now: The time.
        anew: Whether they take the place of those that are there. Their numbers go on.
    """
    number = last(db, topic)
    if anew:
        clear(db, topic)
    for value in values:
        number += 1
        db.execute(insert(stream_frames).values(topic=topic, number=number, value=value, at=now.timestamp()))
    return number


def last(db: Connection, topic: str) -> int:
    """The number of the last frame of a topic; 0: there is none."""
    found = db.execute(select(func.max(stream_frames.c.number)).where(stream_frames.c.topic == topic)).scalar()
    return found or 0


def after(db: Connection, topic: str, number: int) -> list[tuple[int, bytes]]:
    """The frames of a topic after a number, with their own numbers; some of them, where there are many."""
    here = (stream_frames.c.topic == topic) & (stream_frames.c.number > number)
    found = select(stream_frames.c.number, stream_frames.c.value).where(here).order_by(stream_frames.c.number)
    return [(row.number, row.value) for row in db.execute(found.limit(AT_ONCE))]


def clear(db: Connection, topic: str) -> None:
    """Removes the frames of a topic."""
    db.execute(delete(stream_frames).where(stream_frames.c.topic == topic))
