"""Mutants of what an authorization server says of an A2A caller."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from tests.mutants._receiving import named
from tests.mutants._verify_a2a import AREA, concerns, verdicts

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.mutants import Perform

Answer = "Mapping[str, Any]"


def _beside_introspection(name: str, rule: str, change: Callable[[dict[str, Any]], Any]) -> None:
    """Registers a mutant that puts other units in."""

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        if concerns(op, given) and "introspection" in unit:
            unit = copy.deepcopy(unit)
            change(unit)
        return honest(op, given, unit)

    named(AREA, name, rule, wrong)


_beside_introspection(
    "ignores-server", "Reads the token, whatever its server says.", lambda unit: unit.pop("introspection")
)
_beside_introspection(
    "server-without-token",
    "Takes an answer for a token that is not there.",
    lambda unit: unit["headers"].append(["authorization", "Bearer x"]) if unit.get("headers") == [] else None,
)
_beside_introspection(
    "reads-judged-tokens",
    "Wants a JWT though its server has judged it.",
    lambda unit: unit["introspection"]["response"].update(
        active="headers" in unit
        and "opaque" in str(unit["headers"])
        and unit["introspection"]["response"].get("active")
    ),
)
verdicts(
    "server-is-jwt",
    "Calls the word of a server a token.",
    lambda value: value.update(method="a2a-jwt") if value["method"] == "a2a-oauth" else None,
)
