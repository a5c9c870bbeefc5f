"""Whether a message gets an answer: one function decides, for every transport.

What is counted is stored in the transaction that stores the message, so that a delivery that comes twice counts once.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Literal

from attrs import frozen
from mentionable import NormalizedMessage
from sqlalchemy import Connection, Select, bindparam, delete, func, select

from mentionable_host.sections import LimitSettings
from mentionable_host.store import blocks
from mentionable_host.store.columns import fitting
from mentionable_host.store.dialects import insert_rows_or
from mentionable_host.store.messages import digest_of
from mentionable_host.store.statements import run
from mentionable_host.store.tables import counts, messages

if TYPE_CHECKING:
    from mentionable_host.host import Host

__all__ = [
    "MAX_HOPS",
    "ON_THE_LINE",
    "Reason",
    "Refusal",
    "admit",
    "conversation_of",
    "is_anonymous",
    "is_flooding",
    "is_proven",
]

Reason = Literal["unanswerable", "blocked", "chain-too-long", "repeats", "sender-limit", "domain-limit", "thread-limit"]

HOUR: Final = 60
DAY: Final = 24 * HOUR
MAX_HOPS: Final = 8
"""So many agents stand in a chain at most, whatever those before this one say."""
SHARE: Final = 6
"""Senders of whom nothing is proven, and silenced ones, get this part of what others get."""
SAME: Final = 3
"""So often one person writes the same in a thread and is answered."""
STORED: Final = 10
"""Over the Fediverse, so many times as much as is answered is stored."""
RECENT: Final = 20
"""Among so many messages of the thread, the newest ones."""
ANONYMOUS: Final = frozenset(("@anonymous@a2a.invalid", "@anonymous@rest.invalid", "@mailer-daemon@mail.invalid"))
"""What the library has in place of an address where there is none."""
ON_THE_LINE: Final = frozenset(("a2a", "chat", "rest"))
"""Who asks over these transports waits on the same connection, so that the words of a refusal reach no one else."""


@frozen(kw_only=True)
class Refusal:
    """Why a message gets no answer.

    Attributes:
        reason: In a word.
        detail: For the log; nothing in it is from a peer.
        notice: What the person is told, once; None: nothing.
    """

    reason: Reason
    detail: str = ""
    notice: str | None = None

    def __str__(self) -> str:
        return f"{self.reason}: {self.detail}" if self.detail else self.reason


@frozen(kw_only=True)
class _Count:
    """One of the things that are counted: what, in windows of so many minutes, and up to where."""

    key: str
    minutes: int
    limit: int
    reason: Reason

    def window(self, now: datetime) -> int:
        """When the window began, in minutes since 1970."""
        minute = int(now.timestamp()) // 60
        return minute - minute % self.minutes

    def wait(self, now: datetime) -> int:
        """Minutes until it ends."""
        return self.window(now) + self.minutes - int(now.timestamp()) // 60


def admit(
    db: Connection,
    message: NormalizedMessage,
    *,
    host: Host,
    now: datetime,
    transport: str = "",
    is_program: bool = False,
) -> Refusal | None:
    """Why a message that was just stored gets no answer; None: it gets one.

    Args:
        db: The transaction that stores the message.
        message: The message.
        host: The host.
        now: The time.
        transport: The name of the transport that it came by.
        is_program: Whether a program wrote it.
    """
    if not message.answerable:
        return Refusal(reason="unanswerable", detail=str(message.answerable.reason))
    block, waits = _block(db, message), transport in ON_THE_LINE
    if block is not None and block.is_full:
        return Refusal(reason="blocked", detail=f"by the {block.by}")
    is_trusted, is_repeated = _is_trusted(message, block, waits=waits), _is_repeated(db, message)
    asked = _counted(message, host.config.limits, is_trusted=is_trusted, is_program=is_program)
    if not is_program and not is_repeated:  # a person is there again: the programs in the thread may go on
        run(db, _FORGET_COUNT, {"counted": _programs(message)})
    # What gets no answer for one of the reasons below counts too, for it is stored: `is_flooding` looks at the counts.
    over = [(one, count) for one, count in zip(asked, _count(db, asked, now=now), strict=True) if count > one.limit]
    chain = message.recipient_capabilities.agent_chain
    if chain is not None and chain.hop > MAX_HOPS:
        notice = f"I am agent {chain.hop} of a chain: that is one too many." if waits else None
        return Refusal(reason="chain-too-long", detail=f"hop {chain.hop}", notice=notice)
    if is_repeated and not over:
        return Refusal(reason="repeats", notice="You asked the same several times." if waits else None)
    if not over:
        return None
    first, count = max(over, key=lambda pair: pair[0].wait(now))
    is_due = waits or (count == first.limit + 1 and is_trusted and not is_program)
    notice = f"That was much at once. I can answer again in {_duration(first.wait(now))}." if is_due else None
    return Refusal(reason=first.reason, detail=f"{count} of {first.limit}", notice=notice)


def is_flooding(db: Connection, message: NormalizedMessage, *, host: Host, now: datetime) -> bool:
    """Whether so much came of a sender, a domain or a thread that nothing more of it is even stored for now."""
    is_trusted = _is_trusted(message, _block(db, message))
    asked = _counted(message, host.config.limits, is_trusted=is_trusted, is_program=False)
    rows = run(db, _COUNTS, {"keys": [one.key for one in asked]})
    found = {(key, window): count for key, window, count in rows}
    return any(found.get((fitting(one.key), one.window(now)), 0) >= STORED * one.limit for one in asked)


def is_anonymous(message: NormalizedMessage) -> bool:
    """Whether its sender has no address: all who have none are strangers to each other."""
    return message.sender.address in ANONYMOUS


def is_proven(message: NormalizedMessage) -> bool:
    """Whether the address of the sender is proven: by a signature, or by the platform that the message came from."""
    return message.sender.verified or message.received_via == "connector"


def _block(db: Connection, message: NormalizedMessage) -> blocks.Block | None:
    profile = message.sender.profile
    return blocks.find(db, message.sender.address, profile.provider_subject if profile else None)


def _is_trusted(message: NormalizedMessage, block: blocks.Block | None, *, waits: bool = False) -> bool:
    """Whether a sender is known and not silenced. On the line, an address comes of a token alone."""
    return block is None and (is_proven(message) or (waits and not is_anonymous(message)))


def _counted(
    message: NormalizedMessage, limits: LimitSettings, *, is_trusted: bool, is_program: bool
) -> Sequence[_Count]:
    """What is counted of a message.

    What nobody proves counts apart: who forges an address uses up nothing of the person who has it. The addresses and
    domains of such senders are free to choose, so all of them together have a limit.
    """
    address = message.sender.address
    domain, thread = address.rpartition("@")[2].lower(), f"{message.recipient} {conversation_of(message)}"
    part = 1 if is_trusted else SHARE
    kind, whole = ("", f"domain {domain}") if is_trusted else ("unproven ", "unproven all")
    found = [
        _Count(key=whole, minutes=HOUR, limit=limits.domain_per_hour, reason="domain-limit"),
        _Count(key=f"thread {thread}", minutes=HOUR, limit=limits.thread_turns, reason="thread-limit"),
    ]
    if not is_anonymous(message):  # those are many, and have no address of their own
        limit = max(1, limits.sender_per_hour // part)
        found.append(_Count(key=f"{kind}sender {address}", minutes=HOUR, limit=limit, reason="sender-limit"))
    if is_program:
        found.append(_Count(key=_programs(message), minutes=DAY, limit=limits.thread_turns, reason="thread-limit"))
    return found


def _programs(message: NormalizedMessage) -> str:
    return f"programs {message.recipient} {conversation_of(message)}"


def conversation_of(message: NormalizedMessage) -> str:
    """The thread of a message. Where callers name threads as they like, one name is another thread of each of them."""
    if message.received_via in ON_THE_LINE:
        return f"{message.received_via} {message.sender.address} {message.thread_id}"
    return message.thread_id


def _count(db: Connection, asked: Sequence[_Count], *, now: datetime) -> list[int]:
    """Counts one more of each; how many there are in its window now."""
    in_order = sorted(asked, key=lambda one: one.key)  # so two transactions wait, and do not lock up
    values: dict[str, object] = {}
    for number, one in enumerate(in_order):
        values |= {f"key{number}": one.key, f"window{number}": one.window(now)}
    found = {fitting(key): count for key, count in run(db, _one_more(db.dialect.name, len(in_order)), values)}
    return [found[fitting(one.key)] for one in asked]


@cache
def _one_more(dialect: str, size: int) -> Any:
    """Counts so many things at once."""
    columns = (counts.c.key, counts.c.window)
    places = [
        {**{one.name: bindparam(f"{one.name}{number}", type_=one.type) for one in columns}, "count": 1}
        for number in range(size)
    ]
    more = {"count": counts.c["count"] + 1}
    return insert_rows_or(dialect, counts, places, more).returning(counts.c.key, counts.c["count"])


def _is_repeated(db: Connection, message: NormalizedMessage) -> bool:
    """Whether this person wrote just this in the thread again and again, as a program does that answers everything."""
    asked = {
        "thread_id": message.thread_id,
        "agent": message.recipient,
        "digest": digest_of(message),
        "person": message.sender.address,
    }
    ((count,),) = run(db, _SAME, asked)
    return bool(count > SAME)


def _same_among_recent() -> Select[int]:
    of_thread = (messages.c.thread_id == bindparam("thread_id")) & (messages.c.agent == bindparam("agent"))
    newest = select(messages.c.digest, messages.c.person).where(of_thread).order_by(messages.c.number.desc())
    recent = newest.limit(RECENT).subquery()
    is_same = (recent.c.digest == bindparam("digest")) & (recent.c.person == bindparam("person"))
    return select(func.count()).where(is_same)


_SAME: Final = _same_among_recent()
_COUNTS: Final = select(counts.c.key, counts.c.window, counts.c["count"]).where(
    counts.c.key.in_(bindparam("keys", expanding=True))
)
_FORGET_COUNT: Final = delete(counts).where(counts.c.key == bindparam("counted"))


def _duration(minutes: int) -> str:
    if minutes >= HOUR:
        hours = -(-minutes // HOUR)
        return "an hour" if hours == 1 else f"{hours} hours"
    return "a minute" if minutes <= 1 else f"{minutes} minutes"
