"""The runner of the conformance suite: which cases it chooses, what it expects, and what it reports."""

from __future__ import annotations

import ast
import json
import re
import subprocess
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import mentionable_conformance as suite
import pytest
from mentionable_conformance import _cli, _report

from tests.harnesses import PYTHON, STARTED, case, run, script, suite_is_read_once, write_cases  # noqa: F401 - a fixture

if TYPE_CHECKING:
    from pathlib import Path

ROOT = suite.root()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_cases(tmp_path / "cases")
    return tmp_path


# --- choosing cases, expected failures


@pytest.mark.parametrize(("pattern", "found"), [("one", 1), ("area/*", 4), ("*/t*", 2), ("behaviour", 4)])
def test_cases_are_chosen_by_glob_or_word(folder: Path, pattern: str, found: int) -> None:
    assert len(run(folder, script(folder, "pass"), "-k", pattern)[1]) == found


def test_choosing_nothing_is_an_error(folder: Path) -> None:
    assert run(folder, script(folder, "pass"), "-k", "nothing") == (2, {})


@pytest.mark.parametrize(
    ("listed", "status", "outcomes"),
    [
        ("area/behaviour/one # broken today\n", 0, {"one": "xfail", "two": "pass"}),
        ("# a comment\n\narea/*/one # broken today\n", 0, {"one": "xfail", "two": "pass"}),
        ("area/behaviour/[ot]* # broken today\n", 1, {"one": "xfail", "two": "xpass"}),
        ("area/behaviour/two # broken today\n", 1, {"one": "fail", "two": "xpass"}),
        ("area/behaviour/one # a\narea/gone # b\n", 1, {"one": "xfail", "two": "pass"}),
        ("area/behaviour/one\n", 2, {}),
    ],
)
def test_expected_failures_must_be_true(folder: Path, listed: str, status: int, outcomes: dict[str, str]) -> None:
    (folder / "expected.txt").write_text(listed)
    command = script(folder, "if ask['input'] == 1: answer['value'] = 0")
    found = run(folder, command, "--expected-failures", str(folder / "expected.txt"), "-k", "one", "-k", "two")
    assert found == (status, outcomes)


def test_fixing_rewrites_the_list(folder: Path) -> None:
    listed = folder / "expected.txt"
    listed.write_text("# our list\narea/behaviour/two # was broken\narea/behaviour/[ot]ne # old\n")
    command = script(folder, "if ask['input'] in (1, 4): answer['value'] = 0")
    assert run(folder, command, "--expected-failures", str(listed), "--fix")[0] == 0
    assert listed.read_text() == "# our list\narea/behaviour/[ot]ne # old\n"
    assert run(folder, command, "--expected-failures", str(listed))[0] == 0


def test_fixing_splits_a_glob_of_which_some_pass(folder: Path) -> None:
    listed = folder / "expected.txt"
    listed.write_text("area/behaviour/* # old\n")
    run(
        folder, script(folder, "if ask['input'] == 1: answer['value'] = 0"), "--expected-failures", str(listed), "--fix"
    )
    assert listed.read_text() == "area/behaviour/one # old\n"


def test_fixing_starts_a_list(folder: Path, capsys: Any) -> None:
    listed = folder / "expected.txt"
    command = script(folder, "if ask['input'] == 1: answer['value'] = 0\n    if ask['input'] == 3: os._exit(1)")
    assert run(folder, command, "--expected-failures", str(listed), "--fix")[0] == 0
    assert listed.read_text() == "area/behaviour/one # wrong at value\narea/behaviour/three # no answer yet\n"
    assert f"{listed}: 2 ids written" in capsys.readouterr().out
    assert run(folder, command, "--expected-failures", str(listed))[0] == 0


