"""The conformance suite itself: its files, its promises, and whether its cases find mistakes."""

from __future__ import annotations

import ast
import json
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import mentionable_conformance as suite
import pytest

from tests.mutants import Mutant, ask, equal_kill_sets, harness, killers, most_kills, registry
from tests.suite_cases import every_case

ROOT = suite.root()
CASES = every_case()
FILES = sorted(path for path in (ROOT / "v0.1").rglob("*.json") if not path.name.startswith("_"))
CASE_FILES = sorted({case.file for case in CASES})
REQUIREMENTS: list[dict[str, Any]] = json.loads((ROOT / "requirements.json").read_text())["requirements"]
MUTANTS = registry()


@pytest.mark.parametrize("name", CASE_FILES)
def test_a_case_file_obeys_its_schema(name: str) -> None:
    assert suite.problems("case", json.loads((ROOT / name).read_text())) == ()


def test_every_file_with_cases_is_read() -> None:
    holding = {path.relative_to(ROOT).as_posix() for path in FILES if '"cases"' in path.read_text()}
    assert holding == set(CASE_FILES)


def test_an_id_begins_with_its_folder() -> None:
    assert [case.id for case in CASES if Path(case.file).parent.name != case.area] == []


def test_no_id_comes_back_after_it_was_withdrawn() -> None:
    withdrawn = json.loads((ROOT / "withdrawn.json").read_text())["withdrawn"]
    assert set(withdrawn).isdisjoint(case.id for case in CASES)


def test_example_hosts_are_reserved_names() -> None:
    hosts = re.compile(r"https?://([a-z0-9.-]+\.[a-z]{2,})(?=[/:?#\"\\])")
    allowed = re.compile(
        r"(?:.*\.)?(?:example|example\.(?:org|com|net)|invalid|test|localhost|w3\.org|w3id\.org|mentionable\.dev"
        r"|purl\.org|joinmastodon\.org|litepub\.social|misskey-hub\.net|webfinger\.net|schema\.org|json-schema\.org"
        r"|nodeinfo\.diaspora\.software|x402\.org|internal|local)"
    )
    found = {host for name in CASE_FILES for host in hosts.findall((ROOT / name).read_text())}
    webhooks = {"hooks.slack.com", "discord.com"}  # whose addresses are credentials, known by their hosts
    assert {host for host in found if not allowed.fullmatch(host)} <= webhooks


# --- requirements


def test_the_requirements_obey_their_schema() -> None:
    assert suite.problems("requirements", json.loads((ROOT / "requirements.json").read_text())) == ()
    ids = [requirement["id"] for requirement in REQUIREMENTS]
    assert len(ids) == len(set(ids))


def test_every_section_can_be_found() -> None:
    text = (ROOT / "pages" / "sections.md").read_text()
    tested = {requirement["section"] for requirement in REQUIREMENTS if requirement["cases"]}
    sections = {case.section for case in CASES} | tested
    own = {one for one in sections if re.fullmatch(r"R[0-9]+|D [A-Z][0-9]+", one)}
    labels = {one.partition(" ")[0] for one in sections - own}
    assert {one for one in own | labels if f"\n| `{one}` |" not in text} == set()


# --- the shipped harnesses and the package


@pytest.mark.parametrize(("name", "lines"), [("python.py", 300), ("node.mjs", 120)])
def test_a_worked_harness_stays_small(name: str, lines: int) -> None:
    assert len((ROOT / "harness" / name).read_text().splitlines()) < lines


def test_the_package_needs_the_standard_library_only() -> None:
    imported = set[str]()
    for path in (ROOT / "mentionable_conformance").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                imported.update(alias.name.partition(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module:
                imported.add(node.module.partition(".")[0])
    assert imported - {"mentionable_conformance"} <= sys.stdlib_module_names


def test_every_operation_of_a_case_is_known_to_the_harness() -> None:
    known = {*harness().DOORS, *harness().PURE}
    assert {case.op for case in CASES} <= known


# --- mutants


@pytest.mark.parametrize("mutant", MUTANTS, ids=[f"{one.area}-{one.name}" for one in MUTANTS])
def test_a_mutant_is_killed_and_passes_most_of_its_area(mutant: Mutant) -> None:
    killed = killers(mutant)
    assert killed, f"no case finds it: {mutant.rule}"
    assert len(killed) <= most_kills(mutant), killed


def test_mutants_have_names_of_their_own() -> None:
    names = [(one.area, one.name) for one in MUTANTS]
    assert len(names) == len(set(names))


def test_every_area_with_ten_cases_has_mutants() -> None:
    areas = {area for area, count in Counter(case.area for case in CASES).items() if count >= 10}
    assert areas - {one.area for one in MUTANTS} == set()


def test_equal_kill_sets_are_grouped() -> None:
    groups = equal_kill_sets({"a": ["1", "2", "3"], "b": ["2", "3"], "c": ["4"]})
    assert groups == {frozenset({"a", "b"}): ["2", "3"]}


def test_an_exception_is_an_answer_that_no_case_expects() -> None:
    def fails(*_: Any) -> Any:
        raise RuntimeError("broken")

    answer = ask(fails, CASES[0])
    assert answer == {"errored": {"message": "RuntimeError: broken"}}
    assert suite.judge(CASES[0], answer)
