"""Plain HTTP: a form comes, and its answer goes back on the same connection, whole or as a stream."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from mentionable import Limits, NormalizedMessage, NormalizedResponse, Received, Rejected, rest
from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from mentionable_host.http import request_of, response_of
from mentionable_host.receiving import store_received, take_in
from mentionable_host.store import messages
from mentionable_host.transports.transport import Reply, Transport

__all__ = ["Rest"]


class Rest(Transport):
    """The form at `/rest/NAME`."""

    name: ClassVar[str] = "rest"

    def routes(self) -> Sequence[BaseRoute]:
        """One path."""
        return [Route(f"/rest/{self.host.config.agent.name}", self.receive, methods=["POST"])]

    async def receive(self, request: Request) -> Response:
        """Takes a form, and waits for its answer."""
        host = self.host
        asked = await request_of(request, limit=Limits().a2a_bytes, origin=host.config.origin)

        def begin():  # type: ignore[no-untyped-def]
            now, entropy = host.world.now(), host.world.entropy()
            return rest.receive(asked, recipient=host.address, now=now, entropy=entropy)

        def store(db: Connection, got: Received | Rejected) -> None:
            if isinstance(got, Received):
                store_received(db, got, host=host, transport=self.name)

        got = await take_in(host, begin, store=store)
        if isinstance(got, Rejected):
            return response_of(rest.error_response(got))
        response = await self.answer(got.message)
        out = rest.reply(response, to=got.message, now=host.world.now(), entropy=host.world.entropy())
        return response_of(out.response)

    async def answer(self, message: NormalizedMessage) -> NormalizedResponse:
        """The answer, as soon as it is stored."""
        host = self.host

        async def look() -> NormalizedResponse | None:
            return await host.database.read(lambda db: messages.answer_to(db, message.id))

        found = await host.signals.until(message.id, look, seconds=host.config.a2a.patience)
        return found or NormalizedResponse.failed(message, "No answer came in time.", code="timeout", retriable=True)

    async def reply(self, response: NormalizedResponse, *, to: NormalizedMessage) -> Reply:
        """Nothing is delivered: who asked waits for it, or asks again under the same id."""
        return Reply(store=lambda db: None)
