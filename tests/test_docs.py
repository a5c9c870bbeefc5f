"""Every example of the pages and the docstrings runs, and the pages agree with the code and with each other."""

from __future__ import annotations

import doctest
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from fnmatch import filter as fitting
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

import pytest

from mentionable import CODES
from mentionable.cli import main
from tests.docs_links import broken_in_markdown, links
from tests.mypy_cache import mypy_cache
from tests.packages import ROOT, modules, project_files
from tests.suite_cases import every_case

GENERATED = ROOT / "docs" / "reference"
PAGES = [
    path for path in [*sorted(ROOT.glob("*.md")), *project_files(".md", ROOT / "docs")] if path.parent != GENERATED
]
"""Without those that are written from docstrings, whose examples run where they stand."""


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


def blocks(page: Path, kind: str) -> list[str]:
    """The blocks of another language on a page."""
    return re.findall(rf"(?ms)^```{kind}\n(.*?)^```$", page.read_text())


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
    where = {**os.environ, "MYPYPATH": os.pathsep.join([str(ROOT), str(ROOT / "conformance")])}
    with mypy_cache() as cache:
        command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", f"--cache-dir={cache}", *files]
        done = subprocess.run(command, cwd=ROOT, env=where, capture_output=True, text=True, check=False, timeout=300)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr


def test_the_store_of_a_guide_passes_the_tests_of_a_store(tmp_path):
    page = ROOT / "docs" / "how-to" / "notifications-store.md"
    (tmp_path / "test_store.py").write_text(program(page))
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_store.py"]
    where = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=tmp_path, env=where, capture_output=True, text=True, check=False, timeout=120)
    told = re.search(r"(\d+) tests pass", page.read_text())[1]
    assert f"{told} passed" in done.stdout, done.stdout
    assert done.returncode == 0


def test_the_first_notification_is_at_the_beginning_of_its_guide():
    before, found, _ = (ROOT / "docs" / "how-to" / "notifications.md").read_text().partition("her first notification")
    assert found
    assert before.count("\n") < 150


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


def commands(page: Path) -> list[list[str]]:
    """What the blocks for a shell call of `mentionable`, and where they go before, as words."""
    lines = [line for block in blocks(page, "console") for line in block.splitlines()]
    words = [shlex.split(line.partition("   #")[0]) for line in lines]
    return [each for each in words if each[0] == "cd" or (each[0].endswith("/mentionable") and ">" not in each)]


@pytest.mark.parametrize("name", ["README.md", "docs/how-to/decode-files.md"])
def test_the_commands_of_a_page_work_as_written(name, monkeypatch, tmp_path, capsys):
    samples = tmp_path / "mentionable" / "cli" / "samples"
    shutil.copytree(ROOT / "mentionable" / "cli" / "samples", samples)
    (tmp_path / "some.eml").write_bytes((samples / "gmail-reply.eml").read_bytes())
    for text in blocks(ROOT / name, "json"):
        if "issuers" in text:
            (tmp_path / "settings.json").write_text(text)
    monkeypatch.chdir(tmp_path)
    called = [
        [str(tmp_path / "settings.json") if word == "/tmp/settings.json" else word for word in each]
        for each in commands(ROOT / name)
        if "answer.eml" not in each
    ]
    for program, *arguments in called:
        if program == "cd":
            monkeypatch.chdir(arguments[0])
        elif arguments[0] == "decode":
            assert main(arguments) == 0
            assert json.loads(capsys.readouterr().out)["messages"]
    assert len(called) > 1


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


@pytest.mark.parametrize("page", project_files(".md"), ids=name_of)
def test_links_between_pages_lead_somewhere(page):
    assert broken_in_markdown(page) == []


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_the_json_of_a_page_is_json(page):
    for text in blocks(page, "json"):
        json.loads(text)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_the_files_that_a_page_names_exist(page):
    named = re.findall(r"`((?:tests|benchmarks|examples|mentionable|conformance)/[\w/.-]+\w\.\w+)`", page.read_text())
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_every_page_is_reached_from_the_front_page():
    docs = ROOT / "docs"
    front = (docs / "index.md").read_text()
    missing = {str(page.relative_to(docs)) for page in PAGES if page.is_relative_to(docs)} - set(links(front))
    assert missing == {"index.md"}


def threats() -> list[tuple[str, list[str], list[str]]]:
    """The rows of the threat model: the attack, the codes, the patterns of cases."""
    text = (ROOT / "docs" / "explanation" / "threat-model.md").read_text()
    rows = [row.strip("| ").split("|") for row in re.findall(r"(?m)^\|.*\|$", text)]
    told = [row for row in rows if row[0].strip() not in ("attack", "---")]
    return [(row[0].strip(), *(re.findall("`(.+?)`", cell) for cell in row[2:])) for row in told]


@cache
def expected_codes(file: str) -> dict[str, set[str]]:
    """Case of a file → the codes in what it expects."""
    cases = json.loads((ROOT / "conformance" / file).read_text())["cases"]
    texts = {case["id"]: json.dumps({**case, "given": None, "input": None}) for case in cases}
    return {name: {*re.findall(r'"([a-z0-9-]+)"', text)} & {*CODES} for name, text in texts.items()}


def test_each_threat_names_cases_that_exist_and_give_its_codes():
    cases = {case.id: case.file for case in every_case()}
    wrong = []
    for attack, codes, patterns in threats():
        tests = [pattern for pattern in patterns if pattern.startswith(("tests/", "benchmarks/", "examples/"))]
        found = [fitting(cases, pattern) for pattern in patterns if pattern not in tests]
        given = {code for ids in found for each in ids if codes for code in expected_codes(cases[each])[each]}
        is_held = patterns and all(found) and all((ROOT / test).exists() for test in tests)
        if not is_held or not given.issuperset(codes):
            wrong.append((attack, patterns, sorted({*codes} - given)))
    assert wrong == []


def test_the_readme_is_there_and_shows_a_program():
    assert fences(ROOT / "README.md")
