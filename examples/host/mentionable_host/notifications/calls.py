"""What clients ask for over HTTP, each for the person whose device it is."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from mentionable import HttpResponse, anp, encode, format_time
from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import Response

from mentionable_host.config import ConfigError
from mentionable_host.http import streamed
from mentionable_host.notifications import client, subscriptions
from mentionable_host.notifications.access import Refused, Visitor
from mentionable_host.notifications.bodies import body_of, number_of
from mentionable_host.notifications.chat import Chat
from mentionable_host.notifications.chat_turns import markdown_html
from mentionable_host.notifications.events import events_in
from mentionable_host.notifications.rendering import rendered
from mentionable_host.notifications.responses import NO_STORE, json_of
from mentionable_host.store import inbox, pushes, streams
from mentionable_host.transports import callers

if TYPE_CHECKING:
    from mentionable_host.notifications.service import Notifications

__all__ = ["CALLS", "Call"]

log = logging.getLogger(__name__)

Call = Callable[["Notifications", Visitor, Request], Awaitable[Response]]
"""What answers a request of a device that is let in."""

COMMENT: Final = b":\n\n"
EVENT_STREAM: Final = {"content-type": "text/event-stream; charset=utf-8", "x-content-type-options": "nosniff"}
EVENTS: Final = 50
"""So many events of the history are read at once."""
SUBSCRIPTION_BYTES: Final = 8_192
STATUSES: Final = {"too-many-requests": 429, "verification-required": 403}
"""Code of a refusal of the chat → status; of others 400."""
RETRY_SECONDS: Final = 60


async def read_stream(service: Notifications, visitor: Visitor, request: Request) -> Response:
    """The stream as Server-Sent Events."""
    after = request.headers.get("last-event-id") or request.query_params.get("after")

    async def pieces() -> AsyncGenerator[HttpResponse, None]:
        async with aclosing(service.stream(visitor, after)) as stream:
            async for item in stream:
                body = COMMENT if item is None else anp.to_event_stream(item)
                yield HttpResponse(status=200, headers=EVENT_STREAM, body=body)

    return await streamed(pieces())


async def take_messages(service: Notifications, visitor: Visitor, request: Request) -> Response:
    """Takes what a device says about events."""
    messages = await body_of(service.host, request)
    if not isinstance(messages, list):
        raise Refused("malformed", status=400)
    if len(messages) > client.MAX_MESSAGES:
        raise Refused("too-large", status=413)
    async with service.in_turn.of(visitor.person):
        return json_of({"results": await client.take(service.host, visitor.person, messages)})


async def read_history(service: Notifications, visitor: Visitor, request: Request) -> Response:
    """The newest events of the inbox that are settled."""
    before = number_of(request, "before")

    def read(db: Connection) -> list[dict[str, Any]]:
        return [_history(one) for one in inbox.history(db, visitor.person, before=before, limit=EVENTS)]

    async with service.in_turn.of(visitor.person):
        return json_of({"events": await service.host.database.read(read)})


async def sign_out(service: Notifications, visitor: Visitor, request: Request) -> Response:
    """Ends the session of a device, and its subscription: who uses it next reads nothing of this person.

    Nothing waits for the device any more: without another one the person is written to at once.
    """
    response = Response(None, 204, NO_STORE)
    if visitor.has_cookie:

        def work(db: Connection) -> None:
            pushes.end_device(db, visitor.person, visitor.device)
            streams.remove_device(db, visitor.person, visitor.device)

        await (await service.access.sessions()).end(request, visitor.session, response, also=work)
    return response


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
    return json_of({"public_key": key})


async def subscribe(service: Notifications, visitor: Visitor, request: Request) -> Response:
    """Has events pushed to the device."""
    body = await body_of(service.host, request, limit=SUBSCRIPTION_BYTES)
    check = await service.access.check(visitor)
    await subscriptions.subscribe(service.host, body, person=visitor.person, device=visitor.device, check=check)
    return Response(None, 204, NO_STORE)


async def unsubscribe(service: Notifications, visitor: Visitor, request: Request) -> Response:
    """Tells the device of nothing by Web Push any more."""
    body = await body_of(service.host, request, limit=SUBSCRIPTION_BYTES)
    await subscriptions.unsubscribe(service.host, body, person=visitor.person)
    return Response(None, 204, NO_STORE)


async def write_chat(service: Notifications, visitor: Visitor, request: Request) -> Response:
    """Takes what the person writes to the agent."""
    body, chat = await body_of(service.host, request), _chat(service)
    try:
        await chat.receive(body, person=visitor.person, check=await service.access.check(visitor))
    except callers.Refused as refused:
        code, notice = refused.rejected.code, refused.notice
        status = STATUSES.get(code, 400)
        content = {"error": code} if notice is None else {"error": code, "detail": notice}
        return json_of(content, status, retry_seconds=RETRY_SECONDS if status == 429 else None)
    return json_of({"id": body["id"]}, 202)


async def read_chat(service: Notifications, visitor: Visitor, request: Request) -> Response:
    """The newest turns of the chat of the person."""
    before = number_of(request, "before")
    async with service.in_turn.of(visitor.person):
        history = await _chat(service).history(visitor.person, before=before)
    return json_of(history)


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
        html = await rendered(partial(markdown_html, event.content))
    return json_of({"revision": event.revision, "html": html})


def _history(one: inbox.PastEvent) -> dict[str, Any]:
    """A settled event, as it was presented last."""
    event = one.event
    presentation = anp.Presentation(
        id=event.id,
        revision=event.revision,
        lease=event.owner_lease,
        surface=event.surface,
        user_id=event.user_id,
        content=event.content if event.escalation is None else event.fallback,
        replaces=event.revision > 1,
        session_id=event.session_id,
        origin=event.origin,
        actions=event.actions or None,
        metadata=event.visible_metadata or None,
    )
    how = "withdrawn" if event.status == "failed" else "seen"
    return {**encode(presentation), "settled": how, "at": format_time(one.at), "number": one.number}


def _chat(service: Notifications) -> Chat:
    """The chat of this host.

    Raises:
        Refused: It has none.
    """
    chat = service.host.transports.get(Chat.name)
    if not isinstance(chat, Chat):
        raise Refused("no-chat", status=404)
    return chat


CALLS: Final[Mapping[str, Mapping[str, Call]]] = {
    "/stream": {"GET": read_stream},
    "/client": {"POST": take_messages},
    "/events": {"GET": read_history},
    "/html": {"GET": read_html},
    "/sign-out": {"POST": sign_out},
    "/push": {"GET": push_key, "PUT": subscribe, "DELETE": unsubscribe},
    "/chat": {"GET": read_chat, "POST": write_chat},
}
"""Path behind `/notifications` → method → what answers."""
