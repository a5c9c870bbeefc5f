"""One running program: lines go in, lines come out, in time, and nothing of it is left behind."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import selectors
import signal
import subprocess
import sys
import threading
from typing import IO, TYPE_CHECKING, Any, Final

from mentionable_conformance._line import Broken, answer_on

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

__all__ = ["Child"]

_LINE_LIMIT: Final = 16 * 1024 * 1024
_PIECE: Final = 64 * 1024
_AT_ONCE: Final = 512
"""So many bytes a pipe takes without waiting when it takes any, says POSIX."""
_START_LIMIT: Final = 64 * 1024
"""So many bytes has the answer to `start` at most: it names a harness and its operations."""
_EXIT_SECONDS: Final = 2.0


class Child:
    """One running program, and two threads that read from it and write to it, so that it cannot block us."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        """Start it.

        Raises:
            OSError: It cannot be started.
        """
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            start_new_session=sys.platform != "win32",
        )
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._owed: queue.SimpleQueue[bool] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._over, self._close_to_end = os.pipe()
        self._threads = [
            threading.Thread(target=_write, args=(self._process.stdin, self._lines, self._over), daemon=True),
            threading.Thread(
                target=_read, args=(self._process.stdout, self._owed, self._answers, self._over), daemon=True
            ),
        ]
        for thread in self._threads:
            thread.start()

    def say(self, line: Mapping[str, Any]) -> None:
        """Send one line."""
        self._lines.put(json.dumps(line, ensure_ascii=True, separators=(",", ":")).encode("ascii") + b"\n")

    def exchange(self, line: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        """Send one line and read one, in time."""
        what = "start" if line["cmd"] == "start" else "this case"
        self.say(line)
        self._owed.put(True)
        try:
            answered = self._answers.get(timeout=seconds)
        except queue.Empty:
            if self._process.poll() is None:
                raise Broken(f"no answer to {what} within {seconds:g} s") from None
            answered = b""  # what it left behind holds its output open
        if not answered:
            raise Broken(f"ended{self._exit()} before it answered {what}")
        if line["cmd"] == "start" and len(answered) > _START_LIMIT:
            raise Broken(f"answered start with more than {_START_LIMIT} bytes")
        if not answered.endswith(b"\n"):
            if len(answered) >= _LINE_LIMIT:
                raise Broken(f"answered with more than {_LINE_LIMIT} bytes")
            raise Broken("ended in the middle of a line")
        return answer_on(answered)

    def end(self, grace: float) -> None:
        """Wait a moment, then end the program with its children, and the threads, who close the pipes."""
        self._lines.put(None)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(grace or 0.01)
        self._kill()
        self._process.wait()
        self._owed.put(False)
        os.close(self._close_to_end)
        for thread in self._threads:
            thread.join(_EXIT_SECONDS)
        os.close(self._over)

    def _kill(self) -> None:
        """End the whole group that the program leads."""
        with contextlib.suppress(OSError):
            if sys.platform == "win32":
                self._process.kill()
            else:
                os.killpg(self._process.pid, signal.SIGKILL)

    def _exit(self) -> str:
        """How the program ended, for a message."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return f" with status {self._process.wait(_EXIT_SECONDS)}"
        return ""


def _write(pipe: IO[bytes], lines: queue.SimpleQueue[bytes | None], over: int) -> None:
    """Write the lines until None comes, the program is gone, or all is over."""
    rest = memoryview(b"")
    with contextlib.suppress(OSError), pipe:
        for _ in _turns(pipe.fileno(), selectors.EVENT_WRITE, over):
            if not rest:
                if (line := lines.get()) is None:
                    break
                rest = memoryview(line)
            rest = rest[os.write(pipe.fileno(), rest[:_AT_ONCE]) :]


def _read(pipe: IO[bytes], owed: queue.SimpleQueue[bool], lines: queue.SimpleQueue[bytes], over: int) -> None:
    """Read one line for each that is owed, and no more: whoever talks without end fills its own pipe."""
    pending = bytearray()
    with pipe:
        turns = _turns(pipe.fileno(), selectors.EVENT_READ, over)
        while owed.get():
            lines.put(_line(pipe.fileno(), pending, turns))


def _line(source: int, pending: bytearray, turns: Iterator[bool]) -> bytes:
    """The next line with its end; when nothing more comes what is left, perhaps nothing. `pending` is for later."""
    sought = 0
    while (end := pending.find(b"\n", sought)) < 0 and len(pending) < _LINE_LIMIT:
        sought = len(pending)
        piece = os.read(source, _PIECE) if next(turns, False) else b""
        if not piece:
            break
        pending += piece
    line = bytes(pending if end < 0 else pending[: end + 1])
    del pending[: len(line)]
    return line


def _turns(pipe: int, event: int, over: int) -> Iterator[bool]:
    """True whenever a pipe can be read or written without waiting, until all is over.

    A program may leave a child behind that holds our pipes open for ever, so no thread waits for one alone. On Windows
    pipes cannot be waited for: there such a child holds a thread, and nothing else.
    """
    while sys.platform == "win32":
        yield True
    with selectors.DefaultSelector() as waiting:
        waiting.register(pipe, event)
        waiting.register(over, selectors.EVENT_READ)
        while all(key.fd != over for key, _ in waiting.select()):
            yield True
