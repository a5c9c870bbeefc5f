"""Memory: what receiving takes at its peak, and what a message keeps, beside reading the same bytes plainly.

A peak is what `tracemalloc` sees above the unit itself; the growth of a fresh process is what the system gives to it,
which counts what C code allocates and what Python does not give back. Each case reads one unit, as its room is warm.
"""

from __future__ import annotations

import gc
import json
import re
import resource
import subprocess
import sys
import tracemalloc
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from benchmarks import a2a, activitypub, mail
from benchmarks.a2a_payloads import payloads as a2a_payloads
from benchmarks.common import CREATE, SMALL_MAIL
from benchmarks.figures import Figure
from benchmarks.mail_payloads import payloads as mail_payloads
from benchmarks.page import ROOT
from benchmarks.timing import Effort, spread

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from benchmarks.figures import Result

KEPT: Final = 200
"""So many messages are kept when it is measured what one keeps."""

ROUNDS: Final = 5
"""So many processes measure each growth."""


class Case(NamedTuple):
    """A unit and its two readers.

    Attributes:
        body: Gives the unit.
        ours: Reads it with this library.
        against: What the other is.
        floor: The other.
        bounds: The largest ratios of the peak, and of what is kept.
    """

    body: Callable[[], bytes]
    ours: Callable[[bytes], object]
    against: str
    floor: Callable[[bytes], object]
    bounds: tuple[float | None, float | None]


def note() -> bytes:
    """A Create whose note has 400 KB of HTML."""
    document = json.loads(CREATE)
    document["object"]["content"] = "<p>The quick brown fox jumps over the lazy dog.</p>" * 8_000
    return json.dumps(document).encode()


CASES: Final = {
    "mail with 2 MB attached": Case(
        lambda: mail_payloads()["2 MB attachment"], mail.receive, "email parser", mail.stdlib, (0.3, None)
    ),
    "mail, newsletter of 30 KB": Case(
        lambda: mail_payloads()["30 KB newsletter"], mail.receive, "email parser", mail.stdlib, (0.7, 1.6)
    ),
    "A2A task of 20 turns": Case(
        lambda: a2a_payloads(v1=True)["task, 20 turns"], a2a.receive, "json.loads", json.loads, (1.5, 1.5)
    ),
    "ActivityPub Create": Case(
        lambda: CREATE, partial(activitypub.receive, None), "json.loads", json.loads, (1.5, 1.5)
    ),
    "ActivityPub note of 400 KB": Case(note, partial(activitypub.receive, None), "json.loads", json.loads, (1.3, 1.3)),
}


def peak(function: Callable[[bytes], object], body: bytes) -> int:
    """The most bytes that are allocated at once while it runs, the unit not counted."""
    function(body)
    tracemalloc.start()
    function(body)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most


def kept(function: Callable[[bytes], object], body: bytes, number: int) -> float:
    """The bytes that one result keeps, of several; each has bytes of its own, as units from a network have."""
    function(body)
    bodies = [bytes(bytearray(body)) for _ in range(number)]
    gc.freeze()  # what is there already need not be looked through
    tracemalloc.start()
    results = [function(one) for one in bodies]
    del bodies
    gc.collect()
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    gc.unfreeze()
    return held / len(results)


def growth(name: str, reader: str, unit: str) -> int:
    """By how many bytes a process grows that reads a unit in a file once, after a small one of its kind."""
    function: Any = CASES[name].ours if reader == "ours" else CASES[name].floor
    function(CREATE if name.startswith("ActivityPub") else SMALL_MAIL)
    body, before = Path(unit).read_bytes(), _most()
    function(body)
    return _most() - before


def _most() -> int:
    """The largest size that this process had. On Linux not by `getrusage`, which counts the process that started it."""
    try:
        found = re.search(r"VmHWM:\s*(\d+) kB", Path("/proc/self/status").read_text())
    except OSError:
        found = None
    if found:
        return int(found[1]) * 1024
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def growths(name: str, reader: str, effort: Effort) -> list[int]:
    """The same of fresh processes, one a round. Quickly, in this one, which has grown already."""
    with TemporaryDirectory() as folder:
        unit = Path(folder) / "unit"
        unit.write_bytes(CASES[name].body())
        if effort.quick:
            return [1 + growth(name, reader, str(unit))]
        program = "import sys; from benchmarks import memory; print(memory.growth(*sys.argv[1:]))"
        command = [sys.executable, "-c", program, name, reader, str(unit)]
        rounds = [
            subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
            for _ in range(effort.of(ROUNDS))
        ]
        return [max(1, int(done.stdout)) for done in rounds]


def results(effort: Effort) -> Iterator[Result]:
    """Peaks, growths of a process, and what is kept."""
    for name, case in CASES.items():
        body = case.body()
        figure = partial(_figure, against=case.against)
        yield figure(f"{name}: peak", [peak(case.ours, body)], [peak(case.floor, body)], bound=case.bounds[0])
        if case.bounds[1] is not None:
            number = effort.size(KEPT)
            ours, floor = kept(case.ours, body, number), kept(case.floor, body, number)
            yield figure(f"{name}: kept by the message", [ours], [floor], bound=case.bounds[1])
    for name, bound in (("mail with 2 MB attached", 0.4), ("ActivityPub note of 400 KB", 1.6)):
        grown, least = growths(name, "ours", effort), growths(name, "floor", effort)
        yield _figure(f"{name}: growth of a process", grown, least, CASES[name].against, bound)


def _figure(
    name: str, ours: Sequence[float], floor: Sequence[float], against: str, bound: float | None = None
) -> Figure:
    return Figure(
        group="memory",
        name=name,
        ours=min(ours),
        against=against,
        base=min(floor),
        spread=spread([one / base for one, base in zip(ours, floor, strict=True)]),
        bound=bound,
        unit="B",
    )
