"""Mutants of accepting and resuming: what binds a receipt to a demand, and who verifies it."""

from __future__ import annotations

from typing import Any

from tests.mutants import MUTANTS, Mutant
from tests.mutants._answers import refuses, takes

AREA = "policy"
ACCEPT, RESUME, STORY = ("policy.accept",), ("policy.resume",), ("policy.story",)
Answer = "Mapping[str, Any]"


# --- what binds a receipt


def _present(honest: Any, op: str, given: dict[str, Any], unit: Any) -> Any:
    """Acts whenever a message has a resolution."""
    answer = honest(op, given, unit)
    if op not in RESUME or answer.get("rejected", {}).get("code") != "state-unknown":
        return answer
    return {"value": unit["message"]["policy_resolution"], "asks": answer["asks"]}


MUTANTS.append(Mutant("takes-presence-as-proof", AREA, "Acts on what nobody issued.", _present, ops=RESUME))

# --- who verifies

takes(
    AREA,
    ACCEPT,
    "needs-no-ledger",
    "Takes a payment that nobody saw.",
    lambda *_: {},
    "payment-unverified",
)
takes(AREA, ACCEPT, "needs-no-consent-page", "Takes a consent that nobody saw.", lambda *_: {}, "consent-unverified")
for _said, _name in (("", "nobody"), ("x402-facilitator", "a-facilitator"), ("☃", "what-it-knows")):
    refuses(
        AREA,
        RESUME,
        f"trusts-verified-by-{_name}",
        "Decides by who is said to have verified.",
        lambda unit, said=_said: unit["message"]["policy_resolution"]["verified_by"] == said,
    )
refuses(
    AREA,
    RESUME,
    "trusts-verified-by",
    "Decides by who is said to have verified.",
    lambda unit: (
        unit["message"]["policy_resolution"]["verified_by"] != "x402-facilitator"
        and unit["message"]["policy_resolution"]["confirmation"].get("transaction") is None
    ),
)
refuses(
    AREA,
    RESUME,
    "branches-on-the-transport",
    "Resumes over mail alone.",
    lambda unit: unit["message"]["received_via"] != "email",
)
refuses(
    AREA,
    RESUME,
    "resumes-the-question",
    "Resumes in the message that was interrupted alone.",
    lambda unit: unit["message"]["id"] != "m1",
)
