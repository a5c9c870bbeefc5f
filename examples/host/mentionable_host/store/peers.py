"""Conversations with agents that the agent asks: what each of them calls the conversation."""

from __future__ import annotations

import json
from datetime import datetime

from attrs import asdict, frozen
from sqlalchemy import Connection, select

from mentionable_host.store.dialects import insert_new
from mentionable_host.store.tables import peer_questions

__all__ = ["PeerPlace", "place_of", "put"]


@frozen(kw_only=True)
class PeerPlace:
    """A place in a conversation with a peer.

    Attributes:
        context_id: What the peer calls the conversation; over plain HTTP the session.
        task_id: The last task of it.
        state: The state in which that was.
    """

    context_id: str | None = None
    task_id: str | None = None
    state: str | None = None


def place_of(db: Connection, question: str, *, peer: str, thread_id: str) -> PeerPlace:
    """Where a question is asked: where it was asked before, else where the last one of the conversation has led."""
    table = peer_questions.c
    before = db.execute(select(table.asked_in).where(table.question == question)).scalar()
    if before is None:
        here = select(table.answered_in).where(table.peer == peer, table.thread_id == thread_id)
        before = db.execute(here.order_by(table.number.desc()).limit(1)).scalar()
    return PeerPlace() if before is None else PeerPlace(**json.loads(before))


def put(
    db: Connection,
    question: str,
    *,
    peer: str,
    thread_id: str,
    asked_in: PeerPlace,
    answered_in: PeerPlace,
    now: datetime,
) -> None:
    """Stores where a question was asked, and where its answer led; of one that is known, nothing changes."""
    values = {"question": question, "peer": peer, "thread_id": thread_id, "at": now.timestamp()}
    places = {"asked_in": asked_in, "answered_in": answered_in}
    written = {name: json.dumps(asdict(place)).encode() for name, place in places.items()}
    insert_new(db, peer_questions, {**values, **written})
