"""The harness in JavaScript: an implementation of its own, judged as any other, by the two commands of the README."""

from __future__ import annotations

import json
import re
import shutil
from typing import TYPE_CHECKING, Any

import mentionable_conformance as suite
import pytest

from tests import setup_interop

if TYPE_CHECKING:
    from pathlib import Path

ROOT = suite.root()
HARNESS = ROOT / "harness" / "node.mjs"
FAMILIES = {
    "addresses": {"address.parse"},
    "the text of tool calls": {"render.tool_call"},
    "capabilities": {"render.mention_relay", "render.agent_chain", "render.capabilities", "capabilities.next_hop"},
    "traces": {"trace.read", "trace.left_out", "trace.viewer", "json.loads"},
    "threads": {"email.thread_id", "activitypub.thread_id", "a2a.thread_id"},
}


def node(name: str = "node") -> str:
    """Node, or what comes with it, of the set-up or of the machine. In CI one must be there."""
    fetched = setup_interop.program(name)
    found = str(fetched) if fetched.is_file() else shutil.which(name)
    if found is None:
        pytest.fail(f"there is no {name}") if setup_interop.in_ci() else pytest.skip(f"there is no {name} here")
    return found


def commands() -> list[str]:
    """The first block of commands on the page."""
    block = re.search(r"(?ms)^```sh\n(.*?)^```$", (ROOT / "README.md").read_text())
    assert block is not None
    return block[1].splitlines()


def test_an_implementer_runs_the_suite_with_two_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install, run = commands()
    assert install == "pip install ./conformance"
    python, dash, module, *words = run.split()
    assert (python, dash, module) == ("python", "-m", "mentionable_conformance")
    place = words.index("--") + 1
    assert words[place:] == ["node", "conformance/harness/node.mjs"]
    monkeypatch.chdir(ROOT.parent)
    report = tmp_path / "report.json"
    said = [*words[: place - 1], "--strict", "--json", str(report), "--", node(), words[place + 1]]
    assert suite.main(said) == 0
    judge(json.loads(report.read_text()))


def judge(report: dict[str, Any]) -> None:
    """Every case of what it declares passes, and it declares every family."""
    outcomes = {one["op"]: set() for one in report["results"]}
    for one in report["results"]:
        outcomes[one["op"]].add(one["outcome"])
    assert {op for op, seen in outcomes.items() if seen == {"pass"}} == set(report["ops"])
    assert {op for op, seen in outcomes.items() if seen != {"pass"} and seen != {"skip"}} == set()
    assert report["unknown_ops"] == []
    assert set().union(*FAMILIES.values()) <= set(report["ops"])
    assert sum(one["outcome"] == "pass" for one in report["results"]) >= 275


@pytest.mark.parametrize("path", sorted((ROOT / "harness" / "node").iterdir()), ids=lambda path: path.name)
def test_a_module_is_small_and_needs_node_alone(path: Path) -> None:
    text = path.read_text()
    assert path.suffix == ".mjs"
    assert len(text.splitlines()) < 200
    assert max(map(len, text.splitlines())) <= 120
    assert text.startswith("// ")
    imported = re.findall(r'(?m)^import .* from "([^"]+)";$', text)
    assert len(imported) == len(re.findall(r"\bimport\b", text))
    for name in imported:
        assert name in ("node:crypto", "node:net", "node:url") or (path.parent / name).is_file()


def test_the_worked_example_is_the_loop_and_the_tables() -> None:
    text = HARNESS.read_text()
    assert len(text.splitlines()) < 80
    used = set(re.findall(r'from "\./node/([a-z0-9-]+\.mjs)"', text))
    beside = {path.name for path in (ROOT / "harness" / "node").iterdir()}
    inner = {
        name for path in (ROOT / "harness" / "node").iterdir() for name in re.findall(r'"\./(.*?)"', path.read_text())
    }
    assert used | inner == beside
