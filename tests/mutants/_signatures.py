"""How mutants of reading signed deliveries are made."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Literal

from tests.mutants import mutant

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.mutants import Perform

Answer = "Mapping[str, Any]"
Form = Literal["cavage", "rfc9421", "proof", "signed"]
AREA = "activitypub"


def concerns(unit: Any, form: Form) -> bool:
    """Whether a delivery has a signature of that form."""
    names = {name.lower() for name, _ in unit.get("headers", ())}
    is_modern, is_old = "signature-input" in names, "signature" in names
    body = unit.get("body", "")
    is_proven = '"proof"' in (body if isinstance(body, str) else json.dumps(body))
    return {
        "cavage": is_old and not is_modern,
        "rfc9421": is_modern,
        "proof": is_proven,
        "signed": is_old or is_modern or is_proven,
    }[form]


def reads(name: str, rule: str, header: str, change: Callable[[str], str], form: Form = "signed") -> None:
    """Registers a mutant that reads a header as if it were another."""

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        if not concerns(unit, form):
            return honest(op, given, unit)
        headers = [[found, change(value) if found == header else value] for found, value in unit["headers"]]
        return honest(op, given, unit if headers == unit["headers"] else {**unit, "headers": headers})

    wrong.__name__ = name
    mutant(AREA, rule)(wrong)
