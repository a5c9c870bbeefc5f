"""Makes HTML in a thread of its own: Markdown of 20,000 characters can take half a second, and nothing waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

__all__ = ["Renderer"]

T = TypeVar("T")


class Renderer:
    """One thread for all people. Who has many texts gets in line again with each."""

    def __init__(self) -> None:
        """Starts nothing yet."""
        self._thread = ThreadPoolExecutor(1, "html")

    async def make(self, work: Callable[[], T]) -> T:
        """What `work` makes of one text."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)