@pytest.mark.parametrize(
    ("expect", "answer", "reason"),
    [
        ("[{'a': 1}]", "{'messages': [{'a': 2}]}", "wrong at messages/0/a"),
        ("[]", "{'value': 1}", "wrong answer"),
        ("[]", "{'messages': [], 'diagnostics': ['x']}", "wrong at diagnostics"),
        ("[]", "{}", "wrong answer"),
    ],
)
def test_the_reason_of_a_new_expected_failure_is_short(folder: Path, expect: str, answer: str, reason: str) -> None:
    more = {"id": "area/b/x", "section": "§1", "level": "MUST", "why": "Because it is so.", "input": 5}
    write_cases(folder / "cases", {**more, "messages": ast.literal_eval(expect), "diagnostics": []})
    command = script(folder, f"if ask['input'] == 5: answer = {{'seq': ask['seq'], **{answer}}}")
    assert run(folder, command, "--expected-failures", str(folder / "expected.txt"), "--fix")[0] == 0
    assert (folder / "expected.txt").read_text() == f"area/b/x # {reason}\n"


def test_a_harness_cannot_call_a_declared_operation_undeclared(folder: Path) -> None:
    body = "answer = {'seq': ask['seq'], 'skipped': {'why': 'x'}, 'undeclared': True}"
    assert run(folder, script(folder, body), "-k", "one") == (2, {"one": "fail"})


# --- reports


def test_reports_are_written(folder: Path, capsys: Any) -> None:
    command = script(
        folder, "if ask['input'] == 1: answer = {'seq': ask['seq'], 'errored': {'message': 'a|b <c> `d` \\x07'}}"
    )
    paths = [f"--{name}={folder / name}" for name in ("junit", "markdown", "badge", "html")]
    assert run(folder, command, *paths)[0] == 1
    assert json.loads((folder / "report.json").read_text())["specs"] == ["some-spec-v0.1"]
    assert "<pre>a|b &lt;c&gt; `d` \\x07</pre>" in (folder / "html").read_text()
    suite_element = ElementTree.fromstring((folder / "junit").read_text())
    assert (suite_element.get("tests"), suite_element.get("errors"), suite_element.get("failures")) == ("4", "1", "0")
    assert "| `a¦b <c> 'd' \\x07` |" in (folder / "markdown").read_text()
    assert json.loads((folder / "badge").read_text())["message"] == "v0.1 project 1/2"
    assert "ERROR MUST   project   area/behaviour/one" in capsys.readouterr().out


def test_a_badge_over_no_must_case_is_grey(folder: Path) -> None:
    run(folder, script(folder, "pass"), f"--badge={folder / 'badge'}", "-k", "three")
    badge = json.loads((folder / "badge").read_text())
    assert (badge["message"], badge["color"]) == ("v0.1 no MUST case", "lightgrey")


def test_junit_lists_the_cases_that_were_asked_and_counts_the_others(folder: Path) -> None:
    shared = {"section": "§1", "level": "MUST", "why": "Because it is so.", "input": 1, "value": 1}
    one = {"spec": "s-v0.1", "op": "text.other", "cases": [{**shared, "id": "area/other/one"}]}
    (folder / "cases" / "other.json").write_text(json.dumps(one))
    command = script(folder, "if ask['input'] == 4: answer = {'seq': ask['seq'], 'skipped': {'why': 'x'}}")
    run(folder, command, f"--junit={folder / 'junit'}")
    element = ElementTree.fromstring((folder / "junit").read_text())
    assert [element.get(name) for name in ("tests", "failures", "errors", "skipped")] == ["4", "0", "0", "1"]
    assert [one.get("name") for one in element.iter("testcase")] == [
        f"behaviour/{name}" for name in ("one", "two", "three", "four")
    ]
    assert [one.attrib for one in element.iter("property")] == [{"name": "undeclared", "value": "1"}]


ACTS = ("::error::pwn", "##[error]pwn", "![t](https://e.example/t.png)", "[ok](https://e.example)", "@octocat", "|")


@pytest.mark.parametrize("before", ["", "\n", " \r", "\x1b]0;pwned\x07\x1b[2J"])
@pytest.mark.parametrize("acts", ACTS)
def test_what_a_harness_says_does_nothing(before: str, acts: str) -> None:
    said = before + acts
    wrong = suite.Result(case=case(), outcome="error", detail=said, seconds=0.0, placeholders=0, breaks=True)
    implementation = suite.Implementation(name=said)
    report = suite.Report(
        implementation=implementation, strict=False, results=(wrong,), stale=(said,), unknown_ops=(said,)
    )
    text = _report.summary(report)
    assert len(text.split("\n")) == 3
    assert all(line.isprintable() and not line.lstrip().startswith("::") for line in text.split("\n"))
    assert "##[" not in text
    outside = re.sub("`[^`\n]*`", "", _report.markdown(report))
    assert not any(part in outside for part in ("pwn", "example", "@", "\x1b"))
    rows = [line for line in _report.markdown(report).split("\n") if line.startswith("| `")]
    assert [row.count("|") for row in rows] == [7]


