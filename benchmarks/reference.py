"""What a bound is on this machine: the version by which the bounds were set, measured here.

Bounds are ratios between Python and, mostly, programs in C, and those differ between machines. `REVISION` kept every
bound, and its page has its figures. So where a figure is over its bound, that version is measured here, by its own
script: the bound is multiplied by what its ratio is here, divided by that on its page. On the machine of that page this
is the bound as it stands, and no bound ever becomes smaller.

The same program is up to 3 % faster or slower in another process, because its memory lies elsewhere. So while a figure
is over its bound, both versions are measured again, and the best times of all processes count.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from benchmarks import page
from benchmarks.between import unpacked
from benchmarks.figures import Figure, from_data
from benchmarks.timing import ATTEMPTS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from benchmarks.figures import Result

REVISION: Final = "7ea326eda710f2d3e0d2d42d9c0a71e12228a3ef"
"""The version of 22 November 2026, whose page was measured in one run on a quiet machine."""

Row: TypeAlias = tuple[str, str, str]
"""Group, what was measured, and against what."""

RENAMED: Final[Mapping[tuple[str, str], str]] = {
    ("verify-identity", "attestation of an untrusted issuer"): "attestation of an issuer whom nobody trusts"
}
"""Group and what is measured → its name then, where it had another."""


def with_bounds_of_here(script: str, results: Sequence[Result], again: Callable[[], Sequence[Result]]) -> list[Result]:
    """The results of a script, with its bounds for this machine where a figure is over one.

    Where that version is not at hand or its script fails, bounds are taken as they stand.

    Args:
        script: Its name.
        results: What it found.
        again: Measures it once more, in a process of its own; empty where that failed.
    """
    found = list(results)
    if not _is_any_over(found):
        return found
    with TemporaryDirectory() as folder:
        try:
            tree = unpacked(REVISION, Path(folder, "tree"))
            if not (tree / "benchmarks" / f"{script}.py").exists():
                return found
            there = page.ratios_on((tree / "docs" / "performance.md").read_text())
            here: Sequence[Result] = ()
            for attempt in range(ATTEMPTS):
                if attempt:
                    print(f"\n== {script}, still over a bound: once more", flush=True)
                    found = best_of(found, again())
                print(f"\n== {script}, over its bounds: the version by which they were set", flush=True)
                here = best_of(here, measured(tree, script))
                found = [scaled(one, _ratios(here), there) if isinstance(one, Figure) else one for one in found]
                if not _is_any_over(found):
                    break
        except (OSError, subprocess.CalledProcessError) as error:
            print(f"\nBounds are taken as they stand, without {REVISION[:8]}: {error}", flush=True)
    return found


def _is_any_over(results: Sequence[Result]) -> bool:
    return any(isinstance(one, Figure) and one.is_over for one in results)


def best_of(results: Sequence[Result], more: Sequence[Result]) -> list[Result]:
    """The results with the best times of both processes; those of the second where there were none."""
    others = {_row(one): one for one in more if isinstance(one, Figure)}
    found: list[Result] = []
    for one in results or more:
        other = others.get(_row(one)) if isinstance(one, Figure) else None
        if isinstance(one, Figure) and other is not None:
            one = replace(one, ours=min(one.ours, other.ours), base=min(one.base, other.base))
        found.append(one)
    return found


def _row(figure: Figure) -> Row:
    return figure.group, figure.name, figure.against


def _ratios(results: Sequence[Result]) -> dict[Row, float]:
    return {_row(one): one.ratio for one in results if isinstance(one, Figure)}


def scaled(figure: Figure, here: Mapping[Row, float], there: Mapping[Row, float]) -> Figure:
    """A figure, with the bound for this machine where it is over the bound as that stands."""
    if figure.bound is None or figure.ratio <= figure.bound:
        return replace(figure, scale=1.0)
    then = figure.group, RENAMED.get((figure.group, figure.name), figure.name), figure.against
    if then not in here or then not in there:
        return figure
    return replace(figure, scale=max(1.0, here[then] / there[then]))


def measured(tree: Path, script: str) -> list[Result]:
    """What the script of another version finds here."""
    data = tree / "results.json"
    command = [sys.executable, "benchmarks/run.py", script, "--json", str(data)]
    subprocess.run(command, cwd=tree, env={**os.environ, "PYTHONPATH": str(tree)}, check=True)
    found: list[dict[str, Any]] = json.loads(data.read_bytes())
    return list(map(from_data, found))
