"""What an agent does in a turn: tools are asked for before they run, and what people can see of them is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.vectors._anp_rows import MALFORMED, TICK, ack, at, claim, flags
from tests.vectors._anp_rows import commit as committed
from tests.vectors._anp_turn_rows import (
    SAID,
    SESSION,
    Case,
    act,
    begin,
    commit,
    does,
    ev,
    goes,
    lane_tick,
    plainly,
    scripts,
    waits,
    words,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

allowed, promoted, denied = (
    scripts("turn-action", "ANP 6.1.1"),
    scripts("turn-promotion", "D N17"),
    scripts("turn-denied", "D N18"),
)
noticed, registry = scripts("turn-notice", "D N18"), plainly("actions", "D N19")
counted = plainly("turn-notice", "D N18")
MANY = [f"tool_{number}" for number in range(100)]
"""So many actions that a ledger may keep no more of them with an event."""


def done() -> Iterator[Case]:
    """Rows 14 to 16: what a tool is, and what follows."""
    yield allowed(
        "internal",
        "What touches the agent alone is noted, and concerns nobody.",
        [ev("e1", "uaa")],
        begin(1, "e1"),
        act(2, "internal", "remember"),
        results=["ok", "ok"],
        changed={},
        surfaced=[],
        audited=[["remember", "internal"]],
        running="t1",
    )
    yield allowed(
        "external",
        "What people can see of an action, they are told: it runs, is noted, and must be told.",
        [ev("e1", "uua")],
        begin(1, "e1"),
        act(2, "external"),
        results=["ok", "ok"],
        changed={},
        surfaced=[["send_mail"]],
        audited=[["send_mail", "external"]],
    )
    for name, word in (("unclassified", None), ("unknown-word", "harmless"), ("empty-word", "")):
        yield allowed(
            name,
            "A tool of which nobody knows what it does may do anything, so the human is told.",
            [ev("e1", "uaa")],
            begin(1, "e1"),
            act(2, word, "format_disk"),
            changed={"e1": {"routing": flags("uua")}},
            surfaced=[["format_disk"]],
            audited=[["format_disk", "external"]],
            section="ANP 6.1.2",
        )
    yield allowed(
        "capitals",
        "Registries write words of enumerations in capitals.",
        [ev("e1", "uaa")],
        begin(1, "e1"),
        act(2, "INTERNAL", "remember"),
        changed={},
        audited=[["remember", "internal"]],
        section="D N34",
    )
    yield allowed(
        "told-by-watchdog",
        "The human is told of what the agent did even when the agent never tells.",
        [ev("e1", "uua")],
        begin(1, "e1"),
        act(2, "external"),
        act(3, "external", "delete_file"),
        act(4, "external"),
        does(120, "e1", {"kind": "tick"}),
        shown_actions=[["e1", ["send_mail", "delete_file"]]],
    )
    yield allowed(
        "internal-silence",
        "After an action that nobody need be told of, silence with an acknowledgement is a veto as before.",
        [ev("e1", "uaa")],
        begin(1, "e1"),
        act(2, "internal", "remember"),
        commit(9, None, "e1"),
        outcomes={"e1": "vetoed"},
        presented=[],
    )


def turned() -> Iterator[Case]:
    """Resolution 17: what an external action changes."""
    yield promoted(
        "target-only",
        "The event is for the human from now on; the agent keeps it, its lease and its time.",
        [ev("e1", "uaa")],
        begin(1, "e1"),
        act(2, "external"),
        changed={"e1": {"routing": flags("uua")}},
        leases={"e1": 1},
        presented=[],
        wakes=at(120),
    )
    yield promoted(
        "held",
        "An event that a worker has claimed stays with this worker.",
        [ev("e1", "saa")],
        does(1, "e1", claim(holder="w1")),
        begin(2, "e1", holder="w1"),
        act(3, "external"),
        unit=SESSION,
        changed={"e1": {"routing": flags("sua"), "status": "locked", "holder": "w1"}},
    )
    yield promoted(
        "whole-turn",
        "Whatever stood in the prompt may be why the agent acted, so each event of the turn must be told.",
        [ev("e1", "uaa"), ev("e2", "uaa")],
        begin(1, "e1"),
        act(2, "external"),
        changed={"e1": {"routing": flags("uua")}, "e2": {"routing": flags("uua")}},
    )
    yield promoted(
        "came-later",
        "An event that was not in the turn has nothing to do with what the turn did.",
        [ev("e1", "uaa"), waits("e2", "uaa", delivery_deadline=at(120))],
        begin(1, "e1"),
        goes(2, "e2"),
        act(3, "external"),
        changed={"e1": {"routing": flags("uua")}, "e2": {"status": "dispatched"}},
    )
    yield promoted(
        "facts",
        "A fact has no turn of its own; it is never shown, whatever the agent does.",
        [ev("e1", "uaa"), ev("f1", "uas")],
        begin(1, "e1"),
        act(2, "external"),
        changed={"e1": {"routing": flags("uua")}},
        section="D N32",
    )
    yield promoted(
        "another-users",
        "What the agent does for one user is not told to another.",
        [ev("e1", "uaa"), ev("a1", "uaa", user_id="ash")],
        begin(1, "e1"),
        act(2, "external"),
        changed={"e1": {"routing": flags("uua")}},
    )
    yield promoted(
        "in-conversation",
        "An event that stood in the prompt of a conversation is bound to that turn as well.",
        [ev("e1", "uaa")],
        begin(1),
        act(2, "external"),
        changed={"e1": {"routing": flags("uua")}},
        notices=[],
    )
    yield promoted(
        "told-without-acknowledgement",
        "What the human must hear of is told by what the agent says, whether or not it lists the id.",
        [ev("e1", "uaa")],
        begin(1, "e1"),
        act(2, "external"),
        commit(9, SAID),
        outcomes={"e1": "narrated"},
        presented=[["n-t1", "inbox", SAID]],
    )
    yield promoted(
        "stands-to-be-told",
        "In the next turn it stands among what the human must be told.",
        [ev("e1", "uaa"), ev("e2", "uaa")],
        begin(1),
        act(2, "external"),
        commit(9, "Four."),
        begin(20, "e2", "t2"),
        what={"t1": "conversation", "t2": "proactive"},
        sections={"t1": {"handle": ["e1", "e2"]}, "t2": {"narrate": ["e2", "e1"]}},
    )


def forbidden() -> Iterator[Case]:
    """Rows 13 and 27: what is asked for under a grant that counts no more is denied before it runs."""
    yield denied(
        "taken",
        "The watchdog has the event; the tool does not run for it a second time.",
        [ev("e1", "uaa")],
        begin(1, "e1"),
        does(120, "e1", {"kind": "tick"}),
        act(121, "external"),
        results=["ok", "ok", "stale-lease"],
        surfaced=[],
        audited=[],
        section="ANP 6.3",
    )
    yield denied(
        "taken-internal",
        "A tool that nobody sees does not run for a lost event either.",
        [ev("e1", "uaa")],
        begin(1, "e1"),
        does(120, "e1", {"kind": "tick"}),
        act(121, "internal", "remember"),
        results=["ok", "ok", "stale-lease"],
        section="ANP 6.3",
    )
    yield denied(
        "ended",
        "A turn that has ended calls no tools.",
        [ev("e1", "uaa")],
        begin(1, "e1"),
        commit(9, None, "e1"),
        act(10, "external"),
        results=["ok", "ok", "stale-turn"],
        surfaced=[],
        section="ANP 6.3",
    )
    yield denied(
        "out-of-time",
        "A turn that has lost its lane calls no tools.",
        [ev("e1", "uaa", delivery_deadline=at(600))],
        begin(1, "e1"),
        lane_tick(301),
        act(302, "external"),
        results=["ok", "ok", "stale-turn"],
        section="ANP 6.3",
    )
    yield denied(
        "claimed",
        "Another worker has claimed the event; whoever only read it does not act for it.",
        [ev("e1", "uaa")],
        begin(1, "e1", holder="w1"),
        does(2, "e1", claim(holder="w2")),
        act(3, "external"),
        results=["ok", "ok", "wrong-holder"],
        surfaced=[],
        section="D N15",
    )
    yield denied(
        "bystander-taken",
        "The turn goes on for what it still has; what it lost is not touched.",
        [ev("e1", "uaa", delivery_deadline=at(60)), ev("e2", "uaa")],
        begin(1, "e2"),
        does(60, "e1", {"kind": "tick"}),
        act(61, "external"),
        results=["ok", "ok", "ok"],
        refused=[{}, {}, {"e1": "stale-lease"}],
        surfaced=[["send_mail"]],
        shown_actions=[["e1", None]],
        section="ANP 6.3",
    )


def misnamed() -> Iterator[Case]:
    """Tools whose names are none, as a model may make them up."""
    for name, tool, result in (
        ("no-name", "", "malformed"),
        ("long-name", "x" * 257, "malformed"),
        ("name-as-number", 7, "malformed"),
        ("no-name-at-all", None, "malformed"),
        ("longest-name", "x" * 256, "ok"),
    ):
        for where, events, trigger in (("", [ev("e1", "uaa")], "e1"), ("-alone", [], None)):
            yield denied(
                f"{name}{where}",
                "A tool without a name cannot be told of, so it does not run; nor does a wrong call stop the host.",
                events,
                begin(1, trigger),
                act(2, "external", tool),
                results=["ok", result],
                audited=[] if result == "malformed" else [[tool, "external"]],
                section="ANP 6.1.2",
            )


def told() -> Iterator[Case]:
    """Resolution 18: an action whose event cannot tell of it is told by an event of its own."""
    alone = {"user_id": "olivia", "routing": flags("uus")}
    yield noticed(
        "no-event",
        "An action outside any event must reach the human too.",
        [],
        begin(1),
        act(2, "external"),
        results=["ok", "ok"],
        notices=[alone],
        has={"said": {"send_mail": True}},
    )
    yield noticed(
        "no-event-in-session",
        "In a session the human is told in its chat.",
        [],
        begin(1),
        act(2, "external"),
        unit=SESSION,
        notices=[{"user_id": "olivia", "session_id": "s1", "routing": flags("sus")}],
    )
    yield noticed(
        "no-event-internal",
        "What touches the agent alone need not be told, in no turn.",
        [],
        begin(1),
        act(2, "internal", "remember"),
        results=["ok", "ok"],
        surfaced=[],
        notices=[],
    )
    yield noticed(
        "facts-only",
        "A fact that the agent read cannot tell of an action.",
        [ev("f1", "uas")],
        begin(1),
        act(2, "external"),
        changed={},
        notices=[alone],
    )
    yield noticed(
        "terminal",
        "What was delivered stays as it is; the human is told of what the agent still does for it.",
        [ev("e1", "uaa")],
        begin(1, "e1"),
        does(2, "e1", committed(acknowledged=True)),
        act(3, "external"),
        results=["ok", "ok", "ok"],
        changed={"e1": {"status": "delivered"}},
        notices=[{**alone, "causation_id": "e1"}],
        has={"said": {"send_mail": True}},
    )
    yield noticed(
        "terminal-in-session",
        "What was delivered in a session: the human is told in its chat.",
        [ev("e1", "saa")],
        begin(1, "e1"),
        does(2, "e1", committed(acknowledged=True)),
        act(3, "external"),
        unit=SESSION,
        notices=[{"user_id": "olivia", "session_id": "s1", "routing": flags("sus"), "causation_id": "e1"}],
    )
    yield noticed(
        "terminal-internal",
        "What touches the agent alone need not be told, after the end of the event neither.",
        [ev("e1", "uaa")],
        begin(1, "e1"),
        does(2, "e1", committed(acknowledged=True)),
        act(3, "internal", "remember"),
        results=["ok", "ok", "ok"],
        notices=[],
    )
    yield noticed(
        "seen",
        "What the watchdog took and the human saw was another lease: the tool does not run.",
        [ev("e1", "uaa")],
        begin(1, "e1"),
        does(120, "e1", {"kind": "tick"}),
        does(121, "e1", ack(2)),
        act(122, "external"),
        results=["ok", "ok", "ok", "stale-lease"],
        notices=[],
        presented=[["e1", "inbox", words("e1")]],
    )


def many() -> Iterator[Case]:
    """More actions than an event keeps."""
    alone = {"user_id": "olivia", "routing": flags("uus"), "causation_id": "e1"}
    acts = [begin(1, "e1"), act(2, "external", "tool_100"), does(120, "e1", TICK)]
    kept = {"notices": [], "shown_actions": [["e1", [*MANY, "tool_100"]]]}
    told_apart = {"notices": [alone], "shown_actions": [["e1", MANY]], "has": {"said": {"tool_100": True}}}
    yield counted(
        "very-many",
        "A ledger may have an end; what the event cannot keep any more is told by a notice, and is never hidden.",
        {"events": [ev("e1", "uua", actions=MANY)], "steps": acts},
        any_of=[{"facts": told_apart}, {"facts": kept}],
    )
    both = {"events": [ev("e1", "uua", actions=MANY), ev("e2", "uua", actions=["tool_100"])]}
    told = {"user_id": "olivia", "routing": flags("uus")}
    yield counted(
        "very-many-told",
        "Words about two events carry the actions of both, or notices tell what finds no room there.",
        {**both, "steps": [begin(1, "e1"), commit(9, SAID, "e2")]},
        any_of=[
            {"facts": {"notices": [told], "shown_actions": [["n-t1", MANY]]}},
            {"facts": {"notices": [], "shown_actions": [["n-t1", [*MANY, "tool_100"]]]}},
        ],
    )
    yield noticed(
        "very-many-again",
        "What is kept with the event already needs no notice, however many there are.",
        [ev("e1", "uua", actions=MANY)],
        begin(1, "e1"),
        act(2, "external", "tool_7"),
        does(120, "e1", TICK),
        surfaced=[["tool_7"]],
        notices=[],
        shown_actions=[["e1", MANY]],
    )


def listed() -> Iterator[Case]:
    """Resolution 19: what a tool is, the host's registry says."""
    yield registry(
        "declared",
        "What the host declared counts, in any case of its letters.",
        {"declared": [["remember", "internal"], ["send_mail", "EXTERNAL"], ["search", "INTERNAL"]],
         "called": ["remember", "send_mail", "search"]},
        value=["internal", "external", "internal"],
    )  # fmt: skip
    yield registry(
        "not-declared",
        "A tool that nobody declared is one that the human is told of.",
        {"declared": [["remember", "internal"]], "called": ["format_disk", "Remember", "remember2"]},
        value=["external", "external", "external"],
    )
    yield registry(
        "odd-words",
        "A word that nobody knows is no promise.",
        {"declared": [["a", "harmless"], ["b", ""], ["c", " internal "]], "called": ["a", "b"]},
        value=["external", "external"],
    )
    yield registry(
        "declared-otherwise",
        "Whoever declares a tool a second time, and otherwise, made a mistake; the human must not pay for it.",
        {"declared": [["send_mail", "external"], ["send_mail", "internal"]], "called": ["send_mail"]},
        any_of=[MALFORMED, {"value": ["external"]}],
    )


def behaviours() -> Iterator[tuple[str, str, str, Iterable[Case]]]:
    """The files."""
    op = "anp.turn"
    yield "turn-action", op, "Tools are asked for before they run.", done()
    yield "turn-promotion", op, "What an external action changes.", turned()
    yield "turn-denied", op, "What is asked for under a grant that counts no more.", [*forbidden(), *misnamed()]
    yield "turn-notice", op, "Actions whose event cannot tell of them.", [*told(), *many()]
    yield "actions", "anp.actions", "What a tool is, the registry of the host says.", listed()
