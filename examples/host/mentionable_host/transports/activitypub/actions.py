"""What the agent or its operator does unasked: publish, follow, pass on, decide who follows, move.

All return when it is stored; the worker delivers it. So a command line may call them beside a server that runs.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar

from mentionable import Failed, Fetch, Part, Rejected, StoredMessage, Verdict, activitypub, adrive
from sqlalchemy import Connection

from mentionable_host.queue.outcome import Dead, Done, Outcome, Retry
from mentionable_host.receiving import answers_of
from mentionable_host.store import citizens, jobs, messages, publications
from mentionable_host.store.database import Conflict
from mentionable_host.store.settings import write_setting
from mentionable_host.store.uses import Uses
from mentionable_host.transports.activitypub import publishing
from mentionable_host.transports.activitypub.documents import MOVED_TO

if TYPE_CHECKING:
    from mentionable_host.transports.activitypub.transport import ActivityPub

__all__ = [
    "ActorNotFound",
    "accept_follower",
    "announce",
    "find_actor",
    "follow",
    "followed_moved",
    "move",
    "post",
    "reject_follower",
    "unfollow",
    "withdraw",
]

T = TypeVar("T")

ATTEMPTS: Final = 4
OWN: Final = "own"


class ActorNotFound(Exception):
    """Nobody is found under an address. The message says which step failed.

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
    flow = activitypub.find_actor(address)
    found = await adrive(flow, answers_of(transport.host, Uses()), gather=asyncio.gather)
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
    """Publishes a note to the followers, or to those whom it mentions; its id.

    Args:
        transport: The Fediverse.
        parts: What it says; a string is Markdown.
        visibility: Who may see it: `direct` is for those whom it mentions alone.
        mention: Addresses of those whom it mentions.
        files: SHA-256 in hex → bytes, for parts that are named by their digest.

    Raises:
        ActorNotFound: One of the addresses leads to nobody.
        UsageError: There is nothing to say, say.
    """
    actors = tuple([await find_actor(transport, one) for one in mention])

    def work(db: Connection) -> str:
        followers = () if visibility == "direct" else publishing.followers_of(db, transport)
        audience = activitypub.Audience(visibility=visibility, actors=actors, followers=followers)
        out = activitypub.post(*parts, audience=audience, blobs=files or {}, **transport.facts())
        address = actors[0].address if visibility == "direct" and len(actors) == 1 else None
        publishing.publish(db, out, transport=transport, kind="post", address=address)
        agent = transport.host.address
        row = StoredMessage(id=out.native_id, thread_id=out.native_id, sender=agent, auth_method=OWN)
        messages.put_native_ids(db, {(out.native_id, agent): row}, person=address)
        return out.native_id

    return await _stored(transport, work)


async def announce(transport: ActivityPub, object_id: str, *, author: str | None = None) -> str:
    """Passes a public note of somebody on to the followers; the id of the Announce. A second time does nothing.

    Args:
        transport: The Fediverse.
        object_id: The id of the note.
        author: The address of its author, who so hears of it.

    Raises:
        ActorNotFound: The address leads to nobody.
    """
    actors = () if author is None else (await find_actor(transport, author),)

    def work(db: Connection) -> str:
        for before in publications.about(db, object_id, kind="announce"):
            return before.native_id
        audience = activitypub.Audience(actors=actors, followers=publishing.followers_of(db, transport))
        out = activitypub.announce(object_id, audience=audience, **transport.facts())
        publishing.publish(db, out, transport=transport, kind="announce", about=object_id)
        return out.native_id

    return await _stored(transport, work)


async def withdraw(transport: ActivityPub, native_id: str) -> bool:
    """Withdraws an answer or a post, or undoes an Announce; False: there is none of this id."""

    def work(db: Connection) -> bool:
        one = publications.get(db, native_id)
        if one is None or one.kind not in publications.LISTED:
            return False
        publishing.withdraw(db, one, transport=transport)
        return True

    return await _stored(transport, work)


async def follow(transport: ActivityPub, address: str) -> citizens.Relation:
    """Asks to follow somebody; what is between them and the agent now. Who is followed already is not asked again.

    Raises:
        ActorNotFound: Nobody is found.
        UsageError: It is the agent itself.
    """
    actor = await find_actor(transport, address)
    return await _stored(transport, lambda db: _follow(db, actor, transport=transport))


async def unfollow(transport: ActivityPub, address: str) -> bool:
    """Follows somebody no more; False: the agent did not."""
    return await _stored(transport, lambda db: _unfollow(db, address, transport=transport))


