"""The results as text for the terminal, and on docs/performance.md: tables between markers, the prose stays."""

from __future__ import annotations

import os
import platform
import re
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Final

from benchmarks import rates
from benchmarks.figures import Curve, Figure, LeftOut
from benchmarks.peers import PEERS
from benchmarks.plots import PLOTS, amount, drawn, duration

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from benchmarks.figures import Result

ROOT: Final = Path(__file__).resolve().parents[1]
PAGE: Final = ROOT / "docs" / "performance.md"
IMAGES: Final = ROOT / "docs" / "images"

LIBRARIES: Final = ("mentionable", "attrs", "cattrs", "cryptography", "PyJWT", "nh3", "markdown-it-py")
"""What is ours and what it stands on, as far as it weighs on the figures."""

COLUMNS: Final = (
    f"{'':58}  {'takes':>10}  {'that takes':>10}  {'ratio':>8}  {'of single rounds':<26}  {'bound':<26}  against"
)
"""The heads of the columns of `printed`."""

HEAD: Final = "| what | takes | against | that takes | ratio | of single rounds | bound |"


def printed(figure: Figure | LeftOut) -> str:
    """A result as a line for the terminal."""
    if isinstance(figure, LeftOut):
        return f"{figure.name:<58}  left out: {figure.against} is not at hand"
    low, middle, high = figure.spread
    times = f"{measure(figure.ours, figure.unit):>10}  {measure(figure.base, figure.unit):>10}"
    ratios = f"{figure.ratio:8.3g}  {middle:6.3g} ({low:.3g} to {high:.3g})"
    return f"{figure.name:<58}  {times}  {ratios:<36}  {_limits(figure):<26}  {figure.against}".rstrip()


def names_on(text: str) -> dict[str, list[tuple[str, str]]]:
    """Group → what was measured and against what, as the tables of a page have them."""
    return {group: [(row[0], row[2]) for row in rows] for group, rows in _tables_on(text).items()}


def _tables_on(text: str) -> dict[str, list[list[str]]]:
    """Group → the cells of its rows."""
    found = {}
    for group, table in re.findall(r"(?ms)^<!-- ([\w-]+) -->\n(.*?)^<!-- /\1 -->$", text):
        if table.startswith(HEAD):
            found[group] = [[cell.strip() for cell in line[1:-1].split("|")] for line in table.splitlines()[2:]]
    return found


def ratios_on(text: str) -> dict[tuple[str, str, str], float]:
    """Group, what was measured and against what → its ratio, as the tables of a page have them."""
    return {
        (group, row[0], row[2]): float(row[4]) for group, rows in _tables_on(text).items() for row in rows if row[4]
    }


def filled(text: str, results: Sequence[Result]) -> str:
    """The page with new tables."""
    groups = list(dict.fromkeys(one.group for one in results if not isinstance(one, Curve)))
    text = _put(text, "machine", machine())
    text = _put(text, "peers", peers())
    for group in groups:
        text = _put(text, group, table([one for one in results if not isinstance(one, Curve) and one.group == group]))
    return text


def plots(results: Sequence[Result]) -> dict[Path, str]:
    """File → drawing."""
    curves = [one for one in results if isinstance(one, Curve)]
    names = dict.fromkeys(one.plot for one in curves)
    found = {IMAGES / f"{name}.svg": drawn(PLOTS[name], [one for one in curves if one.plot == name]) for name in names}
    return {IMAGES / "rates.svg": rates.drawn(results), **found}


def table(figures: Iterable[Figure | LeftOut]) -> str:
    """The figures of a group as a table of Markdown."""
    return "\n".join([HEAD, "| --- " * 7 + "|", *map(_row, figures), ""])


def _row(figure: Figure | LeftOut) -> str:
    if isinstance(figure, LeftOut):
        return f"| {figure.name} | | {figure.against} | not at hand | | | |"
    low, middle, high = figure.spread
    cells = (
        figure.name,
        measure(figure.ours, figure.unit),
        figure.against,
        measure(figure.base, figure.unit),
        f"{figure.ratio:.3g}",
        f"{middle:.3g} ({low:.3g} to {high:.3g})",
        _limits(figure),
    )
    return f"| {' | '.join(cells)} |".replace("|  |", "| |")


def _limits(figure: Figure) -> str:
    least = f"at least {figure.least:g}" if figure.least is not None else ""
    bound = f"{figure.bound:g}" if figure.bound is not None else least
    if figure.bound is not None and figure.scale > 1:
        bound += f" ({figure.bound * figure.scale:.3g} here)"
    return f"{bound}, wanted {figure.wanted:g}" if figure.wanted is not None else bound


def measure(value: float, unit: str) -> str:
    """Seconds or bytes, in the unit in which they read best."""
    return duration(value) if unit == "s" else amount(value)


def machine() -> str:
    """Where and with what it was measured."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    python = f"{platform.python_implementation()} {platform.python_version()}"
    versions = ", ".join(f"{name} {_version(name)}" for name in LIBRARIES)
    return (
        f"{python} on {platform.system()} ({platform.machine()}), {cores} cores, {_processor()}; "
        f"{datetime.now(UTC):%Y-%m-%d}.\nWith {versions}.\n"
    )


def peers() -> str:
    """What the peers do and do not do of the same work."""
    head = ["| peer | version | of the same work it does | it does not | it also does |", "| --- " * 5 + "|"]
    rows = [
        f"| {name} | {_version(peer.package)} | {peer.does} | {peer.lacks} | {peer.more} |"
        for name, peer in PEERS.items()
    ]
    return "\n".join([*head, *(row.replace("|  |", "| |") for row in rows), ""])


def _put(text: str, name: str, body: str) -> str:
    start, end = f"<!-- {name} -->\n", f"<!-- /{name} -->\n"
    head, found, rest = text.partition(start)
    _, closed, tail = rest.partition(end)
    if not (found and closed):
        raise SystemExit(f"{PAGE.relative_to(ROOT)} has no place for {name}: {start.strip()} and {end.strip()}")
    return f"{head}{start}{body}{end}{tail}"


def _processor() -> str:
    """The processor as its system calls it."""
    try:
        found = re.search(r"(?m)^model name\s*: (.+)$", Path("/proc/cpuinfo").read_text())
    except OSError:
        found = None
    return found[1].strip() if found else platform.processor() or "a processor without a name"


def _version(package: str | None) -> str:
    if package is None:
        return "of Python"
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
