"""What is counted and timed, by the OpenTelemetry API alone: without an SDK in the process it costs nothing.

No name of a counter ends in what it counts, as the conventions of OpenTelemetry have it; `docs/operator.md` lists them.
No attribute has an address, a name or a text of a peer: there would be as many series as people.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final
from weakref import WeakSet

from mentionable import NormalizedMessage, Received, Rejected
from opentelemetry.metrics import CallbackOptions, Observation, get_meter

from mentionable_host.queue.outcome import Dead, Done
from mentionable_host.store import listing

if TYPE_CHECKING:
    from mentionable_host.host import Host
    from mentionable_host.queue.outcome import Outcome
    from mentionable_host.store.jobs import StoredJob

__all__ = ["note_job", "note_received", "observe", "observe_no_more"]

log = logging.getLogger(__name__)

_meter: Final = get_meter("mentionable_host")
_received: Final = _meter.create_counter(
    "mentionable.messages.received", unit="{message}", description="Messages that were stored."
)
_refused: Final = _meter.create_counter(
    "mentionable.messages.refused", unit="{message}", description="What came and was not taken in."
)
_jobs: Final = _meter.create_counter("mentionable.jobs.tried", unit="{try}", description="Tries of jobs.")
_took: Final = _meter.create_histogram(
    "mentionable.jobs.duration", unit="s", description="How long one try of a job took."
)
_waited: Final = _meter.create_histogram(
    "mentionable.answers.latency", unit="s", description="From the message that came to the answer that was stored."
)

ANSWER: Final = "answer"


def note_received(outcome: object) -> None:
    """Counts what came, when it is stored: new messages by transport and verdict, or a refusal by its code."""
    if isinstance(outcome, Received):
        before = {one.id for one in outcome.redelivered}
        for message in outcome.messages:
            if message.id not in before:
                verified = "verified" if message.sender.verified else "unverified"
                _received.add(1, {"transport": _transport(message), "verdict": verified})
    elif isinstance(outcome, Rejected):
        _refused.add(1, {"code": str(outcome.code)})


def note_job(job: StoredJob, outcome: Outcome, *, seconds: float, age: float) -> None:
    """Counts a try of a job by what became of it.

    Args:
        job: The job.
        outcome: What became of it.
        seconds: How long the try took.
        age: Seconds since the job was stored.
    """
    what = {"kind": job.kind, "outcome": type(outcome).__name__.lower()}
    _jobs.add(1, what)
    _took.record(max(seconds, 0), what)
    if job.kind == ANSWER and isinstance(outcome, Done | Dead):
        _waited.record(max(age, 0), {"outcome": what["outcome"]})


def observe(host: Host) -> None:
    """Has an SDK, where there is one, ask the store for the depth and the age of the queue whenever it exports."""
    _observed.add(host)


def observe_no_more(host: Host) -> None:
    """Ends what `observe` began."""
    _observed.discard(host)


def _depths(_: CallbackOptions) -> Iterable[Observation]:
    for host, queue in _queues():
        for state, count in queue.counts.items():
            yield Observation(count, {"agent": host.address, "state": state})


def _ages(_: CallbackOptions) -> Iterable[Observation]:
    for host, queue in _queues():
        yield Observation(queue.late(host.world.now()), {"agent": host.address})


def _queues() -> Iterator[tuple[Host, listing.Queue]]:
    """The queue of each host, asked for in the thread of whoever exports."""
    for host in [*_observed]:
        try:
            with host.database.snapshot() as db:
                yield host, listing.queue(db)
        except Exception as error:  # a database that is away must not end the export of everything else
            log.warning("the queue cannot be observed: %s", type(error).__name__)


_observed: Final[WeakSet[Host]] = WeakSet()
_meter.create_observable_gauge(
    "mentionable.queue.depth", [_depths], unit="{job}", description="Jobs that wait, run, or were given up."
)
_meter.create_observable_gauge(
    "mentionable.queue.age", [_ages], unit="s", description="How long the job that is due the longest has waited."
)


def _transport(message: NormalizedMessage) -> str:
    """The transport of a message; of a platform its name, with which its threads begin."""
    return message.thread_id.partition(":")[0] if message.received_via == "connector" else message.received_via
