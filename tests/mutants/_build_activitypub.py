"""Mutants of what an agent does, publishes and takes back on ActivityPub."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.mutants import mutant
from tests.mutants._documents_activitypub import answered, asked
from tests.mutants._signatures import AREA

if TYPE_CHECKING:
    from tests.mutants import Perform

Answer = "Mapping[str, Any]"
OP = "activitypub.build"
HELPER, ALICE = "https://agents.example/actors/helper", "https://social.example/users/alice"
PUBLIC = "https://www.w3.org/ns/activitystreams#Public"


def activity(name: str, rule: str, kinds: tuple[str, ...], **members: Any) -> None:
    """Registers a mutant that writes other members into activities of these types; a function gets the activity."""

    def change(value: dict[str, Any]) -> dict[str, Any]:
        made = value["activity"]
        if made["type"] not in kinds:
            return value
        new = {member: one(made) if callable(one) else one for member, one in members.items()}
        return {**value, "activity": {**made, **new}}

    answered(OP, name, rule, change)


def inside(name: str, rule: str, kinds: tuple[str, ...], change: Any) -> None:
    """Registers a mutant that writes another object into activities of these types."""
    activity(name, rule, kinds, object=lambda made: change(made["object"]))


def builds(name: str, rule: str, builder: str, codes: str) -> None:
    """Registers a mutant that does what is not its own: the cases whose names end so."""

    def wrong(honest: Perform, called: str, given: dict[str, Any], unit: Any) -> Answer:
        answer = honest(called, given, unit)
        if called != OP or "rejected" not in answer or unit["builder"] not in builder.split() or not told(unit, codes):
            return answer
        return {"value": {"activity": {"type": builder.title(), "actor": HELPER}, "inboxes": [], "served": []}}

    wrong.__name__ = name
    mutant(AREA, rule)(wrong)


def told(unit: Any, what: str) -> bool:
    """Whether the input has this text."""
    return what in repr(unit["args"])


def without(*names: str) -> Any:
    return lambda one: {name: member for name, member in one.items() if name not in names}


inside("answers-without-an-id", "Leaves the id of a request out.", ("Accept", "Reject"), without("id"))
inside("answers-without-a-target", "Leaves the target of a request out.", ("Accept", "Reject"), without("target"))
inside("answers-without-the-post", "Leaves the quoting post out.", ("Accept", "Reject"), without("instrument"))
inside(
    "passes-the-whole-request-on",
    "Passes on what a request said in private.",
    ("Accept", "Reject"),
    lambda one: {**one, "bto": [ALICE]},
)
activity("answers-to-everyone", "Addresses an answer to everyone.", ("Accept", "Reject"), to=[PUBLIC])
activity("likes-in-public", "Addresses a like to everyone.", ("Like",), cc=[PUBLIC])
activity("moves-to-everyone", "Addresses a move to everyone.", ("Move",), to=[PUBLIC])
activity("moves-from-nowhere", "Moves the new account.", ("Move",), object=lambda made: made["target"])
activity("publishes-for-followers-in-cc", "Names the followers in cc alone.", ("Create",), to=[ALICE])
activity("undoes-by-id", "Names what is undone by its id.", ("Undo",), object=lambda made: made["object"]["id"])
activity("undoes-in-private", "Takes back from nobody.", ("Undo",), to=[], cc=[])
inside("deletes-for-everyone", "Tells everyone what is gone.", ("Delete",), lambda one: {**one, "to": [PUBLIC]})
inside("deletes-what-never-was", "Says not what is gone.", ("Delete",), without("formerType"))
inside("publishes-without-mentions", "Mentions nobody.", ("Create",), without("tag"))
inside(
    "lets-everyone-quote",
    "Lets everyone quote everything.",
    ("Create",),
    lambda one: {
        **one,
        **(
            {"interactionPolicy": {"canQuote": {"automaticApproval": [PUBLIC], "manualApproval": []}}}
            if "interactionPolicy" in one
            else {}
        ),
    },
)
inside("counts-as-an-edit", "Says that a tally is an edit.", ("Update",), lambda one: {**one, "updated": "now"})
inside("never-closes", "Closes no poll.", ("Update",), without("closed"))
inside(
    "votes-with-words",
    "Votes with a text.",
    ("Create",),
    lambda one: {**one, "summary": "vote"} if "name" in one else one,
)
builds("approves-for-others", "Approves quotes of what others wrote.", "accept", "QuoteRequest")
builds("answers-for-others", "Accepts a follow of another.", "accept", "'Follow'")
builds("rejects-for-others", "Rejects an invitation of another.", "reject", "'Invite'")
builds("undoes-for-others", "Undoes what another did.", "undo", "users/bob")
builds("deletes-for-others", "Deletes what another wrote.", "delete", "users/bob")
builds("moves-unasked", "Moves to an account that does not know of it.", "move", "'Service'}")
builds("posts-past-its-readers", "Delivers a direct post to followers.", "post", "followers")
builds("asks-without-a-choice", "Asks with one option.", "poll", "['Yes']")


def served_to_all(value: dict[str, Any]) -> dict[str, Any]:
    return {**value, "served": [[kind, 200] for kind, _ in value["served"]]}


def to_shared_inboxes(value: dict[str, Any]) -> dict[str, Any]:
    shared = "https://social.example/inbox"
    return {**value, "inboxes": [shared if one.endswith("alice/inbox") else one for one in value["inboxes"]]}


def without_stamp(value: dict[str, Any]) -> dict[str, Any]:
    return {**value, "activity": {name: one for name, one in value["activity"].items() if name != "result"}}


answered(OP, "serves-to-all", "Shows everyone what is for some.", served_to_all)
answered(OP, "uses-shared-inboxes", "Delivers what is for some to shared inboxes.", to_shared_inboxes)
answered(OP, "approves-without-a-stamp", "Approves a quote without a stamp.", without_stamp)
asked(
    OP,
    "votes-for-another-poll",
    "Answers another poll.",
    lambda unit: {**unit, "args": {**unit["args"], "on": ALICE}} if unit["builder"] == "vote" else unit,
)
