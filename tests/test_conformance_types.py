"""The types that the package of npm has for harnesses: the compiler takes right uses, and refuses wrong ones."""

from __future__ import annotations

from pathlib import Path

import mentionable_conformance as suite
import pytest

from tests.node_programs import compiled, needs_compiler

HARNESS = """
import type { Answered, Facts, Given, Inputs, NormalizedMessage } from "mentionable-conformance/contract";
import type { Operation, Run, Started } from "mentionable-conformance/contract";

const operations: Operation[] = ["time.parse", "policy.scope_hash"];
export const started: Started = { protocol: 1, implementation: { name: "mine" }, ops: operations };

export function answer(ask: Run): Answered {
  const name: Facts["policy.html"] = "links";
  const { seq, given } = ask;
  if (ask.op === "time.parse") return { seq, value: ask.input.text };
  const most = given.settings?.limits?.json_depth ?? 64;
  return given.lookups["MESSAGE 1"] ? { seq, value: given.now + most } : { seq, skipped: { why: name } };
}

const operations_of_mine: { [Name in Operation]?: (input: Inputs[Name], given: Given) => unknown } = {
  "render.tool_call": ({ part, budget }) => part.name.slice(0, budget),
  "email.reply": ({ question, response }) => [question.raw, response.parts, response.reply_to],
  "a2a.call": ({ message }) => idOf(message),
};
export const count = Object.keys(operations_of_mine).length;

export const idOf = (message: NormalizedMessage): string => message.id;
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the package is installed."""
    needs_compiler()
    folder = tmp_path_factory.mktemp("types")
    (folder / "node_modules").mkdir()
    (folder / "node_modules" / "mentionable-conformance").symlink_to(suite.root())
    return folder


def checked(project: Path, text: str) -> str:
    """What the compiler says of a harness."""
    (project / "harness.ts").write_text(text)
    options = ["--strict", "--target", "es2022", "--module", "nodenext", "--types", ""]
    return compiled(project, *options, "harness.ts")


def test_a_harness_in_typescript_has_types(project: Path) -> None:
    assert checked(project, HARNESS) == ""


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ('"time.parse", "policy', '"time.pars", "policy'),
        ("protocol: 1", "protocol: 2"),
        ('= "links"', '= "link"'),
        ("why: name", "because: name"),
        ("message.id", "message.identity"),
        ("{ seq, value: given.now + most }", "{ value: given.now + most }"),
        ('ask.op === "time.parse"', 'ask.op === "address.pars"'),
        ('ask.op === "time.parse"', 'ask.op === "json.loads"'),
        ("ask.input.text", "ask.input.texts"),
        ("limits?.json_depth", "limits?.depth"),
        ('lookups["MESSAGE 1"]', 'lookups["MESSAGE1"]'),
        ("part.name", "part.names"),
        ('"email.reply":', '"email.answer":'),
        ("question.raw", "question.mail"),
        ("idOf(message)", "idOf(message.id)"),
    ],
)
def test_a_slip_is_found_by_the_compiler(project: Path, right: str, wrong: str) -> None:
    assert "error TS" in checked(project, HARNESS.replace(right, wrong))
