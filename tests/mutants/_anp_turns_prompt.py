"""Mutants of what the agent reads when a turn begins, and of what it gives back in the end."""

from __future__ import annotations

from typing import Any, Final

from tests.mutants._anp_turns import AREA, TURN
from tests.mutants._answers import mends, spoils

PROMPT: Final = ("anp.prompt",)
READS: Final = (*PROMPT, *TURN)
OUTPUT: Final = ("anp.read_output",)


def _unbounded(given: Any, unit: Any) -> Any:
    """A host without bounds for facts."""
    return given, {**unit, "rules": {}}


def _in_order(given: Any, unit: Any) -> Any:
    """A host to which all facts are of one time."""
    return given, {**unit, "events": [{**one, "created_at": given["now"]} for one in unit["events"]]}


mends(AREA, PROMPT, "prompt-facts-unbounded", "Has no bounds of facts.", _unbounded)
mends(AREA, PROMPT, "prompt-facts-as-submitted", "Takes what was submitted last for the newest.", _in_order)

# --- what it gives back


def _own(answer: Any, _: Any, unit: Any) -> Any:
    """An answer in which the agent said more than it may."""
    more = set(unit["given"] or ()) - {"output", "acknowledged_ids"} if isinstance(unit["given"], dict) else set()
    return {**answer, **{name: unit["given"][name] for name in more}} if more else None


spoils(AREA, OUTPUT, "output-own-members", "Lets the agent say what its lease is.", _own)
