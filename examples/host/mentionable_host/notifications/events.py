"""Events in a transaction: how they are submitted, and how a command or a deadline changes them."""

from __future__ import annotations

import json
import logging
from datetime import timedelta
from typing import TYPE_CHECKING, Final, Literal
from uuid import NAMESPACE_URL, uuid5

from mentionable import Rejected, anp, format_time, replace
from sqlalchemy import Connection, select

from mentionable_host.notifications.access import address_of
from mentionable_host.notifications.rules import RULES, WITHIN
from mentionable_host.notifications.turns import events_of
from mentionable_host.store.chats import chat_thread
from mentionable_host.store.database import Conflict
from mentionable_host.store.notifications import Events
from mentionable_host.store.streams import topic_of
from mentionable_host.store.tables import people

if TYPE_CHECKING:
    from mentionable_host.host import Host

__all__ = ["Speaker", "apply", "commit", "dispatch", "events_in", "notify", "submit", "watch"]

log = logging.getLogger(__name__)

Speaker = Literal["agent", "system"]
"""Who presents an event to the person."""

AT_ONCE: Final = 100
"""So many deadlines are looked at in one transaction."""


def events_in(host: Host, db: Connection) -> Events:
    """The events of the host, in a transaction."""
    settings = host.config.notifications
    return Events(
        db,
        now=host.world.now(),
        push_after=timedelta(seconds=settings.push_after_seconds),
        write_after=timedelta(seconds=settings.write_after_seconds),
    )


async def notify(
    host: Host,
    person: str,
    text: str,
    *,
    key: str | None = None,
    within: timedelta | None = None,
    source: str = "",
    by: Speaker = "agent",
    in_chat: bool = False,
    urgency: str | None = None,
) -> str:
    """Stores an event; see `Host.notify`."""
    person, now = address_of(person), host.world.now()
    submission = anp.Submission(
        content=text,
        user_id=person,
        routing=anp.Routing(address="session" if in_chat else "user", target="user", handler=by),
        session_id=chat_thread(host.address, person) if in_chat else None,
        deduplication_key=key,
        metadata=None if urgency is None else {"urgency": urgency},
        delivery_deadline=format_time(now + (within or WITHIN)) if by == "agent" else None,
    )
    id = str(uuid5(NAMESPACE_URL, json.dumps([person, source or now.isoformat(), key, text])))
    await host.database.write_again(lambda db: submit(host, db, submission, id=id))
    host.signals.tell(topic_of(person))
    host.wake()
    return id


def submit(host: Host, db: Connection, submission: anp.Submission, *, id: str) -> None:
    """Stores an event and sends it where its flags say, or puts its words in place of those of an open one.

    Args:
        host: The host.
        db: The transaction.
        submission: The event as it is submitted.
        id: What it is to be called; what is stored under this id already stays as it is.

    Raises:
        Conflict: Somebody was faster.
    """
    person, key, now = submission.user_id, submission.deduplication_key, host.world.now()
    db.execute(select(people.c.address).where(people.c.address == person).with_for_update())  # one at a time
    store = events_in(host, db)
    same = store.open(person, deduplication_key=key) if key is not None else []
    event = store.get(id) or (same[0] if same else None)
    decision = anp.decide(event, anp.Submit(submission=submission, id=id), now=now, rules=RULES)
    if isinstance(decision, Rejected):
        log.info("an event is not stored again: %s", decision.code)
        return
    if decision.expected is not None:  # new words for an event that is somewhere already
        commit(store, decision)
        return
    lane = store.lane(anp.lane_of(decision.record, rules=RULES))
    step = anp.dispatch(lane, decision.record, now=now, rules=RULES)
    if isinstance(step, Rejected):  # too much waits for the turn that runs: a job dispatches it later
        commit(store, decision)
        return
    effects = tuple(one for one in decision.effects if not isinstance(one, anp.Dispatch))
    commit(store, replace(decision, effects=effects))
    commit(store, step)


def dispatch(host: Host, db: Connection, id: str) -> None:
    """Sends an event where its flags say.

    Raises:
        Conflict: Somebody was faster, or too much waits for the turn that runs: do it again.
    """
    store, now = events_in(host, db), host.world.now()
    event = store.get(id)
    if event is None:
        return
    step = anp.dispatch(store.lane(anp.lane_of(event, rules=RULES)), event, now=now, rules=RULES)
    if not isinstance(step, Rejected):
        commit(store, step)
    elif step.temporary:
        raise Conflict(step.code)


def apply(host: Host, db: Connection, id: str, command: anp.Command) -> str | None:
    """Applies a command to an event; the code of what refuses it.

    Args:
        host: The host.
        db: The transaction.
        id: The event.
        command: What is to become of it.

    Raises:
        Conflict: Somebody was faster.
    """
    store = events_in(host, db)
    decision = anp.decide(store.get(id), command, now=host.world.now(), rules=RULES)
    if isinstance(decision, Rejected):
        log.info("an event stays as it is: %s", decision.code)
        return decision.code
    commit(store, decision)
    return None


def watch(host: Host, db: Connection) -> None:
    """Hands over what the agent has not delivered in time.

    Raises:
        Conflict: Somebody was faster.
    """
    store, now = events_in(host, db), host.world.now()
    for one in store.due(now, limit=AT_ONCE):
        if isinstance(one, anp.Notification):
            apply(host, db, one.id, anp.Tick())
        else:
            step = anp.lane_tick(one, events=events_of(store, one), now=now, rules=RULES)
            if step.lane.version != step.expected:
                commit(store, step)


def commit(store: Events, change: anp.Change) -> None:
    """Stores a change.

    Raises:
        Conflict: Somebody was faster.
    """
    if not store.commit(change):
        raise Conflict("an event or a lane was changed meanwhile")
