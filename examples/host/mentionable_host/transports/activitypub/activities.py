"""What an activity of somebody else changes, in the transaction that stores that it came."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Final

from mentionable import activitypub
from sqlalchemy import Connection, select

from mentionable_host.store import blocks, follows, jobs, messages, publications, reactions
from mentionable_host.store.forgotten import mark_forgotten
from mentionable_host.store.tables import native_ids
from mentionable_host.transports.activitypub import publishing

if TYPE_CHECKING:
    from mentionable_host.transports.activitypub.transport import ActivityPub

__all__ = ["MOVE", "act", "forget_account", "forget_messages"]

log = logging.getLogger(__name__)

MOVE: Final = "activitypub.move"
REACTIONS: Final = ("Announce", "Dislike", "EmojiReact", "Like")


def act(db: Connection, got: activitypub.ReceivedActivity, *, transport: ActivityPub) -> None:
    """Does what an activity says. Its actor may say so, or the library would have rejected it.

    What is undone is found by actor, type and object: any id may stand in it, and an Undo of a follow of another
    account comes here too. Whoever does the same twice changes nothing the second time.
    """
    host, actor, inner = transport.host, got.actor, got.inner
    agent, now = host.address, host.world.now()
    is_about_us = inner is not None and inner.object_id == transport.actor_id
    match got.type, inner.type if inner is not None else None:
        case "Follow", _ if got.object_ids == (transport.actor_id,):
            _followed(db, got, transport=transport, now=now)
        case "Undo", "Follow" if is_about_us:
            follows.end_relation(db, "followers", actor.id, agent=agent)
        case "Block", _:
            blocks.add(db, actor.id, by="peer", now=now, note=got.id)
            follows.end_relations(db, actor.id, agent=agent)
        case "Undo", "Block" if is_about_us:
            blocks.remove(db, actor.id, by="peer")
        case (("Accept" | "TentativeAccept"), ("Follow" | None)):
            follows.accept(db, "following", actor.id, agent=agent)
        case (("Reject" | "TentativeReject"), ("Follow" | None)):
            follows.end_relation(db, "following", actor.id, agent=agent)
        case "Update", _:
            follows.refresh(db, actor)
        case "Move", _ if got.target_id is not None:
            _moved(db, got.object_ids[0], got.target_id, transport=transport, now=now)
        case "Delete", _ if got.object_id == actor.id:
            forget_account(db, actor, transport=transport)
        case "Delete", _:
            forget_messages(db, [row.id for row in got.stored.values()], transport=transport)
        case "Undo", kind if inner is not None and kind in REACTIONS and inner.object_id is not None:
            reactions.remove(db, actor=actor.id, kind=str(kind), object_id=inner.object_id)
        case kind, _ if kind in REACTIONS and got.object_id is not None:
            if publications.document(db, got.object_id) is not None:
                facts = {"actor": actor.id, "kind": kind, "object_id": got.object_id}
                reactions.put(db, **facts, content=got.content, now=now)
        case "QuoteRequest", _ if (got.object_id or "").startswith(f"{host.config.origin}/"):
            _quoted(db, got, transport=transport)
        case "Flag", _:
            reactions.put_report(db, got, now=now)
            log.warning("%r reports %d objects", str(actor.address), len(got.object_ids))
        case _:
            pass  # nothing here depends on the others


def forget_messages(db: Connection, message_ids: Iterable[str], *, transport: ActivityPub) -> None:
    """Forgets messages and withdraws the answers to them. One that a server sends once more is not answered again."""
    for message_id in dict.fromkeys(message_ids):
        for one in publications.about(db, messages.answer_id(message_id), kind="answer"):
            publishing.withdraw(db, one, transport=transport)
        known = select(native_ids.c.native_id).where(native_ids.c.message_id == message_id)
        mark_forgotten(db, (message_id, *db.execute(known).scalars()), now=transport.host.world.now())
        messages.remove(db, [message_id])


def forget_account(db: Connection, actor: activitypub.Actor, *, transport: ActivityPub) -> None:
    """Forgets an actor who is gone, what they wrote from that account, and what the agent answered."""
    forget_messages(db, messages.ids_of(db, actor.address, transport=transport.name), transport=transport)
    follows.end_relations(db, actor.id, agent=transport.host.address)
    follows.forget_actor(db, actor.id)


def _followed(db: Connection, got: activitypub.ReceivedActivity, *, transport: ActivityPub, now: datetime) -> None:
    """Stores a follower and accepts, asks the operator, or rejects. A second request of one is answered too."""
    host, actor = transport.host, got.actor
    policy = host.config.agent.follows
    before = follows.relation(db, "followers", actor.id, agent=host.address)
    is_accepted = policy == "accept" or (before is not None and before.state == "accepted")
    if blocks.is_blocked(db, by_peers=[actor.id]) or (policy == "reject" and not is_accepted):
        publishing.reject_request(db, got, transport=transport)
        return
    state: follows.State = "accepted" if is_accepted else "pending"
    document = got.document
    follows.put_relation(db, "followers", actor, agent=host.address, state=state, activity=document, now=now)
    if is_accepted:
        publishing.accept_request(db, got, about=actor.id, transport=transport)


def _moved(db: Connection, old: str, new: str, *, transport: ActivityPub, now: datetime) -> None:
    """An account that the agent follows has another account now: a job asks who that is, and follows it."""
    followed = follows.relation(db, "following", old, agent=transport.host.address)
    if followed is None:
        return
    payload = json.dumps([old, new]).encode()
    job = jobs.Job(key=f"{MOVE} {old} {new}", kind=MOVE, lane=MOVE, payload=payload, person=followed.actor.address)
    jobs.enqueue(db, job, now=now)


def _quoted(db: Connection, got: activitypub.ReceivedActivity, *, transport: ActivityPub) -> None:
    """Approves a quote of a public note; one that is not public is rejected like one that does not exist."""
    found = publications.document(db, got.object_id or "")
    note = None if found is None else found.json
    is_public = activitypub.document_response(note).status == 200 and note is not None and "attributedTo" in note
    if is_public and not blocks.is_blocked(db, by_peers=[got.actor.id]):
        publishing.accept_request(db, got, about=f"{got.object_id} in {got.target_id}", transport=transport)
    else:
        publishing.reject_request(db, got, transport=transport)
