"""Events from their beginning to their end: `conformance/v0.1/anp/story.json`, `races.json`, `hostile.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tests.vectors._anp_rows import (
    ABANDON,
    BACK,
    ROUTE,
    TICK,
    TTL,
    WEEK,
    WORDS,
    Case,
    ack,
    action,
    at,
    broke,
    claim,
    commit,
    escalated,
    event,
    extend,
    follow,
    read,
    step,
    stories,
    submit,
    unshown,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

told, raced, refused = stories("story"), stories("races"), stories("hostile")

SAID: Final = "The backup failed; shall I retry?"
SENT: Final = "pending > dispatched"
SEEN: Final = "dispatched > delivered"
DONE: Final = "dispatched > locked > delivered"
TAKEN: Final = "dispatched > locked > escalated"
IN: Final = "pending"


def keyed(word: str, content: str = WORDS, id: str = "e1", **members: object) -> Case:
    """A plugin submits an event under the key of the stories."""
    return submit(word, content, id=id, deduplication_key="backup", **members)


def lives() -> Iterator[Case]:
    """The eight routes to their ends, in pairs."""
    for word, place in (("uus", "inbox"), ("sus", "chat")):
        yield told(
            f"{place}", "ANP 5.1", "A human sees it once, and the agent knows so.",
            step(0, submit(word)), step(1, ROUTE), step(9, ack()),
            paths=[IN, SENT, SEEN], presented=[["e1", place, WORDS, 1]], statuses={"e1": "delivered"},
            aware=[["e1", "shown"], ["e1", "user_seen"]], turns=[],
        )  # fmt: skip
    for word in ("uas", "sas"):
        yield told(
            "fact" if word == "uas" else "fact-of-a-session", "D N4",
            "The agent knows it from its next turn on; no human ever sees it, whatever happens.",
            step(0, submit(word)), step(1, ROUTE), step(2, BACK), step(WEEK, TICK), step(WEEK + 1, read()),
            step(WEEK + 2, TICK),
            paths=[IN, SENT, "dispatched", "dispatched", SEEN, "already-terminal"], presented=[], turns=[], aware=[],
            effects=["audit", "add_fact", "", "", "", None],
        )  # fmt: skip
    for word, place, scope in (("uua", "inbox", "global"), ("sua", "chat", "session")):
        yield told(
            f"narrated-{place}", "D N31", "What the agent said is seen and acknowledged like anything else.",
            step(0, submit(word)), step(1, ROUTE), step(9, commit(SAID, is_trigger=True)), follow(9, "narration"),
            step(9, ROUTE, of="n1"), step(20, ack(), of="n1"),
            paths=[IN, SENT, DONE, IN, SENT, SEEN], presented=[["n1", place, SAID, 1]],
            turns=[["e1", "proactive", scope]], statuses={"e1": "delivered", "n1": "delivered"},
        )  # fmt: skip
    for word, scope in (("uaa", "global"), ("saa", "session")):
        yield told(
            f"vetoed-{scope}", "D N11", "The agent works on it in silence: no human is disturbed.",
            step(0, submit(word)), step(1, ROUTE), step(2, action("internal")), step(9, commit(acknowledged=True)),
            paths=[IN, SENT, "dispatched", DONE], presented=[], turns=[["e1", "internal", scope]],
        )  # fmt: skip


def failures() -> Iterator[Case]:
    """Ways in which an agent or a system fails."""
    start = (step(0, submit("uua")), step(1, ROUTE))
    yield told(
        "agent-hangs", "ANP 6.2", "An agent that never answers costs two minutes, not the notice.",
        *start, step(TTL, TICK), step(TTL + 9, ack(2)),
        paths=[IN, SENT, TAKEN, "escalated > delivered"], presented=[["e1", "inbox", WORDS, 2]],
        aware=[["e1", "escalated"], ["e1", "user_seen"]], fenced=[["e1", 1]],
    )  # fmt: skip
    yield told(
        "worker-dies", "D N8", "A claim without a worker behind it expires like no claim.",
        *start, step(2, claim()), step(TTL, TICK), step(TTL + 9, ack(2)),
        paths=[IN, SENT, "dispatched > locked", "locked > locked > escalated", "escalated > delivered"],
        presented=[["e1", "inbox", WORDS, 2]],
    )  # fmt: skip
    yield told(
        "never-routed", "D N8", "The program died between storing an event and routing it.",
        step(0, submit("uua")), step(TTL, TICK), step(TTL + 1, ROUTE), step(TTL + 9, ack(2)),
        paths=[IN, "pending > dispatched > locked > escalated", "transition-refused", "escalated > delivered"],
        presented=[["e1", "inbox", WORDS, 2]], turns=[],
    )  # fmt: skip
    yield told(
        "nobody-looks", "D N10", "Neither agent nor human: it becomes a dead letter, not a ghost.",
        *start, step(TTL, TICK), step(TTL + WEEK - 1, TICK), step(TTL + WEEK, TICK), step(TTL + WEEK + 1, TICK),
        paths=[IN, SENT, TAKEN, "escalated", "escalated > failed", "already-terminal"], statuses={"e1": "failed"},
    )  # fmt: skip
    yield told(
        "three-attempts", "D N9", "A connection that breaks twice is a connection that breaks twice.",
        *start, step(TTL, TICK), step(TTL + 1, unshown(2)), step(TTL + 2, unshown(2)), step(TTL + 3, unshown(2)),
        rules={"attempts": 3}, paths=[IN, SENT, TAKEN, "escalated", "escalated", "escalated > failed"],
        presented=[["e1", "inbox", WORDS, 2]] * 3,
    )  # fmt: skip
    yield told(
        "human-offline", "D N9", "A notice for who is away waits, and is shown again when they come back.",
        step(0, submit("uus")), step(1, ROUTE), step(2, unshown()), step(3, unshown(is_final=True)),
        step(9 * WEEK, TICK), step(9 * WEEK + 1, BACK), step(9 * WEEK + 2, ack()),
        paths=[IN, SENT, "dispatched", "dispatched", "dispatched", "dispatched", SEEN],
        presented=[["e1", "inbox", WORDS, 1]] * 2,
    )  # fmt: skip
    yield told(
        "turn-breaks", "ANP 5.1", "A model that fails tells nobody anything; the system does at once.",
        *start, step(5, broke()), step(6, ack(2)), paths=[IN, SENT, TAKEN, "escalated > delivered"],
        presented=[["e1", "inbox", WORDS, 2]],
    )  # fmt: skip
    yield told(
        "more-and-more-time", "ANP 6.2", "An agent that always wants more time is late in the end.",
        *start, step(100, extend(200)), step(190, extend(300)), step(290, extend(301)), step(300, TICK),
        rules={"cap_seconds": 300},
        paths=[IN, SENT, "dispatched", "dispatched", "deadline-refused", TAKEN],
        presented=[["e1", "inbox", WORDS, 2]],
    )  # fmt: skip
    far = {"delivery_deadline": at(999_999)}
    yield told(
        "a-deadline-far-away", "D N26", "A plugin that gives the agent a week would keep the human waiting for it.",
        step(0, keyed("uua", **far)), step(1, ROUTE), step(200, keyed("uua", "Again.", "e2", **far)),
        step(299, TICK), step(300, TICK), rules={"cap_seconds": 300},
        paths=[IN, SENT, "dispatched", "dispatched", TAKEN], presented=[["e1", "inbox", "Again.", 2]],
    )  # fmt: skip
    yield told(
        "a-deadline-far-away-and-never-routed", "D N26", "It is bounded from the beginning, not by the routing.",
        step(0, submit("saa", **far)), step(299, TICK), step(300, TICK), rules={"cap_seconds": 300},
        paths=[IN, IN, "pending > dispatched > locked > escalated"], presented=[["e1", "chat", WORDS, 2]],
    )  # fmt: skip
    updates = [step(60 * n, keyed("uua", f"Try {n}", f"e{n + 1}")) for n in range(1, 5)]
    yield told(
        "updates-for-ever", "D N26", "A plugin that reports every minute starves the watchdog, and the human.",
        step(0, keyed("uua")), step(1, ROUTE), *updates, step(299, TICK), step(300, TICK), rules={"cap_seconds": 300},
        paths=[IN, SENT, *["dispatched"] * 4, "dispatched", TAKEN], presented=[["e1", "inbox", "Try 4", 2]],
    )  # fmt: skip


def promotions() -> Iterator[Case]:
    """What the agent did is told."""
    start = (step(0, submit("uaa")), step(1, ROUTE), step(2, action("external")))
    yield told(
        "acts-and-tells", "D N17", "The agent did something that others see, and says so.",
        *start, step(9, commit("I wrote to Bob.", is_trigger=True)), follow(9, "narration"), step(9, ROUTE, of="n1"),
        paths=[IN, SENT, "dispatched", DONE, IN, SENT], surfaced=[["e1", "send_mail"]],
        presented=[["n1", "inbox", "I wrote to Bob.", 1]],
    )  # fmt: skip
    yield told(
        "acts-and-is-silent", "D N17", "It cannot hide what it did behind a veto.",
        *start, step(3, action(name="rm")), step(9, commit(acknowledged=True)),
        paths=[IN, SENT, "dispatched", "dispatched", TAKEN], shown_actions=[["e1", ["send_mail", "rm"]]],
        presented=[["e1", "inbox", WORDS, 2]],
    )  # fmt: skip
    yield told(
        "acts-and-hangs", "D N17", "It did something and died: the human is told of both.",
        *start, step(TTL, TICK), paths=[IN, SENT, "dispatched", TAKEN], shown_actions=[["e1", ["send_mail"]]],
    )  # fmt: skip
    yield told(
        "acts-behind-the-end", "D N18", "The event was vetoed; what the agent does after that is told by itself.",
        step(0, submit("uaa")), step(1, ROUTE), step(2, commit(acknowledged=True)), step(3, action("external")),
        follow(3, "notice"), paths=[IN, SENT, DONE, "delivered", IN], surfaced=[["e1", "send_mail"]],
    )  # fmt: skip


def sessions() -> Iterator[Case]:
    """Sessions end, and come back."""
    yield told(
        "session-ends-first", "ANP 2.1", "Nobody looks into a chat that is closed.",
        step(0, submit("sus")), step(1, ROUTE, session_exists=False), step(9, ack()),
        paths=[IN, SENT, SEEN], presented=[["e1", "inbox", WORDS, 1]],
    )  # fmt: skip
    yield told(
        "session-ends-unseen", "ANP 2.1", "It was shown in a chat that was closed before anybody looked.",
        step(0, submit("sus")), step(1, ROUTE), step(5, BACK, session_exists=False), step(9, ack()),
        paths=[IN, SENT, "dispatched", SEEN], presented=[["e1", "chat", WORDS, 1], ["e1", "inbox", WORDS, 1]],
    )  # fmt: skip
    for name, final in (("unshown", False), ("unshown-for-good", True)):
        yield told(
            f"session-ends-{name}", "D N9", "A dead chat was no attempt: the inbox has all that the host allows.",
            step(0, submit("sua")), step(1, ROUTE), step(TTL, TICK),
            step(TTL + 1, unshown(2, is_final=final), session_exists=False), step(TTL + 2, unshown(2)),
            step(TTL + 3, unshown(2)), rules={"attempts": 2},
            paths=[IN, SENT, TAKEN, "escalated", "escalated", "escalated > failed"],
            presented=[["e1", "chat", WORDS, 2], ["e1", "inbox", WORDS, 2], ["e1", "inbox", WORDS, 2]],
        )  # fmt: skip
    yield told(
        "session-ends-with-a-fact", "ANP 2.1", "The agent still reads it, and no human ever does.",
        step(0, submit("sas")), step(1, ROUTE), step(5, BACK, session_exists=False), step(6, BACK), step(9, read()),
        paths=[IN, SENT, "dispatched", "dispatched", SEEN], presented=[], statuses={"e1": "delivered"},
        effects=["audit", "add_fact", "add_fact address_demoted", "", ""],
    )  # fmt: skip
    yield told(
        "session-ends-in-a-turn", "D N33", "The turn goes on; what it said is routed to where the human is.",
        step(0, submit("sua")), step(1, ROUTE), step(9, commit(SAID, is_trigger=True), session_exists=False),
        follow(9, "narration"), step(9, ROUTE, of="n1", session_exists=False),
        paths=[IN, SENT, DONE, IN, SENT], presented=[["n1", "inbox", SAID, 1]], turns=[["e1", "proactive", "session"]],
    )  # fmt: skip
    yield told(
        "session-comes-back", "D N33", "What went to the inbox stays there: in two places it is seen twice.",
        step(0, submit("sus")), step(1, ROUTE, session_exists=False, lane_busy=True), step(5, ROUTE), step(6, BACK),
        paths=[IN, IN, SENT, "dispatched"], presented=[["e1", "inbox", WORDS, 1]] * 2,
    )  # fmt: skip
    yield told(
        "alert-behind-a-turn", "D N21", "It waits for the turn, and is shown when the lane is free.",
        step(0, submit("uus")), step(1, ROUTE, lane_busy=True), step(2, ROUTE, lane_busy=True), step(9, ROUTE),
        paths=[IN, IN, IN, SENT], effects=["audit", "queue", "queue", "agent_aware present"],
        presented=[["e1", "inbox", WORDS, 1]],
    )  # fmt: skip
    child = submit("uua", id="e2", origin="agent", causation_id="e1", depth=3)
    yield told(
        "no-endless-talk", "D N31", "An agent whose words start its next turn would never stop.",
        step(0, child), step(1, ROUTE), step(TTL, TICK), step(TTL + 1, ack()), turns=[],
        paths=[IN, SENT, "dispatched", SEEN], presented=[["e2", "inbox", WORDS, 1]],
    )  # fmt: skip


def keys() -> Iterator[Case]:
    """The same key."""
    storm = [step(n, keyed("uus", f"Try {n}", f"e{n + 1}")) for n in range(2, 6)]
    yield told(
        "storm", "ANP 7", "Five reports of one trouble are one notice, not five.",
        step(0, keyed("uus")), step(1, ROUTE), *storm, step(9, ack(revision=5)),
        paths=[IN, SENT, *["dispatched"] * 4, SEEN], statuses={"e1": "delivered"},
        updated=[["e1", "inbox", f"Try {n}", n] for n in range(2, 6)], presented=[["e1", "inbox", WORDS, 1]],
    )  # fmt: skip
    yield told(
        "news-after-the-end", "ANP 7.1", "The trouble came back after it was seen: that is news.",
        step(0, keyed("uus")), step(1, ROUTE), step(2, ack()), step(3, keyed("uus", id="e2")), step(4, ROUTE, of="e2"),
        paths=[IN, SENT, SEEN, IN, SENT], statuses={"e1": "delivered", "e2": "dispatched"},
    )  # fmt: skip
    yield told(
        "news-while-claimed", "D N23", "The worker ends what it holds; the newer words get a turn of their own.",
        step(0, keyed("uua")), step(1, ROUTE), step(2, claim()), step(3, keyed("uua", "Again.", "e2")),
        step(4, keyed("uua", "And again.", "e3")), step(5, commit(SAID, is_trigger=True, holder="w1")),
        paths=[IN, SENT, "dispatched > locked", IN, IN, "locked > delivered"], updated=[],
        statuses={"e1": "delivered", "e2": IN},
    )  # fmt: skip
    yield told(
        "news-after-an-escalation", "ANP 7.1", "What the human is shown now is not exchanged under their eyes.",
        step(0, keyed("uua")), step(1, ROUTE), step(TTL, TICK), step(TTL + 1, keyed("uua", "Again.", "e2")),
        paths=[IN, SENT, TAKEN, IN], statuses={"e1": "escalated", "e2": IN}, updated=[],
    )  # fmt: skip
    yield told(
        "one-key-two-users", "D N24", "Bob's trouble is not Olivia's, though both plugins name it alike.",
        step(0, keyed("uus")), step(1, keyed("uus", "Bob's backup failed.", "e2", user_id="bob")),
        paths=[IN, IN], statuses={"e1": IN, "e2": IN}, updated=[],
    )  # fmt: skip
    yield told(
        "no-key", "ANP 7.1", "Events without a key have nothing in common, not even the same words.",
        step(0, submit("uus")), step(1, submit("uus", id="e2")), paths=[IN, IN], statuses={"e1": IN, "e2": IN},
    )  # fmt: skip
    yield told(
        "one-key-two-routes", "D N24", "A key is one event across channels; the other route is told, not taken.",
        step(0, keyed("uaa")), step(1, ROUTE), step(2, keyed("uus", "Again.", "e2")),
        paths=[IN, SENT, "dispatched"], statuses={"e1": "dispatched"}, notes=["routing-kept"], presented=[],
    )  # fmt: skip


def races() -> Iterator[Case]:
    """Two want the same at the same time."""
    start = (step(0, submit("uua")), step(1, ROUTE))
    yield raced(
        "watchdog-first", "ANP 6.3", "The agent speaks a moment too late: told twice is told by two.",
        *start, step(TTL, TICK), step(TTL, commit(SAID, is_trigger=True)), step(TTL, action("external")),
        step(TTL, extend(600)), step(TTL, claim()),
        paths=[IN, SENT, TAKEN, *["stale-lease"] * 4], presented=[["e1", "inbox", WORDS, 2]], fenced=[["e1", 1]],
    )  # fmt: skip
    yield raced(
        "agent-first", "D N16", "It was late, and still before the watchdog: it counts.",
        *start, step(TTL + 5, commit(SAID, is_trigger=True)), step(TTL + 5, TICK),
        paths=[IN, SENT, DONE, "already-terminal"], presented=[], fenced=[],
    )  # fmt: skip
    yield raced(
        "two-watchdogs", "D N15", "Two of them run; the second finds nothing to take, and the lease stays 2.",
        *start, step(TTL, TICK), step(TTL, TICK), step(TTL + 1, ack(2)),
        paths=[IN, SENT, TAKEN, "escalated", "escalated > delivered"], presented=[["e1", "inbox", WORDS, 2]],
    )  # fmt: skip
    yield raced(
        "two-workers", "D N15", "Both were granted the event; one has it.",
        *start, step(2, claim()), step(2, claim(holder="w2")),
        step(3, commit("I am w2.", is_trigger=True, holder="w2")), step(4, commit(SAID, is_trigger=True, holder="w1")),
        paths=[IN, SENT, "dispatched > locked", "wrong-holder", "wrong-holder", "locked > delivered"],
    )  # fmt: skip
    yield raced(
        "two-devices", "D N35", "Phone and desk show one notice; both acknowledge.",
        step(0, submit("uus")), step(1, ROUTE), step(2, ack()), step(3, ack()),
        paths=[IN, SENT, SEEN, "already-terminal"], aware=[["e1", "shown"], ["e1", "user_seen"]],
    )  # fmt: skip
    yield raced(
        "update-and-ack", "D N25", "The phone acknowledges the old words while the new ones come in.",
        step(0, keyed("uus")), step(1, ROUTE), step(2, keyed("uus", "Again.", "e2")), step(3, ack(revision=1)),
        step(4, ack(revision=2)),
        paths=[IN, SENT, "dispatched", "stale-revision", SEEN], updated=[["e1", "inbox", "Again.", 2]],
    )  # fmt: skip
    yield raced(
        "update-and-veto", "D N25", "The agent vetoes what it was shown, while something worse comes in.",
        step(0, keyed("uaa")), step(1, ROUTE), step(2, keyed("uaa", "All disks failed.", "e2")),
        step(3, commit(acknowledged=True, revision=1)), step(TTL + 2, TICK),
        paths=[IN, SENT, "dispatched", "stale-revision", TAKEN], presented=[["e1", "inbox", "All disks failed.", 2]],
    )  # fmt: skip
    yield raced(
        "old-ack-after-escalation", "D N14", "An acknowledgement under the old lease saw something else.",
        *start, step(TTL, TICK), step(TTL + 1, ack(1)), step(TTL + 2, ack(2)),
        paths=[IN, SENT, TAKEN, "stale-lease", "escalated > delivered"],
    )  # fmt: skip
    yield raced(
        "leases-of-two-events", "D N14", "A lease is one event's: the escalation of one fences no other.",
        *start, step(2, submit("uaa", id="e2")), step(3, ROUTE, of="e2"), step(TTL, TICK),
        step(TTL + 1, commit(acknowledged=True), of="e2"), step(TTL + 1, commit(SAID, is_trigger=True), of="e1"),
        paths=[IN, SENT, IN, SENT, TAKEN, DONE, "stale-lease"],
    )  # fmt: skip
    yield raced(
        "submitted-twice", "ANP 7", "The plugin did not hear the answer; the human hears it once.",
        step(0, keyed("uus")), step(1, ROUTE), step(2, keyed("uus")), step(3, ack()), step(4, keyed("uus")),
        paths=[IN, SENT, "already-submitted", SEEN, "already-submitted"], statuses={"e1": "delivered"},
    )  # fmt: skip


def again() -> Iterator[Case]:
    """What was merged comes again."""
    yield raced(
        "merged-twice", "ANP 7", "The older of two reports comes again; the newer one stands.",
        step(0, keyed("uus")), step(1, ROUTE), step(2, keyed("uus", "Two.", "e2")),
        step(3, keyed("uus", "Three.", "e3")),
        step(4, keyed("uus", "Two.", "e2")), step(5, keyed("uus", "Three.", "e3")), step(6, keyed("uus")),
        step(7, ack(revision=3)),
        paths=[IN, SENT, "dispatched", "dispatched", *["already-submitted"] * 3, SEEN],
        updated=[["e1", "inbox", "Two.", 2], ["e1", "inbox", "Three.", 3]],
    )  # fmt: skip
    storm = [step(n, keyed("uus", f"Try {n}", f"e{n}")) for n in range(2, 34)]
    yield raced(
        "merged-long-ago", "ANP 7", "In a storm of reports the first one comes again behind all others.",
        step(0, keyed("uus")), *storm, step(40, keyed("uus", "Try 2", "e2")), step(41, ROUTE),
        paths=[IN, *[IN] * len(storm), "already-submitted", SENT], presented=[["e1", "inbox", "Try 33", 1]],
    )  # fmt: skip


def hostile() -> Iterator[Case]:
    """Everything wrong at once: the event is as it was, to the byte."""
    agents = (
        *(command for lease in (None, 0, 2, -1, 2**60) for command in (
            claim(lease), action("internal", lease), commit(SAID, lease, is_trigger=True, acknowledged=True),
            broke(lease), extend(200, lease), ack(lease), read(lease), unshown(lease),
        )),
    )  # fmt: skip
    strange = ({"kind": "explode"}, {"kind": "Tick"}, {}, {"kind": "client_ack", "lease": "1", "user_id": "olivia"},
               {"kind": "submit", "id": "e9", "submission": {"content": "x"}})  # fmt: skip
    others = ({**BACK, "user_id": "mallory"}, ack(user_id="mallory"), ack(2, user_id="mallory"))
    for variant, record in (
        ("offered", event("uua", app={"n": 1.5, "ü": [None]}, metadata={"b": 1, "a": 2})),
        ("claimed", event("saa", "locked", metadata={"b": 1, "a": 2})),
        ("shown", event("sus", metadata={"fallback_text": "x"}, app=[1])),
        ("fact", event("uas", app="x")),
    ):
        codes = ["stale-lease"] * len(agents) + ["malformed"] * len(strange) + ["wrong-user"] * len(others)
        steps = [step(n, command) for n, command in enumerate((*agents, *strange, *others))]
        yield refused(
            variant, "R48", "What is refused leaves no trace in the event: not a time, not a number, not an order.",
            *steps, records=(record,), unchanged=True, paths=codes, statuses={"e1": record["status"]},
        )  # fmt: skip
    commands = (ack(), ack(2), claim(), claim(2), commit(SAID, is_trigger=True), commit(SAID, 2, acknowledged=True),
                broke(), broke(2), extend(900), read(), unshown(), unshown(2), TICK, ROUTE, BACK, ABANDON)  # fmt: skip
    for variant, record in (
        ("delivered", event("uua", "delivered", app={"n": 1})),
        ("failed", escalated(status="failed", app={"n": 1})),
    ):
        yield refused(
            variant, "ANP 8.2", "What has ended is evidence of what happened, and stays as it is.",
            *[step(WEEK * n, command) for n, command in enumerate(commands, 1)], records=(record,), unchanged=True,
            paths=["already-terminal"] * len(commands),
        )  # fmt: skip
    yield refused(
        "escalated", "ANP 6.3", "The agent keeps trying with what it was granted, and with what it guesses.",
        *[step(n, command) for n, command in enumerate((
            claim(), claim(2), action("internal"), action("internal", 2), commit(SAID, is_trigger=True),
            commit(SAID, 2, is_trigger=True), broke(2), extend(900, 2), ack(1), ack(3), unshown(1),
        ))],
        records=(escalated(app={"n": 1}),), unchanged=True,
        paths=["stale-lease", "wrong-owner", "stale-lease", "wrong-owner", "stale-lease", "wrong-owner", "wrong-owner",
               "wrong-owner", "stale-lease", "stale-lease", "stale-lease"],
    )  # fmt: skip
    yield refused(
        "looked-at", "ANP 5.1", "Looking at the clock, and showing again, changes nothing.",
        step(1, TICK), step(2, BACK), step(3, unshown()), step(WEEK, TICK), records=(event("uus", app=1),),
        unchanged=True, paths=["dispatched"] * 4,
    )  # fmt: skip


def behaviours() -> Iterator[tuple[str, str, str, list[Case]]]:
    """What the files are made of."""
    cases = [*lives(), *failures(), *promotions(), *sessions(), *keys()]
    yield "story", "anp.story", "Events from their beginning to their end.", cases
    yield "races", "anp.story", "Two want the same at the same time.", [*races(), *again()]
    yield "hostile", "anp.story", "What is refused leaves no trace.", list(hostile())
