"""Who the agent follows, who follows it, who it blocks, and where it moves: what the agent or its operator decides.

All return when it is stored; the worker delivers it. So a command line may call them while a server runs.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from mentionable import Failed, Fetch, Verdict, activitypub
from sqlalchemy import Connection

from mentionable_host.queue.outcome import Dead, Done, Outcome, Retry
from mentionable_host.store import blocks, follows, jobs, publications
from mentionable_host.store.settings import write_setting
from mentionable_host.transports.activitypub import publishing
from mentionable_host.transports.activitypub.actions import ActorNotFound, find_actor, stored
from mentionable_host.transports.activitypub.documents import MOVED_TO

if TYPE_CHECKING:
    from mentionable_host.transports.activitypub.transport import ActivityPub

__all__ = [
    "accept_follower",
    "block",
    "follow",
    "followed_moved",
    "move",
    "reject_follower",
    "unblock",
    "unfollow",
]


async def follow(transport: ActivityPub, address: str) -> follows.Relation:
    """Asks to follow somebody; what is between them and the agent now. Who is followed already is not asked again.

    Raises:
        ActorNotFound: No account is found.
        UsageError: It is the agent itself.
    """
    actor = await find_actor(transport, address)
    return await stored(transport, lambda db: _follow(db, actor, transport=transport))


async def unfollow(transport: ActivityPub, address: str) -> bool:
    """Follows somebody no more; False: the agent did not."""
    return await stored(transport, lambda db: _unfollow(db, address, transport=transport))


async def accept_follower(transport: ActivityPub, actor: str) -> bool:
    """Accepts who asked to follow, by the id of their actor or their address; False: they do not wait for it."""

    def work(db: Connection) -> bool:
        agent = transport.host.address
        found = follows.relation(db, "followers", actor, agent=agent)
        if found is None or not follows.accept(db, "followers", found.actor.id, agent=agent):
            return False
        publishing.accept_request(db, _request_of(found, transport), about=found.actor.id, transport=transport)
        return True

    return await stored(transport, work)


async def reject_follower(transport: ActivityPub, actor: str) -> bool:
    """Rejects who asked to follow, or removes who does; False: they neither asked nor follow."""

    def work(db: Connection) -> bool:
        found = follows.relation(db, "followers", actor, agent=transport.host.address)
        if found is None:
            return False
        follows.end_relation(db, "followers", found.actor.id, agent=transport.host.address)
        publishing.reject_request(db, _request_of(found, transport), transport=transport)
        return True

    return await stored(transport, work)


async def block(transport: ActivityPub, target: str, *, note: str | None = None, tell: bool = False) -> int:
    """Blocks somebody, or a domain with its subdomains; how many followers and followed ones that ends.

    Args:
        transport: The Fediverse.
        target: The id of an actor, an address `@name@domain`, or a domain.
        note: Why, for the operator.
        tell: Whether the server of an actor or address hears of it: then it shows that person that they are blocked.

    Raises:
        ActorNotFound: They should learn of it, and no account is found.
        ValueError: It is none of these.
    """
    name, kind = blocks.target_of(target)
    named = await find_actor(transport, name) if tell and kind == "address" else None

    def work(db: Connection) -> int:
        agent = transport.host.address
        known = (follows.relation(db, side, name, agent=agent) for side in follows.SIDES)
        actor = named or next((one.actor for one in known if one is not None and one.actor.id == name), None)
        block = blocks.add(db, target, now=transport.host.world.now(), note=note)
        if tell and actor is not None:
            out = activitypub.block(actor, **transport.facts())
            publishing.publish(db, out, transport=transport, kind="block", about=block.target)
        return block.ended

    return await stored(transport, work)


async def unblock(transport: ActivityPub, target: str) -> bool:
    """Ends a block; who learned of it learns that. False: there was none."""

    def work(db: Connection) -> bool:
        for one in publications.about(db, blocks.stored_target(target)[0], kind="block"):
            publishing.withdraw(db, one, transport=transport)
        return blocks.remove(db, target)

    return await stored(transport, work)


async def move(transport: ActivityPub, address: str) -> int:
    """Moves the agent to another account, which must name this one in `alsoKnownAs`; how many followers it tells.

    Raises:
        ActorNotFound: No account is found, or their document cannot be read.
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

    return await stored(transport, work)


async def followed_moved(transport: ActivityPub, job: jobs.StoredJob) -> Outcome:
    """Follows the new account of an account that the agent followed; both accounts name each other."""
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


def _follow(db: Connection, actor: activitypub.Actor, *, transport: ActivityPub) -> follows.Relation:
    agent = transport.host.address
    found = follows.relation(db, "following", actor.id, agent=agent)
    if found is not None:
        return found
    out = activitypub.follow(actor, **transport.facts())
    publishing.publish(
        db, out, transport=transport, kind="follow", about=actor.id, recipient=actor.id, address=actor.address
    )
    now = transport.host.world.now()
    follows.put_relation(db, "following", actor, agent=agent, state="pending", activity=out.activity, now=now)
    return follows.Relation(actor=actor, state="pending", activity=out.activity, since=now)


def _unfollow(db: Connection, name: str, *, transport: ActivityPub) -> bool:
    agent = transport.host.address
    found = follows.relation(db, "following", name, agent=agent)
    if found is None:
        return False
    for one in publications.about(db, found.actor.id, kind="follow"):
        publishing.withdraw(db, one, transport=transport)
    return follows.remove_relation(db, "following", found.actor.id, agent=agent)


def _request_of(follower: follows.Relation, transport: ActivityPub) -> activitypub.ReceivedActivity:
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
