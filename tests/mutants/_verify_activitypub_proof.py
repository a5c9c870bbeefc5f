"""Mutants of verifying object proofs on activities, and of reading what is verified."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.mutants import mutant
from tests.mutants._signatures import AREA

if TYPE_CHECKING:
    from tests.mutants import Perform

Answer = "Mapping[str, Any]"


# --- the activity


def unread(name: str, rule: str, *codes: str, of: str = "") -> None:
    """Registers a mutant that verifies what cannot be read, where the refusal has one of these codes."""

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        answer = honest(op, given, unit)
        if op != "activitypub.verify" or answer["value"]["code"] not in codes or of not in unit["body"]:
            return answer
        return {
            **answer,
            "asks": ["GET https://social.example/users/alice"],
            "value": {**answer["value"], "verified": True},
        }

    wrong.__name__ = name
    mutant(AREA, rule)(wrong)


unread("verifies-what-is-not-json", "Verifies what is no activity.", "invalid-json", "malformed")
unread("verifies-unsafe-numbers", "Verifies numbers that two readers see differently.", "unsafe-number")
unread("verifies-doubles", "Verifies a document with a member twice.", "duplicate-member")
unread("verifies-halves", "Verifies text with half of a pair.", "lone-surrogate")
unread("verifies-without-ids", "Verifies an activity without its ids.", "missing-member", "wrong-type")
unread("verifies-any-origin", "Verifies an activity of another origin.", "origin-mismatch")
unread("verifies-json-ld", "Verifies JSON-LD that can be read in two ways.", "json-ld-refused")


@mutant(AREA, "Believes a JSON-LD signature.")
def believes_json_ld(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    if op != "activitypub.verify" or '"signature":{' not in unit["body"] or answer["value"]["code"] != "unsigned":
        return answer
    return {**answer, "value": {**answer["value"], "verified": True, "code": None}}


def kinds(name: str, rule: str, *refused: str) -> None:
    """Registers a mutant that does not verify activities of these kinds."""

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        answer = honest(op, given, unit)
        if op != "activitypub.verify" or not any(f'"type":"{kind}"' in unit["body"] for kind in refused):
            return answer
        return {**answer, "value": {**answer["value"], "code": "unsupported-activity", "verified": False}}

    wrong.__name__ = name
    mutant(AREA, rule)(wrong)


kinds(
    "verifies-messages-alone",
    "Verifies only what becomes a message.",
    "Follow",
    "Like",
    "Delete",
    "Undo",
    "Accept",
    "Announce",
)


@mutant(AREA, "Does not say unsigned of what is not signed.")
def unsigned_is_open(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    if op != "activitypub.verify" or answer["value"]["code"] != "unsigned":
        return answer
    return {**answer, "value": {**answer["value"], "code": "not-verified"}}


@mutant(AREA, "Wants the actor as text.")
def actors_are_text(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    if op != "activitypub.verify" or '"actor":{' not in unit["body"]:
        return answer
    return {**answer, "value": {**answer["value"], "code": "wrong-type", "verified": False}}


@mutant(AREA, "Believes a key that comes along.")
def believes_embedded_keys(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    if op != "activitypub.verify" or '"actor":{' not in unit["body"]:
        return honest(op, given, unit)
    return {**honest(op, given, unit), "asks": []} | {"value": {"verified": True}}