def test_names_of_operations_do_nothing_in_a_log(folder: Path, capsys: Any) -> None:
    run(folder, script(folder, "pass", STARTED.replace('"text.echo"', '"text.echo", "x\\n::error::pwn"')))
    said = capsys.readouterr().err
    assert "the suite has no operation x\\x0a::error::pwn\n" in said
    run(folder, script(folder, "pass", STARTED.replace('"protocol": 1', '"x\\n::y": 1, "protocol": 1')), "--validate")
    assert "\n::" not in capsys.readouterr().err


def test_a_clean_run_has_a_green_badge_and_no_open_points(folder: Path) -> None:
    run(folder, script(folder, "pass"), f"--badge={folder / 'badge'}", f"--markdown={folder / 'markdown'}")
    assert json.loads((folder / "badge").read_text())["color"] == "brightgreen"
    assert "`area/" not in (folder / "markdown").read_text()


def test_markdown_shows_so_many_open_points_and_stale_lines() -> None:
    results = tuple(
        suite.Result(case=case(), outcome="fail", detail="d", seconds=0.0, placeholders=0, breaks=True)
        for _ in range(201)
    )
    report = suite.Report(
        implementation=suite.Implementation(name="t"), strict=False, results=results, stale=("area/gone",)
    )
    text = _report.markdown(report)
    assert "… and 1 more." in text
    assert "`area/gone`" in text
    assert "STALE expected failure area/gone" in _report.summary(report)


# --- the rest of the command line


def test_cases_are_listed(capsys: Any) -> None:
    assert suite.main(["list", "-k", "address/forms/*"]) == 0
    assert "MUST   project   address.parse" in capsys.readouterr().out


def test_without_a_command_the_harness_of_the_caller_runs(folder: Path, capsys: Any) -> None:
    words = ["run", "--cases", str(folder / "cases")]
    assert suite.main(words, default_harness=script(folder, "pass")) == 0
    assert capsys.readouterr().out == "t: ok (4 pass)\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["run", "-k", "one", "node", "my.mjs"], "put the harness command after --: run … -- node my.mjs"),
        (["run", "--frobnicate"], "unrecognized arguments: --frobnicate"),
        (["list", "node"], "unrecognized arguments: node"),
        (["run", "--"], "no harness command stands after --"),
        (["run", "--fix"], "--fix needs --expected-failures FILE"),
    ],
)
def test_what_cannot_be_meant_is_said(words: list[str], said: str, capsys: Any) -> None:
    with pytest.raises(SystemExit, match="2"):
        suite.main(words)
    assert said in capsys.readouterr().err


def test_a_reader_that_goes_away_is_no_error() -> None:
    program = "import sys, mentionable_conformance as s; sys.exit(s.main(['list']))"
    with subprocess.Popen(
        [PYTHON, "-c", program], env={"PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdout.close()
        assert (child.stderr.read().count(b"\n"), child.wait()) == (1, 0)  # how many there are, and nothing else


def test_what_nobody_reads_is_not_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    said = []

    def gone(text: str, *, flush: bool) -> None:
        said.append((text, flush))
        raise BrokenPipeError

    monkeypatch.setattr("builtins.print", gone)
    _cli._say("hello")
    assert said == [("hello", True)]


def test_the_version_is_told(capsys: Any) -> None:
    with pytest.raises(SystemExit, match="0"):
        suite.main(["--version"])
    assert capsys.readouterr().out.strip() == suite.VERSION


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "5000"])
def test_a_time_limit_is_a_positive_time(seconds: str) -> None:
    with pytest.raises(SystemExit, match="2"):
        suite.main(["run", "--timeout", seconds])


def test_a_report_that_cannot_be_written_is_an_error(folder: Path) -> None:
    assert run(folder, script(folder, "pass"), "--junit", str(folder / "nowhere" / "x.xml"))[0] == 2
