"""Both runners of the suite where something is wrong: lines, options and files. They say the same, and end the same."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import mentionable_conformance as suite
import pytest
from mentionable_conformance import _cli

from tests.harnesses import STARTED, script, write_cases
from tests.runners import RUNNERS, both, command_of, environment, outcome

if TYPE_CHECKING:
    from pathlib import Path

HINT = "(stdout is for answers, and debug output belongs on stderr)"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_cases(tmp_path / "cases")
    return tmp_path


def ran(folder: Path, body: str, *words: str, started: str = "") -> tuple[int, str, str]:
    """Status, output and errors of both runners, which are the same."""
    harness = script(folder, body, started)
    python, javascript = both(["run", "--cases", str(folder / "cases"), *words, "--", *harness])
    assert python == javascript
    return python


# --- lines that are no answers


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("hello", f"not a line of JSON: hello {HINT}"),
        ("caf\u00e9 \x1b[31m'\"\\", f"not a line of JSON: caf\u00e9 \\x1b[31m'\"\\ {HINT}"),
        ("", f"not a line of JSON: an empty line {HINT}"),
        ("h" * 200, f"not a line of JSON: {'h' * 120}… {HINT}"),
        ("\U0001f600" * 121, f"not a line of JSON: {chr(0x1F600) * 120}… {HINT}"),
        ("\ufeff{}", f"not a line of JSON: \\ufeff{{}} {HINT}"),
        ("[1]", f"not a JSON object: [1] {HINT}"),
        (b"caf\xe9", f"not a line of UTF-8: caf\ufffd {HINT}"),
        (b'{"a": "\\ud800"}', f'a lone surrogate in a line: {{"a": "\\ud800"}} {HINT}'),
        (b'{"a": "\xed\xa0\x80"}', f'a lone surrogate in a line: {{"a": "\ufffd\ufffd\ufffd"}} {HINT}'),
        ("x" * (17 << 20), "answered with more than 16777216 bytes"),
        ("{}", "the answer lacks seq, which must be 1"),
        ('{"seq": 9}', "answered seq 9 instead of 1"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_a_line_that_is_no_answer_is_shown_as_text(line: str | bytes, said: str, folder: Path) -> None:
    data = (line.encode() if isinstance(line, str) else line) + b"\n"
    (folder / "line").write_bytes(data)
    path = str(folder / "line")
    body = f"if ask['input'] == 1: sys.stdout.buffer.write(open({path!r}, 'rb').read()); sys.stdout.flush(); continue"
    status, out, _ = ran(folder, body)
    assert (status, out.split("\n")[0]) == (1, f"ERROR MUST   project   area/behaviour/one: {said}")


def test_a_banner_before_the_first_answer_is_shown_as_text(folder: Path) -> None:
    status, _, said = ran(folder, "pass", started=f"print('ready'); {STARTED}")
    assert status == 2
    assert said.endswith(f": not a line of JSON: ready {HINT}\n")


@pytest.mark.parametrize(("depth", "status"), [(499, 0), (500, 1), (940, 1), (100_000, 1)])
@pytest.mark.parametrize("around", ["[]", '{"a":}'])
def test_an_answer_is_nested_so_deep_and_no_deeper(depth: int, status: int, around: str, folder: Path) -> None:
    shared = {"section": "§1", "level": "MUST", "why": "Because it is so.", "input": 5}
    write_cases(folder / "cases", {**shared, "id": "area/b/any", "value": {"$any": "json"}})
    opened, closed = around[:-1] * depth, around[-1] * depth
    body = f"""if ask['input'] == 5:
        print('{{"seq": %d, "value": {opened}1{closed}}}' % ask['seq'], flush=True); continue"""
    assert ran(folder, body)[0] == status


# --- options and files


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--op", "adress.parse"], "--op adress.parse fits no case; did you mean address.parse?"),
        (["--op", "trace.read", "--op", "trace.raed"], "--op trace.raed fits no case; did you mean trace.read?"),
        (["--op", "qqqqqqqqqq"], "--op qqqqqqqqqq fits no case"),
        (["--op", "::error::" + "x" * 150], f"--op \\::error::{'x' * 150} fits no case"),
        (["-k", "email/thraeding"], "-k email/thraeding fits no case; did you mean email/threading?"),
        (["-k", "adress/froms/*"], "-k adress/froms/* fits no case; did you mean address/forms?"),
        (["--tier", "publishd"], "error: argument --tier: must be published, project or hardening, not publishd"),
        (["--level", "must", "--level", "x"], "error: argument --level: must be MUST, SHOULD or MAY, not x"),
        (["--op", "trace.read", "-k", "address/forms"], "no case fits all of these options"),
        (["--cases", "nowhere"], "no such folder: nowhere"),
        (["--cases", "empty"], "empty: no case file"),
        (["--cases", "./nowhere/"], "no such folder: ./nowhere/"),
        (["--cases", "file/"], "no such folder: file/"),
        (["--cases", "./empty/"], "./empty/: no case file"),
        (["--cases", ""], "error: argument --cases: must not be empty"),
        (["--cases="], "error: argument --cases: must not be empty"),
        (["--cases", "file"], "file: not UTF-8"),
        (["--cases", "./file"], "file: not UTF-8"),
        (["--cases", "twice"], "twice/one.json: member 'b' stands twice"),
        (["--tie", "published"], "error: unrecognized arguments: --tie published"),
    ],
)
def test_options_that_choose_no_case_say_so(words: list[str], said: str, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_bytes(b"\xff")
    (tmp_path / "twice").mkdir()
    (tmp_path / "twice" / "one.json").write_text('{"a": 1, "b": [], "b": 1, "a": 2}')
    python, javascript = both(["list", *words], cwd=tmp_path)
    assert python == javascript == (2, "", f"mentionable-conformance: {said}\n")


@pytest.mark.parametrize(("listed", "named"), [("area/*/two", "area/*/two: "), ("area/behaviour/two", "")])
def test_a_case_that_passes_against_expectation_is_told_with_the_glob_that_names_it(
    listed: str, named: str, folder: Path
) -> None:
    (folder / "list").write_text(f"{listed} # not yet\n")
    status, out, _ = ran(folder, "pass", "--expected-failures", str(folder / "list"))
    said = f"expected to fail ({named}not yet), but it passes: take it off the list"
    assert (status, out.split("\n")[0]) == (1, f"XPASS MUST   project   area/behaviour/two: {said}")


def test_beside_cases_of_ones_own_those_of_the_suite_are_known(folder: Path) -> None:
    listed, ids = folder / "list", [suite.cases()[0].id, "area/gone"]
    own = STARTED.replace('"text.echo"', '"text.echo", "trace.read", "trace.raed"')
    listed.write_text("".join(f"{one} # not yet\n" for one in ids))
    status, out, said = ran(folder, "pass", "--expected-failures", str(listed), started=own)
    assert (status, re.findall("STALE .*", out)) == (1, ["STALE expected failure area/gone: names no case"])
    warning = "warning: the suite has no operation trace.raed; did you mean trace.read?"
    assert said == f"mentionable-conformance: {warning}\n"
    words = ["run", "--cases", str(folder / "cases"), "--fix", "--expected-failures", str(listed)]
    for runner in RUNNERS:
        listed.write_text("".join(f"{one} # not yet\n" for one in ids))
        assert outcome(runner, [*words, "--", *script(folder, "pass")])[0] == 0
        assert listed.read_text() == f"{ids[0]} # not yet\n"


def test_the_suite_is_not_read_for_cases_of_ones_own(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = suite.cases
    monkeypatch.setattr(_cli, "cases", lambda folder: read(folder))  # and without a folder it fails
    (folder / "list").write_text("area/behaviour/two # not yet\n")
    words = ["run", "--cases", str(folder / "cases"), "--expected-failures", str(folder / "list")]
    assert suite.main([*words, "--", *script(folder, "answer['value'] %= 2")]) == 0


def test_a_tier_without_a_case_fits_none(folder: Path) -> None:
    assert ran(folder, "pass", "--tier", "published")[2] == "mentionable-conformance: --tier published fits no case\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--expected-failures", "nowhere"], "nowhere: No such file or directory"),
        (["--expected-failures", "cases"], "cases: Is a directory"),
        (["--expected-failures", "latin-1"], "latin-1: not UTF-8"),
        (["--expected-failures", "./latin-1"], "./latin-1: not UTF-8"),
        (["--expected-failures="], "error: argument --expected-failures: must not be empty"),
        (["--fix", "--expected-failures", "nowhere/x"], "nowhere/x: No such file or directory"),
        (["--fix", "--expected-failures", "cases"], "cases: Is a directory"),
        (["--fix", "--expected-failures", "new"], "cannot start 'no-such-program': No such file or directory"),
        (["--json="], "error: argument --json: must not be empty"),
        (["--json", "./cases/"], "./cases/: Is a directory"),
        (["--json", "cases"], "cases: Is a directory"),
        (["--html", "nowhere/x.html"], "nowhere/x.html: No such file or directory"),
        (["--badge", "latin-1/x"], "latin-1/x: Not a directory"),
        (["--timeout", "0x10"], "error: argument --timeout: must be more than 0 and at most 3600"),
        (["--strict=1"], "error: argument --strict: ignored explicit argument '1'"),
        (["--json"], "error: argument --json: expected one argument"),
    ],
)
def test_files_that_cannot_be_used_are_named_before_the_run(words: list[str], said: str, folder: Path) -> None:
    (folder / "latin-1").write_bytes(b"caf\xe9")
    python, javascript = both(["run", "--cases", "cases", *words, "--", "no-such-program"], cwd=folder)
    assert python == javascript == (2, "", f"mentionable-conformance: {said}\n")


def test_a_report_of_an_earlier_run_does_not_stay_where_nothing_was_judged(folder: Path) -> None:
    names = ("json", "junit", "markdown", "html", "badge")
    paths = [f"--{name}={folder / name}" for name in names]
    assert ran(folder, "pass", *paths)[0] == 0
    (folder / "kept").write_text("linked")
    (folder / "badge").unlink()
    (folder / "badge").symlink_to(folder / "kept")
    for words in (["--op", "text.ecoh"], ["-k", "one"]):
        assert {name for name in names if (folder / name).exists()} >= {"json", "badge"}
        python, javascript = both(["run", "--cases", "cases", *words, *paths, "--", "no-such-program"], cwd=folder)
        assert python == javascript
        assert python[0] == 2
        assert [name for name in names if (folder / name).exists()] == ["badge"]
        assert (folder / "kept").read_text() == ""
        (folder / "json").touch()


def test_a_report_may_go_to_a_pipe(folder: Path) -> None:
    out = ran(folder, "pass", "--badge", "/dev/stdout")[1]
    assert '"message": "v0.1 project 2/2"' in out


def test_without_the_library_a_harness_is_needed(folder: Path) -> None:
    words = ["-S", "-m", "mentionable_conformance", "run", "--cases", "cases"]
    done = subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env={"PYTHONPATH": str(suite.root())},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    said = "mentionable-conformance: error: put the harness command after --: run … -- COMMAND"
    without = " (without one the library mentionable is judged, which is not installed)"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"{said}{without}\n")
    javascript = both(["run", "--cases", "cases"], cwd=folder)[1]
    assert javascript == (2, "", f"{said}\n")


def test_the_readme_has_every_option_in_a_table() -> None:
    rows = re.findall(r"(?m)^\| `(-[^`]*)` \|", (suite.root() / "README.md").read_text(encoding="utf-8"))
    named = [row.split()[0] for row in rows]
    assert len(named) == len(set(named))
    python = [both([*words, "--help"])[0][1] for words in ([], ["run"], ["list"], ["explain"], ["manifest"])]
    javascript = both(["--help"])[1][1]
    options = re.compile(r"(?<![^\s,\[(])(--[a-z][-a-z]*|-k)\b")
    assert set(named) == set(options.findall("\n".join(python)))
    assert set(named) - {"--against", "--help"} == set(options.findall(javascript.replace(" -- ", "")))


@pytest.mark.skipif(sys.platform == "win32", reason="signals are others there")
@pytest.mark.parametrize("runner", RUNNERS)
def test_who_interrupts_a_run_ends_the_harness_too(runner: str, folder: Path) -> None:
    harness = script(folder, "print('asked', file=sys.stderr, flush=True); time.sleep(600)")
    program, *rest = command_of(runner)
    if runner == "javascript":  # perhaps a program that starts Node, and a signal is for Node itself
        where = [program, "-p", "process.execPath"]
        program = subprocess.run(where, capture_output=True, text=True, check=True, timeout=60).stdout.strip()
    words = [program, *rest, "run", "--cases", str(folder / "cases"), "--timeout", "500", "--", *harness]
    with subprocess.Popen(words, env=environment(), stderr=subprocess.PIPE, encoding="utf-8") as child:
        assert child.stderr is not None
        assert child.stderr.readline() == "asked\n"
        child.send_signal(signal.SIGINT)
        _, said = child.communicate(timeout=60)  # the harness holds the pipe, too, until it ends
    assert (child.returncode, said) == (130, "mentionable-conformance: interrupted\n")
