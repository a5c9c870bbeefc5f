"""The HTTP cache (RFC 9111). hishel decides what may be stored and used; this stores it within bounds.

It is a shared cache: what it holds is used for whoever wrote. So an answer to a request that was signed is stored only
if it says that it is for everybody, as RFC 9111 §3.5 has it for requests with credentials.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import datetime, timedelta
from email.utils import format_datetime, parsedate_to_datetime
from time import monotonic
from typing import Final

from attrs import frozen
from hishel import (
    AnyState,
    AsyncBaseStorage,
    CacheMiss,
    CacheOptions,
    CouldNotBeStored,
    Entry,
    FromCache,
    Headers,
    IdleClient,
    InvalidateEntries,
    NeedRevalidation,
    NeedToBeUpdated,
    Request,
    Response,
    StoreAndUse,
)
from mentionable import Failed, HttpRequest, HttpResponse

from mentionable_host.world.ttl_cache import TtlCache

__all__ = ["HttpCache", "MemoryStorage"]

STEPS: Final = 16
"""More steps than any way through the states has."""
MAX_BYTES: Final = 64_000_000
MAX_SECONDS: Final = 86_400
"""Nothing is used after a day, whatever its headers say."""
_OPTIONS: Final = CacheOptions(shared=True, supported_methods=["GET"], allow_stale=False)
_CREDENTIALS: Final = frozenset(("signature", "signature-input", "authorization", "date", "cookie", "*"))

Send = Callable[[HttpRequest], Awaitable[HttpResponse | Failed]]


class MemoryStorage(AsyncBaseStorage):
    """Stores responses in memory: what was used longest ago goes first. One key has one response."""

    def __init__(
        self, *, max_bytes: int = MAX_BYTES, max_seconds: float = MAX_SECONDS, clock: Callable[[], float] = monotonic
    ) -> None:
        """Empty.

        Args:
            max_bytes: What all responses may take.
            max_seconds: How old one may become.
            clock: Seconds that never go back.
        """
        super().__init__(default_ttl=max_seconds)
        self._seconds = max_seconds
        self._stored: TtlCache[_Stored] = TtlCache(capacity=max_bytes, weigh=_weight, clock=clock)
        self._keys: TtlCache[str] = TtlCache(capacity=max_bytes // 1024, clock=clock)

    async def create_entry(
        self, request: Request, response: Response, key: str, *, ttl: float | None = None, tti: float | None = None
    ) -> Entry:
        """Stores a response whose body is there already."""
        body = await _bytes(response)
        stored = _Stored(uuid.uuid4(), request, response.status_code, response.headers, body)
        self._put(key, stored)
        return stored.entry

    async def get_entries(self, key: str) -> list[Entry]:
        """The response of a key."""
        stored = self._stored.peek(key)
        return [stored.entry] if stored is not None else []

    async def update_headers(self, id: uuid.UUID, headers: Headers) -> None:
        """Changes the headers of a response."""
        key = self._keys.peek(id)
        stored = self._stored.peek(key)
        if key is not None and stored is not None and stored.id == id:
            self._put(key, _Stored(id, stored.request, stored.status, headers, stored.body))

    async def remove_entry(self, id: uuid.UUID) -> None:
        """Removes a response."""
        key = self._keys.peek(id)
        stored = self._stored.peek(key)
        if stored is not None and stored.id == id:
            self._stored.forget(key)

    def _put(self, key: str, stored: _Stored) -> None:
        self._stored.put(key, stored, seconds=self._seconds)
        self._keys.put(stored.id, key, seconds=self._seconds)


@frozen
class _Stored:
    """A response and the request that brought it."""

    id: uuid.UUID
    request: Request
    status: int
    headers: Headers
    body: bytes

    @property
    def entry(self) -> Entry:
        """As hishel reads it."""
        return Entry(self.id, self.request, Response(self.status, self.headers, _pieces(self.body)))


class _NoAnswer(Exception):
    """No server answered."""

    def __init__(self, failed: Failed) -> None:
        super().__init__(failed.reason)
        self.failed = failed


class HttpCache:
    """Answers a GET from what is stored, or from the network."""

    def __init__(self, storage: AsyncBaseStorage, *, now: Callable[[], datetime]) -> None:
        """Stores nothing yet.

        Args:
            storage: Where responses are stored: `MemoryStorage()`, or one of hishel's.
            now: The time.
        """
        self._storage, self._now = storage, now

    async def close(self) -> None:
        """Closes the storage."""
        await self._storage.close()

    async def get(self, request: HttpRequest, send: Send, *, is_signed: bool, fresh: bool) -> HttpResponse | Failed:
        """The response to a GET.

        Args:
            request: The GET, before it is signed.
            send: Signs and transmits it.
            is_signed: Whether `send` signs.
            fresh: Goes past what is stored. What comes is stored in its place.
        """
        key = _key(request, is_signed=is_signed)
        stored = await self._storage.get_entries(key)
        try:
            return await self._run(request, send, key, [] if fresh else stored, stored, is_signed=is_signed)
        except _NoAnswer as error:
            return error.failed

    async def _run(
        self,
        request: HttpRequest,
        send: Send,
        key: str,
        usable: list[Entry],
        stored: list[Entry],
        *,
        is_signed: bool,
    ) -> HttpResponse:
        """Goes through the states of RFC 9111 as hishel has them."""
        asked = Request("GET", request.url, Headers(dict(request.headers)))
        state: AnyState = IdleClient(options=_OPTIONS)
        for _ in range(STEPS):
            if isinstance(state, IdleClient):
                state = state.next(asked, usable)
            elif isinstance(state, CacheMiss | NeedRevalidation):
                response = await self._send(request, state.request, send, is_signed=is_signed)
                state = state.next(response)
            elif isinstance(state, StoreAndUse):
                for old in stored:
                    await self._storage.remove_entry(old.id)
                entry = await self._storage.create_entry(asked, state.response, key, ttl=MAX_SECONDS)
                return await _response(entry.response)
            elif isinstance(state, CouldNotBeStored):
                return await _response(state.response)
            elif isinstance(state, FromCache):
                return await _response(state.entry.response)
            elif isinstance(state, NeedToBeUpdated):
                for one in state.updating_entries:
                    await self._storage.update_headers(one.id, one.response.headers)
                state = state.next()
            elif isinstance(state, InvalidateEntries):
                for entry_id in state.entry_ids:
                    await self._storage.remove_entry(entry_id)
                state = state.next()
        raise AssertionError("each way through the states ends")

    async def _send(self, request: HttpRequest, asked: Request, send: Send, *, is_signed: bool) -> Response:
        """What the network brings, with headers that make sense to a cache."""
        got = await send(HttpRequest(method="GET", url=request.url, headers=dict(asked.headers)))
        if isinstance(got, Failed):
            raise _NoAnswer(got)
        headers: dict[str, list[str]] = {}
        for name, value in got.headers:
            headers.setdefault(name.lower(), []).append(value)
        headers["date"] = [self._date(got)]
        if is_signed and not _is_for_everybody(got):
            headers["cache-control"] = ["no-store"]
        return Response(got.status, Headers(headers), _pieces(got.body))

    def _date(self, got: HttpResponse) -> str:
        """When the response was made by our clock: a peer's clock, or none, makes it no younger."""
        now = self._now()
        age = got.header("age") or ""
        made = now - timedelta(seconds=min(int(age), MAX_SECONDS) if age.isascii() and age.isdecimal() else 0)
        try:
            date = parsedate_to_datetime(got.header("date") or "")
            return format_datetime(min(made, date.astimezone(now.tzinfo)), usegmt=True)
        except (ValueError, TypeError, OverflowError):
            return format_datetime(made, usegmt=True)


