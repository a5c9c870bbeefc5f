"""Mutants of file capabilities: what a capability must agree with, and in what order that is looked at."""

from __future__ import annotations

from typing import Any

from tests.mutants._answers import mends, refuses
from tests.mutants._files import AREA, VERIFY

TURN = "claims.turn != terms.turn"

FAILED = "if isinstance(revoked, Failed):"


# --- what it should let in


def _ill(name: str, rule: str, judge: Any) -> None:
    refuses(AREA, VERIFY, name, rule, judge)


_ill("knows-one-key", "Knows the newest key alone.", lambda unit: _token_key(unit) == "2026-10")
_ill(
    "knows-no-edge",
    "Knows secrets alone.",
    lambda unit: _token_key(unit) == "edge" or unit.get("minted", {}).get("key", {}).get("kid") == "edge",
)
_ill(
    "knows-no-bearers",
    "Wants agents where URLs are enough.",
    lambda unit: "presenter" in unit and unit.get("bearer_ok", False),
)
_ill("lets-nothing-round", "Refuses what it minted.", lambda unit: "minted" in unit)


def _token_key(unit: Any) -> str:
    """The id of the key in a token."""
    import json
    from base64 import urlsafe_b64decode

    head = unit.get("token", "").partition(".")[0]
    return str(json.loads(urlsafe_b64decode(head + "=" * (-len(head) % 4)) or b"{}").get("kid")) if head else ""


def _trims(given: Any, unit: Any) -> tuple[Any, Any]:
    return given, {name: value for name, value in unit.items() if name != "size"}


mends(AREA, VERIFY, "asks-no-size", "Hears of no size.", _trims)
