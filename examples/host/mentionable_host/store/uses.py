"""What counts once. A use is stored in the transaction of what it lets in: one that is not stored was not used."""

from __future__ import annotations

from hashlib import sha256
from typing import Final

from attrs import define, field
from mentionable import Used, UseOnce
from sqlalchemy import Connection, bindparam, insert, select

from mentionable_host.store.database import Conflict
from mentionable_host.store.dialects import lock
from mentionable_host.store.statements import run
from mentionable_host.store.tables import native_ids, uses

__all__ = ["Uses", "look_up"]


_LOOK_UP: Final = select(uses.c.binding).where(uses.c.key == bindparam("key"))
_STORE: Final = insert(uses)
_IS_THERE: Final = select(native_ids.c.message_id).where(
    native_ids.c.native_id == bindparam("native_id"), native_ids.c.agent == bindparam("agent")
)


@define
class Uses:
    """The uses of one delivery: looked up while it is worked on, and stored with what comes of it."""

    _asked: list[UseOnce] = field(factory=list, init=False)
    _absent: set[tuple[str, str]] = field(factory=set, init=False)

    def answer(self, db: Connection, ask: UseOnce) -> Used:
        """What is under the key, in the store or from this very delivery."""
        bound = _bound(ask)
        before = next((_bound(one) for one in self._asked if one.key == ask.key), None) or look_up(db, ask.key)
        if before is not None:
            return "same" if before == bound else "other"
        self._asked.append(ask)
        return "first"

    def absent(self, native_id: str, agent: str) -> None:
        """Notes that nothing was stored under an id of a message, when this delivery asked for it."""
        self._absent.add((native_id, agent))

    def store(self, db: Connection) -> None:
        """Stores them.

        Raises:
            Conflict: A delivery that was worked on at the same time was faster: it used what counts once, or stored a
                message under an id that was free before.
        """
        # Who stores a message under one of these ids just now is waited for, or both would store it.
        lock(db, "message", [f"{native_id} {agent}" for native_id, agent in self._absent])
        for native_id, agent in self._absent:
            if run(db, _IS_THERE, {"native_id": native_id, "agent": agent}):
                raise Conflict("another delivery stored a message under this id")
        for ask in self._asked:
            run(db, _STORE, {"key": ask.key, "binding": _bound(ask), "until": ask.until.timestamp()})


def _bound(ask: UseOnce) -> str:
    """What a key is used for, by its hash: it has ids of messages and of people, who may be forgotten before it is."""
    return sha256(ask.binding.encode("utf-8", "surrogatepass")).hexdigest()


def look_up(db: Connection, key: str) -> str | None:
    """The binding that a key was used with."""
    rows = run(db, _LOOK_UP, {"key": key})
    return rows[0][0] if rows else None
