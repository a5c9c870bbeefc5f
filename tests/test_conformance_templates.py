"""The templates of repositories: whoever follows the page of one has a harness that passes, also in its workflow."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Final, NamedTuple

import mentionable_conformance as suite
import pytest

from tests.needed import missing
from tests.node_programs import COMPILER, compiled, needs_compiler, needs_types, node
from tests.suite_cases import every_case
from tests.suite_packages import CRATES, environment, follow, programs, the_step
from tests.templates import FOLDER, TEMPLATES

ACTION: Final = (suite.root() / "action.yml").read_text()
CARGO: Final = f"""
[source.crates-io]
replace-with = "debian"
[source.debian]
directory = "{CRATES}"
"""
UNKNOWN: Final = {"cmd": "run", "seq": 7, "op": "no.such", "input": {}}
ODD: Final = {"text": 5, "chain": 5}
REJECTING: Final = ("javascript", "typescript", "rust")
"""Templates whose first operation rejects `ODD`; in the others it is a fault."""
START: Final = {"cmd": "start", "protocol": 1}
STOP: Final = {"cmd": "stop"}
GIVEN: Final = {"now": "2026-01-02T03:04:05Z", "entropy": "00", "lookups": {}}
STRIPPED: Final = """
import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
console.log(stripTypeScriptTypes(readFileSync(process.argv[1], "utf8")));
"""


class Followed(NamedTuple):
    """A folder in which the page of a template was followed, and what the last command said."""

    name: str
    folder: Path
    done: subprocess.CompletedProcess[str]


@pytest.fixture(scope="module", params=TEMPLATES)
def followed(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, tarball: Path, wheel: Path
) -> Followed:
    name: str = request.param
    if name == "typescript":
        needs_types()
    above = tmp_path_factory.mktemp(name)
    (above / ".cargo").mkdir()
    (above / ".cargo" / "config.toml").write_text(CARGO)
    folder = above / "mine"
    folder.mkdir()
    (script,) = re.findall(r"(?ms)^```sh\n(.*?)^```$", (FOLDER / name / "README.md").read_text())
    return Followed(name, folder, follow(script, name, folder, tarball, wheel))


def workflow(name: str) -> str:
    return (FOLDER / name / ".github" / "workflows" / "conformance.yml").read_text()


def inputs(name: str) -> dict[str, str]:
    """What the workflow of a template gives to the action."""
    _, _, rest = workflow(name).partition("- uses: mentionable/mentionable/conformance@")
    block = re.search(r"(?m)^        with:\n((?:          \S.*\n)+)", rest)
    assert block is not None
    return dict(line.strip().split(": ", 1) for line in block[1].splitlines())


def environment_of(given: dict[str, str]) -> dict[str, str]:
    """The environment of the step of the action, from its inputs and their defaults."""
    defaults = dict(re.findall(r'(?m)^  ([a-z-]+):\n    description: .*\n    default: "(.*)"$', ACTION))
    names = dict(re.findall(r"(?m)^        ([A-Z]+): \$\{\{ inputs\.([a-z-]+) \}\}$", ACTION))
    assert set(given) <= set(names.values())
    return {name: {**defaults, **given}[source] for name, source in names.items()}


def act(name: str, place: Path, folder: Path, **more: str) -> tuple[subprocess.CompletedProcess[str], Path]:
    """Runs the step of the action where a template is; the process, and its report."""
    (folder / "bin").mkdir()
    (folder / "bin" / "python3").symlink_to(sys.executable)
    outputs = folder / "outputs"
    where = {
        **os.environ,
        "PATH": os.pathsep.join([str(folder / "bin"), *programs(name), os.environ["PATH"]]),
        "TMPDIR": str(folder),
        "GITHUB_OUTPUT": str(outputs),
        "GITHUB_STEP_SUMMARY": str(folder / "summary"),
        "SUITE": str(suite.root()),
        **environment_of({**inputs(name), **more}),
    }
    command = ["bash", "-eo", "pipefail", "-c", the_step()]
    done = subprocess.run(command, cwd=place, env=where, capture_output=True, text=True, check=False, timeout=60)
    found = dict(line.split("=", 1) for line in outputs.read_text().splitlines())
    return done, Path(found["report"])


def test_whoever_follows_the_page_of_a_template_reads_what_it_says(followed: Followed) -> None:
    assert followed.done.returncode == 0, followed.done.stderr
    passes = TEMPLATES[followed.name].passes
    last = followed.done.stdout.rstrip().splitlines()[-1]
    assert re.fullmatch(rf"my-implementation 0\.1\.0: ok \({passes} pass, [0-9]+ skip\)", last)
    copied = {path.relative_to(FOLDER / followed.name) for path in (FOLDER / followed.name).rglob("*")}
    assert all((followed.folder / path).exists() for path in copied)
    kept = {path.name for path in followed.folder.iterdir()} - set(TEMPLATES[followed.name].made)
    assert kept - {"package-lock.json", "Cargo.lock"} == {path.parts[0] for path in copied}


def test_the_workflow_of_a_template_passes_all_cases_of_its_operations(followed: Followed, tmp_path: Path) -> None:
    done, report = act(followed.name, followed.folder, tmp_path, strict="true")
    assert done.returncode == 0, done.stderr
    document = json.loads(report.read_text())
    assert document["ops"] == sorted(TEMPLATES[followed.name].operations)
    outcomes = [one["outcome"] for one in document["results"] if one["op"] in document["ops"]]
    assert set(outcomes) == {"pass"}
    assert len(outcomes) == sum(one.op in document["ops"] for one in every_case())


def test_a_fault_of_an_operation_is_an_answer_and_the_harness_goes_on(followed: Followed) -> None:
    first, second = answers(followed, [{**UNKNOWN, "given": GIVEN}, START, STOP])
    assert first.keys() == {"seq", "errored"}
    assert first["seq"] == 7
    assert first["errored"]["message"]
    assert sorted(second["ops"]) == sorted(TEMPLATES[followed.name].operations)


def test_an_input_of_another_form_is_an_answer_and_the_harness_goes_on(followed: Followed) -> None:
    operation = TEMPLATES[followed.name].operations[0]
    first, second = answers(followed, [{**UNKNOWN, "op": operation, "input": ODD, "given": GIVEN}, START, STOP])
    assert first.keys() == {"seq", "rejected" if followed.name in REJECTING else "errored"}
    assert first["seq"] == 7
    assert first.get("rejected", {"code": "malformed"}) == {"code": "malformed"}
    assert second["protocol"] == 1


def test_a_line_that_is_no_json_ends_the_harness_with_a_word_on_standard_error(followed: Followed) -> None:
    done = fed(followed, "{\n")
    assert done.returncode != 0
    assert done.stdout == ""
    assert done.stderr != ""


def answers(followed: Followed, asked: list[dict[str, Any]]) -> list[dict[str, Any]]:
    done = fed(followed, "".join(f"{json.dumps(one)}\n" for one in asked))
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def fed(followed: Followed, lines: str) -> subprocess.CompletedProcess[str]:
    """The harness, after it read these lines."""
    command = TEMPLATES[followed.name].command.split()
    where = environment(followed.name, followed.folder.parent)
    program = shutil.which(command[0], path=where["PATH"]) or str(followed.folder / command[0])
    return subprocess.run(
        [program, *command[1:]],
        cwd=followed.folder,
        env=where,
        input=lines,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def template(name: str, folder: Path) -> Path:
    return Path(shutil.copytree(FOLDER / name, folder / name))


def test_the_action_judges_only_cases_of_the_tier_that_it_is_given(tmp_path: Path) -> None:
    done, report = act("python", template("python", tmp_path), tmp_path, tier="project", select="time/")
    assert done.returncode == 0, done.stderr
    assert {one["tier"] for one in json.loads(report.read_text())["results"]} == {"project"}


def test_every_folder_is_a_template_and_says_the_version_of_the_suite() -> None:
    assert {path.name for path in FOLDER.iterdir()} == TEMPLATES.keys()
    packages = {path.parent.name: json.loads(path.read_text()) for path in FOLDER.glob("*/package.json")}
    assert packages.keys() == {"javascript", "typescript"}
    assert {one["devDependencies"]["mentionable-conformance"] for one in packages.values()} == {suite.VERSION}


def test_the_template_in_javascript_is_the_one_in_typescript_without_types() -> None:
    needs_types()
    source = (FOLDER / "typescript" / "harness.mts").read_text().replace('"TypeScript"', '"JavaScript"')
    command = [node(), "--no-warnings", "--input-type=module", "-e", STRIPPED, "/dev/stdin"]
    done = subprocess.run(command, input=source, capture_output=True, text=True, check=True, timeout=60)
    script = (FOLDER / "javascript" / "harness.mjs").read_text()
    assert re.sub(r"[\s;]+", "", script) == re.sub(r"[\s;]+", "", done.stdout)


# --- the compiler of TypeScript


@pytest.fixture(scope="module")
def typed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The template in TypeScript, with what `npm install` brings."""
    needs_compiler()
    folder = template("typescript", tmp_path_factory.mktemp("typed"))
    wanted = json.loads((folder / "package.json").read_text())["devDependencies"]
    fetched = COMPILER.parents[2]
    (folder / "node_modules" / "@types").mkdir(parents=True)
    for name, version in wanted.items():
        source = suite.root() if name == "mentionable-conformance" else fetched / name
        if not source.exists():
            missing(name)
        major = json.loads((source / "package.json").read_text())["version"].partition(".")[0]
        assert version.lstrip("^").partition(".")[0] == major
        (folder / "node_modules" / name).symlink_to(source)
    return folder


def checked(folder: Path, program: str) -> str:
    """What the compiler says of a program in place of the harness."""
    (folder / "harness.mts").write_text(program)
    return compiled(folder)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ('"time.parse": parseTime', '"time.pars": parseTime'),
        ("return { seq, rejected", "return { rejected"),
        ("protocol: 1", "protocol: 2"),
        ("errored: { message:", "errored: { why:"),
    ],
)
def test_the_template_in_typescript_has_types_and_a_slip_is_found(typed: Path, right: str, wrong: str) -> None:
    program = (FOLDER / "typescript" / "harness.mts").read_text()
    assert checked(typed, program) == ""
    assert "error TS" in checked(typed, program.replace(right, wrong))
