"""The stream over WebSocket: items go out, and messages of the device come in on the same connection."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING, Final

from mentionable import anp
from starlette.websockets import WebSocket, WebSocketDisconnect

from mentionable_host.http import SLOW_SECONDS
from mentionable_host.notifications import client
from mentionable_host.notifications.access import Refused, Visitor
from mentionable_host.notifications.in_turn import InTurn
from mentionable_host.store.database import Conflict, StoreUnavailable

if TYPE_CHECKING:
    from mentionable_host.host import Host

__all__ = ["FRAME_BYTES", "talk"]

log = logging.getLogger(__name__)

Items = AsyncGenerator[anp.StreamItem | None, None]

FRAME_BYTES: Final = 16_384
FRAMES: Final = 20
"""So many frames of a device are read in a second."""

ENDED: Final = 1_000
NO_TEXT: Final = 1_003
TOO_FAST: Final = 1_008
TOO_LONG: Final = 1_009
LATER: Final = 1_013
"""Status codes of the end (RFC 6455 §7.4.1; 1013 is of the registry of IANA)."""


async def talk(
    host: Host, socket: WebSocket, visitor: Visitor, items: Items, *, first: anp.StreamItem | None, in_turn: InTurn
) -> None:
    """Sends items and takes messages; returns when one side ends.

    Args:
        host: The host.
        socket: The connection, accepted.
        visitor: Whose it is.
        items: What goes out.
        first: What goes out before that.
        in_turn: Does what they send, and what else the person asks for, one after the other.
    """
    both = [
        asyncio.create_task(_send(socket, items, first=first)),
        asyncio.create_task(_receive(host, socket, visitor, in_turn)),
    ]
    try:
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for one in both:
            one.cancel()
        results = await asyncio.gather(*both, return_exceptions=True)
    code = next((result for result in results if isinstance(result, int)), None)
    for result in results:
        if isinstance(result, Exception) and not isinstance(result, WebSocketDisconnect):
            is_expected = isinstance(result, (StoreUnavailable, Conflict, TimeoutError, Refused))
            log.log(logging.WARNING if is_expected else logging.ERROR, "a WebSocket breaks off: %r", result)
            code = LATER
    if code is not None:
        try:
            async with asyncio.timeout(SLOW_SECONDS):
                await socket.close(code)
        except (RuntimeError, WebSocketDisconnect, TimeoutError):
            log.debug("a WebSocket had ended")


async def _send(socket: WebSocket, items: Items, *, first: anp.StreamItem | None) -> int:
    """Sends items, at the pace of the device; the code of the end. Pings keep the connection open."""
    await _send_one(socket, first)
    async for item in items:
        await _send_one(socket, item)
    return ENDED


async def _send_one(socket: WebSocket, item: anp.StreamItem | None) -> None:
    if item is not None:
        async with asyncio.timeout(SLOW_SECONDS):
            await socket.send_text(anp.to_web_socket(item))


async def _receive(host: Host, socket: WebSocket, visitor: Visitor, in_turn: InTurn) -> int | None:
    """Takes messages; the code of the end, or None where the device has ended it."""
    clock = asyncio.get_running_loop().time
    second, count = clock(), 0
    while True:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return None
        text = message.get("text")
        if text is None:
            return NO_TEXT
        if len(text) > FRAME_BYTES or len(text.encode("utf-8", "replace")) > FRAME_BYTES:
            return TOO_LONG
        if clock() - second >= 1:
            second, count = clock(), 0
        count += 1
        if count > FRAMES:
            return TOO_FAST
        async with in_turn.of(visitor.person):
            await client.take(host, visitor.person, [text])
