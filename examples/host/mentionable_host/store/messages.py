"""Messages, the answers to them, and the ids that protocols know them by."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from typing import Any, Final

from attrs import frozen
from mentionable import (
    FindHistory,
    HistoricalMessage,
    NormalizedMessage,
    NormalizedResponse,
    Sender,
    StoredMessage,
    TextPart,
    VerifiedIdentity,
    decode_trusted,
    dumps,
    format_time,
    ingest,
    parse_time,
    plain_text,
    replace,
)
from sqlalchemy import Connection, Integer, Select, bindparam, delete, func, insert, literal_column, select, update

from mentionable_host.store import conversations
from mentionable_host.store.dialects import insert_new, insert_returning
from mentionable_host.store.files import files_of, put_files, within_quota
from mentionable_host.store.rows import value_of
from mentionable_host.store.statements import run
from mentionable_host.store.tables import blobs, messages, native_ids

__all__ = [
    "Entry",
    "answer_to",
    "edit",
    "entry",
    "files_of",
    "find",
    "find_all",
    "has_others",
    "history",
    "ids_of",
    "is_there",
    "known_ids",
    "latest",
    "put",
    "put_answer",
    "put_native_ids",
    "thread",
    "wrote_over",
]

HISTORY = 200
"""So many turns of a thread are read at most; `Settings.history` says how many of them an agent sees."""

SPARE: Final = 8
"""So many more rows than turns are of use are read at first, as some came after the message."""

HISTORY_BYTES: Final = 8_000_000
"""So many bytes of them: whoever writes much in a thread fills no memory with it. The newest turn is always read."""


# Statements that every message needs are built once: to build one takes longer than to run it.
_FIND: Final = select(native_ids.c.row).where(
    native_ids.c.native_id == bindparam("native_id"), native_ids.c.agent == bindparam("agent")
)
_FIND_ALL: Final = select(native_ids.c.agent, native_ids.c.row).where(native_ids.c.native_id == bindparam("native_id"))
_ANSWER: Final = insert(messages).returning(messages.c.number)
_ANSWER_TO: Final = select(messages.c.value).where(messages.c.id == bindparam("id"), messages.c.role == "assistant")
_KNOWN: Final = select(messages.c.id).where(
    messages.c.id.in_(bindparam("ids", expanding=True)), messages.c.person == bindparam("person")
)
_SIZES: Final = (
    select(messages.c.number, func.length(messages.c.value).label("size"))
    .where(messages.c.thread_id == bindparam("thread_id"), messages.c.agent == bindparam("agent"))
    .order_by(messages.c.number.desc())
    .limit(bindparam("limit", type_=Integer))
)
_SIZES_OF: Final = _SIZES.where(messages.c.person == bindparam("person"))
_PERSONS: Final = (
    select(messages.c.person)
    .where(messages.c.thread_id == bindparam("thread_id"), messages.c.agent == bindparam("agent"))
    .order_by(messages.c.number.desc())
    .limit(literal_column(str(HISTORY), Integer))
)
_ROWS: Final = (
    select(messages).where(messages.c.number.in_(bindparam("numbers", expanding=True))).order_by(messages.c.number)
)


@frozen(kw_only=True)
class Entry(conversations.Header):
    """A row of a conversation.

    Attributes:
        value: The message, or the answer.
        row: The row of the message ingest contract.
        identities: Who sent it, as it was verified when it came.
    """

    value: NormalizedMessage | NormalizedResponse
    row: bytes
    identities: tuple[VerifiedIdentity, ...] = ()


def put(
    db: Connection,
    message: NormalizedMessage,
    *,
    transport: str,
    files: Mapping[str, bytes],
    quota: int | None = None,
    typed: ingest.IngestMessage | None = None,
    identities: Sequence[VerifiedIdentity] = (),
) -> int | None:
    """Stores a message that came; its number, or None where this content of it is there.

    Args:
        db: The transaction.
        message: The message.
        transport: The name of the transport that it came by.
        files: Digest → bytes, as in `Received.blobs`.
        quota: Bytes of files that are kept of its sender; the stored message names those that are not.
        typed: `ingest.from_message(message)`, from callers that have it.
        identities: Who sent it, as in `Received.identities`.
    """
    typed, digest = typed or ingest.from_message(message), digest_of(message)
    message, kept = within_quota(db, message, files, quota=quota)
    values = {
        "id": message.id,
        "agent": message.recipient,
        "thread_id": message.thread_id,
        "role": "user",
        "sender": message.sender.address,
        "person": message.sender.address,
        "verified": message.sender.verified,
        "transport": transport,
        "received_at": parse_time(message.received_at).timestamp(),
        "digest": digest,
        "value": dumps(message),
        "row": dumps(typed.row()),
        "text": typed.content,
        "identities": dumps(tuple(identities)) if identities else None,
    }
    number: int | None = insert_returning(db, messages, values, messages.c.number)
    if number is None:
        if message.sender.verified:
            _prove(db, values)
        return None
    put_files(db, kept, number=number)
    _touch(db, values, number)
    return number


def known_ids(db: Connection, message_ids: Iterable[str], *, person: str) -> set[str]:
    """Those of some ids under which there are messages of a conversation with a person."""
    return {one for (one,) in run(db, _KNOWN, {"ids": [*message_ids], "person": person})}


def edit(
    db: Connection, message: NormalizedMessage, *, files: Mapping[str, bytes] | None = None, quota: int | None = None
) -> None:
    """Stores a message as its sender changed it, in the place of all that it was; one that is not there stays so.

    Files that it no longer names are removed.

    Args:
        db: The transaction.
        message: The message as it reads now.
        files: Digest → bytes of new files, as in `Received.blobs`.
        quota: Bytes of files that are kept of its sender; the stored message names those that are not.
    """
    here = (messages.c.id == message.id) & (messages.c.role == "user") & (messages.c.agent == message.recipient)
    number = db.execute(select(func.min(messages.c.number)).where(here)).scalar()
    if number is None:
        return
    # The first row stays: the job that answers the message names it.
    if db.execute(delete(messages).where(here, messages.c.number != number)).rowcount:
        conversations.recount(db, [(message.recipient, message.thread_id)])
    typed, value = ingest.from_message(message), dumps(message)
    before = set(db.execute(select(blobs.c.digest).where(blobs.c.message == number)).scalars())
    unnamed = [digest for digest in before if digest.encode() not in value]
    db.execute(delete(blobs).where(blobs.c.message == number, blobs.c.digest.in_(unnamed)))
    new = {digest: data for digest, data in (files or {}).items() if digest not in before}
    message, kept = within_quota(db, message, new, quota=quota)
    values = {"digest": digest_of(message), "value": dumps(message), "row": dumps(typed.row()), "text": typed.content}
    db.execute(update(messages).where(messages.c.number == number).values(**values))
    put_files(db, kept, number=number)


def is_there(db: Connection, message_id: str) -> bool:
    """Whether a message that came is in the store, and not removed."""
    found = select(messages.c.number).where(messages.c.id == message_id, messages.c.role == "user").limit(1)
    return db.execute(found).first() is not None


def put_answer(
    db: Connection,
    response: NormalizedResponse,
    *,
    to: NormalizedMessage,
    transport: str,
    now: datetime,
    native_ids: Iterable[str] = (),
) -> None:
    """Stores the one answer to a message. A second one is a `Conflict`.

    Args:
        db: The transaction.
        response: The answer.
        to: The message, also where it is a first contact, which never came.
        transport: The name of the transport by which it goes.
        now: The time.
        native_ids: Under which its peer knows it, so that replies to it are found.
    """
    words = tuple(part for part in response.parts if isinstance(part, TextPart))
    whole = plain_text(response)
    values = {
        "id": to.id,
        "agent": to.recipient,
        "thread_id": to.thread_id,
        "role": "assistant",
        "sender": to.recipient,
        "person": to.sender.address,
        "verified": True,
        "transport": transport,
        "received_at": now.timestamp(),
        "digest": "",
        "value": dumps(response),
        "row": dumps({"role": "assistant", "content": whole}),
        "text": plain_text(replace(response, parts=words)) or whole,
    }
    ((number,),) = run(db, _ANSWER, values)
    _touch(db, values, number)
    put_native_ids(db, {(one, to.recipient): own_row(to) for one in native_ids}, person=to.sender.address)


def answer_to(db: Connection, message_id: str) -> NormalizedResponse | None:
    """The answer to a message, where there is one."""
    rows = run(db, _ANSWER_TO, {"id": message_id})
    return decode_trusted(NormalizedResponse, rows[0][0]) if rows else None


def entry(db: Connection, number: int) -> Entry | None:
    """The row with a number."""
    found = db.execute(select(messages).where(messages.c.number == number)).mappings().first()
    return None if found is None else _entry(found)


def latest(db: Connection, message_id: str) -> Entry | None:
    """A message as it reads now: of one that was edited, the newest row."""
    rows = select(messages).where(messages.c.id == message_id, messages.c.role == "user")
    found = db.execute(rows.order_by(messages.c.number.desc()).limit(1)).mappings().first()
    return None if found is None else _entry(found)


def wrote_over(db: Connection, person: str, *, agent: str, transport: str) -> bool:
    """Whether a person wrote over a transport, and was verified."""
    here = (messages.c.person == person) & (messages.c.agent == agent) & (messages.c.transport == transport)
    rows = select(messages.c.number).where(here, messages.c.role == "user", messages.c.verified.is_(True))
    return db.execute(rows.limit(1)).first() is not None


def ids_of(db: Connection, person: str, *, transport: str) -> list[str]:
    """The ids of the messages that somebody wrote over a transport."""
    where = (messages.c.person == person) & (messages.c.transport == transport) & (messages.c.role == "user")
    return [*db.execute(select(messages.c.id).where(where).distinct()).scalars()]


def thread(db: Connection, thread_id: str, *, agent: str, limit: int = HISTORY) -> list[Entry]:
    """The newest rows of a thread, oldest first."""
    return _newest(db, _SIZES, {"thread_id": thread_id, "agent": agent, "limit": limit})


def _newest(db: Connection, sizes: Select[int, int], here: Mapping[str, Any]) -> list[Entry]:
    """The newest rows, oldest first, as many as fit into `HISTORY_BYTES`."""
    numbers, total = list[int](), 0
    for number, size in run(db, sizes, here):
        total += size
        if numbers and total > HISTORY_BYTES:
            break
        numbers.append(number)
    return [_entry(row) for row in db.execute(_ROWS, {"numbers": numbers}).mappings().fetchall()] if numbers else []


def history(
    db: Connection, ask: FindHistory, *, before: int | None = None, limit: int = HISTORY
) -> list[HistoricalMessage]:
    """What the asker may see of a thread: the turns of this person, and the answers to them.

    An asker who is not verified sees no turns of the verified person of this address; nor does one without an address.

    Args:
        db: The connection.
        ask: Who asks, and for which thread.
        before: The number of a row: what people wrote from it on, and the answers to that, are left out.
        limit: How many turns are of use; there may be more, or fewer where there are no more.
    """
    if ask.sender is None:
        return []
    size = min(limit + SPARE, HISTORY) if ask.verified else HISTORY
    rows, is_all = _rows_before(db, ask, before=before, size=size)
    if len(rows) < limit and not is_all:
        rows, _ = _rows_before(db, ask, before=before, size=HISTORY)
    asked = {one.id for one in rows if one.role == "user"}
    if not ask.verified:
        if any(one.verified for one in rows if one.role == "user"):
            return []
        rows = [one for one in rows if one.id in asked]  # who was answered by others is not known any more
    return [turn_of(one) for one in rows]


def _rows_before(db: Connection, ask: FindHistory, *, before: int | None, size: int) -> tuple[list[Entry], bool]:
    """The newest rows of a person in a thread, without those that are left out; whether there are no more of them."""
    # Of this person alone from the start: the newest rows of the thread may all be of others.
    here = {"thread_id": ask.thread_id, "agent": ask.recipient, "person": ask.sender, "limit": size}
    rows = _newest(db, _SIZES_OF, here)
    later = {one.id for one in rows if before is not None and one.role == "user" and one.number >= before}
    return [one for one in rows if one.id not in later], len(rows) < size or size == HISTORY


def has_others(db: Connection, message: NormalizedMessage) -> bool:
    """Whether others than its sender are in the thread of a message, among the newest of it."""
    rows = run(db, _PERSONS, {"thread_id": message.thread_id, "agent": message.recipient})
    return any(person != message.sender.address for (person,) in rows)


def turn_of(one: Entry) -> HistoricalMessage:
    """A row as a turn of a history."""
    value = one.value
    if isinstance(value, NormalizedMessage):
        return HistoricalMessage(
            role="user", id=value.id, sender=value.sender, parts=value.parts, timestamp=value.received_at
        )
    return HistoricalMessage(
        role="assistant",
        id=answer_id(one.id),
        sender=Sender(address=one.sender),
        parts=value.parts,
        timestamp=format_time(one.received_at),
    )


def answer_id(message_id: str) -> str:
    """The id of the answer to a message."""
    return f"answer-to-{message_id}"


def own_row(message: NormalizedMessage) -> StoredMessage:
    """The row under which the answer to a message is found when somebody replies to it."""
    return StoredMessage(
        id=answer_id(message.id), thread_id=message.thread_id, sender=message.recipient, auth_method="own"
    )


def find(db: Connection, native_id: str, agent: str) -> StoredMessage | None:
    """What is stored under an id for an agent."""
    rows = run(db, _FIND, {"native_id": native_id, "agent": agent})
    return decode_trusted(StoredMessage, rows[0][0]) if rows else None


def find_all(db: Connection, native_id: str) -> dict[str, StoredMessage]:
    """Agent → what is stored under an id for it."""
    rows = run(db, _FIND_ALL, {"native_id": native_id})
    return {agent: decode_trusted(StoredMessage, row) for agent, row in rows}


def put_native_ids(db: Connection, rows: Mapping[tuple[str, str], StoredMessage], *, person: str | None = None) -> None:
    """Stores ids, each where it replaces what is there.

    Args:
        db: The transaction.
        rows: As in `Received.to_store`.
        person: Whose message it is; by default its sender.
    """
    before, text = None, b""
    for (native_id, agent), row in rows.items():
        if row != before:
            before, text = row, dumps(row)
        values = {"message_id": row.id, "person": person or row.sender, "row": text}
        is_new = insert_new(db, native_ids, {"native_id": native_id, "agent": agent, **values})
        if not is_new and row.replaces(find(db, native_id, agent)):
            here = (native_ids.c.native_id == native_id) & (native_ids.c.agent == agent)
            db.execute(update(native_ids).where(here).values(**values))


def remove(db: Connection, message_ids: Iterable[str]) -> None:
    """Removes messages, the answers to them, their ids and files."""
    for message_id in message_ids:
        is_one = messages.c.id == message_id
        places = db.execute(select(messages.c.agent, messages.c.thread_id).where(is_one).distinct()).fetchall()
        db.execute(delete(blobs).where(blobs.c.message.in_(select(messages.c.number).where(is_one))))
        db.execute(delete(messages).where(is_one))
        db.execute(delete(native_ids).where(native_ids.c.message_id.in_([message_id, answer_id(message_id)])))
        conversations.recount(db, [(row.agent, row.thread_id) for row in places])


def files_of_id(db: Connection, message_id: str) -> dict[str, bytes]:
    """Digest → bytes of the files that came with a message of an id."""
    numbers = select(messages.c.number).where(messages.c.id == message_id, messages.c.role == "user")
    rows = db.execute(select(blobs.c.digest, blobs.c.data).where(blobs.c.message.in_(numbers)))
    return {row.digest: row.data for row in rows}


def digest_of(message: NormalizedMessage) -> str:
    """Tells the contents of two messages of one id apart."""
    return sha256(b"\n".join(dumps(part) for part in message.parts)).hexdigest()


def _prove(db: Connection, values: Mapping[str, Any]) -> None:
    """Notes that the sender of a message that is there is proven now: at first it came without proof."""
    is_same = [messages.c[name] == values[name] for name in ("id", "role", "digest", "sender")]
    proven = {name: values[name] for name in ("verified", "value", "row", "identities")}
    db.execute(update(messages).where(*is_same, messages.c.verified.is_(False)).values(**proven))


def _touch(db: Connection, values: Mapping[str, Any], number: int) -> None:
    at = float(values["received_at"])
    conversations.touch(db, agent=values["agent"], thread_id=values["thread_id"], number=number, at=at)


def _entry(row: Mapping[Any, Any]) -> Entry:
    cls: type[NormalizedMessage | NormalizedResponse]
    cls = NormalizedMessage if row["role"] == "user" else NormalizedResponse
    shown = row["identities"]
    identities = () if shown is None else decode_trusted(tuple[VerifiedIdentity, ...], shown)
    return value_of(Entry, row, value=decode_trusted(cls, row["value"]), identities=identities)
