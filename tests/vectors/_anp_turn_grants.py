"""What turns may end: an acknowledgement counts for what was granted, as it was granted; facts; conversations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.vectors._anp_rows import BACK, TICK, ack, at, claim, flags, submit
from tests.vectors._anp_turn_rows import (
    NARRATED,
    SAID,
    SESSION,
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
    scripts,
    waits,
    words,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

grants, facts, talk = (
    scripts("turn-grants", "D N13"),
    scripts("turn-facts", "D N4"),
    scripts("turn-conversation", "ANP 5.1"),
)


def granted() -> Iterator[Case]:
    """Row 29 and resolution 13: an acknowledgement counts for what the turn was granted, as it was granted."""
    yield grants(
        "unknown",
        "An id that the agent made up is nobody's; it is told, and the rest counts.",
        [ev("e1", "uua")],
        begin(1, "e1"),
        commit(9, SAID, "e9", "e1"),
        last={"e1": NARRATED, "n-t1": SHOWN},
        notes=["acknowledgement-ignored"],
    )
    yield grants(
        "shown-by-system",
        "The agent can never deliver to the human what the system shows: only a client knows that it was seen.",
        [ev("e1", "uua"), ev("d1", "uus")],
        begin(1, "e1"),
        commit(9, SAID, "e1", "d1"),
        last={"e1": NARRATED, "n-t1": SHOWN},
        statuses={"d1": "dispatched", "e1": "delivered", "n-t1": "dispatched"},
        notes=["acknowledgement-ignored"],
        section="ANP 5.1",
    )
    yield grants(
        "escalated",
        "What the watchdog has taken is the system's, whoever acknowledges it.",
        [ev("e1", "uua"), ev("e2", "uua", "escalated", routing=flags("uus"), owner_lease=2)],
        begin(1, "e1"),
        commit(9, SAID, "e1", "e2"),
        statuses={"e1": "delivered", "e2": "escalated", "n-t1": "dispatched"},
        notes=["acknowledgement-ignored"],
        section="ANP 5.1",
    )
    yield grants(
        "came-later",
        "An agent cannot have handled what did not stand in its prompt, even if it guesses the id.",
        [ev("e1", "uua"), waits("e2", "uaa", delivery_deadline=at(120))],
        begin(1, "e1"),
        goes(2, "e2"),
        commit(9, SAID, "e1", "e2"),
        statuses={"e1": "delivered", "e2": "dispatched", "n-t1": "dispatched"},
        notes=["acknowledgement-ignored"],
    )
    yield grants(
        "another-users",
        "Nobody's agent ends the events of somebody else.",
        [ev("e1", "uua"), ev("a1", "uaa", user_id="ash")],
        begin(1, "e1"),
        commit(9, SAID, "e1", "a1"),
        statuses={"a1": "dispatched", "e1": "delivered", "n-t1": "dispatched"},
        notes=["acknowledgement-ignored"],
    )
    yield grants(
        "twice",
        "An id that stands there twice is one acknowledgement.",
        [ev("e1", "uua"), ev("e2", "uaa")],
        begin(1, "e1"),
        commit(9, SAID, "e2", "e2", "e1"),
        last={"e1": NARRATED, "e2": NARRATED, "n-t1": SHOWN},
        presented=[["n-t1", "inbox", SAID]],
        notes=[],
    )
    yield grants(
        "taken-meanwhile",
        "What the watchdog took while the agent was thinking is shown once: the late words are thrown away.",
        [ev("e1", "uua")],
        begin(1, "e1"),
        does(120, "e1", {"kind": "tick"}),
        commit(130, SAID, "e1"),
        results=["ok", "ok", "ok"],
        refused=[{}, {}, {"e1": "stale-lease"}],
        statuses={"e1": "escalated"},
        made={},
        presented=[["e1", "inbox", words("e1")]],
        notes=["narration-withheld"],
        section="ANP 6.3",
    )
    yield grants(
        "seen-meanwhile",
        "What was taken and then seen is over: nothing that comes late changes it.",
        [ev("e1", "uua")],
        begin(1, "e1"),
        does(120, "e1", {"kind": "tick"}),
        does(125, "e1", ack(2)),
        commit(130, SAID, "e1"),
        refused=[{}, {}, {}, {"e1": "already-terminal"}],
        outcomes={"e1": "seen"},
        presented=[["e1", "inbox", words("e1")]],
        section="ANP 6.3",
    )
    yield grants(
        "one-of-two-taken",
        "What it says would tell the human twice of the one that was taken: nothing of it counts.",
        [ev("e1", "uua", delivery_deadline=at(60)), ev("e2", "uua")],
        begin(1, "e2"),
        does(60, "e1", {"kind": "tick"}),
        commit(70, SAID, "e1", "e2"),
        refused=[{}, {}, {"e1": "stale-lease"}],
        statuses={"e1": "escalated", "e2": "escalated"},
        presented=[["e1", "inbox", words("e1")], ["e2", "inbox", words("e2")]],
        notes=["narration-withheld"],
        section="ANP 6.3",
    )
    yield grants(
        "new-words",
        "The agent told of the old words; the new ones, which replaced them meanwhile, are still to be told.",
        [ev("e1", "uua", deduplication_key="k")],
        begin(1, "e1"),
        does(5, "", submit("uua", "It failed twice.", id="e2", deduplication_key="k")),
        commit(9, SAID, "e1"),
        refused=[{}, {}, {"e1": "stale-revision"}],
        statuses={"e1": "dispatched"},
        presented=[],
        notes=["narration-withheld"],
        section="D N25",
    )
    yield grants(
        "new-words-offered",
        "The next turn reads the new words, and may end them.",
        [ev("e1", "uua", deduplication_key="k")],
        begin(1, "e1"),
        does(5, "", submit("uua", "It failed twice.", id="e2", deduplication_key="k")),
        commit(9, SAID, "e1"),
        begin(10, "e1", "t2"),
        commit(19, SAID, "e1", turn="t2"),
        contents={"t1": {"e1": words("e1")}, "t2": {"e1": "It failed twice."}},
        revisions={"t1": {"e1": 1}, "t2": {"e1": 2}},
        last={"e1": NARRATED, "n-t2": SHOWN},
        section="D N25",
    )
    yield grants(
        "claimed-meanwhile",
        "Another worker has the event; whoever had only read it does not end it.",
        [ev("e1", "uua")],
        begin(1, "e1", holder="w1"),
        does(2, "e1", claim(holder="w2")),
        commit(9, SAID, "e1"),
        refused=[{}, {}, {"e1": "wrong-holder"}],
        statuses={"e1": "locked"},
        presented=[],
        section="D N15",
    )
    yield grants(
        "again",
        "A turn that is reported twice ends once.",
        [ev("e1", "uua")],
        begin(1, "e1"),
        commit(9, SAID, "e1"),
        commit(10, SAID, "e1"),
        results=["ok", "ok", "stale-turn"],
        presented=[["n-t1", "inbox", SAID]],
        section="ANP 6.3",
    )
    yield grants(
        "escalated-in-between",
        "Nothing is stored, and nobody hears anything, unless the event still is what it was decided upon.",
        [ev("e1", "uua")],
        begin(1, "e1"),
        does(120, "e1", {"kind": "tick"}),
        commit(120, SAID, "e1", seen=1),
        results=["ok", "ok", "conflict"],
        statuses={"e1": "escalated"},
        made={},
        presented=[["e1", "inbox", words("e1")]],
        running="t1",
        section="ANP 6.3",
    )


def taken() -> Iterator[Case]:
    """What the agent says counts only as long as all that it speaks of is the agent's."""
    early = at(60)
    tick = does(60, "e1", TICK)
    yield grants(
        "trigger-taken",
        "The turn was started to speak of what was taken from it; whatever else it lists, its words say that again.",
        [ev("e1", "uua", delivery_deadline=early), ev("e2", "uua")],
        begin(1, "e1"),
        tick,
        commit(70, SAID, "e2"),
        refused=[{}, {}, {"e1": "stale-lease"}],
        statuses={"e1": "escalated", "e2": "dispatched"},
        presented=[["e1", "inbox", words("e1")]],
        notes=["narration-withheld"],
        running=None,
        section="ANP 6.3",
    )
    yield grants(
        "bystander-taken",
        "What only stood in the prompt the agent does not speak of: the rest counts.",
        [ev("e1", "uua", delivery_deadline=early), ev("e2", "uua"), ev("e3", "uaa")],
        begin(1, "e2"),
        tick,
        commit(70, SAID, "e2", "e3"),
        refused=[{}, {}, {"e1": "stale-lease"}],
        statuses={"e1": "escalated", "e2": "delivered", "e3": "delivered", "n-t1": "dispatched"},
        outcomes={"e2": "narrated", "e3": "spoke"},
        presented=[["e1", "inbox", words("e1")], ["n-t1", "inbox", SAID]],
        notes=[],
        section="ANP 6.3",
    )
    for name, output in (("taken-in-silence", None), ("taken-and-blank", " \n"), ("taken-and-unseen", "\u200b")):
        yield grants(
            name,
            "Who says nothing says nothing twice: what the agent decided of the rest counts.",
            [ev("e1", "uua", delivery_deadline=early), ev("e2", "uaa")],
            begin(1, "e2"),
            tick,
            commit(70, output, "e1", "e2"),
            refused=[{}, {}, {"e1": "stale-lease"}],
            statuses={"e1": "escalated", "e2": "delivered"},
            outcomes={"e2": "vetoed"},
            presented=[["e1", "inbox", words("e1")]],
            notes=[],
            section="ANP 6.3",
        )
    yield grants(
        "one-of-two-seen",
        "The human has read it in the words of the system already; nothing is read by a turn that is thrown away.",
        [ev("e1", "uua", delivery_deadline=early), ev("e2", "uua"), ev("f1", "uas")],
        begin(1, "e2"),
        tick,
        does(65, "e1", ack(2)),
        commit(70, SAID, "e1", "e2"),
        refused=[{}, {}, {}, {"e1": "already-terminal"}],
        statuses={"e1": "delivered", "e2": "escalated", "f1": "dispatched"},
        outcomes={"e1": "seen"},
        presented=[["e1", "inbox", words("e1")], ["e2", "inbox", words("e2")]],
        notes=["narration-withheld"],
        section="ANP 6.3",
    )
    yield grants(
        "one-of-two-claimed",
        "Another worker speaks of it; of two that do the human hears the same twice. What waited comes out as ever.",
        [ev("e1", "uua"), ev("e2", "uua"), waits("d1")],
        begin(1, "e2", holder="w1"),
        does(2, "e1", claim(holder="w2")),
        goes(3, "d1"),
        commit(9, SAID, "e1", "e2"),
        refused=[{}, {}, {}, {"e1": "wrong-holder"}],
        statuses={"e1": "locked", "e2": "escalated", "d1": "dispatched"},
        presented=[["e2", "inbox", words("e2")], ["d1", "inbox", words("d1")]],
        notes=["narration-withheld"],
        waiting=[],
        section="D N15",
    )
    yield grants(
        "one-of-two-renewed",
        "An event with newer words is still the agent's, and is told again; the other has been told.",
        [ev("e1", "uua", deduplication_key="k"), ev("e2", "uua")],
        begin(1, "e2"),
        does(5, "", submit("uua", "It failed twice.", id="e9", deduplication_key="k")),
        commit(9, SAID, "e1", "e2"),
        refused=[{}, {}, {"e1": "stale-revision"}],
        statuses={"e1": "dispatched", "e2": "delivered", "n-t1": "dispatched"},
        presented=[["n-t1", "inbox", SAID]],
        notes=[],
        section="D N25",
    )


