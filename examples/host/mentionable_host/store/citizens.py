"""Other actors of the Fediverse: who follows, who is followed, who is blocked."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final, Literal

from attrs import frozen
from mentionable import StoredMessage, activitypub
from sqlalchemy import Connection, RowMapping, Table, bindparam, delete, func, select, update

from mentionable_host.store.database import insert_new, upsert
from mentionable_host.store.statements import run
from mentionable_host.store.tables import blocks, followers, following, messages, people, reactions, reports

__all__ = [
    "Relation",
    "actors_of",
    "block",
    "blocked_among",
    "count",
    "followers_at",
    "forget_actor",
    "forget_inbox",
    "is_blocked",
    "kind_of",
    "known_as",
    "messages_of",
    "names_of",
    "put_relation",
    "refresh",
    "relation",
    "relations",
    "remove_relation",
    "unblock",
]

Side = Literal["followers", "following"]
State = Literal["pending", "accepted"]

SIDES: Final[tuple[Side, ...]] = ("followers", "following")
_TABLES: Final[Mapping[Side, Table]] = {"followers": followers, "following": following}

_SUSPENDED: Final = (blocks.c.by == "operator") & (blocks.c.severity == "suspend")
_BLOCKS: Final = (
    select(blocks.c.target)
    .where(
        (_SUSPENDED & blocks.c.target.in_(bindparam("names", expanding=True)))
        | ((blocks.c.by == "peer") & blocks.c.target.in_(bindparam("actors", expanding=True)))
    )
    .limit(1)
)

_AMONG: Final = select(blocks.c.target).where(_SUSPENDED, blocks.c.target.in_(bindparam("names", expanding=True)))
AT_ONCE: Final = 500
"""So many names are asked for in one statement."""

MAX_LABELS: Final = 127
"""A DNS name has no more labels (RFC 1035 §2.3.4)."""


@frozen(kw_only=True)
class Relation:
    """Who follows the agent, or whom it follows.

    Attributes:
        actor: Who it is, as they were when they were last heard of.
        state: Whether it was accepted.
        activity: The Follow.
        since: When it was asked for.
    """

    actor: activitypub.Actor
    state: State
    activity: dict[str, Any]
    since: datetime


def put_relation(
    db: Connection,
    side: Side,
    actor: activitypub.Actor,
    *,
    agent: str,
    state: State,
    activity: Mapping[str, Any],
    now: datetime,
) -> None:
    """Stores that an actor follows the agent, or the agent an actor; what was there is replaced.

    Args:
        db: The transaction.
        side: Whether they are a follower, or followed.
        actor: Who.
        agent: The address of the agent.
        state: Whether it is accepted already.
        activity: The Follow.
        now: The time.
    """
    document = json.dumps(activity).encode()
    values = {"actor": actor.id, "agent": agent, **_columns(actor), "state": state, "activity": document}
    upsert(db, _TABLES[side], {**values, "since": now.timestamp()}, keep=["since"])


def relation(db: Connection, side: Side, actor: str, *, agent: str) -> Relation | None:
    """What is between an actor and the agent, by the id of the actor or by their address."""
    table = _TABLES[side]
    is_them = (table.c.actor == actor) | (table.c.address == actor)
    row = db.execute(select(table).where(is_them, table.c.agent == agent)).mappings().first()
    return None if row is None else _relation(row)


def relations(db: Connection, side: Side, *, agent: str, state: State | None = None) -> list[Relation]:
    """All of them, the oldest first; only those in one state where it is given."""
    table = _TABLES[side]
    where = [table.c.agent == agent, *([table.c.state == state] if state else [])]
    rows = db.execute(select(table).where(*where).order_by(table.c.since, table.c.actor)).mappings()
    return [_relation(row) for row in rows.fetchall()]


def count(db: Connection, side: Side, *, agent: str) -> int:
    """How many are accepted."""
    table = _TABLES[side]
    where = (table.c.agent == agent) & (table.c.state == "accepted")
    return db.execute(select(func.count()).select_from(table).where(where)).scalar_one()


def followers_at(db: Connection, host: str, *, agent: str) -> list[str]:
    """The ids of the followers on a host."""
    is_there = followers.c.actor.startswith(f"https://{host}/", autoescape=True)
    where = (followers.c.agent == agent) & (followers.c.state == "accepted") & is_there
    return [*db.execute(select(followers.c.actor).where(where)).scalars()]


def remove_relation(db: Connection, side: Side, actor: str, *, agent: str) -> bool:
    """Ends it; whether there was one."""
    table = _TABLES[side]
    return bool(db.execute(delete(table).where(table.c.actor == actor, table.c.agent == agent)).rowcount)


def refresh(db: Connection, actor: activitypub.Actor) -> None:
    """Stores the address, the name and the inboxes that an actor has now, where they are known."""
    for table in _TABLES.values():
        db.execute(update(table).where(table.c.actor == actor.id).values(**_columns(actor)))
    if actor.name:
        db.execute(update(people).where(people.c.actor == actor.id).values(display_name=actor.name.replace("\0", "")))


def forget_inbox(db: Connection, inbox: str) -> int:
    """Forgets the followers who had an inbox that is gone; how many."""
    is_there = (followers.c.inbox == inbox) | (followers.c.shared_inbox == inbox)
    return db.execute(delete(followers).where(is_there)).rowcount


def actors_of(db: Connection, address: str) -> list[str]:
    """The ids of the actors who are or were known under an address."""
    found = set(db.execute(select(people.c.actor).where(people.c.address == address)).scalars())
    for table in (followers, following, reports):
        found |= set(db.execute(select(table.c.actor).where(table.c.address == address)).scalars())
    return sorted(one for one in found if one)


def messages_of(db: Connection, address: str, *, transport: str) -> list[str]:
    """The ids of the messages that somebody wrote by a transport."""
    where = (messages.c.person == address) & (messages.c.transport == transport) & (messages.c.role == "user")
    return [*db.execute(select(messages.c.id).where(where).distinct()).scalars()]


def forget_actor(db: Connection, actor: str) -> None:
    """Forgets who an actor was, and what they did with what the agent wrote. Blocks of the operator stay."""
    db.execute(delete(people).where(people.c.actor == actor))
    for table in (followers, following, reactions, reports):
        db.execute(delete(table).where(table.c.actor == actor))
    db.execute(delete(blocks).where(blocks.c.target == actor, blocks.c.by == "peer"))


def known_as(db: Connection, actor: str, *, agent: str) -> dict[str, StoredMessage]:
    """Agent → a row that stands for an actor of whom something is stored; the answer to `FindMessages` for their id.

    It is in no table of ids of messages: who answers an actor joins no thread.
    """
    named = select(people.c.address).where(people.c.actor == actor, people.c.verified)
    address = db.execute(named).scalar()
    for table in _TABLES.values():
        address = address or db.execute(select(table.c.address).where(table.c.actor == actor)).scalar()
    if address is None:
        return {}
    facts: dict[str, Any] = {"sender": address, "auth_method": "ap-http-signature", "verified": True}
    return {agent: StoredMessage(id=actor, thread_id=actor, **facts)}


def kind_of(target: str) -> Literal["actor", "address", "domain"]:
    """What somebody blocks: the id of an actor, an address, or a domain.

    Raises:
        ValueError: It is none of them.
    """
    if target.startswith("https://"):
        return "actor"
    if target.startswith("@") and target.count("@") == 2 and not target.endswith("@"):
        return "address"
    if "." in target and "@" not in target and "/" not in target and " " not in target:
        return "domain"
    raise ValueError(f"{target!r} is no id of an actor, no @name@domain and no domain")


def names_of(*, actor: str | None = None, address: str | None = None, host: str | None = None) -> list[str]:
    """All under which somebody may be blocked: their actor, their address, and each domain that they are under.

    Args:
        actor: The id of their actor.
        address: Their `@name@domain`.
        host: The host that they come from, maybe with a port; that of their actor counts too.
    """
    names = [actor] if actor else []
    hosts = [host or "", *(actor or "").split("/")[2:3]]
    domains = [one.partition(":")[0] for one in hosts]
    if address:
        names += [address, address.casefold()]
        domains.append(address.rpartition("@")[2])
    for domain in domains:
        labels = domain.casefold().rstrip(".").split(".")[-MAX_LABELS:]
        names += [".".join(labels[start:]) for start in range(len(labels))]
    return [name for name in dict.fromkeys(names) if name]


def is_blocked(db: Connection, names: Iterable[str] = (), *, by_peers: Iterable[str] = ()) -> bool:
    """Whether the operator suspends somebody, or they block the agent. Who is silenced is answered less, that is all.

    Args:
        db: The transaction.
        names: `names_of` whoever may be blocked by the operator.
        by_peers: The ids of actors who may block the agent.
    """
    return bool(run(db, _BLOCKS, {"names": [*names], "actors": [*by_peers]}))


def blocked_among(db: Connection, names: Iterable[str]) -> set[str]:
    """Those of many names that the operator blocks."""
    asked, found = [*dict.fromkeys(names)], set[str]()
    for start in range(0, len(asked), AT_ONCE):
        found |= set(db.execute(_AMONG, {"names": asked[start : start + AT_ONCE]}).scalars())
    return found


def block(
    db: Connection,
    target: str,
    *,
    kind: Literal["actor", "address", "domain"],
    by: Literal["operator", "peer"],
    now: datetime,
    note: str | None = None,
) -> None:
    """Stores a block; one that is there stays.

    Args:
        db: The transaction.
        target: The id of an actor, an address, or a domain, which has its subdomains with it.
        kind: Which of these.
        by: Who blocks: the operator an actor, or an actor the agent.
        now: The time.
        note: Why, for the operator; of a peer the id of its Block.
    """
    insert_new(db, blocks, {"target": target, "by": by, "kind": kind, "note": note, "since": now.timestamp()})


def unblock(db: Connection, target: str, *, by: Literal["operator", "peer"]) -> bool:
    """Ends a block; whether there was one."""
    return bool(db.execute(delete(blocks).where(blocks.c.target == target, blocks.c.by == by)).rowcount)


def _columns(actor: activitypub.Actor) -> dict[str, str | None]:
    return {"address": actor.address, "inbox": actor.inbox, "shared_inbox": actor.shared_inbox}


def _relation(row: RowMapping) -> Relation:
    names = ("address", "inbox", "shared_inbox")
    actor = activitypub.Actor(id=row["actor"], **{name: row[name] for name in names})
    since = datetime.fromtimestamp(row["since"]).astimezone()
    return Relation(actor=actor, state=row["state"], activity=json.loads(row["activity"]), since=since)
