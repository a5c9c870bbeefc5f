"""The page that leads from nothing to a first green operation, and the table of what each implementation passes."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Final

import mentionable_conformance as suite
import pytest

from tests import implementations
from tests.test_conformance_node import node
from tests.test_conformance_packages import tarball

__all__ = ["tarball"]
GUIDE: Final = implementations.ROOT / "docs" / "how-to" / "adopt-the-suite.md"
GREEN: Final = "my-implementation: ok (4 pass, "


def blocks(title: str, kind: str) -> list[str]:
    """The blocks of one kind below a heading of the guide."""
    section = re.search(rf"(?ms)^## {title}\n(.*?)^## ", GUIDE.read_text())
    assert section is not None
    return re.findall(rf"(?ms)^```{kind}\n(.*?)^```$", section[1])


def sh(script: str, folder: Path, **more: str) -> subprocess.CompletedProcess[str]:
    where = {**os.environ, "npm_config_cache": str(folder / "cache"), "npm_config_offline": "true", **more}
    return subprocess.run(
        ["sh", "-e", "-c", script], cwd=folder, env=where, capture_output=True, text=True, check=False, timeout=120
    )


def test_a_stranger_with_node_alone_gets_a_first_green_operation(tarball: Path, tmp_path: Path) -> None:
    install, run = blocks("With Node", "sh")
    (program,) = blocks("With Node", "js")
    path = str(Path(node()).parent) + os.pathsep + "/usr/bin:/bin"
    shutil.copy(tarball, tmp_path)
    (tmp_path / "my-harness.mjs").write_text(program)
    done = sh(install + run, tmp_path, PATH=path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.rstrip().splitlines()[-1].startswith(GREEN)
    (tmp_path / "my-harness.mjs").write_text(program.replace("chain.hop + 1,", "chain.hop + 2,"))
    broken = sh(run, tmp_path, PATH=path)
    assert broken.returncode == 1
    assert "render/next-hop/in-between" in broken.stdout


def test_a_stranger_with_python_alone_gets_a_first_green_operation(tmp_path: Path) -> None:
    install, run = blocks("With Python", "sh")
    (program,) = blocks("With Python", "py")
    assert install.splitlines()[-1].endswith("pip install ../mentionable/conformance")
    (tmp_path / "my_harness.py").write_text(program)
    script = run.replace(".venv/bin/python", f"'{sys.executable}'")
    done = sh(script, tmp_path, PYTHONPATH=str(suite.root()))
    assert done.returncode == 0, done.stderr
    assert done.stdout.rstrip().splitlines()[-1].startswith(GREEN)


def test_the_readme_leads_to_a_template_that_passes_with_node_alone(tarball: Path, tmp_path: Path) -> None:
    (script,) = [one for one in readme_blocks() if "npm install" in one]
    shutil.copy(tarball, tmp_path)
    path = str(Path(node()).parent) + os.pathsep + "/usr/bin:/bin"
    done = sh(script.replace("install mentionable-conformance", f"install ./{tarball.name}"), tmp_path, PATH=path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.rstrip().splitlines()[-1].startswith("my-implementation 0.1.0: ok (34 pass, ")


def test_the_readme_leads_to_a_template_that_passes_with_python_alone(tmp_path: Path) -> None:
    (script,) = [one for one in readme_blocks() if "venv" in one]
    *_, copy, run = script.splitlines()
    data = "/site-packages/mentionable_conformance/data/"
    assert data in copy
    shutil.copy(suite.root() / copy.partition(data)[2].removesuffix(" ."), tmp_path)
    done = sh(run.replace(".venv/bin/python", f"'{sys.executable}'"), tmp_path, PYTHONPATH=str(suite.root()))
    assert done.returncode == 0, done.stderr
    assert done.stdout.rstrip().splitlines()[-1].startswith("my-implementation 0.1.0: ok (34 pass, ")


def readme_blocks() -> list[str]:
    """The blocks of commands of the suite's own page."""
    return re.findall(r"(?ms)^```sh\n(.*?)^```$", (suite.root() / "README.md").read_text())


@pytest.mark.parametrize("name", implementations.TITLES)
def test_the_counts_of_an_implementation_are_those_of_a_run(name: str) -> None:
    where = node() if name == "node" else ""
    written = (implementations.FOLDER / f"{name}.json").read_text()
    assert implementations.summary(name, where) == written, "run: python -m tests.implementations"


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
