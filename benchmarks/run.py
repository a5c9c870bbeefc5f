"""Measures everything, prints it, and writes the page of the results.

Usage: python benchmarks/run.py [NAME ...] [--check] [--write] [--quick] [--rounds N] [--json FILE]

NAME is a script of this folder; none: all, one after the other, each in a process of its own. `--check` and `--write`
measure what is over its bound with the version by which the bounds were set, too (`benchmarks/reference.py`). `--write`
takes one run of everything. `--quick` shows that all of it works, in one process.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final

ROOT: Final = Path(__file__).resolve().parents[1]
if __name__ == "__main__":
    sys.path[0] = str(ROOT)  # in place of this folder, whose names would hide packages of others

from benchmarks import page, reference  # noqa: E402
from benchmarks.figures import Figure, LeftOut, as_data, from_data  # noqa: E402
from benchmarks.timing import Effort  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.figures import Result

SCRIPTS: Final = (
    "strict_json",
    "html_text",
    "activitypub",
    "a2a",
    "mail",
    "charsets",
    "mail_spans",
    "rest",
    "connectors",
    "verify_activitypub",
    "inbox_activitypub",
    "verify_a2a",
    "verify_mail",
    "verify_identity",
    "reply",
    "ingest",
    "anp",
    "scaling",
    "memory",
    "many",
    "imports",
    "hostile",
)
OPTIONAL: Final = {"archive": ROOT / ".cache" / "interop" / "frameworks" / "bin" / "python"}
"""A script that needs another environment → the interpreter of that."""

HELPERS: Final = (
    "a2a_payloads",
    "between",
    "figures",
    "frames",
    "mail_payloads",
    "page",
    "peers",
    "plots",
    "rates",
    "reference",
    "run",
    "signature_peers",
    "signed_delivery",
    "timing",
    "common",
)


def measured(name: str, effort: Effort) -> list[Result]:
    """What a script finds, printed as it comes."""
    found: list[Result] = []
    group = ""
    for result in import_module(f"benchmarks.{name}").results(effort):
        found.append(result)
        if isinstance(result, (Figure, LeftOut)):
            if result.group != group:
                group = result.group
                print(f"\n{group}\n{page.COLUMNS}")
            print(page.printed(result), flush=True)
    return found


def command(name: str, options: Sequence[str]) -> list[str] | None:
    """What runs a benchmark in a process of its own; None where its environment is not made."""
    python = interpreter(name)
    return [str(python), __file__, name, *options] if python.exists() else None


def interpreter(name: str) -> Path:
    """What runs a benchmark."""
    return OPTIONAL.get(name, Path(sys.executable))


def collected(
    names: Sequence[str], options: Sequence[str], *, with_bounds_of_here: bool
) -> tuple[list[Result], list[str]]:
    """What several benchmarks find, each in a process of its own; and which of them failed."""
    results: list[Result] = []
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            print(f"\n== {name}", flush=True)
            data = Path(folder) / f"{name}.json"
            words = command(name, [*options, "--json", str(data)])
            if words is None:
                print("left out: its environment is not made; python tests/setup_interop.py makes it")
                continue
            found = apart(words, data)
            if not found:
                failed.append(f"{name} failed")
            elif with_bounds_of_here:
                found = reference.with_bounds_of_here(name, found, again=partial(apart, words, data))
            results += found
    return results, failed


def apart(words: Sequence[str], data: Path) -> list[Result]:
    """What a benchmark finds in a process of its own, which writes it to `data`; nothing where it fails."""
    if subprocess.run(words, cwd=ROOT, check=False).returncode:
        return []
    return [from_data(one) for one in json.loads(data.read_bytes())]


def main(arguments: list[str]) -> int:
    """1 when a script failed or, with `--check`, anything is beyond its bound."""
    parser = argparse.ArgumentParser(description="Measures everything, or some scripts of this folder.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join((*SCRIPTS, *OPTIONAL))}")
    parser.add_argument("--check", action="store_true", help="exit with status 1 when anything is beyond its bound")
    parser.add_argument("--write", action="store_true", help="write tables and plots into docs/, out of this run")
    parser.add_argument("--quick", action="store_true", help="everything once, with small units: measures nothing")
    parser.add_argument("--rounds", type=int, help="so many rounds, whatever a script wants")
    parser.add_argument("--json", type=Path, metavar="FILE", help="the results as data")
    given = parser.parse_args(arguments)
    names = given.names or [*SCRIPTS, *([] if given.quick else OPTIONAL)]
    if unknown := [name for name in names if name not in (*SCRIPTS, *OPTIONAL)]:
        parser.error(f"there is no benchmark {', '.join(unknown)}")
    if given.write and (given.names or given.quick):
        parser.error("--write needs one run of everything")

    failed: list[str] = []
    are_here = all(interpreter(name) == Path(sys.executable) for name in names)
    is_checked = (given.check or given.write) and not given.quick
    if are_here and (given.quick or (len(names) == 1 and not is_checked)):
        effort = Effort(quick=given.quick, rounds=given.rounds)
        results = [result for name in names for result in measured(name, effort)]
    else:
        options = ["--quick"] * given.quick + (["--rounds", str(given.rounds)] if given.rounds else [])
        results, failed = collected(names, options, with_bounds_of_here=is_checked)
    problems = [one.problem for one in results if isinstance(one, Figure) and one.problem and not given.quick]
    print("", *failed, *problems, sep="\n")
    if given.json:
        given.json.write_text(json.dumps([as_data(one) for one in results]))
    if given.write and not failed:
        page.PAGE.write_text(page.filled(page.PAGE.read_text(), results))
        for path, drawing in page.plots(results).items():
            path.write_text(drawing)
    return 1 if failed or (problems and given.check) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
