"""What importing costs: the package, and each room alone, in fresh interpreters.

Every figure is of many fresh interpreters, less the time of those that import nothing, all taken in turn in one run.
The package and the transports are held to bounds, against the libraries that any such room needs. No transport may load
what it needs only to verify or to sign.
"""

from __future__ import annotations

import resource
import subprocess
import sys
from typing import TYPE_CHECKING, Final

from benchmarks.figures import Figure
from benchmarks.page import ROOT
from benchmarks.timing import ATTEMPTS, Effort, spread

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.figures import Result

ROUNDS: Final = 9
BASE: Final = "import attrs, json, hashlib, datetime"
PACKAGE: Final = "import mentionable"
PACKAGE_BOUND: Final = 0.5
"""`import mentionable`, against `BASE`: about 15 ms."""

ROOM_BOUND: Final = 2.3
ROOM_WANTED: Final = 2.1
"""A transport, against `BASE`."""

TRANSPORTS: Final = ("mail", "activitypub", "a2a", "rest")
ROOMS: Final = (
    *TRANSPORTS,
    "ingest",
    "prompt",
    "anp",
    "trace",
    "discovery",
    "identity",
    "policy",
    "testing",
    "connectors.slack",
    "connectors.discord",
    "connectors.bluebubbles",
    "connectors.files",
)
USED: Final = tuple(f"from mentionable.{name} import receive, reply" for name in TRANSPORTS)
"""What a program loads that receives and answers: a transport loads its names when they are used."""

USED_BOUND: Final = 4.6
USED_WANTED: Final = 2.0
"""That, against `BASE`."""

NOT_LOADED: Final = ("jwt", "dkim", "dns", "ssl", "cattrs", "cryptography")
"""What none of the transports loads when it is imported."""

BOUNDS: Final = {
    PACKAGE: (PACKAGE_BOUND, None),
    **{f"import mentionable.{name}": (ROOM_BOUND, ROOM_WANTED) for name in TRANSPORTS},
    **dict.fromkeys(USED, (USED_BOUND, USED_WANTED)),
}
"""What is imported → the bound, and what is wanted."""


def seconds(statement: str) -> float:
    """The time that the processor spends on one fresh interpreter that runs `statement`."""
    start = _spent()
    program = f"import sys; sys.path.insert(0, {str(ROOT)!r}); {statement}"
    subprocess.run([sys.executable, "-I", "-c", program], check=True)
    return _spent() - start


def _spent() -> float:
    """The time that processes of this one have taken so far."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def loaded(room: str) -> list[str]:
    """What of `NOT_LOADED` a room loads."""
    program = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from mentionable.{room} import *; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-I", "-c", program], check=True, capture_output=True, text=True)
    return [name for name in NOT_LOADED if name in done.stdout.split()]


def sampled(statements: list[str], effort: Effort) -> dict[str, list[tuple[float, float, float]]]:
    """Statement → its seconds, those of `BASE` and those of nothing, of each round.

    Quickly, all run in one interpreter: that shows that they can, and measures nothing.
    """
    if effort.quick:
        taken = seconds("; ".join([BASE, *statements]))
        return {statement: [(taken, taken, 0.0)] for statement in statements}
    seconds("; ".join(statements))
    found: dict[str, list[tuple[float, float, float]]] = {statement: [] for statement in statements}
    for _ in range(effort.of(ROUNDS)):
        nothing, base = seconds("pass"), seconds(BASE)
        for statement, rounds in found.items():
            rounds.append((seconds(statement), base, nothing))
    return found


def figure(name: str, rounds: list[tuple[float, float, float]]) -> Figure:
    """An import against `BASE`."""
    ours, base, nothing = (min(times) for times in zip(*rounds, strict=True))
    bound, wanted = BOUNDS.get(name, (None, None))
    return Figure(
        group="imports",
        name=name,
        ours=ours - nothing,
        against=BASE,
        base=base - nothing,
        spread=spread([(one - none) / (floor - none) for one, floor, none in rounds]),
        bound=bound,
        wanted=wanted,
    )


def results(effort: Effort) -> Iterator[Result]:
    """The package and every room; it fails when a transport loads what it must not."""
    for room in () if effort.quick else TRANSPORTS:
        if extra := loaded(room):
            raise SystemExit(f"import mentionable.{room} loads {', '.join(extra)}")
    samples = sampled([PACKAGE, *[f"import mentionable.{room}" for room in ROOMS], *USED], effort)
    for _ in range(0 if effort.quick else ATTEMPTS - 1):
        slow = [name for name, rounds in samples.items() if figure(name, rounds).problem]
        for name, more in sampled(slow, effort).items() if slow else ():
            samples[name] += more
    yield from (figure(name, rounds) for name, rounds in samples.items())
