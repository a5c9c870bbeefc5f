"""Mutants of file capabilities: minting, counting bytes, and headers."""

from __future__ import annotations

from tests.mutants._answers import spoils, takes
from tests.mutants._files import AREA, BUDGET, MINT

# --- minting


takes(
    AREA,
    MINT,
    "mints-with-public-keys",
    "Mints with public keys.",
    lambda given, unit: {},
    "malformed",
    when=lambda unit: "public" in unit["key"],
)

# --- counting


FAILED = "if isinstance(answer, Failed):"


spoils(
    AREA,
    BUDGET,
    "takes-nothing-for-all",
    "Refuses nothing to be sent.",
    lambda value, _, unit: [
        "cap-budget" if step.get("take") == 0 else said for step, said in zip(unit["steps"], value, strict=True)
    ],
)
spoils(
    AREA,
    BUDGET,
    "fits-below",
    "Wants a byte left of a size.",
    lambda value, _, unit: [
        "cap-budget" if step.get("size") == 10 else said for step, said in zip(unit["steps"], value, strict=True)
    ],
)
