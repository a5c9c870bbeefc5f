"""What the agent does on the Fediverse: each is stored in one transaction with its documents and its deliveries.

The functions with a connection are part of the transaction of their caller.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from mentionable import activitypub
from sqlalchemy import Connection

from mentionable_host.store import blocks, follows, publications
from mentionable_host.store.publications import Kind, Publication
from mentionable_host.transports.activitypub.deliveries import enqueue

if TYPE_CHECKING:
    from mentionable_host.transports.activitypub.transport import ActivityPub

__all__ = [
    "accept_request",
    "followers_of",
    "publish",
    "reject_request",
    "withdraw",
]


def publish(
    db: Connection,
    out: activitypub.Outgoing,
    *,
    transport: ActivityPub,
    kind: Kind,
    about: str | None = None,
    recipient: str | None = None,
    address: str | None = None,
    thread_id: str | None = None,
    is_for_followers: bool = False,
) -> None:
    """Stores what goes out: what is served of it, and a job for each inbox. A direct note with it likewise.

    Args:
        db: The transaction.
        out: What the library made.
        transport: Whose it is.
        kind: What it is.
        about: What it is about, as in `Publication`.
        recipient: The id of the actor that it is for alone.
        address: The address of the person that it is for.
        thread_id: The conversation.
        is_for_followers: Whether it goes to all followers.
    """
    now = transport.host.world.now()
    for native_id in [one for one in (out.native_id, out.private_id) if one is not None]:
        is_private = native_id == out.private_id
        mine = {url: one for url, one in out.serve.items() if _is_part_of(one, out.private_id) == is_private}
        posts = [post for post in out.deliveries if _is_part_of(json.loads(post.body), out.private_id) == is_private]
        one = Publication(
            native_id=native_id,
            kind=kind,
            activity=json.loads(posts[0].body)["id"] if posts else out.activity["id"],
            inboxes=tuple(post.url for post in posts),
            public=activitypub.document_response(mine.get(native_id)).status == 200,
            about=about,
            person=address,
        )
        publications.put(db, one, serve=mine, files={} if is_private else out.files)
        enqueue(
            db,
            posts,
            now=now,
            publication=native_id,
            recipient=recipient,
            address=address,
            thread_id=thread_id,
            is_for_followers=is_for_followers,
        )


def withdraw(db: Connection, one: Publication, *, transport: ActivityPub) -> None:
    """Withdraws a note, or undoes an activity: all who got it get that, and whoever asks learns that it is gone.

    It goes out also where the first delivery still waits: a try whose answer was lost may have brought it there.
    """
    found = publications.document(db, one.native_id)
    document = None if found is None else found.json
    publications.remove(db, one.native_id)
    if document is None:
        return
    undo_or_delete = activitypub.delete if one.kind in ("answer", "post") else activitypub.undo
    out = undo_or_delete(document, to=one.inboxes, **transport.facts())
    now = transport.host.world.now()
    publications.put_documents(db, out.serve, person=one.person)
    enqueue(db, out.deliveries, now=now)


def accept_request(db: Connection, got: activitypub.ReceivedActivity, *, about: str, transport: ActivityPub) -> None:
    """Accepts a Follow or a quote. This takes the place of an earlier one, however often the same is asked for."""
    forget_accept(db, about)
    out, actor = activitypub.accept(got, **transport.facts()), got.actor
    publish(db, out, transport=transport, kind="accept", about=about, recipient=actor.id, address=actor.address)


def reject_request(db: Connection, got: activitypub.ReceivedActivity, *, transport: ActivityPub) -> None:
    """Rejects a Follow or a quote. No peer can fill the store with it, as it is not served: its signature is enough."""
    out = activitypub.reject(got, **transport.facts())
    enqueue(db, out.deliveries, now=transport.host.world.now(), address=got.actor.address)  # also to who blocks it


def forget_accept(db: Connection, about: str) -> None:
    """Serves the Accept of something no more."""
    for one in publications.about(db, about, kind="accept"):
        publications.remove(db, one.native_id)


def followers_of(db: Connection, transport: ActivityPub) -> tuple[activitypub.Actor, ...]:
    """The followers who get what is for followers: not those that the operator blocks."""
    found = follows.relations(db, "followers", agent=transport.host.address, state="accepted")
    names = {one.actor: blocks.targets(one.actor.address, one.actor.id) for one in found}
    blocked = blocks.blocked_among(db, (name for all_of_one in names.values() for name in all_of_one))
    return tuple(actor for actor, all_of_one in names.items() if blocked.isdisjoint(all_of_one))


def _is_part_of(document: Mapping[str, Any], native_id: str | None) -> bool:
    """Whether a document or an activity is a note, or is about it."""
    inner = document.get("object")
    about = inner.get("id") if isinstance(inner, Mapping) else inner
    return native_id is not None and native_id in (document.get("id"), about)
