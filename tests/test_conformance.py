"""The library against every conformance case, in this process and through the mapping of the shipped harness."""

from __future__ import annotations

import json

import mentionable_conformance as suite
import pytest

from tests.mutants import harness

CASES = suite.cases()


@pytest.mark.parametrize("case", CASES, ids=[case.id for case in CASES])
def test_case(case: suite.Case) -> None:
    given, unit = json.loads(json.dumps([case.given, case.input]))
    answer = json.loads(json.dumps(harness().perform(case.op, given, unit)))
    assert suite.judge(case, answer) == ()


@pytest.mark.parametrize("case", CASES, ids=[case.id for case in CASES])
def test_same_inputs_same_answer(case: suite.Case) -> None:
    perform = harness().perform
    once, again = (json.dumps(perform(case.op, *json.loads(json.dumps([case.given, case.input])))) for _ in range(2))
    assert once == again
