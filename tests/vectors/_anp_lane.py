"""Lanes: alerts of the system stand between the turns of an agent, in the order in which they came."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tests.vectors._anp_rows import GONE, REFUSED, TICK, TTL, WORDS, Case, ack, at, escalated, event, flags, submit
from tests.vectors._anp_turn_rows import (
    SAID,
    SESSION,
    SHOWN,
    begin,
    commit,
    does,
    ev,
    fail,
    goes,
    gone,
    plainly,
    scripts,
    waits,
    words,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

sent, order, lanes = plainly("dispatch", "ANP 6.4"), scripts("lane-order", "ANP 6.4"), plainly("lane", "D N22")
PER_SESSION: Final[Case] = {"rules": {"lanes": "session"}}
BUSY: Final[Case] = {"is_busy": True}
SEEN: Final[Case] = {"content": WORDS, "revision": 1, "lease": 1}


def dispatched() -> Iterator[Case]:
    """Rows 4 to 8, as the lane has it."""

    def to(word: str, lane: Case | None = None, **members: Any) -> Case:
        found = event(word, "pending", **members)
        return {"event": found, **({"lane": lane} if lane else {})}

    for name, word, place, session in (("inbox", "uus", "inbox", {}), ("chat", "sus", "chat", SESSION)):
        yield sent(
            f"{name}-free",
            "Nothing stands in the way of an alert while no turn runs.",
            to(word),
            facts={
                "path": ["pending", "dispatched"],
                "effects": ["agent_aware", "present"],
                "present": {"channel": place, "user_id": "olivia", **session, **SEEN},
                "waiting": [],
            },
        )
        yield sent(
            f"{name}-busy",
            "An alert in the middle of a turn would stand between a cause and what is said of it: it waits.",
            to(word, BUSY),
            facts={"path": ["pending"], "changed": {}, "effects": ["queue"], "present": None, "waiting": ["e1"]},
        )
        yield sent(
            f"{name}-behind",
            "Alerts come out in the order in which they came.",
            to(word, {**BUSY, "waiting": ["d8", "d9"]}),
            facts={"path": ["pending"], "waiting": ["d8", "d9", "e1"]},
        )
    for name, word in (("mediated", "uua"), ("autonomous", "saa")):
        yield sent(
            f"{name}-busy",
            "What the agent handles does not wait as an alert does: its deadline runs, and its turn comes.",
            to(word, BUSY),
            facts={
                "path": ["pending", "dispatched"],
                "effects": ["grant", "inject_context", "start_turn", "wake_at"],
                "grant": {"id": "e1", "lease": 1},
                "wake_at": {"at": at(TTL)},
                "waiting": [],
            },
        )
    yield sent(
        "passive-busy",
        "A fact is no alert: nobody is interrupted by it.",
        to("uas", BUSY),
        facts={"path": ["pending", "dispatched"], "effects": ["add_fact"], "waiting": []},
    )
    yield sent(
        "again",
        "Effects happen at least once; an alert that waits already waits once.",
        to("uus", {**BUSY, "waiting": ["d8", "e1"]}),
        facts={"path": ["pending"], "waiting": ["d8", "e1"]},
        section="R48",
    )
    full: list[Case] = [{"rejected": {"code": "lane-full"}}, {"facts": {"path": ["pending"]}}]
    yield sent(
        "very-many",
        "A lane may have an end; then an alert is refused for now, and is neither lost nor shown in between.",
        to("uus", {**BUSY, "others": 100_000}),
        any_of=full,
    )
    yield sent(
        "session-gone-busy",
        "An alert for a session that is gone is the user's, and waits as such.",
        {**to("sus", BUSY), "facts": GONE},
        facts={
            "path": ["pending"],
            "changed": {"routing": flags("uus")},
            "effects": ["address_demoted", "queue"],
            "waiting": ["e1"],
        },
        section="ANP 2.1",
    )
    yield sent(
        "session-gone-free",
        "An alert for a session that is gone is shown in the inbox, not lost.",
        {**to("sus"), "facts": GONE},
        facts={
            "path": ["pending", "dispatched"],
            "changed": {"status": "dispatched", "routing": flags("uus")},
            "effects": ["address_demoted", "agent_aware", "present"],
            "waiting": [],
        },
        section="ANP 2.1",
    )
    yield sent(
        "deep-busy",
        "An event that starts no turn any more is an alert, and waits like one; nothing watches it.",
        to("uua", BUSY, depth=3),
        facts={
            "path": ["pending"],
            "changed": {"routing": flags("uus"), "delivery_deadline": None},
            "waiting": ["e1"],
        },
        section="D N31",
    )
    for name, found, codes in (
        ("delivered", event("uus", "delivered"), ("already-terminal",)),
        ("dispatched", event("uus"), REFUSED),
        ("escalated", escalated(), REFUSED),
    ):
        ways: list[Case] = [{"rejected": {"code": code}} for code in codes]
        yield sent(
            f"{name}-again",
            "Effects happen at least once; what was sent where it goes is not sent a second time.",
            {"event": found},
            **(ways[0] if len(ways) == 1 else {"any_of": ways}),
            section="R48",
        )


def ordered() -> Iterator[Case]:
    """Row 32: alerts that came during a turn stand right behind it."""
    yield order(
        "behind-the-turn",
        "What the agent says stands before the alert that came meanwhile, and the alert before the next turn.",
        [ev("e1", "uua"), waits("d1")],
        begin(1, "e1"),
        goes(2, "d1"),
        commit(9, SAID, "e1"),
        paths=[{}, {}, {"e1": "dispatched > locked > delivered", "n-t1": SHOWN, "d1": SHOWN}],
        presented=[["n-t1", "inbox", SAID], ["d1", "inbox", words("d1")]],
        waiting=[],
        section="D N21",
    )
    yield order(
        "first-in-first-out",
        "Alerts come out in the order in which they came.",
        [waits("d3"), waits("d1"), waits("d2", "sus")],
        begin(1),
        goes(2, "d1"),
        goes(3, "d3"),
        goes(4, "d2"),
        commit(9, "Four."),
        unit=SESSION,
        presented=[["d1", "inbox", words("d1")], ["d3", "inbox", words("d3")], ["d2", "chat", words("d2")]],
        waiting=[],
    )
    yield order(
        "in-silence",
        "Alerts do not wait for an agent to say something.",
        [ev("e1", "uaa"), waits("d1")],
        begin(1, "e1"),
        goes(2, "d1"),
        commit(9, None, "e1"),
        presented=[["d1", "inbox", words("d1")]],
        waiting=[],
    )
    yield order(
        "before-the-next",
        "The next turn knows what was shown before it.",
        [ev("e1", "uua"), waits("d1")],
        begin(1),
        goes(2, "d1"),
        commit(9, "Four."),
        begin(10, "e1", "t2"),
        sections={"t1": {"narrate": ["e1"]}, "t2": {"narrate": ["e1"], "shown": ["d1"]}},
        statuses={"d1": "dispatched", "e1": "dispatched"},
    )
    yield order(
        "turn-failed",
        "A turn that broke off is over too; what it lost is shown, then what waited.",
        [ev("e1", "uua"), waits("d1")],
        begin(1, "e1"),
        goes(2, "d1"),
        fail(9),
        presented=[["e1", "inbox", words("e1")], ["d1", "inbox", words("d1")]],
        waiting=[],
    )
    yield order(
        "session-gone-meanwhile",
        "A session that ends while an alert waits must not swallow it.",
        [waits("d1", "sus")],
        begin(1),
        goes(2, "d1"),
        commit(9, "Four.", facts=gone("d1")),
        unit=SESSION,
        presented=[["d1", "inbox", words("d1")]],
        section="D N33",
    )
    yield order(
        "new-words-meanwhile",
        "An alert that waits takes new words and keeps its place; the old ones are never shown.",
        [waits("d1", deduplication_key="k"), waits("d2")],
        begin(1),
        goes(2, "d1"),
        goes(3, "d2"),
        does(4, "", submit("uus", "It failed twice.", id="d3", deduplication_key="k")),
        commit(9, "Four."),
        presented=[["d1", "inbox", "It failed twice."], ["d2", "inbox", words("d2")]],
        section="ANP 7.1",
    )
    yield order(
        "acknowledged-behind",
        "An alert that waited is acknowledged like any other.",
        [waits("d1")],
        begin(1),
        goes(2, "d1"),
        commit(9, "Four."),
        does(20, "d1", ack()),
        last={"d1": "dispatched > delivered"},
    )
    yield order(
        "not-acknowledged-while-waiting",
        "Nobody has seen what waits.",
        [waits("d1")],
        begin(1),
        goes(2, "d1"),
        does(3, "d1", ack()),
        statuses={"d1": "pending"},
        waiting=["d1"],
    )
    yield order(
        "escalation-before-waiting",
        "What the watchdog takes does not stand in line behind alerts that wait for the turn.",
        [ev("e1", "uua"), waits("d1")],
        begin(1),
        goes(2, "d1"),
        does(120, "e1", TICK),
        commit(130, "Four."),
        presented=[["e1", "inbox", words("e1")], ["d1", "inbox", words("d1")]],
        section="D N21",
    )
    yield order(
        "stored-at-once",
        "A turn ends with all that waits, or not at all: an alert that came meanwhile is not left behind.",
        [waits("d1")],
        begin(1),
        goes(2, "d1"),
        commit(9, "Four.", seen=1),
        results=["ok", "ok", "conflict"],
        running="t1",
        waiting=["d1"],
        presented=[],
        section="ANP 6.3",
    )
    yield order(
        "another-session",
        "A user has one lane: alerts of all sessions stand in one order, unless the host says otherwise.",
        [waits("d2", "sus", session_id="s2")],
        begin(1),
        goes(2, "d2"),
        unit=SESSION,
        presented=[],
        waiting=["d2"],
        section="D N22",
    )
    yield order(
        "lane-of-its-own",
        "Where the host gives each session a lane, a turn in one keeps nobody waiting in another.",
        [waits("d1", "sus"), waits("d2", "sus", session_id="s2"), waits("d3")],
        begin(1),
        goes(2, "d1"),
        goes(3, "d2"),
        goes(4, "d3"),
        unit={**SESSION, **PER_SESSION},
        presented=[["d2", "chat", words("d2")], ["d3", "inbox", words("d3")]],
        waiting=["d1"],
        section="D N22",
    )
    yield order(
        "session-gone-lane-of-its-own",
        "What was for a session that is gone is the user's, and waits for the turn in the lane of the user.",
        [waits("d1", "sus")],
        begin(1),
        goes(2, "d1", facts=gone("d1")),
        unit=PER_SESSION,
        presented=[],
        waiting=["d1"],
        section="D N22",
    )
    yield order(
        "another-user",
        "Users do not wait for each other.",
        [waits("a1", user_id="ash"), waits("d1")],
        begin(1),
        goes(2, "a1"),
        goes(3, "d1"),
        presented=[["a1", "inbox", words("a1")]],
        waiting=["d1"],
    )


def parted() -> Iterator[Case]:
    """Which events share a lane."""

    def at_home(user: str, session: str | None = None, word: str | None = None) -> Case:
        return event(word or ("sus" if session else "uus"), user_id=user, session_id=session)

    for variant, why, found, parts in (
        (
            "user",
            "A user has one lane, for all sessions and beyond them.",
            [at_home("olivia"), at_home("olivia", "s1"), at_home("olivia", "s2")],
            [0, 0, 0],
        ),
        ("users", "Users have lanes of their own.", [at_home("olivia"), at_home("ash"), at_home("olivia")], [0, 1, 0]),
    ):
        yield lanes(variant, why, {"events": found}, facts={"lanes": parts})
    for variant, why, found, parts in (
        (
            "sessions",
            "Where the host says so each session has a lane, and one is beyond them.",
            [at_home("olivia"), at_home("olivia", "s1"), at_home("olivia", "s2"), at_home("olivia", "s1")],
            [0, 1, 2, 1],
        ),
        (
            "session-gone",
            "What was moved from a session to its user is in the lane of the user.",
            [at_home("olivia"), at_home("olivia", "s1", "uus"), at_home("olivia", "s1")],
            [0, 0, 2],
        ),
        (
            "same-session-id",
            "Two users may name their sessions alike.",
            [at_home("olivia", "s1"), at_home("ash", "s1")],
            [0, 1],
        ),
        (
            "marks-in-ids",
            "Whatever stands in an id, two lanes are two: nobody gets into the lane of another by a name.",
            [at_home("a", "b:c"), at_home("a:b", "c"), at_home("a%3Ab", "c"), at_home("a/b", "c"), at_home("a", "b/c")],
            [0, 1, 2, 3, 4],
        ),
        (
            "session-like-user",
            "The id of a user may look like that of a session.",
            [at_home("olivia:s1"), at_home("olivia", "s1"), at_home("session:olivia:s1")],
            [0, 1, 2],
        ),
    ):
        yield lanes(variant, why, {"events": found, **PER_SESSION}, facts={"lanes": parts})


def behaviours() -> Iterator[tuple[str, str, str, Iterator[Case]]]:
    """The files."""
    yield "dispatch", "anp.dispatch", "Where an event goes while a turn runs, and while none does.", dispatched()
    yield "lane-order", "anp.turn", "Alerts that came during a turn stand right behind it.", ordered()
    yield "lane", "anp.lane", "Which events share a lane.", parted()
