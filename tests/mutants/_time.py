"""Mutants of timestamps: what goes in is mended first."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tests.mutants import mutant

if TYPE_CHECKING:
    from tests.mutants import Perform

Answer = "Mapping[str, Any]"


def mends_time(name: str, rule: str, pattern: str, replacement: str) -> None:
    """Registers a mutant that rewrites a timestamp before it is read."""

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        return honest(op, given, {"text": re.sub(pattern, replacement, unit["text"])})

    wrong.__name__ = name
    mutant("time", rule)(wrong)


mends_time("takes_naive_times", "Reads a time without offset as UTC.", r"(T\d\d:\d\d:\d\d)\Z", r"\1Z")
mends_time("takes_dates", "Reads a day as its first moment.", r"\A(\d{4}-\d\d-\d\d)\Z", r"\1T00:00:00Z")
mends_time("strips_time", "Takes blanks around away.", r"\A\s+|\s+\Z", "")
mends_time("reads_tenths_as_millis", "Reads one fraction digit as milliseconds.", r"\.(\d)Z", r".00\1Z")
mends_time("drops_half_hours", "Drops the minutes of an offset.", r"([+-]\d\d):30\Z", r"\1:00")
mends_time("ignores_offsets", "Takes every offset for Z.", r"\+0\d:\d\d\Z", "Z")
mends_time("takes_short_offsets", "Takes an offset without its colon.", r"([+-]\d\d)(\d\d)\Z", r"\1:\2")
mends_time("rolls_hour_24", "Reads hour 24 as midnight.", r"T24:", "T00:")
mends_time("wants_capitals", "Refuses small t and z.", r"\A.*t.*\Z", "")
mends_time(
    "rolls_days_over", "Rolls impossible days over.", r"-02-(29|30)T(?!00:00:00Z\Z)|2026-02-(29|30)", "2026-03-01"
)
mends_time("takes_commas", "Takes a comma before the fraction.", r",(\d)", r".\1")
mends_time("takes_foreign_digits", "Reads digits of other scripts.", "٢٠٢٦", "2026")
mends_time("takes_two_digit_years", "Adds the century.", r"\A(\d\d)-", r"20\1-")
mends_time("refuses_nanoseconds", "Refuses more than six digits.", r"\.\d{7,}Z", "")
mends_time("refuses_leap_days", "Refuses 29 February.", r"\A2028-02-29.*", "")
mends_time("takes_month_13", "Rolls an impossible month over.", r"-13-", "-12-")
mends_time("takes_wide_offsets", "Takes an offset of more than a day.", r"\+25:", "+23:")
mends_time("moves_leap_seconds", "Reads a leap second as another minute.", r":59:60Z", ":58:00Z")


@mutant("time", "Rounds fractions up.")
def rounds_up(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    return honest(op, given, {"text": re.sub(r"\.999\d*Z", ".000Z", unit["text"]).replace(":59.000", ":59.999")})


@mutant("time", "Drops milliseconds.")
def drops_milliseconds(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    return honest(op, given, {"text": re.sub(r"\.\d{3}Z", "Z", unit["text"])})
