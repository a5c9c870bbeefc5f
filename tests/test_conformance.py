"""The library against every conformance case, in this process and through the mapping of the shipped harness."""

from __future__ import annotations

import json
from itertools import groupby

import mentionable_conformance as suite
import pytest

from tests.mutants import harness

FILES = {name: tuple(cases) for name, cases in groupby(suite.cases(), key=lambda case: case.file)}


def answered(case: suite.Case) -> str:
    """What the library answers to a case, as JSON."""
    given, unit = json.loads(json.dumps([case.given, case.input]))
    return json.dumps(harness().perform(case.op, given, unit))


@pytest.mark.parametrize("name", FILES)
def test_every_case_of_a_file_passes_and_the_same_inputs_give_the_same_answer(name: str) -> None:
    for case in FILES[name]:
        answer = answered(case)
        assert suite.judge(case, json.loads(answer)) == (), case.id
        assert answered(case) == answer, case.id
