"""What happens to a stored message afterwards: somebody edits it, deletes it, or reacts."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from mentionable import FilePart, NormalizedMessage, Part, replace
from mentionable.connectors import ReceivedEvent
from sqlalchemy import Connection, delete, select

from mentionable_host.store import jobs, messages, reply_targets
from mentionable_host.store.dialects import upsert
from mentionable_host.store.forgotten import mark_forgotten
from mentionable_host.store.tables import jobs as job_table
from mentionable_host.store.tables import native_ids, reactions

__all__ = ["apply", "posts", "question"]

REACTION: Final = "reaction"
"""What kinds of reactions of platforms begin with; the emoji follows, since one person may give several."""


def question(db: Connection, message_id: str) -> NormalizedMessage | None:
    """A message as it reads now."""
    found = messages.latest(db, message_id)
    return found.value if found is not None and isinstance(found.value, NormalizedMessage) else None


def posts(db: Connection, message_id: str) -> list[str]:
    """The native ids under which a platform shows the answer to a message."""
    own = native_ids.c.message_id == messages.answer_id(message_id)
    return list(db.execute(select(native_ids.c.native_id).where(own).order_by(native_ids.c.native_id)).scalars())


def apply(db: Connection, event: ReceivedEvent, *, now: datetime) -> list[str]:
    """Applies what happened; of a deletion the native ids of the answers to what was deleted."""
    messages.put_native_ids(db, event.to_store)
    if event.type == "edited":
        for row in event.stored.values():
            _edit(db, row.id, event.parts)
    elif event.type == "deleted":
        answers = [post for row in event.stored.values() for post in posts(db, row.id)]
        _delete(db, event, now=now)
        return answers
    else:
        _react(db, event, now=now)
    return []


def _edit(db: Connection, message_id: str, parts: Sequence[Part]) -> None:
    """The message as it reads now, in the place of the message as it read before."""
    message = question(db, message_id)
    if message is not None:
        messages.edit(db, replace(message, parts=_with_files(parts, message.parts)))


def _with_files(parts: Sequence[Part], before: Sequence[Part]) -> tuple[Part, ...]:
    """The new parts with the files that are kept: an edit names them by URLs that lead nowhere."""
    kept = {(part.name, part.mime): part for part in before if isinstance(part, FilePart)}
    found = (kept.get((part.name, part.mime)) if isinstance(part, FilePart) else part for part in parts)
    return tuple(part for part in found if part is not None)


def _delete(db: Connection, event: ReceivedEvent, *, now: datetime) -> None:
    """Removes messages, their answers, and the jobs that would answer. A late delivery makes none of them anew."""
    mark_forgotten(db, event.object_ids, now=now)
    ids = [row.id for row in event.stored.values() if row.auth_method != "own"]
    messages.remove(db, ids)
    for message_id in ids:
        reply_targets.remove(db, message_id)
    waiting = job_table.c.key.in_([f"answer {id}" for id in ids]) & (job_table.c.state == "waiting")
    for number in db.execute(select(job_table.c.number).where(waiting)).scalars().all():
        jobs.finish(db, number, now=now)
    db.execute(delete(reactions).where(reactions.c.object.in_(event.object_ids)))


def _react(db: Connection, event: ReceivedEvent, *, now: datetime) -> None:
    """Stores or removes a reaction to a message that is stored."""
    for native_id in event.stored:
        actor, kind = event.actor and event.actor.address, f"{REACTION} {event.content}"
        if event.type == "reaction-added" and actor is not None:
            values = {"object": native_id, "actor": actor, "kind": kind, "content": event.content}
            upsert(db, reactions, {**values, "at": now.timestamp()})
            continue
        where = reactions.c.object == native_id
        where &= reactions.c.kind.startswith(f"{REACTION} ") if event.content is None else reactions.c.kind == kind
        db.execute(delete(reactions).where(where if actor is None else where & (reactions.c.actor == actor)))
