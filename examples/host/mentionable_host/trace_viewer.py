"""The page that shows the traces of answers, at `/trace`: the library's, so that no other server is needed for it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import ClassVar, Final

from mentionable import HttpResponse
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from mentionable_host.http import conditional, request_of, response_of
from mentionable_host.transports.transport import Service

__all__ = ["PATH", "TraceViewer"]

PATH: Final = "/trace"

_HEADERS: Final = (
    ("content-type", "text/html; charset=utf-8"),
    # The page has a policy of its own, with the digests of its script and its styles; a second one could only allow
    # less. That no page may frame it can be required here alone.
    ("content-security-policy", "frame-ancestors 'none'"),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cache-control", "public, max-age=3600"),
)


class TraceViewer(Service):
    """One page. The trace is in the fragment of its address, which browsers keep to themselves."""

    name: ClassVar[str] = "trace"

    def routes(self) -> Sequence[BaseRoute]:
        """One path."""
        return [Route(PATH, self.serve)]

    async def serve(self, request: Request) -> Response:
        """The page."""
        asked = await request_of(request, limit=0, origin=self.host.config.origin)
        return response_of(conditional(HttpResponse(status=200, headers=_HEADERS, body=_page()), asked))


@cache
def _page() -> bytes:
    return files("mentionable.trace").joinpath("viewer.html").read_bytes()
