"""Carries out what decisions upon events ask for, as jobs."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

from mentionable import MentionableError, anp, decode_trusted

from mentionable_host import first_contact
from mentionable_host.agents.outreach import where_they_are_alone
from mentionable_host.notifications import proactive
from mentionable_host.notifications.events import apply, dispatch, events_in, submit, watch
from mentionable_host.notifications.rules import RULES
from mentionable_host.queue.outcome import Dead, Done, Handler, Outcome
from mentionable_host.store import streams

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from mentionable_host.host import Host
    from mentionable_host.store.jobs import StoredJob

__all__ = ["handlers"]

log = logging.getLogger(__name__)

SUBJECT: Final = 70
"""So many characters of an event are the subject of its mail."""


def handlers(host: Host) -> dict[str, Handler]:
    """Kind of job → what does it."""

    async def effect(job: StoredJob) -> Outcome:
        return await _carry_out(host, decode_trusted(anp.Effect, job.payload), job)

    async def tick(job: StoredJob) -> Outcome:
        return Done(lambda db: watch(host, db), topics=_topics(job.person))

    async def write(job: StoredJob) -> Outcome:
        return await _write(host, decode_trusted(anp.Effect, job.payload))

    return {"anp.effect": effect, "anp.tick": tick, "anp.write": write}


async def _carry_out(host: Host, effect: anp.Effect, job: StoredJob) -> Outcome:
    """Carries an effect out."""
    match effect:
        case anp.Dispatch(id=id):
            return Done(lambda db: dispatch(host, db, id), topics=_topics(job.person))
        case anp.StartTurn():
            return await proactive.run(host, effect, key=job.key) if host.agent.notice_handler is not None else Done()
        case anp.MustSurface(notice=notice, notice_id=notice_id) if notice is not None and notice_id is not None:
            return Done(lambda db: submit(host, db, notice, id=notice_id), topics=_topics(notice.user_id))
        case anp.DeadLetter(id=id, reason=reason):
            return Dead(f"{id} could not be presented: {reason}")
    presentation = anp.presentation(effect)
    return Done() if presentation is None else await _present(host, presentation, is_last=True)


async def _write(host: Host, effect: anp.Effect) -> Outcome:
    """Writes to a person who has not looked at any device for a while, where the event is still open as it was."""
    event = await host.database.read(lambda db: events_in(host, db).get(effect.id))
    if event is None or not event.is_presented:
        return Done()
    if (event.owner_lease, event.revision) != (effect.lease, effect.revision):
        return Done()
    presentation = anp.presentation(event)
    return Done() if presentation is None else await _present(host, presentation, is_last=False)


async def _present(host: Host, presentation: anp.Presentation, *, is_last: bool) -> Outcome:
    """Writes to the person. What is stored for delivery counts as seen: the queue sees to it from there.

    Args:
        host: The host.
        presentation: What to show.
        is_last: Whether there is no other way to them, so that an event that cannot go by this one may fail.
    """
    key = f"notice {presentation.id} {presentation.revision} {presentation.lease}"
    subject = presentation.content.strip().splitlines()[0][:SUBJECT]
    failed = Done(lambda db: is_last and apply(host, db, presentation.id, anp.DeliveryFailed(lease=presentation.lease)))
    first = await where_they_are_alone(host, presentation.user_id, key=key, subject=subject)
    if first is None:
        return failed
    text = "\n\n".join(line for line in (presentation.content, presentation.actions_text(RULES.wording)) if line)
    try:
        written = await first_contact.write(host, text, to=first)
    except MentionableError as error:
        log.error("an event cannot go by %s: %s", first.received_via, error)
        return failed

    def store(db: Connection) -> None:
        written.store(db, now=host.world.now())
        apply(host, db, presentation.id, anp.ClientAck(lease=presentation.lease, user_id=presentation.user_id))

    return Done(store, topics=_topics(presentation.user_id))


def _topics(person: str | None) -> tuple[str, ...]:
    return () if person is None else (streams.topic_of(person),)
