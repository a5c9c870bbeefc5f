"""Mutants of inboxes on ActivityPub: of who may do what, of edits, and of what is for others."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.mutants import mutant
from tests.mutants._documents_activitypub import answered
from tests.mutants._signatures import AREA

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tests.mutants import Perform

Answer = "Mapping[str, Any]"
OP = "activitypub.inbox"
PROOF_CODES = ("owner-mismatch", "authority-unproven", "origin-mismatch", "author-mismatch")


def body_of(unit: Any) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(unit["body"])
    return read


def taken(unit: Any, authority: str = "own") -> dict[str, Any]:
    """What somebody who checks nothing makes of a delivery."""
    whole = body_of(unit)
    about = whole.get("object")
    named = about.get("id") if isinstance(about, dict) else about
    actor = {"address": "@alice@social.example", "id": whole["actor"]}
    ids = {"object_ids": [] if named is None else [named], "recipients": ["@helper@agents.example"], "stored": {}}
    return {"activity": {"type": whole["type"], "id": whole["id"], "actor": actor, "authority": authority, **ids}}


def believes(name: str, rule: str, is_believed: Callable[[str, dict[str, Any]], bool]) -> None:
    """Registers a mutant that takes what should be rejected: by the code, and the activity."""

    def wrong(honest: Perform, called: str, given: dict[str, Any], unit: Any) -> Answer:
        answer = honest(called, given, unit)
        if called != OP or "rejected" not in answer or not is_believed(answer["rejected"]["code"], body_of(unit)):
            return answer
        kept: Mapping[str, Any] = {name: member for name, member in answer.items() if name != "rejected"}
        return {**kept, "value": taken(unit)}

    wrong.__name__ = name
    mutant(AREA, rule)(wrong)


def instead(name: str, rule: str, codes: dict[str, str]) -> None:
    """Registers a mutant that rejects with another code."""

    def wrong(honest: Perform, called: str, given: dict[str, Any], unit: Any) -> Answer:
        answer = honest(called, given, unit)
        code = answer.get("rejected", {}).get("code") if called == OP else None
        return answer if code not in codes else {**answer, "rejected": {"code": codes[code]}}

    wrong.__name__ = name
    mutant(AREA, rule)(wrong)


for _kind in ("Undo", "Delete", "Accept", "Reject", "TentativeAccept", "TentativeReject", "Move", "Update", "Add"):
    believes(
        f"{_kind.lower()}-by-anybody",
        f"Lets whoever is verified {_kind.lower()} what is another's.",
        lambda code, whole, kind=_kind: whole.get("type") == kind and code in PROOF_CODES,  # type: ignore[misc]
    )
believes(
    "remove-by-anybody",
    "Lets whoever is verified remove from what is another's.",
    lambda code, whole: whole.get("type") == "Remove" and code in PROOF_CODES,
)
believes(
    "quotes-for-anybody",
    "Takes a request to quote in a post of another.",
    lambda code, whole: whole.get("type") == "QuoteRequest" and code in PROOF_CODES,
)
believes(
    "votes-for-anybody",
    "Takes a vote in another's name.",
    lambda code, whole: whole.get("type") == "Create" and code == "author-mismatch",
)
believes("acts-unverified", "Acts on what nobody proved.", lambda code, _: code == "verification-required")
believes("acts-for-strangers", "Acts on what is for others.", lambda code, _: code == "recipient-elsewhere")
believes("acts-for-the-gone", "Acts on the word of an actor who is gone.", lambda code, _: code == "sender-gone")
believes("several-at-once", "Takes the authority over one for that over all.", lambda code, _: code == "wrong-type")
instead("silence-is-no", "Takes a look-up that failed for a no.", {"lookup-failed": "authority-unproven"})
instead(
    "others-are-unknown", "Answers what is for others as what is not there.", {"recipient-elsewhere": "object-unknown"}
)
instead("gone-comes-back", "Asks those who are gone to come again.", {"sender-gone": "sender-unresolvable"})
instead("owner-is-unproven", "Calls what is another's not proven.", {"owner-mismatch": "authority-unproven"})


def events(name: str, rule: str, change: Callable[[dict[str, Any]], Any]) -> None:
    """Registers a mutant that says something else of an activity."""

    def changed(value: dict[str, Any]) -> dict[str, Any]:
        if "activity" in value:
            change(value["activity"])
        return value

    answered(OP, name, rule, changed)


def messages(name: str, rule: str, change: Callable[[dict[str, Any]], Any]) -> None:
    """Registers a mutant that says something else of messages."""

    def changed(value: dict[str, Any]) -> dict[str, Any]:
        if "messages" in value:
            change(value)
        return value

    answered(OP, name, rule, changed)


events("authority-of-origin", "Gives the same authority to all.", lambda event: event.update(authority="own"))
believes(
    "goes-with-the-gone",
    "Deletes whatever an actor who is gone names.",
    lambda code, whole: whole.get("type") == "Delete" and code in ("sender-gone", "owner-mismatch", "object-unknown"),
)
believes("gone-by-the-cache", "Believes a cache that an actor is gone.", lambda code, _: code == "lookup-failed")
events("inner-is-lost", "Does not say what is undone or accepted.", lambda event: event.pop("inner", None))
events("target-is-lost", "Does not say where to.", lambda event: event.pop("target_id", None))
events("words-are-lost", "Loses words, emoji and votes.", lambda event: event.pop("content", None))
events("stored-is-lost", "Does not say what is stored.", lambda event: event.update(stored={}))
events("for-nobody", "Does not say for whom it is.", lambda event: event.update(recipients=[]))
events("objects-are-lost", "Does not say what it is about.", lambda event: event.update(object_ids=[]))
events("votes-are-notes", "Calls a vote a Create.", lambda e: e.update(type="Create") if e["type"] == "Vote" else None)
events(
    "actor-is-an-address",
    "Names the actor by the address.",
    lambda event: event["actor"].update(id="@alice@social.example"),
)
messages(
    "edits-are-messages",
    "Answers each edit.",
    lambda value: value.update(messages=[*value["messages"], *value["edited"]], edited=[]),
)
messages("edits-are-lost", "Loses edits.", lambda value: value.update(edited=[]))
messages("repeats-are-new", "Takes what comes again for new.", lambda value: value.update(redelivered=[]))
messages(
    "edits-have-new-threads",
    "Gives an edit a thread of its own.",
    lambda value: [one.update(thread_id=one["id"]) for one in value["edited"]],
)


@mutant(AREA, "Takes an edit that changes nothing for one, or for a message.")
def answers_tallies(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    if op != OP or not unit.get("before"):
        return honest(op, given, unit)
    return honest(op, given, {**unit, "before": []})


@mutant(AREA, "Says nothing of those who join a thread.")
def joins_in_silence(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    if op != OP or "diagnostics" not in answer:
        return answer
    return {**answer, "diagnostics": [code for code in answer["diagnostics"] if code != "thread-joined"]}


@mutant(AREA, "Believes a cache of actor documents about a move.")
def moves_by_the_cache(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    if op != OP:
        return honest(op, given, unit)
    rows = {row: found[0] if isinstance(found, list) else found for row, found in given["lookups"].items()}
    return honest(op, {**given, "lookups": rows}, unit)


@mutant(AREA, "Fetches what another server says was done.")
def asks_anybody(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    if op != OP or answer.get("rejected", {}).get("code") != "authority-unproven":
        return answer
    return {**answer, "asks": [*answer["asks"], "GET https://other.example/activities/0"]}


@mutant(AREA, "Takes the word of a server that an actor is gone for a signature.")
def gone_is_verified(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    is_wrong = op == OP and "value" in answer and (answer.get("verdict") or {}).get("code") == "sender-gone"
    return {**answer, "verdict": {**answer["verdict"], "verified": True, "code": None}} if is_wrong else answer
