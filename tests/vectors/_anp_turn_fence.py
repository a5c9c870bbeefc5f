"""Turns that break off, lose their lane or come too late."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.vectors._anp_rows import TICK, ack, at, claim, escalated, flags, submit
from tests.vectors._anp_turn_rows import (
    NARRATED,
    SAID,
    SHOWN,
    TAKEN,
    Case,
    begin,
    commit,
    does,
    ev,
    fail,
    goes,
    gone,
    lane_tick,
    plainly,
    scripts,
    waits,
    words,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

begins, fails, times = (
    scripts("turn-begin", "ANP 6.4"),
    scripts("turn-fail", "ANP 5.1"),
    scripts("turn-time", "D N21"),
)
ends = plainly("turn-stale", "ANP 6.3")
LONG = at(900)
"""A deadline of an event beyond that of its turn."""


def begun() -> Iterator[Case]:
    """Who gets a lane."""
    yield begins(
        "busy",
        "Two turns at once would tell the same event twice: one waits for the other.",
        [ev("e1", "uua"), ev("e2", "uua")],
        begin(1, "e1"),
        begin(2, "e2", "t2"),
        results=["ok", "lane-busy"],
        running="t1",
    )
    yield begins(
        "after-the-other",
        "When a turn has ended its lane is free.",
        [ev("e1", "uua"), ev("e2", "uua")],
        begin(1, "e1"),
        commit(9, SAID, "e1"),
        begin(10, "e2", "t2"),
        results=["ok", "ok", "ok"],
        granted={"t1": {"e1": 1, "e2": 1}, "t2": {"e2": 1}},
        running="t2",
    )
    yield begins(
        "both-at-once",
        "Two workers find the lane free; one of them gets it, and the other has to look again.",
        [ev("e1", "uua")],
        begin(1, "e1", holder="w1"),
        begin(1, "e1", "t2", holder="w2", seen=0),
        results=["ok", "conflict"],
        running="t1",
        section="ANP 6.3",
    )
    yield begins(
        "another-users",
        "Users do not wait for each other.",
        [ev("e1", "uua"), ev("a1", "uua", user_id="ash")],
        begin(1, "e1"),
        begin(2, "a1", "t2", user_id="ash"),
        results=["ok", "ok"],
        granted={"t1": {"e1": 1}, "t2": {"a1": 1}},
    )
    yield begins(
        "terminal",
        "A turn that was asked for twice, or late, does not begin for what is over.",
        [ev("e1", "uua", "delivered")],
        begin(1, "e1"),
        results=["already-terminal"],
        running=None,
    )
    yield begins(
        "escalated",
        "A turn does not begin for what the watchdog has taken.",
        [escalated()],
        begin(1, "e1"),
        results=["wrong-owner"],
        running=None,
    )
    yield begins(
        "claimed",
        "A turn does not begin for what another worker has claimed.",
        [ev("e1", "uua", "locked", holder="w2")],
        begin(1, "e1", holder="w1"),
        results=["wrong-holder"],
        running=None,
        section="D N15",
    )
    yield begins(
        "time",
        "Nobody keeps a lane for ever: the watchdog knows when to look.",
        [],
        begin(1),
        unit={"rules": {"turn_ttl_seconds": 60}},
        wakes=at(61),
        running="t1",
        section="D N21",
    )


def failed() -> Iterator[Case]:
    """Row 21: the turn broke off."""
    yield fails(
        "taken",
        "The agent broke down over it; the human must not pay for that.",
        [ev("e1", "uua")],
        begin(1, "e1"),
        fail(9),
        last={"e1": TAKEN},
        leases={"e1": 2},
        presented=[["e1", "inbox", words("e1")]],
        fenced=[["e1", 1]],
        running=None,
    )
    yield fails(
        "autonomous",
        "What was for the agent alone is told to the human when the agent breaks down over it.",
        [ev("e1", "saa")],
        begin(1, "e1"),
        fail(9),
        unit={"session_id": "s1"},
        last={"e1": TAKEN},
        presented=[["e1", "chat", words("e1")]],
    )
    yield fails(
        "bystanders",
        "Only the event of the turn is taken; the others are offered again.",
        [ev("e1", "uua"), ev("e2", "uua")],
        begin(1, "e1"),
        fail(9),
        begin(20, "e2", "t2"),
        statuses={"e1": "escalated", "e2": "dispatched"},
        granted={"t1": {"e1": 1, "e2": 1}, "t2": {"e2": 1}},
    )
    yield fails(
        "held",
        "What the worker of the broken turn had claimed is taken too: nobody waits for a dead worker.",
        [ev("e1", "uua")],
        does(1, "e1", claim(holder="w1")),
        begin(2, "e1", holder="w1"),
        fail(9),
        last={"e1": "locked > locked > escalated"},
        changed={
            "e1": {"status": "escalated", "owner_lease": 2, "routing": flags("uus"),
                   "delivery_deadline": at(9 + 7 * 24 * 3600)}},
    )  # fmt: skip
    yield fails(
        "conversation",
        "A conversation that breaks off takes no event from anybody.",
        [ev("e1", "uua")],
        begin(1),
        fail(9),
        changed={},
        presented=[],
        running=None,
    )
    yield fails(
        "taken-before",
        "What the watchdog took already is shown once; the lane is free all the same.",
        [ev("e1", "uua")],
        begin(1, "e1"),
        does(120, "e1", TICK),
        fail(130),
        results=["ok", "ok", "ok"],
        leases={"e1": 2},
        presented=[["e1", "inbox", words("e1")]],
        running=None,
    )
    yield fails(
        "another-turn",
        "A turn that lost its lane does not end the one that has it now.",
        [ev("e1", "uua", delivery_deadline=LONG), ev("e2", "uua", delivery_deadline=LONG)],
        begin(1, "e1"),
        lane_tick(301),
        begin(302, "e2", "t2"),
        fail(303),
        results=["ok", "ok", "ok", "stale-turn"],
        statuses={"e1": "escalated", "e2": "dispatched"},
        running="t2",
        section="ANP 6.3",
    )
    yield fails(
        "session-gone",
        "Where the session ended meanwhile, the user is told beyond it.",
        [ev("e1", "sua")],
        begin(1, "e1"),
        fail(9, facts=gone("e1")),
        unit={"session_id": "s1"},
        presented=[["e1", "inbox", words("e1")]],
        section="D N20",
    )


def renewed() -> Iterator[Case]:
    """A turn that broke off over words that were replaced."""
    newer = does(5, "", submit("uua", "It failed twice.", id="e2", deduplication_key="k"))
    event = ev("e1", "uua", deduplication_key="k", delivery_deadline=LONG)
    yield fails(
        "words-of-now",
        "It broke down over the words that stand there: they are shown.",
        [{**event, "revision": 2}],
        begin(1, "e1"),
        fail(9),
        last={"e1": TAKEN},
        presented=[["e1", "inbox", words("e1")]],
        section="D N25",
    )
    for name, ends in (("new-words", fail(9)), ("new-words-in-time", lane_tick(301))):
        yield fails(
            name,
            "It broke down over the old words; the new ones have a turn of their own, which is asked for already.",
            [event],
            begin(1, "e1"),
            newer,
            ends,
            begin(310, "e1", "t2"),
            results=["ok"] * 4,
            refused=[{}, {}, {"e1": "stale-revision"}, {}],
            statuses={"e1": "dispatched"},
            presented=[],
            contents={"t1": {"e1": words("e1")}, "t2": {"e1": "It failed twice."}},
            section="D N25",
        )


def timed() -> Iterator[Case]:
    """Row 32: a turn that hangs loses its lane."""
    yield times(
        "before",
        "A turn may use its time.",
        [ev("e1", "uua", delivery_deadline=LONG), waits("d1")],
        begin(1, "e1"),
        goes(2, "d1"),
        lane_tick(300.999),
        changed={},
        running="t1",
        waiting=["d1"],
        stopped=[],
    )
    for name, moment in (("at", 301), ("after", 400)):
        yield times(
            name,
            "A hanging turn would keep every alert for ever: its time is over from its own moment on.",
            [ev("e1", "uua", delivery_deadline=LONG), waits("d1")],
            begin(1, "e1"),
            goes(2, "d1"),
            lane_tick(moment),
            last={"e1": TAKEN, "d1": SHOWN},
            presented=[["e1", "inbox", words("e1")], ["d1", "inbox", words("d1")]],
            running=None,
            waiting=[],
            stopped=["t1"],
        )
    yield times(
        "foreign-turn",
        "An alert that waits behind a conversation which hangs comes out too; no event is taken for it.",
        [ev("e1", "uua", delivery_deadline=LONG), waits("d1")],
        begin(1),
        goes(2, "d1"),
        lane_tick(301),
        last={"d1": SHOWN},
        presented=[["d1", "inbox", words("d1")]],
        stopped=["t1"],
    )
    yield times(
        "late-commit",
        "What the turn says afterwards is thrown away: the human has been told by the system.",
        [ev("e1", "uua", delivery_deadline=LONG)],
        begin(1, "e1"),
        lane_tick(301),
        commit(302, SAID, "e1"),
        results=["ok", "ok", "stale-turn"],
        made={},
        presented=[["e1", "inbox", words("e1")]],
        section="ANP 6.3",
    )
    yield times(
        "late-commit-of-conversation",
        "What a turn acknowledges after it lost its lane counts for nothing.",
        [ev("e1", "uaa", delivery_deadline=LONG)],
        begin(1),
        lane_tick(301),
        commit(302, None, "e1"),
        results=["ok", "ok", "stale-turn"],
        changed={},
        section="ANP 6.3",
    )
    yield times(
        "late-commit-beside-another",
        "A turn that lost its lane does not end the one that has it now.",
        [ev("e1", "uua", delivery_deadline=LONG), ev("e2", "uua", delivery_deadline=LONG)],
        begin(1, "e1"),
        lane_tick(301),
        begin(302, "e2", "t2"),
        commit(303, SAID, "e1", "e2"),
        commit(304, SAID, "e2", turn="t2"),
        results=["ok", "ok", "ok", "stale-turn", "ok"],
        presented=[["e1", "inbox", words("e1")], ["n-t2", "inbox", SAID]],
        section="ANP 6.3",
    )
    yield times(
        "no-turn",
        "Where no turn runs nothing is taken from anybody.",
        [ev("e1", "uua", delivery_deadline=LONG)],
        lane_tick(1000),
        changed={},
        stopped=[],
        running=None,
    )
    yield times(
        "trigger-forgotten",
        "A store may have forgotten the event of a turn that hangs; its lane must come free all the same.",
        [ev("e1", "uua", delivery_deadline=LONG), waits("d1")],
        begin(1, "e1"),
        goes(2, "d1"),
        lane_tick(301, lost=["e1"]),
        last={"d1": SHOWN},
        presented=[["d1", "inbox", words("d1")]],
        running=None,
        stopped=["t1"],
    )
    yield times(
        "ended-just-before",
        "A turn that ended in time is not stopped, even where somebody had seen it run.",
        [ev("e1", "uua", delivery_deadline=LONG)],
        begin(1, "e1"),
        commit(300, SAID, "e1"),
        lane_tick(301, seen=1),
        results=["ok", "ok", "conflict"],
        statuses={"e1": "delivered", "n-t1": "dispatched"},
        presented=[["n-t1", "inbox", SAID]],
        section="ANP 6.3",
    )
    yield times(
        "escalation-does-not-wait",
        "The turn that hangs may be why the event expires; to wait for it would defeat the watchdog.",
        [ev("e1", "uua")],
        begin(1, "e1"),
        does(120, "e1", TICK),
        last={"e1": TAKEN},
        presented=[["e1", "inbox", words("e1")]],
        fenced=[["e1", 1]],
        waiting=[],
        running="t1",
    )
    yield times(
        "told-in-time",
        "A turn that holds its lane to the last moment still ends as it says.",
        [ev("e1", "uua", delivery_deadline=LONG)],
        begin(1, "e1"),
        commit(301, SAID, "e1"),
        last={"e1": NARRATED, "n-t1": SHOWN},
        section="D N16",
    )
    yield times(
        "seen-in-time",
        "What the watchdog took and the human saw stays so, whatever becomes of the turn.",
        [ev("e1", "uua")],
        begin(1, "e1"),
        does(120, "e1", TICK),
        does(121, "e1", ack(2)),
        lane_tick(301),
        statuses={"e1": "delivered"},
        leases={"e1": 2},
        presented=[["e1", "inbox", words("e1")]],
        running=None,
    )


def stale() -> Iterator[Case]:
    """What a turn gives back after it lost its lane."""
    given = {"events": [ev("e1", "uua")], "trigger": "e1", "output": SAID, "acknowledged_ids": ["e1"]}
    yield ends(
        "its-own",
        "The turn that has the lane ends as it says.",
        {**given, "running": "t1"},
        facts={"paths": {"e1": ["dispatched", "locked", "delivered"], "n-t1": ["pending", "dispatched"]}},
    )
    for name, running in (("anothers", "t2"), ("nobodys", None)):
        yield ends(
            name,
            "A turn that has lost its lane tells the human nothing.",
            {**given, "running": running},
            rejected={"code": "stale-turn"},
        )


def behaviours() -> Iterator[tuple[str, str, str, Iterable[Case]]]:
    """The files."""
    op = "anp.turn"
    yield "turn-begin", op, "Who gets a lane.", begun()
    yield "turn-fail", op, "Turns that break off.", [*failed(), *renewed()]
    yield "turn-stale", "anp.commit_turn", "What a turn gives back while it has its lane, and afterwards.", stale()
    yield "turn-time", op, "Turns that hang, and those that come too late.", timed()
