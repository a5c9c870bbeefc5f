"""The streams of people: what their devices receive, in the order in which it was stored, and how far each has read.

A place is assigned while the stream of its person is locked, to the end of the transaction. So who has read a place of
a person has seen all that come before it, also on PostgreSQL, where several transactions count at once.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from attrs import frozen
from mentionable import anp, decode_trusted, dumps
from sqlalchemy import Connection, bindparam, delete, func, insert, select, text, update

from mentionable_host.store.dialects import insert_new, lock
from mentionable_host.store.statements import run
from mentionable_host.store.tables import devices, stream_items

__all__ = [
    "DEVICE_LIFETIME",
    "PAGE",
    "Stored",
    "append",
    "bounds",
    "has",
    "has_device",
    "hold",
    "note_device",
    "page",
    "raise_places",
    "remove_device",
    "topic_of",
]

PAGE: Final = 50
"""So many items are read at once."""
MAX_DEVICES: Final = 20
"""So many devices a person has; the one with the oldest use goes."""
DEVICE_LIFETIME: Final = timedelta(days=30)
"""A device that was not there for so long is not counted on."""


@frozen
class Stored:
    """An item as it is stored: what it says is JSON."""

    place: int
    event: str
    value: bytes

    @property
    def item(self) -> anp.StreamItem:
        """The item for a client."""
        cls = _CLASSES.get(self.event)
        item = (
            anp.HostItem(name=self.event, data=json.loads(self.value))
            if cls is None
            else decode_trusted(cls, self.value)
        )
        return anp.StreamItem(place=self.place, item=item)


_CLASSES: Final[dict[str, type[anp.Presentation | anp.Settled]]] = {
    "presentation": anp.Presentation,
    "settled": anp.Settled,
}


def topic_of(person: str) -> str:
    """The signal that there is something new in the stream of a person."""
    return f"stream {person}"


def hold(db: Connection, people: Iterable[str]) -> None:
    """Locks the streams of people to the end of the transaction: who appends to several does this first."""
    lock(db, "stream", {*people})


def append(db: Connection, person: str, item: anp.Presentation | anp.Settled | anp.HostItem, *, now: datetime) -> int:
    """Appends an item to the stream of a person; its place.

    Tell `topic_of(person)` when the transaction is committed: else its readers look after half a second.

    Args:
        db: The transaction that stores what the item tells of.
        person: The person.
        item: The item.
        now: The time.
    """
    hold(db, (person,))
    one = anp.StreamItem(item=item)
    value = json.dumps(item.data).encode() if isinstance(item, anp.HostItem) else dumps(item)
    row = {"person": person, "event": one.name, "value": value, "at": now.timestamp()}
    return int(db.execute(insert(stream_items).values(**row).returning(stream_items.c.place)).scalar_one())


def page(db: Connection, person: str, *, after: int, limit: int = PAGE) -> list[Stored]:
    """The next items after a place, in order.

    Args:
        db: The transaction.
        person: The person.
        after: The place.
        limit: The maximum.
    """
    rows = run(db, _PAGE, {"person": person, "after": after, "most": limit})
    return [Stored(*row) for row in rows]


_PAGE: Final = (
    select(stream_items.c.place, stream_items.c.event, stream_items.c.value)
    .where(stream_items.c.person == bindparam("person"), stream_items.c.place > bindparam("after"))
    .order_by(stream_items.c.place)
    .limit(bindparam("most"))
)


def bounds(db: Connection, person: str) -> tuple[int, int]:
    """The places of the oldest and the newest item that is stored for a person; 0 and 0 where none is."""
    bounds = select(func.min(stream_items.c.place), func.max(stream_items.c.place))
    oldest, newest = db.execute(bounds.where(stream_items.c.person == person)).one()
    return oldest or 0, newest or 0


def has(db: Connection, person: str, place: int) -> bool:
    """Whether a place is that of an item of a person which is still stored."""
    found = select(stream_items.c.place).where(stream_items.c.person == person, stream_items.c.place == place)
    return db.execute(found).first() is not None


def raise_places(db: Connection, *, now: datetime) -> None:
    """Has the next place be one that was never assigned, also where a backup was restored: places follow the clock.

    Devices have read places that a restored database does not know. They would take new items there for old ones.
    """
    milliseconds = {"now": int(now.timestamp() * 1_000)}
    if db.dialect.name == "postgresql":
        db.execute(_RAISE, milliseconds)
        return
    db.execute(_FIRST)
    db.execute(_RAISE_ON_SQLITE, milliseconds)


_FIRST: Final = text(
    "INSERT INTO sqlite_sequence (name, seq) SELECT 'stream_items', 0"
    " WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'stream_items')"
)
_RAISE_ON_SQLITE: Final = text("UPDATE sqlite_sequence SET seq = max(seq, :now) WHERE name = 'stream_items'")
_RAISE: Final = text(
    "SELECT setval(one.name, greatest(CAST(:now AS bigint), coalesce(pg_sequence_last_value(one.name), 0)))"
    " FROM (SELECT CAST(pg_get_serial_sequence('stream_items', 'place') AS regclass) AS name) AS one"
)


def note_device(db: Connection, person: str, id: str, *, now: datetime, cursor: int | None = None) -> None:
    """Stores that a device is there, and where it goes on. Of too many, those with the oldest use are removed.

    Args:
        db: The transaction.
        person: The person.
        id: The device.
        now: The time.
        cursor: The place after which it goes on; None: what is stored stays.
    """
    hold(db, (person,))
    row = {"person": person, "id": id, "cursor": cursor or 0, "seen_at": now.timestamp()}
    if not insert_new(db, devices, row):
        changed = {"seen_at": now.timestamp()} | ({} if cursor is None else {"cursor": cursor})
        db.execute(update(devices).where(devices.c.person == person, devices.c.id == id).values(**changed))
    newest = select(devices.c.id).where(devices.c.person == person).order_by(devices.c.seen_at.desc(), devices.c.id)
    gone = db.execute(newest.offset(MAX_DEVICES)).scalars().all()
    if gone:
        db.execute(delete(devices).where(devices.c.person == person, devices.c.id.in_(gone)))


def remove_device(db: Connection, person: str, id: str) -> None:
    """Removes a device that nobody is to count on any more."""
    db.execute(delete(devices).where(devices.c.person == person, devices.c.id == id))


def has_device(db: Connection, person: str, *, now: datetime) -> bool:
    """Whether a person has a device that was there lately."""
    since = (now - DEVICE_LIFETIME).timestamp()
    return bool(run(db, _THERE, {"person": person, "since": since}))


_THERE: Final = (
    select(devices.c.id)
    .where(devices.c.person == bindparam("person"), devices.c.seen_at >= bindparam("since"))
    .limit(1)
)
