"""The inbox: a delivery is answered with 202 as soon as what it brings is stored, in one transaction."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING, Any, Final

from mentionable import (
    AsyncAnswers,
    Failed,
    Fetch,
    Fetched,
    FindMessages,
    HttpRequest,
    Limits,
    MentionableError,
    Received,
    Rejected,
    StoredMessage,
    activitypub,
    replace,
)
from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import Response

from mentionable_host.admission import is_flooding
from mentionable_host.http import network_of, request_of
from mentionable_host.receiving import store_received, take_in
from mentionable_host.store import blocks, follows, messages
from mentionable_host.store.database import Conflict, StoreUnavailable
from mentionable_host.store.forgotten import was_forgotten
from mentionable_host.transports.activitypub.activities import act
from mentionable_host.transports.activitypub.pending import Pending
from mentionable_host.transports.activitypub.reading import may_read, nothing_at
from mentionable_host.transports.activitypub.synchronization import enqueue_comparison

if TYPE_CHECKING:
    from mentionable_host.transports.activitypub.transport import ActivityPub

__all__ = ["Inbox"]

log = logging.getLogger(__name__)

LATER: Final = {"retry-after": "60"}
Outcome = Received | activitypub.ReceivedActivity | Rejected


class Inbox:
    """Takes deliveries."""

    def __init__(self, transport: ActivityPub, pending: Pending) -> None:
        """Takes none yet.

        Args:
            transport: Whose inbox it is.
            pending: Counts whose deliveries are worked on.
        """
        self._transport, self._host, self._pending = transport, transport.host, pending

    async def receive(self, request: Request) -> Response:
        """The status is all that a peer gets: the reason of a refusal may say what is stored."""
        host = self._host
        limit = Limits().activitypub_bytes
        asked = await request_of(request, limit=limit, origin=host.config.origin)
        if len(asked.body) > limit:
            return Response(status_code=413)
        origin, actor = activitypub.peek(asked).origin, claimed_actor(asked.body)
        if origin is None:
            return Response(status_code=400)
        try:
            names = blocks.targets(actor=actor, host=origin)
            if await host.database.look(lambda db: blocks.is_blocked(db, names)):
                log.info("%r is blocked", origin)
                return Response(status_code=403)
            with self._pending.of(origin, network=network_of(request)) as is_admitted:
                if not is_admitted:
                    return Response(status_code=429, headers=LATER)
                got = await self._take_in(asked, actor=actor)
        except (StoreUnavailable, Conflict) as error:
            log.warning("a delivery is not taken: %s", error)
            return Response(status_code=503, headers=LATER)
        return Response(status_code=_status(got))

    async def _take_in(self, asked: HttpRequest, *, actor: str | None) -> Outcome:
        """Runs the flow of the library, and stores what comes of it."""
        host, transport = self._host, self._transport
        settings = transport.settings

        def begin() -> Any:
            now, entropy = host.world.now(), host.world.entropy()
            return activitypub.receive(asked, now=now, entropy=entropy, settings=settings)

        async def find_messages(ask: FindMessages) -> dict[str, StoredMessage]:
            return await host.database.look(lambda db: self._find(db, ask.native_id, actor=actor))

        async def fetch(ask: Fetch) -> Fetched | Failed:
            found = await host.fetch(ask)
            if ask.purpose != "object" or isinstance(found, Failed):
                return found
            return found if await self._may_read(found, actor) else nothing_at(found.url)

        def store(db: Connection, got: Outcome) -> None:
            self._store(db, got)
            if actor is not None and not isinstance(got, Rejected) and got.verdict.verified:
                enqueue_comparison(db, asked, actor=actor, transport=transport)

        return await take_in(host, begin, store=store, answers=AsyncAnswers(find_messages=find_messages, fetch=fetch))

    async def _may_read(self, found: Fetched, actor: str | None) -> bool:
        """Whether who claims to deliver something may read a document that it leads to."""
        host, agent_id = self._host, self._transport.actor_id
        if actor is None or may_read(found, actor):
            return may_read(found, actor)
        is_follower = await host.database.look(lambda db: follows.is_follower(db, actor, agent=host.address))
        return is_follower and may_read(found, actor, member_of=[f"{agent_id}/followers"])

    def _find(self, db: Connection, native_id: str, *, actor: str | None) -> dict[str, StoredMessage]:
        """Agent → what is stored under an id. Of an actor only what claims to be by them learns something.

        Nothing is verified when this is asked: a stranger could else try who follows the agent and who writes to it.
        """
        found = messages.find_all(db, native_id)
        if found or native_id != actor:
            return found
        return follows.known_as(db, native_id, agent=self._host.address)

    def _store(self, db: Connection, got: Outcome) -> None:
        """Stores a message, or does what an activity says."""
        match got:
            case activitypub.ReceivedActivity(redelivered=False, actor=actor):
                if not blocks.is_blocked(db, blocks.targets(actor.address, actor.id)):
                    self._act(db, got)
            case Received() if got.verdict.verified and not self._is_unwanted(db, got):
                if got.redelivered:  # it may have come under another id, and it is not stored as it was before an edit
                    messages.put_native_ids(db, got.to_store)
                    again = {message.id for message in got.redelivered}
                    new = tuple(message for message in got.messages if message.id not in again)
                    got = replace(got, messages=new, redelivered=())
                if any(is_flooding(db, one, host=self._host, now=self._host.world.now()) for one in got.messages):
                    raise StoreUnavailable("so much comes of this sender that nothing more of it is stored for now")
                store_received(db, got, host=self._host, transport=self._transport.name)

    def _act(self, db: Connection, got: activitypub.ReceivedActivity) -> None:
        """Does what an activity says: all of it, or nothing where the library refuses to make what it calls for."""
        try:
            with db.begin_nested():
                act(db, got, transport=self._transport)
        except MentionableError as error:
            log.error("%s of %r does nothing: %r", got.type, str(got.actor.address), str(error))

    def _is_unwanted(self, db: Connection, got: Received) -> bool:
        """Whether a message is by somebody who is blocked or blocks the agent, or comes again after it was removed."""
        senders = [message.sender for message in (*got.messages, *got.edited)]
        actors = [one.profile.provider_subject for one in senders if one.profile and one.profile.provider_subject]
        names = [name for one in senders for name in blocks.targets(one.address)]
        if blocks.is_blocked(db, [*names, *actors], by_peers=actors):
            return True
        was_removed = any(not messages.is_there(db, one.id) for one in got.redelivered)
        return was_removed or was_forgotten(db, got.native_id, *got.aliases)


def claimed_actor(body: bytes) -> str | None:
    """The id of the actor that an activity names: a claim, and the library refuses what cannot be read."""
    try:
        actor = json.loads(body)["actor"]
    except (ValueError, TypeError, LookupError, RecursionError):
        return None
    actor = actor.get("id") if isinstance(actor, dict) else actor
    return actor if isinstance(actor, str) else None


def _status(got: Outcome) -> int:
    """What the peer learns."""
    if isinstance(got, Rejected):
        log.info("refused: %s", got.code)
        return got.http_status
    if isinstance(got, Received) and not got.verdict.verified:
        log.info("refused: %s", got.verdict.code)
        return 401
    return 202
