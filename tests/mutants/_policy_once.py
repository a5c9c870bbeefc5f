"""Mutants of consuming: what makes a state act at most once, and a payment pay one demand."""

from __future__ import annotations

from typing import Any

from tests.mutants import MUTANTS, Mutant
from tests.mutants._answers import spoils
from tests.mutants._policy_receipts import AREA, STORY

# --- uniqueness


def _by_state(honest: Any, op: str, given: dict[str, Any], unit: Any) -> Any:
    """Knows demands by their state alone."""
    answer = honest(op, given, unit)
    if op not in STORY or "value" not in answer:
        return answer
    named = ["task_id" in step.get("accept", {}).get("receipt", {}) for step in unit["steps"]]
    said = zip(answer["value"], named, strict=True)
    return {**answer, "value": ["state-unknown" if by_task else one for one, by_task in said]}


MUTANTS.append(Mutant("knows-no-tasks", AREA, "Knows demands by their state alone.", _by_state, ops=STORY))


def _stories(name: str, rule: str, change: Any) -> None:
    spoils(AREA, STORY, name, rule, lambda value, _, unit: change(value, unit["steps"]))


_stories(
    "remembers-no-attempts",
    "Says resumed to whoever asks late.",
    lambda value, steps: [
        "resumed" if said == "already-consumed" and step.get("resume", {}).get("at") else said
        for said, step in zip(value, steps, strict=True)
    ],
)
