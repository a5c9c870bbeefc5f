"""The judge in JavaScript says what the judge in Python says: the same verdicts, in the same words, of any answer.

All cases with several rounds of broken answers: python tests/judges.py --rounds 20
"""

from __future__ import annotations

import json
import random
import re
import subprocess
from base64 import b64encode
from html.entities import html5
from typing import TYPE_CHECKING, Any

import mentionable_conformance as suite
import pytest
from mentionable_conformance import _html

from tests import judges
from tests.harnesses import STARTED, script, write_cases
from tests.node_programs import node
from tests.runners import RUNNERS, both, outcome
from tests.suite_cases import every_case

if TYPE_CHECKING:
    from pathlib import Path

ROOT = suite.root()
JUDGE = ROOT / "judge"
EVERY = 40
"""One case of so many; of those that are compared by facts or leave the code of a rejection open, all."""


def is_found(case: suite.Case) -> bool:
    """Whether facts are found in the answer to a case."""
    return any("facts" in one for one in case.expect.get("any_of", (case.expect,)))


def is_open(case: suite.Case) -> bool:
    """Whether a case leaves the code of a rejection open."""
    return case.expect.get("rejected") == {"code": {"$any": "json"}}


@pytest.fixture(scope="module")
def cases() -> list[suite.Case]:
    return [case for place, case in enumerate(every_case()) if is_found(case) or is_open(case) or place % EVERY == 0]


@pytest.fixture(scope="module")
def answers(cases: list[suite.Case]) -> list[dict[str, Any]]:
    return judges.recorded(cases)


