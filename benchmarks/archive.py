"""A mail archive to Parquet on Dask (`examples/archive`), with one worker and with two.

All ways are measured in turns in one cluster, by the clock on the wall: in one process without Dask, by one worker, by
two. Every round writes all files anew, and syncs them.

`benchmarks/run.py` runs it in the environment of the frameworks, which `python tests/setup_interop.py` makes.
"""

from __future__ import annotations

import random
import shutil
import sys
import tempfile
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Final

from benchmarks.common import NOW
from benchmarks.figures import Figure
from benchmarks.mail_payloads import payloads
from benchmarks.page import ROOT
from benchmarks.timing import ATTEMPTS, Effort, spread

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from dask.distributed import Client
    from job import Job
    from mailboxes import Piece

    from benchmarks.figures import Result

EXAMPLE: Final = ROOT / "examples" / "archive"
ALONE, ONE, TWO = "one process, without Dask", "one worker", "two workers"
BOUND: Final = 0.588
"""The time of two workers, as a part of that of one: 1.7 times as fast, on two processors that are free."""

MAILS: Final = 5_000
ROUNDS: Final = 5
PIECE_BYTES: Final = 2_097_152
SHARES: Final = {"3 KB plain": 890, "30 KB newsletter": 100, "2 MB attachment": 5, "500 parts": 5}
"""How many of a thousand mails are of which kind."""


def make_archive(path: Path, mails: int) -> None:
    """An mbox of mails of several kinds, each with an id of its own, and one in a hundred without a sender."""
    chance, kinds = random.Random(20261122), payloads()
    names = chance.choices(list(SHARES), list(SHARES.values()), k=mails)
    with path.open("wb") as file:
        for number, name in enumerate(names):
            raw = kinds[name].replace(b"<reply@", b"<reply-%d@" % number)
            if number % 100 == 99:
                raw = raw.replace(b"\r\nFrom: ", b"\r\nX-From: ")
            file.write(b"From alice@a.example Sat Nov 21 20:56:00 2026\n" + raw.replace(b"\r\n", b"\n") + b"\n")


def seconds(way: Callable[[Job], object], new_job: Callable[[], Job]) -> float:
    """What one round takes; its files are taken away."""
    job = new_job()
    start = perf_counter()
    way(job)
    took = perf_counter() - start
    shutil.rmtree(job.folder)
    return took


def ways(client: Client, pieces: Sequence[Piece]) -> dict[str, Callable[[Job], None]]:
    """The ways of doing all pieces, by their names."""
    from archive import work
    from job import run

    workers = sorted(client.scheduler_info()["workers"])

    def alone(job: Job) -> None:
        for piece in pieces:
            run(piece, job)

    def on_dask(job: Job, some: Sequence[str]) -> None:
        if faults := work(job, pieces, client, some):
            raise SystemExit("\n".join(faults))

    return {ALONE: alone, ONE: partial(on_dask, some=workers[:1]), TWO: partial(on_dask, some=workers)}


def figures(times: Mapping[str, Sequence[float]], mails: int, size: int) -> list[Figure]:
    """What one worker costs beside none, and what two bring beside one."""
    what = f"{mails:,} mails ({size / 1e6:.0f} MB) to Parquet"
    return [
        Figure(
            group="archive",
            name=f"{what}, {ours}",
            ours=min(times[ours]),
            against=base,
            base=min(times[base]),
            spread=spread([one / other for one, other in zip(times[ours], times[base], strict=True)]),
            bound=bound,
        )
        for ours, base, bound in ((ONE, ALONE, None), (TWO, ONE, BOUND))
    ]


def results(effort: Effort) -> Iterator[Result]:
    """The figures. More rounds are run while the bound is broken, and all rounds count."""
    sys.path.append(str(EXAMPLE))
    from dask.distributed import Client, LocalCluster
    from job import begin
    from mailboxes import cut

    mails = effort.size(MAILS)
    with (
        tempfile.TemporaryDirectory(prefix="archive") as folder,
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0") as cluster,
        Client(cluster) as client,
    ):
        archive = Path(folder, "archive.mbox")
        make_archive(archive, mails)
        known = {"recipient": "@helper@agents.example", "records": {}, "keep_bad": False}
        new_job = partial(begin, Path(folder, "out"), [str(archive)], NOW, NOW, **known)
        each = ways(client, cut([str(archive)], PIECE_BYTES))
        times: dict[str, list[float]] = {name: [] for name in each}
        for way in each.values():
            seconds(way, new_job)  # imports and caches
        for _ in range(1 if effort.quick else ATTEMPTS):
            for _ in range(effort.of(ROUNDS)):
                for name, way in each.items():
                    times[name].append(seconds(way, new_job))
            found = figures(times, mails, archive.stat().st_size)
            if not any(one.problem for one in found):
                break
    yield from found
