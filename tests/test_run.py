"""`tests/run.py`, the README's test command: what it does, in which order."""

from __future__ import annotations

import re
import sys
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests import run

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def steps(monkeypatch):
    """The commands that were given, and the exit status of the next ones."""
    given: list[tuple[str, ...]] = []
    statuses: list[int] = []

    def done(job, *words: str) -> SimpleNamespace:
        status = job(*words)
        return SimpleNamespace(result=lambda: status)

    def act(*words: str) -> int:
        given.append(words)
        return statuses.pop(0) if statuses else 0

    monkeypatch.setattr(run, "run", act)
    pool = SimpleNamespace(map=map, submit=done)
    monkeypatch.setattr(run, "ThreadPoolExecutor", lambda lanes: nullcontext(pool))
    return given, statuses


def test_it_installs_fetches_tests_and_checks_the_coverage(steps):
    assert run.main([]) == 0
    install, fetch, programs, *tests, gate = steps[0]
    assert install == ("tests/install.py", str(run.PYTHON), "-e", ".[cli,test]", "./conformance")
    assert fetch == ("tests/setup_corpora.py",)
    assert programs == ("tests/setup_interop.py",)
    assert tests == [job.words for job in run.jobs()]
    assert gate == ("-m", "coverage", "report")


def test_every_test_runs_in_exactly_one_job():
    counted, *others, marked, wrong = (job.words for job in run.jobs())
    others.append(wrong)
    assert counted[:7] == ("-m", "coverage", "run", "-m", "pytest", "-m", "not uncounted")
    assert [words[:3] for words in (*others, marked)] == [("-m", "pytest", "-q")] * 6
    apart = [path for words in others for path in words[3:] if path not in run.BRIEF]
    assert sorted(counted[7:]) == sorted(f"--ignore={path}" for path in apart)
    assert all((ROOT / path).exists() for path in apart)
    folders = [path for path in apart if (ROOT / path).is_dir()]
    assert [path for path in apart if path.startswith(tuple(f"{folder}/" for folder in folders))] == []
    assert len(set(apart)) == len(apart)
    assert marked[3:5] == ("-m", "uncounted")
    assert sorted(marked[5:]) == [path for path in run.with_mark() if not path.startswith(tuple(apart))]


def test_what_needs_the_programs_of_others_waits_for_them():
    needing = re.compile(
        r"(?m)^from tests\.(?:interop import foreign|interop\.foreign import|node_programs import|runners import)"
    )
    waiting = [word for job in run.jobs() if job.needs_programs for word in job.words[3:]]
    files = [path for path in sorted((ROOT / "tests").rglob("test_*.py")) if needing.search(path.read_text())]
    names = [path.relative_to(ROOT).as_posix() for path in files]
    assert len(names) > 10
    assert [name for name in names if not name.startswith(tuple(waiting))] == []


def test_arguments_go_to_pytest_and_then_nothing_is_gated(steps):
    assert run.main(["tests/cli", "-k", "mbox"]) == 0
    assert ("tests/setup_interop.py",) in steps[0]
    assert steps[0][-1] == ("-m", "coverage", "run", "-m", "pytest", "tests/cli", "-k", "mbox")


@pytest.mark.parametrize(("failing", "done"), [(0, 1), (1, 2), (2, 7), *((job, 10) for job in range(3, 10)), (10, 11)])
def test_the_first_failure_ends_it_but_what_runs_beside_goes_on(steps, failing, done):
    given, statuses = steps
    statuses += [0] * failing + [5]
    assert run.main([]) == 5
    assert len(given) == done


def test_arguments_wait_for_the_programs_of_others(steps):
    given, statuses = steps
    statuses += [0, 0, 5]
    assert run.main(["tests/interop"]) == 5
    assert len(given) == 3


def program(path: Path, script: str) -> Path:
    """A program in place of an interpreter."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


@pytest.fixture(autouse=True)
def created(monkeypatch, tmp_path):
    """The environments that were made anew, and an interpreter of none. No test makes or clears the checkout's own."""
    made: list[tuple[Path, bool]] = []
    monkeypatch.setattr(run.venv, "create", lambda home, *, with_pip, clear: made.append((home, clear)))
    monkeypatch.setattr(run, "PYTHON", tmp_path / "python")
    return made


def test_an_environment_that_is_there_is_kept(steps, created):
    program(run.PYTHON, f'exec "{sys.executable}" "$@"')
    run.set_up()
    assert created == []


@pytest.mark.parametrize("script", [None, "exit 1", "exec /no/such/python", 'case "$2" in *"!="*) exit 1;; esac'])
def test_an_environment_that_is_missing_broken_or_of_another_interpreter_is_made_anew(steps, created, script):
    if script is not None:
        program(run.PYTHON, script)
    run.set_up()
    assert created == [(run.HOME, True)]


def test_an_environment_whose_interpreter_is_gone_is_made_anew(steps, created, tmp_path):
    run.PYTHON.symlink_to(tmp_path / "gone")
    run.set_up()
    assert created == [(run.HOME, True)]


def test_only_the_environment_is_made_when_nothing_else_is_asked_for(steps, created):
    assert run.main(["--environment"]) == 0
    assert created == [(run.HOME, True)]
    assert steps[0] == []


def test_a_python_that_cannot_make_environments_goes_on_with_another(monkeypatch, tmp_path):
    monkeypatch.setattr(run, "find_spec", lambda name: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    program(tmp_path / "python3.11", "exit 0")
    assert run.main([]) == 0


def test_an_old_python_goes_on_with_a_newer_one_on_the_path(monkeypatch, tmp_path):
    monkeypatch.setattr(run.sys, "version_info", (3, 10))
    monkeypatch.setenv("PATH", str(tmp_path))
    program(tmp_path / "python3.12", "exit 1")  # without venv, for instance
    program(tmp_path / "python3.13", f'[ "$1" = -c ] && exit 0\necho "$@" >"{tmp_path}/words"\nexit 7')
    assert run.main(["tests/cli", "-q"]) == 7
    assert (tmp_path / "words").read_text() == f"{run.__file__} tests/cli -q\n"


def test_an_old_python_without_a_newer_one_is_told(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(run.sys, "version_info", (3, 10))
    monkeypatch.setenv("PATH", str(tmp_path))
    program(tmp_path / "python3", "exit 1")
    assert run.main([]) == 2
    assert capsys.readouterr().err == "Python 3.11 or newer is needed, with venv\n"


def test_only_an_interpreter_that_is_new_enough_and_has_venv_is_taken(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    program(tmp_path / "python3.11", f'exec "{sys.executable}" "$@"')
    assert run.newer_python() == str(tmp_path / "python3.11")


def test_the_readme_and_ci_run_this_very_file():
    assert "```console\npython3 tests/run.py\n```" in (ROOT / "README.md").read_text()
    assert '"$python" tests/run.py' in (ROOT / ".ci" / "run").read_text()