@pytest.fixture(scope="module")
def folder(cases: list[suite.Case], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The cases in files that hold no others, with bytes in place."""
    folder = tmp_path_factory.mktemp("cases")
    for place, case in enumerate(cases):
        raw = {"id": case.id, "section": case.section, "level": case.level, "tier": case.tier, "why": case.why}
        one = {**raw, "given": case.given, "input": case.input, **case.expect}
        document = {"spec": case.spec, "op": case.op, "cases": [one]}
        (folder / f"{place:05}.json").write_text(json.dumps(document), encoding="utf-8")
    return folder


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_both_judges_say_the_same(
    seed: int, cases: list[suite.Case], answers: list[dict[str, Any]], folder: Path, tmp_path: Path
) -> None:
    lines = judges.round_of(answers, random.Random(seed)) if seed else [json.dumps(answer) for answer in answers]
    odd = seed == 2
    words = ["--cases", str(folder), "--strict" if odd else "--validate"]
    assert judges.differences(node(), [judges.started(cases, odd=odd), *lines], tmp_path, words) == []
    counts = json.loads((tmp_path / "javascript" / "json").read_text(encoding="utf-8"))["counts"]["MUST"]
    assert counts["fail"] > 500 if seed else counts["pass"] > 900


@pytest.mark.parametrize(
    "words",
    [
        ["list", "--op", "trace.*", "--tier", "hardening", "-k", "trace/read/*"],
        ["explain", "email/threading/references-first", "--full"],
        ["explain", "message/required-with-any-code/no-id"],
        ["explain", "trace/read/wrong-paddin"],
        ["explain", "trace/read/wrong-padding", "--", "no-such-program"],
    ],
)
def test_both_print_the_same(words: list[str]) -> None:
    python, javascript = both(words)
    assert python == javascript
    assert python[1] or python[2]


@pytest.mark.parametrize(
    "words",
    [
        ["run", "--"],
        ["run", "--", ""],
        ["run", "node", "x"],
        ["run", "--fix", "--", "x"],
        ["run", "--timeout", "0", "--", "x"],
        ["run", "--level", "x", "--", "x"],
        ["list", "--", "x"],
        ["explain"],
        ["--what"],
        ["running"],
        [],
    ],
)
def test_what_cannot_be_meant_is_refused(words: list[str]) -> None:
    python, javascript = both(words)
    assert python[2].replace(", explain or manifest", " or explain") == javascript[2]
    assert python[0] == javascript[0] == 2
    assert javascript[2].startswith("mentionable-conformance: error: ")


@pytest.mark.parametrize(
    "listed",
    [
        "area/behaviour/one # broken\n",
        "area/*/[ot]* # old\n# ours\narea/gone # b\n",
        "area/behaviour/four\n",
    ],
)
@pytest.mark.parametrize("fix", [[], ["--fix"]])
def test_expected_failures_are_the_same(listed: str, fix: list[str], tmp_path: Path) -> None:
    write_cases(tmp_path / "cases")
    harness = script(tmp_path, "if ask['input'] in (1, 3): answer['value'] = 0")
    found, file = [], tmp_path / "expected.txt"
    words = ["run", "--cases", str(tmp_path / "cases"), "--expected-failures", str(file), *fix, "--", *harness]
    for runner in RUNNERS:
        file.write_text(listed, encoding="utf-8")
        found.append((*outcome(runner, words), file.read_text(encoding="utf-8")))
    assert found[0] == found[1]


STARTS = ("'t' * 70_000", "'t', 'x': 1e400", "'t'")


@pytest.mark.parametrize("start", STARTS)
def test_odd_harnesses_and_cases_are_the_same(start: str, tmp_path: Path) -> None:
    shared = {"section": "§1", "level": "MUST", "why": "Because it is so."}
    asks = {**shared, "id": "area/b/asks", "input": 5, "value": 5, "must_not_ask": ["GET *"]}
    write_cases(tmp_path / "cases", asks, {**shared, "id": "area/b/any", "input": 6, "value": {"$any": "json"}})
    body = """
    if ask["input"] == 3: answer = {"seq": ask["seq"], "skipped": {"why": "later"}}
    if ask["input"] == 5: answer["asks"] = ["GET " + "x" * 1000] * 1000
    if ask["input"] == 6: print('{"seq": %d, "value": [1e400]}' % ask["seq"], flush=True); continue
"""
    started = f"print(json.dumps({{'protocol': 1, 'implementation': {{'name': {start}}}, 'ops': ['text.echo']}}))"
    command = script(tmp_path, body, f"{started.replace('Infinity', '1e400')}; sys.stdout.flush()")
    python, javascript = both(["run", "--strict", "--cases", str(tmp_path / "cases"), "--", *command])
    assert python == javascript
    assert python[0] == (1 if start == "'t'" else 2)


@pytest.mark.parametrize("more", [{"level": "Must"}, {"tier": "Published"}, {"must_not_aks": ["GET *"]}])
def test_cases_that_break_the_schema_judge_nothing(more: dict[str, Any], tmp_path: Path) -> None:
    one = {"id": "area/b/odd", "section": "§1", "level": "MUST", "why": "Because it is so.", "input": 5, "value": 6}
    write_cases(tmp_path / "cases", {**one, **more})
    python, javascript = both(["run", "--cases", str(tmp_path / "cases"), "--", *script(tmp_path, "pass")])
    assert python == javascript
    assert python[0] == 2


HEADS = (
    "To: a@b.example (a (b) c)", "To: a b@c.example, <@r:a@b.example>", "To: " + "(" * 20_000,
    "To: A B <a@b.example> (c)", "Date: Sat, 21 Nov 2026 20:56:00 +0000 junk",
    "Date: Mon, 21 Nov 2026 20:56 GMT (x)",
    "Date: 21 Nov 26 20:56:00 +0000",
    "Content-Type: text/plain; " + "a*0=;" * 20_000, "Content-Type: text/plain; charset=utf-7", "Subject: x\r\n: y",
    "Subject: =?odd?q?a?=", f"Subject: a{' ' * 20_000}b", "no field",
    *("".join(f"Content-Type: multipart/mixed; boundary=b{n}\r\n\r\n--b{n}\r\n" for n in range(m)) for m in (50, 51)),
)  # fmt: skip
FACTS = {"to": [], "to_names": [], "date": "", "subject": "x", "text": "x", "tree": []}


def test_mails_that_parsers_read_in_several_ways_are_judged_alike_and_soon(tmp_path: Path) -> None:
    mails = [b64encode(f"{head}\r\n\r\nHello{' ' * 200_000}x\r\n".encode()).decode() for head in HEADS]
    shared = {"section": "§1", "level": "MUST", "why": "Because it is so."}
    odd = [
        {**shared, "id": f"area/{fact.replace('_', '-')}/n{n}", "input": mail, "facts": {fact: want}}
        for n, mail in enumerate(mails)
        for fact, want in FACTS.items()
    ]
    write_cases(tmp_path / "cases", *odd, op="email.reply")
    body = 'answer["value"] = {"mail": ask["input"], "rcpt_to": []}'
    command = script(tmp_path, body, STARTED.replace("text.echo", "email.reply"))
    python, javascript = both(["run", "--cases", str(tmp_path / "cases"), "--", *command])
    assert python == javascript


PAGES = (
    "<p>One <b>two</b><br/>three</p>", "<A HREF=x Class='a b' href=\"y\">four &amp; &lt;<i>five</i></a>",
    "a < b <3 & c",
    "<a href=x>one<a href=y>two</a>three</a>", "<style>p > q { } <b></STYLE ><title>x</title>y", "<script/>x",
    "<!DOCTYPE html><!-- a -->x", "<!-- a > b -->x", "<!-->x", "<![CDATA[x]]>", "<?x?>", "</p x>", "<p", "<p x",
    "<p x='", "<style>", "<p x=''y>", "<p x=\u00e9 \u017f>", "<\u017fcript>", "<script></\u017fcript>",
    "<p \U0001f600<" + "\U0001f600" * 99,
    "<a href='?a=1&copy=2&lt;&#51;&reg&regx&notit;'>&copy=2&regx</a>", "<a href='u' />", "<p/>", "<hr/>",
    *(f"<a href='&#{digits};'>&#{digits}</a>" for digits in ("9" * 5000, "0" * 5000 + "65", "00", "12345678")),
    "<textarea><a href=q>l</a></textarea>", "<svg>x</svg>", "<title><b></TITLE>x", "<title>x",
    "<!DOCTYPE html PUBLIC 'http://x>y'>z", "<!DOCTYPE html PUBLIC '-//W3C'>z",
    *(one * 100_000 for one in ("<", "<a", "<a ", "</", "<!--", "<!-- x>", "<a x='", "<a>x", "<![if", "<style>", "&")),
    *(one * 100_000 for one in ("&a", "<!doctype ''")),
    *(begun + 100_000 * more for begun, more in (("<a", " x"), ("<a", " "), ("<style>", "</style"), ("<!--", "-- "))),
    *(begun + 100_000 * more for begun, more in (("<!doctype", "''"), ("<a x='", "&a"))),
)  # fmt: skip


def test_html_that_parsers_repair_is_judged_alike_and_soon(tmp_path: Path) -> None:
    shared = {"section": "§1", "level": "MUST", "why": "Because it is so."}
    facts = {"words": "", "links": [], "elements": [], "attributes": []}
    odd = [
        {**shared, "id": f"area/{fact}/n{n}", "input": page, "facts": {fact: want}}
        for n, page in enumerate(PAGES)
        for fact, want in facts.items()
    ]
    write_cases(tmp_path / "cases", *odd, op="policy.html")
    command = script(tmp_path, "pass", STARTED.replace("text.echo", "policy.html"))
    python, javascript = both(["run", "--cases", str(tmp_path / "cases"), "--", *command])
    assert python == javascript
    assert python[0] == 1
    assert python[1].count("another form than is read") > 30 * len(facts)


@pytest.mark.parametrize(
    ("answer", "passes"),
    [
        ({"rejected": {"code": "anything-else"}}, True),
        ({"rejected": {}}, False),
        ({"rejected": {"code": ["malformed"]}}, False),
        ({"rejected": "malformed"}, False),
        ({"errored": {"message": "malformed"}}, False),
        ({"value": None}, False),
    ],
)
def test_an_open_code_asks_for_a_rejection_with_a_code(
    answer: dict[str, Any], passes: bool, cases: list[suite.Case], tmp_path: Path
) -> None:
    refused = [case for case in cases if is_open(case)]
    assert len(refused) > 100
    found = judged_in_javascript([(case, answer) for case in refused], tmp_path)
    assert found == [list(suite.judge(case, answer)) for case in refused]
    assert {wrong == [] for wrong in found} == {passes}


JUDGING = """
import { readFileSync } from "node:fs";
import { argv } from "node:process";
import { judge } from "INDEX";
for (const [one, answer] of JSON.parse(readFileSync(argv[2], "utf8"))) console.log(JSON.stringify(judge(one, answer)));
"""


def judged_in_javascript(pairs: list[tuple[suite.Case, dict[str, Any]]], folder: Path) -> list[list[str]]:
    """What a test framework in JavaScript hears of each answer."""
    (folder / "judging.mjs").write_text(JUDGING.replace("INDEX", (ROOT / "index.mjs").as_uri()))
    given = json.dumps([[{"op": case.op, "expect": case.expect}, answer] for case, answer in pairs])
    (folder / "given").write_text(given)
    command = [node(), str(folder / "judging.mjs"), str(folder / "given")]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_a_test_framework_judges_answers(
    cases: list[suite.Case], answers: list[dict[str, Any]], tmp_path: Path
) -> None:
    chance = random.Random(3)
    pairs = [(case, json.loads(judges.broken(answer, chance))) for case, answer in zip(cases, answers, strict=True)][
        ::7
    ]
    found = judged_in_javascript(pairs, tmp_path)
    assert [bool(wrong) for wrong in found] == [bool(suite.judge(case, answer)) for case, answer in pairs]


def test_the_tables_are_those_of_python() -> None:
    table = json.loads((JUDGE / "entities.json").read_text())
    names = {f"{name};": text for name, text in table["named"].items()}
    assert {**names, **{name: table["named"][name] for name in table["bare"]}} == html5
    style = re.search(r"= `(.*)`", (JUDGE / "style.mjs").read_text(), re.DOTALL)
    assert style is not None
    assert style[1] == _html._STYLE


@pytest.mark.parametrize("path", sorted(JUDGE.glob("*.mjs")), ids=lambda path: path.name)
def test_a_module_is_small_and_needs_node_alone(path: Path) -> None:
    text = path.read_text()
    assert len(text.splitlines()) <= 300
    assert text.removeprefix("#!/usr/bin/env node\n").startswith("// ")
    for name in re.findall(r'(?m)^import .*? from "([^"]+)";$', text):
        assert name.startswith("node:") or (path.parent / name).is_file()
