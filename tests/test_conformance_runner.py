"""The runner of the conformance suite: what it compares, how it bears bad harnesses, and what it reports."""

from __future__ import annotations

import ast
import json
import os
import re
import signal
import subprocess
import sys
import time
from functools import cache
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import mentionable_conformance as suite
import pytest
from mentionable_conformance import _cli, _manifest, _report

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ROOT = suite.root()
PYTHON = sys.executable


def case(level: str = "MUST", case_id: str = "area/behaviour/one", op: str = "text.echo", **expect: Any) -> suite.Case:
    return suite.Case(
        id=case_id,
        file="x.json",
        spec="s-v0.1",
        op=op,
        section="§1",
        level=level,
        why="Because it is so.",
        flags=(),
        given={"now": "2026-11-21T20:56:00Z", "entropy": "00" * 32, "lookups": {}},
        input=1,
        expect=expect or {"value": 1},
    )


def write_cases(folder: Path, *more: dict[str, Any], op: str = "text.echo") -> Path:
    folder.mkdir(exist_ok=True)
    cases = [
        {
            "id": f"area/behaviour/{name}",
            "section": "§1",
            "level": level,
            "why": "Because it is so.",
            "input": n,
            "value": n,
        }
        for n, (name, level) in enumerate([("one", "MUST"), ("two", "MUST"), ("three", "SHOULD"), ("four", "MAY")], 1)
    ]
    document = {"spec": "some-spec-v0.1", "op": op, "cases": [*cases, *more]}
    (folder / "behaviour.json").write_text(json.dumps(document))
    return folder


STARTED = """print(json.dumps({"protocol": 1, "implementation": {"name": "t"}, "ops": ["text.echo"]}), flush=True)"""


def script(folder: Path, body: str, started: str = "") -> list[str]:
    """A harness whose answer to a case is made by `body`, with `ask` in sight."""
    program = f"""
import json, os, sys, time
for line in sys.stdin:
    ask = json.loads(line)
    if ask["cmd"] == "stop":
        break
    if ask["cmd"] == "start":
        {started or STARTED}
        continue
    answer = {{"seq": ask["seq"], "value": ask["input"]}}
    {body}
    print(json.dumps(answer), flush=True)
"""
    path = folder / "harness.py"
    path.write_text(program)
    return [PYTHON, str(path)]


def run(folder: Path, command: list[str], *arguments: str) -> tuple[int, dict[str, str]]:
    """The exit status, and the outcome of each case by the last segment of its id."""
    report = folder / "report.json"
    status = suite.main(["run", "--cases", str(folder / "cases"), "--json", str(report), *arguments, "--", *command])
    if not report.exists():
        return status, {}
    document = json.loads(report.read_text())
    assert suite.problems("report", document) == ()
    return status, {one["id"].rpartition("/")[2]: one["outcome"] for one in document["results"]}


