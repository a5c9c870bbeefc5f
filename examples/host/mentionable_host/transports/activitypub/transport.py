"""The transport: its routes, its jobs, and how an answer becomes a note."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from mentionable import Fetched, HttpRequest, NormalizedMessage, NormalizedResponse, UsageError, activitypub, discovery
from sqlalchemy import Connection
from starlette.routing import BaseRoute, Route

from mentionable_host.first_contact import in_own_thread
from mentionable_host.keys import actor_url
from mentionable_host.queue.outcome import Handler
from mentionable_host.store import follows, messages, publications
from mentionable_host.store.forgotten import was_forgotten
from mentionable_host.transports.activitypub import relations
from mentionable_host.transports.activitypub.activities import MOVE
from mentionable_host.transports.activitypub.deliveries import DELIVER, deliver
from mentionable_host.transports.activitypub.documents import PATHS, Documents
from mentionable_host.transports.activitypub.inbox import Inbox
from mentionable_host.transports.activitypub.keyring import KeyRing
from mentionable_host.transports.activitypub.pending import Pending
from mentionable_host.transports.activitypub.publishing import publish, withdraw
from mentionable_host.transports.activitypub.synchronization import SYNCHRONIZE, compare
from mentionable_host.transports.transport import Reply, Transport

if TYPE_CHECKING:
    from mentionable_host.host import Host

__all__ = ["ActivityPub"]

log = logging.getLogger(__name__)

QUOTES = activitypub.QuotePolicy(automatic=("public",))
"""What is public may be quoted, and requests for that are approved."""


class ActivityPub(Transport):
    """An actor, its inbox, and what it wrote. `Discovery` has the WebFinger that leads to it.

    Attributes:
        actor_id: The id of the actor.
        synchronization_url: Where each server sees which of its own users follow the agent (FEP-8fcf).
        keys: Its keys at a time.
        settings: The settings of the library.
        is_reachable: Whether other servers can reach it: they speak https alone, and need a DNS name. Else nothing is
            served.
    """

    name: ClassVar[str] = "activitypub"

    def __init__(self, host: Host) -> None:
        """Opens nothing."""
        super().__init__(host)
        self.actor_id = actor_url(host.config)
        self.synchronization_url = f"{self.actor_id}/followers_synchronization"
        self.keys = KeyRing(host)
        own = host.keys.object
        # Each try of a delivery is signed anew, with the key of the time. So what goes out is made with the key that
        # signs in the shortest time: there may be thousands of deliveries.
        self.settings = activitypub.Settings(
            key=own,
            object_key=own,
            use_once=True,
            quote_policy=QUOTES,
            trace_viewer=host.config.trace_viewer,
        )
        pending = Pending()
        self._inbox, self._documents = Inbox(self, pending), Documents(self, pending)
        self.is_reachable = self._is_reachable()

    def routes(self) -> Sequence[BaseRoute]:
        """The own and the shared inbox, the actor, its collections, and what it wrote."""
        if not self.is_reachable:
            return ()
        actor = f"/actors/{self.host.config.agent.name}"
        get = partial(Route, methods=["GET"], endpoint=self._documents.serve)  # and HEAD
        return [
            Route("/inbox", self._inbox.receive, methods=["POST"]),
            Route(f"{actor}/inbox", self._inbox.receive, methods=["POST"]),
            get(actor),
            get(f"{actor}/{{name}}"),
            *(get(f"/{name}/{{path:path}}") for name in PATHS),
        ]

    def handlers(self) -> Mapping[str, Handler]:
        """Deliveries, accounts that moved, and accounts that the agent follows."""
        return {
            DELIVER: partial(deliver, self),
            MOVE: partial(relations.followed_moved, self),
            SYNCHRONIZE: partial(compare, self),
        }

    def facts(self) -> dict[str, Any]:
        """What everything is made with that goes out."""
        world = self.host.world
        facts = {"base": self.host.config.origin, "settings": self.settings}
        return {**facts, "now": world.now(), "entropy": world.entropy()}

    def forget(self, db: Connection, address: str) -> None:
        """Withdraws what is for a person alone, the answers to them above all, and ends that one follows the other.

        Args:
            db: The transaction.
            address: Their address.
        """
        for one in publications.of_person(db, address):
            if one.kind in ("answer", "post", "follow"):
                withdraw(db, one, transport=self)
        for actor in follows.actors_of(db, address):
            follows.end_relations(db, actor, agent=self.host.address)

    def describe(self) -> Mapping[str, Any]:
        """Where the actor is, for the agent card."""
        if not self.is_reachable:
            return {}
        actor = self.actor_id
        return {
            "activitypub": discovery.ActivityPubSection(actor=actor, inbox=f"{actor}/inbox", outbox=f"{actor}/outbox")
        }

    async def own_document(self, url: str) -> Fetched | None:
        """The actor, its collections, what it wrote; private notes too, which the library only reads."""
        return await self._documents.own(url) if self.is_reachable else None

    def sign(self, request: HttpRequest) -> HttpRequest | None:
        """A GET by the actor: many servers answer no other."""
        if not self.is_reachable:
            return None
        return activitypub.sign(request, key=self.keys.signing(), now=self.host.world.now())

    async def reply(self, response: NormalizedResponse, *, to: NormalizedMessage) -> Reply:
        """A note for whoever asked, as visible as the question."""
        out = activitypub.reply(response, to=to, **self.facts())
        profile = to.sender.profile

        def store(db: Connection) -> None:
            if was_forgotten(db, to.id):  # its author deleted it while the agent thought about it
                messages.remove(db, [to.id])  # so the answer is not stored either
                return
            publish(
                db,
                out,
                transport=self,
                kind="answer",
                about=messages.answer_id(to.id),
                recipient=profile.provider_subject if profile else None,
                address=to.sender.address,
                thread_id=in_own_thread(to, out.native_id).thread_id,
            )

        return Reply(native_ids=tuple(one for one in (out.native_id, out.private_id) if one), store=store)

    def _is_reachable(self) -> bool:
        """Whether the configuration gives an actor that others can fetch."""
        try:
            self._documents.actor()
        except UsageError as error:
            log.warning("the agent is not on the Fediverse: %s", error)
            return False
        return True
