"""Both sides may disagree about who the agent follows, after a crash say: a delivery tells what its sender knows.

A job compares it with the store, at most once an hour for each actor that the agent follows (FEP-8fcf).
"""

from __future__ import annotations

import json
import logging
from base64 import b64decode, b64encode
from typing import TYPE_CHECKING, Final

from mentionable import HttpRequest, activitypub
from sqlalchemy import Connection

from mentionable_host.queue.outcome import Done, Outcome, Retry
from mentionable_host.store import follows, jobs

if TYPE_CHECKING:
    from mentionable_host.transports.activitypub.transport import ActivityPub

__all__ = ["SYNCHRONIZE", "compare", "enqueue_comparison"]

log = logging.getLogger(__name__)

SYNCHRONIZE: Final = "activitypub.synchronize"
HEADER: Final = "collection-synchronization"
HOUR: Final = 3600


def enqueue_comparison(db: Connection, asked: HttpRequest, *, actor: str, transport: ActivityPub) -> None:
    """Stores a job where a verified delivery of an account that the agent follows has the header.

    Args:
        db: The transaction.
        asked: The delivery as it came.
        actor: Who sent it.
        transport: The Fediverse.
    """
    host = transport.host
    if asked.header(HEADER) is None:
        return
    found = follows.relation(db, "following", actor, agent=host.address)
    if found is None:
        return
    now = host.world.now()
    delivery = {"url": asked.url, "headers": asked.headers, "body": b64encode(asked.body).decode()}
    job = jobs.Job(
        key=f"{SYNCHRONIZE} {actor} {int(now.timestamp()) // HOUR}",
        kind=SYNCHRONIZE,
        lane=SYNCHRONIZE,
        payload=json.dumps({"actor": actor, **delivery}).encode(),
        person=str(found.actor.address),
    )
    jobs.enqueue(db, job, now=now)


async def compare(transport: ActivityPub, job: jobs.StoredJob) -> Outcome:
    """Ends what the other side does not know, and takes for accepted what it does."""
    host, facts = transport.host, json.loads(job.payload)
    actor, headers = facts["actor"], [(name, value) for name, value in facts["headers"]]
    asked = HttpRequest(method="POST", url=facts["url"], headers=headers, body=b64decode(facts["body"]))
    found = await host.database.read(lambda db: follows.relation(db, "following", actor, agent=host.address))
    if found is None:
        return Done()
    known = [transport.actor_id] if found.state == "accepted" else []
    flow = activitypub.synchronize(asked, actor=actor, known=known, now=host.world.now())
    done = await host.drive(flow)
    if done.state == "unresolved" and job.tries < 2:
        return Retry(done.detail)

    def store(db: Connection) -> None:
        before = follows.relation(db, "following", actor, agent=host.address)
        if before is None or before.state != found.state:
            return  # it has changed meanwhile
        if transport.actor_id in done.not_followers:
            log.info("%r does not know that the agent follows them", str(before.actor.address))
            follows.end_relation(db, "following", actor, agent=host.address)
        elif transport.actor_id in done.not_known:
            follows.accept(db, "following", actor, agent=host.address)

    return Done(store)
