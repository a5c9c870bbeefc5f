"""A host for any ASGI server: `uvicorn --factory mentionable_host.asgi:app`, in the folder of the project.

`MENTIONABLE_CONFIG` names another configuration than `mentionable.toml`.
"""

from __future__ import annotations

import fcntl
import gc
import os
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path
from typing import Final, cast

from attrs import evolve
from starlette.applications import Starlette
from starlette.types import Message, Receive, Scope, Send

from mentionable_host.build import build
from mentionable_host.config import Config, ConfigError
from mentionable_host.host import Parts
from mentionable_host.logs import Form, set_up

__all__ = ["CONFIG", "GRACE_SECONDS", "LOG", "PARTS", "SEVERAL", "app"]

CONFIG: Final = "MENTIONABLE_CONFIG"
LOG: Final = "MENTIONABLE_LOG"
PARTS: Final = "MENTIONABLE_PARTS"
SEVERAL: Final = "MENTIONABLE_SEVERAL"
"""Set where several processes serve one project on one machine."""

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
    if os.environ.get(SEVERAL) and config.mail is not None and not _is_first(config):
        config = evolve(config, mail=evolve(config.mail, smtp="", lmtp=""))
    parts = cast("Parts", os.environ.get(PARTS, "all"))
    host = build(config)
    gc.freeze()  # what is there by now stays until the end: the collector need not look at it

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        try:
            async with host.running(parts=parts):
                yield
                await host.finish(GRACE_SECONDS)
        finally:
            host.database.close()

    return _Application(routes=host.app().routes, lifespan=lifespan)


class _Application(Starlette):
    """Tells its server in a line, without a traceback, what keeps it from starting."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_line(message: Message) -> None:
            error = sys.exception()
            if message["type"] == "lifespan.startup.failed" and isinstance(error, ConfigError):
                message = {**message, "message": f"mentionable-host: {error}"}
            await send(message)

        await super().__call__(scope, receive, send_line if scope["type"] == "lifespan" else send)


def _is_first(config: Config) -> bool:
    """Whether this is the one of several processes that listens for mail: it has a lock as long as it lives."""
    name = sha256(str(config.folder.absolute()).encode()).hexdigest()[:16]
    path = Path(tempfile.gettempdir()) / f"mentionable-{os.getuid()}-{name}.lock"
    try:
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise ConfigError(f"{path} cannot be locked: {error.strerror}") from error
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(file)
        return False
    return True
