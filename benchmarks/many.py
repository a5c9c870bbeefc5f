"""Many messages: their flows at once against one after the other, and four threads against one.

With a GIL, threads win nothing. An interpreter without one (3.14t) must take at most a third of the time; whether this
one has it is in the name of the figure.
"""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from benchmarks import a2a, activitypub, mail
from benchmarks.a2a_payloads import payloads as a2a_payloads
from benchmarks.common import CREATE, FACTS, posted
from benchmarks.figures import Figure
from benchmarks.mail_payloads import payloads as mail_payloads
from benchmarks.timing import Claim, Effort, Functions, Race, spread
from mentionable import Answers, drive
from mentionable.a2a import receive
from mentionable.flows import gather

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from benchmarks.figures import Result
    from mentionable import Flow

FLOWS: Final = 50
THREADS: Final = 4
ROUNDS: Final = 9
WANTED: Final = 1 / 3
"""What four threads may take of the time of one, where each has a core and there is no GIL."""


def results(effort: Effort) -> Iterator[Result]:
    """Messages of A2A at once, and a unit of each transport in threads."""
    yield from at_once().run(effort)
    yield from in_threads(effort)


def at_once() -> Race:
    """Different messages whose flows ask in one batch, against the same one after the other."""
    message = a2a_payloads(v1=True)["message, 1 part"]
    bodies = [message.replace(b"m-0000", f"m-{number:04}".encode()) for number in range(FLOWS)]
    requests = [posted("https://agents.example/helper", body, a2a_version="1.0") for body in bodies]
    answers = Answers()

    def flows() -> list[Flow[Any, Any]]:
        return [receive(request, **FACTS) for request in requests]

    functions: Functions = {
        f"{FLOWS} A2A messages, all flows at once": lambda: drive(gather(*flows()), answers),
        "one after the other": lambda: [drive(flow, answers) for flow in flows()],
    }
    name, floor = functions
    return Race("batches", functions, (Claim(name, floor),))


def in_threads(effort: Effort) -> Iterator[Figure]:
    """A unit of each transport in four threads, against one."""
    units = {
        "A2A message": (partial(a2a.receive, a2a_payloads(v1=True)["message, 1 part"]), 8_000),
        "ActivityPub Create": (partial(activitypub.receive, None, CREATE), 4_000),
        "mail of 3 KB": (partial(mail.receive, mail_payloads()["3 KB plain"]), 4_000),
    }
    has_gil = getattr(sys, "_is_gil_enabled", lambda: True)()
    for name, (read, usual) in units.items():
        number = effort.size(usual)
        samples = [(seconds(read, number, 1), seconds(read, number, THREADS)) for _ in range(effort.of(ROUNDS))]
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


def seconds(read: Callable[[], object], number: int, threads: int) -> float:
    """By the clock, how long so many messages take with so many threads."""
    share = number // threads

    def work() -> None:
        for _ in range(share):
            read()

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(lambda _: None, range(threads)))  # all of them are there before the time begins
        start = perf_counter()
        for done in [pool.submit(work) for _ in range(threads)]:
            done.result()
        return perf_counter() - start
