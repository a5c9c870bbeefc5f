"""Reading the files of cases: strictly, and with the bytes beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import mentionable_conformance as suite
import pytest

from mentionable import CODES
from tests.harnesses import write_cases
from tests.suite_cases import every_case
from tests.vectors._own_words import is_worded

if TYPE_CHECKING:
    from pathlib import Path

OPEN = {"$any": "json"}


def test_defaults_are_filled_in(tmp_path: Path) -> None:
    first = suite.cases(write_cases(tmp_path))[0]
    assert first.given == {"now": "2026-11-21T20:56:00Z", "entropy": "00" * 32, "lookups": {}}


def test_a_file_beside_the_cases_becomes_its_bytes(tmp_path: Path) -> None:
    (tmp_path / "x.eml").write_bytes(b"\xff\r\n")
    more = {
        "id": "area/b/x",
        "section": "§",
        "level": "MUST",
        "why": "w",
        "input": [{"raw": {"$file": "x.eml"}}],
        "bytes": {"$file": "x.eml"},
    }
    found = suite.cases(write_cases(tmp_path, more))[-1]
    assert (found.input, found.expect["bytes"]) == ([{"raw": {"$base64": "/w0K"}}], {"$base64": "/w0K"})


@pytest.mark.parametrize("name", ["../secret", "/etc/passwd", "a\\b", ".hidden", "", 5, "missing.eml"])
def test_only_files_beside_the_cases_can_be_named(tmp_path: Path, name: Any) -> None:
    more = {"id": "area/b/x", "section": "§", "level": "MUST", "why": "w", "input": {"$file": name}, "value": 1}
    with pytest.raises(suite.CaseError, match=r"\$file"):
        suite.cases(write_cases(tmp_path, more))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"op": "a.b", "cases": [{"id": "x", "id": "y"}]}', "stands twice"),
        ('{"op": "a.b", "cases": [NaN]}', "NaN"),
        ('{"op": "a.b", "cases": 5}', "expected an object"),
        ('{"op": "a.b", "spec": "s", "cases": [{"id": "x"}]}', "exactly one of"),
        ('{"op": "a.b", "spec": "s", "cases": [{"id": "x", "value": 1, "bytes": ""}]}', "exactly one of"),
        ('{"op": "a.b", "spec": "s", "cases": [{"id": "x", "value": 1}]}', "lacks"),
        ('{"op": "a.b", "cases": [', "Expecting"),
    ],
)
def test_a_broken_case_file_is_refused(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "broken.json").write_text(text)
    with pytest.raises(suite.CaseError, match=said):
        suite.cases(tmp_path)


def test_an_id_is_used_once(tmp_path: Path) -> None:
    again = {"id": "area/behaviour/one", "section": "§1", "level": "MUST", "why": "w", "input": 1, "value": 1}
    with pytest.raises(suite.CaseError, match="used already"):
        suite.cases(write_cases(tmp_path, again))


def test_a_missing_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(suite.CaseError, match="no such folder"):
        suite.cases(tmp_path / "nowhere")


def test_no_case_that_must_pass_pins_words_of_this_project() -> None:
    worded = {case.level for case in every_case() if is_worded({"input": case.input, **case.expect})}
    assert worded == {"SHOULD"}


def test_every_code_is_given_by_a_case_and_no_other() -> None:
    given = set()
    for case in every_case():
        for expected in (case.expect, *case.expect.get("any_of", ())):
            given |= set(expected.get("diagnostics", ()))
            codes = [part.get("code") for name in ("rejected", "verdict") if (part := expected.get(name))]
            given |= {code for code in codes if code != OPEN}
            value = expected.get("value")
            if case.op.endswith(".verify") and isinstance(value, dict) and value.get("code") != OPEN:
                given.add(value.get("code"))
            if case.op == "a2a.operation_response":  # what the host says of a task
                given.add(case.input["answer"].get("rejected"))
            if isinstance(value, list):  # of each step of a story
                given |= {one for one in value if isinstance(one, str) and one in CODES}
            for message in expected.get("messages", ()):  # of each signature of a mail, and of its chain of seals
                raw = message.get("raw") if isinstance(message.get("raw"), dict) else {}
                given |= {result.get("code") for result in raw.get("dkim", {}).get("results", ())}
                given.add(raw.get("arc", {}).get("code"))
    assert given - {None} == set(CODES)
