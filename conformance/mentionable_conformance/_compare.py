"""Comparing what an implementation said with what a case expects. All languages are judged here, by the same code."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from mentionable_conformance._base64 import b64decoded
from mentionable_conformance._facts import facts
from mentionable_conformance._facts_error import FactError

if TYPE_CHECKING:
    from mentionable_conformance._cases import Case

__all__ = ["difference", "has_open_code", "judge", "misshapen", "placeholders"]

_UUID7: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
_TIMESTAMP: Final = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2})(?:\.[0-9]{1,9})?Z")
_OUTCOMES: Final = ("messages", "value", "facts", "bytes", "rejected")
_ANSWERS: Final = ("messages", "value", "bytes", "rejected", "skipped", "errored")
_REMOTE: Final = ("GET ", "TXT ")
_SHOWN: Final = 160
_WHOLE: Final = 60
"""Texts up to this length are shown whole; of longer ones, what stands around the first difference."""
_AROUND: Final = 20


def judge(case: Case, answer: Mapping[str, Any]) -> tuple[str, ...]:
    """What is wrong with an answer to a case, one sentence each; empty when the case passes.

    An answer holds exactly one of `messages`, `value`, `bytes`, `rejected`, and with it what the case compares:
    `verdict`, `candidate`, `diagnostics`, `asks`. Anything else in it is not looked at. Where a case expects `facts`,
    they are found in the `value` here.
    """
    expect = case.expect
    alternatives: Sequence[Mapping[str, Any]] = expect.get("any_of", (expect,))
    attempts = [_against(case.op, alternative, answer) for alternative in alternatives]
    wrong = [] if any(not attempt for attempt in attempts) else attempts[0]
    if len(alternatives) > 1 and wrong:
        wrong = [f"none of {len(alternatives)} allowed outcomes; the first one: {text}" for text in wrong]
    if "any_of" in expect:
        wrong += _wrong_members(expect, answer)
    return (*wrong, *_asks(expect, answer))


def misshapen(answer: Mapping[str, Any]) -> str | None:
    """What is wrong with an answer before it is compared: it says nothing, or two things at once; else None."""
    outcomes = [name for name in _ANSWERS if name in answer]
    if len(outcomes) == 1:
        return None
    return f"an answer has exactly one of {', '.join(_ANSWERS)}; this one has {', '.join(outcomes) or 'none'}"


def has_open_code(rejected: Mapping[str, Any]) -> bool:
    """Whether an expected rejection leaves its code to the implementation."""
    return isinstance(rejected["code"], Mapping)


def placeholders(case: Case) -> int:
    """How many exact values the case leaves open (`uuid7`, `timestamp`); `json` is not counted."""
    return _count(case.expect)


def difference(expected: Any, actual: Any, at: str = "") -> str | None:
    """The first place where two JSON values differ, in words, or None.

    `1` equals `1.0`, `true` does not equal `1`, order counts in arrays and not in objects. `{"$any": …}` in the
    expectation stands for a UUIDv7, a UTC timestamp, or any JSON at all.
    """
    if isinstance(expected, Mapping):
        if expected.keys() == {"$any"}:
            return _placeholder(expected["$any"], actual, at)
        return _object(expected, actual, at)
    if isinstance(expected, (list, tuple)):
        return _array(expected, actual, at)
    same_kind = _kind(expected) == _kind(actual)
    if same_kind and expected == actual:
        return None
    if same_kind and isinstance(expected, str) and max(len(expected), len(actual)) > _WHOLE:
        return f"{at or 'value'}: {_texts(expected, actual)}"
    return f"{at or 'value'}: expected {_show(expected)}, got {_show(actual)}"


def _texts(expected: str, actual: str) -> str:
    """Where two long texts part, with what stands around that place in each."""
    pairs = enumerate(zip(expected, actual, strict=False))
    place = next((at for at, (one, other) in pairs if one != other), min(len(expected), len(actual)))
    return f"differ from character {place} on: expected {_around(expected, place)}, got {_around(actual, place)}"


def _around(text: str, place: int) -> str:
    """The text around a place, with `…` on each side where there is more."""
    begin, end = max(0, place - _AROUND), place + _AROUND
    return ("…" if begin else "") + repr(text[begin:end]) + ("…" if end < len(text) else "")


def _object(expected: Mapping[str, Any], actual: Any, at: str) -> str | None:
    """The first difference of two objects."""
    if not isinstance(actual, Mapping):
        return f"{at or 'value'}: expected an object, got {_show(actual)}"
    if missing := [name for name in expected if name not in actual]:
        return f"{at}/{_pointer(missing[0])}: is missing, expected {_show(expected[missing[0]])}"
    if more := [name for name in actual if name not in expected]:
        return f"{at}/{_pointer(str(more[0]))}: is not expected, got {_show(actual[more[0]])}"
    for name, member in expected.items():
        if problem := difference(member, actual[name], f"{at}/{_pointer(name)}"):
            return problem
    return None


def _array(expected: Sequence[Any], actual: Any, at: str) -> str | None:
    """The first difference of two arrays."""
    if not isinstance(actual, (list, tuple)):
        return f"{at or 'value'}: expected an array, got {_show(actual)}"
    for index, (one, other) in enumerate(zip(expected, actual, strict=False)):
        if problem := difference(one, other, f"{at}/{index}"):
            return problem
    if len(expected) != len(actual):
        return f"{at or 'value'}: expected {len(expected)} items, got {len(actual)}"
    return None


def _placeholder(kind: object, actual: Any, at: str) -> str | None:
    """What a placeholder finds wrong."""
    if kind == "json":
        return None
    if kind == "uuid7" and isinstance(actual, str) and _UUID7.fullmatch(actual):
        return None
    if kind == "timestamp" and isinstance(actual, str) and _is_timestamp(actual):
        return None
    return f"{at or 'value'}: expected a {kind}, got {_show(actual)}"


def _is_timestamp(text: str) -> bool:
    """Whether the text is RFC 3339 in UTC, and a time that exists."""
    match = _TIMESTAMP.fullmatch(text)
    if match is None:
        return False
    try:
        datetime.fromisoformat(match[1] + "+00:00")
    except ValueError:
        return False
    return True


def _against(op: str, expect: Mapping[str, Any], answer: Mapping[str, Any]) -> list[str]:
    """What an answer lacks against one allowed outcome, and against what that outcome carries with it."""
    if wrong := misshapen(answer):
        return [wrong]
    outcome = next((name for name in _OUTCOMES if name in expect), "")
    given = next(name for name in _ANSWERS if name in answer)
    if given != ("value" if outcome == "facts" else outcome):
        return [f"expected {_wanted(outcome, expect.get(outcome))}, got {given} {_show(answer[given])}"]
    if outcome == "facts":
        return [*_facts(op, expect["facts"], answer["value"]), *_wrong_members(expect, answer)]
    problem = _OUTCOME[outcome](expect[outcome], answer[outcome], outcome)
    return [*([problem] if problem else []), *_wrong_members(expect, answer)]


def _wanted(outcome: str, want: Any) -> str:
    """An expected outcome in words."""
    is_open = outcome == "rejected" and has_open_code(want)
    return "rejected with a code, any text" if is_open else f"{outcome} {_show(want)}"


def _bytes(expected: Any, actual: Any, at: str) -> str | None:
    """Compare bytes, given as base64."""
    text = expected["$base64"] if isinstance(expected, Mapping) else expected
    try:
        want, got = b64decoded(text), b64decoded(actual)
    except (TypeError, ValueError):
        return f"{at}: expected base64, got {_show(actual)}"
    if got == want:
        return None
    same = next((i for i, (a, b) in enumerate(zip(want, got, strict=False)) if a != b), min(len(want), len(got)))
    return f"{at}: {len(got)} bytes, expected {len(want)}; they differ from byte {same} on: {got[same : same + 40]!r}"


def _facts(op: str, expected: Mapping[str, Any], value: Any) -> list[str]:
    """Every fact that is another."""
    try:
        actual = facts(op, value, expected)
    except FactError as error:
        return [str(error)]
    return [
        wrong
        for name, want in expected.items()
        if (wrong := difference({name: want}, {name: actual[name]} if name in actual else {}, "facts"))
    ]


def _rejected(expected: Any, actual: Any, at: str) -> str | None:
    """Compare a rejection: the code and nothing else, for the wording is free. An open code still has to be one."""
    got = actual.get("code") if isinstance(actual, Mapping) else actual
    want = expected["code"]
    if has_open_code(expected):
        is_a_code = isinstance(actual, Mapping) and isinstance(got, str) and got != ""
        return None if is_a_code else f"{at}: expected a code, any text, got {_show(got)}"
    return None if got == want else f"{at}: expected code {_show(want)}, got {_show(got)}"


_OUTCOME: Final = {"messages": difference, "value": difference, "bytes": _bytes, "rejected": _rejected}


def _wrong_members(expect: Mapping[str, Any], answer: Mapping[str, Any]) -> list[str]:
    """Verdict, member by member, candidate, and diagnostics, as often as each code came; where they are expected."""
    wrong: list[str] = []
    if "verdict" in expect:
        verdict = answer.get("verdict")
        if not isinstance(verdict, Mapping):
            return [f"verdict: expected one, got {_show(verdict)}"]
        for name, want in expect["verdict"].items():
            if problem := difference(want, verdict.get(name), f"verdict/{name}"):
                wrong.append(problem)
    if "candidate" in expect and (problem := difference(expect["candidate"], answer.get("candidate"), "candidate")):
        wrong.append(problem)
    if "diagnostics" in expect:
        want_codes, got_codes = Counter(expect["diagnostics"]), answer.get("diagnostics", [])
        if not isinstance(got_codes, list) or not all(isinstance(code, str) for code in got_codes):
            return [*wrong, f"diagnostics: expected a list of codes, got {_show(got_codes)}"]
        if missing := want_codes - Counter(got_codes):
            wrong.append(f"diagnostics: missing {', '.join(sorted(missing.elements()))}")
        if more := Counter(got_codes) - want_codes:
            wrong.append(f"diagnostics: not expected {', '.join(sorted(more.elements()))}")
    return wrong


def _asks(expect: Mapping[str, Any], answer: Mapping[str, Any]) -> list[str]:
    """Questions that must not be asked, and the number of questions that go to the network."""
    if "must_not_ask" not in expect and "max_asks" not in expect:
        return []
    asks = answer.get("asks")
    if not isinstance(asks, list) or not all(isinstance(ask, str) for ask in asks):
        return ["asks: this case needs the list of questions that were asked, and there is none"]
    wrong = [
        f"asks: {ask!r} must not be asked"
        for ask in asks
        if any(_forbids(pattern, ask) for pattern in expect.get("must_not_ask", ()))
    ]
    remote = sum(ask.startswith(_REMOTE) for ask in asks)
    if "max_asks" in expect and remote > expect["max_asks"]:
        wrong.append(f"asks: {remote} went to the network, at most {expect['max_asks']} may")
    return wrong


def _forbids(pattern: str, ask: str) -> bool:
    """Whether an entry of `must_not_ask` means this ask: the same text, or, ending in `*`, the same beginning."""
    return ask.startswith(pattern[:-1]) if pattern.endswith("*") else ask == pattern


def _count(value: Any) -> int:
    """Placeholders in an expectation that stand for one exact value."""
    if isinstance(value, Mapping):
        if value.keys() == {"$any"}:
            return int(value["$any"] != "json")
        return sum(_count(member) for member in value.values())
    return sum(_count(item) for item in value) if isinstance(value, list) else 0


def _kind(value: object) -> str:
    """The JSON type: booleans are not numbers."""
    return next(name for name, kinds in _KINDS.items() if isinstance(value, kinds))


_KINDS: Final[Mapping[str, tuple[type, ...]]] = {
    "null": (type(None),),
    "boolean": (bool,),
    "number": (int, float),
    "string": (str,),
    "object": (Mapping,),
    "array": (object,),
}


def _pointer(name: str) -> str:
    """A member name as a JSON Pointer segment."""
    return name.replace("~", "~0").replace("/", "~1")


def _show(value: object) -> str:
    """A value, short enough for one line."""
    text = repr(value)
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
