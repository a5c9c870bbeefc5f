"""Answers that are made to mislead or to end a judge: both judges stand, and say the same."""

from __future__ import annotations

import json
import os
import random
import subprocess
from base64 import b64encode
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

import mentionable_conformance as suite
import pytest

from tests.harnesses import STARTED, case, script, write_cases
from tests.node_programs import node
from tests.runners import RUNNERS, both, command_of, environment, outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

SHARED = {"section": "§1", "level": "MUST", "why": "Because it is so."}
PROFILE = "https://mentionable.dev/ns/normalized-message/v0.1"
OTHER_FORM = "it has another form than the fact {} needs"


def judged(folder: Path, op: str, answers: Sequence[tuple[dict[str, Any], Any]]) -> list[str]:
    """What both judges find wrong with each answer, which stands beside the facts that are asked of it."""
    odd = [
        {**SHARED, "id": f"area/odd/n{place}", "input": json.dumps(answer), "facts": facts}
        for place, (facts, answer) in enumerate(answers)
    ]
    write_cases(folder / "cases", *odd, op=op)
    body = "answer['value'] = json.loads(ask['input']) if isinstance(ask['input'], str) else ask['input']"
    words = ["run", "--cases", str(folder / "cases"), "--json", str(folder / "report"), "--"]
    words += script(folder, body, STARTED.replace("text.echo", op))
    reports = []
    for runner in RUNNERS:
        _, _, stderr = outcome(runner, words)
        assert (folder / "report").exists(), stderr
        report = json.loads((folder / "report").read_text(encoding="utf-8"))
        reports.append([one["detail"] for one in report["results"] if one["id"].startswith("area/odd/")])
    assert reports[0] == reports[1]
    assert len(reports[0]) == len(answers)
    return reports[0]


def b64(text: str | bytes) -> str:
    return b64encode(text.encode() if isinstance(text, str) else text).decode()


CHARSETS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32", "utf-32-be")
HEAD = f'Content-Type: application/json; profile="{PROFILE}"\r\nContent-Transfer-Encoding: base64\r\n\r\n'


@pytest.mark.parametrize(
    ("op", "fact", "answer"),
    [
        ("trace.write", "response", lambda payload: {"href": f"https://mentionable.dev/trace#{payload}"}),
        ("policy.to_http", "payment", lambda payload: {"headers": [["Payment-Required", payload]]}),
        ("email.reply", "trace", lambda payload: {"mail": b64(f"{HEAD}{payload}\r\n")}),
        ("email.reply", "policy", lambda payload: {"mail": b64(f"X-Mentionable-Policy: {payload}\r\n\r\nx\r\n")}),
    ],
)
def test_json_in_bytes_is_in_utf_8_without_a_byte_order_mark(
    op: str, fact: str, answer: Callable[[str], Any], tmp_path: Path
) -> None:
    found = judged(tmp_path, op, [({fact: {"a": 1}}, answer(b64('{"a": 1}'.encode(one)))) for one in CHARSETS])
    assert found == ["", *[f"not an answer to {op}: {OTHER_FORM.format(fact)}"] * 5]


CALL: dict[str, Any] = {"kind": "tool_call", "name": "n", "args": {}}
SAID: dict[str, Any] = {"kind": "text", "mime": "text/plain"}
MANY = 10**4299 * 9


def frames(*parts: Any) -> list[dict[str, Any]]:
    """Frames of a stream, with one part each, of which the last is the final one."""
    marks = [{"stream_id": "s", "seq": seq, "final": seq == len(parts) - 1} for seq in range(len(parts))]
    return [
        {"reply_to": "m", "status": "ok" if one["final"] else "partial", "parts": [part], "streaming": one}
        for part, one in zip(parts, marks, strict=True)
    ]


ODD_PARTS: tuple[tuple[str, list[Any]], ...] = (
    ("calls", [{**CALL, "id": "c"}, {**CALL, "id": 7}]),
    ("calls", [{**CALL, "id": None}]),
    ("whole", [{**CALL, "id": True}]),
    ("whole", [{**SAID, "content": MANY}, {**SAID, "content": MANY}]),
    ("whole", [{**SAID, "content": 10**400}, {**SAID, "content": 0.5}]),
    ("whole", [{**SAID, "content": ["a"]}, {**SAID, "content": ["b"]}]),
    ("longest_text", [{**SAID, "content": ["a", "b"]}]),
)


