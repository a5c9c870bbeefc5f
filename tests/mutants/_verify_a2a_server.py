"""Mutants of what an authorization server says of an A2A caller."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from mentionable.a2a import _verify as room
from tests.mutants._doors import named
from tests.mutants._verify_a2a import AREA, alters, concerns, verdicts

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.mutants import Perform

Answer = "Mapping[str, Any]"


def server(name: str, rule: str, step_name: str, change: Callable[[dict[str, Any]], Any]) -> None:
    """Registers a mutant that reads an introspection otherwise."""

    def wrong(f: Callable[..., Any], found: dict[str, Any], *given: Any) -> Any:
        found = dict(found)
        change(found)
        return f(found, *given)

    alters(name, rule, room, step_name, wrong)


server(
    "nearly-active",
    "Takes what looks like true for true.",
    "check_active",
    lambda found: found.update(active=bool(found.get("active"))),
)
server(
    "active-unless-said",
    "Takes a token for active unless it is said otherwise.",
    "check_active",
    lambda found: found.setdefault("active", True),
)
server("always-active", "Does not look whether it is active.", "check_active", lambda found: found.update(active=True))
server(
    "server-says-any-issuer",
    "Does not compare the issuer of an answer.",
    "check_active",
    lambda found: found.pop("iss", None),
)
server(
    "server-issuer-null",
    "Takes null for the issuer of an answer.",
    "check_active",
    lambda found: found.pop("iss") if found.get("iss", 1) is None else None,
)
server(
    "server-must-name-issuer",
    "Wants the issuer in an answer.",
    "check_active",
    lambda found: found.setdefault("iss", None),
)
server("any-token-type", "Does not look at token_type.", "check_bearer", lambda found: found.pop("token_type", None))
server("type-needed", "Wants token_type in an answer.", "check_bearer", lambda found: found.setdefault("token_type", 0))
server(
    "type-in-capitals",
    "Wants token_type as it is written in the RFC.",
    "check_bearer",
    lambda found: found.update(token_type="x") if found.get("token_type") == "bearer" else None,
)
alters("any-server", "Believes every server.", room, "issuer_of", lambda f, found, issuers: issuers[0])


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
