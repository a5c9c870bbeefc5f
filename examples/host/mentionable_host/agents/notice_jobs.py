"""What becomes of notices: the jobs that send them on, present them, write them to people, and watch their deadlines.

Who has a device sees them there: they are in the stream by then. Who has none, or does not look, is written to.
"""

from __future__ import annotations

import logging
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Final

from mentionable import MentionableError, Rejected, anp, decode_trusted, dumps
from sqlalchemy import Connection

from mentionable_host import first_contact
from mentionable_host.agents import notice_turns
from mentionable_host.agents.notices import RULES, apply, events_of
from mentionable_host.agents.outreach import where_they_are_alone
from mentionable_host.queue.outcome import Dead, Done, Handler, Outcome
from mentionable_host.store import jobs, streams
from mentionable_host.store.database import Conflict
from mentionable_host.store.jobs import StoredJob
from mentionable_host.store.notifications import Events

if TYPE_CHECKING:
    from mentionable_host.host import Host

__all__ = ["handlers"]

log = logging.getLogger(__name__)

SUBJECT: Final = 70
"""So many characters of a notice are the subject of its mail."""
WRITE: Final = "anp.write"


def handlers(host: Host) -> dict[str, Handler]:
    """Kind of job → what does it."""

    async def effect(job: StoredJob) -> Outcome:
        return await _carry_out(host, decode_trusted(anp.Effect, job.payload), job)

    async def write(job: StoredJob) -> Outcome:
        shown = decode_trusted(anp.Presentation, job.payload)
        is_open = await host.database.read(lambda db: _is_open(db, host, shown))
        return await _write(host, shown) if is_open else Done()

    async def tick(job: StoredJob) -> Outcome:
        return Done(lambda db: _watch(db, host), topics=_topics(job.person))

    return {"anp.effect": effect, WRITE: write, "anp.tick": tick}


async def _carry_out(host: Host, effect: anp.Effect, job: StoredJob) -> Outcome:
    """Carries an effect out."""
    match effect:
        case anp.Dispatch(id=id):
            return Done(lambda db: _dispatch(db, host, id), topics=_topics(job.person))
        case anp.StartTurn():
            return await notice_turns.run(host, effect)
        case anp.DeadLetter(id=id, reason=reason):
            return Dead(f"nobody could be told of {id}: {reason}")
    shown = anp.presentation(effect)
    return Done() if shown is None else await _present(host, shown)


def _dispatch(db: Connection, host: Host, id: str) -> None:
    """Sends an event where its flags say."""
    now = host.world.now()
    store = Events(db, now=now)
    event = store.get(id)
    if event is None:
        return
    step = anp.dispatch(store.lane(anp.lane_of(event, rules=RULES)), event, now=now, rules=RULES)
    if isinstance(step, Rejected) and step.temporary:
        raise Conflict(step.code)
    if not isinstance(step, Rejected) and not store.commit(step):
        raise Conflict("a notice was changed meanwhile")


async def _present(host: Host, shown: anp.Presentation) -> Outcome:
    """Leaves it to the devices of the person for a while; writes to who has none."""
    now = host.world.now()
    if not await host.database.read(lambda db: streams.has_device(db, shown.user_id, now=now)):
        return await _write(host, shown)
    later = jobs.Job(
        key=f"{WRITE} {shown.id} {shown.revision} {shown.lease}",
        kind=WRITE,
        lane=f"anp {shown.user_id}",
        payload=dumps(shown),
        due=now + timedelta(seconds=host.config.notifications.write_after_seconds),
        person=shown.user_id,
    )
    return Done(partial(_enqueue, job=later, host=host), topics=_topics(shown.user_id))


async def _write(host: Host, shown: anp.Presentation) -> Outcome:
    """Writes to the person. What is stored for delivery counts as seen: the queue sees to it from there."""
    key = f"notice {shown.id} {shown.revision} {shown.lease}"
    subject, topics = shown.content.strip().splitlines()[0][:SUBJECT], _topics(shown.user_id)
    failed = Done(lambda db: apply(db, host, shown.id, anp.DeliveryFailed(lease=shown.lease)), topics=topics)
    first = await where_they_are_alone(host, shown.user_id, key=key, subject=subject)
    if first is None:
        return failed
    text = "\n\n".join(line for line in (shown.content, shown.actions_text) if line)
    try:
        written = await first_contact.write(host, text, to=first)
    except MentionableError as error:
        log.error("a notice cannot go by %s: %s", first.received_via, error)
        return failed

    def store(db: Connection) -> None:
        written.store(db, now=host.world.now())
        apply(db, host, shown.id, anp.ClientAck(lease=shown.lease, user_id=shown.user_id))

    return Done(store, topics=topics)


def _is_open(db: Connection, host: Host, shown: anp.Presentation) -> bool:
    """Whether an event is still presented as it was."""
    event = Events(db, now=host.world.now()).get(shown.id)
    now = None if event is None else anp.presentation(event)
    return now is not None and (now.lease, now.revision) == (shown.lease, shown.revision)


def _watch(db: Connection, host: Host) -> None:
    """Hands over what the agent has not delivered in time."""
    now = host.world.now()
    store = Events(db, now=now)
    for one in store.due(now, limit=100):
        if isinstance(one, anp.Notification):
            apply(db, host, one.id, anp.Tick())
        else:
            step = anp.lane_tick(one, events=events_of(store, one), now=now, rules=RULES)
            if step.lane.version != step.expected and not store.commit(step):
                raise Conflict("a lane was changed meanwhile")


def _enqueue(db: Connection, *, job: jobs.Job, host: Host) -> None:
    jobs.enqueue(db, job, now=host.world.now())


def _topics(person: str | None) -> tuple[str, ...]:
    return () if person is None else (streams.topic_of(person),)
