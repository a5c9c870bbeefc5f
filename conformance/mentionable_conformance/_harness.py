"""The two ways to reach an implementation: a function in this process, or a program that speaks JSON lines.

A program reads one JSON object a line and answers each with one line:

    {"cmd": "start", "protocol": 1}   →  {"protocol": 1, "implementation": {"name": …, …}, "ops": […]}
    {"cmd": "run", "seq": 7, "op": …, "given": {…}, "input": …}
                                      →  {"seq": 7, "messages" | "value" | "bytes" | "rejected": …, …}
    {"cmd": "stop"}                   →  (ends)

A program that hangs, dies or talks nonsense is ended and started again, so that one bad case does not hide the others.
"""

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
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, Any, Final, Protocol

from mentionable_conformance._compare import misshapen
from mentionable_conformance._schema import problems
from mentionable_conformance._version import PROTOCOL

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from mentionable_conformance._cases import Case

__all__ = ["BadHarness", "CallableHarness", "Harness", "Implementation", "ProcessHarness", "perform_errored"]

_LINE_LIMIT: Final = 64 * 1024 * 1024
_PIECE: Final = 64 * 1024
_AT_ONCE: Final = 512
"""So many bytes a pipe takes without waiting when it takes any, says POSIX."""
_START_SECONDS: Final = 30.0
_START_LIMIT: Final = 64 * 1024
"""So many bytes has the answer to `start` at most: it names a harness and its operations."""
_STOP_SECONDS: Final = 2.0


class BadHarness(Exception):
    """The harness cannot be started, or does not speak this protocol: nothing can be judged."""


@dataclass(frozen=True, kw_only=True)
class Implementation:
    """What a harness says about itself when it starts."""

    name: str
    version: str = ""
    language: str = ""
    more: Mapping[str, Any] = field(default_factory=dict)
    ops: frozenset[str] = frozenset()

    @property
    def title(self) -> str:
        """Its name, and its version where it says one."""
        return " ".join(filter(None, (self.name, self.version)))

    @classmethod
    def read(cls, line: Mapping[str, Any]) -> Implementation:
        """From the answer to `start`.

        Raises:
            BadHarness: It is not such an answer, or of another protocol version.
        """
        about, ops = line.get("implementation"), line.get("ops")
        if line.get("protocol") != PROTOCOL or isinstance(line.get("protocol"), bool):
            raise BadHarness(f"the harness speaks protocol {line.get('protocol')!r}, this runner {PROTOCOL}")
        if not isinstance(about, dict) or not isinstance(about.get("name"), str):
            raise BadHarness("the answer to start lacks implementation.name")
        if not isinstance(ops, list) or not all(isinstance(op, str) for op in ops):
            raise BadHarness("the answer to start lacks ops, a list of names")
        more = {name: value for name, value in about.items() if name not in {"name", "version", "language"}}
        version, language = str(about.get("version", "")), str(about.get("language", ""))
        return cls(name=about["name"], version=version, language=language, more=more, ops=frozenset(ops))


class Harness(Protocol):
    """Something that can be asked to perform cases."""

    def start(self) -> Implementation:
        """Get ready, and say who you are."""

    def perform(self, seq: int, case: Case) -> Mapping[str, Any]:
        """The answer to one case; a fault of the harness is `{"errored": {"message": …}}`, never an exception."""

    def stop(self) -> None:
        """End, and leave nothing behind."""


class CallableHarness:
    """A function of this process: `perform(op, given, input)` gives the answer; an exception is an error."""

    def __init__(
        self, perform: Callable[[str, Mapping[str, Any], Any], Mapping[str, Any]], implementation: Implementation
    ) -> None:
        """Without a time limit: a function cannot be stopped from outside."""
        self._perform, self._implementation = perform, implementation

    def start(self) -> Implementation:
        """Who it is."""
        return self._implementation

    def perform(self, seq: int, case: Case) -> Mapping[str, Any]:
        """Call the function. What goes in and what comes out is JSON, so that neither side can reach into the other."""
        given, value = json.loads(json.dumps([case.given, case.input]))
        try:
            answer = _checked(json.loads(json.dumps(self._perform(case.op, given, value))))
        except Exception as error:  # whatever it raises is its answer to this case
            return perform_errored(f"{type(error).__name__}: {error}")
        return answer if isinstance(answer, dict) else perform_errored(f"not a JSON object: {str(answer)[:120]}")

    def stop(self) -> None:
        """Nothing to end."""


