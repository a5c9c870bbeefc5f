"""That the tables of operations, facts and types say what the cases use, and nothing else."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import attrs
import jsonschema
import mentionable_conformance as suite
import pytest
from mentionable_conformance import _facts, schema

import mentionable as m
from mentionable import a2a, activitypub, mail
from tests.suite_cases import every_case
from tests.suite_pages import OPERATIONS, SUITE

CASES: Final = every_case()
INPUTS: Final = {name: row["input"] for row in OPERATIONS["operations"] for name in row["operations"]}
SETTINGS: Final = schema("case")["$defs"]
OPS: Final = sorted({case.op for case in CASES})
FAMILIES: Final[dict[str, dict[str, Any]]] = {
    operation: family for family in OPERATIONS["facts"] for operation in family["operations"]
}


def described(operation: str, above: frozenset[str] = frozenset()) -> str:
    """What the table says of an input, with what it says of the operations that it refers to."""
    text: str = INPUTS[operation]
    others = {name for name in re.findall(r"`(\w+\.\w+)`", text) if name in INPUTS} - above - {operation}
    return " ".join([text, *(described(name, above | {operation}) for name in sorted(others))])


def words_of(text: str) -> set[str]:
    return set(re.findall(r"\w+", text))


def facts_of(family: dict[str, Any]) -> dict[str, str]:
    """The facts of a family, and of the one that it includes."""
    included = [one for one in OPERATIONS["facts"] if one["family"] == family.get("includes")]
    both = [*included, family]
    return {name: text for one in both for name, text in (one["facts"] | one.get("renderings", {})).items()}


def named(case: suite.Case) -> dict[str, Any]:
    """The facts that a case names."""
    expected = [case.expect, *case.expect.get("any_of", ())]
    return {name: value for one in expected for name, value in one.get("facts", {}).items()}


def test_the_table_has_every_operation_of_the_cases_once() -> None:
    listed = [name for row in OPERATIONS["operations"] for name in row["operations"]]
    assert sorted(listed) == OPS


@pytest.mark.parametrize("operation", OPS)
def test_each_member_of_an_input_is_described(operation: str) -> None:
    used = {name for case in CASES if case.op == operation and isinstance(case.input, dict) for name in case.input}
    unknown = {"sender_displayname"}  # a case gives a name that is nearly right
    assert used - words_of(described(operation)) <= unknown


@pytest.mark.parametrize("operation", OPS)
def test_each_member_that_the_table_names_is_in_an_input(operation: str) -> None:
    begin = re.match(r"`\{([^`]*)\}`", INPUTS[operation])
    members = set(re.findall(r"(\w+)\??(?=[,:]|$)", _without_inner(begin[1]))) if begin else set()
    used = {name for case in CASES if case.op == operation and isinstance(case.input, dict) for name in case.input}
    assert members - used == set()


def _without_inner(text: str) -> str:
    """The members of an object, without those of the objects and lists in it."""
    while text != (outer := re.sub(r"\{[^{}]*\}|\[[^\[\]]*\]", "_", text)):
        text = outer
    return re.sub(r":[^,]*", "", text)


def test_every_family_has_the_facts_that_the_runner_finds() -> None:
    for operation, family in FAMILIES.items():
        known = set(_facts.OPERATIONS[operation])
        assert known - set(facts_of(family)) == set(), operation
    every = {name for family in OPERATIONS["facts"] for name in facts_of(family)}
    assert every == {name for facts in _facts.OPERATIONS.values() for name in facts}
    assert set(FAMILIES) == set(_facts.OPERATIONS)


def test_every_fact_that_a_case_names_is_described_or_a_member_of_the_value() -> None:
    loose = {(case.op, name) for case in CASES for name in named(case) if name != "has"}
    described_facts = {(operation, name) for operation, family in FAMILIES.items() for name in facts_of(family)}
    for operation, name in loose - described_facts:
        assert name not in _facts.OPERATIONS.get(operation, {}), (operation, name)


def test_what_is_searched_is_a_rendering() -> None:
    for case in CASES:
        for rendering in named(case).get("has", {}):
            family = FAMILIES[case.op]
            included = [one for one in OPERATIONS["facts"] if one["family"] == family.get("includes")]
            known = {name for one in [*included, family] for name in one.get("renderings", {})}
            assert rendering in known | set(facts_of(family)), case.id


@pytest.mark.parametrize("page", [*sorted(SUITE.glob("pages/*.md")), SUITE / "CASES.md", SUITE / "contract.d.ts"])
def test_a_page_is_in_the_words_of_json(page: Path) -> None:
    assert re.findall(r"\b(?:None|UNSET|True|False|tuple|dict)\b", page.read_text("utf-8")) == []


def test_the_case_file_on_the_page_is_one_and_has_cases_of_the_suite(tmp_path: Path) -> None:
    (block,) = re.findall(r"(?ms)^```json\n(.*?)^```$", (SUITE / "CASES.md").read_text("utf-8"))
    jsonschema.validate(json.loads(block), schema("case"))
    (tmp_path / "example.json").write_text(block)
    known = {case.id: case for case in CASES}
    for case in suite.cases(tmp_path):
        assert replace(case, file=known[case.id].file) == known[case.id]


@pytest.mark.parametrize("page", sorted(SUITE.glob("pages/*.md")))
def test_a_page_is_linked_and_has_all_its_marks(page: Path) -> None:
    text = page.read_text("utf-8")
    assert f"(pages/{page.name})" in (SUITE / "CASES.md").read_text("utf-8")
    assert sorted(re.findall(r"<!-- (\w+) -->", text)) == sorted(re.findall(r"<!-- /(\w+) -->", text))


def test_the_defaults_of_settings_are_those_of_the_library() -> None:
    known = {name: cls() for cls in (a2a.Settings, activitypub.Settings, mail.Settings) for name in members(cls)}
    for name, member in SETTINGS["settings"]["properties"].items():
        value = getattr(known[name], name)
        if name in ("limits", "history"):
            assert set(members(type(value))) - {"keep"} == set(SETTINGS[member["$ref"][8:]]["properties"])
        else:
            assert ([] if value is None else as_json(value)) == member["default"], name  # trust nobody
    for part, value in (("limits", m.Limits()), ("history_policy", m.HistoryPolicy())):
        for name, member in SETTINGS[part]["properties"].items():
            assert as_json(getattr(value, name)) == member["default"], name


def members(cls: Any) -> list[str]:
    return [member.name for member in attrs.fields(cls)]


def as_json(value: Any) -> Any:
    if isinstance(value, timedelta):
        return value.total_seconds()
    return [*value] if isinstance(value, tuple) else value


def test_the_types_of_values_are_those_of_the_cases() -> None:
    used = {case.input["type"] for case in CASES if case.op.startswith("value.")}
    assert used == set(OPERATIONS["types"])
