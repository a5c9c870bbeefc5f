"""Mutants of payments by x402: what they are read as beside a state, what makes two of them one, and their tasks."""

from __future__ import annotations

from tests.mutants._answers import refuses
from tests.mutants._policy_receipts import AREA, STORY

# --- what a receipt is read as

refuses(
    AREA,
    STORY,
    "knows-no-callbacks",
    "Takes no receipt without a message.",
    lambda unit: any("message" in step.get("accept", {}) and not step["accept"]["message"] for step in unit["steps"]),
)
refuses(
    AREA,
    STORY,
    "reads-no-v1-beside-a-state",
    "Takes no payment of version 1 beside a state.",
    lambda unit: any(
        step.get("accept", {}).get("receipt", {}).get("receipt", {}).get("x402Version") == 1
        and "state" in step["accept"]["receipt"]
        for step in unit["steps"]
    ),
)
refuses(
    AREA,
    STORY,
    "wants-the-payment-alone",
    "Takes no payment that stands beside its echo.",
    lambda unit: any(
        "original_payload" in step.get("accept", {}).get("receipt", {}).get("receipt", {}) for step in unit["steps"]
    ),
)
