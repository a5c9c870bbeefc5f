"""Requests and responses: the library's values on one side, Starlette's on the other."""

from __future__ import annotations

from collections.abc import AsyncIterator

from mentionable import HttpRequest, HttpResponse
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse

__all__ = ["request_of", "response_of", "streamed"]


async def request_of(request: Request, *, limit: int, origin: str) -> HttpRequest:
    """The request as the library reads it; of a body that is too large just so much that it is refused."""
    body = bytearray()
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > limit:
                break
    except ClientDisconnect:
        body.clear()  # nobody waits for an answer; without a body nothing is done either
    return HttpRequest.from_asgi(request.scope, bytes(body), origin=origin)


def response_of(response: HttpResponse) -> Response:
    """A response of the library as one of Starlette."""
    return Response(response.body, response.status, dict(response.headers))


async def streamed(pieces: AsyncIterator[HttpResponse]) -> Response:
    """A response that comes in pieces: the first has the status and the headers."""
    first = await anext(pieces)

    async def bodies() -> AsyncIterator[bytes]:
        yield first.body
        async for piece in pieces:
            yield piece.body

    headers = {name: value for name, value in first.headers if name.lower() != "content-length"}
    return StreamingResponse(bodies(), first.status, headers)
