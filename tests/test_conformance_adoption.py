"""The page that leads from nothing to a first green operation, and the table of what each implementation passes."""

from __future__ import annotations

import json
import re
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Final

import mentionable_conformance as suite
import pytest

from tests import implementations, templates
from tests.suite_cases import every_case
from tests.suite_packages import follow

README: Final = (suite.root() / "README.md").read_text()
GUIDE: Final = implementations.ROOT / "docs" / "how-to" / "adopt-the-suite.md"
PAGES: Final = {"With Node": ("javascript", "js"), "With Python": ("python", "py")}
TABLE: Final = r"(?m)^(?:const operations|OPERATIONS) = .*\n"
README: Final = (suite.root() / "README.md").read_text()


def blocks(title: str, kind: str) -> list[str]:
    """The blocks of one kind below a heading of the guide."""
    section = re.search(rf"(?ms)^## {title}\n(.*?)^## ", GUIDE.read_text())
    assert section is not None
    return re.findall(rf"(?ms)^```{kind}\n(.*?)^```$", section[1])


def last_line(done: subprocess.CompletedProcess[str]) -> str:
    return done.stdout.rstrip().splitlines()[-1]


@pytest.mark.parametrize("title", PAGES)
def test_a_stranger_gets_a_first_green_operation(title: str, tarball: Path, wheel: Path, tmp_path: Path) -> None:
    name, kind = PAGES[title]
    assert {f"`{tarball.name}`", f"`{wheel.name}`"} <= set(GUIDE.read_text().split())
    (script,) = blocks(title, "sh")
    _, added = blocks(title, kind)
    begun = follow(script, name, tmp_path, tarball, wheel)
    assert begun.returncode == 0, begun.stderr
    assert last_line(begun).startswith("my-implementation 0.1.0: ok (34 pass, ")
    harness = tmp_path / templates.TEMPLATES[name].file
    program, replaced = re.subn(TABLE, lambda _: added, harness.read_text())
    assert replaced == 1
    harness.write_text(program)
    *_, run = script.splitlines()
    done = follow(run, name, tmp_path, tarball, wheel)
    assert done.returncode == 0, done.stderr
    assert last_line(done).startswith("my-implementation 0.1.0: ok (38 pass, ")
    slip = re.search(r"Change\s+`(.*?)`\s+to\s+`(.*?)`", GUIDE.read_text().partition(f"## {title}")[2])
    assert slip is not None
    assert program.count(slip[1]) == 1
    harness.write_text(program.replace(slip[1], slip[2]))
    broken = follow(run, name, tmp_path, tarball, wheel)
    assert broken.returncode == 1
    assert "render/next-hop/in-between" in broken.stdout


@pytest.mark.parametrize("title", PAGES)
def test_the_guide_and_the_page_of_the_suite_show_the_template_as_it_is(title: str) -> None:
    name, kind = PAGES[title]
    shown, _ = blocks(title, kind)
    harness = (templates.FOLDER / name / templates.TEMPLATES[name].file).read_text()
    assert harness.endswith(shown)
    assert len(shown.splitlines()) > 15
    assert blocks(title, "sh") == [templates.commands(name)]
    assert f"```sh\n{templates.commands(name)}```\n" in README


def names_after(words: str) -> list[str]:
    """The names in the rest of a sentence of the page of the suite."""
    rest = re.search(rf"{words}\s(.*?)\.\s", README, re.DOTALL)
    assert rest is not None
    return re.findall(r"`(.*?)`", rest[1])


def test_the_page_of_the_suite_names_every_input_of_the_action() -> None:
    inputs, _, _ = (suite.root() / "action.yml").read_text().partition("\noutputs:\n")
    assert names_after("Inputs are") == re.findall(r"(?m)^  ([a-z-]+):$", inputs)


def test_the_operations_to_begin_with_need_only_their_input() -> None:
    filled = {"now", "entropy", "lookups"}
    with_more = {one.op for one in every_case() if one.given.keys() - filled or one.given["lookups"]}
    names = names_after("needs only its input:")
    assert names
    assert with_more.isdisjoint(names)


def test_the_shipped_harness_passes_every_case_over_the_line(report_of_python: dict[str, Any]) -> None:
    outcomes = {one["id"]: one["outcome"] for one in report_of_python["results"]}
    assert [one for one, outcome in outcomes.items() if outcome != "pass"] == []
    assert outcomes.keys() == {one.id for one in every_case()}


@pytest.mark.parametrize("name", implementations.TITLES)
def test_the_counts_of_an_implementation_are_those_of_a_run(name: str, request: pytest.FixtureRequest) -> None:
    report = request.getfixturevalue(f"report_of_{name}")
    written = (implementations.FOLDER / f"{name}.json").read_text()
    assert implementations.summarized(report) == written, "run: python -m tests.implementations"


def test_counts_tell_passing_cases_from_others() -> None:
    results = [
        {"id": "a/b/c", "tier": "project", "outcome": "pass"},
        {"id": "a/b/d", "tier": "project", "outcome": "skip"},
        {"id": "a/b/e", "tier": "published", "outcome": "fail"},
    ]
    found = json.loads(implementations.summarized({"suite": "1", "ops": ["x.y"], "results": results}))
    assert found["areas"] == {"a": {"published": {"pass": 0, "cases": 1}, "project": {"pass": 1, "cases": 2}}}


class Table(HTMLParser):
    """The cells of each row of a table, and how often each tag stands in it."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[tuple[str, str | None]]] = []
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("th", "td"):
            self.rows[-1].append((tag, dict(attrs).get("scope")))


def test_every_row_and_column_of_the_table_has_its_heading_and_no_script() -> None:
    table = Table()
    table.feed(implementations.matrix())
    groups, tiers, *rows = table.rows
    columns = len(implementations.TITLES) * len(implementations.TIERS)
    assert groups == [("th", "col"), *[("th", "colgroup")] * len(implementations.TITLES)]
    assert tiers == [("th", "col")] * columns
    assert {tuple(row) for row in rows} == {(("th", "row"), *[("td", None)] * columns)}
    assert len(rows) > 10
    assert table.tags.count("caption") == 1
    assert "script" not in table.tags
