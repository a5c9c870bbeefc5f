"""What the agent did is told: `conformance/v0.1/anp/turn-told.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tests.vectors._anp_rows import BACK, Case, flags
from tests.vectors._anp_rows import commit as committed
from tests.vectors._anp_turn_rows import SAID, SESSION, act, begin, commit, does, ev, scripts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

told, noticed = scripts("turn-told", "ANP 6.1"), scripts("turn-told", "D N18")

ALONE: Final[Case] = {"user_id": "olivia", "routing": flags("uus")}
SENT, DELETED = ["send_mail"], ["delete_file"]


def narrated() -> Iterator[Case]:
    """What the agent says may be silent about what it did; what is shown with it is not."""
    yield told(
        "with-its-words",
        "An agent that tells of an event may not tell what it did about it; the human sees both, whenever it is shown.",
        [ev("e1", "uaa")],
        begin(1, "e1"),
        act(2, "external"),
        commit(9, SAID, "e1"),
        does(20, "n-t1", BACK),
        presented=[["n-t1", "inbox", SAID]] * 2,
        shown_actions=[["n-t1", SENT]] * 2,
        notices=[],
    )
    yield told(
        "of-each-event",
        "Words that tell of several events carry what was done about each of them, each action once.",
        [ev("e1", "uua", actions=SENT), ev("e2", "uua", actions=[*DELETED, *SENT])],
        begin(1, "e1"),
        commit(9, SAID, "e2"),
        shown_actions=[["n-t1", [*SENT, *DELETED]]],
    )
    yield told(
        "not-of-bystanders",
        "What was done about an event that is not told of is told with that.",
        [ev("e1", "uua", actions=SENT), ev("e2", "uua", actions=DELETED)],
        begin(1, "e1"),
        commit(9, SAID, "e1"),
        does(120, "e2", {"kind": "tick"}),
        shown_actions=[["n-t1", SENT], ["e2", DELETED]],
    )
    yield told(
        "nothing-done",
        "Where nothing was done there is nothing to tell.",
        [ev("e1", "uua"), ev("e2", "uua", actions=DELETED)],
        begin(1, "e1"),
        commit(9, SAID, "e1"),
        shown_actions=[["n-t1", None]],
    )


def answered() -> Iterator[Case]:
    """The answer of a conversation reaches the user by other ways, without what was done."""
    yield told(
        "in-a-conversation",
        "The answer to the user may hide what the agent did; when the event has ended, nothing else would tell it.",
        [ev("e1", "uaa")],
        begin(1),
        act(2, "external"),
        commit(9, SAID, "e1"),
        outcomes={"e1": "narrated"},
        surfaced=[SENT, SENT],
        notices=[ALONE],
        has={"said": {"send_mail": True}},
        presented=[],
    )
    yield told(
        "in-a-conversation-in-a-session",
        "The human is told where they talk to the agent.",
        [ev("e1", "saa")],
        begin(1),
        act(2, "external"),
        commit(9, SAID, "e1"),
        unit=SESSION,
        notices=[{"user_id": "olivia", "session_id": "s1", "routing": flags("sus")}],
    )
    yield told(
        "in-a-conversation-each",
        "Each action for what a conversation ends is told, and each once.",
        [ev("e1", "uua", actions=SENT), ev("e2", "uua", actions=[*SENT, *DELETED]), ev("e3", "uua", actions=["rm"])],
        begin(1),
        commit(9, SAID, "e1", "e2"),
        surfaced=[SENT, DELETED],
        notices=[ALONE, ALONE],
        notice_ids=[0, 1],
        has={"said": {"send_mail": True, "delete_file": True, "rm": False}},
    )
    yield told(
        "in-a-conversation-still-open",
        "An event that is not ended keeps what was done about it until it is.",
        [ev("e1", "uaa")],
        begin(1),
        act(2, "external"),
        commit(9, "Four."),
        does(120, "e1", {"kind": "tick"}),
        notices=[],
        shown_actions=[["e1", SENT]],
    )
    yield told(
        "in-a-conversation-in-silence",
        "What is shown to the human in place of the agent shows what it did; a notice would be double.",
        [ev("e1", "uaa")],
        begin(1),
        act(2, "external"),
        commit(9, None, "e1"),
        notices=[],
        shown_actions=[["e1", SENT]],
    )


def named() -> Iterator[Case]:
    """Which notices are the same: they are carried out at least once."""
    yield noticed(
        "once-a-tool",
        "A notice that is asked for twice is submitted once; another tool has its own.",
        [],
        begin(1),
        act(2, "external"),
        act(3, "external"),
        act(4, "external", "delete_file"),
        notices=[ALONE] * 3,
        notice_ids=[0, 0, 2],
    )
    yield noticed(
        "once-a-turn",
        "What the agent does in another turn is news.",
        [],
        begin(1),
        act(2, "external"),
        commit(9, "Four."),
        begin(20, None, "t2"),
        act(21, "external", turn="t2"),
        notice_ids=[0, 1],
    )
    ended = [does(2, id, committed(acknowledged=True)) for id in ("e1", "e2")]
    yield noticed(
        "once-an-event",
        "Of two events that have ended each has its notice, and however often it is asked for it is the same.",
        [ev("e1", "uaa"), ev("e2", "uaa")],
        begin(1, "e1"),
        *ended,
        act(3, "external"),
        act(4, "external"),
        notices=[{**ALONE, "causation_id": "e1"}, {**ALONE, "causation_id": "e2"}] * 2,
        notice_ids=[0, 1, 0, 1],
    )


def behaviours() -> Iterator[tuple[str, str, str, Iterable[Case]]]:
    """The file."""
    cases = [*narrated(), *answered(), *named()]
    yield "turn-told", "anp.turn", "What the agent did is told with its words, or by notices.", cases
