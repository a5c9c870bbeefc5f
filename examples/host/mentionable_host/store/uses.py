"""What counts once. A use is stored in the transaction of what it lets in: one that is not stored was not used."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from attrs import define, field
from mentionable import Used, UseOnce
from sqlalchemy import Connection, bindparam, delete, insert, select

from mentionable_host.store.tables import uses

__all__ = ["Uses", "forget_expired", "look_up"]


_LOOK_UP: Final = select(uses.c.binding).where(uses.c.key == bindparam("key"))
_STORE: Final = insert(uses)


@define
class Uses:
    """The uses of one delivery: looked up while it is worked on, and stored with what comes of it."""

    _asked: list[UseOnce] = field(factory=list, init=False)

    def answer(self, db: Connection, ask: UseOnce) -> Used:
        """What is under the key, in the store or from this very delivery."""
        before = next((one.binding for one in self._asked if one.key == ask.key), None) or look_up(db, ask.key)
        if before is not None:
            return "same" if before == ask.binding else "other"
        self._asked.append(ask)
        return "first"

    def store(self, db: Connection) -> None:
        """Stores them. A delivery that was worked on at the same time, and was faster, makes this a `Conflict`."""
        for ask in self._asked:
            db.execute(_STORE, {"key": ask.key, "binding": ask.binding, "until": ask.until.timestamp()})


def look_up(db: Connection, key: str) -> str | None:
    """The binding that a key was used with."""
    binding: str | None = db.execute(_LOOK_UP, {"key": key}).scalar()
    return binding


def forget_expired(db: Connection, now: datetime) -> int:
    """Forgets what has expired; how many."""
    return db.execute(delete(uses).where(uses.c.until < now.timestamp())).rowcount
