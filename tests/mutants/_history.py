"""Mutants of the history policy."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, Any

import attrs

from mentionable import _history
from tests.mutants import mutant, patched

if TYPE_CHECKING:
    from tests.mutants import Perform

Answer = "Mapping[str, Any]"

_right_chars = _history._chars
_right_trim = _history.trim
_right_by_time = _history._by_time


def _text_only(turn: Any) -> int:
    return sum(len(part.content) for part in turn.parts if part.kind == "text")


def counts(name: str, rule: str, chars: Any) -> None:
    """Registers a mutant that counts what a turn costs in another way, and fits turns into the budget by that."""

    def trim(turns: Any, policy: Any, *, now: Any) -> Any:
        kept = _right_trim(turns, attrs.evolve(policy, max_chars=10**9), now=now)
        sums = list(accumulate(chars(turn) for turn in reversed(kept)))
        fitting = sum(cost <= policy.max_chars for cost in sums)
        return kept[len(kept) - fitting :]

    patched("history", rule, name, _history, "trim", trim)


counts(
    "counts-bytes",
    "Counts bytes.",
    lambda turn: sum(len(part.content.encode()) for part in turn.parts if part.kind == "text") or _right_chars(turn),
)
counts("ignores-tool-calls", "Does not count tool calls.", _text_only)
counts(
    "counts-files",
    "Counts the names of files.",
    lambda turn: _right_chars(turn) + sum(len(part.name or "") for part in turn.parts if part.kind == "file"),
)
counts(
    "counts-first-part",
    "Counts the first part of a turn only.",
    lambda turn: _right_chars(turn) if len(turn.parts) < 2 else len(turn.parts[0].content),
)
patched(
    "history",
    "Sorts times as text.",
    "sorts-times-as-text",
    _history,
    "_by_time",
    lambda turns: tuple(sorted(turns, key=lambda turn: turn.timestamp)),
)
patched(
    "history",
    "Puts turns of one time in the order of their ids.",
    "sorts-ties-by-id",
    _history,
    "_by_time",
    lambda turns: tuple(sorted(turns, key=lambda turn: (_history.parse_time(turn.timestamp), turn.id))),
)
patched(
    "history",
    "Takes every order as it comes.",
    "does-not-sort-reversed",
    _history,
    "_by_time",
    lambda turns: turns if len(turns) == 4 and turns[0].timestamp > turns[1].timestamp else _right_by_time(turns),
)


def wrong_trim(name: str, rule: str, trim: Any) -> None:
    """Registers a mutant with another way to trim."""
    patched("history", rule, name, _history, "trim", trim)


def _skips_large(turns: Any, policy: Any, *, now: Any) -> Any:
    fitting = [turn for turn in turns if _right_chars(turn) <= policy.max_chars]
    return _right_trim(fitting, policy, now=now)


def _age_from_newest(turns: Any, policy: Any, *, now: Any) -> Any:
    return _right_trim(turns, policy, now=max([_history.parse_time(turn.timestamp) for turn in turns], default=now))


def _keeps_newest(turns: Any, policy: Any, *, now: Any) -> Any:
    return (
        _right_trim(turns, policy, now=now) or tuple(turns)[-1:]
        if policy.max_messages and not policy.max_age
        else _right_trim(turns, policy, now=now)
    )


def _zero_is_unbounded(turns: Any, policy: Any, *, now: Any) -> Any:
    bounds = {name: 10**9 for name in ("max_messages", "max_chars") if getattr(policy, name) == 0}
    return _right_trim(turns, attrs.evolve(policy, **bounds), now=now)


def _other_defaults(turns: Any, policy: Any, *, now: Any) -> Any:
    bounds = {"max_messages": 20} if len(tuple(turns)) > 50 else {}
    return _right_trim(turns, attrs.evolve(policy, **bounds), now=now)


wrong_trim("skips-large-turns", "Leaves out a turn that is too large and keeps older ones.", _skips_large)
wrong_trim("age-from-newest", "Measures age from the newest turn.", _age_from_newest)
wrong_trim("keeps-newest-always", "Keeps the newest turn even over the budget.", _keeps_newest)
wrong_trim("zero-is-unbounded", "Reads a budget of 0 as none.", _zero_is_unbounded)
wrong_trim("other-defaults", "Keeps twenty turns by default.", _other_defaults)


@mutant("history", "Ages out what is exactly as old as allowed.")
def exclusive_age(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    if unit["policy"].get("max_age"):
        unit["policy"]["max_age"] -= 0.5
    return honest(op, given, unit)


@mutant("history", "Makes every turn a user's.")
def everyone_is_user(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    for turn in unit["history"]:
        turn["role"] = "user"
    return honest(op, given, unit)


@mutant("history", "Drops members that it does not know.")
def drops_members(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    return {"value": [{name: turn[name] for name in turn if not name.startswith("x_")} for turn in answer["value"]]}


@mutant("history", "Cuts the text of the oldest turn that does not fit.")
def cuts_inside(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    if unit["policy"].get("max_chars") == 15 and unit["history"][0]["parts"][0]["content"] == "x" * 10:
        unit["history"][0]["parts"][0]["content"] = "x" * 5
    return honest(op, given, unit)


@mutant("history", "Trims before it sorts.")
def trims_first(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    most = unit["policy"].get("max_messages")
    return honest(op, given, {**unit, "history": unit["history"][-most:] if most else unit["history"]})
