"""The shape in which every script gives what it found.

A script has `results(effort)`, which yields `Figure`, `Curve`, and `LeftOut` for what could not run here.
`benchmarks/run.py` prints them, holds the bounds, and writes them onto docs/performance.md.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, NamedTuple, TypeAlias


class Spread(NamedTuple):
    """Where the ratios of single rounds lie: the middle one, and the ends of the middle eight tenths."""

    low: float
    median: float
    high: float


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One number of the results: what something of this library takes, as a multiple of something else.

    Attributes:
        group: The table in which it stands.
        name: What was measured.
        ours: What it takes, at best.
        against: With what it is compared: a floor, or a peer that `benchmarks/peers.py` describes.
        base: What that takes, at best.
        spread: The ratios of single rounds.
        bound: The largest ratio that it may have; None: any.
        wanted: The ratio that was aimed at, where that is another.
        least: The smallest ratio that it may have.
        unit: `s` for seconds, `B` for bytes.
        doublings: How often the size was doubled between the two; the ratio is then that of one doubling.
        scale: What its bound is multiplied by on this machine: see `benchmarks/reference.py`.
    """

    group: str
    name: str
    ours: float
    against: str
    base: float
    spread: Spread
    bound: float | None = None
    wanted: float | None = None
    least: float | None = None
    unit: str = "s"
    doublings: int = 1
    scale: float = 1.0

    @property
    def ratio(self) -> float:
        """`ours` as a multiple of `base`."""
        return float((self.ours / self.base) ** (1 / self.doublings))

    @property
    def is_over(self) -> bool:
        """Whether it is over its bound for this machine."""
        return self.bound is not None and self.ratio > self.bound * self.scale

    @property
    def problem(self) -> str | None:
        """A sentence if it is beyond a bound."""
        if self.bound is not None and self.is_over:
            here = f", {self.bound * self.scale:.2f} on this machine" if self.scale > 1 else ""
            limit = f"the bound is {self.bound:.2f}{here}"
        elif self.least is not None and self.ratio < self.least:
            limit = f"at least {self.least:.2f} is wanted"
        else:
            return None
        return f"{self.group}, {self.name}: {self.ratio:.2f} × {self.against}, {limit}"


@dataclass(frozen=True, kw_only=True)
class Curve:
    """What something takes at many sizes, as a line of a plot.

    Attributes:
        plot: The plot, one of `benchmarks/plots.py`.
        name: What the line is.
        points: Size and best seconds, in order of size.
    """

    plot: str
    name: str
    points: tuple[tuple[int, float], ...]


@dataclass(frozen=True, kw_only=True)
class LeftOut:
    """A figure that could not be had here: a peer is not installed, or the mails of others were not fetched."""

    group: str
    name: str
    against: str


Result: TypeAlias = Figure | Curve | LeftOut

_KINDS: dict[str, type[Figure | Curve | LeftOut]] = {kind.__name__: kind for kind in (Figure, Curve, LeftOut)}


def as_data(result: Result) -> dict[str, Any]:
    """A result as JSON."""
    return {"kind": type(result).__name__, **asdict(result)}


def from_data(data: dict[str, Any]) -> Result:
    """A result out of JSON."""
    members = {name: value for name, value in data.items() if name != "kind"}
    if "spread" in members:
        members["spread"] = Spread(*members["spread"])
    if "points" in members:
        members["points"] = tuple((size, seconds) for size, seconds in members["points"])
    return _KINDS[data["kind"]](**members)
