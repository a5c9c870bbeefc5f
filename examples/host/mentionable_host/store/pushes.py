"""Subscriptions of Web Push, and the jobs that tell devices of what is presented and of what is settled.

A presentation is noted as pushed before it goes out, in a transaction that holds its event. So whoever settles the
event finds every device that may display it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final

from attrs import frozen
from mentionable import anp, decode_trusted, dumps, encode
from sqlalchemy import Connection, delete, select

from mentionable_host.store import jobs
from mentionable_host.store.dialects import upsert
from mentionable_host.store.settings import first_setting
from mentionable_host.store.tables import notifications, push_subscriptions, pushes

__all__ = [
    "OF_A_PERSON",
    "PRESENT",
    "SETTLE",
    "Push",
    "begin",
    "end",
    "follow",
    "name_of",
    "settled",
    "subscribe",
    "subscription",
    "topics_secret",
    "unsubscribe",
]

OF_A_PERSON: Final = 20
"""So many subscriptions of a person are kept; the oldest goes."""
PRESENT: Final = "push.present"
SETTLE: Final = "push.settle"
KEPT: Final = timedelta(weeks=4)
"""So long it is known that a presentation was pushed: no push service keeps one longer."""
TOPICS: Final = "web push topics"


@frozen(kw_only=True)
class Push:
    """An event that is just going to a device.

    Attributes:
        event: The event.
        subscription: How the device is reached.
    """

    event: anp.Notification
    subscription: anp.PushSubscription


def name_of(endpoint: str) -> str:
    """What stands for the URL of a subscription, which whoever knows it could send to."""
    return sha256(endpoint.encode()).hexdigest()


def subscribe(db: Connection, person: str, subscription: anp.PushSubscription, *, device: str, now: datetime) -> None:
    """Stores how a device is reached, in place of how it was; who subscribed with this URL before loses it.

    Args:
        db: The transaction.
        person: Who has signed in on the device.
        subscription: As the browser says it.
        device: The id of the device.
        now: The time.
    """
    table, name = push_subscriptions, name_of(subscription.endpoint)
    holder = db.execute(select(table.c.person).where(table.c.endpoint == name)).scalar()
    if holder is not None and holder != person:
        end(db, name)
    row = {"endpoint": name, "person": person, "device": device, "value": dumps(subscription), "at": now.timestamp()}
    upsert(db, table, row)
    others = (table.c.person == person) & (table.c.endpoint != name)
    before = db.execute(select(table.c.endpoint).where(others, table.c.device == device)).scalars().all()
    newest = select(table.c.endpoint).where(others).order_by(table.c.at.desc(), table.c.endpoint)
    more = db.execute(newest.offset(OF_A_PERSON - 1)).scalars().all()
    for one in {*before, *more}:
        end(db, one)


def unsubscribe(db: Connection, person: str, endpoint: str) -> bool:
    """Forgets a subscription of a person; whether there was one."""
    name = name_of(endpoint)
    is_theirs = subscription(db, name, person=person) is not None
    if is_theirs:
        end(db, name)
    return is_theirs


def end(db: Connection, name: str) -> None:
    """Forgets a subscription and all that went to it."""
    db.execute(delete(pushes).where(pushes.c.endpoint == name))
    db.execute(delete(push_subscriptions).where(push_subscriptions.c.endpoint == name))


def subscription(db: Connection, name: str, *, person: str) -> anp.PushSubscription | None:
    """The subscription of a name, where it is still that of a person."""
    here = (push_subscriptions.c.endpoint == name) & (push_subscriptions.c.person == person)
    value = db.execute(select(push_subscriptions.c.value).where(here)).scalar()
    return None if value is None else decode_trusted(anp.PushSubscription, value)


def follow(
    db: Connection, item: anp.Presentation | anp.Settled, *, now: datetime, after: timedelta = timedelta()
) -> None:
    """Stores the jobs that tell the devices of a person, in the transaction that puts an item into their stream.

    Args:
        db: The transaction. What is settled is stored by then.
        item: What came into the stream. It is pushed to each subscription; what is settled, to those alone to which it
            was presented.
        now: The time.
        after: How long a presentation waits: what is seen elsewhere meanwhile is not pushed.
    """
    if isinstance(item, anp.Presentation):
        mine = push_subscriptions.c.person == item.user_id
        names = db.execute(select(push_subscriptions.c.endpoint).where(mine)).scalars().all()
        what = {"event": item.id, "lease": item.lease, "revision": item.revision}
        _enqueue(db, PRESENT, names, item=item, what=what, now=now, due=now + after)
        return
    here = (pushes.c.event == item.id) & (pushes.c.lease == item.lease) & (pushes.c.person == item.user_id)
    names = db.execute(select(pushes.c.endpoint).where(here)).scalars().all()
    _enqueue(db, SETTLE, names, item=item, what={"settled": encode(item)}, now=now, due=now)


def begin(db: Connection, job: jobs.StoredJob, *, now: datetime) -> Push | None:
    """Notes that the presentation of a job goes out now; None: it is not presented any more, or nobody is there."""
    what, person = json.loads(job.payload), job.person or ""
    row = select(notifications.c.value).where(notifications.c.id == what["event"], notifications.c.person == person)
    value = db.execute(row.with_for_update()).scalar()  # who settles it now waits until it is noted
    to = subscription(db, what["endpoint"], person=person)
    if value is None or to is None:
        return None
    event = decode_trusted(anp.Notification, value)
    shown = anp.presentation(event)
    if shown is None or (shown.lease, shown.revision) != (what["lease"], what["revision"]):
        return None
    key = {"endpoint": what["endpoint"], "event": event.id, "lease": shown.lease}
    upsert(db, pushes, {**key, "person": person, "until": (now + KEPT).timestamp()})
    return Push(event=event, subscription=to)


def settled(db: Connection, name: str, item: anp.Settled) -> None:
    """Notes that a device was told that an event is settled."""
    here = (pushes.c.event == item.id) & (pushes.c.lease == item.lease) & (pushes.c.endpoint == name)
    db.execute(delete(pushes).where(here))


def topics_secret(db: Connection, fresh: bytes) -> bytes:
    """What makes topics that nobody guesses: these bytes, or those of before."""
    return first_setting(db, TOPICS, fresh)


def _enqueue(
    db: Connection,
    kind: str,
    names: Iterable[str],
    *,
    item: anp.Presentation | anp.Settled,
    what: dict[str, object],
    now: datetime,
    due: datetime,
) -> None:
    """Stores one job for each subscription: none waits for another."""
    for name in names:
        job = jobs.Job(
            key=f"{kind} {name} {item.id} {item.revision} {item.lease}",
            kind=kind,
            lane=f"{jobs.PUSHES}{name}",
            payload=json.dumps({"endpoint": name, **what}).encode(),
            due=due,
            person=item.user_id,
        )
        jobs.enqueue(db, job, now=now)
