"""Threads share what the library remembers, and nothing else: each gets the answers that it would get alone."""

from __future__ import annotations

import random
import sys
from concurrent.futures import ThreadPoolExecutor

import mentionable_conformance as suite
import pytest

from tests.mutants import ask, harness
from tests.suite_cases import every_case

THREADS = 4


@pytest.fixture
def hasty():
    """Threads take turns as often as they can, where they take turns at all."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.uncounted
def test_threads_do_not_disturb_each_other(hasty):
    turns = getattr(sys, "_is_gil_enabled", lambda: True)()
    chosen = every_case()[:: 80 if turns else 1]  # where threads do run at the same time, all of them

    def run(number: int) -> list[str]:
        mine = list(chosen)
        random.Random(number).shuffle(mine)
        return [case.id for case in mine if suite.judge(case, ask(harness().perform, case))]

    with ThreadPoolExecutor(THREADS) as pool:
        assert list(pool.map(run, range(THREADS))) == [[]] * THREADS
