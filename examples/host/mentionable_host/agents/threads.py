"""Runs what may take long in threads of its own: one that hangs keeps neither others nor the end of the process up."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from threading import BoundedSemaphore, Thread
from typing import Final, TypeVar

__all__ = ["in_thread"]

T = TypeVar("T")

THREADS: Final = 64
"""So many run at most, those whose caller waits no more too."""

_free: Final = BoundedSemaphore(THREADS)


async def in_thread(call: Callable[[], T]) -> T:
    """What a function gives.

    Raises:
        RuntimeError: Too many others hang, or the function raised what ends generators: a future and a coroutine take
            that for an end of theirs.
    """
    if not _free.acquire(blocking=False):
        raise RuntimeError(f"{THREADS} functions of the program run already, and do not come back")
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()
    context = copy_context()

    def run() -> None:
        try:
            value = context.run(call)
        except (StopIteration, GeneratorExit) as error:
            _tell(loop, future, RuntimeError(f"the function raises {type(error).__name__}"))
        except BaseException as error:
            _tell(loop, future, error)
        else:
            _tell(loop, future, value)
        finally:
            _free.release()

    Thread(target=run, name="agent", daemon=True).start()
    return await future


def _tell(loop: asyncio.AbstractEventLoop, future: asyncio.Future[T], came: T | BaseException) -> None:
    """Tells the caller what came of it, if it still waits."""

    def settle() -> None:
        if future.done():
            return
        if isinstance(came, BaseException):
            future.set_exception(came)
        else:
            future.set_result(came)

    with suppress(RuntimeError):  # the process ends: the loop is closed
        loop.call_soon_threadsafe(settle)
