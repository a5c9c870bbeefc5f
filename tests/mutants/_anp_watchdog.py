"""Mutants of notifications: what the clock does."""

from __future__ import annotations

from typing import Final

from tests.mutants._anp import AREA
from tests.mutants._answers import spoils, takes

DEADLINE: Final = ("anp.next_deadline",)

# --- when

NONE: Final = "if record.delivery_deadline is None:"

# --- the next deadline


spoils(AREA, DEADLINE, "next-in-zones", "Compares times as texts.",
       lambda _, __, unit: min((one["delivery_deadline"] for one in unit["records"]), default=None)
       if "+02:00" in str(unit) else None)  # fmt: skip
takes(AREA, DEADLINE, "next-of-nothing", "Takes what is no event.", lambda *_: None, "malformed")
