"""A headless Chromium, and a host that it can reach on this machine."""

from __future__ import annotations

import asyncio
import os
import socket
import threading
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import uvicorn

T = TypeVar("T")

CHROMIUM = Path(__file__).parents[3] / ".cache" / "interop" / "chromium"
"""Where `python tests/setup_interop.py` of the repository puts it."""
FLAGS = (
    "--no-sandbox",  # the tests may run as root, and open only pages of their own
    "--no-zygote",
    "--headless=shell",
    "--disable-gpu",
    "--disable-software-rasterizer",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--font-render-hinting=none",
    "--force-color-profile=srgb",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",  # nothing outside is reached even by mistake
)


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    """What a coroutine brings, in a thread of its own: the driver of the browser has the loop of this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


@contextmanager
def chromium() -> Iterator[Any]:
    """The browser."""
    from playwright.sync_api import sync_playwright

    found = {"LD_LIBRARY_PATH": str(CHROMIUM / "lib"), "FONTCONFIG_FILE": str(CHROMIUM / "fonts.conf")}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM / "chromium", env={**os.environ, **found}, args=[*FLAGS]
        )
        yield browser
        browser.close()


@contextmanager
def served(app: Any) -> Iterator[str]:
    """The URL of an application that is served in a thread."""
    place = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, lifespan="off", log_config=None, access_log=False, ws="none"))
    thread = threading.Thread(target=lambda: asyncio.run(server.serve([place])))
    thread.start()
    try:
        yield f"http://127.0.0.1:{place.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        place.close()
