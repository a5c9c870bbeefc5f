"""How turns end: what the agent said and acknowledged, and what becomes of its events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tests.vectors._anp_rows import ack, at, claim
from tests.vectors._anp_turn_rows import (
    NARRATED,
    SAID,
    SESSION,
    SHOWN,
    TAKEN,
    Case,
    act,
    begin,
    commit,
    does,
    ev,
    gone,
    narration,
    scripts,
    words,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

narrate, silence, internal = (
    scripts("turn-narrate", "D N31"),
    scripts("turn-silence", "D N11"),
    scripts("turn-internal", "ANP 4.2"),
)
BLANK: Final = " \n\t\u3000"


def narrated() -> Iterator[Case]:
    """Row 17: the agent speaks, and its words are an event of their own."""
    told = "The agent spoke, so the human hears it once, in the agent's words, and nobody is left to do it again."
    for name, ids in (("acknowledged", ["e1"]), ("trigger", [])):
        yield narrate(
            name,
            told,
            [ev("e1", "uua")],
            begin(1, "e1"),
            commit(9, SAID, *ids),
            last={"e1": NARRATED, "n-t1": SHOWN},
            changed={"e1": {"status": "delivered"}},
            made={"n-t1": narration()},
            presented=[["n-t1", "inbox", SAID]],
            outcomes={"e1": "narrated"},
            running=None,
            notes=[],
            section="ANP 4.1",
        )
    yield narrate(
        "in-session",
        "Words of the agent about something in a session belong into its chat.",
        [ev("e1", "sua")],
        begin(1, "e1"),
        commit(9, SAID, "e1"),
        unit=SESSION,
        made={"n-t1": narration(word="sus")},
        presented=[["n-t1", "chat", SAID]],
        chats=[["n-t1", "s1"]],
    )
    yield narrate(
        "session-gone",
        "A session that ends while the agent speaks must not swallow its words: they go to the user.",
        [ev("e1", "sua")],
        begin(1, "e1"),
        commit(9, SAID, "e1", facts=gone("e1")),
        unit=SESSION,
        statuses={"e1": "delivered", "n-t1": "dispatched"},
        presented=[["n-t1", "inbox", SAID]],
        demoted=[["n-t1", "s1"]],
        section="D N33",
    )
    yield narrate(
        "once-a-turn",
        "The agent speaks once for all that it handled; the same words for each event are noise.",
        [ev("e1", "uua"), ev("e2", "uua"), ev("e3", "uaa")],
        begin(1, "e1"),
        commit(9, SAID, "e1", "e2", "e3"),
        statuses={"e1": "delivered", "e2": "delivered", "e3": "delivered", "n-t1": "dispatched"},
        presented=[["n-t1", "inbox", SAID]],
        outcomes={"e1": "narrated", "e2": "narrated", "e3": "spoke"},
    )
    yield narrate(
        "longest-chain",
        "What tells of several events is one deeper than the deepest, and its cause is the one that started the turn.",
        [ev("e1", "uua"), ev("e2", "uua", depth=2, causation_id="e0")],
        begin(1, "e1"),
        commit(9, SAID, "e2"),
        made={"n-t1": narration(depth=3)},
    )
    yield narrate(
        "of-a-session",
        "The agent speaks where its turn was started, also of what belongs to a session.",
        [ev("e1", "uaa"), ev("e2", "sua")],
        begin(1, "e1"),
        commit(9, SAID, "e2"),
        unit=SESSION,
        statuses={"e1": "dispatched", "e2": "delivered", "n-t1": "dispatched"},
        made={"n-t1": narration("e2")},
        presented=[["n-t1", "inbox", SAID]],
    )
    yield narrate(
        "of-the-user-in-a-session",
        "The same the other way: what a turn in a session tells of the user's is told in the chat of that session.",
        [ev("e1", "saa"), ev("e2", "uua", depth=1, causation_id="e0")],
        begin(1, "e1"),
        commit(9, SAID, "e2"),
        unit=SESSION,
        made={"n-t1": narration("e2", "sus", depth=2)},
        presented=[["n-t1", "chat", SAID]],
        chats=[["n-t1", "s1"]],
    )
    yield narrate(
        "bystander",
        "What merely stood in the prompt and was not acknowledged was not told: its own turn comes.",
        [ev("e1", "uua"), ev("e2", "uua")],
        begin(1, "e1"),
        commit(9, SAID, "e1"),
        last={"e1": NARRATED, "n-t1": SHOWN},
        wakes=at(120),
        section="ANP 5.1",
    )
    yield narrate(
        "bystander-acknowledged",
        "The agent may tell of what stood beside, and then it is told.",
        [ev("e1", "uua"), ev("e2", "uua")],
        begin(1, "e1"),
        commit(9, SAID, "e2"),
        last={"e1": NARRATED, "e2": NARRATED, "n-t1": SHOWN},
        section="ANP 5.1",
    )
    yield narrate(
        "seen",
        "The words of the agent are shown to a human by a client, who acknowledges them like any other.",
        [ev("e1", "uua")],
        begin(1, "e1"),
        commit(9, SAID, "e1"),
        does(20, "n-t1", ack()),
        last={"n-t1": "dispatched > delivered"},
        outcomes={"e1": "narrated", "n-t1": "seen"},
    )
    yield narrate(
        "deep",
        "What the agent says of an event at the end of a chain is one deeper, and starts no turn.",
        [ev("e1", "uua", depth=2, causation_id="e0")],
        begin(1, "e1"),
        commit(9, SAID, "e1"),
        made={"n-t1": narration(depth=3)},
        presented=[["n-t1", "inbox", SAID]],
    )
    yield narrate(
        "held",
        "The worker that has claimed an event ends it.",
        [ev("e1", "uua")],
        does(1, "e1", claim(holder="w1")),
        begin(2, "e1", holder="w1"),
        commit(9, SAID, "e1"),
        last={"e1": "locked > delivered", "n-t1": SHOWN},
        section="D N6",
    )
    yield narrate(
        "late",
        "Until the watchdog has taken it the agent owns the event: its lease decides, not the clock.",
        [ev("e1", "uua")],
        begin(1, "e1"),
        commit(130, SAID, "e1"),
        last={"e1": NARRATED, "n-t1": SHOWN},
        leases={"e1": 1, "n-t1": 1},
        section="D N16",
    )
    yield narrate(
        "promoted",
        "What the agent did is to be told, and when it tells of it, it is.",
        [ev("e1", "uaa")],
        begin(1, "e1"),
        act(2, "external"),
        commit(9, SAID, "e1"),
        outcomes={"e1": "narrated"},
        presented=[["n-t1", "inbox", SAID]],
        section="D N17",
    )


def silent() -> Iterator[Case]:
    """Rows 18 and 22: what the human was promised is shown when the agent says nothing."""
    at_once = "The human was promised to hear of it: when the agent says nothing, the system shows it at once."
    for name, output, ids in (
        ("none", None, []),
        ("blank", BLANK, []),
        ("unseen", "\u200b\ufeff\ufe0f", []),
        ("acknowledged", None, ["e1"]),
        ("blank-acknowledged", " ", ["e1"]),
    ):
        yield silence(
            name,
            at_once,
            [ev("e1", "uua")],
            begin(1, "e1"),
            commit(9, output, *ids),
            last={"e1": TAKEN},
            statuses={"e1": "escalated"},
            leases={"e1": 2},
            presented=[["e1", "inbox", words("e1")]],
            aware=[["e1", "escalated"]],
            outcomes={},
            section="D N12" if ids else "D N11",
        )
    yield silence(
        "in-session",
        at_once,
        [ev("e1", "sua")],
        begin(1, "e1"),
        commit(9),
        unit=SESSION,
        presented=[["e1", "chat", words("e1")]],
    )
    yield silence(
        "session-gone",
        "Where the session ended meanwhile, the user is told beyond it.",
        [ev("e1", "sua")],
        begin(1, "e1"),
        commit(9, facts=gone("e1")),
        unit=SESSION,
        presented=[["e1", "inbox", words("e1")]],
        demoted=[["e1", "s1"]],
        section="D N20",
    )
    yield silence(
        "fallback-text",
        "A plugin may say which words a human is to read when the agent is silent.",
        [ev("e1", "uua", metadata={"fallback_text": "Backup of disk 2 failed."})],
        begin(1, "e1"),
        commit(9),
        presented=[["e1", "inbox", "Backup of disk 2 failed."]],
        section="D N30",
    )
    yield silence(
        "bystander",
        "An event whose own turn is still to come is not taken because another turn was silent.",
        [ev("e1", "uaa"), ev("e2", "uua")],
        begin(1, "e1"),
        commit(9, None, "e1"),
        last={"e1": NARRATED},
        statuses={"e1": "delivered", "e2": "dispatched"},
        presented=[],
        section="ANP 5.1",
    )
    yield silence(
        "bystander-acknowledged",
        "To acknowledge what the human was promised, and to say nothing, is silence.",
        [ev("e1", "uaa"), ev("e2", "uua")],
        begin(1, "e1"),
        commit(9, None, "e1", "e2"),
        last={"e1": NARRATED, "e2": TAKEN},
        presented=[["e2", "inbox", words("e2")]],
        section="D N12",
    )
    yield silence(
        "promoted",
        "After an action that people can see, silence is no veto any more.",
        [ev("e1", "uaa")],
        begin(1, "e1"),
        act(2, "external"),
        commit(9, None, "e1"),
        last={"e1": TAKEN},
        presented=[["e1", "inbox", words("e1")]],
        shown_actions=[["e1", ["send_mail"]]],
        section="D N17",
    )


def thought() -> Iterator[Case]:
    """Rows 19 and 20: what is for the agent alone."""
    yield internal(
        "vetoed",
        "The agent has read it and decided that nobody need hear of it: it acknowledges and is silent.",
        [ev("e1", "uaa")],
        begin(1, "e1"),
        commit(9, None, "e1"),
        last={"e1": NARRATED},
        changed={"e1": {"status": "delivered"}},
        made={},
        presented=[],
        outcomes={"e1": "vetoed"},
    )
    yield internal(
        "spoke",
        "The agent may tell the human of what was for it.",
        [ev("e1", "uaa")],
        begin(1, "e1"),
        commit(9, SAID, "e1"),
        outcomes={"e1": "spoke"},
        made={"n-t1": narration()},
        presented=[["n-t1", "inbox", SAID]],
    )
    yield internal(
        "spoke-in-session",
        "The agent may tell the human of what was for it, in the chat where it belongs.",
        [ev("e1", "saa")],
        begin(1, "e1"),
        commit(9, SAID, "e1"),
        unit=SESSION,
        made={"n-t1": narration(word="sus")},
        presented=[["n-t1", "chat", SAID]],
    )
    yield internal(
        "not-acknowledged",
        "Silence without an acknowledgement is a lost event: it stays, and its deadline stays with it.",
        [ev("e1", "uaa")],
        begin(1, "e1"),
        commit(9),
        last={},
        changed={},
        presented=[],
        wakes=at(120),
        running=None,
        section="D N11",
    )
    yield internal(
        "offered-again",
        "What the agent did not acknowledge stands in the next prompt, under the same lease.",
        [ev("e1", "uaa")],
        begin(1, "e1"),
        commit(9),
        begin(20, "e1", "t2"),
        results=["ok", "ok", "ok"],
        sections={"t1": {"handle": ["e1"]}, "t2": {"handle": ["e1"]}},
        granted={"t1": {"e1": 1}, "t2": {"e1": 1}},
        section="D N11",
    )
    yield internal(
        "spoke-of-nothing",
        "Words for no event are kept back: the event is offered again, and would be told twice.",
        [ev("e1", "uaa")],
        begin(1, "e1"),
        commit(9, SAID),
        changed={},
        made={},
        presented=[],
        notes=["narration-withheld"],
    )
    yield internal(
        "until-the-deadline",
        "An event that is never acknowledged reaches the human in the end.",
        [ev("e1", "uaa")],
        begin(1, "e1"),
        commit(9),
        does(120, "e1", {"kind": "tick"}),
        last={"e1": TAKEN},
        presented=[["e1", "inbox", words("e1")]],
        section="D N11",
    )


def behaviours() -> Iterator[tuple[str, str, str, Iterator[Case]]]:
    """The files."""
    op = "anp.turn"
    yield "turn-narrate", op, "The agent speaks, and its words are an event of their own.", narrated()
    yield "turn-silence", op, "The agent says nothing of what the human was promised to hear of.", silent()
    yield "turn-internal", op, "Events for the agent alone: acknowledged, or offered again.", thought()
