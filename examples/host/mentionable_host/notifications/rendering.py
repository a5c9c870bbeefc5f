"""Makes HTML in a thread of its own: Markdown of 20,000 characters can take half a second, and nothing waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

__all__ = ["rendered"]

T = TypeVar("T")

_THREAD: Final = ThreadPoolExecutor(1, "html")
"""One for all people; it starts with the first text."""


async def rendered(work: Callable[[], T]) -> T:
    """What `work` makes of one text. Who has many texts gets in line again with each."""
    return await asyncio.get_running_loop().run_in_executor(_THREAD, work)
