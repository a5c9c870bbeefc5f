"""How devices are reached by Web Push, and the jobs that tell them of what is presented and of what is settled.

A presentation is noted as pushed before it goes out, in a transaction that holds its event. So whoever settles the
event finds every device that may display it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Final

from attrs import frozen
from mentionable import anp, decode_trusted, dumps, encode
from sqlalchemy import Connection, delete, select

from mentionable_host.store import jobs, streams
from mentionable_host.store.dialects import upsert
from mentionable_host.store.settings import first_setting
from mentionable_host.store.tables import notifications, pushes
from mentionable_host.store.tables import push_subscriptions as table

__all__ = [
    "PRESENT",
    "SETTLE",
    "Push",
    "begin_present",
    "begin_settle",
    "end",
    "end_device",
    "follow",
    "name_of",
    "note_settled",
    "subscribe",
    "topics_secret",
    "unsubscribe",
]

MAX_SUBSCRIPTIONS: Final = 20
"""So many subscriptions a person has; the oldest goes."""
PRESENT: Final = "push.present"
SETTLE: Final = "push.settle"
RETENTION: Final = timedelta(weeks=4)
"""So long it is known that a presentation was pushed: no push service keeps one longer."""
TOPICS: Final = "web push topics"


@frozen(kw_only=True)
class Push:
    """Something that is just going to a device.

    Attributes:
        what: The event, or that it was settled.
        to: How the device is reached.
    """

    what: anp.Notification | anp.Settled
    to: anp.PushSubscription


def subscribe(db: Connection, person: str, device: str, to: anp.PushSubscription, *, now: datetime) -> bool:
    """Stores how a device is reached, in place of how it was; who subscribed with it before loses it.

    A browser has one secret for a URL. So whoever knows but the URL of another person's browser takes nothing over.

    Args:
        db: The transaction.
        person: Who has signed in on the device.
        device: The id of the device.
        to: The subscription, as the browser says it.
        now: The time.

    Returns:
        Whether it is stored. It is not where the URL is another person's, with another secret.
    """
    name, theirs = name_of(to.endpoint), table.c.person == person
    streams.hold(db, (person,))  # one at a time
    holder = db.execute(select(table.c.person, table.c.value).where(table.c.endpoint == name)).first()
    if holder is not None and holder.person != person:
        if decode_trusted(anp.PushSubscription, holder.value).keys.auth != to.keys.auth:
            return False
        end(db, name)
    before = select(table.c.endpoint).where(theirs, table.c.device == device, table.c.endpoint != name)
    others = select(table.c.endpoint).where(theirs, table.c.device != device).order_by(table.c.at.desc())
    for one in [*db.execute(before).scalars(), *db.execute(others.offset(MAX_SUBSCRIPTIONS - 1)).scalars()]:
        end(db, one)
    row = {"endpoint": name, "person": person, "device": device, "value": dumps(to), "at": now.timestamp()}
    upsert(db, table, row)
    return True


def unsubscribe(db: Connection, person: str, endpoint: str) -> None:
    """Forgets a subscription of a person, where it is theirs."""
    name = name_of(endpoint)
    if _subscription(db, name, person=person) is not None:
        end(db, name)


def end_device(db: Connection, person: str, device: str) -> None:
    """Forgets the subscription of a device of a person."""
    here = select(table.c.endpoint).where(table.c.person == person, table.c.device == device)
    for name in db.execute(here).scalars().all():
        end(db, name)


def end(db: Connection, name: str) -> None:
    """Forgets a subscription, and what went to it."""
    db.execute(delete(pushes).where(pushes.c.endpoint == name))
    db.execute(delete(table).where(table.c.endpoint == name))


def follow(
    db: Connection, item: anp.Presentation | anp.Settled, *, now: datetime, after: timedelta = timedelta()
) -> None:
    """Stores the jobs that tell the devices of a person, in the transaction that puts an item into their stream.

    A presentation goes to each subscription; that it is settled, to those alone to which it went.

    Args:
        db: The transaction. What is settled is stored in it by then.
        item: What comes into the stream.
        now: The time.
        after: How long a presentation waits: what is seen elsewhere meanwhile is not pushed.
    """
    if isinstance(item, anp.Presentation):
        names = db.execute(select(table.c.endpoint).where(table.c.person == item.user_id)).scalars().all()
        what = {"event": item.id, "lease": item.lease, "revision": item.revision}
        _enqueue(db, PRESENT, names, item=item, what=what, now=now, due=now + after)
    else:
        here = (pushes.c.person == item.user_id) & (pushes.c.event == item.id) & (pushes.c.lease == item.lease)
        names = db.execute(select(pushes.c.endpoint).where(here)).scalars().all()
        _enqueue(db, SETTLE, names, item=item, what={"settled": encode(item)}, now=now, due=now)


def begin_present(db: Connection, job: jobs.StoredJob, *, now: datetime) -> Push | None:
    """Records that the presentation of a job goes out now; None: it is presented no more, or the device is gone."""
    what, person = json.loads(job.payload), job.person or ""
    row = select(notifications.c.value).where(notifications.c.id == what["event"], notifications.c.person == person)
    value = db.execute(row.with_for_update()).scalar()  # who settles it just now waits for this
    to = _subscription(db, what["endpoint"], person=person)
    if value is None or to is None:
        return None
    event = decode_trusted(anp.Notification, value)
    presentation = anp.presentation(event)
    if presentation is None or (presentation.lease, presentation.revision) != (what["lease"], what["revision"]):
        return None
    key = {"endpoint": what["endpoint"], "event": event.id, "lease": presentation.lease}
    upsert(db, pushes, {**key, "person": person, "until": (now + RETENTION).timestamp()})
    return Push(what=event, to=to)


def begin_settle(db: Connection, job: jobs.StoredJob) -> Push | None:
    """What a job says of an event that was settled; None: the subscription is gone."""
    what = json.loads(job.payload)
    to = _subscription(db, what["endpoint"], person=job.person or "")
    return None if to is None else Push(what=decode_trusted(anp.Settled, what["settled"]), to=to)


def note_settled(db: Connection, job: jobs.StoredJob) -> None:
    """Records that a device has the message that an event is settled."""
    what = json.loads(job.payload)
    item = decode_trusted(anp.Settled, what["settled"])
    here = (pushes.c.event == item.id) & (pushes.c.lease == item.lease)
    db.execute(delete(pushes).where(here, pushes.c.endpoint == what["endpoint"]))


def topics_secret(db: Connection, fresh: bytes) -> bytes:
    """What makes topics that no attacker guesses: these bytes, or those of before."""
    return first_setting(db, TOPICS, fresh)


def name_of(endpoint: str) -> str:
    """The name of a subscription: whoever knows its URL could send to it."""
    return sha256(endpoint.encode("utf-8", "surrogatepass")).hexdigest()


def _subscription(db: Connection, name: str, *, person: str) -> anp.PushSubscription | None:
    here = (table.c.endpoint == name) & (table.c.person == person)
    value = db.execute(select(table.c.value).where(here)).scalar()
    return None if value is None else decode_trusted(anp.PushSubscription, value)


def _enqueue(
    db: Connection,
    kind: str,
    names: Iterable[str],
    *,
    item: anp.Presentation | anp.Settled,
    what: dict[str, Any],
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
