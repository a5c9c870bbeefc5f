"""A case that contradicts what the documents publish has a row in docs/decisions.md, and every row is needed."""

from __future__ import annotations

import json
import re
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.published_types import SHOWS, contradictions, idle_places, is_placed, named

ROOT = Path(__file__).resolve().parents[1]


class Row(NamedTuple):
    """A row: what the document says, the members that are contradicted, and the ids and patterns of cases."""

    sentence: str
    members: list[str]
    patterns: list[str]


def register(text: str) -> list[Row]:
    table = text.partition("## Register of deviations\n")[2].partition("\n## ")[0]
    rows = [row.strip("|").split(" | ") for row in table.splitlines() if row.startswith("| ")][2:]
    assert all(len(row) == 4 for row in rows)
    return [_row(row[0].strip(), row[3]) for row in rows]


def _row(sentence: str, last: str) -> Row:
    members = re.findall(r"`((?:raw|[A-Z]\w+)\.[\w.]+|\w+ → \w+)`", sentence)
    return Row(sentence, members, re.findall(r"`([a-z0-9/*-]+)`", last))


def cases() -> dict[str, tuple[str, dict[str, Any]]]:
    """Every case by its id, with its operation."""
    files = [json.loads(path.read_text()) for path in sorted((ROOT / "conformance" / "v0.1").glob("*/*.json"))]
    return {case["id"]: (one["op"], case) for one in files for case in one.get("cases", ())}


CASES = cases()
ROWS = register((ROOT / "docs" / "decisions.md").read_text())
FOUND = {(one, member) for one, (op, case) in CASES.items() for member in contradictions(op, case)}


def matching(pattern: str) -> list[str]:
    return [one for one in CASES if fnmatchcase(one, pattern)]


def unregistered(found: set[tuple[str, str]], rows: list[Row]) -> list[tuple[str, str]]:
    """The contradictions that no row names, by case and by member."""
    return sorted(
        (one, member)
        for one, member in found
        if not any(member in row.members and any(fnmatchcase(one, each) for each in row.patterns) for row in rows)
    )


def test_a_case_that_contradicts_a_published_type_has_a_row():
    assert unregistered(FOUND, ROWS) == []


def test_every_place_is_looked_at():
    """Were the cases laid out anew, nothing would be found, and all would seem well."""
    assert idle_places(CASES.values()) == set()


def test_it_is_known_of_every_operation_where_its_types_stand():
    assert sorted({name for op, case in CASES.values() if not is_placed(name := named(op, case))}) == []


@pytest.mark.parametrize("row", ROWS, ids=[row.sentence[:40] for row in ROWS])
def test_every_row_is_needed(row):
    assert row.patterns
    if row.members:
        others = [one for one in ROWS if one is not row]
        assert {member for _, member in unregistered(FOUND, others)} == set(row.members)
        idle = [
            each
            for each in row.patterns
            if not any(member in row.members and fnmatchcase(one, each) for one, member in FOUND)
        ]
        assert idle == []
        return
    (shows,) = [shows for begins, shows in SHOWS.items() if row.sentence.startswith(begins)]
    for pattern in row.patterns:
        assert matching(pattern), pattern
        assert [one for one in matching(pattern) if not shows(CASES[one][1])] == []


def test_what_shows_a_deviation_belongs_to_a_row():
    assert [begins for begins in SHOWS if not any(row.sentence.startswith(begins) for row in ROWS)] == []
