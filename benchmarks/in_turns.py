"""Measuring several functions in turns, so that a busy machine slows all of them alike and their ratios hold."""

from __future__ import annotations

import gc
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

ROUNDS: Final = 25
SECONDS_A_ROUND: Final = 0.01


def best_times(functions: Sequence[Callable[[bytes], Any]], argument: bytes) -> list[float]:
    """The shortest time in seconds that each function took for `argument`, the collector switched off."""
    runs = [_runs(function, argument) for function in functions]
    best = [float("inf")] * len(functions)
    collecting = gc.isenabled()
    gc.disable()
    try:
        for _ in range(ROUNDS):
            for place, function in enumerate(functions):
                start = perf_counter()
                for _ in range(runs[place]):
                    function(argument)
                best[place] = min(best[place], (perf_counter() - start) / runs[place])
            gc.collect()
    finally:
        if collecting:
            gc.enable()
    return best


def _runs(function: Callable[[bytes], Any], argument: bytes) -> int:
    """How often to run a function so that a round is long enough to be measured."""
    function(argument)
    start = perf_counter()
    function(argument)
    return max(1, min(5_000, int(SECONDS_A_ROUND / max(perf_counter() - start, 1e-7))))
