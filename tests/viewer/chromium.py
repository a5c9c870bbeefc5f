"""Headless Chromium, spoken to over a pipe in its own protocol (CDP): no server, no port, no driver."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import shutil
import signal
import tempfile
import time
from typing import TYPE_CHECKING, Any, Final, Self

from tests.setup_interop import CHROMIUM_HOME

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

FLAGS: Final = (
    "--headless=shell",
    "--no-sandbox",  # the tests may run as root, and open only files of their own
    "--no-zygote",
    "--disable-gpu",
    "--disable-software-rasterizer",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-sync",
    "--font-render-hinting=none",
    "--force-color-profile=srgb",
    "--hide-scrollbars",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",  # nothing outside can be reached even by mistake
    "--no-default-browser-check",
    "--no-first-run",
    "--remote-debugging-pipe",
)
PATIENCE: Final = 30.0
"""Seconds until an answer that does not come fails the test."""


class Chromium:
    """One browser process. Use it as a context."""

    def __init__(self, executable: Path, environment: Mapping[str, str]) -> None:
        self._home = tempfile.mkdtemp(prefix="viewer-")
        theirs_in, self._out = _pipe()
        self._in, theirs_out = _pipe()
        command = [str(executable), *FLAGS, f"--user-data-dir={self._home}"]
        self._log = os.path.join(self._home, "stderr")
        actions = [
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
            (os.POSIX_SPAWN_OPEN, 2, self._log, os.O_WRONLY | os.O_CREAT, 0o600),
            (os.POSIX_SPAWN_DUP2, theirs_in, 3),
            (os.POSIX_SPAWN_DUP2, theirs_out, 4),
        ]
        surroundings = {**os.environ, "HOME": self._home, **environment}
        self._process = os.posix_spawn(command[0], command, surroundings, file_actions=actions, setpgroup=0)
        os.close(theirs_in)
        os.close(theirs_out)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._in, selectors.EVENT_READ)
        self._waiting = bytearray()
        self._last = 0
        self.on_event: Callable[[dict[str, Any]], None] = lambda event: None

    @classmethod
    def found(cls) -> Self:
        """The one of the set-up."""
        libraries = str(CHROMIUM_HOME / "lib")
        fonts = str(CHROMIUM_HOME / "fonts.conf")
        return cls(CHROMIUM_HOME / "chromium", {"LD_LIBRARY_PATH": libraries, "FONTCONFIG_FILE": fonts})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process, signal.SIGKILL)
        os.waitpid(self._process, 0)
        self._selector.close()
        os.close(self._in)
        os.close(self._out)
        shutil.rmtree(self._home, ignore_errors=True)

    def ask(self, method: str, *, session: str | None = None, **parameters: Any) -> dict[str, Any]:
        """What the browser answers to one command; events that come before it go to `on_event`."""
        self._last += 1
        command = {"id": self._last, "method": method, "params": parameters}
        if session is not None:
            command["sessionId"] = session
        data = json.dumps(command).encode() + b"\0"
        while data:
            data = data[os.write(self._out, data) :]
        deadline = time.monotonic() + PATIENCE
        while True:
            message = self._next(deadline)
            if message.get("id") == self._last:
                if "error" in message:
                    raise AssertionError(f"{method}: {message['error']['message']}")
                found: dict[str, Any] = message["result"]
                return found
            self.on_event(message)

    def _next(self, deadline: float) -> dict[str, Any]:
        """The next message of the browser."""
        seen = 0
        while (end := self._waiting.find(b"\0", seen)) < 0:
            seen = len(self._waiting)
            if not self._selector.select(max(0.0, deadline - time.monotonic())):
                raise TimeoutError(f"Chromium gave no answer in {PATIENCE:.0f} s")
            data = os.read(self._in, 1 << 20)
            if not data:
                raise AssertionError(f"Chromium ended: {self.said()}")
            self._waiting += data
        message: dict[str, Any] = json.loads(self._waiting[:end])
        del self._waiting[: end + 1]
        return message

    def said(self) -> str:
        """The end of its standard error."""
        with open(self._log, encoding="utf-8", errors="replace") as log:
            return log.read()[-2000:]


def _pipe() -> tuple[int, int]:
    """A pipe whose ends have high numbers, so that neither is in the way of 3 and 4."""
    import fcntl  # not on every system, and then there is no browser either

    low = os.pipe()
    high = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 64) for end in low]
    for end in low:
        os.close(end)
    return high[0], high[1]
