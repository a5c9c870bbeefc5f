"""Deciding upon notifications, beside an attrs `evolve` of the same record without checks; and many, through a ledger.

The lives of events, of every route in turn, each stored in a ledger in memory: 10,000 decisions, 100,000 and 1,000,000,
of which each must cost the same.

Usage: python benchmarks/anp.py [--check] [--plot FILE.svg]     --check exits 1 when a ratio is beyond its bound
"""

from __future__ import annotations

import gc
import sys
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import count
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Any, Final

import attrs

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.timing import checked, table
from mentionable import Rejected, anp

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

BOUND: Final = 10.0
GROWTH: Final = 1.5
SIZES: Final = (10_000, 100_000, 1_000_000)
SAMPLES: Final = 20
"""So many points has the plot."""

NOW: Final = datetime(2026, 11, 21, 20, 56, tzinfo=UTC)
LATE: Final = NOW + timedelta(hours=1)
USERS: Final = 1_000


def plain(event: anp.Notification) -> Any:
    """The same members in an attrs class of its own, without any check."""
    names = [member.name for member in attrs.fields(type(event))]
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


def functions() -> dict[str, Callable[[], Any]]:
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
    timed: dict[str, Callable[[], Any]] = {"attrs.evolve": partial(attrs.evolve, floor, status="dispatched")}
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


def of(flags: tuple[str, str, str], number: int) -> list[anp.Command]:
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
    gc.collect()
    start, found = process_time(), []
    for number, _ in enumerate(lives(ledger), start=1):
        if number == points[len(found)]:
            found.append((number, process_time() - start))
            if number == most:
                return found
    raise AssertionError("lives never end")


def grown(curves: dict[int, list[tuple[int, float]]]) -> tuple[str, list[str]]:
    """The table of sizes, and a sentence for each that costs more for a decision than it may."""
    costs = {size: curve[-1][1] / size for size, curve in curves.items()}
    base = costs[min(costs)]
    lines = [f"{'decisions':>10}  {'seconds':>8}  {'µs each':>8}  {'ratio':>6}"]
    lines += [f"{size:>10,}  {cost * size:8.2f}  {cost * 1e6:8.1f}  {cost / base:6.2f}" for size, cost in costs.items()]
    slow = [
        f"{size:,} decisions: {cost / base:.2f} × each of {min(costs):,}, the bound is {GROWTH} ×"
        for size, cost in costs.items()
        if cost > GROWTH * base
    ]
    return "\n".join(lines), slow


def plot(curve: list[tuple[int, float]]) -> str:
    """The longest curve as a drawing, beside the straight line through its end."""
    (most, seconds), (left, bottom, wide, high) = curve[-1], (64, 300, 540, 260)
    top = seconds * 1.1
    points = [(left + wide * number / most, bottom - high * time / top) for number, time in [(0, 0.0), *curve]]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3"/>' for x, y in points[1:])
    steps = [seconds * part / 4 for part in range(5)]
    marks = "".join(
        f'<text x="{left - 8}" y="{bottom - high * step / top + 4:.1f}" text-anchor="end">{step:.0f} s</text>'
        for step in steps
    )
    names = "".join(
        f'<text x="{left + wide * part / 4:.1f}" y="{bottom + 20}" text-anchor="middle">{most * part // 4:,}</text>'
        for part in range(5)
    )
    end = points[-1]
    return f"""\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 350" font-family="sans-serif" font-size="12" role="img">
<title>Seconds of the processor for so many decisions through the ledger</title>
<rect width="640" height="350" fill="white"/>
<g stroke="#888" fill="none"><path d="M{left},{bottom - high}V{bottom}H{left + wide}"/></g>
<path d="M{left},{bottom}L{end[0]:.1f},{end[1]:.1f}" stroke="#999" stroke-dasharray="6 4" fill="none"/>
<polyline points="{line}" stroke="#0b62a4" stroke-width="2" fill="none"/><g fill="#0b62a4">{dots}</g>
<g fill="#333">{marks}{names}
<text x="{left + wide / 2}" y="{bottom + 42}" text-anchor="middle">decisions, each read, decided and stored</text>
<text x="{left + 12}" y="{bottom - high + 6}">processor time; dashed: straight through the last point</text></g>
</svg>
"""


def main(arguments: list[str]) -> int:
    """Prints the tables; 1 when `--check` is given and a bound is broken."""
    each = functions()
    bounds = dict.fromkeys(list(each)[1:], BOUND)
    timings, problems = checked(each, bounds)
    print(f"one decision, at most {BOUND:.0f}\n{table(timings)}")
    curves = {size: growth(size) for size in SIZES}
    text, slow = grown(curves)
    print(f"\nthrough the ledger, each at most {GROWTH} × one of {SIZES[0]:,}\n{text}")
    print("", *problems, *slow, sep="\n")
    if "--plot" in arguments:
        Path(arguments[arguments.index("--plot") + 1]).write_text(plot(curves[SIZES[-1]]))
    return 1 if (problems or slow) and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
