"""Times functions against each other: in turns, best of many, as ratios to the first.

Times of different runs say little about each other, because machines change their pace. So every function is
measured in every round, and what counts is its best time and the ratio of best times within one run.
"""

from __future__ import annotations

import gc
from dataclasses import dataclass
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

SAMPLE_SECONDS = 0.001
"""How long one sample lasts: long enough for the clock, short enough to fall between two interruptions."""


@dataclass(frozen=True, kw_only=True)
class Timing:
    """What one function took."""

    name: str
    best: float
    """Seconds for one call."""
    spread: float
    """How far the median lies above the best, as a part of the best. Above 0.2 the machine was busy."""
    ratio: float
    """Best time, as a multiple of the first function's."""


def measure(functions: Mapping[str, Callable[[], object]], *, rounds: int = 150) -> tuple[Timing, ...]:
    """The timings of the functions, in their order; the first one is the base of the ratios."""
    repeats = {name: _repeats(function) for name, function in functions.items()}
    samples: dict[str, list[float]] = {name: [] for name in functions}
    collecting = gc.isenabled()
    gc.disable()
    try:
        for _ in range(rounds):
            for name, function in functions.items():
                samples[name].append(_seconds(function, repeats[name]))
    finally:
        if collecting:
            gc.enable()
    best = {name: min(times) for name, times in samples.items()}
    base = next(iter(best.values()))
    return tuple(
        Timing(name=name, best=best[name], spread=median(times) / best[name] - 1, ratio=best[name] / base)
        for name, times in samples.items()
    )


def table(timings: Sequence[Timing]) -> str:
    """The timings as lines of text: microseconds, ratio to the first, spread."""
    width = max(len(timing.name) for timing in timings)
    lines = [f"{'':{width}}  {'best µs':>10}  {'ratio':>7}  {'spread':>6}"]
    lines += [
        f"{timing.name:{width}}  {timing.best * 1e6:10.1f}  {timing.ratio:7.2f}  {timing.spread:6.0%}"
        for timing in timings
    ]
    return "\n".join(lines)


def above(timings: Sequence[Timing], bounds: Mapping[str, float]) -> list[str]:
    """A sentence for each function whose ratio is above its bound."""
    return [
        f"{timing.name}: {timing.ratio:.2f} × {timings[0].name}, the bound is {bounds[timing.name]:.2f} ×"
        for timing in timings
        if timing.name in bounds and timing.ratio > bounds[timing.name]
    ]


def checked(
    functions: Mapping[str, Callable[[], object]], bounds: Mapping[str, float], *, attempts: int = 4
) -> tuple[tuple[Timing, ...], list[str]]:
    """The timings and what is above its bound, measured again while anything is: only a busy machine can do better."""
    timings = measure(functions)
    while (problems := above(timings, bounds)) and attempts > 1:
        attempts -= 1
        timings = measure(functions)
    return timings, problems


def _repeats(function: Callable[[], object]) -> int:
    """How many calls make one sample."""
    repeats = 1
    while (seconds := _seconds(function, repeats)) * repeats < SAMPLE_SECONDS:
        repeats *= 2
    return max(1, round(SAMPLE_SECONDS / seconds))


def _seconds(function: Callable[[], object], repeats: int) -> float:
    """Seconds for one call, out of so many, after one that fills the caches again: another function was measured."""
    function()
    start = perf_counter()
    for _ in range(repeats):
        function()
    return (perf_counter() - start) / repeats