def test_ids_and_contents_of_frames_are_texts(tmp_path: Path) -> None:
    found = judged(tmp_path, "response.split", [({fact: {}}, frames(*parts)) for fact, parts in ODD_PARTS])
    assert found == [f"not an answer to response.split: {OTHER_FORM.format(fact)}" for fact, _ in ODD_PARTS]


def test_long_answers_of_many_parts_are_judged(tmp_path: Path) -> None:
    many = frames({**SAID, "content": "a"}, {**SAID, "content": "b"})
    many[0]["parts"] = [{**SAID, "content": "a"}] * 150_000
    assert judged(tmp_path, "response.split", [({"longest_text": 1}, many)]) == [""]


def test_ids_of_events_and_lanes_are_texts(tmp_path: Path) -> None:
    prompt = {"headings": {"new": "# new"}, "prompt": '# new\n{"id": 7, "content": "x"}'}
    step: dict[str, Any] = {"paths": {}, "effects": []}
    turns = {"before": [], "records": {"e": {"status": "x"}}, "steps": [step], "turns": {}}
    wrong = [
        judged(tmp_path, "anp.prompt", [({"contents": {}}, prompt)]),
        judged(tmp_path, "anp.lane", [({"lanes": [0, 0]}, {"ids": [True, 1]}), ({"lanes": [0]}, {"ids": "a"})]),
        judged(tmp_path, "anp.turn", [({"made": {"e": {"status": "x"}}}, turns)]),
    ]
    lanes = f"not an answer to anp.lane: {OTHER_FORM.format('lanes')}"
    assert wrong == [[f"not an answer to anp.prompt: {OTHER_FORM.format('contents')}"], [lanes, lanes], [""]]


def test_half_a_surrogate_pair_in_a_payload_ends_no_report(tmp_path: Path) -> None:
    payload = b64(r'{"\ud800": 1}')
    (wrong,) = judged(
        tmp_path, "trace.write", [({"response": {}}, {"href": f"https://mentionable.dev/trace#{payload}"})]
    )
    assert wrong == "facts/response/\ud800: is not expected, got 1"


RUNNING = """
import { object } from "ROOT/judge/values.mjs";
import { run } from "ROOT/judge/run.mjs";
const one = { id: "a/b/c", op: "o", level: "MUST", expect: object({ any_of: 5 }) };
const start = async () => ({ ops: new Set(["o"]) });
const harness = { start, perform: async () => object({ value: 1 }), stop: async () => {} };
const { results } = await run([one, { ...one, expect: object({ value: 1 }) }], harness);
console.log(JSON.stringify(results.map(({ outcome, detail }) => [outcome, detail])));
"""


