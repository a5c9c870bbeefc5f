"""What the page of the operator lists: people, blocks, followers, notifications, in pieces of bounded size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final, TypeVar

from attrs import frozen
from mentionable import anp, decode_trusted
from sqlalchemy import Connection, RowMapping, Select, func, or_, select, tuple_

from mentionable_host.store import jobs
from mentionable_host.store.blocks import Block
from mentionable_host.store.follows import Side
from mentionable_host.store.rows import value_of
from mentionable_host.store.tables import (
    blocks,
    notifications,
    people,
    relations,
)
from mentionable_host.store.tables import jobs as job_table

__all__ = [
    "PAGE",
    "Event",
    "Follower",
    "Page",
    "Person",
    "Queue",
    "blocked",
    "events",
    "jobs_of",
    "names",
    "person",
    "persons",
    "queue",
    "related",
]

T = TypeVar("T")

PAGE: Final = 50
"""So many are on a page."""
OF_A_THREAD: Final = 100
NEEDLE: Final = 200
NUMBER: Final = 18
"""So many digits the number of a row has at most."""


@frozen(kw_only=True)
class Page:
    """Some of a list.

    Attributes:
        entries: They.
        after: What to go on after; None: these were the last ones.
    """

    entries: Sequence[Any]
    after: str | None


@frozen(kw_only=True)
class Person:
    """Somebody who wrote.

    Attributes:
        method: What verified them.
        refusal: The code that says why they are not verified.
    """

    address: str
    actor: str | None
    transport: str
    display_name: str | None
    verified: bool
    method: str
    refusal: str | None
    first_seen: datetime
    last_seen: datetime
    messages: int


@frozen(kw_only=True)
class Follower:
    """Who follows the agent or asked to, or is followed by it."""

    actor: str
    address: str
    state: str
    since: datetime


@frozen(kw_only=True)
class Event:
    """A notification, with its number."""

    number: int
    value: anp.Notification


@frozen(kw_only=True)
class Queue:
    """How the queue does.

    Attributes:
        counts: State → how many jobs are in it, without those that are done.
        due: When the job was due that waits the longest, in seconds since 1970; None: none waits.
    """

    counts: Mapping[str, int]
    due: float | None

    def late(self, now: datetime) -> float:
        """For how many seconds a job has been due that no worker does."""
        return 0.0 if self.due is None else max(0.0, now.timestamp() - self.due)


def queue(db: Connection) -> Queue:
    """How the queue does."""
    states = ("waiting", "running", "dead")
    rows = db.execute(
        select(job_table.c.state, func.count()).where(job_table.c.state.in_(states)).group_by(job_table.c.state)
    )
    counts: dict[str, int] = {row[0]: row[1] for row in rows}
    return Queue(counts=dict.fromkeys(states, 0) | counts, due=db.execute(_DUE).scalar())


_DUE: Final = select(func.min(job_table.c.due)).where(job_table.c.state == "waiting")


def persons(db: Connection, *, after: str | None = None, words: str = "") -> Page:
    """People, who wrote last first; with `words` those whose address or name has them."""
    found = select(people)
    if words:
        names = (people.c.address, people.c.display_name)
        found = found.where(or_(*(name.icontains(words[:NEEDLE], autoescape=True) for name in names)))
    seen, _, address = (after or "").partition(" ")
    if _is_number(seen):
        found = found.where(tuple_(people.c.last_seen, people.c.address) < (float(seen), address))
    rows = _some(db, found.order_by(people.c.last_seen.desc(), people.c.address.desc()))
    return _page([value_of(Person, row) for row in rows], lambda one: f"{one.last_seen.timestamp()!r} {one.address}")


def person(db: Connection, address: str) -> Person | None:
    """Somebody by their address."""
    row = db.execute(select(people).where(people.c.address == address)).mappings().first()
    return None if row is None else value_of(Person, row)


def names(db: Connection, addresses: Sequence[str]) -> dict[str, str]:
    """Address → what they call themselves, of those who do."""
    found = select(people.c.address, people.c.display_name).where(people.c.address.in_(addresses))
    return {row.address: row.display_name for row in db.execute(found) if row.display_name}


def related(db: Connection, side: Side, *, agent: str, state: str | None = None, after: str | None = None) -> Page:
    """Followers, or who is followed, by their actor; those who wait alone where `state` says so."""
    table = relations
    here = (table.c.side == side) & (table.c.agent == agent)
    found = select(table).where(here, table.c.actor > (after or ""))
    if state is not None:
        found = found.where(table.c.state == state)
    made = [value_of(Follower, row) for row in _some(db, found.order_by(table.c.actor))]
    return _page(made, lambda one: str(one.actor))


def blocked(db: Connection, *, after: str | None = None, words: str = "") -> Page:
    """Blocks of the operator and of peers, by their target."""
    target, _, by = (after or "").partition(" ")
    found = select(blocks)
    if after is not None:
        found = found.where(tuple_(blocks.c.target, blocks.c.by) > (target, by))
    if words:
        found = found.where(blocks.c.target.icontains(words[:NEEDLE], autoescape=True))
    made = [value_of(Block, row) for row in _some(db, found.order_by(blocks.c.target, blocks.c.by))]
    return _page(made, lambda one: f"{one.target} {one.by}")


def events(db: Connection, *, after: str | None = None) -> Page:
    """Notifications, the newest first."""
    found = select(notifications.c.number, notifications.c.value)
    if after and after.isdecimal() and len(after) <= NUMBER:
        found = found.where(notifications.c.number < int(after))
    rows = _some(db, found.order_by(notifications.c.number.desc()))
    made = [Event(number=row["number"], value=decode_trusted(anp.Notification, row["value"])) for row in rows]
    return _page(made, lambda one: str(one.number))


def jobs_of(db: Connection, thread_id: str) -> list[jobs.StoredJob]:
    """The newest jobs of a conversation, oldest first; those that are done for as long as they are kept."""
    here = job_table.c.thread_id == thread_id
    newest = select(job_table.c.number).where(here).order_by(job_table.c.number.desc()).limit(OF_A_THREAD)
    found = (jobs.get(db, number) for number in db.execute(newest).scalars().all())
    return [one for one in found if one is not None][::-1]


def _some(db: Connection, found: Select[Any]) -> Sequence[RowMapping]:
    """One more row than a page has: it says that there are more."""
    return db.execute(found.limit(PAGE + 1)).mappings().fetchall()


def _page(entries: Sequence[T], cursor: Any) -> Page:
    shown = entries[:PAGE]
    return Page(entries=shown, after=cursor(shown[-1]) if len(entries) > PAGE else None)


def _is_number(text: str) -> bool:
    try:
        return float(text) < float("inf")
    except ValueError:
        return False