def read() -> Iterator[Case]:
    """Row 11: passive events are delivered with the turn that read them."""
    yield facts(
        "read",
        "The agent knows a fact when a turn that read it has ended; it need not say so.",
        [ev("e1", "uua"), ev("f1", "uas")],
        begin(1, "e1"),
        commit(9, SAID, "e1"),
        last={"e1": NARRATED, "f1": "dispatched > delivered", "n-t1": SHOWN},
        outcomes={"e1": "narrated", "f1": "read"},
        presented=[["n-t1", "inbox", SAID]],
    )
    yield facts(
        "read-in-silence",
        "A fact is read whatever the agent says, and is never shown to the human.",
        [ev("e1", "uua"), ev("f1", "uas")],
        begin(1, "e1"),
        commit(9),
        statuses={"e1": "escalated", "f1": "delivered"},
        presented=[["e1", "inbox", words("e1")]],
    )
    yield facts(
        "turn-failed",
        "A turn that broke off has read nothing: the fact stands in the next prompt.",
        [ev("e1", "uua"), ev("f1", "uas")],
        begin(1, "e1"),
        fail(9),
        begin(20, None, "t2"),
        statuses={"e1": "escalated", "f1": "dispatched"},
        known={"t1": ["f1"], "t2": ["f1"]},
    )
    yield facts(
        "came-later",
        "A fact that came while the turn ran was not read by it.",
        [ev("e1", "uua"), waits("f1", "uas")],
        begin(1, "e1"),
        goes(2, "f1"),
        commit(9, SAID, "e1"),
        last={"e1": NARRATED, "n-t1": SHOWN},
        statuses={"e1": "delivered", "f1": "dispatched", "n-t1": "dispatched"},
    )
    yield facts(
        "another-session",
        "What is known in one session was not read in another.",
        [ev("e1", "uua"), ev("f1", "sas", session_id="s2")],
        begin(1, "e1"),
        commit(9, SAID, "e1"),
        unit=SESSION,
        known={"t1": []},
        statuses={"e1": "delivered", "f1": "dispatched", "n-t1": "dispatched"},
        section="ANP 4.2",
    )
    yield facts(
        "session-gone",
        "A fact of a session that is gone goes to the user when a client is back, and stands in any prompt.",
        [ev("f1", "sas")],
        does(1, "f1", BACK, facts=gone("f1")),
        begin(2, session_id="s2"),
        commit(9, "Four.", session_id="s2"),
        demoted=[["f1", "s1"]],
        known={"t1": ["f1"]},
        outcomes={"f1": "read"},
        presented=[],
        section="ANP 2.1",
    )
    yield facts(
        "new-words",
        "The agent has read the old words; the new ones are still to be read.",
        [ev("e1", "uua"), ev("f1", "uas", deduplication_key="k")],
        begin(1, "e1"),
        does(5, "", submit("uas", "It rains.", id="f2", deduplication_key="k")),
        commit(9, SAID, "e1"),
        refused=[{}, {}, {"f1": "stale-revision"}],
        statuses={"e1": "delivered", "f1": "dispatched", "n-t1": "dispatched"},
        section="D N25",
    )
    yield facts(
        "acknowledged",
        "A fact needs no acknowledgement, and one that comes does no more: it is told.",
        [ev("e1", "uaa"), ev("f1", "uas")],
        begin(1, "e1"),
        commit(9, None, "e1", "f1"),
        statuses={"e1": "delivered", "f1": "delivered"},
        outcomes={"e1": "vetoed", "f1": "read"},
        notes=["acknowledgement-ignored"],
        section="ANP 5.1",
    )


