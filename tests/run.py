"""Sets everything up and runs the tests: `python3 tests/run.py`. Needs Python 3.11 or newer, its `venv`, and pip.

Makes `.venv` in the checkout, installs the library, the conformance suite and the test tools there, fetches the
third-party test material and programs into `.cache`, and runs pytest. Without arguments, every line and branch of the
library must be covered. Arguments go to pytest, and then coverage is only shown:
`python3 tests/run.py tests/cli -k mbox`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HOME = ROOT / ".venv"
UNCOUNTED = ("tests/test_conformance_suite.py", "tests/test_examples_anp.py", "tests/interop", "tests/viewer")
"""Wrong implementations, a host in processes of its own, programs of others, a browser: what they reach counts not."""

BESIDE = ("tests/activitypub", "tests/connectors", "tests/ingest", "tests/mail", "tests/policy", "tests/rest")
"""What runs behind these, at the same time as the rest, so that two cores have as much to do."""

PYTHON = HOME / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def run(*words: str) -> int:
    """The exit status of the environment's Python with these words."""
    return subprocess.run([str(PYTHON), *words], cwd=ROOT, check=False).returncode


def set_up() -> int:
    """Makes the environment, or brings it up to date."""
    if not PYTHON.exists():
        venv.create(HOME, with_pip=True)
    status = run("-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-e", ".[cli,test]", "./conformance")
    return status or run("tests/setup_corpora.py") or run("tests/setup_interop.py")


def main(arguments: list[str]) -> int:
    """The exit status of the set-up, else of the tests, else of the coverage gate."""
    if sys.version_info < (3, 11):  # noqa: UP036 - this file runs under older Pythons too, to say so
        print("Python 3.11 or newer is needed", file=sys.stderr)
        return 2
    status = set_up()
    if status or arguments:
        return status or run("-m", "coverage", "run", "-m", "pytest", *arguments)
    run("-m", "coverage", "erase")
    counted = ("-m", "coverage", "run", "--parallel-mode", "-m", "pytest")
    with ThreadPoolExecutor() as pool:
        beside = pool.submit(lambda: run("-m", "pytest", "-q", *UNCOUNTED) or run(*counted, "-q", *BESIDE))
        status = run(*counted, *[f"--ignore={path}" for path in (*UNCOUNTED, *BESIDE)])
    status = beside.result() or status or run("-m", "coverage", "combine", "--quiet")
    return status or run("-m", "coverage", "report")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
