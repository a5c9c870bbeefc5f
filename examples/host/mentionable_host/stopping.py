"""What a signal that ends a server means to streams, which have no end of their own."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

__all__ = ["released_by_signals"]


@contextmanager
def released_by_signals(release: Callable[[], None]) -> Iterator[None]:
    """Ends connections that have no end of their own when a signal ends the server: it would wait for them.

    A server tells its application nothing before that. It gets the signal all the same.

    Args:
        release: Ends these connections.
    """
    loop, before = asyncio.get_running_loop(), dict[int, Callable[[int, FrameType | None], Any]]()

    def on_signal(number: int, frame: FrameType | None) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(release)
        before[number](number, frame)

    numbers = (signal.SIGTERM, signal.SIGINT) if threading.current_thread() is threading.main_thread() else ()
    for number in numbers:
        handler = signal.getsignal(number)
        if callable(handler):
            before[number] = handler
            signal.signal(number, on_signal)
    try:
        yield
    finally:
        for known, handler in before.items():
            if signal.getsignal(known) is on_signal:
                signal.signal(known, handler)
