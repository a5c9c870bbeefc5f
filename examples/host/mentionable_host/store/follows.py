"""Other actors of the Fediverse: who follows the agent, who is followed by it, and what was seen of them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final, Literal

from attrs import frozen
from mentionable import StoredMessage, activitypub
from sqlalchemy import ColumnElement, Connection, Row, RowMapping, delete, func, select, update

from mentionable_host.store import publications
from mentionable_host.store.dialects import upsert
from mentionable_host.store.rows import value_of
from mentionable_host.store.tables import blocks, people, reactions, reports
from mentionable_host.store.tables import relations as table

__all__ = [
    "Relation",
    "accept",
    "actors_of",
    "count",
    "end_relation",
    "end_relations",
    "followers_at",
    "forget_actor",
    "forget_inbox",
    "is_follower",
    "known",
    "known_as",
    "put_relation",
    "refresh",
    "relation",
    "relations",
    "remove_relation",
]

Side = Literal["followers", "following"]
State = Literal["pending", "accepted"]

SIDES: Final[tuple[Side, ...]] = ("followers", "following")


@frozen(kw_only=True)
class Relation:
    """Who follows the agent, or is followed by it.

    Attributes:
        actor: Who it is, as they were when something last came of them.
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
    names = {"actor": actor.id, "agent": agent, "side": side, **_columns(actor)}
    upsert(db, table, {**names, "state": state, "activity": document, "since": now.timestamp()}, keep=["since"])


def accept(db: Connection, side: Side, actor: str, *, agent: str) -> bool:
    """Stores that what was asked for is accepted; False: nothing was, or it is accepted already."""
    here = _is(side, agent) & (table.c.actor == actor) & (table.c.state == "pending")
    return bool(db.execute(update(table).where(here).values(state="accepted")).rowcount)


def relation(db: Connection, side: Side, actor: str, *, agent: str) -> Relation | None:
    """What is between an actor and the agent, by the id of the actor or by their address."""
    is_them = (table.c.actor == actor) | (table.c.address == actor)
    row = db.execute(select(table).where(_is(side, agent), is_them)).mappings().first()
    return None if row is None else _relation(row)


def relations(db: Connection, side: Side, *, agent: str, state: State | None = None) -> list[Relation]:
    """All of them, the oldest first; only those in one state where it is given."""
    where = [_is(side, agent), *([table.c.state == state] if state else [])]
    rows = db.execute(select(table).where(*where).order_by(table.c.since, table.c.actor)).mappings()
    return [_relation(row) for row in rows.fetchall()]


def count(db: Connection, side: Side, *, agent: str) -> int:
    """How many are accepted."""
    where = _is(side, agent) & (table.c.state == "accepted")
    return db.execute(select(func.count()).select_from(table).where(where)).scalar_one()


def followers_at(db: Connection, host: str, *, agent: str) -> list[str]:
    """The ids of the followers on a host."""
    is_there = table.c.actor.startswith(f"https://{host}/", autoescape=True)
    where = _is("followers", agent) & (table.c.state == "accepted") & is_there
    return [*db.execute(select(table.c.actor).where(where)).scalars()]


def remove_relation(db: Connection, side: Side, actor: str, *, agent: str) -> bool:
    """Ends it; whether there was one."""
    return bool(db.execute(delete(table).where(_is(side, agent), table.c.actor == actor)).rowcount)


def end_relation(db: Connection, side: Side, actor: str, *, agent: str) -> bool:
    """Ends it, and what the agent published of it: that it accepted the follower, or wants to follow; was it there?"""
    was_there = remove_relation(db, side, actor, agent=agent)
    if was_there or side == "followers":
        for one in publications.about(db, actor, kind="accept" if side == "followers" else "follow"):
            publications.remove(db, one.native_id)
    return was_there


def end_relations(db: Connection, actor: str, *, agent: str) -> None:
    """Ends that an actor follows the agent, and the agent them."""
    for side in SIDES:
        end_relation(db, side, actor, agent=agent)


def known(db: Connection) -> Sequence[Row[str, str, str, Side]]:
    """`actor`, `address`, `agent` and `side` of all of them."""
    return db.execute(select(table.c.actor, table.c.address, table.c.agent, table.c.side)).fetchall()


def refresh(db: Connection, actor: activitypub.Actor) -> None:
    """Stores the address, the name and the inboxes that an actor has now, where they are known."""
    db.execute(update(table).where(table.c.actor == actor.id).values(**_columns(actor)))
    if actor.name:
        db.execute(update(people).where(people.c.actor == actor.id).values(display_name=actor.name.replace("\0", "")))


def forget_inbox(db: Connection, inbox: str) -> int:
    """Forgets the followers who had an inbox that is gone; how many."""
    is_there = (table.c.inbox == inbox) | (table.c.shared_inbox == inbox)
    return db.execute(delete(table).where(table.c.side == "followers", is_there)).rowcount


def actors_of(db: Connection, address: str) -> list[str]:
    """The ids of the actors who are or were known under an address."""
    found = set(db.execute(select(people.c.actor).where(people.c.address == address)).scalars())
    for seen in (table, reports):
        found |= set(db.execute(select(seen.c.actor).where(seen.c.address == address)).scalars())
    return sorted(one for one in found if one)


def forget_actor(db: Connection, actor: str) -> None:
    """Forgets who an actor was, and what they did with what the agent wrote. Blocks of the operator stay."""
    db.execute(delete(people).where(people.c.actor == actor))
    for seen in (table, reactions, reports):
        db.execute(delete(seen).where(seen.c.actor == actor))
    db.execute(delete(blocks).where(blocks.c.target == actor, blocks.c.by == "peer"))


def known_as(db: Connection, actor: str, *, agent: str) -> dict[str, StoredMessage]:
    """Agent → a row in place of an actor who is known; the answer to `FindMessages` for their id.

    It is in no table of ids of messages: who answers an actor joins no thread.
    """
    named = select(people.c.address).where(people.c.actor == actor, people.c.verified)
    address = db.execute(named).scalar()
    address = address or db.execute(select(table.c.address).where(table.c.actor == actor)).scalar()
    if address is None:
        return {}
    facts: dict[str, Any] = {"sender": address, "auth_method": "ap-http-signature", "verified": True}
    return {agent: StoredMessage(id=actor, thread_id=actor, **facts)}


def is_follower(db: Connection, actor: str, *, agent: str) -> bool:
    """Whether an actor follows the agent, and was accepted."""
    found = relation(db, "followers", actor, agent=agent)
    return found is not None and found.state == "accepted"


def _is(side: Side, agent: str) -> ColumnElement[bool]:
    return (table.c.side == side) & (table.c.agent == agent)


def _columns(actor: activitypub.Actor) -> dict[str, str | None]:
    return {"address": actor.address, "inbox": actor.inbox, "shared_inbox": actor.shared_inbox}


def _relation(row: RowMapping) -> Relation:
    names = ("address", "inbox", "shared_inbox")
    actor = activitypub.Actor(id=row["actor"], **{name: row[name] for name in names})
    return value_of(Relation, row, actor=actor, activity=json.loads(row["activity"]))
