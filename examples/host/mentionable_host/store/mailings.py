"""What became of the mails of the agent, for each recipient: who has it already, and who cannot be reached."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final, Literal

from attrs import frozen
from sqlalchemy import Connection, select, update

from mentionable_host.store.dialects import insert_new
from mentionable_host.store.rows import value_of
from mentionable_host.store.tables import mail_recipients as table

__all__ = ["Mailing", "State", "due", "failures", "of_mail", "of_thread", "put", "record", "unreachable"]

State = Literal["waiting", "accepted", "delivered", "delayed", "refused", "failed", "bounced", "complained", "withheld"]
"""`waiting` for the next try; `accepted` by a mail server, which may report `delivered`, `delayed`, `failed` (it gave
up, a later mail may arrive), `bounced` (for good) or `complained` (the person calls it abuse); `refused` by a mail
server for good; `withheld` because an earlier mail of the thread bounced."""

FINAL: Final[frozenset[State]] = frozenset(("bounced", "complained"))
"""No more mail of the thread goes to such a recipient."""

REPLY_LENGTH: Final = 500
"""So much of the reply of a mail server is stored."""


@frozen(kw_only=True)
class Mailing:
    """What became of a mail for one recipient."""

    native_id: str
    mailbox: str
    message_id: str
    thread_id: str
    person: str
    state: State
    reply: str | None
    at: datetime


def put(
    db: Connection,
    native_id: str,
    mailboxes: Iterable[str],
    *,
    message_id: str,
    thread_id: str,
    person: str,
    now: datetime,
) -> tuple[str, ...]:
    """Stores a mail that is to be sent; the mailboxes that it may go to, without those that earlier mail bounced at."""
    mailboxes = tuple(mailboxes)
    unwanted = unreachable(db, thread_id, mailboxes)
    for mailbox in mailboxes:
        values = {
            "native_id": native_id,
            "mailbox": mailbox,
            "message_id": message_id,
            "thread_id": thread_id,
            "person": person,
            "state": "withheld" if mailbox in unwanted else "waiting",
            "at": now.timestamp(),
        }
        insert_new(db, table, values)
    return tuple(mailbox for mailbox in mailboxes if mailbox not in unwanted)


def unreachable(db: Connection, thread_id: str, mailboxes: Sequence[str]) -> frozenset[str]:
    """The mailboxes that mail of a thread bounced at, or whose owners complained."""
    where = (table.c.thread_id == thread_id) & table.c.state.in_(sorted(FINAL))
    found = {mailbox.casefold() for mailbox in db.execute(select(table.c.mailbox).where(where).distinct()).scalars()}
    return frozenset(mailbox for mailbox in mailboxes if mailbox.casefold() in found)


def due(db: Connection, native_id: str, mailboxes: Sequence[str]) -> tuple[str, ...]:
    """Those of the mailboxes that do not have the mail, and may get it.

    Where none waits any more they are those that were refused: the operator has the job done again.
    """
    here = (table.c.native_id == native_id) & table.c.mailbox.in_(mailboxes)
    states = {row.mailbox: row.state for row in db.execute(select(table.c.mailbox, table.c.state).where(here))}
    state = "waiting" if "waiting" in states.values() else "refused"
    return tuple(mailbox for mailbox in mailboxes if states.get(mailbox) == state)


def record(db: Connection, native_id: str, mailbox: str, state: State, *, reply: str | None, now: datetime) -> None:
    """Stores what became of a mail for a recipient. What a report says for good stays."""
    here = (table.c.native_id == native_id) & (table.c.mailbox == mailbox) & table.c.state.not_in(sorted(FINAL))
    values = {"state": state, "reply": reply and reply[:REPLY_LENGTH], "at": now.timestamp()}
    db.execute(update(table).where(here).values(**values))


def of_mail(db: Connection, native_id: str) -> list[Mailing]:
    """What became of a mail, recipient by recipient."""
    rows = db.execute(select(table).where(table.c.native_id == native_id).order_by(table.c.mailbox)).mappings()
    return [value_of(Mailing, row) for row in rows]


def failures(db: Connection, *, limit: int = 100) -> list[Mailing]:
    """The recipients that could not be reached, the latest first, for the operator."""
    where = table.c.state.in_(("delayed", "refused", "failed", "bounced", "complained", "withheld"))
    rows = db.execute(select(table).where(where).order_by(table.c.at.desc()).limit(limit)).mappings()
    return [value_of(Mailing, row) for row in rows]


def of_thread(db: Connection, thread_id: str, *, limit: int = 100) -> list[Mailing]:
    """What became of the newest mails of a conversation, for each recipient, oldest first."""
    newest = select(table).where(table.c.thread_id == thread_id).order_by(table.c.at.desc()).limit(limit)
    return [value_of(Mailing, row) for row in db.execute(newest).mappings().fetchall()][::-1]
