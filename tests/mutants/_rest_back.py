"""Mutants of REST: calls that go out, and answers that come back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.mutants._answers import spoils, takes
from tests.mutants._rest import AREA

if TYPE_CHECKING:
    from collections.abc import Callable

CALL, RESULT, TRIP = ("rest.call",), ("rest.result",), ("rest.round_trip",)


def _says(ops: tuple[str, ...], name: str, rule: str, change: Callable[[Any, Any], Any]) -> None:
    """Registers a mutant that answers otherwise: `change(value, unit)`; None leaves it."""
    spoils(AREA, ops, name, rule, lambda value, _, unit: change(value, unit))


def _taken(ops: tuple[str, ...], name: str, rule: str, code: str, when: Callable[[Any], bool]) -> None:
    takes(AREA, ops, name, rule, lambda *_: {}, code, when=when)


# --- calls

_taken(
    CALL,
    "call-files-without-bytes",
    "Sends files whose bytes nobody has.",
    "malformed",
    lambda unit: "content_addressed" in str(unit),
)
_taken(CALL, "call-policies", "Asks demands.", "malformed", lambda unit: "forbidden" in str(unit))


def _with_sender(value: Any, unit: Any) -> Any:
    """The names of the fields with one for the sender, where a message says `Hi` and nothing goes along."""
    is_bare = unit.keys() == {"message", "url"} and [part.get("content") for part in unit["message"]["parts"]] == ["Hi"]
    return {**value, "names": [*value["names"], "sender"]} if is_bare else None


_says(CALL, "call-tells-sender", "Tells who sent the message.", _with_sender)
_taken(CALL, "call-any-receipt", "Sends what is no receipt.", "malformed", lambda unit: "receipt" in unit)

# --- answers

_taken(
    RESULT,
    "result-without-parts",
    "Takes JSON without parts.",
    "malformed",
    lambda unit: unit.get("response", {}).get("body") == {"v": "v0.1"},
)
_taken(RESULT, "result-no-json", "Takes broken JSON for nothing.", "invalid-json", lambda unit: "chunks" not in unit)
_taken(RESULT, "result-any-type", "Guesses at other media types.", "media-type-unsupported", lambda _: True)


def _leading(value: Any, unit: Any) -> Any:
    """The demand with the URL that led elsewhere."""
    *before, demand = value["parts"]
    policy = {**demand.get("policy", {}), "url": "https://evil.example/pay"}
    return {**value, "parts": [*before, {**demand, "policy": policy}]} if "evil" in str(unit) else None


_says(RESULT, "result-urls-of-all", "Lets demands lead anywhere.", _leading)
_taken(
    RESULT,
    "result-other-status",
    "Takes demands that contradict their status.",
    "malformed",
    lambda unit: unit.get("response", {}).get("status") == 402,
)
_taken(
    RESULT, "result-nothing-to-pay", "Takes a 402 for a demand that offers nothing.", "missing-member", lambda _: True
)


def _well(value: Any, _: Any) -> Any:
    """The answer as if its demand, which does not count, had not been made."""
    if (value.get("error") or {}).get("code") != "rest:policy-malformed":
        return None
    return {**{name: member for name, member in value.items() if name != "error"}, "status": "ok"}


_says(RESULT, "result-demand-passed-over", "Passes over demands that do not count.", _well)

# --- streams

_taken(
    RESULT,
    "result-nothing-said",
    "Takes a stream that says nothing for an answer.",
    "not-a-message",
    lambda unit: "chunks" in unit,
)

# --- there and back


_says(TRIP, "trip-demands-lost", "Loses demands on the way.", lambda value, _: (
    {**value, "parts": value["parts"][:-1]} if value["parts"][-1].get("kind") == "policy" else None
))  # fmt: skip
