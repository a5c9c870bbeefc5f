"""The strict front door for JSON beside `json.loads`, which takes anything.

Usage: python benchmarks/strict_json.py [--check]     --check exits 1 when a ratio is beyond its bound
"""

from __future__ import annotations

import json
import sys
from functools import partial
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.a2a_payloads import payloads
from benchmarks.timing import checked, table
from mentionable._json import loads

_CREATE: Final = Path(__file__).parent / "samples" / "activitypub_create.json"


def strict_a2a(body: bytes) -> Any:
    """As the A2A room reads a body."""
    return loads(body, max_bytes=1 << 24, safe_integers=False)


def strict(body: bytes) -> Any:
    """As everything else reads JSON."""
    return loads(body, max_bytes=1 << 20)


def main(arguments: list[str]) -> int:
    """Prints every row; 1 when `--check` is given and a bound is broken."""
    create = _CREATE.read_bytes()
    units = payloads(v1=True)
    rows = [
        ("A2A task, 20 turns", units["task, 20 turns"], strict_a2a, 2.3),
        ("ActivityPub Create", create, strict, 1.9),
        ("small message", units["message, 1 part"], strict_a2a, 1.6),
    ]
    problems: list[str] = []
    for name, body, function, bound in rows:
        functions = {"json.loads": partial(json.loads, body), "strict": partial(function, body)}
        timings, above = checked(functions, {"strict": bound})
        print(f"\n{name}, {len(body)} bytes, at most {bound}\n{table(timings)}")
        problems += [f"{name}: {problem}" for problem in above]
    print("", *problems, sep="\n")
    return 1 if problems and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