async def accept_follower(transport: ActivityPub, actor: str) -> bool:
    """Accepts who asked to follow, by the id of their actor or their address; False: they do not wait for it."""

    def work(db: Connection) -> bool:
        agent, now = transport.host.address, transport.host.world.now()
        found = citizens.relation(db, "followers", actor, agent=agent)
        if found is None or found.state == "accepted":
            return False
        document, follower = found.activity, found.actor
        citizens.put_relation(db, "followers", follower, agent=agent, state="accepted", activity=document, now=now)
        publishing.accept_request(db, _request_of(found, transport), about=found.actor.id, transport=transport)
        return True

    return await _stored(transport, work)


async def reject_follower(transport: ActivityPub, actor: str) -> bool:
    """Rejects who asked to follow, or removes who does; False: they neither asked nor follow."""

    def work(db: Connection) -> bool:
        found = citizens.relation(db, "followers", actor, agent=transport.host.address)
        if found is None:
            return False
        publishing.forget_follower(db, found.actor.id, agent=transport.host.address)
        publishing.reject_request(db, _request_of(found, transport), transport=transport)
        return True

    return await _stored(transport, work)


async def move(transport: ActivityPub, address: str) -> int:
    """Moves the agent to another account, which must name this one in `alsoKnownAs`; how many followers it tells.

    Raises:
        ActorNotFound: Nobody is found, or their document cannot be read.
        UsageError: The other account does not name this one.
    """
    actor = await find_actor(transport, address)
    target = await _document(transport, actor.id)

    def work(db: Connection) -> int:
        followers = publishing.followers_of(db, transport)
        out = activitypub.move(target, to=followers, **transport.facts())
        write_setting(db, MOVED_TO, actor.id.encode())
        publishing.publish(db, out, transport=transport, kind="move", about=actor.id)
        return len(followers)

    return await _stored(transport, work)


async def followed_moved(transport: ActivityPub, job: jobs.StoredJob) -> Outcome:
    """Follows the new account of somebody whom the agent followed; both accounts name each other."""
    old, new = json.loads(job.payload)
    try:
        document = await _document(transport, new)
        address = f"@{document.get('preferredUsername')}@{new.split('/')[2]}"
        actor = await find_actor(transport, address)
    except ActorNotFound as error:
        return Retry(str(error)) if error.retriable else Dead(str(error))
    if actor.id != new:
        return Dead(f"{address} is another account than the one that was named")

    def store(db: Connection) -> None:
        if _unfollow(db, old, transport=transport):
            _follow(db, actor, transport=transport)

    return Done(store)


def _follow(db: Connection, actor: activitypub.Actor, *, transport: ActivityPub) -> citizens.Relation:
    agent = transport.host.address
    found = citizens.relation(db, "following", actor.id, agent=agent)
    if found is not None:
        return found
    out = activitypub.follow(actor, **transport.facts())
    publishing.publish(
        db, out, transport=transport, kind="follow", about=actor.id, recipient=actor.id, address=actor.address
    )
    now = transport.host.world.now()
    citizens.put_relation(db, "following", actor, agent=agent, state="pending", activity=out.activity, now=now)
    return citizens.Relation(actor=actor, state="pending", activity=out.activity, since=now)


def _unfollow(db: Connection, whom: str, *, transport: ActivityPub) -> bool:
    agent = transport.host.address
    found = citizens.relation(db, "following", whom, agent=agent)
    if found is None:
        return False
    for one in publications.about(db, found.actor.id, kind="follow"):
        publishing.withdraw(db, one, transport=transport)
    return citizens.remove_relation(db, "following", found.actor.id, agent=agent)


def _request_of(follower: citizens.Relation, transport: ActivityPub) -> activitypub.ReceivedActivity:
    """The Follow of a follower as it was received: it was verified before it was stored."""
    actor = follower.actor
    return activitypub.ReceivedActivity(
        type="Follow",
        id=str(follower.activity["id"]),
        actor=actor,
        authority="own",
        object_ids=(transport.actor_id,),
        document=follower.activity,
        verdict=Verdict(method="ap-http-signature", verified=True, address=actor.address),
    )


async def _document(transport: ActivityPub, url: str) -> dict[str, Any]:
    """A document of somebody else, newly fetched.

    Raises:
        ActorNotFound: It is not there, or no JSON object.
    """
    found = await transport.host.fetch(Fetch(url=url, accept=publications.ACTIVITY_JSON, purpose="actor", fresh=True))
    if isinstance(found, Failed) or found.status >= 500:
        raise ActorNotFound(f"{url} cannot be read just now", retriable=True)
    try:
        document = json.loads(found.body) if found.status == 200 else None
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, dict):
        raise ActorNotFound(f"there is no actor at {url}")
    return document


async def _stored(transport: ActivityPub, work: Callable[[Connection], T]) -> T:
    """What comes of a transaction, which is tried again where another one was faster."""
    for attempt in range(ATTEMPTS):
        try:
            result = await transport.host.database.write(work)
        except Conflict:
            if attempt == ATTEMPTS - 1:
                raise
            continue
        transport.host.wake()
        return result
    raise AssertionError("the last attempt returns or raises")
