"""Sets everything up and runs the tests: `python3 tests/run.py`. Needs Python 3.11 or newer, its `venv`, and pip.

An older `python3` looks for a newer one on the path, and goes on with that. Makes `.venv` in the checkout, anew where
it is broken or of another Python, installs the library, the conformance suite and the test tools there, fetches the
third-party test material into `.cache`, and runs pytest while the programs of others are fetched. Without arguments,
every line and branch of the library must be covered. Arguments go to pytest, and then coverage is only shown:
`python3 tests/run.py tests/cli -k mbox`. With `--environment` alone, only an empty `.venv` is made where none will do.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import venv
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
HOME = ROOT / ".venv"
WRONG = ("tests/test_conformance_suite.py",)
"""Wrong implementations, which the conformance suite must find."""

RUNNERS = (
    *("tests/test_conformance_manifest.py", "tests/test_conformance_node.py", "tests/test_conformance_types.py"),
    *("tests/test_conformance_adoption.py", "tests/test_conformance_judges.py", "tests/test_conformance_templates.py"),
    *("tests/test_conformance_edges.py", "tests/test_conformance_hostile.py", "tests/test_conformance_packages.py"),
)
"""The conformance suite in Python and in Node."""

INTEROP = ("tests/interop", "tests/test_differential.py")
"""Programs of others."""

EXAMPLES = ("tests/viewer", "tests/test_examples*.py", "tests/test_servers*.py")
"""A browser, and examples and servers in processes of their own with what others made."""

BEYOND = (
    *("tests/**/test_*laws.py", "tests/**/test_linear*.py", "tests/anp/test_model.py", "tests/anp/test_stateful.py"),
    *("tests/test_fuzz.py", "tests/test_soak.py", "tests/test_mutation.py", "tests/test_benchmarks.py"),
    *("tests/test_conformance_*.py", "tests/test_docs*.py", "tests/test_generated.py", "tests/test_layers.py"),
    *("tests/test_odd_*.py", "tests/test_patterns_linear.py", "tests/test_fold_linear.py", "tests/test_replies.py"),
    *("tests/test_purity.py", "tests/test_readability.py", "tests/test_schemas.py", "tests/test_transitions.py"),
    "tests/test_typing.py",
)
"""Laws, and what looks at the texts of the library and of the pages."""

UNCOUNTED = "uncounted"
"""The mark of single tests in other files that coverage would only slow down: of growth, of memory, and long ones."""

BRIEF = () if "HYPOTHESIS_PROFILE" in os.environ else ("--hypothesis-profile=brief",)
"""Laws draw less here, where nothing counts them: `.ci/nightly hypothesis` draws 20,000 examples of each."""

SET_UP_PROGRAMS = "tests/setup_interop.py"
PYTHON = HOME / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


class Job(NamedTuple):
    """What pytest is to run, and whether it must wait for the programs of others."""

    words: tuple[str, ...]
    needs_programs: bool = False


def run(*words: str) -> int:
    """The exit status of the environment's Python with these words."""
    # The tests start thousands of programs: what one of them compiled, none has to compile again.
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
    return subprocess.run([str(PYTHON), *words], cwd=ROOT, env=environment, check=False).returncode


def paths(*patterns: str) -> list[str]:
    """The files and folders that these patterns name."""
    return [path.relative_to(ROOT).as_posix() for pattern in patterns for path in sorted(ROOT.glob(pattern))]


def with_mark() -> list[str]:
    """The files that have a test with `UNCOUNTED`."""
    mark = f"@pytest.mark.{UNCOUNTED}\n"
    return [path for path in paths("tests/**/test_*.py") if mark in (ROOT / path).read_text("utf-8")]


def jobs() -> list[Job]:
    """What pytest is to run, the longest first. Only the tests of the modules themselves count for the coverage."""
    plain = ("-m", "pytest", "-q")
    counted = ("-m", "coverage", "run", "-m", "pytest")
    wrong, runners, interop, examples = (paths(*names) for names in (WRONG, RUNNERS, INTEROP, EXAMPLES))
    apart = (*wrong, *runners, *interop, *examples)
    beyond = [path for path in paths(*BEYOND) if not path.startswith(apart)]
    rest = [f"--ignore={path}" for path in (*apart, *beyond)]
    marked = [path for path in with_mark() if not path.startswith((*apart, *beyond))]
    return [
        Job((*counted, "-m", f"not {UNCOUNTED}", *rest)),
        Job((*plain, *BRIEF, *beyond)),
        Job((*plain, *runners), needs_programs=True),
        Job((*plain, *interop), needs_programs=True),
        Job((*plain, *examples), needs_programs=True),
        Job((*plain, "-m", UNCOUNTED, *marked)),
        Job((*plain, *wrong)),
    ]


def answers(python: str | Path, words: str) -> bool:
    """Whether an interpreter is there, runs, and ends a program well."""
    try:
        return subprocess.run([str(python), "-c", words], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def is_able() -> bool:
    """Whether this interpreter is new enough and can make an environment."""
    return sys.version_info >= (3, 11) and find_spec("ensurepip") is not None


def newer_python() -> str | None:
    """An interpreter on the path that is new enough and can make an environment."""
    able = "import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))"
    names = [f"python3.{minor}" for minor in range(11, 20)]
    places = [place for place in map(shutil.which, [*names, "python3", "python"]) if place is not None]
    return next((place for place in places if answers(place, able)), None)


def make_environment() -> None:
    """Makes the environment. One that is there is kept, unless it is broken or of another interpreter."""
    same = f"import pip, platform, sys; sys.exit(platform.python_version() != {platform.python_version()!r})"
    if not answers(PYTHON, same):
        venv.create(HOME, with_pip=True, clear=True)


def set_up() -> int:
    """Makes the environment, and brings it and the third-party test material up to date."""
    make_environment()
    status = run("tests/install.py", str(PYTHON), "-e", ".[cli,test]", "./conformance")
    return status or run("tests/setup_corpora.py")


def main(arguments: list[str]) -> int:
    """The exit status of the set-up, else of the tests, else of the coverage gate."""
    if not is_able():
        python = newer_python()
        if python is None:
            print("Python 3.11 or newer is needed, with venv", file=sys.stderr)
            return 2
        return subprocess.run([python, __file__, *arguments], check=False).returncode
    if arguments == ["--environment"]:
        make_environment()
        return 0
    status = set_up()
    if status or arguments:
        return status or run(SET_UP_PROGRAMS) or run("-m", "coverage", "run", "-m", "pytest", *arguments)
    with ThreadPoolExecutor(1) as network, ThreadPoolExecutor(2) as lanes:
        programs = network.submit(run, SET_UP_PROGRAMS)
        statuses = lanes.map(lambda job: (job.needs_programs and programs.result()) or run(*job.words), jobs())
        failed = [status for status in statuses if status]
    return failed[0] if failed else run("-m", "coverage", "report")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
