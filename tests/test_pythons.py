"""The lane of all interpreters: what runs where, and that nothing missing, skipped or different passes."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests import pythons, setup_pythons
from tests.pythons import Done, Job
from tests.setup_pythons import INTERPRETERS, Interpreter

ROOT = Path(__file__).resolve().parents[1]
OLD, MIDDLE, NEW = Interpreter("3.1", None, 0), Interpreter("3.2", None, 0), Interpreter("3.3", None, 0)


@pytest.fixture
def there(monkeypatch, tmp_path):
    """Three interpreters that are there, and what is to become of each job."""
    results: dict[tuple[str, str], str | None] = {}
    monkeypatch.setattr(setup_pythons, "HOME", tmp_path)
    monkeypatch.setattr(pythons, "INTERPRETERS", (OLD, MIDDLE, NEW))
    monkeypatch.setattr(pythons, "version_of", lambda python: f"{python.parents[2].name}.7")
    monkeypatch.setattr(pythons, "run", lambda job: Done(job, results.get((job.python.minor, job.kind), "1"), "log"))
    monkeypatch.setattr(pythons, "compare", lambda *_, **__: [])
    monkeypatch.setenv("CI", "")
    for one in (OLD, MIDDLE, NEW):
        one.home.mkdir()
        (one.home / ".made-of").touch()
    return results


def test_the_suite_runs_on_each_and_the_tests_on_the_oldest_and_the_newest(there, capsys):
    assert pythons.main([]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "Python 3.1.7: 1 cases, 1 tests of readers",
        "Python 3.2.7: 1 cases",
        "Python 3.3.7: 1 cases, 1 tests of readers",
        "patterns, 250 strings each, oldest and newest: no differences",
    ]


def test_the_tests_run_on_all_when_that_is_asked_but_nothing_once_more_on_this_one(there, monkeypatch, capsys):
    assert [job.python for job in pythons.jobs((OLD, MIDDLE, NEW), everywhere=True)[:3]] == [OLD, MIDDLE, NEW]
    monkeypatch.setattr(pythons.platform, "python_version", lambda: "3.1.7")
    kinds = [(job.kind, job.python) for job in pythons.jobs((OLD, MIDDLE, NEW), everywhere=False)]
    assert kinds == [("tests", NEW), ("cases", MIDDLE), ("cases", NEW)]
    assert pythons.main([]) == 0
    assert capsys.readouterr().out.startswith("Python 3.1.7: all, by tests/run.py\nPython 3.2.7: 1 cases\n")


@pytest.mark.parametrize("failing", [("3.1", "tests"), ("3.2", "cases")])
def test_a_job_that_fails_fails_all_and_says_so(there, capsys, failing):
    there[failing] = None
    assert pythons.main([]) == 1
    out = capsys.readouterr().out
    assert f"-- {failing[1]} on Python {failing[0]}\nlog\n" in out
    assert "FAILED" in out


def test_a_pattern_that_differs_fails_all(there, capsys, monkeypatch):
    monkeypatch.setattr(pythons, "compare", lambda *_, **__: ["mentionable._x:_Y: differs"])
    assert pythons.main([]) == 1
    assert "mentionable._x:_Y: differs\n" in capsys.readouterr().out


@pytest.mark.parametrize(("ci", "status"), [("true", 1), ("", 0)])
def test_an_interpreter_that_is_not_there_is_a_failure_in_ci(there, capsys, monkeypatch, ci, status):
    monkeypatch.setenv("CI", ci)
    (MIDDLE.home / ".made-of").unlink()
    assert pythons.main([]) == status
    assert capsys.readouterr().err == "not there: Python 3.2; python -m tests.setup_pythons\n"


@pytest.mark.parametrize(
    ("prints", "result"),
    [
        ("print('12 passed in 0.1s')", "12"),
        ("print('12 passed, 1 skipped in 0.1s')", None),
        ("print('1 failed, 12 passed in 0.1s')", None),
        ("print('12 passed in 0.1s'); raise SystemExit(1)", None),
    ],
)
def test_only_a_closing_line_without_a_skip_counts(prints, result):
    (job, *_) = (job for job in pythons.jobs((NEW,), everywhere=True) if job.kind == "tests")

    class Here:
        python = sys.executable

    assert pythons.run(Job(Here(), "tests", ("-c", prints), job.wanted)).result == result


def test_the_paths_of_the_tests_exist():
    assert [path for path in pythons.READERS if not (ROOT / path).exists()] == []


# -- the interpreters


def fake(path: Path, version: str) -> Path:
    """A program that says it is an interpreter of some version."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\necho CPython {version}\n")
    path.chmod(0o755)
    return path


def test_the_oldest_interpreter_of_the_machine_comes_first(monkeypatch, tmp_path):
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin")
    older = fake(tmp_path / "versions" / "3.99.2" / "bin" / "python3.99", "3.99.2")
    newer = fake(tmp_path / "versions" / "3.99.10" / "bin" / "python3.99", "3.99.10")
    on_path = fake(tmp_path / "python3.99", "3.99.7")
    fake(tmp_path / "versions" / "3.99.1" / "bin" / "python3.99", "3.98.1")  # it says something else than its folder
    fake(tmp_path / "versions" / "3.99.0" / "bin" / "python3.99", "3.99.0rc1")
    assert setup_pythons.on_the_machine("3.99") == [(2, older), (7, on_path), (10, newer)]


@pytest.mark.parametrize(("patch", "taken"), [(5, True), (3, False)])
def test_an_interpreter_of_the_machine_does_when_it_is_as_old_as_that_of_debian(monkeypatch, tmp_path, patch, taken):
    commands = []
    monkeypatch.setattr(setup_pythons, "on_the_machine", lambda minor: [(4, Path("/own"))])
    monkeypatch.setattr(setup_pythons, "_from_debian", lambda wanted: Path("/debian"))
    monkeypatch.setattr(setup_pythons, "succeeds", lambda command: commands.append(command) is None)
    assert setup_pythons._make(Interpreter("3.99", "sid", patch))
    assert commands[0][0] == ("/own" if taken else "/debian")


@pytest.mark.parametrize(("ci", "status"), [("true", 1), ("", 0)])
def test_what_cannot_be_had_is_named_and_in_ci_a_failure(monkeypatch, tmp_path, capsys, ci, status):
    monkeypatch.setenv("CI", ci)
    monkeypatch.setattr(setup_pythons, "HOME", tmp_path)
    monkeypatch.setattr(setup_pythons, "_make", lambda wanted: wanted.minor != "3.12")
    monkeypatch.setattr(setup_pythons, "version_of", lambda python: "3.x.y")
    assert setup_pythons.main() == status
    out = capsys.readouterr()
    assert "pythons/3.12: not there\n" in out.out
    assert out.err == "no interpreter, as old as Debian ships it, of: 3.12\n"


def test_what_does_not_run_has_no_version(tmp_path):
    assert setup_pythons.version_of(tmp_path / "python") is None
    assert setup_pythons.version_of(sys.executable) == ".".join(map(str, sys.version_info[:3]))


def test_the_classifiers_name_what_is_run_and_nothing_else():
    text = (ROOT / "pyproject.toml").read_text()
    claimed = [
        line.split(":: ")[-1].strip('", ')
        for line in text.splitlines()
        if '"Programming Language :: Python :: 3.' in line
    ]
    assert claimed == [one.minor for one in INTERPRETERS]
