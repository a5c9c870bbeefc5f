"""The library against every conformance case, in this process and through the mapping of the shipped harness."""

from __future__ import annotations

import json
from itertools import groupby
from typing import Final

import mentionable_conformance as suite
import pytest

from tests.mutants import harness
from tests.suite_cases import every_case

FILES = {name: tuple(cases) for name, cases in groupby(every_case(), key=lambda case: case.file)}

FEW: Final = 4
"""Of the cases of a file each fourth is asked again after all of them: tests/test_laws.py asks more."""


def answered(case: suite.Case) -> str:
    """What the library answers to a case, as JSON."""
    given, unit = json.loads(json.dumps([case.given, case.input]))
    return json.dumps(harness().perform(case.op, given, unit))


@pytest.mark.parametrize("name", FILES)
def test_every_case_of_a_file_passes_and_the_same_inputs_give_the_same_answer(name: str) -> None:
    answers = [answered(case) for case in FILES[name]]
    for case, answer in zip(FILES[name], answers, strict=True):
        assert suite.judge(case, json.loads(answer)) == (), case.id
    for case, answer in list(zip(FILES[name], answers, strict=True))[::FEW]:
        assert answered(case) == answer, case.id
