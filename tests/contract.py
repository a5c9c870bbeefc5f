"""The types of a harness in TypeScript: `conformance/contract.d.ts`, out of schemas, operations and cases."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

from tests.input_types import UNFINISHED, input_schemas
from tests.suite_pages import OPERATIONS, SUITE
from tests.typescript import declaration

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["contract"]

_HEAD: Final = """\
// Made of conformance/schema, operations.json and the cases: change nothing here.
//
// A value may have members that its type does not name, and whoever reads one keeps them. A literal has them by a
// spread, `{ ...response, ...more }`, and `"x-later" in response` finds one. A `Part`, a `PolicyPart` or a `Proof` may
// be of a kind that no type names. So its kind does not tell the compiler what else it has, unless it is cast first:
//
//     const known = part as KnownPart;
//     if (known.kind === "text") return known.content;
"""
_GIVEN: Final = {
    "given": "Given",
    "settings": "Settings",
    "limits": "Limits",
    "history_policy": "HistoryPolicy",
    "lookups": "Lookups",
    "fetched": "Fetched",
    "failed": "Failed",
    "bytes": "Bytes",
    "base64": "Base64",
    "verdict": "Verdict",
}
"""Definitions of the schema of cases, and what their types are called."""
_PRECISE: Final = {
    "ops": {"type": "array", "items": {"$ref": "Operation"}},
    "messages": {"type": "array", "items": {"$ref": "NormalizedMessage"}},
    "verdict": {"anyOf": [{"$ref": "Verdict"}, {"type": "null"}]},
}
"""Members of lines that the schema of the lines, which the runner checks, leaves open."""
_LINES: Final = {"start": "Start", "stop": "Stop", "started": "Started"}
"""The lines between runner and harness, and what their types are called. `Run` and `Answered` are made otherwise."""
_RUN: Final = """/** What a harness may be asked to do. */
export type Operation = keyof Inputs;

/** One operation to run. */
export interface RunOf<Name extends Operation> {
  cmd: "run";
  seq: number;
  op: Name;
  given: Given;
  input: Inputs[Name];
}

/** The line that asks for an answer. `op` says what `input` is. */
export type Run = { [Name in Operation]: RunOf<Name> }[Operation];
"""
_ANSWER: Final = """/** What comes of an operation: exactly one of these. */
export type Outcome = {
  [Name in keyof Outcomes]: Pick<Outcomes, Name> & { [Other in Exclude<keyof Outcomes, Name>]?: never };
}[keyof Outcomes];

/** What a case is judged by. */
export type Answer = Outcome & Beside;

/** The line that answers a `Run`. */
export type Answered = Answer & { seq: number };
"""


def contract() -> Iterator[tuple[Path, str]]:
    """The types of values, of what a case gives, of inputs and of lines, and the names of operations and facts."""
    types = [*_values(), *_given(), _inputs(), _RUN, *_lines(), *_answer(), _facts()]
    names = re.findall(r"(?m)^export (?:interface|type) (\w+)", "\n".join(types))
    assert len(names) == len(set(names)), "two types of the same name"
    yield SUITE / "contract.d.ts", "\n".join([_HEAD, *types])


def _values() -> Iterator[str]:
    for path in sorted((SUITE / "schema" / "values").glob("*.schema.json")):
        yield declaration(path.name.removesuffix(".schema.json"), json.loads(path.read_bytes()))
    for name, (whole, member, what) in UNFINISHED.items():
        less = f'Omit<{whole}, "{member}"> & Partial<Pick<{whole}, "{member}">>'
        yield f"/** {what} */\nexport type {name} = {less};\n"


def _given() -> Iterator[str]:
    """What a harness gets besides the input. The runner fills in what a case leaves out, and the bytes of files."""
    defined = _renamed(json.loads((SUITE / "schema" / "case.schema.json").read_bytes())["$defs"])
    defined["given"]["required"] = ["now", "entropy", "lookups"]
    defined["bytes"]["description"] = "Bytes: a string stands for its UTF-8."
    defined["bytes"]["anyOf"].remove({"$ref": "file"})
    defined["verdict"]["description"] = "What is known of the sender."
    for name, type_name in _GIVEN.items():
        yield declaration(type_name, defined[name])


def _renamed(schema: Any) -> Any:
    """A schema that refers to others by the names of their types."""
    if isinstance(schema, list):
        return [_renamed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" not in schema:
        return {name: _renamed(one) for name, one in schema.items()}
    name = schema["$ref"].removeprefix("#/$defs/")
    return {"type": "string"} if name == "base64text" else {"$ref": _GIVEN.get(name, name)}


def _inputs() -> str:
    outcomes = {name: row["outcome"] for row in OPERATIONS["operations"] for name in row["operations"]}
    members = {name: {**schema, "description": _sentence(outcomes[name])} for name, schema in input_schemas().items()}
    what = "The input of each operation. Some cases give on purpose what is none."
    return declaration("Inputs", {"description": what, "properties": members, "required": [*members]})


def _sentence(text: str) -> str:
    """What the table says of an outcome, outside its page."""
    return re.sub(r"; see \[[^\]]*\]\([^)]*\)", "", f"Outcome: {text}.")


def _lines() -> Iterator[str]:
    lines = json.loads((SUITE / "schema" / "harness.schema.json").read_bytes())["$defs"]
    for name, type_name in _LINES.items():
        yield declaration(type_name, {**lines[name], "properties": _precise(lines[name])})


def _answer() -> Iterator[str]:
    """An answer has one outcome, and may have other members beside it."""
    line = json.loads((SUITE / "schema" / "harness.schema.json").read_bytes())["$defs"]["answered"]
    members = _precise(line)
    outcomes = {name: members[name] for one in line["oneOf"] for name in one["required"]}
    beside = {name: schema for name, schema in members.items() if name not in {*outcomes, *line["required"]}}
    what = "Every outcome that an operation may have."
    yield declaration("Outcomes", {"description": what, "properties": outcomes, "required": [*outcomes]})
    yield declaration("Beside", {"description": "What may come with an outcome.", "properties": beside})
    yield _ANSWER


def _precise(line: dict[str, Any]) -> dict[str, Any]:
    return {member: _PRECISE.get(member, schema) for member, schema in line["properties"].items()}


def _facts() -> str:
    names = {
        operation: {"enum": [*family["facts"]]}
        for family in OPERATIONS["facts"]
        for operation in family["operations"]
        if family["facts"]
    }
    return declaration(
        "Facts",
        {"description": "The facts that the runner finds, by operation.", "properties": names, "required": [*names]},
    )
