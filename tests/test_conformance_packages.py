"""The suite as two packages from one folder: each installs where nothing else is, and both hold the same files."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from importlib.metadata import distribution
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import mentionable_conformance as suite
import pytest

from tests.node_programs import node
from tests.suite_cases import every_case
from tests.suite_packages import run, the_step
from tests.templates import TEMPLATES

ROOT = suite.root()
DATA = (
    "README.md",
    "CASES.md",
    "pages",
    "CHANGELOG.md",
    "templates",
    "v0.1",
    "schema",
    "keys",
    "harness",
    "documents.json",
    "operations.json",
    "requirements.json",
    "withdrawn.json",
)
IN_TARBALL = "package/"
JUDGE = {f"judge/{path.name}" for path in (ROOT / "judge").iterdir()}
PROGRAMS = {"index.mjs", "index.d.ts", "contract.d.ts", "cases.mjs", "manifest.mjs", *JUDGE}
OF_NPM = {"package.json", "LICENSE", *PROGRAMS}


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def of_the_tree(folder: Path) -> dict[str, str]:
    """The files of the suite by their paths in a folder."""
    roots = [folder / name for name in DATA]
    paths = [path for root in roots for path in ([root] if root.is_file() else root.rglob("*")) if path.is_file()]
    return {
        path.relative_to(folder).as_posix(): digest(path.read_bytes())
        for path in paths
        if path.parent.name != "__pycache__"
    }


@pytest.fixture(scope="module")
def installed(request: pytest.FixtureRequest) -> Path:
    """Where the package of pip lies: built here where its back end is there, else as it is installed."""
    if find_spec("hatchling") is None:
        return Path(str(distribution("mentionable-conformance").locate_file("")))
    built: Path = request.getfixturevalue("wheel")
    with zipfile.ZipFile(built) as archive:
        archive.extractall(built.parent / "site-packages")
    return built.parent / "site-packages"


def test_both_packages_hold_the_files_of_the_folder_and_the_manifest(tarball: Path, installed: Path) -> None:
    with tarfile.open(tarball) as archive:
        members = {one.name.removeprefix(IN_TARBALL): archive.extractfile(one) for one in archive if one.isfile()}
        packed = {name: digest(file.read()) for name, file in members.items() if file is not None}
    data = installed / "mentionable_conformance" / "data"
    expected = of_the_tree(ROOT)
    assert of_the_tree(data) == expected
    assert (data / "manifest.json").read_text() == suite.manifest_text()
    expected["manifest.json"] = digest((data / "manifest.json").read_bytes())
    assert {name: value for name, value in packed.items() if name not in OF_NPM} == expected
    assert packed.keys() >= OF_NPM
    assert {name.split("/")[1] for name in packed if name.startswith("templates/")} == TEMPLATES.keys()
    assert len(list(installed.glob("mentionable_conformance-*.dist-info/licenses/LICENSE"))) == 1


def test_links_between_pages_lead_to_files_of_the_package(tarball: Path, installed: Path, tmp_path: Path) -> None:
    with tarfile.open(tarball) as archive:
        archive.extraction_filter = getattr(tarfile, "data_filter", None)  # CPython 3.11.2 has no filters
        archive.extractall(tmp_path)
    for folder in (tmp_path / "package", installed / "mentionable_conformance" / "data"):
        pages = list(folder.rglob("*.md"))
        links = [(page, link) for page in pages for link in re.findall(r"\]\(([^)#\s:]+)[#)]", page.read_text())]
        assert len(links) > 10
        if folder.name == "data":  # the programs of npm are not in the other package
            links = [(page, link) for page, link in links if not link.startswith("judge/")]
        assert [link for page, link in links if not (page.parent / link).exists()] == []


def test_the_installed_runner_finds_what_it_needs(installed: Path, tmp_path: Path) -> None:
    said = run(
        [sys.executable, "-m", "mentionable_conformance", "explain", "trace/read/empty"],
        tmp_path,
        PYTHONPATH=str(installed),
    )
    assert "NM 10.6: Normalized Message v0.1, section 10.6" in said
    assert "It serves" in said


def test_all_versions_are_the_version_of_the_suite() -> None:
    package = json.loads((ROOT / "package.json").read_text())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert {package["version"], project["version"]} == {suite.VERSION}
    assert f"## {suite.VERSION}\n" in (ROOT / "CHANGELOG.md").read_text()
    assert (package["name"], package["license"]) == (project["name"], project["license"])
    assert package["homepage"] == project["urls"]["Homepage"]
    assert "dependencies" not in package
    assert project["dependencies"] == []


READ = """
import { cases, manifest, root } from "mentionable-conformance";
import listed from "mentionable-conformance/manifest.json" with { type: "json" };
import * as language from "node:module";
import { readFileSync } from "node:fs";
language.stripTypeScriptTypes?.(readFileSync(`${root}/index.d.ts`, "utf8")); // throws where it is none
console.log(JSON.stringify({ root, count: manifest.count, same: listed.count === manifest.count }));
for (const one of cases()) console.log(JSON.stringify(one));
"""


def test_node_reads_the_installed_cases_as_python_does(tarball: Path, tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"private": true, "type": "module"}')
    (tmp_path / "read.mjs").write_text(READ)
    run(
        [node("npm"), "install", "--silent", "--offline", "--no-audit", "--no-fund", "--ignore-scripts", str(tarball)],
        tmp_path,
    )
    about, *lines = run([node(), "--no-warnings", "read.mjs"], tmp_path).rstrip("\n").split("\n")
    assert json.loads(about) == {
        "root": str((tmp_path / "node_modules" / "mentionable-conformance").resolve()),
        "count": len(lines),
        "same": True,
    }
    pairs = zip(every_case(), map(json.loads, lines), strict=True)
    assert [one.id for one, theirs in pairs if as_node_has_it(one) != doubles(theirs)] == []


def test_the_installed_command_judges(tarball: Path, tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"private": true, "type": "module"}')
    run(
        [node("npm"), "install", "--silent", "--offline", "--no-audit", "--no-fund", "--ignore-scripts", str(tarball)],
        tmp_path,
    )
    command = str(tmp_path / "node_modules" / ".bin" / "mentionable-conformance")
    # Node runs no TypeScript below `node_modules`: whoever begins with this harness copies it.
    shutil.copytree(tmp_path / "node_modules" / "mentionable-conformance" / "harness", tmp_path / "harness")
    harness = tmp_path / "harness" / "node.mjs"
    said = run([command, "run", "--op", "address.parse", "--validate", "--", node(), str(harness)], tmp_path)
    assert re.fullmatch(r"worked-example 1: ok \([0-9]+ pass\)\n", said)


def as_node_has_it(one: suite.Case) -> dict[str, Any]:
    """A case as JavaScript has it, in which every number is a double."""
    members = {name: getattr(one, name) for name in suite.Case.__slots__}
    return {name: doubles(list(value) if isinstance(value, tuple) else value) for name, value in members.items()}


def doubles(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: doubles(member) for name, member in value.items()}
    if isinstance(value, list):
        return [doubles(item) for item in value]
    if isinstance(value, bool) or not isinstance(value, int):
        return value
    try:
        return float(value)
    except OverflowError:  # infinite to JavaScript, which writes that as null
        return None


# --- the action


@pytest.mark.parametrize(
    ("body", "more", "status"),
    [
        ("pass", {"STRICT": "true", "SELECT": "trace/viewer/*"}, 0),
        ("if case == 1: answer['value'] = 0", {"SELECT": "trace/viewer"}, 1),
        ("if case == 1: answer['value'] = 0", {"SELECT": "trace/viewer", "EXPECTED": "known.txt"}, 0),
    ],
)
def test_the_step_of_the_action_writes_its_outputs(
    body: str, more: dict[str, str], status: int, tmp_path: Path
) -> None:
    (tmp_path / "known.txt").write_text("trace/viewer/unset # not read yet\n")
    (tmp_path / "harness.py").write_text(HARNESS.replace("BODY", body))
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python3").symlink_to(sys.executable)
    outputs, page = tmp_path / "outputs", tmp_path / "summary"
    environment = {
        **os.environ,
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), str(tmp_path / "bin"), os.environ["PATH"]]),
        "TMPDIR": str(tmp_path),
        "GITHUB_OUTPUT": str(outputs),
        "GITHUB_STEP_SUMMARY": str(page),
        "COMMAND": f"{sys.executable} harness.py",
        "SUITE": str(ROOT),
        **OPTIONS,
        **more,
    }
    command = ["bash", "-eo", "pipefail", "-c", the_step()]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == status, done.stderr
    found = dict(line.split("=", 1) for line in outputs.read_text().splitlines())
    assert found.keys() == set(re.findall(r"steps\.run\.outputs\.([a-z]+)", (ROOT / "action.yml").read_text()))
    assert json.loads(Path(found["badge"]).read_text())["schemaVersion"] == 1
    assert suite.problems("report", json.loads(Path(found["report"]).read_text())) == ()
    assert Path(found["html"]).read_text().startswith("<!DOCTYPE html>")
    assert page.read_text().startswith("# `h`: ")


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"STRICT": "yes"}, "strict must be true or false\n"),
        ({"STRICT": "True"}, "strict must be true or false\n"),
        ({"COMMAND": " "}, "no harness command stands after --\n"),
        ({"TIER": "hopes"}, "must be published, project or hardening, not hopes\n"),
    ],
)
def test_the_step_of_the_action_refuses_what_it_does_not_know(more: dict[str, str], said: str, tmp_path: Path) -> None:
    environment = {"PATH": os.environ["PATH"], "TMPDIR": str(tmp_path), "GITHUB_OUTPUT": str(tmp_path / "o")}
    given = {"COMMAND": "true", "SUITE": str(ROOT), "TIER": "", **OPTIONS, **more}
    command = ["bash", "-eo", "pipefail", "-c", the_step()]
    done = subprocess.run(
        command, cwd=tmp_path, env={**environment, **given}, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 2
    assert done.stderr.endswith(said)


def test_a_command_on_several_lines_is_one_command(tmp_path: Path) -> None:
    split = next(line for line in the_step().splitlines() if line.startswith("read "))
    told = ["bash", "-eo", "pipefail", "-c", f'{split}\nprintf "%s\\n" "${{command[@]}}"']
    done = subprocess.run(
        told, env={"COMMAND": "node $(x).mjs\n  --all *\n"}, capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.split("\n") == ["node", "$(x).mjs", "--all", "*", ""]


OPTIONS = {"EXPECTED": "", "SELECT": "", "STRICT": "false", "TIMEOUT": "10"}
HARNESS = """
import json, sys
from mentionable_conformance import cases, root
right = {one.input["value"]: one.expect for one in cases(root() / "v0.1" / "trace" / "viewer.json")}
case = 0
for line in sys.stdin:
    ask = json.loads(line)
    if ask["cmd"] == "stop":
        break
    if ask["cmd"] == "start":
        answer = {"protocol": 1, "implementation": {"name": "h"}, "ops": ["trace.viewer"]}
    else:
        case += 1
        answer = {"seq": ask["seq"], **right[ask["input"]["value"]]}
        BODY
    print(json.dumps(answer), flush=True)
"""
