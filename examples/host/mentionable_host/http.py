"""Requests and responses: the library's values on one side, Starlette's on the other."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, suppress
from hashlib import sha256
from ipaddress import IPv6Address, ip_address
from typing import Final

from mentionable import HttpRequest, HttpResponse, replace
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Message, Send

from mentionable_host.store.database import StoreUnavailable

__all__ = ["conditional", "network_of", "request_of", "response_of", "streamed"]

MAX_TAGS: Final = 64
"""So many entity tags of a request are compared."""

log = logging.getLogger(__name__)

SLOW_SECONDS: Final = 30
"""A client that does not take a piece of a stream for so long is cut off. It may ask again."""


BODY_SECONDS: Final = 30.0
"""So long a client has to send a body, and for a long one as much longer as `BODY_RATE` says."""
BODY_RATE: Final = 64_000
"""So many bytes in a second come at least."""
BODIES_BYTES: Final = 256_000_000
"""So many bytes of all the bodies that are just coming are held."""
RETRY_SECONDS: Final = 30

_coming = Counter[str]()


async def request_of(request: Request, *, limit: int, origin: str) -> HttpRequest:
    """The request as the library reads it; of a body that is too large just so much that it is refused.

    Raises:
        HTTPException: The body does not come in time (408), or too many come at once (503).
    """
    body, loop = bytearray(), asyncio.get_running_loop()
    begun = loop.time()
    try:
        async with asyncio.timeout(BODY_SECONDS) as bound:
            async for chunk in request.stream():
                body += chunk
                _coming["bytes"] += len(chunk)
                if len(body) > limit:
                    break
                if _coming["bytes"] > BODIES_BYTES:
                    raise HTTPException(503, headers={"retry-after": str(RETRY_SECONDS)})
                bound.reschedule(begun + BODY_SECONDS + len(body) / BODY_RATE)
    except TimeoutError:
        raise HTTPException(408, headers={"connection": "close"}) from None
    except ClientDisconnect:
        _coming["bytes"] -= len(body)
        body.clear()  # the client waits for no answer; without a body nothing is done either
    finally:
        _coming["bytes"] -= len(body)
    return HttpRequest.from_asgi(request.scope, bytes(body), origin=origin)


def network_of(request: HTTPConnection) -> str:
    """Where a request comes from: an address, and of IPv6 the network, of which a peer has as many as it likes."""
    given = request.client.host if request.client else ""
    try:
        address = ip_address(given)
    except ValueError:
        return "unknown"
    if isinstance(address, IPv6Address) and address.ipv4_mapped is None:
        return address.exploded[:19]
    return str(getattr(address, "ipv4_mapped", None) or address)


def response_of(response: HttpResponse) -> Response:
    """A response of the library as one of Starlette."""
    return Response(response.body, response.status, dict(response.headers))


def conditional(response: HttpResponse, asked: HttpRequest) -> HttpResponse:
    """The response with an entity tag; 304 where the client has it, and without its body where only HEAD was asked.

    Args:
        response: The whole response.
        asked: The GET or HEAD.

    Spec: RFC 9110 §8.8.3, §9.3.2, §13.1.2.
    """
    if response.status == 200:
        tag = f'"{sha256(response.body).hexdigest()[:32]}"'
        response = replace(response, headers=(*response.headers, ("etag", tag)))
        known = [one.strip().removeprefix("W/") for one in (asked.header("if-none-match") or "").split(",", MAX_TAGS)]
        if tag in known or known == ["*"]:
            left = tuple(one for one in response.headers if one[0] not in ("content-type", "content-length"))
            return HttpResponse(status=304, headers=left)
    if asked.method == "HEAD":
        length = ("content-length", str(len(response.body)))
        others = [one for one in response.headers if one[0] != "content-length"]
        return replace(response, headers=(*others, length), body=b"")
    return response


async def streamed(pieces: AsyncGenerator[HttpResponse, None]) -> Response:
    """A response that comes in pieces: the first has the status and the headers."""
    first = await anext(pieces)

    async def bodies() -> AsyncIterator[bytes]:
        async with aclosing(pieces):
            yield first.body
            try:
                async for piece in pieces:
                    yield piece.body
            except StoreUnavailable as error:  # the client may ask again
                log.warning("a stream breaks off: %s", error)

    own = {"cache-control": "no-store", "x-accel-buffering": "no"}  # a proxy that gathers pieces would undo the stream
    headers = {name: value for name, value in first.headers if name.lower() != "content-length"}
    return _Stream(bodies(), first.status, {**own, **headers})


class _Stream(StreamingResponse):
    """A stream that ends where its client does not read, and that closes what it comes from."""

    async def stream_response(self, send: Send) -> None:
        async def send_in_time(message: Message) -> None:
            async with asyncio.timeout(SLOW_SECONDS):
                await send(message)

        async with aclosing(self.body_iterator):  # type: ignore[type-var]
            with suppress(TimeoutError):
                await super().stream_response(send_in_time)
