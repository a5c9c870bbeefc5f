"""The runner of the conformance suite: how it bears harnesses, good and bad."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from typing import TYPE_CHECKING, Any

import mentionable_conformance as suite
import pytest
from mentionable_conformance import _report

from tests.harnesses import PYTHON, STARTED, case, run, script, suite_is_read_once, write_cases  # noqa: F401 - a fixture

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_cases(tmp_path / "cases")
    return tmp_path


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
    assert run(folder, command, "--timeout", "2") == (
        1,
        {"one": "error", "two": "pass", "three": "pass", "four": "pass"},
    )


def test_a_harness_that_does_not_read_is_ended(folder: Path) -> None:
    more = {"id": "area/b/big", "section": "§1", "level": "MUST", "why": "w" * 12, "input": "x" * 2_000_000, "value": 1}
    write_cases(folder / "cases", more)
    command = script(folder, "if ask['input'] == 4: print(json.dumps(answer), flush=True); time.sleep(60)")
    status, outcomes = run(folder, command, "--timeout", "2")
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
    big = {"id": "area/b/big", "section": "§1", "level": "MUST", "why": "w" * 12, "input": "x" * 2_000_000, "value": 1}
    write_cases(folder / "cases", big)
    dumb, deaf = leaving(orphans, "pass"), leaving(orphans, "print(json.dumps(answer), flush=True)")
    body = f"if ask['input'] == 1:\n        {dumb}\n    if ask['input'] == 4:\n        {deaf}"
    command = script(folder, body)
    before = time.monotonic()
    status, outcomes = run(folder, command, "--timeout", "2")
    assert time.monotonic() - before < 30  # two limits of two seconds, and no 600
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
def test_a_lone_surrogate_is_no_json_and_breaks_no_report(folder: Path, body: str) -> None:
    command = script(folder, f"if ask['input'] == 1: {body}")
    paths = [f"--{name}={folder / name}" for name in ("junit", "markdown", "badge", "html")]
    assert run(folder, command, *paths) == (1, {"one": "error", "two": "pass", "three": "pass", "four": "pass"})
    assert "a lone surrogate in a line: {" in (folder / "markdown").read_text()


def test_a_number_that_no_report_can_hold_is_no_json(folder: Path, capsys: Any) -> None:
    more = {
        "id": "area/b/any",
        "section": "§1",
        "level": "MUST",
        "why": "w" * 12,
        "input": 5,
        "value": {"$any": "json"},
    }
    write_cases(folder / "cases", more)
    body = "if ask['input'] == 5: print('{\"seq\": %d, \"value\": 1e400}' % ask['seq'], flush=True); continue"
    assert run(folder, script(folder, body))[1]["any"] == "error"
    infinite = (
        "print(json.dumps({'protocol': 1, 'implementation': {'name': 't', 'x': 0}, 'ops': []}).replace('0', '1e400'))"
    )
    assert run(folder, script(folder, "pass", infinite + "; sys.stdout.flush()"))[0] == 2
    assert "not a line of JSON" in capsys.readouterr().err


def test_a_harness_says_who_it_is_in_few_words(folder: Path, capsys: Any) -> None:
    (folder / "report.json").unlink(missing_ok=True)
    assert run(folder, script(folder, "pass", STARTED.replace('"t"', '"t" * 70_000'))) == (2, {})
    assert "answered start with more than 65536 bytes" in capsys.readouterr().err


def test_what_is_wrong_with_an_answer_is_told_in_few_words(folder: Path) -> None:
    more = {"id": "area/b/asks", "section": "§1", "level": "MUST", "why": "w" * 12, "input": 5, "value": 5}
    write_cases(folder / "cases", {**more, "must_not_ask": ["GET *"]})
    run(folder, script(folder, "answer['asks'] = ['GET ' + 'x' * 1000] * 1000"))
    details = [one["detail"] for one in json.loads((folder / "report.json").read_text())["results"]]
    assert max(map(len, details)) == 2001


@pytest.mark.parametrize("answer", [None, [], "value", ["value"]])
def test_a_function_that_gives_no_object_gives_no_answer(answer: Any) -> None:
    who = suite.Implementation(name="t", ops=frozenset({"text.echo"}))
    report = suite.run([case()], suite.CallableHarness(lambda *_: answer, who))
    assert [one.outcome for one in report.results] == ["error"]
    assert not report.ok


@pytest.mark.parametrize(
    "more", [{"level": "Must"}, {"tier": "Published"}, {"any_of": []}, {"must_not_aks": ["GET *"]}, {"facts": {}}]
)
@pytest.mark.parametrize("words", [[], ["--level", "MUST"]])
def test_cases_of_others_are_checked_before_they_judge(folder: Path, more: dict[str, Any], words: list[str]) -> None:
    one = {"id": "area/b/odd", "section": "§1", "level": "MUST", "why": "w" * 12, "input": 5, "value": 6, **more}
    if {"any_of", "facts"} & more.keys():
        del one["value"]
    write_cases(folder / "cases", one)
    assert run(folder, script(folder, "pass"), *words) == (2, {})


def test_a_lone_surrogate_in_a_name_is_no_start(folder: Path, capsys: Any) -> None:
    assert run(folder, script(folder, "pass", STARTED.replace('"t"', '"t\\ud800"'))) == (2, {})
    assert "a lone surrogate in a line" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({"value": "\ud800"}, "UnicodeEncodeError: 'utf-8' codec can't encode character '\\ud800'"),
        (ValueError("\ud800"), "ValueError: \\ud800"),
    ],
)
def test_a_lone_surrogate_of_a_function_breaks_no_report(answer: Any, said: str) -> None:
    def perform(*_: Any) -> Any:
        if isinstance(answer, Exception):
            raise answer
        return answer

    who = suite.Implementation(name="t", ops=frozenset({"text.echo"}))
    report = suite.run([case()], suite.CallableHarness(perform, who))
    assert [result.outcome for result in report.results] == ["error"]
    assert report.results[0].detail.startswith(said)
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
    assert "the suite has no operation text.ehco; did you mean text.echo?\n" in said
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


@pytest.mark.parametrize(("words", "status", "outcome"), [([], 0, "skip"), (["--strict"], 1, "fail")])
def test_a_should_of_a_declared_operation_may_be_skipped_where_it_does_not_count(
    folder: Path, words: list[str], status: int, outcome: str
) -> None:
    command = script(folder, "if ask['input'] > 2: answer = {'seq': ask['seq'], 'skipped': {'why': 'later'}}")
    assert run(folder, command, *words) == (status, {"one": "pass", "two": "pass", "three": outcome, "four": "skip"})


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
