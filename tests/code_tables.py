"""Which codes the cases expect of each operation, and what each code means."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, Final, TypeAlias

from mentionable._errors.codes import CODES
from tests.suite_cases import every_case

__all__ = ["code_rows", "code_spans", "meaning_rows"]

_ANY: Final = "any"
"""Stands for every code, where a case leaves it open."""
_PLACES: Final = ("rejection", "verdict", "diagnostics", "value")
_OF_A_VALUE: Final = frozenset({"code", "fault", "rejected"})
"""Members of a value that hold a code."""
_Found: TypeAlias = Mapping[str, Mapping[str, Mapping[str, set[str]]]]


def code_rows() -> Iterator[str]:
    """A row for each operation and place."""
    yield from ("| operation | in | codes of the cases | of published cases |", "| --- | --- | --- | --- |")
    for operation, places in sorted(_found().items()):
        for place in _PLACES:
            if place in places:
                every = code_spans(sorted(places[place].keys() - {_ANY}))
                published = code_spans(sorted(code for code, tiers in places[place].items() if "published" in tiers))
                yield f"| `{operation}` | {place} | {every} | {published} |"


def meaning_rows() -> Iterator[str]:
    """A row for each code that a case expects."""
    named = {code for places in _found().values() for codes in places.values() for code in codes} - {_ANY}
    yield from ("| code | what it means |", "| --- | --- |")
    yield from (f"| `{code}` | {CODES[code].text} |" for code in sorted(named))


def code_spans(names: Iterable[str]) -> str:
    """Names as code, and the word that stands for every code as text."""
    return " ".join(name if name == _ANY else f"`{name}`" for name in names)


@cache
def _found() -> _Found:
    """Operation → place → code → the tiers of the cases that expect it."""
    found: dict[str, dict[str, dict[str, set[str]]]] = defaultdict(lambda: defaultdict(lambda: defaultdict(set)))
    for case in every_case():
        for expected in (case.expect, *case.expect.get("any_of", ())):
            for place, code in _codes(case.op, expected):
                found[case.op][place][code].add(case.tier)
    return found


def _codes(operation: str, expected: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The codes of one outcome, with their places."""
    value = expected.get("value")
    is_verdict = operation.endswith((".verify", ".verify_reader"))
    if "rejected" in expected:
        yield "rejection", _code(expected["rejected"]["code"])
    for verdict in (expected.get("verdict"), value if is_verdict else None):
        if isinstance(verdict, Mapping) and verdict.get("code"):
            yield "verdict", _code(verdict["code"])
    yield from (("diagnostics", _code(code)) for code in expected.get("diagnostics", ()))
    if not is_verdict:
        yield from (("value", code) for code in _inside(value))


def _code(code: Any) -> str:
    """A code as a case has it: a word, or a pattern that leaves it open."""
    return code if isinstance(code, str) else _ANY


def _inside(value: Any, name: str = "") -> Iterator[str]:
    """The codes inside a value: words with a hyphen that are codes, and what stands where a code does."""
    if isinstance(value, str) and value in CODES and ("-" in value or name in _OF_A_VALUE):
        yield value
    elif isinstance(value, Mapping):
        for member, inner in value.items():
            yield from _inside(inner, member)
    elif isinstance(value, list):
        for inner in value:
            yield from _inside(inner, name)
