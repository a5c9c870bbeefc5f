"""The templates of repositories: each harness passes all cases of its two operations, in its own workflow."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import mentionable_conformance as suite
import pytest

from tests.test_conformance_node import node
from tests.test_conformance_packages import the_step

TEMPLATES: Final = suite.root() / "templates"
ACTION: Final = (suite.root() / "action.yml").read_text()
LANGUAGES: Final = ("python", "typescript", "go", "rust")
MOST_LINES: Final = {"harness.py": 60, "harness.mts": 60, "main.go": 60, "main.rs": 60, "README.md": 40}
STRIPS_TYPES: Final = (22, 18)


def workflow(language: str) -> str:
    return (TEMPLATES / language / ".github" / "workflows" / "conformance.yml").read_text()


def inputs(language: str) -> dict[str, str]:
    """What the workflow of a template gives to the action."""
    _, _, rest = workflow(language).partition("- uses: mentionable/mentionable/conformance@")
    block = re.search(r"(?m)^        with:\n((?:          \S.*\n)+)", rest)
    assert block is not None
    return dict(line.strip().split(": ", 1) for line in block[1].splitlines())


def environment_of(given: dict[str, str]) -> dict[str, str]:
    """The environment of the step of the action, from its inputs and their defaults."""
    defaults = dict(re.findall(r'(?m)^  ([a-z-]+):\n    description: .*\n    default: "(.*)"$', ACTION))
    names = dict(re.findall(r"(?m)^        ([A-Z]+): \$\{\{ inputs\.([a-z-]+) \}\}$", ACTION))
    assert set(given) <= set(names.values())
    return {name: {**defaults, **given}[source] for name, source in names.items()}


def act(language: str, folder: Path, **more: str) -> tuple[subprocess.CompletedProcess[str], Path]:
    """Runs the step of the action in a copy of a template; the process, and its report."""
    place = folder / language
    shutil.copytree(TEMPLATES / language, place)
    (folder / "bin").mkdir()
    (folder / "bin" / "python3").symlink_to(sys.executable)
    outputs = folder / "outputs"
    path = [str(Path(sys.executable).parent), str(folder / "bin"), os.environ["PATH"]]
    if language == "typescript":
        path.insert(0, str(Path(node()).parent))
    environment = {
        **os.environ,
        "PATH": os.pathsep.join(path),
        "TMPDIR": str(folder),
        "GITHUB_OUTPUT": str(outputs),
        "GITHUB_STEP_SUMMARY": str(folder / "summary"),
        "SUITE": str(suite.root()),
        **environment_of({**inputs(language), **more}),
    }
    command = ["bash", "-eo", "pipefail", "-c", the_step()]
    done = subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, check=False, timeout=60)
    found = dict(line.split("=", 1) for line in outputs.read_text().splitlines())
    return done, Path(found["report"])


@pytest.mark.parametrize("language", ["python", "typescript"])
def test_the_workflow_of_a_template_passes_all_cases_of_its_operations(language: str, tmp_path: Path) -> None:
    if language == "typescript":
        said = subprocess.run([node(), "--version"], capture_output=True, text=True, check=True, timeout=20).stdout
        if tuple(map(int, said.strip().lstrip("v").split(".")[:2])) < STRIPS_TYPES:
            pytest.skip("this Node does not run TypeScript as it is")
    done, report = act(language, tmp_path, strict="true")
    assert done.returncode == 0, done.stderr
    document = json.loads(report.read_text())
    assert document["ops"] == ["id.uuid7", "time.parse"]
    outcomes = [one["outcome"] for one in document["results"] if one["op"] in document["ops"]]
    assert set(outcomes) == {"pass"}
    assert len(outcomes) == sum(one.op in document["ops"] for one in suite.cases())


def test_the_action_judges_only_cases_of_the_tier_that_it_is_given(tmp_path: Path) -> None:
    done, report = act("python", tmp_path, tier="project", select="time/")
    assert done.returncode == 0, done.stderr
    assert {one["tier"] for one in json.loads(report.read_text())["results"]} == {"project"}


def test_the_action_refuses_a_tier_that_there_is_not(tmp_path: Path) -> None:
    done, report = act("python", tmp_path, tier="hopes")
    assert done.returncode == 2
    assert not report.exists()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_template_is_small_and_its_workflow_names_the_command_of_its_page(language: str) -> None:
    folder = TEMPLATES / language
    counted = {path.name: len(path.read_text().splitlines()) for path in folder.rglob("*") if path.name in MOST_LINES}
    assert len(counted) == 2
    assert {name for name, lines in counted.items() if lines > MOST_LINES[name]} == set()
    given = inputs(language)
    assert f"run --validate -- {given['command']}\n" in (folder / "README.md").read_text()
    assert (folder / given["expected-failures"]).is_file()
    assert f"conformance@v{suite.VERSION}\n" in workflow(language)


@pytest.mark.parametrize("language", ["go", "rust"])
def test_a_compiled_template_declares_operations_of_the_suite(language: str) -> None:
    (source,) = (TEMPLATES / language).rglob("main.*")
    named = set(re.findall(r'"([a-z_]+\.[a-z_0-9]+)"', source.read_text()))
    assert len(named) == 2
    assert named <= {one.op for one in suite.cases()}


def test_the_template_of_go_passes_its_cases_where_go_is(tmp_path: Path) -> None:
    found = shutil.which("go")
    if found is None:
        pytest.skip("there is no go here")
    where = {**os.environ, "GOCACHE": str(tmp_path / "cache"), "GOFLAGS": "-mod=mod"}
    built = str(tmp_path / "harness")
    subprocess.run([found, "build", "-o", built, "."], cwd=TEMPLATES / "go", env=where, check=True, timeout=300)
    assert suite.main(["run", "--validate", "--strict", "--", built]) == 0