def talked() -> Iterator[Case]:
    """A turn that the user began: what the agent says is the answer."""
    yield talk(
        "told",
        "In a conversation the answer reaches the user anyway; to show it again as an event would be double.",
        [ev("e1", "uua")],
        begin(1),
        commit(9, SAID, "e1"),
        last={"e1": NARRATED},
        outcomes={"e1": "narrated"},
        made={},
        presented=[],
        what={"t1": "conversation"},
        notes=[],
    )
    yield talk(
        "not-told",
        "An answer about something else tells nobody of the event.",
        [ev("e1", "uua")],
        begin(1),
        commit(9, "Four."),
        changed={},
        presented=[],
        notes=[],
    )
    yield talk(
        "silence",
        "To acknowledge what the human was promised, and to say nothing, is silence in a conversation too.",
        [ev("e1", "uua")],
        begin(1),
        commit(9, None, "e1"),
        last={"e1": TAKEN},
        presented=[["e1", "inbox", words("e1")]],
        section="D N12",
    )
    yield talk(
        "taken-meanwhile",
        "In a conversation the answer has reached the user; what it did is not undone for the sake of another event.",
        [ev("e1", "uua", delivery_deadline=at(60)), ev("e2", "uua")],
        begin(1),
        does(60, "e1", TICK),
        commit(70, SAID, "e1", "e2"),
        refused=[{}, {}, {"e1": "stale-lease"}],
        statuses={"e1": "escalated", "e2": "delivered"},
        presented=[["e1", "inbox", words("e1")]],
        notes=[],
    )
    yield talk(
        "vetoed",
        "What is for the agent can be done with in any turn.",
        [ev("e1", "uaa"), ev("f1", "uas")],
        begin(1),
        commit(9, None, "e1"),
        outcomes={"e1": "vetoed", "f1": "read"},
        presented=[],
    )


def behaviours() -> Iterator[tuple[str, str, str, Iterable[Case]]]:
    """The files."""
    op = "anp.turn"
    yield (
        "turn-grants",
        op,
        "An acknowledgement counts for what the turn was granted, as it was granted.",
        [*granted(), *taken()],
    )
    yield "turn-facts", op, "Passive events are delivered with the turn that read them.", read()
    yield "turn-conversation", op, "Turns that the user began.", talked()
