"""The harness in TypeScript: an implementation of its own, judged as any other, by the two commands of the README."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import mentionable_conformance as suite
import pytest

from tests.node_programs import compiled, needs_compiler, node
from tests.suite_cases import every_case

ROOT = suite.root()
HARNESS = ROOT / "harness" / "node.mjs"
MODULES = sorted((ROOT / "harness" / "node").iterdir())
DECLARATIONS = Path(__file__).with_name("node.d.ts")
"""What of Node the harness uses, for the compiler."""
FAMILIES = {
    "addresses": {"address.parse"},
    "the text of tool calls": {"render.tool_call"},
    "capabilities": {"render.mention_relay", "render.agent_chain", "render.capabilities", "capabilities.next_hop"},
    "values": {"value.decode", "value.restore", "value.encode", "json.loads"},
    "responses": {"response.stream", "response.assemble", "response.split", "response.destination", "history.trim"},
    "traces": {"trace.read", "trace.write", "trace.left_out", "trace.viewer"},
    "threads": {"email.thread_id", "activitypub.thread_id", "a2a.thread_id"},
    "policies": {
        *("policy.read", "policy.read_resolution", "policy.bind_url", "policy.scope_hash", "policy.state_key"),
        *("policy.text", "policy.html", "policy.markdown", "policy.localize", "policy.to_http", "policy.from_http"),
        *("policy.issue", "policy.accept", "policy.resume", "policy.story", "policy.check_response"),
        *("policy.declare", "policy.is_declared", "policy.x402_metadata", "policy.x402_demand"),
        *("policy.x402_payment", "policy.x402_fits"),
    },
    "attestations": {
        *("identity.verify", "identity.story", "identity.signing_input", "identity.thumbprint", "identity.acl"),
        *("identity.read_card", "identity.serve_card", "identity.trust_policy", "discovery.connector_card"),
    },
    "signatures of HTTP": {"activitypub.verify", "activitypub.verify_reader"},
    "HTML": {"text.from_html", "text.markdown_from_html"},
    "ingest": {
        *("ingest.metadata", "ingest.header", "ingest.context", "ingest.thread_summary", "ingest.strip_legacy"),
        *("ingest.message", "ingest.turn", "ingest.assemble", "ingest.lower", "ingest.tool_name"),
        *("ingest.read_messages",),
    },
    "notifications": {
        *("anp.route_table", "anp.classify", "anp.read_submission", "anp.read_notification", "anp.next_deadline"),
        *("anp.decide", "anp.story", "anp.dispatch", "anp.lane", "anp.turn", "anp.commit_turn", "anp.prompt"),
        *("anp.read_output", "anp.actions", "anp.presentation", "anp.receive_presentation", "anp.client_message"),
        *("anp.stream", "anp.resume", "anp.cloudevent", "anp.read_cloudevent", "anp.web_push"),
    },
}
FEWEST = 5_400
"""Cases that pass at least."""


IMPORTING = """
import importlib, shutil
from tests import setup_interop
shutil.which = lambda *given, **more: None
setup_interop.program = lambda name: setup_interop.ROOT / "no-such-program"
for name in NAMES:
    importlib.import_module(f"tests.{name}")
"""


def test_without_node_the_tests_are_collected() -> None:
    names = sorted(path.stem for path in Path(__file__).parent.glob("test_conformance*.py"))
    program = IMPORTING.replace("NAMES", repr(names))
    where = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT.parent), str(ROOT)])}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, env=where, capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")


def declared() -> set[str]:
    """The operations that the harness declares."""
    start = json.dumps({"cmd": "start", "protocol": 1}) + "\n" + json.dumps({"cmd": "stop"}) + "\n"
    done = subprocess.run(
        [node(), str(HARNESS)], input=start, capture_output=True, text=True, encoding="utf-8", check=True, timeout=60
    )
    return set(json.loads(done.stdout)["ops"])


def test_an_implementer_runs_the_suite_with_two_commands(report_of_node: dict[str, Any]) -> None:
    assert report_of_node["unknown_ops"] == []
    assert sum(one["outcome"] == "pass" for one in report_of_node["results"]) >= FEWEST


def test_every_case_of_a_declared_operation_passes(report_of_node: dict[str, Any]) -> None:
    outcomes: dict[str, set[str]] = {}
    for one in report_of_node["results"]:
        outcomes.setdefault(one["op"], set()).add(one["outcome"])
    assert {op for op, seen in outcomes.items() if seen == {"pass"}} == set(report_of_node["ops"])
    assert {op for op, seen in outcomes.items() if seen != {"pass"} and seen != {"skip"}} == set()


@pytest.mark.parametrize("family", FAMILIES)
def test_it_declares_every_family(family: str, report_of_node: dict[str, Any]) -> None:
    assert FAMILIES[family] <= set(report_of_node["ops"])


def test_every_published_case_of_a_declared_operation_passes(report_of_node: dict[str, Any]) -> None:
    published = {case.id for case in every_case() if case.tier == "published" and case.op in report_of_node["ops"]}
    passed = {one["id"] for one in report_of_node["results"] if one["outcome"] == "pass"}
    assert published <= passed


def test_the_page_says_how_much_it_implements(report_of_node: dict[str, Any]) -> None:
    said = re.search(r"implements (\d+)\noperations|implements (\d+) operations", (ROOT / "README.md").read_text())
    assert said is not None
    assert int(said[1] or said[2]) == len(report_of_node["ops"])


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_a_module_is_small_and_needs_node_alone(path: Path) -> None:
    text = path.read_text()
    assert path.suffix == ".ts"
    assert len(text.splitlines()) <= 250
    assert max(map(len, text.splitlines())) <= 120
    assert text.startswith("// ")
    imported = re.findall(r'(?ms)^(?:import|export) [^;]*?\bfrom "([^"]+)";$', text)
    assert len(imported) == len(re.findall(r"(?m)^import\b", text))
    for name in imported:
        assert name in ("node:crypto", "node:net", "node:url") or (path.parent / name).is_file()


def test_the_compiler_finds_nothing(tmp_path: Path) -> None:
    needs_compiler()
    yes = ("noEmit", "strict", "allowImportingTsExtensions", "erasableSyntaxOnly", "verbatimModuleSyntax")
    options = dict.fromkeys((*yes, "noUnusedLocals", "skipLibCheck"), True)
    options |= {"target": "es2024", "lib": ["es2024", "esnext"], "types": [], "module": "nodenext"}
    files = [str(path) for path in (DECLARATIONS, *MODULES)]
    project = tmp_path / "tsconfig.json"
    project.write_text(json.dumps({"compilerOptions": options, "files": files}))
    assert compiled(tmp_path, "--project", str(project)) == ""


def test_the_worked_example_is_the_loop_and_the_tables() -> None:
    text = HARNESS.read_text()
    assert len(text.splitlines()) < 100
    used = set(re.findall(r'from "\./node/([a-z0-9-]+\.ts)"', text))
    inner = {name for path in MODULES for name in re.findall(r'from "\./(.*?)"', path.read_text())}
    assert used | inner == {path.name for path in MODULES}
