"""What the text alone decides of an event: `conformance/v0.1/anp/outcomes.json`, `action-outcomes.json`.

Other files compare whole decisions, with members and effects that this project added. These cases compare only what
the text says: which state an event is in at the end, where a human was shown it and under which lease, and which turn
was started.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tests.vectors._anp_rows import (
    GONE,
    ROUTE,
    TICK,
    TTL,
    WEEK,
    WORDS,
    Case,
    ack,
    action,
    broke,
    claim,
    commit,
    decisions,
    escalated,
    event,
    flags,
    step,
    stories,
    submit,
    unshown,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

ended, acted = stories("outcomes"), decisions("action-outcomes")

SAID: Final = "The backup failed; shall I retry?"
AGAIN: Final = "The backup failed again."
LATE: Final = TTL + 60
"""Seconds after the beginning, when every deadline of these events is over."""

PLACES: Final = {"u": "inbox", "s": "chat"}
SCOPES: Final = {"u": "global", "s": "session"}
NAMES: Final = {
    "uua": "mediated",
    "sua": "mediated-in-a-session",
    "uaa": "autonomous",
    "saa": "autonomous-in-a-session",
}
"""The events that the agent handles, by their flags."""


def routed() -> Iterator[Case]:
    """Where the flags lead."""
    for word, name in (("uus", "direct"), ("sus", "direct-in-a-session")):
        yield ended(
            name, "ANP 3.1", "The system shows it at once, where its address says, and needs no agent for it.",
            step(0, submit(word)), step(1, ROUTE),
            statuses={"e1": "dispatched"}, presented=[["e1", PLACES[word[0]], WORDS, 1]], turns=[],
        )  # fmt: skip
        yield ended(
            f"{name}-seen", "ANP 5.1", "A human has seen it: it is over.",
            step(0, submit(word)), step(1, ROUTE), step(9, ack()), statuses={"e1": "delivered"},
        )  # fmt: skip
    for word, name in (("uas", "passive"), ("sas", "passive-in-a-session")):
        yield ended(
            name, "ANP 4.2", "It is context for the next turn: no human sees it, and no turn is started for it.",
            step(0, submit(word)), step(1, ROUTE), presented=[], turns=[],
        )  # fmt: skip
    for word, name in NAMES.items():
        turn = "proactive" if word[1] == "u" else "internal"
        yield ended(
            name, f"ANP 4.{1 if word[1] == 'u' else 2}", "The agent has it at once, and nobody is shown it raw.",
            step(0, submit(word)), step(1, ROUTE),
            statuses={"e1": "dispatched"}, presented=[], turns=[["e1", turn, SCOPES[word[0]]]],
        )  # fmt: skip
    yield ended(
        "session-gone", "ANP 2.1", "The session is over, and the notice reaches its user all the same.",
        step(0, submit("sus")), step(1, ROUTE, **GONE), presented=[["e1", "inbox", WORDS, 1]], turns=[],
    )  # fmt: skip
    for word, turn in (("sua", "proactive"), ("saa", "internal")):
        yield ended(
            f"session-gone-{NAMES[word].partition('-')[0]}", "ANP 2.1", "A turn of a session that is gone is nobody's.",
            step(0, submit(word)), step(1, ROUTE, **GONE), presented=[], turns=[["e1", turn, "global"]],
        )  # fmt: skip


def turned() -> Iterator[Case]:
    """What a turn of the agent comes to."""
    for word in ("uua", "sua"):
        held, place = (event(word),), PLACES[word[0]]
        yield ended(
            f"{NAMES[word]}-narrated", "ANP 4.1", "The agent said it in its own words: the raw ones are not shown.",
            step(9, commit(SAID, is_trigger=True, acknowledged=True)),
            records=held, statuses={"e1": "delivered"}, presented=[],
        )  # fmt: skip
        yield ended(
            f"{NAMES[word]}-silent", "ANP 2.2", "A silent agent does not cost the human the notice.",
            step(9, commit(is_trigger=True)),
            records=held, statuses={"e1": "escalated"}, presented=[["e1", place, WORDS, 2]],
        )  # fmt: skip
    for word in ("uaa", "saa"):
        yield ended(
            f"{NAMES[word]}-silent", "ANP 4.2", "About what is for the agent it may be silent.",
            step(9, commit(is_trigger=True, acknowledged=True)),
            records=(event(word),), statuses={"e1": "delivered"}, presented=[],
        )  # fmt: skip
    for word, name in NAMES.items():
        yield ended(
            f"{name}-broken", "ANP 5.1", "An agent that fails loses the event to the system.",
            step(9, broke()),
            records=(event(word),), statuses={"e1": "escalated"}, presented=[["e1", PLACES[word[0]], WORDS, 2]],
        )  # fmt: skip


def watched() -> Iterator[Case]:
    """What the watchdog does, and what comes of it."""
    for word, name in NAMES.items():
        held, shown = (event(word),), [["e1", PLACES[word[0]], WORDS, 2]]
        yield ended(
            f"{name}-late", "ANP 6.2", "An agent that never answers loses the event, and the human is shown it.",
            step(LATE, TICK), records=held, statuses={"e1": "escalated"}, presented=shown,
        )  # fmt: skip
        yield ended(
            f"{name}-in-time", "ANP 6.2", "Until its deadline the event is the agent's.",
            step(TTL - 60, TICK), records=held, unchanged=True, presented=[],
        )  # fmt: skip
        yield ended(
            f"{name}-late-then-seen", "ANP 6.2", "What the system showed in its place is over when it is seen.",
            step(LATE, TICK), step(LATE + 9, ack(2)), records=held, statuses={"e1": "delivered"}, presented=shown,
        )  # fmt: skip
        yield ended(
            f"{name}-late-then-unshown", "ANP 6.2", "Neither the agent nor the system reached a human.",
            step(LATE, TICK), step(LATE + 9, unshown(2)), records=held, statuses={"e1": "failed"}, presented=shown,
        )  # fmt: skip
    yield ended(
        "claimed-and-late", "ANP 6.2", "A worker that claims an event and hangs delivers nothing.",
        step(LATE, TICK), records=(event("uua", "locked"),), statuses={"e1": "escalated"},
        presented=[["e1", "inbox", WORDS, 2]],
    )  # fmt: skip


def fenced() -> Iterator[Case]:
    """Who may not change an event."""
    taken = (escalated(),)
    commands = {
        "words": commit(SAID, is_trigger=True, acknowledged=True),
        "acknowledgement": commit(acknowledged=True),
        "action": action("external"),
        "failure": broke(),
        "claim": claim(),
    }
    for name, command in commands.items():
        yield ended(
            f"late-{name}", "ANP 6.3", "The watchdog has the event: what the agent still sends is thrown away.",
            step(9, command), records=taken, unchanged=True, presented=[], surfaced=[],
        )  # fmt: skip
        yield ended(
            f"future-{name}", "ANP 6.3", "A lease that was never given is nobody's.",
            step(9, {**command, "lease": 2}), records=(event("uua"),), unchanged=True, presented=[], surfaced=[],
        )  # fmt: skip
    for name, record in (("delivered", event("uua", "delivered")), ("failed", escalated(status="failed"))):
        lease = record["owner_lease"]
        yield ended(
            f"{name}-for-good", "ANP 8.2", "What is over stays over, whoever comes and whenever.",
            step(9, commit(SAID, lease, is_trigger=True, acknowledged=True)), step(10, broke(lease)),
            step(11, ack(lease)), step(12, unshown(lease)), step(13, ROUTE), step(9 * WEEK, TICK),
            records=(record,), unchanged=True, presented=[],
        )  # fmt: skip
    for name in ("words", "acknowledgement", "failure", "claim"):
        yield ended(
            f"systems-{name}", "ANP 3", "The system is responsible for it, and so the agent is not.",
            step(9, commands[name]), records=(event("uus"),), unchanged=True, presented=[],
        )  # fmt: skip
    yield ended(
        "agents-seen", "ANP 3", "No client was shown what the agent has.",
        step(9, ack()), records=(event("uua"),), unchanged=True, presented=[],
    )  # fmt: skip
    yield ended(
        "waiting-seen", "ANP 5.1", "What went to no channel yet was seen by nobody.",
        step(9, ack()), records=(event("uus", "pending"),), unchanged=True, presented=[],
    )  # fmt: skip


def keyed() -> Iterator[Case]:
    """What a second event under the same key comes to."""
    key = {"deduplication_key": "backup"}
    more = submit("uus", AGAIN, id="e2", **key)
    yield ended(
        "same-key-waiting", "ANP 7.1", "News of the same thing replace what was not shown yet.",
        step(0, submit("uus", **key)), step(1, more), step(2, ROUTE, of="e1"),
        statuses={"e1": "dispatched"}, presented=[["e1", "inbox", AGAIN, 1]],
    )  # fmt: skip
    yield ended(
        "same-key-shown", "ANP 7.1", "News of the same thing do not stand beside it.",
        step(1, more), records=(event("uus", **key),), statuses={"e1": "dispatched"},
    )  # fmt: skip
    yield ended(
        "same-key-of-the-agent", "ANP 7.1", "With new words the agent has its time anew.",
        step(100, submit("uua", AGAIN, id="e2", **key)), step(TTL + 10, TICK),
        records=(event("uua", **key),), statuses={"e1": "dispatched"}, presented=[],
    )  # fmt: skip
    yield ended(
        "same-key-of-the-agent-late", "ANP 7.1", "The words that count are the newest.",
        step(100, submit("uua", AGAIN, id="e2", **key)), step(2 * TTL + 160, TICK, of="e1"),
        records=(event("uua", **key),), statuses={"e1": "escalated"}, presented=[["e1", "inbox", AGAIN, 2]],
    )  # fmt: skip
    for name, record in (("delivered", event("uus", "delivered", **key)), ("escalated", escalated(**key))):
        yield ended(
            f"same-key-{name}", "ANP 7.1", "What a human has in hand is not rewritten.",
            step(1, more), records=(record,), statuses={"e1": name, "e2": "pending"}, presented=[],
        )  # fmt: skip
    yield ended(
        "other-key", "ANP 7.1", "Another key is another thing.",
        step(0, submit("uus", **key)), step(1, submit("uus", AGAIN, id="e2", deduplication_key="disk")),
        statuses={"e1": "pending", "e2": "pending"},
    )  # fmt: skip


def actions() -> Iterator[Case]:
    """What an action of the agent does to its event."""
    told = {"must_surface": {"action": "send_mail"}}
    for word in ("uaa", "saa"):
        now = {"routing": flags(f"{word[0]}ua")}
        where = NAMES[word]
        yield acted(
            f"external-{where}", "ANP 6.1", "What others can see of an action, the human is told.",
            event(word), action("external"), changed=now, **told,
        )  # fmt: skip
        yield acted(
            f"unclassified-{where}", "ANP 6.1.2", "What nobody classified counts as seen by others.",
            event(word), action(), changed=now, **told,
        )  # fmt: skip
    yield acted(
        "external-mediated", "ANP 6.1", "It is for the human already, and the action is told as well.",
        event("uua"), action("external"), changed={}, **told,
    )  # fmt: skip
    for word in ("uua", "uaa", "saa"):
        yield acted(
            f"internal-{NAMES[word]}", "ANP 6.1.1", "It touches the agent alone: it is noted, and nobody is told.",
            event(word), action("internal"), changed={}, must_surface=None, audit={"classification": "internal"},
        )  # fmt: skip


def behaviours() -> Iterator[tuple[str, str, str, list[Case]]]:
    """What the files are made of."""
    cases = [*routed(), *turned(), *watched(), *fenced(), *keyed()]
    yield "outcomes", "anp.story", "What the text alone decides of an event.", cases
    yield "action-outcomes", "anp.decide", "What the text alone decides of an action.", list(actions())
