"""What the suite tells people of a case: `explain`, `list`, and the documents that demands are written in."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import TYPE_CHECKING, Any

import mentionable_conformance as suite
import pytest
from mentionable_conformance import _documents, _explain, _select, _show

from mentionable.cli import main as library
from tests.harnesses import STARTED, script, shipped, suite_is_read_once, write_cases  # noqa: F401

if TYPE_CHECKING:
    from pathlib import Path

ROOT = suite.root()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "cases").mkdir()
    (tmp_path / "cases" / "letter.eml").write_bytes(b"Subject: \x1b[31mred\r\n\r\nHello\r\n")
    (tmp_path / "cases" / "picture.png").write_bytes(b"\x89PNG" + b"\xff" * 60)
    more = {
        "id": "area/behaviour/files",
        "section": "RFC 5322 3.6.4",
        "level": "MUST",
        "why": "Because it is so.",
        "flags": ["one", "two"],
        "input": [{"$file": "letter.eml"}, {"$file": "picture.png"}, {"$file": "letter.eml"}],
        "any_of": [{"value": "x" * 1000}, {"value": list(range(60))}],
        "diagnostics": [],
        "max_asks": 2,
    }
    write_cases(tmp_path / "cases", more)
    return tmp_path


def explain(folder: Path, *words: str) -> int:
    return suite.main(["explain", "--cases", str(folder / "cases"), *words])


# --- one case


def test_a_case_is_told_with_its_files_its_document_and_its_demands(capsys: Any) -> None:
    assert suite.main(["explain", "email/threading/references-first"]) == 0
    said = capsys.readouterr().out
    for line in (
        "email/threading/references-first",
        "  section    NM 5.3.1: Normalized Message v0.1, section 5.3.1",
        "             https://mentionable.dev",
        "  level      MUST",
        "  why        The root of References is the thread, not its newest entry.",
        "  operation  email.receive",
        "  file       v0.1/email/threading.json",
        "Given",
        '      "MESSAGE <last@a.example>": null,',
        '  {"raw": {"$file": "threading-references-first.eml"}}',
        "File threading-references-first.eml (241 bytes)",
        "  | References: <root@a.example> <mid@a.example> <last@a.example>",
        "These messages must come out",
        '      "thread_id": "<root@a.example>",',
        "With this verdict",
        "It serves",
    ):
        assert line in said.splitlines()
    assert re.search(r"(?m)^  nm/[a-z0-9/-]+ \(MUST, NM 5\.3\.1\)$", said)


def test_the_sentence_that_implies_a_case_is_printed(capsys: Any) -> None:
    assert suite.main(["explain", "message/required/all-and-nothing-more"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "The document, at the type NormalizedMessage, the members without a question mark: A message" in said


def test_the_library_has_the_same_command(capsys: Any) -> None:
    assert library(["conformance", "explain", "json/strict/nan"]) == 0
    assert "It must be refused with this code\n  {" in capsys.readouterr().out


def test_cases_are_explained_within_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_explain, "read_json", cache(_explain.read_json))
    for one in shipped()[::100]:
        text = _explain.explained(one)
        assert text.replace("\n", "").isprintable(), one.id
        assert len(text) < 60_000, one.id


def test_what_is_long_is_cut_unless_it_is_asked_for(folder: Path, capsys: Any) -> None:
    assert explain(folder, "area/behaviour/files") == 0
    said = capsys.readouterr().out
    assert explain(folder, "area/behaviour/files", "--full") == 0
    full = capsys.readouterr().out
    assert "x" * 300 + "… (1,000 characters)" in said
    assert "x" * 1000 in full
    for text in (said, full):
        assert text.count("File letter.eml (28 bytes)") == 1
        assert "  | Subject: \\x1b[31mred\n  | \n  | Hello\n" in text
        assert "File picture.png (64 bytes)\n  | 89 50 4e 47 ff" in text
        assert "RFC 5322, section 3.6.4\n             https://www.rfc-editor.org/rfc/rfc5322#section-3.6.4" in text
        assert "  flags      one, two\n" in text
        assert "One of these must come out" in text
        assert "So many questions may go to the network\n  2" in text
        assert "It serves" not in text


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [
        ("email/threading/reference-first", "  email/threading/references-first"),
        ("references-first", "  email/threading/references-first"),
        ("trace/read/viewer-lnik", "  trace/read/viewer-link"),
    ],
)
def test_of_an_unknown_id_the_nearest_are_named(wrong: str, meant: str, capsys: Any) -> None:
    assert suite.main(["explain", wrong]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    first, *near = said.err.splitlines()
    assert first == f"mentionable-conformance: no case has the id {wrong!r}; did you mean"
    assert meant in near
    assert len(near) <= 5


def test_of_an_id_that_is_like_no_other_none_is_named(capsys: Any) -> None:
    assert suite.main(["explain", "\x1b[2J…"]) == 2
    assert capsys.readouterr().err == "mentionable-conformance: no case has the id '\\\\x1b[2J…'\n"
    assert _select.nearest("", ["a"]) == []


def test_of_a_withdrawn_case_it_is_said_why(monkeypatch: pytest.MonkeyPatch) -> None:
    withdrawn = {"withdrawn": {"a/b/c": "it asked for two things at once"}}
    monkeypatch.setattr(_explain, "read_json", lambda path: withdrawn)
    with pytest.raises(suite.CaseError, match=r"a/b/c was withdrawn: it asked for two things at once"):
        _explain.case_named("a/b/c", shipped())


# --- with a harness


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        ("pass", 0, 't answers\n  {"value": 1}\n\nPASS\n'),
        ("answer['value'] = 0", 1, 't answers\n  {"value": 0}\n\nFAIL: value: expected 1, got 0\n'),
        ("answer = {'seq': ask['seq'], 'errored': {'message': 'no'}}", 1, "\n\nERROR: no\n"),
        ("answer['value'] = '\\u202e'", 1, 't answers\n  {"value": "\\u202e"}\n\nFAIL: value: expected 1, got'),
        ("answer['extra'] = 1", 0, "\n\nPASS\n"),
    ],
)
def test_a_harness_is_judged_by_one_case(folder: Path, body: str, status: int, said: str, capsys: Any) -> None:
    assert explain(folder, "area/behaviour/one", "--", *script(folder, body)) == status
    assert said in capsys.readouterr().out


def test_a_harness_without_the_operation_is_not_judged(folder: Path, capsys: Any) -> None:
    command = script(folder, "pass", STARTED.replace("text.echo", "text.other"))
    assert explain(folder, "area/behaviour/one", "--", *command) == 2
    assert "\n\nSKIP: text.echo is not declared\n" in capsys.readouterr().out


def test_a_line_that_breaks_the_schema_is_told_when_lines_are_checked(folder: Path, capsys: Any) -> None:
    command = script(folder, "answer['extra'] = 1")
    (folder / "cases" / "behaviour.json").write_text(
        (folder / "cases" / "behaviour.json").read_text().replace('"max_asks": 2', '"max_asks": 0')
    )
    assert explain(folder, "area/behaviour/one", "--validate", "--", *command) == 1
    assert "ERROR: the line breaks harness.schema.json" in capsys.readouterr().out


def test_a_harness_that_cannot_start_is_told(folder: Path, capsys: Any) -> None:
    assert explain(folder, "area/behaviour/one", "--", "/nowhere/harness") == 2
    assert "cannot start" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["explain", "x", "node", "my.mjs"], "put the harness command after --: explain … -- node my.mjs"),
        (["explain", "x", "--"], "no harness command stands after --"),
        (["explain"], "required: ID"),
        (["list", "--", "node"], "unrecognized arguments: node"),
        (["list", "--level", "MIGHT"], "must be MUST, SHOULD or MAY, not MIGHT"),
    ],
)
def test_what_cannot_be_meant_is_said(words: list[str], said: str, capsys: Any) -> None:
    with pytest.raises(SystemExit, match="2"):
        suite.main(words)
    assert said in capsys.readouterr().err


# --- listing


PUBLISHED = {
    "id": "area/behaviour/published",
    "section": "NM 3",
    "level": "MUST",
    "tier": "published",
    "why": "Because it is so.",
    "input": 5,
    "value": 5,
}


@pytest.mark.parametrize(
    ("words", "count", "summary"),
    [
        ([], 5, "5 cases (3 MUST, 1 SHOULD, 1 MAY; 5 project) of 1 operation in 1 area"),
        (["--level", "must"], 3, "3 cases (3 MUST; 3 project) of 1 operation in 1 area"),
        (["--level", "SHOULD", "--level", "MAY"], 2, "2 cases (1 SHOULD, 1 MAY; 2 project) of 1 operation in 1 area"),
        (["--op", "text.*", "-k", "one"], 1, "1 case (1 MUST; 1 project) of 1 operation in 1 area"),
    ],
)
def test_listing_chooses_and_counts(folder: Path, words: list[str], count: int, summary: str, capsys: Any) -> None:
    assert suite.main(["list", "--cases", str(folder / "cases"), *words]) == 0
    said = capsys.readouterr()
    assert len(said.out.splitlines()) == count
    assert said.err == f"{summary}\n"


def test_a_tier_is_listed_and_run_alone(folder: Path, capsys: Any) -> None:
    write_cases(folder / "cases", PUBLISHED)
    assert suite.main(["list", "--cases", str(folder / "cases"), "--tier", "published"]) == 0
    assert capsys.readouterr().out.split() == ["MUST", "published", "text.echo", PUBLISHED["id"]]
    badge = folder / "badge.json"
    words = ["run", "--cases", str(folder / "cases"), "--tier", "project", "--tier", "published", f"--badge={badge}"]
    assert suite.main([*words, "--", *script(folder, "pass")]) == 0
    assert json.loads(badge.read_text())["message"] == "v0.1 published 1/1, project 2/2"


def test_listing_nothing_is_an_error(folder: Path) -> None:
    assert suite.main(["list", "--cases", str(folder / "cases"), "--op", "text"]) == 2


def test_a_run_chooses_by_operation_and_level_too(folder: Path, capsys: Any) -> None:
    words = ["run", "--cases", str(folder / "cases"), "--op", "text.echo", "--level", "MAY"]
    assert suite.main([*words, "--", *script(folder, "pass")]) == 0
    assert capsys.readouterr().out == "t: ok (1 pass)\n"


# --- values as people read them


def test_values_are_broken_where_they_are_long() -> None:
    wide = {"name": "n" * 60, "list": ["i" * 60, {"deep": "d" * 60}], "empty": [], "more": [1]}
    lines = _show.as_json(wide)
    assert json.loads("\n".join(lines)) == wide
    assert lines[0] == "{"
    assert '  "empty": [],' in lines
    assert max(map(len, lines)) <= 110
    assert _show.as_json([1, {"a": None}]) == ['[1, {"a": null}]']


def test_values_are_cut_after_so_many_lines_and_levels() -> None:
    lines = _show.as_json(["x" * 100] * 150)
    assert (len(lines), lines[-1]) == (101, "… (52 more lines: --full shows them)")
    assert len(_show.as_json(["x" * 100] * 150, full=True)) == 152
    deep: Any = "y" * 200
    for _ in range(300):
        deep = [deep]
    assert len(_show.as_json(deep, full=True)) < 60


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", [""]),
        (b"a\r\nb\n", ["a", "b"]),
        (b"\xff\x00", ["ff 00"]),
        ("\u202eabc\U000e0001".encode(), ["\\u202eabc\\U000e0001"]),
        (b"z" * 400, ["z" * 300 + "…"]),
    ],
)
def test_bytes_are_shown_as_text_where_they_are(data: bytes, lines: list[str]) -> None:
    assert _show.as_text(data) == lines


# --- documents


@pytest.mark.parametrize(
    ("section", "title", "url"),
    [
        ("NM 5.3.1", "Normalized Message v0.1, section 5.3.1", "https://mentionable.dev"),
        ("PP", "PolicyPart v0.1", "https://mentionable.dev"),
        ("A2A 1.0 4.4", "Agent2Agent (A2A) 1.0, section 4.4", "https://a2a-protocol.org"),
        ("RFC 9421", "RFC 9421", "https://www.rfc-editor.org/rfc/rfc9421"),
        ("R13", "a ruling of this project", None),
        ("D B7", "a decision of this project", None),
        ("§1", "§1", None),
        ("Rest", "Rest", None),
    ],
)
def test_a_section_names_its_document(section: str, title: str, url: str | None) -> None:
    found = _documents.source(section)
    assert (found.title, found.url) == (title, url)
    assert bool(found.text) is section.startswith("D ")


def test_every_section_of_a_case_or_requirement_is_known() -> None:
    listed = json.loads((ROOT / "requirements.json").read_text())["requirements"]
    for section in {one.section for one in shipped()} | {one["section"] for one in listed}:
        found = _documents.source(section)
        assert found.title != section or section.startswith("RFC "), section
        assert found.text or not section.startswith("D "), section


def test_the_table_of_documents_says_the_same() -> None:
    rows = re.findall(r"(?m)^\| `([A-Z0-9]+)` \| (.*) \|$", (ROOT / "pages" / "sections.md").read_text())
    table = dict(rows)
    for document in json.loads((ROOT / "documents.json").read_text())["documents"]:
        assert document.get("url", "") in table[document["label"]]


def test_the_manifest_names_the_documents_of_its_cases() -> None:
    documents = suite.manifest()["documents"]
    assert {"NM", "PP", "BC", "MI", "ANP"} <= {one["label"] for one in documents}
    assert sum(one["cases"] for one in documents) == len(shipped())
