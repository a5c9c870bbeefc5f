"""The gateway of Discord: a connection that the host opens, and by which messages of channels come.

What cannot be stored is not lost: the connection is closed and resumed behind the last event that is stored, and
Discord sends again what came after it.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from random import Random
from typing import Any, Final, Protocol
from urllib.parse import urlsplit

from attrs import define, field

__all__ = ["FatalClose", "Gateway", "Socket", "connect"]

log = logging.getLogger(__name__)

URL: Final = "wss://gateway.discord.gg"
QUERY: Final = "/?v=10&encoding=json"
HOSTS: Final = ".discord.gg"
INTENTS: Final = (1 << 9) | (1 << 10) | (1 << 12) | (1 << 13)
"""Messages and reactions, of guilds and in private. The content of messages that mention the bot needs no more."""
MAX_EVENT: Final = 4_194_304
PAUSES: Final = (1.0, 2.0, 5.0, 15.0, 30.0, 60.0)
"""Seconds before a new connection, after each one that brought nothing."""
FATAL: Final = {
    4004: "Discord does not take the bot token: put a new one into discord.bot_token",
    4010: "the connection is of a wrong shard",
    4011: "the bot is in so many guilds that it needs shards, which this host does not have",
    4012: "Discord does not speak this version of the gateway any more",
    4013: "the intents are wrong",
    4014: "allow the intents of the bot in the developer portal",
}
"""Codes after which Discord takes no new connection either."""
FORGETS: Final = frozenset((4007, 4009))
"""Codes after which the session cannot be resumed."""

DISPATCH, HEARTBEAT, IDENTIFY, RESUME, RECONNECT, INVALID, HELLO, ACKNOWLEDGED = 0, 1, 2, 6, 7, 9, 10, 11


class FatalClose(Exception):
    """Discord takes no connection of this bot. The message says what to do."""


class Closed(Exception):
    """The connection has ended.

    Attributes:
        code: Why, as Discord numbers it; None: it just broke.
    """

    def __init__(self, code: int | None = None) -> None:
        """It has ended."""
        super().__init__(code)
        self.code = code


class Socket(Protocol):
    """A connection. Both methods raise `Closed` when it has ended."""

    async def send(self, text: str) -> None:
        """Sends an event."""

    async def receive(self) -> str:
        """The next event."""


Connect = Callable[[str], AbstractAsyncContextManager[Socket]]
Take = Callable[[Mapping[str, Any]], Awaitable[bool]]
"""Stores an event; False: not just now."""


@define
class Session:
    """What is known of the session that Discord has for us.

    Attributes:
        id: Its id; None: there is none.
        url: Where it is resumed.
        seen: The number of the last event that is stored.
    """

    id: str | None = None
    url: str = URL
    seen: int | None = None


@define
class Gateway:
    """The connection, and what keeps it.

    Attributes:
        token: The token of the bot.
        take: Stores an event.
        connect: Opens a connection.
        chance: Spreads heartbeats and new connections.
    """

    token: str = field(repr=False)
    take: Take
    connect: Connect
    chance: Random
    session: Session = field(factory=Session, init=False)
    _is_acknowledged: bool = field(default=True, init=False)

    async def run(self, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        """Stays connected until it is canceled.

        Raises:
            FatalClose: Discord takes no connection of this bot.
        """
        failures = 0
        while True:
            before = self.session.seen
            try:
                await self._connected()
            except Closed as closed:
                if closed.code in FATAL:
                    raise FatalClose(FATAL[closed.code]) from closed
                if closed.code in FORGETS:
                    self.session = Session()
                log.info("discord: the gateway closed the connection (%s)", closed.code)
            except (OSError, TimeoutError) as error:
                log.info("discord: the gateway cannot be reached: %s", type(error).__name__)
            failures = failures + 1 if self.session.seen == before else 0
            await sleep(PAUSES[min(failures, len(PAUSES) - 1)] * self.chance.uniform(1, 1.5))

    async def _connected(self) -> None:
        """One connection, from its begin to its end."""
        async with self.connect(f"{self.session.url}{QUERY}") as socket:
            hello = _event(await socket.receive())
            seconds = _interval(hello)
            self._is_acknowledged = True
            await socket.send(json.dumps(self._greeting()))
            beating = asyncio.create_task(self._beat(socket, seconds))
            try:
                while not beating.done():
                    reading = asyncio.ensure_future(socket.receive())
                    done, _ = await asyncio.wait({reading, beating}, return_when=asyncio.FIRST_COMPLETED)
                    if reading not in done:
                        reading.cancel()
                        break
                    if not await self._heed(_event(reading.result()), socket):
                        return
                raise Closed
            finally:
                beating.cancel()
                await asyncio.gather(beating, return_exceptions=True)

    def _greeting(self) -> dict[str, Any]:
        """Goes on with the session, or begins one."""
        if self.session.id is not None:
            session = {"token": self.token, "session_id": self.session.id, "seq": self.session.seen}
            return {"op": RESUME, "d": session}
        properties = {"os": "linux", "browser": "mentionable", "device": "mentionable"}
        return {"op": IDENTIFY, "d": {"token": self.token, "intents": INTENTS, "properties": properties}}

    async def _beat(self, socket: Socket, seconds: float) -> None:
        """Says again and again that we are there. Ends where Discord does not say the same."""
        await asyncio.sleep(seconds * self.chance.random())
        while self._is_acknowledged:
            self._is_acknowledged = False
            await socket.send(json.dumps({"op": HEARTBEAT, "d": self.session.seen}))
            await asyncio.sleep(seconds)

    async def _heed(self, event: Mapping[str, Any], socket: Socket) -> bool:
        """Does what an event asks for; False: the connection is to be made anew."""
        kind, data = event.get("op"), event.get("d")
        if kind == DISPATCH:
            return await self._dispatched(event)
        if kind == ACKNOWLEDGED:
            self._is_acknowledged = True
        elif kind == HEARTBEAT:
            await socket.send(json.dumps({"op": HEARTBEAT, "d": self.session.seen}))
        elif kind == INVALID:
            if data is not True:
                self.session = Session()
            return False
        return kind != RECONNECT

    async def _dispatched(self, event: Mapping[str, Any]) -> bool:
        """Stores an event, and then counts it; False: it could not be stored."""
        name, data, number = event.get("t"), event.get("d"), event.get("s")
        if name == "READY" and isinstance(data, Mapping):
            self.session.id, url = str(data.get("session_id")), str(data.get("resume_gateway_url"))
            self.session.url = url.rstrip("/") if _is_discord(url) else URL
        elif isinstance(name, str) and name.startswith("MESSAGE_") and not await self.take(event):
            return False
        if isinstance(number, int):
            self.session.seen = number
        return True


def _event(text: str) -> Mapping[str, Any]:
    """An event of the gateway.

    Raises:
        Closed: It is none: the connection is of no use.
    """
    try:
        event = json.loads(text)
    except (ValueError, RecursionError):
        raise Closed from None
    if not isinstance(event, dict):
        raise Closed
    return event


def _interval(hello: Mapping[str, Any]) -> float:
    """So many seconds are between two heartbeats, as Discord says at first."""
    data = hello.get("d")
    interval = data.get("heartbeat_interval") if isinstance(data, Mapping) else None
    if hello.get("op") != HELLO or not isinstance(interval, int) or not 1_000 <= interval <= 600_000:
        raise Closed
    return interval / 1_000


def _is_discord(url: str) -> bool:
    """Whether a session may be resumed there: our token goes to Discord alone."""
    parts = urlsplit(url)
    return parts.scheme == "wss" and (parts.hostname or "").endswith(HOSTS)


def connect(url: str) -> AbstractAsyncContextManager[Socket]:
    """A connection by the library `websockets`.

    Raises:
        ImportError: It is not installed: `pip install 'mentionable-host[discord]'`.
    """
    from websockets.asyncio.client import connect as open_socket
    from websockets.exceptions import ConnectionClosed, WebSocketException

    class Opened:
        def __init__(self, socket: Any) -> None:
            self._socket = socket

        async def send(self, text: str) -> None:
            try:
                await self._socket.send(text)
            except ConnectionClosed as error:
                raise _closed(error) from error

        async def receive(self) -> str:
            try:
                return str(await self._socket.recv(decode=True))
            except ConnectionClosed as error:
                raise _closed(error) from error

    @asynccontextmanager
    async def opened() -> AsyncIterator[Socket]:
        try:
            async with open_socket(url, max_size=MAX_EVENT, open_timeout=30) as socket:
                yield Opened(socket)
        except WebSocketException as error:
            raise _closed(error) from error

    return opened()


def _closed(error: Exception) -> Closed:
    received = getattr(error, "rcvd", None)
    return Closed(getattr(received, "code", None))
