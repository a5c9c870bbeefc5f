"""Every example of the pages and the docstrings runs, and the pages agree with the code and with each other."""

from __future__ import annotations

import doctest
import json
import os
import re
import subprocess
import sys
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path  # noqa: TC003 - annotations of a NamedTuple are read
from typing import NamedTuple

import pytest

from mentionable import CODES
from tests.packages import ROOT, modules

PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


class Fence(NamedTuple):
    """A block of Python on a page, with the line where it begins."""

    page: Path
    line: int
    text: str


def fences(page: Path) -> list[Fence]:
    """The blocks of Python of a page."""
    text = page.read_text()
    found = re.finditer(r"(?ms)^```python\n(.*?)^```$", text)
    return [Fence(page, text[: match.start(1)].count("\n") + 1, match[1]) for match in found]


def name_of(item: Fence | Path) -> str:
    path = item.page if isinstance(item, Fence) else item
    return f"{path.relative_to(ROOT)}:{item.line}" if isinstance(item, Fence) else str(path.relative_to(ROOT))


def paragraphs(page: Path) -> list[str]:
    """The paragraphs and items of a page, without headings, tables and blocks of code."""
    prose = re.sub(r"(?ms)^ *```.*?^ *```$", "", page.read_text())
    prose = re.sub(r"(?m)^(#.*|\|.*|<!--.*)$", "", prose)
    found = re.split(r"\n{2,}|\n(?= *(?:[-*]|\d+\.) )", prose)
    return [text.strip() for text in found if text.strip()]


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_no_paragraph_of_a_page_ends_in_the_middle_of_a_sentence(page):
    assert [text[-60:] for text in paragraphs(page) if text[-1] not in ".:;)`!?*|>"] == []


@pytest.mark.parametrize("page", [page for page in PAGES if fences(page)], ids=name_of)
def test_the_examples_of_a_page_run_one_after_the_other(page, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "__page__"}
    for fence in fences(page):
        if ">>>" in fence.text:
            run_doctest(fence, names)
        else:
            code = compile("\n" * (fence.line - 1) + fence.text, str(page), "exec", dont_inherit=True)
            exec(code, names)


def program(page: Path) -> str:
    """The blocks of a page as one program, each line where it stands on the page."""
    lines = [""] * len(page.read_text().splitlines())
    for fence in fences(page):
        block = fence.text.splitlines()
        lines[fence.line - 1 : fence.line - 1 + len(block)] = block
    return "\n".join(lines) + "\n"


def test_the_programs_of_the_guides_type_check(tmp_path):
    pages = [page for page in PAGES if page.parent.name == "how-to" and fences(page)]
    files = [tmp_path / f"{page.stem.replace('-', '_')}.py" for page in pages]
    for page, file in zip(pages, files, strict=True):
        file.write_text(program(page))
    options = ("--strict", "--no-error-summary", f"--cache-dir={tmp_path / 'cache'}")
    where = {**os.environ, "MYPYPATH": os.pathsep.join([str(ROOT), str(ROOT / "conformance")])}
    command = [sys.executable, "-m", "mypy", *options, *files]
    done = subprocess.run(command, cwd=ROOT, env=where, capture_output=True, text=True, check=False, timeout=300)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr


def test_the_way_back_on_the_command_line_works_as_written(tmp_path):
    section = (ROOT / "docs" / "how-to" / "decode-files.md").read_text().partition("## The way back")[2]
    answer, commands = (re.search(rf"(?ms)^```{kind}\n(.*?)^```$", section)[1] for kind in ("json", "console"))
    (tmp_path / "answer.json").write_text(answer)
    (tmp_path / "mentionable").symlink_to(ROOT / "mentionable")
    script = commands.replace(".venv/bin/mentionable", f"'{sys.executable}' -m mentionable")
    where = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        ["sh", "-e", "-c", script], cwd=tmp_path, env=where, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == json.loads(answer)


def run_doctest(fence: Fence, names: dict[str, object]) -> None:
    """Runs one block of `>>>` lines; what it defines stays for the next."""
    test = doctest.DocTestParser().get_doctest(fence.text, names, name_of(fence), str(fence.page), fence.line - 1)
    report: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=report.append, clear_globs=False)
    names.update(test.globs)
    assert report == []


@pytest.mark.parametrize("module", [m.name for m in modules()], ids=lambda name: name or "mentionable")
def test_the_examples_of_a_module_run(module):
    report: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    loaded = import_module(f"mentionable.{module}".rstrip("."))
    for test in doctest.DocTestFinder().find(loaded, loaded.__name__):
        runner.run(test, out=report.append)
    assert report == []


def test_every_code_has_its_row_and_no_other():
    rows = re.findall(r"(?m)^\| `([a-z0-9-]+)` \|", (ROOT / "docs" / "errors.md").read_text())
    assert sorted(rows) == sorted(CODES)


def test_the_changelog_begins_with_this_version():
    project = re.search(r'(?m)^version = "(.+)"$', (ROOT / "pyproject.toml").read_text())[1]
    assert re.search(r"(?m)^## (\S+)", (ROOT / "CHANGELOG.md").read_text())[1] == project
    try:
        assert version("mentionable") == project
    except PackageNotFoundError:
        return  # the tests run on a checkout that is not installed


def slug(heading: str) -> str:
    """The anchor of a heading, as the forges make it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def anchors(page: Path) -> set[str]:
    return {slug(heading) for heading in re.findall(r"(?m)^#+ (.+)$", page.read_text())}


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_between_pages_lead_somewhere(page):
    text = re.sub(r"(?ms)^```.*?^```$", "", page.read_text())
    broken = []
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        there = (page.parent / path).resolve() if path else page
        if not there.exists() or (anchor and there.suffix == ".md" and anchor not in anchors(there)):
            broken.append(target)
    assert broken == []


def test_the_readme_is_there_and_shows_a_program():
    assert fences(ROOT / "README.md")
