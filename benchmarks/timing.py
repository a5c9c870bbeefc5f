"""Times functions against each other, in turns: `Race`, and `grown` for one function at many sizes.

Times of different runs say little about each other, because machines change their pace. So the functions of a race are
measured in turns, round after round. A ratio is one of best times within one run; its spread are the ratios of the
single rounds. Times are those of the processor, so that a busy machine shows as spread alone.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping
from statistics import median, quantiles
from time import process_time
from typing import Final, NamedTuple, TypeAlias

from benchmarks.figures import Curve, Figure, LeftOut, Result, Spread
from benchmarks.peers import PEERS

Function: TypeAlias = Callable[[], object]
Functions: TypeAlias = dict[str, Function | None]
"""Name → function; None where it is not installed."""

SAMPLE_SECONDS: Final = 0.001
"""How long one sample lasts: long enough for the clock, short enough to fall between two interruptions."""

ROUNDS: Final = 150
ATTEMPTS: Final = 4
"""So often a race is run on while a bound is broken: only a busy machine can do better with more rounds."""

DOUBLING: Final = 2.6
"""Twice the size takes at most so many times as long."""


class Effort(NamedTuple):
    """How much time measuring may take.

    Attributes:
        quick: Everything once, with small units: shows that it works, and measures nothing.
        rounds: So many rounds in place of those that a race wants; None: those.
    """

    quick: bool = False
    rounds: int | None = None

    def of(self, rounds: int) -> int:
        """How many rounds a race has that wants `rounds`."""
        return 1 if self.quick else self.rounds or rounds

    def size(self, usual: int, part: int = 100) -> int:
        """How large a unit is that is `usual`."""
        return max(1, usual // part) if self.quick else usual


class Claim(NamedTuple):
    """What of a race becomes a figure: one function as a multiple of another. The bounds are those of `Figure`.

    Attributes:
        less: A function whose time is taken off first.
        doublings: How often the size was doubled from the base; the ratio is then that of one doubling.
    """

    ours: str
    against: str
    bound: float | None = None
    wanted: float | None = None
    least: float | None = None
    less: str | None = None
    doublings: int = 1

    @property
    def name(self) -> str:
        """What was measured."""
        return f"{self.ours}, less {self.less}" if self.less else self.ours


Claims: TypeAlias = tuple[Claim, ...]


class Race(NamedTuple):
    """Functions that are measured together. One that is None is not installed.

    Attributes:
        group: The table in which its figures stand.
        functions: Name → function.
        claims: The figures.
        rounds: How often everything is measured.
    """

    group: str
    functions: Mapping[str, Function | None]
    claims: Claims
    rounds: int = ROUNDS

    def run(self, effort: Effort) -> Iterator[Figure | LeftOut]:
        """Its figures. Floors and peers run apart: what a peer leaves in caches and heap must not weigh on a floor."""
        peers = [claim for claim in self.claims if claim.against in PEERS]
        for claims in ([claim for claim in self.claims if claim not in peers], peers):
            if claims:
                yield from self._heat(claims, effort)

    def _heat(self, claims: list[Claim], effort: Effort) -> list[Figure | LeftOut]:
        """The figures of some claims. More rounds are run while a bound is broken, and all rounds count."""
        names = {name for claim in claims for name in (claim.ours, claim.against, claim.less)}
        runners = {name: function for name, function in self.functions.items() if name in names and function}
        samples = sampled(runners, effort.of(self.rounds), quick=effort.quick)
        found = [self._figure(claim, samples) for claim in claims]
        for _ in range(0 if effort.quick else ATTEMPTS - 1):
            if not any(isinstance(one, Figure) and one.problem for one in found):
                break
            for name, more in sampled(runners, effort.of(self.rounds)).items():
                samples[name] += more
            found = [self._figure(claim, samples) for claim in claims]
        return found

    def _figure(self, claim: Claim, samples: Mapping[str, list[float]]) -> Figure | LeftOut:
        ours, base = samples.get(claim.ours), samples.get(claim.against)
        if ours is None or base is None:
            return LeftOut(group=self.group, name=claim.name, against=claim.against)
        less = samples[claim.less] if claim.less else [0.0] * len(ours)
        return Figure(
            group=self.group,
            name=claim.name,
            ours=min(ours) - min(less),
            against=claim.against,
            base=min(base),
            spread=spread(
                [max(0.0, one - off) / floor for one, off, floor in zip(ours, less, base, strict=True)],
                claim.doublings,
            ),
            bound=claim.bound,
            wanted=claim.wanted,
            least=claim.least,
            doublings=claim.doublings,
        )


def sampled(functions: Mapping[str, Function], rounds: int, *, quick: bool = False) -> dict[str, list[float]]:
    """Name → seconds of one call, in each round. All are called in every round, one after the other."""
    repeats = {name: 1 if quick else _repeats(function) for name, function in functions.items()}
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
    return samples


def spread(ratios: list[float], doublings: int = 1) -> Spread:
    """Where the ratios of the rounds lie, or of one doubling where the size was doubled more than once."""
    ratios = [float(ratio ** (1 / doublings)) for ratio in ratios]
    if len(ratios) < 2:
        return Spread(ratios[0], ratios[0], ratios[0])
    tenths = quantiles(ratios, n=10, method="inclusive")
    return Spread(tenths[0], median(ratios), tenths[-1])


def grown(
    group: str, plot: str, name: str, sizes: Mapping[int, Function], effort: Effort, *, rounds: int = 15
) -> Iterator[Result]:
    """How much longer twice the size takes, bounded, and the curve for a plot.

    It is the growth of a doubling in the mean of the last three. A single one may be steeper where a cache or an
    allocator ends; what grows faster than its size is steeper in all of them.

    Args:
        group: The table of the figure.
        plot: The plot of the curve.
        name: What is measured.
        sizes: Size → function; each size is twice the one before.
        effort: How much time it may take.
        rounds: How often everything is measured.
    """
    functions = {f"{size}": function for size, function in sizes.items()}
    samples = sampled(functions, effort.of(rounds), quick=effort.quick)
    figure = _growth(group, name, samples)
    for _ in range(0 if effort.quick else ATTEMPTS - 1):
        if not figure.problem:
            break
        for size, more in sampled(functions, effort.of(rounds)).items():
            samples[size] += more
        figure = _growth(group, name, samples)
    yield figure
    yield Curve(plot=plot, name=name, points=tuple((int(size), min(times)) for size, times in samples.items()))


def _growth(group: str, name: str, samples: Mapping[str, list[float]]) -> Figure:
    doublings = min(3, len(samples) - 1)
    base, *_, ours = list(samples.values())[-doublings - 1 :]
    return Figure(
        group=group,
        name=name,
        ours=min(ours),
        against="an eighth of it",
        base=min(base),
        spread=spread([whole / part for part, whole in zip(base, ours, strict=True)], doublings),
        bound=DOUBLING,
        doublings=doublings,
    )


def _repeats(function: Function) -> int:
    """How many calls make one sample."""
    repeats = 1
    while (seconds := _seconds(function, repeats)) * repeats < SAMPLE_SECONDS:
        repeats *= 2
    return max(1, round(SAMPLE_SECONDS / seconds))


def _seconds(function: Function, repeats: int) -> float:
    """Seconds for one call, out of so many, after one that fills the caches again: another function was measured."""
    function()
    start = process_time()
    for _ in range(repeats):
        function()
    return (process_time() - start) / repeats
