"""What a bound is on this machine: the version by which the bounds were set, measured here.

Bounds are ratios between Python and, mostly, programs in C, and those differ between machines. `REVISION` kept every
bound, and its page has its figures. So where a figure is over its bound, that version is measured here, by its own
script: the bound is multiplied by what its ratio is here, divided by that on its page. On the machine of that page this
is the bound as it stands, and no bound ever becomes smaller.
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

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from benchmarks.figures import Result

REVISION: Final = "7ea326eda710f2d3e0d2d42d9c0a71e12228a3ef"
"""The version of 22 November 2026, whose page was measured in one run on a quiet machine."""

Row: TypeAlias = tuple[str, str, str]
"""Group, what was measured, and against what."""

RENAMED: Final[Mapping[tuple[str, str], str]] = {
    ("verify-identity", "attestation of an untrusted issuer"): "attestation of an issuer whom nobody trusts"
}
"""Group and what is measured → its name then, where it had another."""


def with_bounds_of_here(script: str, results: Sequence[Result]) -> list[Result]:
    """The results of a script, with its bounds for this machine where a figure is over one.

    Where that version is not at hand or its script fails, bounds are taken as they stand.
    """
    if not any(isinstance(one, Figure) and one.is_over for one in results):
        return list(results)
    with TemporaryDirectory() as folder:
        try:
            tree = unpacked(REVISION, Path(folder, "tree"))
            if not (tree / "benchmarks" / f"{script}.py").exists():
                return list(results)
            print(f"\n== {script}, over its bounds: the version by which they were set", flush=True)
            here = measured(tree, script)
        except (OSError, subprocess.CalledProcessError) as error:
            print(f"\nBounds are taken as they stand, without {REVISION[:8]}: {error}", flush=True)
            return list(results)
        there = page.ratios_on((tree / "docs" / "performance.md").read_text())
    return [scaled(one, here, there) if isinstance(one, Figure) and one.is_over else one for one in results]


def scaled(figure: Figure, here: Mapping[Row, float], there: Mapping[Row, float]) -> Figure:
    """A figure that is over its bound, with the bound for this machine."""
    then = figure.group, RENAMED.get((figure.group, figure.name), figure.name), figure.against
    if then not in here or then not in there:
        return figure
    return replace(figure, scale=max(1.0, here[then] / there[then]))


def measured(tree: Path, script: str) -> dict[Row, float]:
    """The ratios that the script of another version finds here."""
    data = tree / "results.json"
    command = [sys.executable, "benchmarks/run.py", script, "--json", str(data)]
    subprocess.run(command, cwd=tree, env={**os.environ, "PYTHONPATH": str(tree)}, check=True)
    found: list[dict[str, Any]] = json.loads(data.read_bytes())
    figures = [one for one in map(from_data, found) if isinstance(one, Figure)]
    return {(one.group, one.name, one.against): one.ratio for one in figures}
