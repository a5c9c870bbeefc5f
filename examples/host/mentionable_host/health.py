"""Whether the process lives, and whether it can do its work: for proxies, containers and those who watch over them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import ClassVar, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from mentionable_host import metrics
from mentionable_host.store import listing
from mentionable_host.store.database import StoreUnavailable
from mentionable_host.transports.transport import Service

__all__ = ["Health"]

LATE: Final = timedelta(minutes=5)
"""Jobs that were due so long ago say that no worker does them."""

_HEADERS: Final = {"cache-control": "no-store"}


class Health(Service):
    """`/healthz` and `/readyz`. They say nothing about people, so that everybody may ask."""

    name: ClassVar[str] = "health"

    def routes(self) -> Sequence[BaseRoute]:
        """Two paths."""
        return [Route("/healthz", self.lives), Route("/readyz", self.is_ready)]

    async def start(self) -> None:
        """Has an SDK of OpenTelemetry, where there is one, observe the queue."""
        metrics.observe(self.host)

    async def stop(self) -> None:
        """Ends that."""
        metrics.observe_no_more(self.host)

    async def lives(self, request: Request) -> Response:
        """200 as long as the process answers at all."""
        return PlainTextResponse("ok\n", headers=_HEADERS)

    async def is_ready(self, request: Request) -> Response:
        """200 where the store can be read and jobs are done in time; else 503, and the body says which is not."""
        try:
            found = await self.host.database.read(listing.queue)
        except StoreUnavailable:
            return JSONResponse({"store": "unavailable", "queue": "unknown"}, 503, _HEADERS)
        is_late = found.late(self.host.world.now()) > LATE.total_seconds()
        state = {"store": "ok", "queue": "late" if is_late else "ok"}
        return JSONResponse(state, 503 if is_late else 200, _HEADERS)
