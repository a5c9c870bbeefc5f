"""What others get: the actor, its collections, notes, activities and files. What is private its readers alone get."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qs, urlsplit

from mentionable import Fetched, HttpRequest, HttpResponse, activitypub, replace
from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import Response

from mentionable_host.http import conditional, network_of, request_of, response_of
from mentionable_host.store import blocks, follows, publications
from mentionable_host.store.database import StoreUnavailable
from mentionable_host.store.settings import read_setting
from mentionable_host.transports.activitypub.pages import VARY, page, wants_page
from mentionable_host.transports.activitypub.pending import Pending

if TYPE_CHECKING:
    from mentionable_host.transports.activitypub.transport import ActivityPub

__all__ = ["MOVED_TO", "Documents"]

log = logging.getLogger(__name__)

MOVED_TO: Final = "activitypub.moved-to"
"""The setting that holds the id of the account that the agent moved to."""

PATHS: Final = ("objects", "activities", "stamps", "files")
MAX_QUERY: Final = 200
CACHE_SECONDS: Final = 180
"""So long a shared cache may keep what is public: what is withdrawn is gone soon."""

_PUBLIC: Final = (("cache-control", f"public, max-age={CACHE_SECONDS}"), VARY)
_PRIVATE: Final = (("cache-control", "private, no-store"), ("vary", "signature, signature-input"))

_TERMS: Final = {
    "manuallyApprovesFollowers": "as:manuallyApprovesFollowers",
    "toot": "http://joinmastodon.org/ns#",
    "discoverable": "toot:discoverable",
    "indexable": "toot:indexable",
}
"""Terms of an actor that the context of ActivityStreams does not have."""


class Documents:
    """Answers every GET."""

    def __init__(self, transport: ActivityPub, pending: Pending) -> None:
        """Serves nothing yet.

        Args:
            transport: Whose documents these are.
            pending: Counts whose signatures are being verified.
        """
        self._transport, self._host, self._pending = transport, transport.host, pending

    async def serve(self, request: Request) -> Response:
        """The response to a GET or HEAD."""
        host = self._host
        asked = await request_of(request, limit=0, origin=host.config.origin)
        asked = replace(asked, body=b"")
        try:
            found = await self._response(asked, network=network_of(request))
        except StoreUnavailable as error:
            log.warning("a document cannot be read: %s", error)
            found = HttpResponse(status=503, headers={"retry-after": "60"})
        return response_of(conditional(found, asked))

    async def own(self, url: str) -> Fetched | None:
        """A document as the library gets it; None for a URL of others."""
        place = urlsplit(url)
        base = self._host.config.origin
        if not url.startswith(f"{base}/") or not self._is_ours(url[len(base) :].partition("?")[0]):
            return None
        query = f"?{place.query}" if place.query else ""
        found = await self._host.database.read(lambda db: self._find(db, url.partition("?")[0], query))
        if found is None:
            return Fetched(url=url, status=404, content_type="", body=b"")
        status = 410 if found.json is not None and found.json.get("type") == "Tombstone" else 200
        return Fetched(url=url, status=status, content_type=found.content_type, body=found.value)

    def actor(self, *, moved_to: str | None = None) -> dict[str, Any]:
        """The actor document."""
        config, settings = self._host.config, self._host.config.activitypub
        document = activitypub.actor(
            self._host.address,
            url=self._transport.actor_id,
            keys=[*self._transport.keys.published(), self._host.keys.object],
            name=config.agent.display_name or config.agent.name,
            summary=config.agent.summary or None,
            icon=settings.icon,
            page=settings.page,
            shared_inbox=f"{config.origin}/inbox",
        )
        document = activitypub.with_aliases(document, also_known_as=settings.also_known_as, moved_to=moved_to)
        document["@context"] = [*document["@context"], _TERMS]
        return document | {
            "manuallyApprovesFollowers": config.agent.follows != "accept",
            "discoverable": config.agent.discoverable,
            "indexable": settings.indexable,
        }

    async def _response(self, asked: HttpRequest, *, network: str) -> HttpResponse:
        """The response with a document, for whoever may see it."""
        url, query = asked.url.partition("?")[0], urlsplit(asked.url).query
        found = await self._host.database.read(lambda db: self._find(db, url, f"?{query}" if query else ""))
        if found is not None and found.json is None:
            served = activitypub.ServedFile(mime=found.content_type, data=found.value)
            return HttpResponse(status=200, headers=served.headers, body=found.value)
        document = None if found is None else found.json
        open_to_all = not self._host.config.activitypub.authorized_fetch or url == self._transport.actor_id
        response = activitypub.document_response(document)
        if open_to_all and response.status != 404:
            if document and wants_page(asked) and not self._host.config.activitypub.authorized_fetch:
                shown = await self._host.database.read(lambda db: self._page(db, document))
                response = response if shown is None else shown
            return replace(response, headers=(*response.headers, *_PUBLIC))
        return await self._for_reader(asked, document, network=network)

    async def _for_reader(
        self, asked: HttpRequest, document: Mapping[str, Any] | None, *, network: str
    ) -> HttpResponse:
        """A document for the reader who signed; the same for what does not exist and for what is hidden."""
        transport, host = self._transport, self._host
        claimed = activitypub.peek(asked)
        if claimed.origin is None:
            return self._hidden()
        names = blocks.targets(host=claimed.origin)
        if await host.database.read(lambda db: blocks.is_blocked(db, names)):
            return self._hidden()
        with self._pending.of(claimed.origin, network=network) as is_admitted:
            if not is_admitted:
                return HttpResponse(status=429, headers={"retry-after": "60"})
            flow = activitypub.verify_reader(asked, now=host.world.now())
            reader = await host.drive(flow)
        if reader.id is None:
            return self._hidden()
        known, address, url = reader.id, reader.verdict.address, asked.url.partition("?")[0]

        def look(db: Connection) -> tuple[bool, bool]:
            names = blocks.targets(address, known)
            return blocks.is_blocked(db, names), follows.is_follower(db, known, agent=host.address)

        is_blocked, is_follower = await host.database.read(look)
        if is_blocked:
            return self._hidden()
        if url == transport.synchronization_url:
            place = urlsplit(known).netloc
            followers = await host.database.read(lambda db: follows.followers_at(db, place, agent=host.address))
            return activitypub.synchronization_response(followers, url=url, reader=reader)
        member_of = {f"{transport.actor_id}/followers"} if is_follower else set()
        response = activitypub.document_response(document, reader=reader, member_of=member_of)
        names_held = {name for name, _ in response.headers}
        return replace(response, headers=(*response.headers, *(one for one in _PRIVATE if one[0] not in names_held)))

    def _hidden(self) -> HttpResponse:
        """What who did not sign gets: 404, or, where all must sign, 401."""
        must_sign = self._host.config.activitypub.authorized_fetch
        return HttpResponse(status=401 if must_sign else 404, headers=_PRIVATE)

    def _page(self, db: Connection, document: Mapping[str, Any]) -> HttpResponse | None:
        """The page of the actor with its newest notes, or of a note; None: no page shows such a document."""
        notes: Sequence[Mapping[str, Any]] = [document]
        if document.get("id") == self._transport.actor_id:
            notes = publications.newest_notes(db)
        elif "attributedTo" not in document or document.get("type") == "Tombstone":
            return None
        host, url = self._host, str(document["id"])
        is_listed = host.config.activitypub.indexable
        return page(self.actor(), address=host.address, url=url, notes=notes, is_listed=is_listed)

    def _is_ours(self, path: str) -> bool:
        own = f"/actors/{self._host.config.agent.name}"
        return path == own or path.startswith(f"{own}/") or path.split("/")[1] in PATHS

    def _find(self, db: Connection, url: str, query: str) -> publications.Document | None:
        """What is under a URL, for whoever may see it."""
        actor, made = self._transport.actor_id, None
        if url == actor:
            moved = read_setting(db, MOVED_TO)
            made = self.actor(moved_to=moved.decode() if moved else None)
        elif url == f"{actor}/outbox":
            made = self._outbox(db, query)
            if made is None:
                return None
        elif url in (f"{actor}/followers", f"{actor}/following"):
            side: follows.Side = "followers" if url.endswith("followers") else "following"
            made = activitypub.collection(url, total=follows.count(db, side, agent=self._host.address))
        elif url == f"{actor}/featured":
            made = activitypub.collection(url, total=0)
        if made is None:
            return publications.document(db, url)
        return publications.Document(content_type=publications.ACTIVITY_JSON, value=json.dumps(made).encode())

    def _outbox(self, db: Connection, query: str) -> dict[str, Any] | None:
        """The outbox, or one of its pages; None: there is no such page."""
        url, total = f"{self._transport.actor_id}/outbox", publications.count_public(db)
        cursors = parse_qs(query[1:MAX_QUERY]).get("page")
        if cursors is None:
            return activitypub.collection(url, total=total, first=publications.newest(db))
        one = publications.page(db, cursors[0]) if len(cursors) == 1 else None
        if one is None:
            return None
        return activitypub.collection_page(
            url, cursor=cursors[0], items=one.items, total=total, next_cursor=one.older, prev_cursor=one.newer
        )
