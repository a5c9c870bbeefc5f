"""How mutants of the receiving operations are made."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from tests.mutants import mutant

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tests.mutants import Perform, Wrong

Answer = "Mapping[str, Any]"


def named(area: str, name: str, rule: str, wrong: Wrong) -> None:
    """Registers a wrong implementation under a name."""
    wrong.__name__ = name
    mutant(area, rule)(wrong)


def reports(area: str, name: str, rule: str, change: Callable[[Any], Any]) -> None:
    """Registers a mutant that reports something else of what it received."""

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        answer = honest(op, given, unit)
        return change(copy.deepcopy(dict(answer))) if "messages" in answer else answer

    named(area, name, rule, wrong)


def asks_more(area: str, name: str, rule: str, asks: Callable[[Any], list[str]]) -> None:
    """Registers a mutant that asks for more than it should."""

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        more = asks(unit)
        answer = honest(op, given, unit)
        if "asks" not in answer:  # of an operation that asks nothing
            return answer
        return {**answer, "asks": [*answer["asks"], *(ask for ask in more if ask not in answer["asks"])]}

    named(area, name, rule, wrong)


def looks_up(area: str, name: str, rule: str, change: Callable[[str, Any], Any]) -> None:
    """Registers a mutant that takes answers to its look-ups for others."""

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        lookups = {row: change(row, answer) for row, answer in given["lookups"].items()}
        return honest(op, {**given, "lookups": lookups}, unit)

    named(area, name, rule, wrong)


def bounded_by(area: str, name: str, rule: str, **limits: int) -> None:
    """Registers a mutant with other limits, whatever it is told."""

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        settings = given.get("settings", {})
        return honest(op, {**given, "settings": {**settings, "limits": {**settings.get("limits", {}), **limits}}}, unit)

    named(area, name, rule, wrong)


def silent_about(area: str, code: str) -> None:
    """Registers a mutant that never gives a diagnostic, whatever it is about: a message or another value."""

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        answer = honest(op, given, unit)
        remaining = [note for note in answer.get("diagnostics", ()) if note != code]
        return {**answer, "diagnostics": remaining} if "diagnostics" in answer else answer

    named(area, f"silent-about-{code}", f"Never says {code}.", wrong)


def remembers(area: str) -> None:
    """Registers the three mistakes about a message that is known already."""

    def forgets(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        answer = honest(op, given, unit)
        if "redelivered" not in answer.get("diagnostics", []):
            return answer
        empty = {row: None if row.startswith("MESSAGE") else value for row, value in given["lookups"].items()}
        return honest(op, {**given, "lookups": empty}, unit)

    def ignores_proof(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        return honest(op, {**given, "lookups": _known(given["lookups"], auth_method="none")}, unit)

    def ignores_sender(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        answer = honest(op, given, unit)
        if "native-id-reused" not in answer.get("diagnostics", []):
            return answer
        sender = answer["messages"][0]["sender"]["address"]
        return honest(op, {**given, "lookups": _known(given["lookups"], sender=sender)}, unit)

    named(area, "forgets-deliveries", "Gives a redelivery a new id.", forgets)
    named(area, "ignores-weaker-proof", "Gives a known id to a redelivery with a weaker proof.", ignores_proof)
    named(area, "ignores-other-sender", "Gives a known id to another sender.", ignores_sender)


def _known(lookups: Mapping[str, Any], **members: str) -> dict[str, Any]:
    """The look-ups with other members of every known message."""
    return {
        row: {**value, **members} if row.startswith("MESSAGE") and isinstance(value, dict) and "id" in value else value
        for row, value in lookups.items()
    }
