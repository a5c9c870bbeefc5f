"""Runs the conformance suite and the tests of the readers on every claimed version of Python, and compares patterns.

Usage: python -m tests.pythons [--tests all] [--strings N]

The interpreters are those of `tests/setup_pythons.py`. The whole suite runs on each; the tests of the readers on the
oldest and the newest, or on all. On the version that runs this program nothing runs: it runs all tests, the suite among
them (`tests/run.py`).
Every pattern of the library gets N strings (250) on the oldest and the newest, and both must match the same. The last
lines say what was run. In CI everything must be there, and nothing may be skipped.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final, NamedTuple

from tests.pattern_differences import RIGHT_SINCE, compare
from tests.setup_interop import in_ci, is_made
from tests.setup_pythons import INTERPRETERS, ROOT, version_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.setup_pythons import Interpreter

READERS: Final = (
    *("tests/a2a", "tests/activitypub", "tests/discovery", "tests/mail", "tests/rest", "tests/trace"),
    *("tests/test_address.py", "tests/test_base64.py", "tests/test_codec.py", "tests/test_display_names.py"),
    *("tests/test_html_convert.py", "tests/test_html_sanitize.py", "tests/test_html_well_formed.py"),
    *("tests/test_http.py", "tests/test_jwt.py", "tests/test_keys.py", "tests/test_plain_text.py"),
    *("tests/test_sse.py", "tests/test_strict_json.py", "tests/test_time.py", "tests/test_url_binding.py"),
    *("tests/test_webfinger.py", "tests/identity/test_forwarded.py"),
)
APART: Final = (
    # of packages that not every version has
    *("tests/activitypub/test_signature_cavage.py", "tests/activitypub/test_wild.py"),
    *("**/test_*laws.py", "**/test_linear*.py"),  # what is long, and about the code more than about the interpreter
)

QUICK: Final = "not linear and not memory"
"""The names of tests that run everywhere: what takes long and what it costs is the same on all."""

BRIEF: Final = {} if "HYPOTHESIS_PROFILE" in os.environ else {"HYPOTHESIS_PROFILE": "brief"}
"""What is drawn at random is drawn less often: these are the same tests once more."""


class Job(NamedTuple):
    """What runs on one interpreter, and how its last line must look."""

    python: Interpreter
    kind: str
    words: tuple[str, ...]
    wanted: str


class Done(NamedTuple):
    """What became of a job.

    Attributes:
        job: The job.
        result: What its last line says; None when it failed.
        output: All that it wrote.
    """

    job: Job
    result: str | None
    output: str


def jobs(interpreters: tuple[Interpreter, ...], *, everywhere: bool) -> list[Job]:
    """What is to be run: the longest first."""
    apart = [f"--ignore-glob={path}" for path in APART]
    tests = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", QUICK, *READERS, *apart)
    others = tuple(one for one in interpreters if version_of(one.python) != platform.python_version())
    tested = tuple(one for one in others if everywhere or one in (interpreters[0], interpreters[-1]))
    suite = ("-m", "mentionable", "conformance", "run")
    return [
        *(Job(one, "tests", tests, r"^(\d+) passed(?:, \d+ deselected)? in [^\n]*\n?\Z") for one in tested),
        *(Job(one, "cases", suite, r"^mentionable \S+ ok \((\d+) pass\)\n?\Z") for one in others),
    ]


def run(job: Job) -> Done:
    """Runs a job. A skipped test is a failure: the closing line of pytest must name nothing but what passed."""
    done = subprocess.run(
        [str(job.python.python), *job.words],
        cwd=ROOT,
        env={
            **os.environ,
            "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'conformance'}",
            "PYTHONDONTWRITEBYTECODE": "1",
            **BRIEF,
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    found = re.search(job.wanted, done.stdout, re.MULTILINE) if done.returncode == 0 else None
    return Done(job, found[1] if found else None, done.stdout)


def summary(interpreters: tuple[Interpreter, ...], results: list[Done]) -> list[str]:
    """One line for each interpreter."""
    found = {(one.job.python, one.job.kind): one.result or "FAILED" for one in results}
    return [
        f"Python {version_of(python.python)}: "
        + (f"{found[python, 'cases']} cases" if (python, "cases") in found else "all, by tests/run.py")
        + (f", {found[python, 'tests']} tests of readers" if (python, "tests") in found else "")
        for python in interpreters
    ]


def main(arguments: list[str]) -> int:
    """The exit status: 0 when everything passed on every interpreter that must be there."""
    reader = argparse.ArgumentParser(prog="python -m tests.pythons")
    reader.add_argument("--tests", choices=["ends", "all"], default="ends")
    reader.add_argument("--strings", type=int, default=250)
    given = reader.parse_args(arguments)
    interpreters = tuple(one for one in INTERPRETERS if is_made(one.home))
    missing = [one.minor for one in INTERPRETERS if one not in interpreters]
    if missing:
        print(f"not there: Python {', '.join(missing)}; python -m tests.setup_pythons", file=sys.stderr)
        if in_ci() or not interpreters:
            return 1
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(run, jobs(interpreters, everywhere=given.tests == "all")))
    for one in results:
        if one.result is None:
            print(f"-- {one.job.kind} on Python {one.job.python.minor}\n{one.output[-4_000:]}")
    wrong = differing(interpreters[0].python, interpreters[-1].python, given.strings)
    for line in (*wrong, *summary(interpreters, results)):
        print(line)
    print(f"patterns, {given.strings} strings each, oldest and newest: {len(wrong) or 'no'} differences")
    return 1 if wrong or any(one.result is None for one in results) else 0


def differing(oldest: Path, newest: Path, number: int) -> list[str]:
    """The patterns that the oldest and the newest interpreter match differently."""
    version = tuple(int(part) for part in (version_of(oldest) or "0").split("."))
    return compare(str(oldest), str(newest), number, planted=version < RIGHT_SINCE)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
