"""The two ways to reach an implementation: a function in this process, or a program that speaks JSON lines.

A program reads one JSON object a line and answers each with one line:

    {"cmd": "start", "protocol": 1}   →  {"protocol": 1, "implementation": {"name": …, …}, "ops": […]}
    {"cmd": "run", "seq": 7, "op": …, "given": {…}, "input": …}
                                      →  {"seq": 7, "messages" | "value" | "bytes" | "rejected": …, …}
    {"cmd": "stop"}                   →  (ends)

A program that hangs, dies or talks nonsense is ended and started again, so that one bad case does not hide the others.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Protocol

from mentionable_conformance._child import Child
from mentionable_conformance._compare import misshapen
from mentionable_conformance._line import Broken
from mentionable_conformance._schema import problems
from mentionable_conformance._values import checked
from mentionable_conformance._version import PROTOCOL

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from mentionable_conformance._cases import Case

__all__ = ["BadHarness", "CallableHarness", "Harness", "Implementation", "ProcessHarness", "perform_errored"]

_START_SECONDS: Final = 30.0
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
            answer = checked(json.loads(json.dumps(self._perform(case.op, given, value))))
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
        self._child: Child | None = None

    def start(self) -> Implementation:
        """Start the program and shake hands.

        Raises:
            BadHarness: It does not start, does not answer, or speaks another protocol.
        """
        try:
            self._child = child = Child(self._command, self._environment)
        except OSError as error:
            raise BadHarness(f"cannot start {self._command[0]!r}: {error.strerror}") from error
        try:
            line = child.exchange({"cmd": "start", "protocol": PROTOCOL}, _START_SECONDS)
            if self._validate and (wrong := problems("harness", line, "started")):
                raise BadHarness(f"the answer to start breaks harness.schema.json: {wrong[0]}")
            return Implementation.read(line)
        except Broken as broken:
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
            if "seq" not in answer:
                raise Broken(f"the answer lacks seq, which must be {seq}")
            if answer["seq"] != seq:
                raise Broken(f"answered seq {answer['seq']!r} instead of {seq}")
        except Broken as broken:
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
