"""Two versions of the library against each other, in turns: `python benchmarks/between.py REVISION [REVISION]`.

The checkout stands for the second where none is named. Each version measures the usual messages in a process of its
own, by its own benchmarks. Printed are microseconds, the ratios to `json.loads` and to Python's own parser of mails,
and how long the second takes of the first: the best of all turns.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tarfile
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
TURNS: Final = 3

MEASURE: Final = """
import json, sys
from functools import partial
from benchmarks import a2a, activitypub, mail
from benchmarks.a2a_payloads import payloads as of_a2a
from benchmarks.common import CREATE
from benchmarks.mail_payloads import payloads as of_mail
from benchmarks.timing import sampled

bodies = of_a2a(v1=True)
functions = {}
for name in ("message, 1 part", "message, 6 parts", "task, 20 turns"):
    functions[name] = partial(a2a.receive, bodies[name]), partial(json.loads, bodies[name])
functions["Create"] = partial(activitypub.receive, None, CREATE), partial(json.loads, CREATE)
for name, raw in of_mail().items():
    functions[name] = partial(mail.receive, raw), partial(mail.stdlib, raw)
both = {f"{name}{end}": one for name, pair in functions.items() for end, one in zip(("", " floor"), pair)}
samples = sampled(both, int(sys.argv[1]))
print(json.dumps({name: [min(samples[name]), min(samples[f"{name} floor"])] for name in functions}))
"""


def main(arguments: list[str]) -> None:
    """Prints a row for each message."""
    parser = argparse.ArgumentParser(description="Two versions of the library against each other, in turns.")
    parser.add_argument(
        "revisions", nargs="+", metavar="REVISION", help="as git names it; the checkout stands for a second"
    )
    parser.add_argument("--rounds", type=int, default=40, help="samples of a turn")
    given = parser.parse_args(arguments)
    with TemporaryDirectory() as folder:
        trees = [unpacked(revision, Path(folder) / revision) for revision in given.revisions[:2]]
        trees += [ROOT] if len(trees) < 2 else []
        turns = [[measured(tree, given.rounds) for tree in trees] for _ in range(TURNS)]
    print(f"{'':28}{trees[0].name:>12} {'ratio':>7}{trees[1].name:>14} {'ratio':>7}  after/before")
    for name in turns[0][0]:
        before, after = (tuple(map(min, zip(*[turn[at][name] for turn in turns], strict=True))) for at in (0, 1))
        cells = "".join(f"{ours * 1e6:12.1f} {ours / floor:7.2f}" for ours, floor in (before, after))
        print(f"{name:28}{cells}  {after[0] / before[0]:8.3f}")


def unpacked(revision: str, folder: Path) -> Path:
    """The files of a revision."""
    archive = subprocess.run(["git", "archive", revision], cwd=ROOT, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=BytesIO(archive)) as files:
        files.extraction_filter = getattr(tarfile, "data_filter", None)  # CPython 3.11.2 has no filters
        files.extractall(folder)
    return folder


def measured(tree: Path, rounds: int) -> dict[str, list[float]]:
    """Message → seconds, and those of its floor."""
    command = [sys.executable, "-c", MEASURE, str(rounds)]
    where = {**os.environ, "PYTHONPATH": str(tree)}
    done = subprocess.run(command, cwd=tree, env=where, capture_output=True, text=True, check=True)
    found: dict[str, list[float]] = json.loads(done.stdout)
    return found


if __name__ == "__main__":
    main(sys.argv[1:])
