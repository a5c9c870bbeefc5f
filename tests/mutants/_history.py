"""Mutants of the history policy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.mutants import mutant

if TYPE_CHECKING:
    from tests.mutants import Perform

Answer = "Mapping[str, Any]"


@mutant("history", "Ages out what is exactly as old as allowed.")
def exclusive_age(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    if unit["policy"].get("max_age"):
        unit["policy"]["max_age"] -= 0.5
    return honest(op, given, unit)


@mutant("history", "Makes every turn a user's.")
def everyone_is_user(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    for turn in unit["history"]:
        turn["role"] = "user"
    return honest(op, given, unit)


@mutant("history", "Drops members that it does not know.")
def drops_members(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    return {"value": [{name: turn[name] for name in turn if not name.startswith("x_")} for turn in answer["value"]]}


@mutant("history", "Cuts the text of the oldest turn that does not fit.")
def cuts_inside(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    if unit["policy"].get("max_chars") == 15 and unit["history"][0]["parts"][0]["content"] == "x" * 10:
        unit["history"][0]["parts"][0]["content"] = "x" * 5
    return honest(op, given, unit)


@mutant("history", "Trims before it sorts.")
def trims_first(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    most = unit["policy"].get("max_messages")
    return honest(op, given, {**unit, "history": unit["history"][-most:] if most else unit["history"]})
