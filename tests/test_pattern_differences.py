"""Strings made of patterns match them, or nearly, are the same everywhere, and show what matches wrongly."""

from __future__ import annotations

import re
import sys

import pytest

from tests import pattern_differences, setup_interop
from tests.pattern_differences import PLANTED, RIGHT_SINCE, compare, differences
from tests.pattern_results import results
from tests.pattern_strings import CHUNK, plan, strings
from tests.patterns import all_patterns
from tests.setup_pythons import INTERPRETERS, version_of

ALL = dict(all_patterns())
KINDS = {
    "sets": re.compile(r"[^a-c\d]+[\w.]{2,3}\s*?(?i:Case)"),
    "groups": re.compile(r"(a|bc)(?P<x>d)?\1(?(x)y|z)"),
    "around": re.compile(r"(?=ab)a(?!c)b(?<=b)\b"),
    "bytes": re.compile(rb"\A(?>[\x80-\xff]++|[a-z])*\Z"),
}


@pytest.mark.uncounted
def test_most_patterns_match_many_of_their_strings():
    few = [name for name, pattern in ALL.items() if matches(name, pattern) < CHUNK // 50]
    assert len(few) < len(ALL) // 20, few


def matches(name: str, pattern: re.Pattern) -> int:
    """How many strings of a chunk a pattern finds something in."""
    return sum(bool(pattern.search(text)) for text in strings(plan(name, pattern), 0))


@pytest.mark.parametrize("name", KINDS)
def test_every_kind_of_pattern_gets_strings_that_match_and_some_that_do_not(name):
    found = matches(name, KINDS[name])
    assert found > CHUNK // 10
    texts = list(strings(plan(name, KINDS[name]), 0))
    assert any(KINDS[name].fullmatch(text) is None for text in texts)


def test_the_strings_are_the_same_each_time_and_others_in_the_next_chunk():
    of = plan("sets", KINDS["sets"])
    assert list(strings(of, 3)) == list(strings(of, 3))
    assert len(set(strings(of, 3)) | set(strings(of, 4))) > CHUNK


def test_results_tell_groups_from_matches_and_an_error_from_both():
    class Broken:
        def match(self, text):
            raise SystemError("the engine")

    assert results(re.compile("(a)b?"), "ab") != results(re.compile("(ab)?"), "ab")
    assert results(Broken(), "ab") == "SystemError"


def test_one_interpreter_is_as_itself():
    plans = [plan(name, pattern) for name, pattern in {**KINDS, **PLANTED}.items()]
    assert differences((sys.executable, sys.executable), plans, CHUNK) == []


def test_the_first_string_that_differs_is_told(monkeypatch):
    honest = pattern_differences._run

    def run(python, plans, *arguments):
        if python == "wrong":  # it cannot match the first group
            plans = [one._replace(text=one.text.replace("(a|bc)", "(b|bc)")) for one in plans]
        return honest(sys.executable, plans, *arguments)

    monkeypatch.setattr(pattern_differences, "_run", run)
    monkeypatch.setattr(pattern_differences, "all_patterns", lambda: iter(KINDS.items()))
    monkeypatch.setattr(pattern_differences, "PLANTED", {})
    (wrong,) = compare("wrong", "right", 1, planted=False)
    assert wrong.startswith("groups: of '")
    assert ", the new one ([" in wrong


def test_an_interpreter_that_refuses_a_pattern_differs(monkeypatch):
    answers = {"old": ["error"], "new": [[["a", "b"]]]}
    monkeypatch.setattr(pattern_differences, "_run", lambda python, *_: answers[python])
    (found,) = differences(("old", "new"), [plan("sets", KINDS["sets"])], 1)
    assert found.name == "sets"


def test_an_interpreter_that_breaks_down_is_no_result():
    with pytest.raises(RuntimeError, match="/bin/false"):
        differences(("/bin/false", sys.executable), [], 1)


def test_an_interpreter_that_is_known_to_match_wrongly_is_found_out(monkeypatch):
    oldest = INTERPRETERS[0]
    if not setup_interop.is_made(oldest.home):
        if setup_interop.in_ci():
            pytest.fail("python -m tests.setup_pythons")
        pytest.skip("python -m tests.setup_pythons")
    version = tuple(int(part) for part in version_of(oldest.python).split("."))
    if version >= RIGHT_SINCE:
        pytest.fail(f"{version} matches rightly: take the planted patterns out of the lane")
    monkeypatch.setattr(pattern_differences, "all_patterns", lambda: iter(()))
    here = sys.executable if sys.version_info[:3] >= RIGHT_SINCE else str(INTERPRETERS[-1].python)
    assert compare(str(oldest.python), here, CHUNK, planted=True) == []
    assert compare(here, here, CHUNK, planted=True) == [f"{name}: no difference was found" for name in PLANTED]
