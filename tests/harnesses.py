"""Harnesses of the conformance suite that are made for one test, and the cases that they are asked."""

from __future__ import annotations

import json
import sys
from functools import cache
from typing import TYPE_CHECKING, Any

import mentionable_conformance as suite
import pytest
from mentionable_conformance import _cli

if TYPE_CHECKING:
    from pathlib import Path


PYTHON = sys.executable


def case(level: str = "MUST", case_id: str = "area/behaviour/one", op: str = "text.echo", **expect: Any) -> suite.Case:
    return suite.Case(
        id=case_id,
        file="x.json",
        spec="s-v0.1",
        op=op,
        section="§1",
        level=level,
        why="Because it is so.",
        flags=(),
        given={"now": "2026-11-21T20:56:00Z", "entropy": "00" * 32, "lookups": {}},
        input=1,
        expect=expect or {"value": 1},
    )


def write_cases(folder: Path, *more: dict[str, Any], op: str = "text.echo") -> Path:
    folder.mkdir(exist_ok=True)
    cases = [
        {
            "id": f"area/behaviour/{name}",
            "section": "§1",
            "level": level,
            "why": "Because it is so.",
            "input": n,
            "value": n,
        }
        for n, (name, level) in enumerate([("one", "MUST"), ("two", "MUST"), ("three", "SHOULD"), ("four", "MAY")], 1)
    ]
    document = {"spec": "some-spec-v0.1", "op": op, "cases": [*cases, *more]}
    (folder / "behaviour.json").write_text(json.dumps(document))
    return folder


STARTED = """print(json.dumps({"protocol": 1, "implementation": {"name": "t"}, "ops": ["text.echo"]}), flush=True)"""


def script(folder: Path, body: str, started: str = "") -> list[str]:
    """A harness whose answer to a case is made by `body`, with `ask` in sight."""
    program = f"""
import json, os, sys, time
for line in sys.stdin:
    ask = json.loads(line)
    if ask["cmd"] == "stop":
        break
    if ask["cmd"] == "start":
        {started or STARTED}
        continue
    answer = {{"seq": ask["seq"], "value": ask["input"]}}
    {body}
    print(json.dumps(answer), flush=True)
"""
    path = folder / "harness.py"
    path.write_text(program)
    return [PYTHON, str(path)]


def run(folder: Path, command: list[str], *arguments: str) -> tuple[int, dict[str, str]]:
    """The exit status, and the outcome of each case by the last segment of its id."""
    report = folder / "report.json"
    status = suite.main(["run", "--cases", str(folder / "cases"), "--json", str(report), *arguments, "--", *command])
    if not report.exists():
        return status, {}
    document = json.loads(report.read_text())
    assert suite.problems("report", document) == ()
    return status, {one["id"].rpartition("/")[2]: one["outcome"] for one in document["results"]}


@pytest.fixture(autouse=True)
def suite_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The thousands of cases that are shipped are the same in every test."""
    monkeypatch.setattr(_cli, "cases", lambda path=None: shipped() if path is None else suite.cases(path))


shipped = cache(suite.cases)
