"""Events that the page of the demo submits: one for the system, one for the agent, and one that the agent leaves."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from typing import ClassVar, Final

from attrs import frozen
from mentionable import anp
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from mentionable_host.agents.agent import Agent
from mentionable_host.agents.notice_context import NoticeContext
from mentionable_host.notifications.access import PREFIX, Refused, check_same_site
from mentionable_host.notifications.events import Speaker
from mentionable_host.notifications.responses import refusal
from mentionable_host.notifications.service import DEMO, Notifications
from mentionable_host.transports.transport import Service

__all__ = ["VISITOR", "DemoEvents", "leave_some"]

VISITOR: Final = "@dave@social.example"
"""Whose page it is."""


@frozen(kw_only=True)
class _Event:
    """An event of the demo; `within` is how long the agent has."""

    text: str
    by: Speaker
    within: timedelta | None = None


LATE: Final = "The disk of the server is full."
SECONDS: Final = 4
"""So long the agent has for the event that it leaves;"""
LEFT_SECONDS: Final = 8
"""and so long it takes."""

EVENTS: Final = {
    "system": _Event(text="The backup of your photos is done.", by="system"),
    "agent": _Event(text="The parcel is at the door.", by="agent"),
    "late": _Event(text=LATE, by="agent", within=timedelta(seconds=SECONDS)),
}


class DemoEvents(Service):
    """Takes what the buttons of the page send."""

    name: ClassVar[str] = DEMO

    def routes(self) -> Sequence[BaseRoute]:
        """One for all buttons."""
        return [Route(f"{PREFIX}/demo/{{event}}", self._send, methods=["POST"])]

    async def _send(self, request: Request) -> Response:
        """Sends an event to whoever presses the button, as a program does."""
        service, event = self.host.transports.get(Notifications.name), EVENTS.get(request.path_params["event"])
        if event is None or not isinstance(service, Notifications):
            return refusal("no-such-event", 404)
        try:
            check_same_site(self.host, request)
            visitor = await service.access.visitor(request)
        except Refused as error:
            return refusal(error.code, error.status)
        await self.host.notify(visitor.person, event.text, by=event.by, within=event.within)
        return Response(None, 202)


def leave_some(agent: Agent) -> None:
    """Has an agent take too long for one event of the demo, and tell the others as it does, or as they are."""
    own = Agent()
    own.notice_handler = agent.notice_handler

    @agent.on_notice
    async def tell(notice: anp.Notification, context: NoticeContext) -> str:
        if notice.content == LATE:
            await asyncio.sleep(LEFT_SECONDS)
        return await own.tell(notice, context) or f"You should know: {notice.content}"
