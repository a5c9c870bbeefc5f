"""How the agent is found: WebFinger, NodeInfo and its card, with what the configured transports say of themselves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from mentionable import Fetched, HttpRequest, HttpResponse, discovery, replace
from mentionable.activitypub import webfinger
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from mentionable_host.http import conditional, request_of, response_of
from mentionable_host.store import publications
from mentionable_host.store.database import StoreUnavailable
from mentionable_host.transports.transport import Service
from mentionable_host.version import own_version

__all__ = ["Discovery"]

SOFTWARE: Final = "mentionable-host"
EMAIL: Final = "email"
"""The name of the transport of mail, and its word in a card."""

CACHE: Final = ("cache-control", "public, max-age=3600")


class Discovery(Service):
    """`/.well-known/webfinger`, NodeInfo 2.1, and the agent card. No message comes or goes here."""

    name: ClassVar[str] = "discovery"

    def routes(self) -> Sequence[BaseRoute]:
        """All are GET and HEAD."""
        card = discovery.agent_card_url(self.host.address).partition(self.host.config.agent.domain)[2]
        return [
            Route("/.well-known/webfinger", self.webfinger, methods=["GET"]),
            Route("/.well-known/nodeinfo", self.nodeinfo, methods=["GET"]),
            Route("/nodeinfo/2.1", self.nodeinfo, methods=["GET"]),
            Route(card, self.agent_card, methods=["GET"]),
        ]

    async def own_document(self, url: str) -> Fetched | None:
        """What WebFinger says of the agent itself; of others, those are asked."""
        place = f"https://{self.host.config.agent.domain}/.well-known/webfinger"
        descriptor = self.descriptor() if url.partition("?")[0] == place else None
        if descriptor is None:
            return None
        found = discovery.webfinger_response(HttpRequest(method="GET", url=url), agents=[descriptor])
        kind = found.header("content-type") or ""
        return Fetched(url=url, status=found.status, content_type=kind, body=found.body)

    async def webfinger(self, request: Request) -> Response:
        """Who is behind the address of the agent."""
        descriptor = self.descriptor()
        asked = await self._asked(request)
        agents = [] if descriptor is None else [descriptor]
        return _sent(discovery.webfinger_response(asked, agents=agents), asked)

    async def nodeinfo(self, request: Request) -> Response:
        """Which software this is, and how much the agent wrote in public."""
        asked = await self._asked(request)
        try:
            posts = await self.host.database.read(publications.count_public)
        except StoreUnavailable:
            posts = None
        about = discovery.write_nodeinfo(software=SOFTWARE, version=own_version(), users=1, posts=posts)
        return _sent(discovery.nodeinfo_response(asked, nodeinfo=about), asked)

    async def agent_card(self, request: Request) -> Response:
        """The card of the agent, where it can be called."""
        asked, card = await self._asked(request), self.card()
        found = HttpResponse(status=404) if card is None else discovery.agent_card_response(card)
        return _sent(found, asked)

    def descriptor(self) -> dict[str, Any] | None:
        """What WebFinger says; None: no transport is configured that needs it."""
        host, sections = self.host, self._sections()
        actor = sections["activitypub"].actor if "activitypub" in sections else None
        page = host.config.activitypub.page
        if self.card() is not None:
            return discovery.write_jrd(
                host.address,
                agent_card=discovery.agent_card_url(host.address),
                actor=actor,
                profile_page=page,
                mailto=host.config.agent.mailbox if EMAIL in host.transports else None,
            )
        return None if actor is None else webfinger(host.address, url=actor, page=page)

    def card(self) -> discovery.AgentCard | None:
        """The card; None: the agent cannot be called over A2A, so it has none."""
        host, sections = self.host, self._sections()
        if "a2a" not in sections:
            return None
        ways: list[str] = [name for name in ("a2a", "activitypub", "rest") if name in sections]
        ways += [EMAIL] if EMAIL in host.transports else []
        about = discovery.MentionableSection(
            supported_inbound=tuple(ways), homepage=host.config.activitypub.page, rest=sections.get("rest")
        )
        agent = host.config.agent
        return discovery.AgentCard(
            address=host.address,
            name=agent.display_name or agent.name,
            version=own_version(),
            description=agent.summary or None,
            a2a=sections["a2a"],
            activitypub=sections.get("activitypub"),
            mentionable=about,
        )

    def _sections(self) -> dict[str, Any]:
        sections: dict[str, Any] = {}
        for one in self.host.transports.values():
            sections |= one.describe()
        return sections

    async def _asked(self, request: Request) -> HttpRequest:
        return await request_of(request, limit=0, origin=self.host.config.origin)


def _sent(response: HttpResponse, asked: HttpRequest) -> Response:
    """The response, which caches may keep for an hour where it is one."""
    if response.status == 200 and response.header("cache-control") is None:
        response = replace(response, headers=(*response.headers, CACHE))
    return response_of(conditional(response, asked))
