"""Mutants of trust and roles as one document: how it is read, what is found in it, and what is explained."""

from __future__ import annotations

from typing import Any

from tests.mutants._answers import refuses, spoils, takes
from tests.mutants._identity import AREA

READ, LINT, EXPLAIN = ("identity.read_trust",), ("identity.lint",), ("identity.explain",)
EMPTY = {"trust": {"entries": [], "max_lifetime": 300, "skew": 60}, "agents": {}}


def _grants(unit: Any) -> list[Any]:
    """The grants of a document that has them where they belong."""
    agents = unit["document"].get("agents") if isinstance(unit["document"], dict) else None
    lists = agents.values() if isinstance(agents, dict) else ()
    return [grant for one in lists if isinstance(one, list) for grant in one if isinstance(grant, dict)]


takes(
    AREA,
    READ,
    "takes-grants-without-methods",
    "Takes a grant that names no methods.",
    lambda *_: EMPTY,
    "malformed",
    when=lambda unit: any(not grant.get("methods") for grant in _grants(unit)),
)
takes(
    AREA,
    READ,
    "overlooks-misspelt-members",
    "Leaves out members that it does not know.",
    lambda *_: EMPTY,
    "malformed",
    when=lambda unit: isinstance(unit["document"], dict) and "entry" in unit["document"],
)
takes(
    AREA,
    READ,
    "takes-empty-lists-of-issuers",
    "Takes an empty list of issuers for any issuer.",
    lambda *_: EMPTY,
    "malformed",
    when=lambda unit: any(grant.get("issuers") == [] for grant in _grants(unit)),
)
refuses(
    AREA, READ, "wants-an-object", "Reads no bare array of entries.", lambda unit: isinstance(unit["document"], list)
)
refuses(
    AREA,
    READ,
    "knows-no-defaults",
    "Reads no defaults.",
    lambda unit: isinstance(unit["document"], dict) and "defaults" in unit["document"],
)


def _filled(value: Any, _: Any, unit: Any) -> Any:
    """The value with the default methods in entries whose list is empty."""
    defaults = unit["document"].get("defaults") if isinstance(unit["document"], dict) else None
    if not defaults:
        return None
    entries = [{**one, "methods": one["methods"] or defaults["methods"]} for one in value["trust"]["entries"]]
    return {**value, "trust": {**value["trust"], "entries": entries}}


spoils(AREA, READ, "fills-empty-lists", "Fills in a default where a list is empty.", _filled)
for _kind in ("dead", "overlapping", "over-broad", "wildcard", "issuer-unknown", "method-unknown", "methods-missing"):
    spoils(
        AREA,
        LINT,
        f"finds-no-{_kind}",
        f"Does not find what is {_kind}.",
        lambda value, _, unit, kind=_kind: [finding for finding in value if finding["kind"] != kind],
    )
spoils(
    AREA,
    EXPLAIN,
    "explains-the-first-grant",
    "Names the first grant alone.",
    lambda value, *_: {**value, "grants": value["grants"][:1]},
)
spoils(
    AREA,
    EXPLAIN,
    "explains-no-transport",
    "Wants an entry for what a transport verifies.",
    lambda value, *_: (
        {**value, "verified_by": None, "roles": [], "grants": [], "step": "trust", "code": "issuer-untrusted"}
        if value["verified_by"] == "transport"
        else None
    ),
)
spoils(
    AREA,
    EXPLAIN,
    "explains-without-a-code",
    "Says that an issuer is not trusted, whatever the step was.",
    lambda value, *_: {**value, "code": value["code"] and "issuer-untrusted"},
)
