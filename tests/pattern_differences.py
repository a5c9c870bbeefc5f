"""Every pattern of the library on two interpreters: do both match the same of generated strings?

Patterns that old interpreters are known to match wrongly are among them: these must differ. `tests/pythons.py` runs it.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tests.packages import ROOT
from tests.pattern_strings import CHUNK, Plan, plan
from tests.patterns import all_patterns

if TYPE_CHECKING:
    from collections.abc import Sequence

PLANTED: Final = {
    "planted: a possessive group that fails half-way": re.compile(r"[a-z]++(?: ++[a-z]++)*+"),
    "planted: a possessive group with a negative look-ahead": re.compile(r"(?:[^<]++|<(?!b))*+"),
}
"""What CPython before 3.11.5 matches wrongly (its issues 106052 and 100061)."""

RIGHT_SINCE: Final = (3, 11, 5)


class Difference(NamedTuple):
    """A pattern that two interpreters match differently, with the first string that shows it."""

    name: str
    text: str
    results: tuple[str, str]

    def __str__(self) -> str:
        return f"{self.name}: of {self.text} the old one makes {self.results[0]}, the new one {self.results[1]}"


def differences(pythons: Sequence[str], plans: Sequence[Plan], number: int) -> list[Difference]:
    """The patterns that two interpreters match differently."""
    chunks = -(-number // CHUNK)
    with ThreadPoolExecutor(2) as pool:
        old, new = pool.map(lambda python: _run(python, plans, str(chunks)), pythons)
    return [
        _first(pythons, one, _chunk(of_old, of_new))
        for one, of_old, of_new in zip(plans, old, new, strict=True)
        if of_old != of_new
    ]


def _chunk(old: Any, new: Any) -> int | None:
    """The first chunk in which results differ; None when one of them cannot even compile the pattern."""
    if isinstance(old, str) or isinstance(new, str):
        return None
    return next(number for number, pair in enumerate(zip(old, new, strict=True)) if pair[0] != pair[1])


def _first(pythons: Sequence[str], one: Plan, chunk: int | None) -> Difference:
    """The first string of a chunk that shows the difference."""
    if chunk is None:
        return Difference(one.name, repr(one.text), ("compiles or not", "the other way"))
    ((old,), (new,)) = (_run(python, [one], str(chunk), "details") for python in pythons)
    pairs = zip(old, new, strict=True)
    text, results = next((a[0], (a[1], b[1])) for a, b in pairs if a != b)
    return Difference(one.name, text, results)


def _run(python: str, plans: Sequence[Plan], *arguments: str) -> list[Any]:
    """What an interpreter makes of the plans."""
    done = subprocess.run(
        [python, "-m", "tests.pattern_results", *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": "0"},
        input=json.dumps(plans),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"{python}: {done.stderr.strip()[-2000:]}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def compare(old: str, new: str, number: int, *, planted: bool) -> list[str]:
    """What is wrong: each pattern of the library that differs, and each planted one that does not.

    Args:
        old: An interpreter.
        new: Another one.
        number: How many strings each pattern gets.
        planted: Whether the planted patterns must differ.
    """
    plans = [plan(name, pattern) for name, pattern in [*all_patterns(), *PLANTED.items()]]
    found = differences((old, new), plans, number)
    wrong = [str(one) for one in found if one.name not in PLANTED]
    if planted:
        wrong += [f"{name}: no difference was found" for name in PLANTED if name not in {one.name for one in found}]
    return wrong