@pytest.fixture(autouse=True)
def suite_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The thousands of cases that are shipped are the same in every test."""
    monkeypatch.setattr(_cli, "cases", lambda path=None: shipped() if path is None else suite.cases(path))


shipped = cache(suite.cases)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_cases(tmp_path / "cases")
    return tmp_path


# --- harnesses, good and bad


def test_an_honest_harness_passes(folder: Path) -> None:
    assert run(folder, script(folder, "pass"), "--strict", "--validate") == (
        0,
        dict.fromkeys(["one", "two", "three", "four"], "pass"),
    )


@pytest.mark.parametrize(
    ("body", "outcome", "status"),
    [
        ('answer["value"] = 0', "fail", 1),
        ('answer = {"seq": 99, "value": ask["input"]}', "error", 1),
        ('answer = {"value": ask["input"]}', "error", 1),
        ('answer["messages"] = []', "fail", 1),
        ('answer = {"seq": ask["seq"]}', "fail", 1),
        ('answer = {"seq": ask["seq"], "skipped": {"why": "later"}}', "fail", 1),
        ('answer = {"seq": ask["seq"], "errored": {"message": "no"}}', "error", 1),
        ("answer = [1]", "error", 1),
        ('print("oops", flush=True); continue', "error", 1),
        ('print("{", flush=True); continue', "error", 1),
        ('print(\'{"seq": 1, "value": NaN}\', flush=True); continue', "error", 1),
        ('print("[" * 100000, flush=True); continue', "error", 1),
        ('sys.stdout.buffer.write(b"\\xff\\n"); sys.stdout.flush(); continue', "error", 1),
        ("os._exit(3)", "error", 1),
        ('sys.stdout.write("{"); sys.stdout.flush(); os._exit(0)', "error", 1),
    ],
)
def test_a_bad_answer_fails_its_case_and_no_other(folder: Path, body: str, outcome: str, status: int) -> None:
    command = script(folder, f"if ask['input'] == 1:\n        {body}")
    assert run(folder, command) == (status, {"one": outcome, "two": "pass", "three": "pass", "four": "pass"})


def test_a_hang_fails_its_case_and_no_other(folder: Path) -> None:
    command = script(folder, "if ask['input'] == 1: time.sleep(60)")
    assert run(folder, command, "--timeout", "0.3") == (
        1,
        {"one": "error", "two": "pass", "three": "pass", "four": "pass"},
    )


def test_a_harness_that_does_not_read_is_ended(folder: Path) -> None:
    more = {"id": "area/b/big", "section": "§", "level": "MUST", "why": "w" * 12, "input": "x" * 2_000_000, "value": 1}
    write_cases(folder / "cases", more)
    command = script(folder, "if ask['input'] == 4: print(json.dumps(answer), flush=True); time.sleep(60)")
    status, outcomes = run(folder, command, "--timeout", "0.3")
    assert (status, outcomes["four"], outcomes["big"]) == (1, "pass", "error")


@pytest.fixture
def orphans(folder: Path) -> Iterator[Path]:
    """A file into which harnesses write whom they leave behind."""
    path = folder / "orphans"
    path.touch()
    yield path
    for line in path.read_text().split():
        os.kill(int(line), signal.SIGKILL)


def leaving(path: Path, before: str) -> str:
    """Leaves a child behind that holds stdin and stdout, out of the group of the harness."""
    left = "import subprocess; child = subprocess.Popen(['sleep', '600'], start_new_session=True)"
    return f"{before}; {left}; open({str(path)!r}, 'a').write(f'{{child.pid}}\\n'); os._exit(1)"


@pytest.mark.skipif(sys.platform == "win32", reason="pipes cannot be waited for there")
def test_a_child_that_a_harness_leaves_behind_does_not_hold_the_runner(folder: Path, orphans: Path) -> None:
    big = {"id": "area/b/big", "section": "§", "level": "MUST", "why": "w" * 12, "input": "x" * 2_000_000, "value": 1}
    write_cases(folder / "cases", big)
    dumb, deaf = leaving(orphans, "pass"), leaving(orphans, "print(json.dumps(answer), flush=True)")
    body = f"if ask['input'] == 1:\n        {dumb}\n    if ask['input'] == 4:\n        {deaf}"
    command = script(folder, body)
    before = time.monotonic()
    status, outcomes = run(folder, command, "--timeout", "1")
    assert time.monotonic() - before < 30  # two limits of a second, and no 600
    assert (status, outcomes) == (
        1,
        {"one": "error", "two": "pass", "three": "pass", "four": "pass", "big": "error"},
    )
    detail = {one["id"]: one["detail"] for one in json.loads((folder / "report.json").read_text())["results"]}
    assert detail["area/behaviour/one"] == "ended with status 1 before it answered this case"
    assert len(orphans.read_text().split()) == 2


def test_a_harness_that_talks_without_end_is_not_listened_to(folder: Path) -> None:
    told = folder / "told"
    endless = f"""print(json.dumps(answer), flush=True)
    import select
    os.set_blocking(1, False)
    count = 0
    while count < 4_000_000 and select.select([], [1], [], 0.3)[1]:
        count += os.write(1, b'{{}}\\n' * 1000)
    open({str(told)!r}, 'w').write(str(count))
    break"""
    assert run(folder, script(folder, endless), "-k", "one") == (0, {"one": "pass"})
    assert int(told.read_text()) < 1_000_000  # what a pipe holds


@pytest.mark.parametrize(
    "body",
    ["answer['errored'] = {'message': 'x\\ud800y'}; del answer['value']", "answer['value'] = {'\\udfff': 1}"],
)
def test_half_a_character_is_no_json_and_breaks_no_report(folder: Path, body: str) -> None:
    command = script(folder, f"if ask['input'] == 1: {body}")
    paths = [f"--{name}={folder / name}" for name in ("junit", "markdown", "badge", "html")]
    assert run(folder, command, *paths) == (1, {"one": "error", "two": "pass", "three": "pass", "four": "pass"})
    assert "not a line of JSON: b" in (folder / "markdown").read_text()


def test_half_a_character_in_a_name_is_no_start(folder: Path, capsys: Any) -> None:
    assert run(folder, script(folder, "pass", STARTED.replace('"t"', '"t\\ud800"'))) == (2, {})
    assert "not a line of JSON" in capsys.readouterr().err


@pytest.mark.parametrize("answer", [{"value": "\ud800"}, ValueError("\ud800")])
def test_half_a_character_of_a_function_breaks_no_report(answer: Any) -> None:
    def perform(*_: Any) -> Any:
        if isinstance(answer, Exception):
            raise answer
        return answer

    who = suite.Implementation(name="t", ops=frozenset({"text.echo"}))
    report = suite.run([case()], suite.CallableHarness(perform, who))
    assert [result.outcome for result in report.results] == ["error"]
    _report.as_json(report).encode()


@pytest.mark.parametrize(
    "started",
    [
        'print(json.dumps({"protocol": 2, "implementation": {"name": "t"}, "ops": []}), flush=True)',
        'print(json.dumps({"protocol": True, "implementation": {"name": "t"}, "ops": []}), flush=True)',
        'print(json.dumps({"protocol": 1, "implementation": {}, "ops": []}), flush=True)',
        'print(json.dumps({"protocol": 1, "implementation": {"name": "t"}, "ops": "all"}), flush=True)',
        'print("hello", flush=True)',
        "sys.exit(4)",
    ],
)
def test_a_harness_that_cannot_start_judges_nothing(folder: Path, started: str, capsys: Any) -> None:
    assert run(folder, script(folder, "pass", started)) == (2, {})
    assert "mentionable-conformance:" in capsys.readouterr().err


def test_a_harness_that_does_not_exist_judges_nothing(folder: Path) -> None:
    assert run(folder, ["/nowhere/harness"]) == (2, {})


def test_a_harness_that_declares_nothing_judges_nothing(folder: Path) -> None:
    nothing = 'print(json.dumps({"protocol": 1, "implementation": {"name": "t"}, "ops": []}), flush=True)'
    assert run(folder, script(folder, "pass", nothing))[0] == 2


@pytest.mark.parametrize(
    ("body", "started", "status"),
    [
        ('if ask["input"] == 1: answer["extra"] = 1', "", 1),
        ('if ask["input"] == 1: answer["asks"] = ["https://a.example/"]', "", 1),
        (
            "pass",
            'print(json.dumps({"protocol": 1, "implementation": {"name": "t"}, "ops": [], "x": 1}), flush=True)',
            2,
        ),
    ],
)
def test_validating_finds_what_breaks_the_schema(folder: Path, body: str, started: str, status: int) -> None:
    assert run(folder, script(folder, body, started), "--validate")[0] == status


def test_validating_checks_the_cases_too(folder: Path) -> None:
    write_cases(folder / "cases", {"id": "x", "section": "§1", "level": "MUST", "why": "w", "input": 1, "value": 1})
    assert run(folder, script(folder, "pass"), "--validate")[0] == 2


def test_validating_says_the_same_of_an_answer_without_an_outcome(folder: Path, capsys: Any) -> None:
    command = script(folder, "if ask['input'] < 3: answer['rejected'] = {'code': 'malformed'}")
    said = []
    for more in ([], ["--validate"]):
        assert run(folder, command, *more)[1] == {"one": "fail", "two": "fail", "three": "pass", "four": "pass"}
        said.append(capsys.readouterr().out)
    assert said[0] == said[1]
    assert "exactly one of messages, value, bytes, rejected, skipped, errored; this one has value, rejected" in said[0]


@pytest.mark.parametrize(
    "body", ["os._exit(3)", 'print("oops", flush=True); continue', 'answer = {"seq": ask["seq"], "errored": "no"}']
)
@pytest.mark.parametrize("wrong", [3, 4])
def test_no_answer_breaks_the_run_at_every_level(folder: Path, body: str, wrong: int) -> None:
    assert run(folder, script(folder, f"if ask['input'] == {wrong}:\n        {body}"))[0] == 1


@pytest.mark.parametrize(
    ("body", "arguments"),
    [
        ("time.sleep(60)", ["--timeout", "0.1", "-k", "three", "-k", "four"]),
        ("answer['value'] = 0", ["-k", "four"]),
        ("answer = {'seq': ask['seq'], 'skipped': {'why': 'later'}}", ["-k", "three"]),
    ],
)
def test_a_run_in_which_nothing_passed_is_never_ok(folder: Path, body: str, arguments: list[str], capsys: Any) -> None:
    assert run(folder, script(folder, body), *arguments)[0] == 2
    said = capsys.readouterr()
    assert "t: FAILED" in said.out
    assert "mentionable-conformance:" in said.err


def test_a_list_of_expected_failures_does_not_make_a_dead_harness_ok(folder: Path) -> None:
    (folder / "expected.txt").write_text("* # nothing works yet\n")
    command = script(folder, "os._exit(3)")
    for more in ([], ["--fix"]):
        assert run(folder, command, "--expected-failures", str(folder / "expected.txt"), *more)[0] == 2
    assert (folder / "expected.txt").read_text() == "* # nothing works yet\n"


def test_an_operation_that_the_suite_does_not_know_is_named(folder: Path, capsys: Any) -> None:
    started = STARTED.replace('"text.echo"', '"text.echo", "text.ehco", "address.parse", "x.y"')
    paths = [f"--markdown={folder / 'markdown'}"]
    assert run(folder, script(folder, "pass", started), *paths)[0] == 0
    said = capsys.readouterr().err
    assert "the suite has no operation text.ehco: did you mean text.echo?\n" in said
    assert "the suite has no operation x.y\n" in said
    assert "address.parse" not in said
    assert json.loads((folder / "report.json").read_text())["unknown_ops"] == ["text.ehco", "x.y"]
    assert "Declared, but unknown to the suite: `text.ehco`, `x.y`" in (folder / "markdown").read_text()


def test_a_program_that_is_no_harness_is_told_when_it_ended(folder: Path, capsys: Any) -> None:
    assert run(folder, [PYTHON, "-c", ""])[0] == 2
    assert "ended with status 0 before it answered start" in capsys.readouterr().err


@pytest.mark.parametrize(("level", "strict", "status"), [("SHOULD", False, 0), ("SHOULD", True, 1), ("MAY", True, 0)])
def test_levels_decide_what_counts(folder: Path, level: str, strict: bool, status: int) -> None:
    wrong = {"SHOULD": 3, "MAY": 4}[level]
    command = script(folder, f"if ask['input'] == {wrong}: answer['value'] = 0")
    assert run(folder, command, *(["--strict"] if strict else []))[0] == status


def test_a_should_of_a_declared_operation_may_be_skipped(folder: Path) -> None:
    command = script(folder, "if ask['input'] > 2: answer = {'seq': ask['seq'], 'skipped': {'why': 'later'}}")
    assert run(folder, command, "--strict") == (0, {"one": "pass", "two": "pass", "three": "skip", "four": "skip"})


def test_a_function_of_this_process_can_be_judged() -> None:
    implementation = suite.Implementation(name="echo", ops=frozenset({"text.echo"}))

    def perform(op: str, given: Any, value: Any) -> dict[str, Any]:
        if value == 1 and op == "text.echo":
            given.clear()
            return {"value": value}
        raise ValueError("two")

    two = suite.Case(**{**{name: getattr(case(), name) for name in suite.Case.__slots__}, "id": "a/b/two", "input": 2})
    report = suite.run(
        [case(), two, case(case_id="a/b/three", op="x.y")], suite.CallableHarness(perform, implementation)
    )
    assert [result.outcome for result in report.results] == ["pass", "error", "skip"]
    assert (report.judged, report.ok, case().given["lookups"]) == (2, False, {})


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
    assert json.loads((folder / "badge").read_text())["message"] == "v0.1 MUST 1/2"
    assert "ERROR MUST   area/behaviour/one" in capsys.readouterr().out


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
    assert [row.count("|") for row in rows] == [6]


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


def test_listing_and_the_manifest(capsys: Any) -> None:
    assert suite.main(["list", "-k", "address/forms/*"]) == 0
    assert "MUST   address.parse" in capsys.readouterr().out
    assert suite.main(["manifest", "--check"]) == 0


def test_a_manifest_that_is_not_up_to_date_is_told_and_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.setattr(_cli, "root", lambda: tmp_path)
    monkeypatch.setattr(_manifest, "manifest_text", lambda: "{}\n")
    assert suite.main(["manifest", "--check"]) == 1
    assert "manifest.json is out of date" in capsys.readouterr().err
    assert suite.main(["manifest"]) == 0
    assert suite.main(["manifest", "--check"]) == 0
    assert (tmp_path / "manifest.json").read_text() == "{}\n"


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


def test_the_shipped_harness_passes_every_case_over_the_line(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    command = [PYTHON, "-c", "import sys, mentionable_conformance as s; sys.exit(s.main(sys.argv[1:]))"]
    path = {"PYTHONPATH": f"{ROOT.parent}:{ROOT}", "PYTHONHASHSEED": "7"}
    done = subprocess.run(
        [*command, "run", "--validate", "--json", str(report)], env=path, capture_output=True, text=True, check=False
    )
    outcomes = {one["id"]: one["outcome"] for one in json.loads(report.read_text())["results"]}
    assert [one for one, outcome in outcomes.items() if outcome != "pass"] == [], done.stderr
    assert outcomes.keys() == {one.id for one in suite.cases()}
