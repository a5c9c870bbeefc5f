"""The table of docs/how-to/act-on-activities.md: each activity, what a server gets of it, and what it should do.

Types, members and authorities are those of the code. `python tests/regenerate.py activities` writes the page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, get_args

from mentionable.activitypub import ActivityType
from mentionable.activitypub._authority import RULES
from mentionable.activitypub._read import event
from tests.marks import between_marks
from tests.packages import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE: Final = ROOT / "docs" / "how-to" / "act-on-activities.md"

SHOWN: Final = {
    "own": "nothing more",
    "author": "the actor wrote what is withdrawn",
    "self": "the object is the actor itself",
    "object": "the actor was asked: it is the object of what is answered, or its target, or wrote that object",
    "collection": "the actor's document names the collection, on its own host",
    "gone": "your store has something of the actor, and its server answers 410 for it. The sender is not verified",
}
"""Authority → what an activity must show besides the signature."""

SHOWN_OF_A_TYPE: Final = {
    ("Delete", "author"): "your store says that the actor wrote it",
    ("Undo", "author"): "what is undone names the same actor, on the same host",
    ("Move", "self"): "the newest documents of both accounts name each other",
    ("QuoteRequest", "own"): "the post that quotes is on the actor's host, and your store names no other author of it",
}
"""The same, where a type has a rule of its own."""

_ANSWERED: Final = "the request is of one of your agents"
FOR_AN_AGENT: Final = {
    "Block": "it names one of your agents",
    **dict.fromkeys(("Accept", "Reject", "TentativeAccept", "TentativeReject"), _ANSWERED),
}
"""Type → how it names the agent that it is for."""

ONLY_COUNT: Final = "Count it once for each actor, type and object, and only when you have the object."
NOTHING: Final = "Nothing, unless your agent needs it."

DOES: Final = {
    ("Follow", "own"): "Store `actor` as a follower, and send `accept`. Else send `reject`. Answer a second one too.",
    ("Undo", "author"): (
        "Take back what you stored for this actor, `inner.type` and `inner.object_id`. Do not search by `inner.id`: "
        "the actor may have written another's id there."
    ),
    ("Accept", "object"): "Look up your request. If your agent sent it to this actor, mark it as accepted.",
    (
        "Reject",
        "object",
    ): "Look up your request. If your agent sent it to this actor, remove it; after an `Accept` too.",
    ("TentativeAccept", "object"): "As for `Accept`, but the actor may still change its decision.",
    ("TentativeReject", "object"): "As for `Reject`, but the actor may still change its decision.",
    (
        "Block",
        "own",
    ): (
        "Remove the follower. Send the actor nothing more, also not what waits in your queue, and answer none of its "
        "messages, until `Undo`."
    ),
    ("Delete", "author"): (
        "Forget the messages in `stored`. Withdraw your answers to them with `delete`, and send no more what of them "
        "still waits."
    ),
    ("Delete", "self"): "Forget the actor, and all that you stored of it. Withdraw your answers to it.",
    ("Delete", "gone"): "As for the other deletions: forget what is deleted, and withdraw your answers to it.",
    ("Update", "self"): "Replace what you stored of the actor: its name and its inboxes.",
    ("Move", "self"): "If your agent follows the old account: `follow` the new one, and `undo` the old follow.",
    ("Flag", "own"): "Show the report to the people who run your server. Do not publish who reported.",
    (
        "QuoteRequest",
        "own",
    ): (
        "Check that the quoted note is yours and public. Send `accept`, which approves, or `reject`: the same for a "
        "private note and for none."
    ),
    ("Vote", "own"): (
        "Check that the poll is yours and open and has this option. Count the last vote of each actor; where several "
        "options may be chosen, one for each option."
    ),
    **dict.fromkeys((("Like", "own"), ("EmojiReact", "own"), ("Dislike", "own")), ONLY_COUNT),
    ("Announce", "own"): f"{ONLY_COUNT} What is announced is not proven by it: read it with `receive_object`.",
    ("Invite", "own"): "Ask your agent; send `accept` or `reject`.",
    **dict.fromkeys((("Join", "own"), ("Offer", "own")), "If the object is yours, send `accept` or `reject`."),
    ("Leave", "own"): "Take back what you stored of the `Join` of this actor.",
    **dict.fromkeys((("Ignore", "own"), ("Listen", "own"), ("Read", "own"), ("View", "own")), NOTHING),
    **dict.fromkeys((("Add", "collection"), ("Remove", "collection")), NOTHING),
}
"""Type and authority → what a server should do."""

_TARGETS: Final = {
    "Move": "the new account",
    "Add": "the collection",
    "Remove": "the collection",
    "Invite": "who is invited",
    "QuoteRequest": "the post that quotes",
}
_WORDS: Final = {"Flag": "the words of the report", "Vote": "the option"}
_OF: Final = {
    ("Delete", "self"): " of an actor",
    ("Delete", "author"): " of a message",
    ("Delete", "gone"): " by an actor who is gone",
    ("Update", "self"): " of an actor",
}
_INNER: Final = {"Undo": "what is undone", "Announce": "an activity that is passed on"}


def page() -> str:
    """The page with its table as it should be."""
    lines = [
        "| activity | what your server gets | what it must show to count | what your server should do |",
        "| --- | --- | --- | --- |",
        *rows(),
    ]
    return between_marks(PAGE.read_text(), "activities", lines)


def rows() -> Iterator[str]:
    """A row for the types of one authority that are done with in the same way."""
    rows: dict[tuple[str, ...], list[str]] = {}
    for kind in sorted(get_args(ActivityType)):
        for authority in RULES[kind]:
            shown = SHOWN_OF_A_TYPE.get((kind, authority), SHOWN[authority])
            if kind in event.FOR_AN_AGENT:
                agent = FOR_AN_AGENT.get(kind, "it asks one of your agents")
                shown = agent if authority == "own" else f"{agent}; {shown}"
            cells = (f"`{authority}`: {members(kind, authority)}", shown, DOES[kind, authority])
            rows.setdefault(cells, []).append(f"`{kind}`{_OF.get((kind, authority), '')}")
    for (gets, shown, does), kinds in rows.items():
        yield f"| {', '.join(kinds)} | {gets} | {shown} | {does} |"


def members(kind: str, authority: str) -> str:
    """The members of a `ReceivedActivity` of a type that say something."""
    named = []
    if kind in event.WITH_INNER or kind == "Announce":
        named.append(f"`inner` ({_INNER.get(kind, 'the request that is answered')})")
    if kind not in event.WITH_INNER:
        named.append("`object_ids`" if kind == "Flag" else "`object_id`")
    if kind in _TARGETS:
        named.append(f"`target_id` ({_TARGETS[kind]})")
    if kind in _WORDS or kind in event._REACTIONS:
        named.append(f"`content` ({_WORDS.get(kind, 'the emoji, if it has one')})")
    if kind == "Delete" and authority != "self":
        named.append("`stored`")
    return ", ".join(named)
