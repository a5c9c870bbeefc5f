"""What importing costs: `python benchmarks/imports.py [--check]`.

Every figure is the best of several fresh interpreters, less the best of interpreters that import nothing, all taken in
turn in one run. `import mentionable` has an absolute bound, the first room one against the libraries that any such room
needs. `--check` exits 1 above a bound, or when something is loaded that a room must not load.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
ROUNDS: Final = 15
PACKAGE_BOUND: Final = 15.0
"""Milliseconds for `import mentionable`."""

ROOM_BOUND: Final = 2.1
"""The first room, against `BASE`."""

BASE: Final = "import attrs, json, hashlib, datetime"
ROOMS: Final = ("mail", "activitypub", "a2a")
NOT_LOADED: Final = ("jwt", "dkim", "dns", "ssl", "cattrs", "cryptography")


def milliseconds(statement: str) -> float:
    """The time of one fresh interpreter that runs `statement`."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-I", "-c", f"import sys; sys.path.append({str(ROOT)!r}); {statement}"], check=True)
    return (time.perf_counter() - start) * 1000


def best(statements: list[str]) -> list[float]:
    """The best time of each statement, taken in turn."""
    times = [[milliseconds(statement) for statement in statements] for _ in range(ROUNDS + 1)][1:]
    return [min(column) for column in zip(*times, strict=True)]


def loaded(room: str) -> list[str]:
    """What of `NOT_LOADED` a room loads."""
    program = f"import sys; sys.path.append({str(ROOT)!r}); from mentionable import {room}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-I", "-c", program], check=True, capture_output=True, text=True)
    return [name for name in NOT_LOADED if name in done.stdout.split()]


def main(arguments: list[str]) -> int:
    """Prints the table; 1 when `--check` is given and a bound does not hold."""
    rooms = [f"from mentionable import {room}" for room in ROOMS]
    nothing, package, base, *firsts = best(["pass", "import mentionable", BASE, *rooms])
    holds = package - nothing <= PACKAGE_BOUND
    print(f"import mentionable               {package - nothing:6.1f} ms   bound {PACKAGE_BOUND} ms")
    print(f"{BASE:32}{base - nothing:6.1f} ms")
    for room, first in zip(ROOMS, firsts, strict=True):
        ratio = (first - nothing) / (base - nothing)
        extra = loaded(room)
        holds = holds and ratio <= ROOM_BOUND and not extra
        print(
            f"from mentionable import {room:11}{first - nothing:6.1f} ms   {ratio:.2f} x   bound {ROOM_BOUND} x", *extra
        )
    return 1 if "--check" in arguments and not holds else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
