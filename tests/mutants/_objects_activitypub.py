"""Mutants of objects that were only named: whose they are, who may read them, and what is fetched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.mutants import mutant
from tests.mutants._documents_activitypub import answered
from tests.mutants._signatures import AREA
from tests.vectors._ap import shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.mutants import Perform

Answer = "Mapping[str, Any]"
OP = "activitypub.object"
AGENT = "@helper@agents.example"


def believes(name: str, rule: str, *codes: str) -> None:
    """Registers a mutant that reads what should be rejected, by the code."""

    def wrong(honest: Perform, called: str, given: dict[str, Any], unit: Any) -> Answer:
        answer = honest(called, given, unit)
        if called != OP or answer.get("rejected", {}).get("code") not in codes:
            return answer
        part = {"kind": "text", "mime": "text/html", "content": "<p>Hello</p>"}
        message = {"id": "m", "thread_id": unit["object_id"], "recipient": AGENT, "parts": [part]}
        kept: Mapping[str, Any] = {name: member for name, member in answer.items() if name != "rejected"}
        return {**kept, "value": {"messages": [message], "edited": [], "redelivered": []}, "diagnostics": []}

    wrong.__name__ = name
    mutant(AREA, rule)(wrong)


def judges(name: str, rule: str, code: str, verdict: dict[str, Any]) -> None:
    """Registers a mutant that says something else of a sender."""

    def wrong(honest: Perform, called: str, given: dict[str, Any], unit: Any) -> Answer:
        answer = honest(called, given, unit)
        is_wrong = called == OP and (answer.get("verdict") or {}).get("code") == code
        return {**answer, "verdict": verdict} if is_wrong else answer

    wrong.__name__ = name
    mutant(AREA, rule)(wrong)


def asks(name: str, rule: str, url: str) -> None:
    """Registers a mutant that asks more."""

    def wrong(honest: Perform, called: str, given: dict[str, Any], unit: Any) -> Answer:
        answer = honest(called, given, unit)
        return {**answer, "asks": [*answer["asks"], f"GET {url}"]} if called == OP else answer

    wrong.__name__ = name
    mutant(AREA, rule)(wrong)


believes("objects-of-nobody", "Reads an object without an author as the announcer's.", "author-missing")
believes("objects-of-many", "Takes the first of several authors, or one elsewhere.", "author-mismatch")
believes("objects-of-the-gone", "Reads what somebody wrote who is gone.", "sender-gone")
believes("objects-for-others", "Reads what is for others.", "recipient-elsewhere")
believes("objects-from-anywhere", "Takes a document for an id of another place.", "object-unresolvable", "id-refused")
believes("objects-of-all-kinds", "Reads actors, votes and tombstones.", "unsupported-object")
believes("follows-activities", "Follows an activity to the next one.", "unsupported-activity")
believes("creates-of-others", "Reads the object of another server by a Create.", "origin-mismatch")
believes("reads-its-own", "Tells an agent what agents here wrote.", "own-message")
believes("changes-what-was-proven", "Changes what was proven without a proof.", "verification-required")
judges("origin-is-a-proof", "Takes the origin for a proof.", "origin-only", shown("ap-object-integrity-proof"))
judges(
    "origin-mends-a-proof",
    "Calls what a failed proof is on confirmed by its origin.",
    "bad-signature",
    {"method": "none", "verified": False, "address": None, "key_id": None, "code": "origin-only", "temporary": False},
)
judges(
    "origin-has-the-address",
    "Takes the address of the actor document for confirmed.",
    "address-unconfirmed",
    {"method": "none", "verified": False, "address": None, "key_id": None, "code": "origin-only", "temporary": False},
)
asks("follows-quotes", "Fetches what is quoted.", "https://social.example/notes/1")
answered(OP, "fetched-is-new", "Takes what came before for new.", lambda value: {**value, "redelivered": []})
answered(
    OP,
    "fetched-is-answered",
    "Takes what has changed for a new message.",
    lambda value: {**value, "messages": [*value["messages"], *value["edited"]], "edited": []},
)


@mutant(AREA, "Does not look into its store before it reads an object.")
def reads_again(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    if op != OP:
        return honest(op, given, unit)
    rows = {name: row for name, row in given["lookups"].items() if not name.startswith("MESSAGE")}
    return honest(op, {**given, "lookups": {**rows, "MESSAGE *": None}}, {**unit, "before": []})
