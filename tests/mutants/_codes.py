"""Mutants that lack one check: a code that a transport's cases expect is never given.

Made from the cases themselves, so that a code that comes later gets its mutants too. A code that a tenth of the cases
expect or more is left out: without it an implementation is wrong in more than one rule.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from tests.mutants import PASS_RATE, mutant
from tests.mutants._receiving import silent_about
from tests.suite_cases import every_case

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mentionable_conformance import Case

    from tests.mutants import Perform

Answer = "Mapping[str, Any]"


def rare(codes: Counter[str], cases: int) -> list[str]:
    """The codes that few enough cases expect."""
    return sorted(code for code, count in codes.items() if count <= cases * (1 - PASS_RATE))


def refused_with(cases: Iterable[Case]) -> Counter[str]:
    """The codes of the rejections that these cases expect, where they do not leave them open."""
    codes = (case.expect["rejected"]["code"] for case in cases if "rejected" in case.expect)
    return Counter(code for code in codes if isinstance(code, str))


def never_refuses(area: str, code: str) -> None:
    """Registers a mutant that takes what should be refused with a code."""

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        answer = honest(op, given, unit)
        taken = {"messages": [], "asks": answer.get("asks", []), "diagnostics": []}
        return taken if answer.get("rejected") == {"code": code} else answer

    wrong.__name__ = f"never-refuses-{code}"
    mutant(area, f"Takes what should be refused as {code}.")(wrong)


for _area in ("a2a", "activitypub", "email"):
    _cases = [case for case in every_case() if case.area == _area]
    for _code in rare(refused_with(_cases), len(_cases)):
        never_refuses(_area, _code)
    for _code in rare(
        Counter(code for case in _cases for code in set(case.expect.get("diagnostics", []))), len(_cases)
    ):
        silent_about(_area, _code)
