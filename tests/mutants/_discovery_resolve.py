"""Mutants of the way from an address to an agent."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.mutants import MUTANTS, Mutant
from tests.mutants._discovery import AREA, believes, gives

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.mutants import Perform

OP = "resolve_agent"
OPS = (f"discovery.{OP}",)
Answer = "Mapping[str, Any]"
FOUND = {"address": "@helper@agents.example"}


def asks_more(name: str, rule: str, asks: Callable[[Any, Any], list[str]]) -> None:
    """Registers a mutant that asks for more than it should: `asks(given, answer)`."""

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        answer = honest(op, given, unit)
        return {**answer, "asks": [*answer.get("asks", ()), *asks(given, answer)]} if op in OPS else answer

    MUTANTS.append(Mutant(name, AREA, rule, wrong, ops=OPS))


def links_of(given: Any) -> list[Any]:
    """The links of the document of the domain."""
    return [
        link
        for row, answer in given["lookups"].items()
        if "webfinger" in row and isinstance(answer.get("json"), dict)
        for link in answer["json"].get("links", ())
    ]


# --- the domain

asks_more(
    "asks-every-domain",
    "Asks any domain.",
    lambda given, answer: ["GET https://anybody/"] if not answer.get("asks") else [],
)
asks_more(
    "asks-the-second-domain",
    "Asks the domain that another one names.",
    lambda given, answer: (
        ["GET https://other.example/.well-known/webfinger"] if "acct:helper@other.example" in json.dumps(given) else []
    ),
)
asks_more(
    "follows-any-link",
    "Asks for a card wherever it lies.",
    lambda given, answer: (
        [f"GET {link['href']}" for link in links_of(given)][:1]
        if "rejected" in answer and len(answer.get("asks", ())) == 1
        else []
    ),
)
asks_more(
    "guesses-cards",
    "Guesses where a card lies.",
    lambda given, answer: (
        ["GET https://agents.example/.well-known/agent-card/helper"]
        if len(answer.get("asks", ())) == 1 and answer.get("rejected", {}).get("code") == "agent-unknown"
        else []
    ),
)
believes(OP, "unknown-by-the-domain", "Finds agents that a domain does not name.", "agent-unknown", value=FOUND)
believes(
    OP,
    "no-address",
    "Finds agents without an address.",
    "malformed",
    value=FOUND,
    when=lambda unit: not unit["address"].endswith(".example") or unit["address"].count("@") > 2,
)

# --- the card

gives(
    OP,
    "forgets-pages",
    "Gives no page.",
    lambda value, given, unit: {**value, "profile_page": None} if value["profile_page"] else None,
)
for _code in ("malformed", "duplicate-member", "too-large"):
    believes(
        OP,
        f"reads-cards-that-are-{_code}",
        f"Reads a card that is {_code}.",
        _code,
        value=FOUND,
        when=lambda unit: unit["address"] == FOUND["address"],
    )
gives(
    OP,
    "says-its-usual-place",
    "Says that every card lies in the usual place.",
    lambda value, given, unit: (
        {**value, "card_url": "https://agents.example/.well-known/agent-card/helper"}
        if "cdn" in value["card_url"] or "cards." in value["card_url"]
        else None
    ),
)
gives(
    OP,
    "forgets-the-interfaces",
    "Gives no interface of v0.3.",
    lambda value, given, unit: (
        {**value, "interfaces": [one for one in value["interfaces"] if one["dialect"] != "0.3"]}
        if len(given["lookups"]) and set(unit) == {"address"} and not value["rest"]
        else None
    ),
)

# --- its signature

believes(OP, "takes-unsigned", "Takes a card without a signature.", "agent-card-unsigned", value=FOUND)
believes(
    OP,
    "takes-any-signature",
    "Takes any signature.",
    "agent-card-signature-invalid",
    "agent-card-key-unknown",
    value=FOUND,
)
