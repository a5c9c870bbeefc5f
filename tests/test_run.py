"""`tests/run.py`, the README's test command: what it does, in which order."""

from __future__ import annotations

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

    def act(*words: str) -> int:
        given.append(words)
        return statuses.pop(0) if statuses else 0

    monkeypatch.setattr(run, "run", act)
    monkeypatch.setattr(run, "ThreadPoolExecutor", lambda lanes: nullcontext(SimpleNamespace(map=map)))
    return given, statuses


def test_it_installs_fetches_tests_and_checks_the_coverage(steps):
    assert run.main([]) == 0
    install, fetch, programs, wrong, counted, beyond, others, gate = steps[0]
    assert install[:3] == ("-m", "pip", "install")
    assert install[-2:] == (".[cli,test]", "./conformance")
    assert fetch == ("tests/setup_corpora.py",)
    assert programs == ("tests/setup_interop.py",)
    assert [wrong, counted, beyond, others] == run.jobs()
    assert gate == ("-m", "coverage", "report")


def test_every_test_runs_in_exactly_one_job():
    wrong, counted, beyond, others = run.jobs()
    assert counted[:5] == ("-m", "coverage", "run", "-m", "pytest")
    assert [words[:3] for words in (wrong, others, beyond)] == [("-m", "pytest", "-q")] * 3
    apart = [path for words in (wrong, others, beyond) for path in words[3:]]
    assert sorted(counted[5:]) == sorted(f"--ignore={path}" for path in apart)
    assert all((ROOT / path).exists() for path in apart)
    folders = [path for path in apart if (ROOT / path).is_dir()]
    assert [path for path in apart if path.startswith(tuple(f"{folder}/" for folder in folders))] == []
    assert len(set(apart)) == len(apart)


def test_arguments_go_to_pytest_and_then_nothing_is_gated(steps):
    assert run.main(["tests/cli", "-k", "mbox"]) == 0
    assert steps[0][-1] == ("-m", "coverage", "run", "-m", "pytest", "tests/cli", "-k", "mbox")


@pytest.mark.parametrize(("failing", "done"), [(0, 1), (1, 2), (2, 3), (3, 7), (4, 7), (5, 7), (6, 7), (7, 8)])
def test_the_first_failure_ends_it_but_what_runs_beside_goes_on(steps, failing, done):
    given, statuses = steps
    statuses += [0] * failing + [5]
    assert run.main([]) == 5
    assert len(given) == done


def test_an_environment_that_is_there_is_kept(steps, monkeypatch, tmp_path):
    made: list[Path] = []
    monkeypatch.setattr(run.venv, "create", lambda home, *, with_pip: made.append(home))
    monkeypatch.setattr(run, "PYTHON", tmp_path / "python")
    run.set_up()
    (tmp_path / "python").touch()
    run.set_up()
    assert made == [run.HOME]


def test_an_old_python_is_told(monkeypatch, capsys):
    monkeypatch.setattr(run.sys, "version_info", (3, 10))
    assert run.main([]) == 2
    assert capsys.readouterr().err == "Python 3.11 or newer is needed\n"


def test_the_readme_and_ci_run_this_very_file():
    assert "```console\npython3 tests/run.py\n```" in (ROOT / "README.md").read_text()
    assert '"$python" tests/run.py' in (ROOT / ".ci" / "run").read_text()