class ProcessHarness:
    """A program started with `command`, spoken to in JSON lines, restarted after a hang, a crash or nonsense."""

    def __init__(
        self, command: Sequence[str], *, timeout: float = 10.0, validate: bool = False, python_path: str | None = None
    ) -> None:
        """`timeout` is in seconds for each case; `validate` checks every line against `harness.schema.json`."""
        self._command, self._timeout, self._validate = tuple(command), timeout, validate
        self._environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
        if python_path:
            self._environment["PYTHONPATH"] = python_path
        self._child: _Child | None = None

    def start(self) -> Implementation:
        """Start the program and shake hands.

        Raises:
            BadHarness: It does not start, does not answer, or speaks another protocol.
        """
        self._child = child = _Child(self._command, self._environment)
        try:
            line = child.exchange({"cmd": "start", "protocol": PROTOCOL}, _START_SECONDS)
            if self._validate and (wrong := problems("harness", line, "started")):
                raise BadHarness(f"the answer to start breaks harness.schema.json: {wrong[0]}")
            return Implementation.read(line)
        except _Broken as broken:
            self._end()
            raise BadHarness(f"{' '.join(self._command)}: {broken}") from None
        except BadHarness:
            self._end()
            raise

    def perform(self, seq: int, case: Case) -> Mapping[str, Any]:
        """Ask for one case; start the program again first if the last case ended it."""
        if self._child is None:
            self.start()
        child = self._child
        assert child is not None  # start() raises otherwise
        ask = {"cmd": "run", "seq": seq, "op": case.op, "given": case.given, "input": case.input}
        try:
            answer = child.exchange(ask, self._timeout)
            if answer.get("seq") != seq:
                raise _Broken(f"answered seq {answer.get('seq')!r} instead of {seq}")
        except _Broken as broken:
            self._end()
            return perform_errored(str(broken))
        # whoever judges says in plain words that an answer is no answer, or two: the schema says no more about it
        if self._validate and not misshapen(answer) and (wrong := problems("harness", answer, "answered")):
            return perform_errored(f"the line breaks harness.schema.json: {'; '.join(wrong[:3])}")
        return answer

    def stop(self) -> None:
        """Say stop, and end the program if it does not."""
        if self._child is not None:
            self._child.say({"cmd": "stop"})
            self._end(grace=_STOP_SECONDS)

    def _end(self, *, grace: float = 0.0) -> None:
        """End the program and everything it started."""
        child, self._child = self._child, None
        if child is not None:
            child.end(grace)


def perform_errored(message: str) -> dict[str, Any]:
    """The answer that says: this case could not be performed."""
    return {"errored": {"message": message.encode("utf-8", "backslashreplace").decode("utf-8")}}


class _Broken(Exception):
    """The conversation with the program cannot go on."""


class _Child:
    """One running program, and two threads that read from it and write to it, so that it cannot block us."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=environment,
                start_new_session=sys.platform != "win32",
            )
        except OSError as error:
            raise BadHarness(f"cannot start {command[0]!r}: {error.strerror}") from error
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
                raise _Broken(f"no answer to {what} within {seconds:g} s") from None
            answered = b""  # what it left behind holds its output open
        if not answered:
            raise _Broken(f"ended{self._exit()} before it answered {what}")
        if line["cmd"] == "start" and len(answered) > _START_LIMIT:
            raise _Broken(f"answered start with more than {_START_LIMIT} bytes")
        if not answered.endswith(b"\n"):
            raise _Broken("ended in the middle of a line")
        try:
            answer = _checked(json.loads(answered.decode("utf-8"), parse_constant=_no_constant))
        except (ValueError, RecursionError):
            raise _Broken(f"not a line of JSON: {answered[:120]!r}") from None
        if not isinstance(answer, dict):
            raise _Broken(f"not a JSON object: {answered[:120]!r}")
        return answer

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
            thread.join(_STOP_SECONDS)
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
            return f" with status {self._process.wait(_STOP_SECONDS)}"
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


def _checked(value: Any) -> Any:
    """A value that can be written as JSON in UTF-8. Halves of characters and numbers like 1e400 cannot, once read.

    Raises:
        ValueError: There is one in it.
    """
    json.dumps(value, ensure_ascii=False, allow_nan=False).encode("utf-8")
    return value


def _no_constant(text: str) -> None:
    """NaN and the infinities are not JSON."""
    raise ValueError(text)
