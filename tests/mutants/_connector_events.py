"""Mutants of the connectors: what is claimed, what happens to messages, and who may change them."""

from __future__ import annotations

from typing import Any

from tests.mutants import MUTANTS, Mutant
from tests.mutants._answers import spoils, takes

AREA = "connectors"
ROOMS = ("slack", "discord", "bluebubbles")
RECEIVE = tuple(f"{room}.receive" for room in ROOMS)
CLAIM, DELIVERIES = (tuple(f"{room}.{name}" for room in ROOMS) for name in ("claim", "deliveries"))


def told(name: str, rule: str, change: Any) -> None:
    """Registers a mutant that tells another event: `change(event)`."""
    spoils(
        AREA, RECEIVE, f"event-{name}", rule, lambda value, _, unit: change(value) if "object_ids" in value else None
    )


told("no-actor", "Names nobody who did something.", lambda event: {**event, "actor": None})
told("shows-nobody", "Withholds evidence of who did something.", lambda event: {**event, "identities": []})
told("no-previous", "Forgets how a message read before.", lambda event: {**event, "previous": []})
told("no-stored", "Does not look for the stored message.", lambda event: {**event, "stored": {}})
told("no-emoji", "Forgets the emoji.", lambda event: {**event, "content": None})
told("never-again", "Takes every event for a new one.", lambda event: {**event, "redelivered": False})
told("first-of-many", "Tells one of many deletions.", lambda event: {**event, "object_ids": event["object_ids"][-1:]})
told("only-added", "Adds every reaction.", lambda event: {**event, "type": event["type"].replace("removed", "added")})
told("no-parts", "Tells an edit without its words.", lambda event: {**event, "parts": []})

takes(
    AREA,
    RECEIVE,
    "event-anyones-edit",
    "Lets anybody edit what another wrote.",
    lambda given, unit: {"type": "edited"},
    "owner-mismatch",
)

spoils(
    AREA,
    DELIVERIES,
    "claim-always-first",
    "Takes every delivery for the first.",
    lambda value, *_: ["first" if word == "same" else word for word in value],
)
spoils(
    AREA,
    DELIVERIES,
    "claim-by-event",
    "Claims the event and not the message.",
    lambda value, *_: ["first" if word == "unsupported-event" else word for word in value],
)
spoils(
    AREA,
    DELIVERIES,
    "claim-for-one-app",
    "Gives a message to one app alone.",
    lambda value, *_: [value[0], *["same" if word == "first" else word for word in value[1:]]],
)
spoils(AREA, CLAIM, "claim-always-new", "Takes a retry for new.", lambda value, *_: {**value, "is_new": True})
spoils(
    AREA,
    CLAIM,
    "claim-by-header",
    "Believes a header that is not signed.",
    lambda value, *_: {**value, "is_new": value["is_new"] and "retry" not in value},
)
spoils(
    AREA, CLAIM, "claim-no-answer", "Leaves the platform without an answer.", lambda value, *_: {**value, "answer": ""}
)
spoils(
    AREA, CLAIM, "claim-all-messages", "Takes an edit for a message.", lambda value, *_: {**value, "type": "message"}
)


def _looks_up(honest: Any, op: str, given: Any, unit: Any) -> Any:
    answer = honest(op, given, unit)
    return {**answer, "asks": [*answer.get("asks", ()), "AGENT x"]} if op in CLAIM and "value" in answer else answer


MUTANTS.append(Mutant("claim-looks-up", AREA, "Looks up the agent before it answers.", _looks_up, ops=CLAIM))
