"""What devices ask for over HTTP about Web Push and the chat."""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING, Final

from starlette.responses import JSONResponse, Response

from mentionable_host.config import ConfigError
from mentionable_host.notifications.access import Refused
from mentionable_host.notifications.bodies import body_of, number_of
from mentionable_host.notifications.chat import Chat
from mentionable_host.notifications.chat_turns import markdown_html
from mentionable_host.notifications.events import events_in
from mentionable_host.notifications.subscriptions import subscribe as keep_subscription
from mentionable_host.notifications.subscriptions import unsubscribe as end_subscription
from mentionable_host.transports import callers

if TYPE_CHECKING:
    from starlette.requests import Request

    from mentionable_host.notifications.access import Visitor
    from mentionable_host.notifications.service import Notifications

__all__ = ["push_key", "read_chat", "read_html", "subscribe", "unsubscribe", "write_chat"]

log = logging.getLogger(__name__)

SUBSCRIPTION_BYTES: Final = 8_192
HEADERS: Final = {"cache-control": "no-store", "x-content-type-options": "nosniff"}
STATUSES: Final = {"too-many-requests": 429, "verification-required": 403}
"""Code of a refusal → status; of others 400."""
RETRY_SECONDS: Final = 60


async def push_key(service: Notifications, visitor: Visitor, request: Request) -> Response:
    """The key that a browser subscribes with.

    Raises:
        Refused: It cannot be read or made (503).
    """
    try:
        key = service.pusher.vapid.public_key
    except ConfigError as error:
        log.error("devices cannot subscribe: %s", error)
        raise Refused("no-push", status=503) from error
    return JSONResponse({"public_key": key}, 200, HEADERS)


async def subscribe(service: Notifications, visitor: Visitor, request: Request) -> Response:
    """Has events pushed to the device."""
    body = await body_of(service.host, request, limit=SUBSCRIPTION_BYTES)
    check = await service.access.check(visitor)
    await keep_subscription(service.host, body, person=visitor.person, device=visitor.device, check=check)
    return Response(None, 204, HEADERS)


async def unsubscribe(service: Notifications, visitor: Visitor, request: Request) -> Response:
    """Tells the device of nothing by Web Push any more."""
    body = await body_of(service.host, request, limit=SUBSCRIPTION_BYTES)
    await end_subscription(service.host, body, person=visitor.person)
    return Response(None, 204, HEADERS)


async def write_chat(service: Notifications, visitor: Visitor, request: Request) -> Response:
    """Takes what the person writes to the agent."""
    body, chat = await body_of(service.host, request), _chat(service)
    try:
        await chat.receive(body, person=visitor.person, check=await service.access.check(visitor))
    except callers.Refused as refused:
        code, notice = refused.rejected.code, refused.notice
        status = STATUSES.get(code, 400)
        later = {"retry-after": str(RETRY_SECONDS)} if status == 429 else {}
        content = {"error": code} if notice is None else {"error": code, "detail": notice}
        return JSONResponse(content, status, {**HEADERS, **later})
    return JSONResponse({"id": body["id"]}, 202, HEADERS)


async def read_chat(service: Notifications, visitor: Visitor, request: Request) -> Response:
    """The newest turns of the chat of the person."""
    before = number_of(request, "before")
    async with service.in_turn.of(visitor.person):
        history = await _chat(service).history(visitor.person, before=before)
    return JSONResponse(history, 200, HEADERS)


async def read_html(service: Notifications, visitor: Visitor, request: Request) -> Response:
    """What the agent says in an event, as HTML; what plugins say is text, and stays so.

    Raises:
        Refused: There is no such event of the agent for this person (404), or they ask for too much at once (429).
    """
    id = request.query_params.get("id", "")
    async with service.in_turn.of(visitor.person):
        event = await service.host.database.read(lambda db: events_in(service.host, db).get(id))
        if event is None or event.user_id != visitor.person or event.origin != "agent":
            raise Refused("no-such-event", status=404)
        html = await service.renderer.make(partial(markdown_html, event.content))
    return JSONResponse({"revision": event.revision, "html": html}, 200, HEADERS)


def _chat(service: Notifications) -> Chat:
    """The chat of this host.

    Raises:
        Refused: It has none.
    """
    chat = service.host.transports.get(Chat.name)
    if not isinstance(chat, Chat):
        raise Refused("no-chat", status=404)
    return chat
