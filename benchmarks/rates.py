"""The plot that docs/performance.md begins with: how many messages a second one core takes, ours, peers, and the limit.

The limit is what no reader can be without: parsing the JSON alone. For mail it is the fastest parser that is compared.
"""

from __future__ import annotations

from html import escape
from math import ceil, floor, log10
from typing import TYPE_CHECKING, Final, NamedTuple, TypeGuard

from benchmarks.figures import Figure
from benchmarks.peers import PEERS
from benchmarks.plots import style

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from benchmarks.figures import Result

UNITS: Final = (
    ("A2A message of one part", "a2a", "v1.0 message, 1 part"),
    ("A2A task of 20 turns", "a2a", "v1.0 task, 20 turns"),
    ("ActivityPub Create", "activitypub", "Create, sender known"),
    ("Mail of 3 KB", "mail", "3 KB plain"),
    ("Newsletter of 30 KB", "mail", "30 KB newsletter"),
    ("Mail with 2 MB attached", "mail", "2 MB attachment"),
)
"""What a row of the plot is called, and the group and the name of its figures."""

OURS: Final = "mentionable"
WITH_SPEED: Final = "mentionable[speed]"
SPEED: Final = ", with pybase64"
"""The end of the name of a figure with the extra `speed`."""

_LEFT, _WIDE, _ROW, _TOP = 250, 430, 19, 62
_KINDS: Final = {"ours": 0, "peer": 1, "limit": 5}
"""What a dot stands for → its colour."""


class Dot(NamedTuple):
    """One line of the plot.

    Attributes:
        name: Who reads.
        kind: Ours, a peer, or the limit.
        rate: Messages a second.
    """

    name: str
    kind: str
    rate: float


def dots(results: Sequence[Result]) -> dict[str, list[Dot]]:
    """Unit → who reads how many of it a second, the fastest first."""
    found: dict[str, list[Dot]] = {}
    for title, group, name in UNITS:
        figures = [one for one in results if _is_of(one, group, name)]
        if figures:
            others = [Dot(one.against, "peer" if one.against in PEERS else "limit", 1 / one.base) for one in figures]
            ours = [Dot(OURS, "ours", 1 / min(one.ours for one in figures))]
            ours += [Dot(WITH_SPEED, "ours", 1 / one.ours) for one in results if _is_of(one, group, f"{name}{SPEED}")]
            found[title] = sorted([*ours, *others], key=lambda dot: -dot.rate)
    return found


def _is_of(result: Result, group: str, name: str) -> TypeGuard[Figure]:
    return isinstance(result, Figure) and (result.group, result.name) == (group, name)


def drawn(results: Sequence[Result]) -> str:
    """The plot as an SVG document."""
    units = dots(results)
    rates = [dot.rate for lines in units.values() for dot in lines]
    low, high = 10.0 ** floor(log10(min(rates))), 10.0 ** ceil(log10(max(rates)))
    height = _TOP + _ROW * sum(len(lines) + 1.4 for lines in units.values()) + 20

    def at(rate: float) -> float:
        return _LEFT + _WIDE * log10(rate / low) / log10(high / low)

    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 {height:.0f}" font-family="sans-serif" '
            f'font-size="12" role="img">',
            "<title>Messages a second on one core</title>",
            style(),
            f'<rect class="page" width="760" height="{height:.0f}"/>',
            '<text class="text" x="20" y="26" font-size="15">Messages a second on one core (the further right the '
            "faster)</text>",
            *_grid(low, high, at, height),
            *_rows(units, at),
            "</svg>",
            "",
        ]
    )


def _grid(low: float, high: float, at: Callable[[float], float], height: float) -> Iterator[str]:
    for step in range(round(log10(high / low)) + 1):
        x = at(low * 10**step)
        yield f'<path class="grid" d="M{x:.1f},{_TOP - 8}V{height - 12:.0f}"/>'
        yield f'<text class="text" x="{x:.1f}" y="{_TOP - 14}" text-anchor="middle">{low * 10**step:,.0f}</text>'


def _rows(units: dict[str, list[Dot]], at: Callable[[float], float]) -> Iterator[str]:
    y = float(_TOP)
    for title, lines in units.items():
        y += _ROW
        yield f'<text class="text" x="20" y="{y:.1f}" font-weight="bold">{escape(title)}</text>'
        for dot in lines:
            y += _ROW
            colour = _KINDS[dot.kind]
            weight = ' font-weight="bold"' if dot.kind == "ours" else ""
            yield f'<text class="f{colour}" x="36" y="{y:.1f}"{weight}>{escape(dot.name)}</text>'
            yield f'<circle class="f{colour}" cx="{at(dot.rate):.1f}" cy="{y - 4:.1f}" r="5"/>'
            yield f'<text class="text" x="{at(dot.rate) + 10:.1f}" y="{y:.1f}" font-size="10">{_count(dot.rate)}</text>'
        y += _ROW * 0.4


def _count(rate: float) -> str:
    """Two digits that count: the third changes from run to run."""
    digits = 10 ** max(0, floor(log10(rate)) - 1)
    return f"{round(rate / digits) * digits:,.0f}"
