"""The plots of the results, as SVG: what takes how long at which size. They read well on light and on dark pages."""

from __future__ import annotations

from html import escape
from math import ceil, floor, log10
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.figures import Curve


class Plot(NamedTuple):
    """What a plot shows.

    Attributes:
        title: Its title.
        x: What the sizes count.
        linear: Both axes linear from nought; otherwise both logarithmic, where every straight line that is as steep as
            the dashed one is linear growth.
    """

    title: str
    x: str
    linear: bool = False


PLOTS: Final = {
    "scaling-size": Plot("Receiving, by the size of the message", "bytes"),
    "scaling-parts": Plot("Receiving, by the number of parts", "parts"),
    "scaling-history": Plot("Receiving, by the number of prior turns", "turns"),
    "scaling-signatures": Plot("Verifying, by the number of signatures", "signatures"),
    "scaling-outgoing": Plot("Traces and addressees, by their number", "tool calls or recipients"),
    "anp-linear": Plot("Decisions through the ledger, each read, decided and stored", "decisions", linear=True),
}

LEFT, TOP, WIDE, HIGH = 70, 48, 440, 250
_LIGHT: Final = ("#0b62a4", "#b3500a", "#1a7f4b", "#8b3fa0", "#a3262f", "#5c6370", "#007c89", "#7a6a00")
_DARK: Final = ("#6cb8f5", "#f5a35c", "#5fd39a", "#d59be8", "#ff8d92", "#b8c0cc", "#52d0de", "#d8c64a")


class _Axis(NamedTuple):
    """Where values lie between two ends of an axis."""

    low: float
    high: float
    start: float
    length: float
    linear: bool

    def at(self, value: float) -> float:
        """The place of a value."""
        if self.linear:
            return self.start + self.length * (value - self.low) / (self.high - self.low)
        return self.start + self.length * log10(value / self.low) / log10(self.high / self.low)


def drawn(plot: Plot, curves: Sequence[Curve]) -> str:
    """A plot as an SVG document."""
    across, up = _axes(plot, curves)
    lines = [_line(number, curve, across, up) for number, curve in enumerate(curves)]
    height = TOP + HIGH + 56
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 {height}" font-family="sans-serif" '
            f'font-size="12" role="img">',
            f"<title>{escape(plot.title)}</title>",
            style(),
            f'<rect class="page" width="760" height="{height}"/>',
            f'<text class="text" x="{LEFT}" y="26" font-size="15">{escape(plot.title)}</text>',
            *_grid(plot, curves, across, up),
            _guide(plot, curves, across, up),
            *lines,
            *_labels(curves, up),
            "</svg>",
            "",
        ]
    )


def _axes(plot: Plot, curves: Sequence[Curve]) -> tuple[_Axis, _Axis]:
    sizes = [size for curve in curves for size, _ in curve.points]
    times = [seconds for curve in curves for _, seconds in curve.points]
    if plot.linear:
        low, high, bottom, top = 0.0, float(max(sizes)), 0.0, max(times) * 1.1
    else:
        low, high = float(min(sizes)), float(max(sizes))
        bottom, top = 10.0 ** floor(log10(min(times))), 10.0 ** ceil(log10(max(times)))
    return _Axis(low, high, LEFT, WIDE, plot.linear), _Axis(bottom, top, TOP + HIGH, -HIGH, plot.linear)


def style() -> str:
    """The colours of everything, light and dark."""

    def rules(page: str, text: str, grid: str, colours: Sequence[str]) -> str:
        named = "".join(
            f".s{number}{{stroke:{colour}}}.f{number}{{fill:{colour}}}" for number, colour in enumerate(colours)
        )
        return f".page{{fill:{page}}}.text{{fill:{text}}}.grid{{stroke:{grid}}}{named}"

    light, dark = rules("#fff", "#333", "#ddd", _LIGHT), rules("#15191f", "#ccd3dc", "#333b46", _DARK)
    return f"<style>{light}@media (prefers-color-scheme:dark){{{dark}}}</style>"


def _grid(plot: Plot, curves: Sequence[Curve], across: _Axis, up: _Axis) -> list[str]:
    """The marks of both axes, with lines across the plot."""
    if plot.linear:
        sizes = [int(across.high * part / 4) for part in range(5)]
        times = [up.high / 1.1 * part / 4 for part in range(5)]
    else:
        sizes = sorted({size for curve in curves for size, _ in curve.points})
        sizes = sizes[:: ceil(len(sizes) / 8)]
        times = [up.low * 10**step for step in range(round(log10(up.high / up.low)) + 1)]
    marks = [
        f'<path class="grid" d="M{LEFT},{up.at(time):.1f}h{WIDE}"/>'
        f'<text class="text" x="{LEFT - 8}" y="{up.at(time) + 4:.1f}" text-anchor="end">{duration(time)}</text>'
        for time in times
    ]
    marks += [
        f'<text class="text" x="{across.at(size):.1f}" y="{TOP + HIGH + 20}" text-anchor="middle">'
        f"{_count(size, plot.x)}</text>"
        for size in sizes
    ]
    middle = LEFT + WIDE / 2
    return [
        *marks,
        f'<text class="text" x="{middle}" y="{TOP + HIGH + 44}" text-anchor="middle">{escape(plot.x)} '
        "(dashed: linear)</text>",
    ]


def _guide(plot: Plot, curves: Sequence[Curve], across: _Axis, up: _Axis) -> str:
    """The dashed line: what grows like the size."""
    if plot.linear:
        size, seconds = curves[0].points[-1]
        ends = [(0.0, 0.0), (float(size), seconds)]
    else:
        steps = min(up.high / up.low, across.high / across.low)
        ends = [(across.low, up.low), (across.low * steps, up.low * steps)]
    (x, y), (right, top) = [(across.at(size), up.at(seconds)) for size, seconds in ends]
    return f'<path d="M{x:.1f},{y:.1f}L{right:.1f},{top:.1f}" stroke="#999" stroke-dasharray="6 4" fill="none"/>'


def _line(number: int, curve: Curve, across: _Axis, up: _Axis) -> str:
    places = [(across.at(size), up.at(seconds)) for size, seconds in curve.points]
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3"/>' for x, y in places)
    return (
        f'<polyline class="s{number}" points="{points}" stroke-width="2" fill="none"/><g class="f{number}">{dots}</g>'
    )


def _labels(curves: Sequence[Curve], up: _Axis) -> list[str]:
    """The names of the lines, each beside the end of its own, none over another."""
    ends = sorted((up.at(curve.points[-1][1]), number) for number, curve in enumerate(curves))
    placed, last = [], 0.0
    for y, number in ends:
        last = max(y + 4, last + 16)
        placed.append(
            f'<text class="f{number}" x="{LEFT + WIDE + 12}" y="{last:.1f}">{escape(curves[number].name)}</text>'
        )
    return placed


def duration(seconds: float) -> str:
    """A time in the unit in which it reads best."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{_rounded(seconds / size)} {unit}"
    return "0 s" if not seconds else f"{_rounded(seconds * 1e6)} µs"


def amount(size: float) -> str:
    """So many bytes."""
    for unit, whole in (("MB", 1e6), ("KB", 1e3)):
        if size >= whole:
            return f"{_rounded(size / whole)} {unit}"
    return f"{size:.0f} bytes"


def _rounded(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _count(size: int, of: str) -> str:
    return f"{size / 1024:g} KiB" if of == "bytes" else f"{size:,}"
