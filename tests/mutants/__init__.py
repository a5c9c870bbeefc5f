"""Wrong implementations, each wrong in ONE rule, for testing the conformance suite itself.

A mutant stands between the runner and the honest harness. It changes what goes in or what comes out, and knows nothing
of the library. A mutant that no case fails is a mistake that the suite lets through. Changes of the library's own lines
are made by `tests/mutation.py`, which also says which MUST cases kill nothing.

`python -m tests.mutants` prints which case kills which mutant and which cases kill the same ones.
"""

from __future__ import annotations

import json
import marshal
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import mentionable_conformance as suite

from tests.suite_cases import every_case

ROOT = Path(__file__).resolve().parents[2]

PASS_RATE = 0.9
"""A mutant must pass so much of its area: it is wrong in one rule, not in everything."""

Perform = Callable[[str, Mapping[str, Any], Any], Mapping[str, Any]]
Wrong = Callable[[Perform, str, dict[str, Any], Any], Mapping[str, Any]]


@dataclass(frozen=True)
class Mutant:
    """An implementation that breaks one rule."""

    name: str
    area: str
    rule: str
    """What it does wrong, as a sentence that begins with a verb."""
    wrong: Wrong
    """`wrong(honest, op, given, unit)`: gives the answer; `honest` performs a case as it should be."""
    central: bool = False
    """Whether it breaks what nearly all cases of its area rest on; then its share counts against the whole suite."""
    ops: tuple[str, ...] = ()
    """The operations that it can answer wrongly; empty for any. The cases of others are not tried."""


MUTANTS: list[Mutant] = []


def mutant(area: str, rule: str, *, central: bool = False, ops: tuple[str, ...] = ()) -> Callable[[Wrong], Wrong]:
    """Registers a wrong implementation under the name of its function."""

    def register(wrong: Wrong) -> Wrong:
        MUTANTS.append(Mutant(wrong.__name__.strip("_").replace("_", "-"), area, rule, wrong, central, ops))
        return wrong

    return register


@cache
def harness() -> Any:
    """The Python harness of the suite as a module."""
    path = ROOT / "conformance" / "harness" / "python.py"
    if str(path.parent) not in sys.path:  # as it is where the harness runs by itself: it has a module beside it
        sys.path.append(str(path.parent))
    spec = spec_from_file_location("conformance_harness", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def right(op: str, given: Mapping[str, Any], unit: Any) -> Mapping[str, Any]:
    """What the honest harness answers."""
    answer: Mapping[str, Any] = harness().perform(op, given, unit)
    return answer


def _packed(value: Any) -> bytes:
    """JSON that can be unpacked many times, each time as a value of its own; quicker than its text."""
    return marshal.dumps(value, 2)


_ANSWERS: dict[bytes, bytes] = {}


def remembered(op: str, given: Mapping[str, Any], unit: Any) -> Mapping[str, Any]:
    """The same, performed once: most mutants change nothing for most cases."""
    asked = _packed([op, given, unit])
    if asked not in _ANSWERS:
        _ANSWERS[asked] = _packed(json.loads(json.dumps(right(op, given, unit))))
    answer: Mapping[str, Any] = marshal.loads(_ANSWERS[asked])
    return answer


_QUESTIONS: dict[str, bytes] = {}


def said(perform: Perform, case: suite.Case) -> str:
    """The JSON of the answer to a case; an exception is an answer too, that no case expects."""
    if case.id not in _QUESTIONS:
        _QUESTIONS[case.id] = _packed(json.loads(json.dumps([case.given, case.input])))
    given, unit = marshal.loads(_QUESTIONS[case.id])
    try:
        return json.dumps(perform(case.op, given, unit))
    except Exception as error:
        return json.dumps({"errored": {"message": f"{type(error).__name__}: {error}"}})


def ask(perform: Perform, case: suite.Case) -> Mapping[str, Any]:
    """The answer to a case."""
    answer: Mapping[str, Any] = json.loads(said(perform, case))
    return answer


@cache
def _by_id() -> Mapping[str, suite.Case]:
    """The cases by their ids."""
    return {case.id: case for case in every_case()}


@cache
def area_cases(area: str) -> tuple[suite.Case, ...]:
    """The cases of an area, that the honest harness passes."""
    found = tuple(case for case in every_case() if case.area == area)
    return tuple(case for case in found if not suite.judge(case, ask(remembered, case)))


@cache
def _rightly_said(case_id: str) -> str:
    """The JSON of what the honest harness answers to a case."""
    return said(remembered, _by_id()[case_id])


def concerned(one: Mutant) -> Iterator[suite.Case]:
    """The cases that a mutant may answer wrongly."""
    for case in area_cases(one.area):
        if not one.ops or case.op in one.ops:
            yield case


def killers(one: Mutant) -> tuple[str, ...]:
    """The ids of the cases that this mutant fails."""

    def perform(op: str, given: Mapping[str, Any], unit: Any) -> Mapping[str, Any]:
        return one.wrong(remembered, op, dict(given), unit)

    def differs(case: suite.Case) -> bool:
        answer = said(perform, case)
        return answer != _rightly_said(case.id) and bool(suite.judge(case, json.loads(answer)))

    return tuple(case.id for case in concerned(one) if differs(case))


def most_kills(one: Mutant) -> float:
    """How many cases a mutant may fail."""
    cases = every_case() if one.central else area_cases(one.area)
    return len(cases) * (1 - PASS_RATE) + 1e-9


def registry() -> tuple[Mutant, ...]:
    """Every mutant of every area."""
    for module in sorted(path.stem for path in Path(__file__).parent.glob("_[a-z0-9]*.py") if path.stem != "__main__"):
        import_module(f"{__name__}.{module}")
    return tuple(MUTANTS)


def equal_kill_sets(kills: Mapping[str, Iterable[str]]) -> dict[frozenset[str], list[str]]:
    """Cases that kill exactly the same mutants, to be merged or to be explained in `why`."""
    by_case: dict[str, set[str]] = defaultdict(set)
    for name, ids in kills.items():
        for case_id in ids:
            by_case[case_id].add(name)
    groups: dict[frozenset[str], list[str]] = defaultdict(list)
    for case_id, names in by_case.items():
        groups[frozenset(names)].append(case_id)
    return {names: sorted(ids) for names, ids in groups.items() if len(ids) > 1}
