"""Mutants of the texts that agents and people read."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from tests.mutants import mutant

if TYPE_CHECKING:
    from tests.mutants import Perform

Answer = "Mapping[str, Any]"


@mutant("render", "Shows a null result as a call on its way.")
def null_is_in_flight(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    if op == "render.tool_call" and unit["part"].get("result", 0) is None:
        del unit["part"]["result"]
    return honest(op, given, unit)


@mutant("render", "Shows every falsy result as a call on its way.")
def falsy_is_in_flight(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    if op == "render.tool_call" and not unit["part"].get("result", 1):
        del unit["part"]["result"]
    return honest(op, given, unit)


@mutant("render", "Escapes letters beyond ASCII in what fits.")
def escapes_letters(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    if op == "render.tool_call" and "budget" not in unit and "…" not in answer["value"]:
        return {"value": re.sub(r"[é東京]", lambda found: f"\\u{ord(found[0]):04x}", answer["value"])}
    return answer


@mutant("render", "Shows text results without quotes.")
def unquotes_text(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    return (
        {"value": answer["value"].replace('→ "done"', "→ done").replace('→ "na', "→ na")}
        if op == "render.tool_call"
        else answer
    )


@mutant("render", "Takes the default budget whatever was asked.")
def ignores_budget(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    return honest(op, given, {name: unit[name] for name in unit if name != "budget"})


@mutant("render", "Lets both sides share one budget.")
def shares_budget(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    if op == "render.tool_call" and len(json.dumps(unit["part"]["args"])) > 200 and "budget" not in unit:
        unit["part"].pop("error", None)
        unit["part"]["result"] = ""
    return honest(op, given, unit)


@mutant("render", "Leaves the cross of a failure out.")
def hides_failures(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    return {"value": answer["value"].replace("❌ timed", "timed")} if op == "render.tool_call" else answer


@mutant("render", "Goes by the numbers instead of is_final.")
def numbers_decide_final(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    if op == "render.agent_chain" and unit["chain"]:
        unit["chain"]["is_final"] = unit["chain"]["hop"] == unit["chain"]["max_hops"]
    return honest(op, given, unit)


@mutant("render", "Says something about a chain where there is none.")
def empty_chain_text(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    return {"value": ""} if answer.get("value", 0) is None and op == "render.agent_chain" else answer


@mutant("render", "Puts the chain before the relay.")
def chain_first(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    if op != "render.capabilities" or "agent_chain" not in unit["capabilities"]:
        return answer
    relay, _, chain = answer["value"].rpartition("\n\n")
    return {"value": f"{chain}\n\n{relay}"}


@mutant("render", "Forgets the chain.")
def forgets_chain(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    unit.get("capabilities", {}).pop("agent_chain", None)
    return honest(op, given, unit)


@mutant("render", "Never marks the next hop final.")
def never_final(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    return {"value": {**answer["value"], "is_final": False}} if op.endswith("next_hop") and answer["value"] else answer


@mutant("render", "Invites past the cap unless the flag forbids it.")
def flag_is_the_cap(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    if op.endswith("next_hop") and not unit["chain"]["is_final"]:
        hop = unit["chain"]["hop"] + 1
        return {"value": {**unit["chain"], "hop": hop, "is_final": hop == unit["chain"]["max_hops"]}}
    return honest(op, given, unit)


@mutant("render", "Invites one more at the end of a chain.")
def ignores_the_cap(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    return {"value": unit["chain"]} if op.endswith("next_hop") and answer["value"] is None else answer


@mutant("render", "Sorts the recipient fields.")
def sorts_fields(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    if "fields" in unit.get("capability", {}):
        unit["capability"]["fields"].sort(key=["to", "cc", "bcc"].index)
    return honest(op, given, unit)
