"""What the agent publishes unasked: notes, and notes of others that it passes on. `relations` has who it follows.

All return when it is stored; the worker delivers it. So a command line may call them while a server runs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, TypeVar

from mentionable import Part, Rejected, StoredMessage, activitypub
from sqlalchemy import Connection

from mentionable_host.store import messages, publications
from mentionable_host.transports.activitypub import publishing

if TYPE_CHECKING:
    from mentionable_host.transports.activitypub.transport import ActivityPub

__all__ = ["ActorNotFound", "announce", "find_actor", "post", "stored", "withdraw"]

T = TypeVar("T")

OWN: Final = "own"


class ActorNotFound(Exception):
    """No account is found under an address. The message says which step failed.

    Attributes:
        retriable: Whether trying again later may help.
    """

    def __init__(self, message: str, *, retriable: bool = False) -> None:
        """Says why."""
        super().__init__(message)
        self.retriable = retriable


async def find_actor(transport: ActivityPub, address: str) -> activitypub.Actor:
    """The actor behind an address.

    Raises:
        ActorNotFound: There is none, or their server cannot be asked just now.
    """
    found = await transport.host.drive(activitypub.find_actor(address))
    if isinstance(found, Rejected):
        raise ActorNotFound(f"{address}: {found.code}", retriable=found.code == "actor-unresolvable")
    return found


async def post(
    transport: ActivityPub,
    *parts: Part | str,
    visibility: activitypub.Visibility = "public",
    mention: Sequence[str] = (),
    files: Mapping[str, bytes] | None = None,
) -> str:
    """Publishes a note to the followers, or to those that it mentions; its id.

    Args:
        transport: The Fediverse.
        parts: What it says; a string is Markdown.
        visibility: Who may see it: `direct` is for those that it mentions alone.
        mention: Addresses of those that it mentions.
        files: SHA-256 in hex → bytes, for parts that are named by their digest.

    Raises:
        ActorNotFound: One of the addresses leads to no account.
        UsageError: There is nothing to say, say.
    """
    actors = tuple([await find_actor(transport, one) for one in mention])

    def work(db: Connection) -> str:
        followers = () if visibility == "direct" else publishing.followers_of(db, transport)
        audience = activitypub.Audience(visibility=visibility, actors=actors, followers=followers)
        out = activitypub.post(*parts, audience=audience, blobs=files or {}, **transport.facts())
        address = actors[0].address if visibility == "direct" and len(actors) == 1 else None
        to_all = visibility != "direct"
        publishing.publish(db, out, transport=transport, kind="post", address=address, is_for_followers=to_all)
        agent = transport.host.address
        row = StoredMessage(id=out.native_id, thread_id=out.native_id, sender=agent, auth_method=OWN)
        messages.put_native_ids(db, {(out.native_id, agent): row}, person=address)
        return out.native_id

    return await stored(transport, work)


async def announce(transport: ActivityPub, object_id: str, *, author: str | None = None) -> str:
    """Passes a public note of somebody on to the followers; the id of the Announce. A second time does nothing.

    Args:
        transport: The Fediverse.
        object_id: The id of the note.
        author: The address of its author, who so hears of it.

    Raises:
        ActorNotFound: The address leads to no account.
    """
    actors = () if author is None else (await find_actor(transport, author),)

    def work(db: Connection) -> str:
        for before in publications.about(db, object_id, kind="announce"):
            return before.native_id
        audience = activitypub.Audience(actors=actors, followers=publishing.followers_of(db, transport))
        out = activitypub.announce(object_id, audience=audience, **transport.facts())
        publishing.publish(db, out, transport=transport, kind="announce", about=object_id, is_for_followers=True)
        return out.native_id

    return await stored(transport, work)


async def withdraw(transport: ActivityPub, native_id: str) -> bool:
    """Withdraws an answer or a post, or undoes an Announce; False: there is none of this id."""

    def work(db: Connection) -> bool:
        one = publications.get(db, native_id)
        if one is None or one.kind not in publications.LISTED:
            return False
        publishing.withdraw(db, one, transport=transport)
        return True

    return await stored(transport, work)


async def stored(transport: ActivityPub, work: Callable[[Connection], T]) -> T:
    """What comes of a transaction, which is tried again where another one was faster."""
    result = await transport.host.database.write_again(work)
    transport.host.wake()
    return result
