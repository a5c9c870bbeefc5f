"""A connection of HTTP, with bounds on what a client may take of this machine: uvicorn has none for a head."""

from __future__ import annotations

import asyncio
import logging
from typing import Any, Final

from uvicorn.protocols.http.auto import AutoHTTPProtocol

__all__ = ["BoundedHttp"]

log = logging.getLogger(__name__)

HEAD_BYTES: Final = 65_536
"""So large the line and the header fields of a request may be, about: what is read at once is not counted apart."""
HEAD_SECONDS: Final = 20
"""So long a client has for them, from the connection or the last response on."""
SLOW_SECONDS: Final = 30
"""A client that takes nothing of a response for so long is cut off."""

TOO_LARGE: Final = b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
TOO_SLOW: Final = b"HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


class BoundedHttp(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    """The connection of uvicorn. httptools calls it where a head begins and ends; h11 has a bound of its own."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """There is nothing yet."""
        super().__init__(*args, **kwargs)
        self._is_in_head, self._size = False, 0
        self._head: asyncio.TimerHandle | None = None
        self._slow: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Waits for a head."""
        super().connection_made(transport)
        self._wait_for_head()

    def connection_lost(self, error: Exception | None) -> None:
        """Waits for nothing more."""
        for one in (self._head, self._slow):
            if one is not None:
                one.cancel()
        super().connection_lost(error)

    def data_received(self, data: bytes) -> None:
        """Reads on, unless a head is too large."""
        if self.transport.is_closing():
            return
        if self._is_in_head:
            self._size += len(data)
            if self._size > HEAD_BYTES:
                self._refuse(TOO_LARGE)
                return
        super().data_received(data)

    def on_message_begin(self) -> None:
        """A head begins."""
        self._is_in_head, self._size = True, 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """A head is there."""
        self._is_in_head = False
        super().on_headers_complete()

    def on_response_complete(self) -> None:
        """Waits for the next head."""
        super().on_response_complete()
        self._wait_for_head()

    def handle_websocket_upgrade(self, *args: Any) -> None:
        """The connection is another protocol's from here on: no head is waited for."""
        if self._head is not None:
            self._head.cancel()
        super().handle_websocket_upgrade(*args)

    def pause_writing(self) -> None:
        """The client takes less than there is for it."""
        super().pause_writing()
        self._wait_for_reader(self.transport.get_write_buffer_size())

    def resume_writing(self) -> None:
        """It has taken it."""
        if self._slow is not None:
            self._slow.cancel()
            self._slow = None
        super().resume_writing()

    def _wait_for_head(self) -> None:
        if self._head is not None:
            self._head.cancel()
        self._head = self.loop.call_later(HEAD_SECONDS, self._head_is_late)

    def _head_is_late(self) -> None:
        is_at_work = self.cycle is not None and not self.cycle.response_complete
        if not is_at_work and not self.transport.is_closing():
            self._refuse(TOO_SLOW)

    def _wait_for_reader(self, left: int) -> None:
        """Looks after a while whether less than so many bytes are left."""
        if self._slow is not None:
            self._slow.cancel()
        self._slow = self.loop.call_later(SLOW_SECONDS, self._look_at_reader, left)

    def _look_at_reader(self, before: int) -> None:
        left = self.transport.get_write_buffer_size()
        if left < before:
            self._wait_for_reader(left)
        else:
            log.info("a client that does not read is cut off")
            self.transport.abort()

    def _refuse(self, response: bytes) -> None:
        self.transport.write(response)
        self.transport.close()
