"""Mutants of turns: what an agent says and acknowledges, what it is granted, and how its turns end."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from tests.mutants._answers import mends, quiet

if TYPE_CHECKING:
    from collections.abc import Callable


AREA: Final = "anp"
TURN: Final = ("anp.turn",)


def has(*kinds: str, least: int = 1) -> Callable[[Any], bool]:
    """Whether a script has so many steps of one of these kinds."""
    return lambda unit: sum(kind in step for step in unit["steps"] for kind in kinds) >= least


# --- grants and leases

quiet(AREA, TURN, "acknowledgement-ignored", "narration-withheld")

# --- facts

READ: Final = "world.decide(read.id, ContextCommitted(lease=read.lease, revision=read.revision))"


def _once(given: Any, unit: Any) -> Any:
    """A host to which no time in prompts is anything."""
    rules = {name: rule for name, rule in unit.get("rules", {}).items() if name != "context_ttl_seconds"}
    for event in unit["events"]:
        event.get("metadata", {}).pop("context_ttl", None)
    return given, {**unit, "rules": rules}


def _asked(given: Any, unit: Any) -> Any:
    """A host that takes whatever a plugin asks for."""
    for event in unit["events"]:
        if isinstance(event.get("metadata", {}).get("context_ttl"), str):
            event["metadata"]["context_ttl"] = float(event["metadata"]["context_ttl"])
    return given, unit


mends(AREA, TURN, "turn-facts-read-once", "Delivers a fact with the first turn that has read it.", _once)
mends(AREA, TURN, "turn-facts-text-is-a-number", "Takes a text for a number of seconds.", _asked)

# --- turns that break off or hang


def _one_user(given: Any, unit: Any) -> Any:
    """A host that does not tell users apart."""
    return given, json.loads(json.dumps(unit).replace('"ash"', '"olivia"'))


mends(AREA, (*TURN, "anp.prompt", "anp.lane"), "turn-one-user", "Does not tell users apart.", _one_user)
