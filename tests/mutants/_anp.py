"""Mutants of notifications: where events go."""

from __future__ import annotations

from typing import Final

from tests.mutants._answers import takes

AREA: Final = "anp"
NOTHING: Final = {"record": {}, "path": [], "expected": None, "effects": [], "responsible": "system"}
"""A decision about nothing, where one should have been refused."""

ONE: Final = ("anp.decide",)
TABLE, CLASSIFY, DECIDE = ("anp.route_table",), ("anp.classify",), ("anp.decide", "anp.story")


# --- the table


for _flag, _lack in (("address", "team"), ("target", "everybody"), ("handler", "plugin"), ("target", None)):
    takes(
        AREA, TABLE, f"guesses-{_flag}{'' if _lack else '-that-is-not-there'}", f"Takes any {_flag}.",
        lambda _, unit: {"channel": "A"}, "malformed", when=lambda unit, f=_flag, w=_lack: unit.get(f) == w,
    )  # fmt: skip
