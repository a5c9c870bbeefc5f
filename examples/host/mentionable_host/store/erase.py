"""Erases a person: everything that they wrote, that was written to them, and that is known of them.

What stays: a block (it keeps them out), and for some weeks a bare hash of the ids of their messages: one that comes
again is not answered again, and an answer that is just being made is not stored. What others wrote stays with them,
also where it quotes the person.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, Final
from urllib.parse import quote

from attrs import field, frozen
from mentionable import anp
from sqlalchemy import Column, ColumnElement, Connection, Table, delete, func, or_, select

from mentionable_host.store import conversations, publications, settlements
from mentionable_host.store.blocks import target_of
from mentionable_host.store.columns import fitting
from mentionable_host.store.forgotten import mark_forgotten
from mentionable_host.store.messages import answer_id
from mentionable_host.store.tables import (
    blobs,
    counts,
    devices,
    documents,
    issuances,
    jobs,
    lanes,
    mail_recipients,
    messages,
    metadata,
    native_ids,
    notifications,
    people,
    push_subscriptions,
    reactions,
    relations,
    stream_frames,
    tasks,
    threads,
    webhooks,
)

__all__ = ["KEPT", "Erased", "Withdrawn", "columns_of", "forget", "names_of"]

KEPT: Final[dict[str, str]] = {
    "blocks": "keeps a person out who was blocked, or who does not want to hear the agent",
    "uses": "holds hashes: what counts once does so until it expires; but settlements name an account, and go",
    "settings": "is about servers, not about people",
}
"""Tables that are left as they are, and why."""

PARTS: Final = {"publication_documents": ("publication", "publications", "native_id")}
"""Tables whose rows are parts of others, and go with them: column, table, its column."""

CALLED: Final = ("a2a", "rest")

STEP: Final = 500
"""So many ids are in one statement."""


@frozen(kw_only=True)
class Withdrawn:
    """A document that was served to the person, or was about them. Others may have fetched it."""

    url: str
    content_type: str
    value: bytes = field(repr=False)
    answer_id: str | None


@frozen(kw_only=True)
class Erased:
    """What was erased, and what is left to do outside of the database.

    Attributes:
        addresses: Under which addresses the person was known.
        actors: Under which URLs.
        rows: Table → how many rows of it are gone.
        documents: What was served: its readers are to learn that it is gone.
        inboxes: Where to tell them.
    """

    addresses: tuple[str, ...]
    actors: tuple[str, ...]
    rows: dict[str, int]
    documents: tuple[Withdrawn, ...] = field(repr=False)
    inboxes: tuple[str, ...]

    @property
    def is_empty(self) -> bool:
        """Whether nothing was known of them."""
        return not any(self.rows.values())


def forget(
    db: Connection, who: str, *, now: datetime, take_back: Callable[[str], object] = lambda address: None
) -> Erased:
    """Erases a person, in the transaction of the caller.

    On SQLite call `Database.compact` afterwards: only then their words are not in the file any more.

    Args:
        db: The transaction.
        who: `@name@domain`, a mailbox, or the URL of an actor.
        now: The time.
        take_back: Called with each of their addresses while all is still there: takes back what went to them.

    Raises:
        ValueError: `who` is none of these; a domain is many people.
    """
    target, kind = target_of(who)
    if kind == "domain":
        raise ValueError(f"{who!r} is a domain: name a person as @name@domain")
    addresses, actors = names_of(db, target, is_actor=kind == "actor")
    # Who is just ending a job of theirs, or showing them something, is waited for: what it stores goes, too.
    db.execute(select(people.c.address).where(_any(people.c.address, addresses)).with_for_update())
    db.execute(select(jobs.c.number).where(_any(jobs.c.person, addresses)).with_for_update())
    is_theirs = _any(messages.c.person, addresses)
    places = [(row.agent, row.thread_id) for row in _rows(db, messages.c.agent, messages.c.thread_id, where=is_theirs)]
    ids = [row.id for row in _rows(db, messages.c.id, where=is_theirs)]
    shared = {row.id for row in _shared(db, ids, addresses)}
    ids = [one for one in ids if one not in shared]
    numbers = db.execute(select(messages.c.number).where(is_theirs)).scalars().all()
    served = _documents(db, addresses, ids)
    inboxes = db.execute(select(relations.c.inbox).where(_is_related(addresses, actors)).distinct()).scalars().all()

    is_id = [*ids, *map(answer_id, ids)]
    native = _chunked(db, select(native_ids.c.native_id), native_ids.c.message_id, is_id)
    native += db.execute(select(native_ids.c.native_id).where(_any(native_ids.c.person, addresses))).scalars().all()
    mark_forgotten(db, [*native, *ids], now=now)

    for address in addresses:
        take_back(address)
    published = [one.native_id for address in addresses for one in publications.of_person(db, address)]
    removed = sum(publications.remove(db, native_id) for native_id in published)
    removed += sum(publications.remove_answers(db, some) for some in _steps(is_id))
    _delete(db, documents, documents.c.person, addresses)  # also what says that others are gone: it names the person
    _delete(db, documents, documents.c.answer_id, is_id)

    alone = _alone(db, places, addresses)
    is_task = or_(_any(tasks.c.owner, addresses), tasks.c.owner.is_(None) & _any(tasks.c.context_id, alone))
    task_ids = list(db.execute(select(tasks.c.id).where(is_task).with_for_update()).scalars().all())
    task_ids += _chunked(db, select(tasks.c.id).where(tasks.c.owner.is_(None)), tasks.c.id, ids)

    for address in addresses:
        settlements.remove(db, address)
    rows = {
        "blobs": _delete(db, blobs, blobs.c.message, numbers),
        "native_ids": _delete(db, native_ids, native_ids.c.message_id, is_id)
        + _delete(db, native_ids, native_ids.c.person, addresses),
        "stream_frames": _delete(db, stream_frames, stream_frames.c.topic, [*ids, *task_ids]),
        "webhooks": _delete(db, webhooks, webhooks.c.task_id, task_ids),
        "tasks": _delete(db, tasks, tasks.c.id, task_ids),
        "issuances": _delete(db, issuances, issuances.c.person, addresses)
        + _delete(db, issuances, issuances.c.message_id, ids),
        "documents": max(len(served), removed),
        "jobs": _delete(db, jobs, jobs.c.person, addresses) + _delete(db, jobs, jobs.c.thread_id, alone),
        "relations": db.execute(delete(relations).where(_is_related(addresses, actors))).rowcount,
        "reactions": _delete(db, reactions, reactions.c.actor, [*actors, *addresses]),
        "notifications": _delete(db, notifications, notifications.c.person, addresses),
        "lanes": _delete(db, lanes, lanes.c.id, _lane_ids(db, addresses)),
        "mail_recipients": _delete(db, mail_recipients, mail_recipients.c.person, addresses)
        + _delete(db, mail_recipients, mail_recipients.c.message_id, ids),
        "counts": _delete(db, counts, counts.c.key, _count_keys(addresses, places)),
        "people": _delete(db, people, people.c.address, addresses),
        "messages": _delete(db, messages, messages.c.number, numbers),
    }
    rows |= _others(db, rows, addresses=addresses, actors=actors, ids=ids, alone=alone)
    before = len(_rows(db, threads.c.thread_id, where=_any(threads.c.thread_id, [one for _, one in places])))
    conversations.recount(db, places)
    after = len(_rows(db, threads.c.thread_id, where=_any(threads.c.thread_id, [one for _, one in places])))
    rows["threads"] = before - after
    return Erased(addresses=tuple(addresses), actors=tuple(actors), rows=rows, documents=served, inboxes=tuple(inboxes))


def _others(
    db: Connection,
    done: Iterable[str],
    *,
    addresses: Sequence[str],
    actors: Sequence[str],
    ids: Sequence[str],
    alone: Sequence[str],
) -> dict[str, int]:
    """Erases a person from all further tables."""
    columns = {**columns_of(addresses, actors), "message_id": ids, "thread_id": alone}
    rows = dict[str, int]()
    for name, table in metadata.tables.items():
        if name in KEPT or name in done or name == "threads":
            continue
        found = [(table.columns[one], values) for one, values in columns.items() if one in table.columns]
        rows[name] = sum(_delete(db, table, column, values) for column, values in found)
    for name, (column, parent, key) in PARTS.items():
        if name in metadata.tables:
            table, whole = metadata.tables[name], metadata.tables[parent]
            rows[name] = db.execute(delete(table).where(table.c[column].not_in(select(whole.c[key])))).rowcount
    return rows


def columns_of(addresses: Sequence[str], actors: Sequence[str]) -> dict[str, Sequence[str]]:
    """Name of a column → what is in it in rows of a person: what a column means is in its name, in every table."""
    return {**dict.fromkeys(("person", "owner", "address", "peer"), addresses), "actor": [*actors, *addresses]}


def names_of(db: Connection, target: str, *, is_actor: bool) -> tuple[list[str], list[str]]:
    """The addresses and actors of a person, from what was seen of them."""
    name = target if is_actor else target.lower()
    is_them = people.c.actor == name if is_actor else func.lower(people.c.address) == name
    is_related = relations.c.actor == name if is_actor else func.lower(relations.c.address) == name
    wrote = db.execute(select(people.c.address, people.c.actor).where(is_them)).fetchall()
    related = db.execute(select(relations.c.address, relations.c.actor).where(is_related)).fetchall()
    addresses = {row.address for row in (*wrote, *related)} | (set() if is_actor else {target})
    if not is_actor:  # who has written nothing may have events and devices, under the name of their link
        for person in (devices.c.person, push_subscriptions.c.person, notifications.c.person):
            addresses |= {*db.execute(select(person).where(func.lower(person) == name).distinct()).scalars()}
    actors = {row.actor for row in (*wrote, *related) if row.actor} | ({target} if is_actor else set())
    return sorted(addresses), sorted(actors)


def _shared(db: Connection, ids: Sequence[str], addresses: Sequence[str]) -> list[Any]:
    """Ids that messages of others have as well: a sender may use any id."""
    found: list[Any] = []
    for some in _steps(ids):
        where = messages.c.id.in_(some) & messages.c.person.not_in(addresses)
        found += db.execute(select(messages.c.id).where(where)).fetchall()
    return found


def _documents(db: Connection, addresses: Sequence[str], ids: Sequence[str]) -> tuple[Withdrawn, ...]:
    columns = select(documents.c.url, documents.c.content_type, documents.c.value, documents.c.answer_id)
    found = list(db.execute(columns.where(_any(documents.c.person, addresses))).fetchall())
    for some in _steps([*ids, *map(answer_id, ids)]):
        found += db.execute(columns.where(documents.c.answer_id.in_(some))).fetchall()
    served = {row.url: Withdrawn(**row._mapping) for row in found}
    return tuple(served.values())


def _alone(db: Connection, places: Iterable[tuple[str, str]], addresses: Sequence[str]) -> list[str]:
    """Threads in which no one else wrote."""
    alone = []
    for agent, thread_id in dict.fromkeys(places):
        others = messages.c.thread_id == thread_id, messages.c.agent == agent, messages.c.person.not_in(addresses)
        if db.execute(select(messages.c.number).where(*others).limit(1)).first() is None:
            alone.append(thread_id)
    return alone


def _count_keys(addresses: Sequence[str], places: Iterable[tuple[str, str]]) -> list[str]:
    """What `admission` counts of them."""
    of_senders = [f"{kind}sender {address}" for address in addresses for kind in ("", "unproven ")]
    names = [(agent, f"{before}{thread}") for agent, thread in places for before in _callers(addresses)]
    threads_of = [f"{kind} {agent} {name}" for agent, name in names for kind in ("thread", "programs")]
    return [fitting(key) for key in (*of_senders, *threads_of)]


def _callers(addresses: Sequence[str]) -> list[str]:
    """The prefix of a thread where callers name it as they like: see `admission.conversation_of`."""
    return ["", *(f"{via} {address} " for via in CALLED for address in addresses)]


def _lane_ids(db: Connection, addresses: Sequence[str]) -> list[str]:
    """The lanes of the notification protocol: one of the person, or one of each session of theirs."""
    found = [anp.lane_id(address) for address in addresses]
    for address in addresses:
        of_sessions = f"session:{quote(address, safe='')}:"
        found += db.execute(select(lanes.c.id).where(lanes.c.id.startswith(of_sessions, autoescape=True))).scalars()
    return found


def _is_related(addresses: Sequence[str], actors: Sequence[str]) -> ColumnElement[bool]:
    return _any(relations.c.address, addresses) | _any(relations.c.actor, actors)


def _rows(db: Connection, *columns: Column[Any], where: ColumnElement[bool]) -> Sequence[Any]:
    return db.execute(select(*columns).where(where).distinct()).fetchall()


def _any(column: Column[Any], values: Sequence[str]) -> ColumnElement[bool]:
    """Whether a column has one of a few values."""
    return column.in_(values)


def _chunked(db: Connection, query: Any, column: Column[Any], values: Sequence[Any]) -> list[str]:
    return [one for some in _steps(values) for one in db.execute(query.where(column.in_(some))).scalars()]


def _delete(db: Connection, table: Table, column: Column[Any], values: Sequence[Any]) -> int:
    return sum(db.execute(delete(table).where(column.in_(some))).rowcount for some in _steps(values))


def _steps(values: Sequence[Any]) -> Iterator[Sequence[Any]]:
    for place in range(0, len(values), STEP):
        yield values[place : place + STEP]
