"""Deciding upon notifications, beside an attrs `replace` of the same record without checks; and many, through a ledger.

The lives of events, of every route in turn, each stored in a ledger in memory: 10,000 decisions, 100,000 and 1,000,000,
of which each must cost the same.
"""

from __future__ import annotations

import gc
from datetime import timedelta
from functools import partial
from itertools import count, islice
from time import process_time
from typing import TYPE_CHECKING, Any, Final, cast

import attrs

from benchmarks.common import NOW
from benchmarks.figures import Curve, Figure
from benchmarks.timing import Claim, Effort, Race, spread
from mentionable import Rejected, anp

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from benchmarks.figures import Result
    from benchmarks.timing import Function

FLOOR: Final = "attrs.evolve of the record, without checks"
BOUND: Final = 10.0
GROWTH: Final = 1.5
SIZES: Final = (10_000, 100_000, 1_000_000)
SAMPLES: Final = 20
"""So many points has the plot."""

LATE: Final = NOW + timedelta(hours=1)
USERS: Final = 1_000


def plain(event: anp.Notification) -> Any:
    """The same members in an attrs class of its own, without any check."""
    names = [member.name for member in attrs.fields(cast(Any, type(event)))]
    cls = attrs.make_class("Plain", names, frozen=True, slots=True, kw_only=True)
    return cls(**{name: getattr(event, name) for name in names})


def submission(flags: tuple[Any, Any, Any], user: str = "olivia", key: str | None = None) -> anp.Submission:
    """An event as a plugin submits it."""
    address, target, handler = flags
    return anp.Submission(
        content="The backup failed: disk full.",
        user_id=user,
        session_id="s1",
        routing=anp.Routing(address=address, target=target, handler=handler),
        deduplication_key=key,
        metadata={"urgency": "high"},
    )


def made(decision: anp.Decision | Rejected) -> anp.Decision:
    if isinstance(decision, Rejected):
        raise AssertionError(f"the sample is refused: {decision}")
    return decision


def functions() -> dict[str, Function]:
    """The floor first, then every command."""
    event = made(
        anp.decide(None, anp.Submit(submission=submission(("user", "user", "agent")), id="e1"), now=NOW)
    ).record
    given = made(anp.decide(event, anp.Route(), now=NOW)).record
    direct = made(
        anp.decide(None, anp.Submit(submission=submission(("user", "user", "system")), id="e2"), now=NOW)
    ).record
    shown = made(anp.decide(direct, anp.Route(), now=NOW)).record
    keyed = submission(("user", "user", "agent"), key="backup")
    open_one = made(anp.decide(None, anp.Submit(submission=keyed, id="e3"), now=NOW)).record
    said = anp.CommitTurn(lease=1, acknowledged=True, is_trigger=True, output="Look!", narration_id="n1")
    commands: dict[str, tuple[anp.Notification | None, anp.Command, datetime]] = {
        "submit": (None, anp.Submit(submission=submission(("user", "user", "agent")), id="e1"), NOW),
        "submit, merged": (open_one, anp.Submit(submission=keyed, id="e4"), NOW),
        "route, direct": (direct, anp.Route(), NOW),
        "route, mediated": (event, anp.Route(), NOW),
        "claim": (given, anp.Claim(lease=1, holder="w1"), NOW),
        "action, external": (given, anp.Action(lease=1, name="send_mail"), NOW),
        "commit_turn": (given, said, NOW),
        "client_ack": (shown, anp.ClientAck(lease=1, user_id="olivia"), NOW),
        "tick, early": (given, anp.Tick(), NOW),
        "tick, escalation": (given, anp.Tick(), LATE),
        "stale lease": (given, anp.Action(lease=2, name="send_mail"), NOW),
    }
    floor = plain(event)
    timed: dict[str, Function] = {FLOOR: partial(attrs.evolve, floor, status="dispatched")}
    return timed | {
        name: partial(anp.decide, record, command, now=now) for name, (record, command, now) in commands.items()
    }


# -- many


def lives(ledger: anp.Ledger) -> Iterator[None]:
    """Decision after decision, each read from the ledger and stored there: events of all routes, from start to end."""
    for number in count():
        user, flags = f"user-{number % USERS}", list(anp.ROUTE_TABLE)[number % 8]
        key = f"feed-{number}"
        for turn in range(2):  # the second time with new words
            same = ledger.open(user, deduplication_key=key)
            command = anp.Submit(submission=submission(flags, user, key), id=f"e{number}.{turn}")
            stored(ledger, same[0] if same else None, command)
            yield
        id = f"e{number}.0"
        for following in of(flags, number):
            stored(ledger, ledger.get(id), following, LATE if isinstance(following, anp.Tick) else NOW)
            yield


def of(flags: tuple[Any, Any, Any], number: int) -> list[anp.Command]:
    """What happens to an event of a route after it was submitted."""
    user, mode = f"user-{number % USERS}", anp.ROUTE_TABLE[flags].mode
    if mode == "direct":
        return [anp.Route(), anp.ClientAck(lease=1, user_id=user)]
    if mode == "passive":
        return [anp.Route(), anp.ContextCommitted(lease=1)]
    if number % 16 < 8:
        said = anp.CommitTurn(lease=1, holder="w1", acknowledged=True, output="Look!", narration_id=f"n{number}")
        return [anp.Route(), anp.Claim(lease=1, holder="w1"), said]
    return [anp.Route(), anp.Tick(), anp.ClientAck(lease=2, user_id=user)]


def stored(ledger: anp.Ledger, record: anp.Notification | None, command: anp.Command, now: datetime = NOW) -> None:
    """Decides and stores."""
    if not ledger.commit(made(anp.decide(record, command, now=now))):
        raise AssertionError("the store refuses a decision upon what it gave")


def growth(most: int) -> list[tuple[int, float]]:
    """Decisions made so far → seconds of the processor, at so many points on the way to `most`."""
    ledger, points = anp.Ledger(), [most * part // SAMPLES for part in range(1, SAMPLES + 1)]
    found: list[tuple[int, float]] = []
    gc.freeze()  # the collector looks through what is made here, and through nothing else
    start = process_time()
    for number, _ in enumerate(islice(lives(ledger), most), start=1):
        if number == points[len(found)]:
            found.append((number, process_time() - start))
    gc.unfreeze()
    return found


def through_the_ledger(effort: Effort) -> Iterator[Result]:
    """One decision of many against one of the fewest, the spread being that of the stretches between the points."""
    curves = [growth(max(effort.size(size, 100), SAMPLES)) for size in SIZES]
    each = [[seconds / number for number, seconds in curve] for curve in curves]
    for size, costs in list(zip(SIZES, each, strict=True))[1:]:
        yield Figure(
            group="notifications",
            name=f"through the ledger: one of {size:,} decisions",
            ours=costs[-1],
            against=f"one of {SIZES[0]:,}",
            base=each[0][-1],
            spread=spread([cost / each[0][-1] for cost in costs]),
            bound=GROWTH,
        )
    yield Curve(plot="anp-linear", name="through the ledger", points=tuple(curves[-1]))


def results(effort: Effort) -> Iterator[Result]:
    """Every command, and many through the ledger."""
    timed = functions()
    claims = tuple(Claim(name, FLOOR, BOUND) for name in timed if name != FLOOR)
    yield from Race("notifications", timed, claims, rounds=100).run(effort)
    yield from through_the_ledger(effort)
