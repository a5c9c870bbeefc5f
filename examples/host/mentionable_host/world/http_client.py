"""One request and its response over HTTP, within bounds of time, size and number."""

from __future__ import annotations

import asyncio
import re
import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import httpcore
from attrs import frozen
from mentionable import Failed, HttpRequest, HttpResponse, MentionableError

from mentionable_host.world.egress import Target
from mentionable_host.world.pinning import Unreachable

__all__ = ["Bounds", "Congested", "HttpClient"]

MAX_HEADERS: Final = 128
MAX_HEADER_BYTES: Final = 32_768
_NO_ANSWER: Final = (httpcore.TimeoutException, httpcore.NetworkError, httpcore.ProxyError, OSError)
_NONSENSE: Final = (httpcore.ProtocolError, zlib.error, ValueError, MentionableError)
_CONTROL: Final = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]").search


@frozen(kw_only=True)
class Bounds:
    """How much one exchange, and all of them together, may take.

    Attributes:
        connect: Seconds until a connection is open, TLS included.
        read: Seconds without a byte.
        connections: Connections in all.
        per_host: Requests at one host at the same time; others wait.
        idle: Seconds that a connection is kept for the next request.
        body_bytes: Bytes of all bodies that are just being read.
    """

    connect: float = 5
    read: float = 10
    connections: int = 100
    per_host: int = 8
    idle: float = 4
    body_bytes: int = 128_000_000


class Congested(Failed):
    """No server was asked, since this host asks too many at the moment. It says nothing about the server."""


class TooLarge(Exception):
    """A response has more than was asked for."""


class TooMuch(Exception):
    """All responses together have more than fits."""


class HttpClient:
    """Transmits requests by the connections of a pool."""

    def __init__(
        self, direct: httpcore.AsyncConnectionPool, proxied: httpcore.AsyncConnectionPool | None, *, bounds: Bounds
    ) -> None:
        """Connects to nothing yet.

        Args:
            direct: Connects itself.
            proxied: Connects by a proxy that judges addresses; None: there is none.
            bounds: How much it may take.
        """
        self._direct, self._proxied, self._bounds = direct, proxied, bounds
        self._hosts: dict[str, _Slots] = {}
        self._reading = 0

    async def close(self) -> None:
        """Ends all connections."""
        await self._direct.aclose()
        if self._proxied is not None:
            await self._proxied.aclose()

    async def exchange(
        self, request: HttpRequest, target: Target, *, max_bytes: int, seconds: float, user_agent: str
    ) -> HttpResponse | Failed:
        """What a server answers.

        Args:
            request: The request, signed.
            target: Where it goes.
            max_bytes: How long the body may be, after any content coding.
            seconds: How long all of it may take.
            user_agent: Who asks.
        """
        pool = self._direct if target.is_own or self._proxied is None else self._proxied
        made = _request(request, target, self._timeouts(seconds), user_agent=user_agent)
        host, is_asked = target.host, False
        try:
            async with asyncio.timeout(seconds), self._slot(host):
                is_asked = True
                response = await pool.handle_async_request(made)
                try:
                    return await self._read(response, max_bytes)
                finally:
                    await response.aclose()
        except Unreachable as error:
            return error.failed
        except TooLarge:
            return Failed(f"{host!r} answers with more than was asked for", temporary=False)
        except (TooMuch, httpcore.PoolTimeout):
            return Congested(f"too much is asked at the moment to ask {host!r}")
        except TimeoutError:
            return Failed(f"{host!r} does not answer in time") if is_asked else Congested(f"{host!r} is asked too much")
        except _NO_ANSWER as error:
            return Failed(f"{host!r} does not answer: {_words(error)}")
        except _NONSENSE as error:
            return Failed(f"{host!r} does not answer as HTTP does: {_words(error)}")

    async def _read(self, response: httpcore.Response, max_bytes: int) -> HttpResponse:
        """The response with its whole body.

        Raises:
            TooLarge: It has more than `max_bytes`, or more headers than make sense.
            TooMuch: All bodies that are being read have more than fits.
            ValueError: It is packed in a way that is not known, or breaks off.
        """
        headers = _head(response)
        coding = ",".join(value for name, value in headers if name.lower() == "content-encoding").strip().lower()
        unpack, body, came = _Unpack(coding), bytearray(), 0
        try:
            async for chunk in response.aiter_stream():
                piece = unpack.feed(chunk, max_bytes - len(body) + 1)
                body += piece
                came += len(chunk)
                self._reading += len(piece)
                if max(came, len(body)) > max_bytes:
                    raise TooLarge
                if self._reading > self._bounds.body_bytes:
                    raise TooMuch
        finally:
            self._reading -= len(body)
        unpack.end(came)
        kept = [(name, value) for name, value in headers if name.lower() not in ("content-encoding", "content-length")]
        return HttpResponse(status=response.status, headers=kept, body=bytes(body))

    def _timeouts(self, seconds: float) -> dict[str, float]:
        bounds = self._bounds
        read = max(bounds.read, seconds)  # who was given more time than usual may be silent for all of it
        return {"connect": min(bounds.connect, seconds), "read": read, "write": read, "pool": seconds}

    @asynccontextmanager
    async def _slot(self, host: str) -> AsyncIterator[None]:
        """A place among the requests that a host gets at the same time."""
        slots = self._hosts.setdefault(host, _Slots(self._bounds.per_host))
        slots.users += 1
        try:
            async with slots.free:
                yield
        finally:
            slots.users -= 1
            if not slots.users:
                del self._hosts[host]


