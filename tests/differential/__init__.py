"""Both shipped implementations, the library and the one in JavaScript, on the same generated inputs.

Usage: python -m tests.differential [OPERATION ...] [--inputs 100000] [--seed 0] [--show 5]

Ends with 1 when they answer one input differently; an input is named by its seed, its operation and its number.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from mentionable_conformance import _facts

from tests import setup_interop
from tests.differential import cases, grammars, html, signed
from tests.differential.grammars import NOW

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT: Final = Path(__file__).resolve().parents[2]
HARNESSES: Final = ROOT / "conformance" / "harness"
BATCH: Final = 10_000
"""How many inputs go to one process of Node: its start costs as much as thousands of answers."""
GENERATORS: Final = {
    **grammars.GENERATORS,
    **html.GENERATORS,
    **cases.GENERATORS,
    **signed.GENERATORS,
}
"""Operation → what makes its inputs: a grammar of its own, or the cases of the suite."""
WHOLE: Final = frozenset({"trace.read", "trace.viewer", *signed.GENERATORS})
"""Operations of whose answers more than the value is compared: the others are doors that ask and tell more."""
NOT_COMPARED: Final = frozenset(
    {"payload", "said", "unchanged", "html", "alphabet", "padded", "whole_groups", "longest"}
)
"""Facts that depend on the order of members, or on how HTML or numbers are written: each implementation has its own."""
_MADE: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}").fullmatch
COMPARED: Final = ("value", "rejected", "diagnostics", "asks")


class Difference(NamedTuple):
    """One input that the two answer differently."""

    number: int
    input: Any
    given: dict[str, Any]
    python: Any
    node: Any


def inputs(op: str, seed: int, first: int, count: int) -> list[tuple[Any, dict[str, Any]]]:
    """The inputs of an operation from one number on; a number always has the same."""
    made = [GENERATORS[op](Random(f"{seed}/{op}/{number}")) for number in range(first, first + count)]
    return [(unit, {**NOW, **given}) for unit, given in made]


@cache
def perform() -> Callable[[str, Any, Any], dict[str, Any]]:
    """What the harness of the library does with one case."""
    sys.path.insert(0, str(HARNESSES))
    import python as harness

    return harness.perform


def python_answers(op: str, units: list[tuple[Any, dict[str, Any]]]) -> list[Any]:
    """The answers of the library, as JSON carries them."""
    return [json.loads(json.dumps(_python_answer(op, given, unit))) for unit, given in units]


def _python_answer(op: str, given: Any, unit: Any) -> dict[str, Any]:
    """One answer; none for an input that is not of the form that the harness reads."""
    try:
        return perform()(op, given, unit)
    except (ArithmeticError, AttributeError, AssertionError, LookupError, RuntimeError, TypeError, ValueError) as error:
        return {"errored": {"message": repr(error)}}


def node_answers(op: str, units: list[tuple[Any, dict[str, Any]]], node: str) -> list[Any]:
    """The answers of the harness in JavaScript, over its lines."""
    asks = [
        {"cmd": "case", "seq": seq, "op": op, "input": unit, "given": given} for seq, (unit, given) in enumerate(units)
    ]
    lines = "".join(json.dumps(ask) + "\n" for ask in [*asks, {"cmd": "stop"}])
    command = [node, str(HARNESSES / "node.mjs")]
    done = subprocess.run(
        command, input=lines, capture_output=True, text=True, encoding="utf-8", check=True, timeout=600
    )
    answers = [json.loads(line) for line in done.stdout.split("\n")[:-1]]
    if [answer.get("seq") for answer in answers] != list(range(len(units))):
        raise SystemExit(f"{op}: {len(answers)} answers to {len(units)} cases")
    return answers


def comparable(answer: dict[str, Any], op: str) -> Any:
    """What of an answer both must agree on: numbers as doubles, `true` and 1 apart."""
    if "errored" in answer:
        return "errored", answer["errored"]
    kept = {name: answer[name] for name in COMPARED if name in answer}
    if "rejected" in kept:
        return "rejected", kept["rejected"]["code"], kept.get("asks") if op in WHOLE else None
    if "bytes" in answer:
        return "bytes", answer["bytes"]
    if op in cases.OPERATIONS:
        codes = {"diagnostics": sorted(kept["diagnostics"])} if "diagnostics" in kept else {}
        kept = {"value": _value_or_facts(op, kept["value"]), **codes}
    elif op not in WHOLE:
        kept = {"value": kept["value"]}
    return _strict(kept)


def _named_by_places(clouded: Any) -> Any:
    """CloudEvents with places in place of the ids that an implementation made: each makes its own."""
    text, ids = json.dumps(clouded), [event["id"] for event in clouded["events"]]
    for id in filter(_MADE, ids):
        text = text.replace(id, f"made-{ids.index(id)}")
    return json.loads(text)


def _value_or_facts(op: str, value: Any) -> Any:
    """A value, or its facts where the suite compares those: what an implementation writes may differ in form."""
    value = _named_by_places(value) if op == "anp.cloudevent" else value
    names = [name for name in _facts.OPERATIONS.get(op, ()) if name not in NOT_COMPARED]
    return {name: _fact(op, value, name) for name in names} if names else value


def _fact(op: str, value: Any, name: str) -> Any:
    try:
        return _facts.facts(op, value, {name: None})
    except ValueError:  # the answer has no such fact, such as the trace of a response that has none
        return None


def _strict(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _strict(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_strict(item) for item in value]
    return ("number", float(value)) if type(value) in (int, float) else (type(value).__name__, value)


def differences(op: str, *, seed: int, count: int, node: str) -> Iterator[Difference]:
    """Every input of an operation that the two answer differently."""
    for first in range(0, count, BATCH):
        units = inputs(op, seed, first, min(BATCH, count - first))
        both = zip(units, python_answers(op, units), node_answers(op, units, node), strict=True)
        for number, ((unit, given), python, javascript) in enumerate(both, first):
            if "errored" not in python and comparable(python, op) != comparable(javascript, op):
                yield Difference(number, unit, given, python, javascript)


def _node() -> str:
    """Node of the set-up, or that of the machine."""
    fetched = setup_interop.program("node")
    return str(fetched) if fetched.is_file() else "node"


def main(words: list[str]) -> int:
    """Runs what the words say, and prints what differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.differential", allow_abbrev=False)
    parser.add_argument("operations", nargs="*", choices=[*GENERATORS, []], metavar="OPERATION")
    parser.add_argument("--inputs", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", type=int, default=5)
    parser.add_argument("--node", default=_node())
    wish = parser.parse_args(words)
    total = 0
    for op in wish.operations or GENERATORS:
        found = list(differences(op, seed=wish.seed, count=wish.inputs, node=wish.node))
        total += len(found)
        print(f"{op}: {wish.inputs} inputs, {len(found)} differences", flush=True)
        for one in found[: wish.show]:
            print(f"  {wish.seed}/{op}/{one.number}: {json.dumps(one.input)[:700]}")
            print(f"    python {json.dumps(one.python)[:400]}")
            print(f"    node   {json.dumps(one.node)[:400]}")
    return int(total > 0)
