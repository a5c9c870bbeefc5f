"""A host for any ASGI server: `uvicorn --factory mentionable_host.asgi:app`, in the folder of the project.

`MENTIONABLE_CONFIG` names another configuration than `mentionable.toml`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, cast

from starlette.applications import Starlette

from mentionable_host.build import build
from mentionable_host.config import Config, ConfigError
from mentionable_host.logs import Form, set_up

__all__ = ["CONFIG", "GRACE_SECONDS", "LOG", "PARTS", "app"]

CONFIG: Final = "MENTIONABLE_CONFIG"
LOG: Final = "MENTIONABLE_LOG"
PARTS: Final = "MENTIONABLE_PARTS"

GRACE_SECONDS: Final = 10
"""So long requests and jobs that have begun may take after SIGTERM; then they are done again after the next start."""


STARTUP_FAILURE: Final = 3
"""uvicorn does not begin anew what ends with it."""


def app() -> Starlette:
    """The application of the configured host. If it cannot be built, the process ends with a line that says why."""
    try:
        return _app()
    except ConfigError as error:
        print(f"mentionable-host: {error}", file=sys.stderr)
        sys.exit(STARTUP_FAILURE)


def _app() -> Starlette:
    config = Config.load(Path(os.environ.get(CONFIG, "mentionable.toml")))
    if form := os.environ.get(LOG):
        set_up(cast("Form", form), config=config)
    how: dict[str, Any] = {"parts": parts} if (parts := os.environ.get(PARTS, "all")) != "all" else {}
    host = build(config)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        try:
            async with host.running(**how):
                yield
                await host.finish(GRACE_SECONDS)
        finally:
            host.database.close()

    return Starlette(routes=host.routes(), lifespan=lifespan)
