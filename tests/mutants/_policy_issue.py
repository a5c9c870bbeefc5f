"""Mutants of issuing, of the hashes by which demands are known, and of the rules for agents."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from tests.mutants._answers import refuses, spoils, takes

if TYPE_CHECKING:
    from collections.abc import Callable

AREA = "policy"
ISSUE, SCOPE, KEY, CHECK = ("policy.issue",), ("policy.scope_hash",), ("policy.state_key",), ("policy.check_response",)


# --- issuing

takes(
    AREA,
    ISSUE,
    "issues-refusals",
    "Issues policies that nobody completes.",
    lambda *_: {},
    "malformed",
    when=lambda unit: unit["part"]["kind"] == "forbidden",
)
takes(
    AREA,
    ISSUE,
    "consents-have-no-scope",
    "Asks for consent to nothing.",
    lambda *_: {},
    "malformed",
    when=lambda unit: "scope" not in unit,
)
takes(
    AREA,
    ISSUE,
    "issues-odd-scopes",
    "Asks for consent to what has no canonical form.",
    lambda *_: {},
    "malformed",
    when=lambda unit: isinstance(unit.get("scope"), dict),
)
takes(
    AREA,
    ISSUE,
    "issues-what-is-malformed",
    "Sends out policies that nobody can read.",
    lambda *_: {},
    "malformed",
    when=lambda unit: (
        not unit["part"]["message"]
        or unit["part"].get("accepted_payments") == []
        or str(2**53) in json.dumps(unit["part"])
        or "http:" in json.dumps(unit["part"])
    ),
)


def _stores(name: str, rule: str, change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Registers a mutant that stores something else."""
    spoils(
        AREA, ISSUE, name, rule, lambda value, *_: {**value, "record": {**value["record"], **change(value["record"])}}
    )


_stores("stores-one-offer", "Stores the first way to pay alone.", lambda record: {"offers": record["offers"][:1]})
_stores(
    "stores-offers-by-scheme",
    "Stores one payload of a scheme.",
    lambda record: {"offers": [*{one["scheme"]: one for one in record["offers"]}.values()]},
)
_stores(
    "hashes-offers-as-text",
    "Hashes the text of a payload.",
    lambda record: {
        "offers": [
            {**one, "payload_hash": sha256(json.dumps(one["payload"]).encode()).hexdigest()} for one in record["offers"]
        ]
    },
)
_stores(
    "forgets-accounts", "Does not store the account.", lambda record: {"subject": None} if "subject" in record else {}
)
_stores("takes-everybody-for-verified", "Takes every sender for shown.", lambda record: {"principal_verified": True})
_stores(
    "hashes-scopes-as-they-are",
    "Stores the scope of a consent in other words.",
    lambda record: {"scope_hash": "0" * 64} if "scope_hash" in record else {},
)
spoils(
    AREA,
    ISSUE,
    "sends-out-no-url",
    "Drops the link of a demand.",
    lambda value, *_: {**value, "part": {name: found for name, found in value["part"].items() if name != "url"}},
)

# --- hashes


def _holds_more(scope: Any) -> bool:
    return isinstance(scope, list) and not all(isinstance(item, str) for item in scope)


def _by(hashes: Callable[[Any], bytes]) -> Any:
    return lambda value, given, unit: (
        sha256(hashes(unit["scope"])).hexdigest() if isinstance(unit["scope"], dict) else None
    )


spoils(
    AREA,
    SCOPE,
    "hashes-json-as-it-comes",
    "Hashes objects in the order that they have.",
    _by(lambda scope: json.dumps(scope, separators=(",", ":"), ensure_ascii=False).encode()),
)
spoils(
    AREA,
    SCOPE,
    "sorts-by-code-points",
    "Sorts names by their code points.",
    _by(lambda scope: json.dumps(scope, separators=(",", ":"), ensure_ascii=False, sort_keys=True).encode()),
)
refuses(AREA, SCOPE, "wants-members", "Refuses an object without members.", lambda unit: unit["scope"] == {})
refuses(AREA, SCOPE, "wants-words", "Refuses an array of anything but words.", lambda unit: _holds_more(unit["scope"]))
refuses(
    AREA, SCOPE, "wants-signs", "Refuses other signs than those of RFC 6749.", lambda unit: '"' in str(unit["scope"])
)
takes(AREA, SCOPE, "unsafe-numbers", "Takes any number.", lambda *_: "0" * 64, "malformed")
spoils(AREA, KEY, "stores-states", "Stores the state itself.", lambda value, _, unit: unit["state"])
spoils(
    AREA,
    KEY,
    "hashes-states-alone",
    "Hashes a state without saying what for.",
    lambda value, _, unit: sha256(unit["state"].encode()).hexdigest(),
)

# --- what agents must not do


def _finds(name: str, rule: str, when: Callable[[Any], bool]) -> None:
    """Registers a mutant that finds fault where there is none."""
    spoils(AREA, CHECK, name, rule, lambda value, _, unit: ["/parts"] if not value and when(unit) else None)


def _demanded(unit: Any) -> Any:
    return unit["response"]["parts"][-1].get("policy", {}) if unit["response"]["parts"] else {}


_finds(
    "agents-must-speak",
    "Wants every answer to say something.",
    lambda unit: not unit["response"]["parts"] and "error" not in unit["response"],
)
_finds(
    "agents-must-demand",
    "Wants every answer to demand something.",
    lambda unit: not _demanded(unit) and "policy_resolution" not in unit["message"],
)
_finds("no-refusals", "Lets no agent refuse.", lambda unit: _demanded(unit).get("kind") == "forbidden")
_finds("no-consents", "Lets no agent ask for consent.", lambda unit: _demanded(unit).get("kind") == "consent_required")
_finds("no-payments", "Lets no agent ask for money.", lambda unit: _demanded(unit).get("kind") == "payment_required")
_finds(
    "no-unknown-kinds",
    "Lets no agent demand what it does not know.",
    lambda unit: _demanded(unit).get("kind") == "example:age_check",
)