def test_what_no_judge_expects_fails_one_case_and_ends_no_run(tmp_path: Path) -> None:
    cases = [case(any_of=5), case(value=1)]
    who = suite.Implementation(name="x", ops=frozenset({"text.echo"}))
    report = suite.run(cases, suite.CallableHarness(lambda *_: {"value": 1}, who))
    (tmp_path / "running.mjs").write_text(RUNNING.replace("ROOT", suite.root().as_uri()))
    done = subprocess.run([node(), str(tmp_path / "running.mjs")], capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    found = [[one.outcome, one.detail] for one in report.results]
    assert found == json.loads(done.stdout)
    assert [outcome for outcome, _ in found] == ["fail", "pass"]
    assert found[0][1].startswith("the answer cannot be compared")


def test_a_terminal_that_cannot_carry_a_text_ends_no_run(tmp_path: Path) -> None:
    write_cases(tmp_path / "cases")
    command = script(tmp_path, "answer['value'] = chr(0x2026)")
    done = subprocess.run(
        [*command_of("python"), "run", "--cases", str(tmp_path / "cases"), "--", *command],
        env={**environment(), "PYTHONIOENCODING": "ascii"}, capture_output=True, encoding="ascii", check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert r"expected 1, got '\u2026'" in done.stdout


NAMES = ("a b", "a\x1cmine", "a\x85area/behaviour/two", "a\u2028b", "a#b", "größe", 'a"b', "a~/b")


def test_no_name_in_an_answer_writes_a_line_of_the_list(tmp_path: Path) -> None:
    odd = [{**SHARED, "id": f"area/odd/n{place}", "input": one, "value": {}} for place, one in enumerate(NAMES)]
    write_cases(tmp_path / "cases", *odd)
    command = script(tmp_path, "answer['value'] = {ask['input']: 1} if isinstance(ask['input'], str) else ask['input']")
    lists = []
    for runner in RUNNERS:
        listed = tmp_path / "listed"
        listed.unlink(missing_ok=True)
        words = ["run", "--cases", str(tmp_path / "cases"), "--expected-failures", str(listed), "--fix", "--", *command]
        subprocess.run([*command_of(runner), *words], env=environment(), check=True, capture_output=True, timeout=60)
        lists.append(listed.read_text(encoding="utf-8"))
    assert lists[0] == lists[1]
    reasons = ["wrong answer"] * 6 + ['wrong at value/a"b', "wrong at value/a~0~1b"]
    assert lists[0].splitlines()[-8:] == [f"area/odd/n{n} # {one}" for n, one in enumerate(reasons)]


def test_a_text_of_line_ends_is_read_soon(tmp_path: Path) -> None:
    mail = b64(b"\r\n" + b"\n" * 1_000_000 + b"x\r\n")
    assert judged(tmp_path, "email.reply", [({"text": "\n" * 1_000_000 + "x"}, {"mail": mail})]) == [""]


GLOBS = """
import { readFileSync } from "node:fs";
import { fits } from "ROOT/judge/glob.mjs";
const pairs = JSON.parse(readFileSync(process.argv[2], "utf8"));
console.log(JSON.stringify(pairs.map(([name, pattern]) => fits(name, pattern))));
"""


def fitting(pairs: Sequence[tuple[str, str]], folder: Path) -> list[bool]:
    """Whether each name fits its glob, for the runner in JavaScript."""
    (folder / "globs.mjs").write_text(GLOBS.replace("ROOT", suite.root().as_uri()))
    (folder / "pairs").write_text(json.dumps(pairs))
    command = [node(), str(folder / "globs.mjs"), str(folder / "pairs")]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True, timeout=60)
    found: list[bool] = json.loads(done.stdout)
    return found


def test_globs_fit_alike_in_both(tmp_path: Path) -> None:
    chance = random.Random(11)
    pairs = [
        (
            "".join(chance.choices("abc-]!", k=chance.randrange(5))),
            "".join(chance.choices("abc***??[[]]!!--^\\", k=length)),
        )
        for length in range(1, 13)
        for _ in range(3_000)
    ]
    pairs += [("\U0001f600", "?"), ("\U0001f600", "[\U0001f5ff-\U0001f601]"), ("a\nb", "a*b"), ("", ""), ("", "*")]
    found = fitting(pairs, tmp_path)
    assert found == [fnmatchcase(name, pattern) for name, pattern in pairs]
    assert 1_000 < sum(found) < 20_000


def test_a_glob_of_many_stars_takes_no_time(tmp_path: Path) -> None:
    assert fitting([("a" * 5_000, "*a" * 300 + "b")], tmp_path) == [False]


def test_a_line_is_not_too_long_to_hold_in_memory(tmp_path: Path) -> None:
    write_cases(tmp_path / "cases")
    command = script(tmp_path, "answer['value'] = 'x' * (17 * 2**20) if ask['input'] == 1 else ask['input']")
    python, javascript = both(["run", "--cases", str(tmp_path / "cases"), "--", *command])
    assert python == javascript
    assert "area/behaviour/one: answered with more than 16777216 bytes" in python[1]


def changed(place: int, member: str, value: Any) -> list[dict[str, Any]]:
    """Two frames, with another value of a member of one of them or of its place in the stream."""
    made = frames({**SAID, "content": "a"}, {**SAID, "content": "b"})
    (made[place]["streaming"] if member in made[place]["streaming"] else made[place])[member] = value
    return made


WHOLE = {"reply_to": "m", "status": "ok", "parts": [{**SAID, "content": "ab"}]}
ALIEN = "not an answer to response.split: a frame has another {} than the last one"


ODD_FRAMES: tuple[tuple[str, Any, str], ...] = (
    ("whole", changed(0, "seq", 0), ""),
    (
        "whole",
        changed(0, "parts", [{"kind": "odd", "mime": "text/plain", "content": "a"}]),
        "facts/whole/parts/0/kind: ",
    ),
    ("numbers_rise_from_0", changed(0, "seq", 0.0), ""),
    ("numbers_rise_from_0", changed(0, "seq", False), "facts/numbers_rise_from_0: expected True, got False"),
    ("numbers_rise_from_0", changed(1, "seq", True), "facts/numbers_rise_from_0: expected True, got False"),
    ("numbers_rise_from_0", changed(1, "seq", 0.5), "facts/numbers_rise_from_0: expected True, got False"),
    ("final_is_last", changed(1, "final", True), ""),
    ("final_is_last", changed(1, "final", 1), "facts/final_is_last: expected True, got False"),
    ("final_is_last", changed(0, "final", 0), "facts/final_is_last: expected True, got False"),
    ("whole", changed(0, "agent", "@evil@agents.example"), ALIEN.format("agent")),
    ("whole", changed(0, "thread_id", "t"), ALIEN.format("thread_id")),
    ("several", changed(0, "parts", ""), f"not an answer to response.split: {OTHER_FORM.format('several')}"),
    ("several", changed(0, "parts", {}), f"not an answer to response.split: {OTHER_FORM.format('several')}"),
)


def test_frames_are_what_a_reader_of_a_stream_takes(tmp_path: Path) -> None:
    asked = [({fact: WHOLE if fact == "whole" else True}, answer) for fact, answer, _ in ODD_FRAMES]
    found = judged(tmp_path, "response.split", asked)
    wanted = [wrong for _, _, wrong in ODD_FRAMES]
    assert [one[: len(wrong)] for one, wrong in zip(found, wanted, strict=True)] == wanted
    assert [bool(one) for one in found] == [bool(wrong) for wrong in wanted]


EVENT = {"id": "e", "revision": 1, "depth": 0}


def test_booleans_are_no_numbers_of_an_event(tmp_path: Path) -> None:
    found = judged(
        tmp_path, "anp.decide",
        [
            ({"changed": {}}, {"before": EVENT, "record": {**EVENT, "revision": 1.0}}),
            ({"changed": {}}, {"before": EVENT, "record": {**EVENT, "revision": True}}),
            ({"record": {"id": "e", "revision": 1}}, {"record": EVENT}),
            ({"record": {"id": "e", "revision": 1}}, {"record": {**EVENT, "depth": False}}),
        ],
    )  # fmt: skip
    assert found == [
        "", "facts/changed/revision: is not expected, got True", "", "facts/record/depth: is not expected, got False",
    ]  # fmt: skip


ODD_EFFECTS: tuple[Any, ...] = ("", {}, None, ["queue"], [{"kind": 1}], [{"kind": ["queue"]}])


@pytest.mark.parametrize(
    ("op", "fact"), [("anp.decide", "effects"), ("anp.story", "presented"), ("anp.turn", "presented")]
)
def test_effects_are_objects_with_a_kind_in_an_array(op: str, fact: str, tmp_path: Path) -> None:
    found = judged(tmp_path, op, [({fact: []}, {"effects": one, "steps": [{"effects": one}]}) for one in ODD_EFFECTS])
    assert found == [f"not an answer to {op}: {OTHER_FORM.format(fact)}"] * len(ODD_EFFECTS)


def test_an_error_has_words_and_no_result(tmp_path: Path) -> None:
    error = {"error": {"code": "c", "in_words": True, "call": 1}}

    def refusal(message: Any, **more: Any) -> dict[str, Any]:
        return {"headers": [], "body": json.dumps({"id": 1, "error": {"code": "c", "message": message}, **more})}

    answers = [refusal("So."), *map(refusal, ("", " \n", True, ["x"])), refusal("So.", result=None)]
    found = judged(tmp_path, "a2a.refuse", [(error, one) for one in answers])
    blank = "facts/error/in_words: expected True, got False"
    assert found == ["", *[blank] * 4, "not an answer to a2a.refuse: a result stands beside the error"]


def test_a_field_that_may_be_there_once_is_not_there_twice(tmp_path: Path) -> None:
    names = ("From", "To", "Subject", "Message-ID", "Content-Type", "Date")
    mails = [f"{name}: a/b\r\nX: y\r\n{name.upper()}: a/b\r\n\r\nx\r\n" for name in names]
    found = judged(tmp_path, "email.reply", [({"fields": []}, {"mail": b64(mail)}) for mail in mails])
    assert found == [f"not an answer to email.reply: the field {name} is there twice" for name in names]


def test_blanks_in_encoded_words_are_those_of_ascii(tmp_path: Path) -> None:
    heads = [f"Subject: =?odd{one}?q?a?=" for one in ("\x1c", "\xa0", "\x85", "\u2028", "\ufeff", " ")]
    answers = [({"fields": ["subject"]}, {"mail": b64(f"{head}\r\n\r\nx\r\n")}) for head in heads]
    found = judged(tmp_path, "email.reply", answers)
    assert [bool(one) for one in found] == [True] * 5 + [False]


def test_numbers_of_as_many_digits_as_may_be_are_read_with_a_sign(tmp_path: Path) -> None:
    answers = [({"frame": 0}, {"frame": "-" + "9" * digits}) for digits in (4300, 4301)]
    found = judged(tmp_path, "anp.stream", answers)
    assert found[0].startswith("facts/frame: expected 0, got -99")
    assert found[1] == f"not an answer to anp.stream: {OTHER_FORM.format('frame')}"


def test_null_and_the_text_null_are_two_tasks(tmp_path: Path) -> None:
    body = "\n\n".join(f'data: {{"kind": "task", "id": {one}}}' for one in ("null", '"null"'))
    answer = {"headers": [["Content-Type", "text/event-stream"]], "body": body}
    found = judged(tmp_path, "a2a.reply", [({"one_artifact": True}, answer)])
    assert found == ["facts/one_artifact: expected True, got False"]


# --- case files of others

FIT = {**SHARED, "id": "area/b/x", "input": 5, "value": 5}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"id": 5}, "/cases/4/id: must be string"),
        ({"id": ["a"]}, "/cases/4/id: must be string"),
        ({"id": None}, "/cases/4/id: must be string"),
        ({"id": "area/b/x\n"}, "/cases/4/id: must match ^[a-z0-9-]+(/[a-z0-9-]+){1,3}$"),
        ({"id": "area/b/\ud800"}, "/cases/4/id: must match ^[a-z0-9-]+(/[a-z0-9-]+){1,3}$"),
        ({"level": "Must"}, "/cases/4/level: must be one of ['MUST', 'SHOULD', 'MAY']"),
        ({"flags": 5}, "/cases/4/flags: must be array"),
        ({"given": [5]}, "/cases/4/given: must be object"),
        ({"why": {}}, "/cases/4/why: must be string"),
        ({"a\n::error::b": 5}, "/cases/4/a\\x0a::error::b: is not allowed"),
    ],
)
def test_a_case_of_another_shape_is_refused_in_the_same_words(
    change: dict[str, Any], said: str, tmp_path: Path
) -> None:
    write_cases(tmp_path / "cases", FIT | change)
    for words in (["list"], ["run"], ["explain", "area/b/x"]):
        python, javascript = both(
            [*words, "--cases", "cases", *(["--", "node"] if words[0] == "run" else [])], cwd=tmp_path
        )
        assert python == javascript
        assert (python[0], python[1]) == (2, "")
        assert python[2].startswith("mentionable-conformance: cases/")
        assert python[2].endswith(f": {said}\n")
        assert python[2].count("\n") == 1


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
def test_a_pipe_is_no_case_file(tmp_path: Path) -> None:
    write_cases(tmp_path / "cases", FIT, FIT | {"id": "area/b/y", "input": {"$file": "pipe"}})
    os.mkfifo(tmp_path / "cases" / "pipe")
    os.mkfifo(tmp_path / "one.json")
    for words, said in (
        (["list", "--cases", "one.json"], "one.json: not a regular file"),
        (["list", "--cases", "."], "one.json: not a regular file"),
        (["list", "--cases", "cases"], "cases: $file 'pipe': not a regular file"),
    ):
        python, javascript = both(words, cwd=tmp_path)
        assert python == javascript == (2, "", f"mentionable-conformance: {said}\n")
