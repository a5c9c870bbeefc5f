"""From the bytes of an A2A unit to its NormalizedMessage, beside `json.loads` and the official parser.

Measured is the whole way: `drive(a2a.receive(HttpRequest(...)))`, with history. `raw` is made when it is read,
and has a row of its own.

Usage: python benchmarks/a2a.py [--check]     --check exits 1 when a ratio is beyond its bound
"""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.a2a_payloads import payloads
from benchmarks.timing import checked, table
from mentionable import Answers, HttpRequest, Rejected, a2a, drive

if TYPE_CHECKING:
    from collections.abc import Callable

BOUNDS: Final = {
    "task, 20 turns": 5.9,
    "message, 1 part": 7.2,
    "message, 6 parts": 5.9,
    "message, 64 KiB inline": 2.6,
}
OFFICIAL_BOUND: Final = 1 / 4
"""`receive` against the official parser."""

_NOW: Final = datetime(2026, 11, 21, 20, 56, tzinfo=UTC)
_ENTROPY: Final = bytes(range(32))
_WORLD: Final = Answers()


def receive(body: bytes) -> Any:
    """What a server does with a body."""
    request = HttpRequest(
        method="POST",
        url="https://agents.example/helper",
        headers=(("content-type", "application/json"), ("a2a-version", "1.0")),
        body=body,
    )
    flow = a2a.receive(request, recipient="@helper@agents.example", task_id="task-1", now=_NOW, entropy=_ENTROPY)
    outcome = drive(flow, _WORLD)
    if isinstance(outcome, Rejected):
        raise outcome.error
    return outcome.message


def receive_with_raw(body: bytes) -> Any:
    """The same, and `raw`, which is made only when somebody reads it."""
    return receive(body).raw


def official_parser() -> Callable[[bytes], Any] | None:
    """`json_format.Parse` of a2a-sdk into its own Task, or None when a2a-sdk 1.x is not installed."""
    here = Path(__file__).resolve().parent  # this very file would hide the SDK's package
    sys.path[:] = [path for path in sys.path if Path(path).resolve() != here]
    try:
        types = import_module("a2a.types.a2a_pb2")
        json_format = import_module("google.protobuf.json_format")
    except ImportError:
        return None
    return lambda body: json_format.Parse(body, types.Task())


def judge(name: str, functions: dict[str, Callable[[bytes], Any]], body: bytes, bound: float) -> list[str]:
    """Prints `receive` against the first function; what is above its bound."""
    timings, problems = checked(
        {key: partial(function, body) for key, function in functions.items()}, {"receive": bound}
    )
    print(f"\n{name}, {len(body)} bytes, at most {bound:.2f}\n{table(timings)}")
    return [f"{name}: {problem}" for problem in problems]


def main(arguments: list[str]) -> int:
    """Prints every row; 1 when `--check` is given and a bound is broken."""
    problems: list[str] = []
    parse = official_parser()
    for v1 in (True, False):
        for kind, body in payloads(v1=v1).items():
            is_task = kind.startswith("task")
            name = f"{'v1.0' if v1 else 'v0.3'} {kind}"
            rows = {"json.loads": json.loads, "receive": receive, "receive, raw read": receive_with_raw}
            problems += judge(name, rows, body, BOUNDS[kind])
            if parse is not None and is_task and v1:
                problems += judge(name, {"official parser": parse, "receive": receive}, body, OFFICIAL_BOUND)
    if parse is None:
        print("\na2a-sdk 1.x is not installed: not compared with its parser")
    print("", *problems, sep="\n")
    return 1 if problems and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
