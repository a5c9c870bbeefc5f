"""Threads: the time of many messages with four of them, beside one. With a GIL there is nothing to win.

An interpreter without one (3.14t) must take at most a third; whether this one has it is in the name of the figure.
"""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Final

from benchmarks import a2a, activitypub, mail
from benchmarks.a2a_payloads import payloads as a2a_payloads
from benchmarks.common import CREATE
from benchmarks.figures import Figure
from benchmarks.mail_payloads import payloads as mail_payloads
from benchmarks.timing import Effort, spread

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from benchmarks.figures import Result

THREADS: Final = 4
ROUNDS: Final = 9
WANTED: Final = 1 / 3
"""What four threads may take of the time of one, where each has a core and there is no GIL."""


def results(effort: Effort) -> Iterator[Result]:
    """A unit of each transport."""
    units = {
        "A2A message": (partial(a2a.receive, a2a_payloads(v1=True)["message, 1 part"]), 8_000),
        "ActivityPub Create": (partial(activitypub.receive, None, CREATE), 4_000),
        "mail of 3 KB": (partial(mail.receive, mail_payloads()["3 KB plain"]), 4_000),
    }
    has_gil = getattr(sys, "_is_gil_enabled", lambda: True)()
    for name, (receive, usual) in units.items():
        number = effort.size(usual)
        samples = [(seconds(receive, number, 1), seconds(receive, number, THREADS)) for _ in range(effort.of(ROUNDS))]
        one, many = (min(times) for times in zip(*samples, strict=True))
        yield Figure(
            group="threads",
            name=f"{name}, four threads" + ("" if has_gil else ", no GIL"),
            ours=many / number,
            against="one thread",
            base=one / number,
            spread=spread([all_of_them / alone for alone, all_of_them in samples]),
            bound=None if has_gil else WANTED,
        )


def seconds(receive: Callable[[], object], number: int, threads: int) -> float:
    """By the clock, how long so many messages take with so many threads."""
    share = number // threads

    def work() -> None:
        for _ in range(share):
            receive()

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(lambda _: None, range(threads)))  # all of them are there before the time begins
        start = perf_counter()
        for done in [pool.submit(work) for _ in range(threads)]:
            done.result()
        return perf_counter() - start
