"""Running cases through a harness, and what the outcome of each means for the whole."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal

from mentionable_conformance._compare import judge, misshapen, placeholders
from mentionable_conformance._expected import ExpectedFailures

if TYPE_CHECKING:
    from mentionable_conformance._cases import Case
    from mentionable_conformance._harness import Harness, Implementation

__all__ = ["Outcome", "Report", "Result", "against", "run"]

Outcome = Literal["pass", "fail", "xfail", "xpass", "skip", "error"]
_DETAIL: Final = 2_000
"""So many characters say what is wrong with an answer."""
_UNJUDGED: Final = "the answer cannot be compared: something in it is of a form that no judge expects"
OUTCOMES: Final[tuple[Outcome, ...]] = ("pass", "fail", "error", "xfail", "xpass", "skip")


@dataclass(frozen=True, kw_only=True, slots=True)
class Result:
    """What became of one case."""

    case: Case
    outcome: Outcome
    """`pass`, `fail` (another answer), `error` (no answer), `skip`; `xfail` or `xpass` when it was expected to fail."""
    detail: str
    """Why, where it did not pass."""
    seconds: float
    placeholders: int
    """How many exact values the case left open."""
    breaks: bool
    """Whether this result alone makes the run fail."""

    @property
    def needs_attention(self) -> bool:
        """Whether people should look at it: it breaks the run, or its failure was not expected."""
        return self.breaks or self.outcome in ("fail", "error")


@dataclass(frozen=True, kw_only=True, slots=True)
class Report:
    """A whole run."""

    implementation: Implementation
    strict: bool
    results: tuple[Result, ...]
    stale: tuple[str, ...] = ()
    """Expected failures that name no case."""
    unknown_ops: tuple[str, ...] = ()
    """Operations that the harness declares and no case of the suite uses: often a name with a slip in it."""

    @property
    def ok(self) -> bool:
        """Whether a case passed, and everything is as it should be, or as it was expected to be."""
        return self.passed > 0 and not self.stale and not any(result.breaks for result in self.results)

    @property
    def passed(self) -> int:
        """How many cases passed. None at all shows that nothing works, whatever was expected or skipped."""
        return sum(result.outcome in ("pass", "xpass") for result in self.results)

    @property
    def judged(self) -> int:
        """How many cases were not skipped."""
        return sum(result.outcome != "skip" for result in self.results)

    def was_asked(self, result: Result) -> bool:
        """Whether a case was asked: it was not where the harness does not declare its operation."""
        return result.outcome != "skip" or result.case.op in self.implementation.ops

    def counts(self, level: str | None = None, tier: str | None = None) -> dict[str, int]:
        """How many cases came out how, for one level or for all, of one tier or of all."""
        counts = Counter(
            result.outcome
            for result in self.results
            if level in (None, result.case.level) and tier in (None, result.case.tier)
        )
        return {outcome: counts[outcome] for outcome in OUTCOMES}


def run(
    cases: Sequence[Case],
    harness: Harness,
    *,
    expected: ExpectedFailures | None = None,
    strict: bool = False,
    known: Sequence[Case] | None = None,
) -> Report:
    """Judge an implementation by `cases`.

    A failing MUST breaks the run, a failing SHOULD only with `strict`, a failing MAY never. No answer at all (an error,
    a hang, a crash) breaks it at every level. An operation that the harness does not declare is skipped; a case of a
    declared one cannot be where its failure would break the run. `known` are all cases of the suite, when `cases` are
    only some of them.

    Raises:
        BadHarness: The harness cannot be started.
    """
    expected = ExpectedFailures() if expected is None else expected
    implementation = harness.start()
    try:
        results = tuple(
            _judged(case, _answer(seq, case, harness, implementation), expected, strict, implementation)
            for seq, case in enumerate(cases, start=1)
        )
    finally:
        harness.stop()
    report = Report(implementation=implementation, strict=strict, results=results)
    return against(report, expected, cases if known is None else known)


def against(report: Report, expected: ExpectedFailures, known: Sequence[Case]) -> Report:
    """A report that says what none of these cases has: expected failures, and operations of the harness."""
    ops = report.implementation.ops - {case.op for case in known}
    return replace(report, stale=expected.stale(case.id for case in known), unknown_ops=tuple(sorted(ops)))


def _answer(seq: int, case: Case, harness: Harness, who: Implementation) -> tuple[Mapping[str, Any], float]:
    """What the harness says to a case, and how long it took."""
    if case.op not in who.ops:
        return {"skipped": {"why": f"{case.op} is not declared"}}, 0.0
    before = time.perf_counter()
    answer = harness.perform(seq, case)
    return answer, time.perf_counter() - before


def _judged(
    case: Case,
    timed: tuple[Mapping[str, Any], float],
    expected: ExpectedFailures,
    strict: bool,
    who: Implementation,
) -> Result:
    """The outcome of one case."""
    answer, seconds = timed
    counts = case.level == "MUST" or (strict and case.level == "SHOULD")
    outcome: Outcome
    if wrong := misshapen(answer):
        outcome, detail = "fail", wrong
    elif "errored" in answer:
        outcome, detail, counts = "error", _text(answer["errored"], "message"), True
    elif "skipped" in answer:
        outcome, detail = "skip", _text(answer["skipped"], "why")
        if counts and case.op in who.ops:
            outcome, detail = "fail", f"a {case.level} case of a declared operation cannot be skipped ({detail})"
    else:
        problems = _problems(case, answer)
        outcome, detail = ("fail", _short("; ".join(problems))) if problems else ("pass", "")
    why = expected.why(case.id)
    if why is not None and outcome in ("fail", "error"):
        outcome, counts = "xfail", False
    elif why is not None and outcome == "pass":
        outcome, detail, counts = "xpass", f"expected to fail ({why}), but it passes: take it off the list", True
    return Result(
        case=case,
        outcome=outcome,
        detail=detail,
        seconds=seconds,
        placeholders=placeholders(case),
        breaks=counts and outcome in ("fail", "error", "xpass"),
    )


def _problems(case: Case, answer: Mapping[str, Any]) -> tuple[str, ...]:
    """What is wrong with an answer. One that a judge is not made for ends no run: the other cases go on."""
    try:
        return judge(case, answer)
    except Exception:  # whatever it is, no answer passes by it
        return (_UNJUDGED,)


def _text(value: object, member: str) -> str:
    """The sentence inside `errored` or `skipped`, however it was given."""
    text = value.get(member, value) if isinstance(value, Mapping) else value
    return _short(" ".join(str(text).split()))


def _short(detail: str) -> str:
    """As much of a detail as reports hold."""
    return detail if len(detail) <= _DETAIL else f"{detail[:_DETAIL]}…"
