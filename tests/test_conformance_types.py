"""The types that the package of npm has for harnesses: the compiler takes right uses, and refuses wrong ones."""

from __future__ import annotations

import re
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

PARTS = """
import type { KnownPart, KnownPolicy, KnownProof, NormalizedResponse, Part } from "mentionable-conformance/contract";
import type { PolicyPart, Proof } from "mentionable-conformance/contract";

export function textOf(part: Part): string {
  const known = part as KnownPart;
  return known.kind === "text" ? known.content : part.kind;
}
export function offersOf(policy: PolicyPart): number {
  const known = policy as KnownPolicy;
  return known.kind === "payment_required" ? known.accepted_payments.length : 0;
}
export function keyOf(proof: Proof): string {
  const known = proof as KnownProof;
  return known.type === "signed-attestation" ? known.kid : proof.type;
}
export const unknown: Part = { kind: "com.example.poll", choices: ["a", "b"] };
const response: NormalizedResponse = { reply_to: "id", parts: [unknown], status: "ok" };
const later = { "x-later": true };
export const whole: NormalizedResponse = { ...response, ...later };
export const later_of = (read: NormalizedResponse): unknown => "x-later" in read && read["x-later"];
"""
LOOP = """
import { cases, judge } from "mentionable-conformance";
import type { Case, CaseOf } from "mentionable-conformance";
import type { Answer, Answered, Facts, Given, Inputs, Operation } from "mentionable-conformance/contract";

type Implementation = { [Name in Operation]?: (input: Inputs[Name], given: Given) => Answer };
const mine: Implementation = {
  "time.parse": ({ text }) => ({ value: text }),
  "email.thread_id": ({ raw, envelope }) => ({ value: [raw, envelope?.mail_from] }),
  "history.trim": ({ policy }, { now }) => ({ value: [policy.max_age === null, now] }),
};

function answer<Name extends Operation>({ op, input, given }: CaseOf<Name>): Answer {
  return mine[op]?.(input, given) ?? { skipped: { why: "not yet" } };
}
for (const one of cases()) {
  if (!(one.op in mine)) continue;
  for (const problem of judge(one, answer(one))) console.log(one.id, problem);
}

export const titles = [...cases()].map((one: Case) => (one.op === "address.parse" ? one.input.text : one.given.now));
const line: Answered = { seq: 1, messages: [], diagnostics: ["part-unsupported"] };
export const wrong = judge({ op: "email.receive", expect: {} }, line);
export const compared: keyof Facts = "anp.decide";
"""
IMPLEMENTATION = """
import type { Answer, Given, Inputs, Operation } from "mentionable-conformance/contract";
declare function myImplementation<Name extends Operation>(op: Name, given: Given, input: Inputs[Name]): Answer;
declare const assert: { deepEqual(actual: unknown, expected: unknown): void };
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


@pytest.mark.parametrize("text", [HARNESS, PARTS, LOOP])
def test_a_harness_in_typescript_has_types(project: Path, text: str) -> None:
    assert checked(project, text) == ""


@pytest.mark.parametrize(
    ("page", "language", "declared"),
    [
        ("CASES.md", "ts", "declare function parseAddress(text: string): string;"),
        ("README.md", "js", IMPLEMENTATION),
    ],
)
def test_the_example_on_a_page_compiles(project: Path, page: str, language: str, declared: str) -> None:
    (block,) = re.findall(rf"(?ms)^```{language}\n(.*?)^```$", (suite.root() / page).read_text("utf-8"))
    assert checked(project, f"{declared}\n{block}") == ""


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
        ('known.kind === "text"', 'known.kind === "texts"'),
        ("? known.content", "? known.contents"),
        ('"ok" };', '"fine" };'),
        ("accepted_payments.length", "accepted_payment.length"),
        ("? known.kid", "? known.alg.kid"),
        ("({ value: text })", "({ values: text })"),
        ("envelope?.mail_from", "envelope?.from"),
        ("policy.max_age === null", 'policy.max_age === "none"'),
        ("messages: [], diag", "diag"),
        ("messages: [], diag", "messages: [], value: 1, diag"),
        ("seq: 1, messages", "messages"),
        ('op: "email.receive", expect', 'op: "email.recieve", expect'),
        ("? one.input.text", "? one.input.texts"),
        ('= "anp.decide"', '= "anp.presentation"'),
    ],
)
def test_a_slip_is_found_by_the_compiler(project: Path, right: str, wrong: str) -> None:
    (text,) = (one for one in (HARNESS, PARTS, LOOP) if right in one)
    assert "error TS" in checked(project, text.replace(right, wrong))
