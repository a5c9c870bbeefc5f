"""Conversations as a page or a command shows them: newest first, in pieces of a bounded size."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final, Literal

from attrs import field, fields, frozen
from sqlalchemy import Connection, Select, delete, func, insert, select

from mentionable_host.store.dialects import insert_or
from mentionable_host.store.rows import time_of, value_of
from mentionable_host.store.tables import messages, people, threads

__all__ = ["Counts", "Header", "Line", "Thread", "counts", "lines", "newest", "recount", "search", "touch"]

PAGE: Final = 50
MOST: Final = 200
"""So many are read at once, whatever is asked for."""
PREVIEW: Final = 300
"""So many characters of a text are shown in a list."""
NEEDLE: Final = 200
SEARCHED: Final = 20_000
"""So many messages, the newest ones, are searched."""


@frozen(kw_only=True)
class Header:
    """What is known of a message or an answer without its content.

    Attributes:
        number: Counts all rows, in the order in which they were stored.
        id: The id of the message; of an answer, that of the message that it answers.
        role: Who wrote it.
        transport: How it came, or where it goes.
        person: The other side of the conversation.
        received_at: When it was stored.
    """

    number: int
    id: str
    agent: str
    thread_id: str
    role: Literal["user", "assistant"]
    transport: str
    sender: str
    person: str
    verified: bool
    received_at: datetime


@frozen(kw_only=True)
class Line(Header):
    """A message or an answer, as it is listed; `messages.entry` has all of it.

    Attributes:
        text: The typed text; in lists its beginning.
    """

    text: str = field(repr=False)


@frozen(kw_only=True)
class Thread:
    """A conversation.

    Attributes:
        last: Its newest message.
        messages: How many messages and answers it has.
        began_at: When its first one came.
    """

    last: Line
    messages: int
    began_at: datetime


@frozen(kw_only=True)
class Counts:
    """How much is stored."""

    threads: int
    messages: int
    answers: int
    people: int


def touch(db: Connection, *, agent: str, thread_id: str, number: int, at: float) -> None:
    """Notes that a thread has a new message, in the transaction that stores it."""
    values = {"agent": agent, "thread_id": thread_id, "number": number, "messages": 1, "began_at": at}
    insert_or(db, threads, values, _one_more)


def _one_more(new: Any) -> dict[str, Any]:
    return {"number": new.number, "messages": threads.c.messages + 1}


def recount(db: Connection, which: Iterable[tuple[str, str]]) -> None:
    """Brings threads (agent, id) up to date after messages were removed; one without any is removed too."""
    for agent, thread_id in which:
        is_message = (messages.c.agent == agent) & (messages.c.thread_id == thread_id)
        found = select(func.max(messages.c.number), func.count(), func.min(messages.c.received_at)).where(is_message)
        last, count, began_at = db.execute(found).one()
        db.execute(delete(threads).where(threads.c.agent == agent, threads.c.thread_id == thread_id))
        if count:
            values = {"agent": agent, "thread_id": thread_id, "number": last, "messages": count, "began_at": began_at}
            db.execute(insert(threads).values(**values))


def newest(db: Connection, *, before: int | None = None, limit: int = PAGE, person: str | None = None) -> list[Thread]:
    """Threads, the one with the newest message first.

    Args:
        db: The transaction.
        before: Go on after a thread: the number of its last message.
        limit: So many.
        person: Only those whose newest message is of, or for, this address.
    """
    found = _lines(threads.c.messages.label("count"), threads.c.began_at).join(
        threads, threads.c.number == messages.c.number
    )
    if before is not None:
        found = found.where(threads.c.number < before)
    if person is not None:
        found = found.where(messages.c.person == person)
    rows = db.execute(found.order_by(threads.c.number.desc()).limit(_bounded(limit))).mappings().fetchall()
    return [Thread(last=value_of(Line, row), messages=row["count"], began_at=time_of(row["began_at"])) for row in rows]


def lines(db: Connection, thread_id: str, *, agent: str, before: int | None = None, limit: int = PAGE) -> list[Line]:
    """The newest messages of a thread, oldest first; with `before`, those before that number. Their text is whole."""
    found = _lines(whole=True).where(messages.c.thread_id == thread_id, messages.c.agent == agent)
    if before is not None:
        found = found.where(messages.c.number < before)
    rows = db.execute(found.order_by(messages.c.number.desc()).limit(_bounded(limit))).mappings().fetchall()
    return [value_of(Line, row) for row in rows][::-1]


def search(db: Connection, words: str, *, before: int | None = None, limit: int = PAGE) -> list[Line]:
    """Messages whose text has some words as they stand, in upper or lower case, newest first.

    The newest messages are searched; `before` the number of one, those before it.
    """
    among = select(messages.c.number).order_by(messages.c.number.desc()).limit(SEARCHED)
    if before is not None:
        among = among.where(messages.c.number < before)
    oldest = select(func.min(among.subquery().c.number)).scalar_subquery()
    found = _lines().where(messages.c.number >= oldest, messages.c.text.icontains(words[:NEEDLE], autoescape=True))
    if before is not None:
        found = found.where(messages.c.number < before)
    rows = db.execute(found.order_by(messages.c.number.desc()).limit(_bounded(limit))).mappings().fetchall()
    return [value_of(Line, row) for row in rows]


def counts(db: Connection) -> Counts:
    """How much is stored."""
    rows = db.execute(select(messages.c.role, func.count()).group_by(messages.c.role)).fetchall()
    by_role: dict[str, int] = {row[0]: row[1] for row in rows}
    return Counts(
        threads=int(db.execute(select(func.count()).select_from(threads)).scalar_one()),
        messages=by_role.get("user", 0),
        answers=by_role.get("assistant", 0),
        people=int(db.execute(select(func.count()).select_from(people)).scalar_one()),
    )


_HEADER: Final = tuple(messages.c[one.name] for one in fields(Header))


def _lines(*more: Any, whole: bool = False) -> Select[Any]:
    text = messages.c.text if whole else func.substr(messages.c.text, 1, PREVIEW)
    return select(*_HEADER, text.label("text"), *more)


def _bounded(limit: int) -> int:
    return max(1, min(limit, MOST))
