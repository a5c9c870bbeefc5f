"""What becomes of a job that was tried, and when it is tried again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import timedelta
from random import Random
from typing import Final, TypeAlias

from attrs import field, frozen
from sqlalchemy import Connection

from mentionable_host.store.jobs import StoredJob

__all__ = ["Dead", "Done", "GivenUp", "Handler", "Outcome", "Retry", "pause"]


def _nothing(db: Connection) -> None:
    """Stores nothing."""


@frozen
class Done:
    """The job is over.

    Attributes:
        store: Stores what it brought, in the transaction that ends it: both are there afterwards, or neither.
        topics: The signals that are given when it is stored.
    """

    store: Callable[[Connection], object] = field(default=_nothing)
    topics: tuple[str, ...] = ()


@frozen
class Retry:
    """It did not work, and may later.

    Attributes:
        reason: Why, in words for the operator.
        after: When the peer named a time, how long to wait at least.
    """

    reason: str
    after: timedelta | None = None


@frozen
class Dead:
    """It did not work and never will.

    Attributes:
        reason: Why, in words for the operator.
        store: Stores what follows, in the transaction that ends the job.
    """

    reason: str
    store: Callable[[Connection], object] = field(default=_nothing)


Outcome: TypeAlias = Done | Retry | Dead
Handler: TypeAlias = Callable[[StoredJob], Awaitable[Outcome]]
GivenUp: TypeAlias = Callable[[Connection, StoredJob], tuple[str, ...]]
"""Stores what follows where a job is given up, in the transaction that ends it; the topics of those who wait."""

PAUSES: Final = (5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 57_600, 86_400, 86_400)
"""Seconds before the next try, after each one: about four days in all, as mail servers do it (RFC 5321 §4.5.4.1)."""

MOST: Final = timedelta(days=1)
"""No peer makes the host wait longer between two tries."""

JITTER: Final = 0.25
"""Pauses differ by so much, so that what failed together is not tried together."""


def pause(tries: int, retry: Retry, *, chance: Random) -> timedelta | None:
    """How long to wait after a number of tries; None: it is given up."""
    if tries >= len(PAUSES):
        return None
    own = timedelta(seconds=PAUSES[tries] * chance.uniform(1 - JITTER, 1 + JITTER))
    return max(own, min(retry.after or own, MOST))
