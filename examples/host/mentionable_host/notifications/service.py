"""Notifications as a part of the host: its routes, and what each of them is guarded by."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Final

from mentionable import HttpResponse, anp, encode, format_time
from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from mentionable_host.http import streamed
from mentionable_host.notifications import calls, client
from mentionable_host.notifications.access import (
    LINK,
    PREFIX,
    PROTOCOL,
    SIGN_IN,
    Access,
    Refused,
    Visitor,
    check_same_site,
    end_all,
)
from mentionable_host.notifications.bodies import body_of, number_of
from mentionable_host.notifications.connections import Connections
from mentionable_host.notifications.in_turn import InTurn
from mentionable_host.notifications.pages import HEADERS, Pages, asset_response
from mentionable_host.notifications.push import Pusher
from mentionable_host.notifications.rendering import Renderer
from mentionable_host.notifications.socket import talk
from mentionable_host.notifications.stream import items
from mentionable_host.operator.forms import FormError, read_form
from mentionable_host.queue.outcome import Handler
from mentionable_host.store import notifications, pushes, streams
from mentionable_host.store.database import Conflict, StoreUnavailable
from mentionable_host.transports.transport import Service

if TYPE_CHECKING:
    from mentionable_host.host import Host

__all__ = ["Call", "Notifications"]

log = logging.getLogger(__name__)

Call = Callable[["Notifications", Visitor, Request], Awaitable[Response]]
"""What answers a request of a device that is let in."""

FORM_BYTES: Final = 10_000
EVENTS: Final = 50
COMMENT: Final = b":\n\n"
EVENT_STREAM: Final = {"content-type": "text/event-stream; charset=utf-8", "x-content-type-options": "nosniff"}
DEMO: Final = "demo"
"""The service of `serve --demo`: it sends events that a person asks for."""


class Notifications(Service):
    """The page at `/notifications`, and what clients connect to."""

    name: ClassVar[str] = "notifications"

    def __init__(self, host: Host) -> None:
        """Opens nothing."""
        super().__init__(host)
        self.access, self._pages = Access(host), Pages(host)
        self.connections, self.pusher = Connections(host.signals), Pusher(host)
        self.renderer, self.in_turn = Renderer(), InTurn()

    def routes(self) -> Sequence[BaseRoute]:
        """The page, signing in, files, and what clients call."""
        calls_by_path: dict[str, dict[str, Call]] = {
            "/stream": {"GET": _stream},
            "/client": {"POST": _client},
            "/events": {"GET": _events},
            "/html": {"GET": calls.read_html},
            "/sign-out": {"POST": _sign_out},
            "/push": {"GET": calls.push_key, "PUT": calls.subscribe, "DELETE": calls.unsubscribe},
            "/chat": {"GET": calls.read_chat, "POST": calls.write_chat},
        }
        return [
            Route(PREFIX, self._answered(self._page), methods=["GET"]),
            Route(SIGN_IN, self._answered(self._sign_in), methods=["GET", "POST"]),
            Route(f"{PREFIX}/static/{{name}}", self._answered(_static), methods=["GET"]),
            WebSocketRoute(f"{PREFIX}/socket", self._socket),
            *(
                Route(f"{PREFIX}{path}", self._answered(partial(self._called, by)), methods=[*by, "OPTIONS"])
                for path, by in calls_by_path.items()
            ),
        ]

    def handlers(self) -> Mapping[str, Handler]:
        """Jobs that tell devices by Web Push."""
        return self.pusher.handlers()

    def forget(self, db: Connection, address: str) -> None:
        """Ends the sessions of a person who is forgotten."""
        end_all(db, address, now=self.host.world.now())

    def release(self) -> None:
        """Ends all connections."""
        self.connections.end_all()

    async def start(self) -> None:
        """Has places of streams go on where none was assigned before, also where a backup was restored."""
        now = self.host.world.now()
        await self.host.database.write(lambda db: streams.raise_places(db, now=now))

    async def stop(self) -> None:
        """Ends all connections."""
        self.release()

    def _answered(self, do: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
        """Turns what may go wrong into a status, and lets pages of the configured origins read what comes."""

        async def answered(request: Request) -> Response:
            try:
                response = await do(request)
            except Refused as error:
                response = _refusal(error.code, error.status)
            except FormError:
                response = _refusal("malformed", 400)
            except (StoreUnavailable, Conflict) as error:
                log.warning("notifications cannot be served: %s", error)
                response = _refusal("try-again", 503)
            response.headers.update(self._cross_origin(request))
            return response

        return answered

    def _cross_origin(self, request: Request) -> dict[str, str]:
        """The header fields by which a browser lets another origin read a response."""
        origin = request.headers.get("origin")
        if origin is None or origin not in self.host.config.notifications.origins:
            return {"vary": "Origin"}
        return {"vary": "Origin", "access-control-allow-origin": origin}

    async def _called(self, calls: dict[str, Call], request: Request) -> Response:
        """Answers a call of a device that is let in; one that changes something only from a page of its own."""
        if request.method == "OPTIONS":
            fields = {
                "access-control-allow-methods": ", ".join(calls),
                "access-control-allow-headers": "authorization, content-type, last-event-id",
                "access-control-max-age": "600",
            }
            return Response(None, 204, {**fields, "cache-control": "no-store"})
        visitor = await self.access.visitor(request)
        if request.method == "HEAD":
            return Response(None, 200, {"cache-control": "no-store"})
        if request.method != "GET" and visitor.has_cookie:
            check_same_site(self.host, request)
        return await calls[request.method](self, visitor, request)

    async def _page(self, request: Request) -> Response:
        try:
            visitor = await self.access.visitor(request, is_page=True)
        except Refused as error:
            words = (
                "You are not signed in here. Whoever runs this agent gives you a link: `mentionable-host link PERSON` "
                "prints one."
            )
            facts = {"title": "Notifications", "words": words, "code": "", "person": ""}
            return self._pages.page("plain.html", facts, status=error.status)
        return self._pages.page(
            "notifications.html", {"person": visitor.person, "is_demo": DEMO in self.host.transports}
        )

    async def _sign_in(self, request: Request) -> Response:
        """Names the person that a link signs in; the button does it, so that what only looks at links uses none up."""
        sessions = await self.access.sessions()
        form: dict[str, str] = {}
        if request.method == "POST":
            check_same_site(self.host, request)
            form = dict(await read_form(request, limit=FORM_BYTES))
        code = form.get("code", "") or request.query_params.get("code", "")
        if await sessions.is_held_up(request) or not await sessions.count(request):
            return self._no_way_in("Too many wrong links came from your address. Wait ten minutes.", 429)
        link = sessions.read(code, "link", lasts=LINK)
        if link is None or not await self.access.is_known(link):
            return self._no_way_in("This link has been used, or is too old. Ask for another one.", 403)
        if request.method != "POST":
            await sessions.forgive(request)
            facts = {"title": "Sign in", "words": "", "code": code, "person": link.subject}
            return self._pages.page("plain.html", facts)
        if not await sessions.use(link):
            return self._no_way_in("This link has been used, or is too old. Ask for another one.", 403)
        await sessions.forgive(request)
        response = RedirectResponse(PREFIX, 303, HEADERS)
        sessions.begin(request, response, subject=link.subject)
        return response

    def _no_way_in(self, words: str, status: int) -> Response:
        facts = {"title": "This link does not sign you in", "words": words, "code": "", "person": ""}
        return self._pages.page("plain.html", facts, status=status)

    async def stream(self, visitor: Visitor, after: str | None) -> AsyncGenerator[anp.StreamItem | None, None]:
        """What a device receives, while it is connected."""
        with self.connections.open(visitor) as connected:
            own = items(self.host, visitor, after=after, connected=connected, access=self.access, in_turn=self.in_turn)
            async with aclosing(own) as stream:
                async for item in stream:
                    yield item

    async def _socket(self, socket: WebSocket) -> None:
        """The stream over WebSocket."""
        try:
            visitor = await self.access.visitor(socket)
            if visitor.has_cookie:
                check_same_site(self.host, socket)
            async with aclosing(self.stream(visitor, socket.query_params.get("after"))) as stream:
                first = await anext(stream)  # refuses before the connection is accepted
                offered = socket.scope.get("subprotocols", ())
                await socket.accept(subprotocol=PROTOCOL if PROTOCOL in offered else None)
                await talk(self.host, socket, visitor, _with_first(first, stream), in_turn=self.in_turn)
        except Refused as error:
            await socket.send_denial_response(_refusal(error.code, error.status))
        except (StoreUnavailable, Conflict) as error:
            log.warning("notifications cannot be served: %s", error)
            await socket.send_denial_response(_refusal("try-again", 503))


async def _stream(service: Notifications, visitor: Visitor, request: Request) -> Response:
    """The stream as Server-Sent Events."""
    after = request.headers.get("last-event-id") or request.query_params.get("after")

    async def pieces() -> AsyncGenerator[HttpResponse, None]:
        async with aclosing(service.stream(visitor, after)) as stream:
            async for item in stream:
                body = COMMENT if item is None else anp.to_event_stream(item)
                yield HttpResponse(status=200, headers=EVENT_STREAM, body=body)

    return await streamed(pieces())


async def _client(service: Notifications, visitor: Visitor, request: Request) -> Response:
    """Takes what a device says about events."""
    messages = await body_of(service.host, request)
    if not isinstance(messages, list):
        raise Refused("malformed", status=400)
    if len(messages) > client.MAX_MESSAGES:
        raise Refused("too-large", status=413)
    async with service.in_turn.of(visitor.person):
        return _json({"results": await client.take(service.host, visitor.person, messages)})


async def _events(service: Notifications, visitor: Visitor, request: Request) -> Response:
    """The newest events of the inbox that are settled."""
    before = number_of(request, "before")
    async with service.in_turn.of(visitor.person):
        events = await service.host.database.read(lambda db: _settled(db, visitor.person, before=before))
        return _json({"events": events})


def _settled(db: Connection, person: str, *, before: int | None) -> list[dict[str, Any]]:
    """The newest events that are settled, as devices get them."""
    return [_history(one) for one in notifications.ended(db, person, before=before, limit=EVENTS)]


def _history(one: notifications.Ended) -> dict[str, Any]:
    """A settled event, as it was presentation last."""
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


async def _sign_out(service: Notifications, visitor: Visitor, request: Request) -> Response:
    """Ends the session of a device, and its subscription: who uses it next reads nothing of this person.

    Nothing waits for the device any more: without another one the person is written to at once.
    """
    response = Response(None, 204, {"cache-control": "no-store"})
    if visitor.has_cookie:

        def work(db: Connection) -> None:
            pushes.end_device(db, visitor.person, visitor.device)
            streams.remove_device(db, visitor.person, visitor.device)

        await (await service.access.sessions()).end(request, visitor.session, response, also=work)
    return response


async def _static(request: Request) -> Response:
    return asset_response(request)


async def _with_first(
    first: anp.StreamItem | None, rest: AsyncGenerator[anp.StreamItem | None, None]
) -> AsyncGenerator[anp.StreamItem | None, None]:
    yield first
    async for item in rest:
        yield item


def _json(value: dict[str, Any]) -> Response:
    return JSONResponse(value, 200, {"cache-control": "no-store", "x-content-type-options": "nosniff"})


def _refusal(code: str, status: int) -> Response:
    headers = {"cache-control": "no-store"} | ({"retry-after": "10"} if status in (429, 503) else {})
    return JSONResponse({"error": code}, status, headers)
