"""A host under uvicorn, on a free port of this machine."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext

import uvicorn

__all__ = ["free_socket", "serving"]


def free_socket() -> tuple[socket.socket, str]:
    """A socket that listens, and the URL of what is served by it."""
    listening = socket.create_server(("127.0.0.1", 0))
    return listening, f"http://127.0.0.1:{listening.getsockname()[1]}"


@asynccontextmanager
async def serving(app, listening: socket.socket) -> AsyncIterator[None]:
    """Serves an application while it is open."""
    config = uvicorn.Config(app, log_config=None, timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    server.capture_signals = nullcontext
    task = asyncio.create_task(server.serve(sockets=[listening]))
    while not server.started:
        await asyncio.sleep(0.01)
    try:
        yield
    finally:
        server.should_exit = True
        await task