class _Slots:
    """The requests at one host."""

    def __init__(self, number: int) -> None:
        self.free, self.users = asyncio.Semaphore(number), 0


def _request(request: HttpRequest, target: Target, timeouts: dict[str, float], *, user_agent: str) -> httpcore.Request:
    """The request as it is sent. Its path is sent as it was signed, byte for byte."""
    headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in request.headers]
    given = {name for name, _ in headers}
    # Bytes that are not packed cannot swell; what is packed nevertheless is unpacked within bounds.
    own = {b"host": target.authority, b"accept-encoding": "identity", b"user-agent": user_agent}
    if request.body or request.method not in ("GET", "HEAD", "DELETE"):
        own[b"content-length"] = str(len(request.body))
    headers += [(name, value.encode()) for name, value in own.items() if name not in given]
    url = httpcore.URL(scheme=target.scheme, host=target.host, port=target.port, target=target.path)
    return httpcore.Request(
        request.method, url, headers=headers, content=request.body, extensions={"timeout": timeouts}
    )


def _head(response: httpcore.Response) -> list[tuple[str, str]]:
    """The headers of a response.

    Raises:
        TooLarge: There are more than make sense.
        ValueError: They make no sense.
    """
    headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in response.headers]
    if len(headers) > MAX_HEADERS or sum(len(name) + len(value) for name, value in headers) > MAX_HEADER_BYTES:
        raise TooLarge
    if response.status < 200 or any(_CONTROL(value) for _, value in headers):
        raise ValueError("its head makes no sense")
    return headers


class _Unpack:
    """Undoes the content coding of a body, never into more bytes than asked for."""

    def __init__(self, coding: str) -> None:
        if coding not in ("", "identity", "gzip", "x-gzip", "deflate"):
            raise ValueError("its coding was not asked for")
        is_packed = coding not in ("", "identity")
        # 32: the header says whether it is gzip or zlib
        self._unpacker = zlib.decompressobj(32 + zlib.MAX_WBITS) if is_packed else None

    def feed(self, chunk: bytes, most: int) -> bytes:
        if self._unpacker is None:
            return chunk
        return b"" if self._unpacker.eof else self._unpacker.decompress(chunk, most)

    def end(self, came: int) -> None:
        if self._unpacker is not None and came and not self._unpacker.eof:
            raise ValueError("it breaks off")


def _words(error: BaseException) -> str:
    """An error for logs: what a peer wrote is shown with its control characters escaped, and not at length."""
    return f"{type(error).__name__}: {str(error)[:200]!r}" if str(error) else type(error).__name__