def _is_for_everybody(got: HttpResponse) -> bool:
    """Whether the answer to a request that was signed says that everybody may have it."""
    control = ",".join(value for name, value in got.headers if name.lower() == "cache-control").lower()
    directives = {one.strip().partition("=")[0] for one in control.split(",")}
    vary = ",".join(value for name, value in got.headers if name.lower() == "vary").lower()
    varies = {one.strip() for one in vary.split(",")}
    return (
        bool(directives & {"public", "s-maxage"})
        and not directives & {"private", "no-store"}
        and not varies & _CREDENTIALS
    )


def _key(request: HttpRequest, *, is_signed: bool) -> str:
    parts = (request.url.partition("#")[0], request.header("accept") or "", "signed" if is_signed else "")
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _weight(stored: _Stored) -> int:
    return len(stored.body) + sum(len(name) + len(value) for name, value in stored.headers.items()) + 1024


async def _pieces(body: bytes) -> AsyncIterator[bytes]:
    yield body


async def _bytes(response: Response) -> bytes:
    stream = response.stream
    if not isinstance(stream, AsyncIterator):
        return b""
    return b"".join([piece async for piece in stream])


async def _response(response: Response) -> HttpResponse:
    headers = [(name, value) for name in response.headers for value in response.headers.get_list(name) or []]
    return HttpResponse(status=response.status_code, headers=headers, body=await _bytes(response))
