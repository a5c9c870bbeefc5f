"""Notifications as a part of the host: its routes, and what each of them is guarded by."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

from mentionable import anp
from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from mentionable_host.forms import FormError, read_form
from mentionable_host.notifications.access import (
    PREFIX,
    PROTOCOL,
    SESSION,
    SIGN_IN,
    Access,
    Refused,
    Visitor,
    check_same_site,
)
from mentionable_host.notifications.calls import CALLS, Call
from mentionable_host.notifications.connections import Connections
from mentionable_host.notifications.in_turn import InTurn
from mentionable_host.notifications.push import Pusher
from mentionable_host.notifications.responses import HEADERS, Pages, asset_response, refusal
from mentionable_host.notifications.socket import talk
from mentionable_host.notifications.stream import items
from mentionable_host.queue.outcome import Handler
from mentionable_host.store import streams
from mentionable_host.store.database import Conflict, StoreUnavailable
from mentionable_host.store.sign_ins import end_all
from mentionable_host.transports.transport import Service

if TYPE_CHECKING:
    from mentionable_host.host import Host

__all__ = ["DEMO", "Notifications"]

log = logging.getLogger(__name__)

FORM_BYTES: Final = 10_000
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
        self.in_turn = InTurn()

    def routes(self) -> Sequence[BaseRoute]:
        """The page, signing in, files, and what clients call."""
        return [
            Route(PREFIX, self._answered(self._page), methods=["GET"]),
            Route(SIGN_IN, self._answered(self._sign_in), methods=["GET", "POST"]),
            Route(f"{PREFIX}/static/{{name}}", self._answered(self._static), methods=["GET"]),
            WebSocketRoute(f"{PREFIX}/socket", self._socket),
            *(
                Route(f"{PREFIX}{path}", self._answered(partial(self._called, by)), methods=[*by, "OPTIONS"])
                for path, by in CALLS.items()
            ),
        ]

    def handlers(self) -> Mapping[str, Handler]:
        """Jobs that tell devices by Web Push."""
        return self.pusher.handlers()

    def forget(self, db: Connection, address: str) -> None:
        """Ends the sessions of a person who is forgotten."""
        now = self.host.world.now()
        end_all(db, address, now=now, expires_at=now + SESSION)

    def release(self) -> None:
        """Ends all connections."""
        self.connections.end_all()

    async def start(self) -> None:
        """Has places of streams go on where none was assigned before, also where a backup was restored."""
        now = self.host.world.now()
        await self.host.database.write(lambda db: streams.raise_places(db, now=now))

    async def stop(self) -> None:
        """Ends all connections: nothing else is open."""
        self.release()

    def _answered(self, do: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
        """Turns what may go wrong into a status, and lets pages of the configured origins read what comes."""

        async def answered(request: Request) -> Response:
            try:
                response = await do(request)
            except Refused as error:
                response = refusal(error.code, error.status)
            except FormError:
                response = refusal("malformed", 400)
            except (StoreUnavailable, Conflict) as error:
                log.warning("notifications cannot be served: %s", error)
                response = refusal("try-again", 503)
            response.headers.update(self._cross_origin(request))
            return response

        return answered

    def _cross_origin(self, request: Request) -> dict[str, str]:
        """The header fields by which a browser lets another origin read a response."""
        origin = request.headers.get("origin")
        if origin is None or origin not in self.host.config.notifications.origins:
            return {"vary": "Origin"}
        return {"vary": "Origin", "access-control-allow-origin": origin}

    async def _called(self, by: Mapping[str, Call], request: Request) -> Response:
        """Answers a call of a device that is let in; one that changes something only from a page of its own."""
        if request.method == "OPTIONS":
            fields = {
                "access-control-allow-methods": ", ".join(by),
                "access-control-allow-headers": "authorization, content-type, last-event-id",
                "access-control-max-age": "600",
            }
            return Response(None, 204, {**fields, "cache-control": "no-store"})
        visitor = await self.access.visitor(request)
        if request.method == "HEAD":
            return Response(None, 200, {"cache-control": "no-store"})
        if request.method != "GET" and visitor.has_cookie:
            check_same_site(self.host, request)
        return await by[request.method](self, visitor, request)

    async def _page(self, request: Request) -> Response:
        try:
            visitor = await self.access.visitor(request, is_page=True)
        except Refused as error:
            words = (
                "You are not signed in here. Whoever runs this agent gives you a link: `mentionable-host link PERSON` "
                "prints one."
            )
            return self._pages.plain("Notifications", words=words, status=error.status)
        return self._pages.page(person=visitor.person, is_demo=DEMO in self.host.transports)

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
        link = sessions.read_code(code)
        if link is None or not await self.access.is_known(link):
            return self._no_way_in("This link has been used, or is too old. Ask for another one.", 403)
        if request.method != "POST":
            await sessions.forgive(request)
            return self._pages.plain("Sign in", code=code, person=link.subject)
        if not await sessions.use(link):
            return self._no_way_in("This link has been used, or is too old. Ask for another one.", 403)
        await sessions.forgive(request)
        response = RedirectResponse(PREFIX, 303, HEADERS)
        sessions.begin(request, response, subject=link.subject)
        return response

    def _no_way_in(self, words: str, status: int) -> Response:
        return self._pages.plain("This link does not sign you in", words=words, status=status)

    async def _static(self, request: Request) -> Response:
        return asset_response(request)

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
                await talk(self.host, socket, visitor, stream, first=first, in_turn=self.in_turn)
        except Refused as error:
            await socket.send_denial_response(refusal(error.code, error.status))
        except (StoreUnavailable, Conflict) as error:
            log.warning("notifications cannot be served: %s", error)
            await socket.send_denial_response(refusal("try-again", 503))
