"""Mutants of verifying evidence, and how they are made: reading what came."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import TYPE_CHECKING, Any

from mentionable import _connector_card
from mentionable.identity import _read, _sign
from tests.mutants import MUTANTS, Mutant, all_cases, remembered
from tests.mutants._answers import mends
from tests.mutants._codes import rare
from tests.mutants._edits import edits

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.mutants import Perform
    from tests.mutants._edits import Edit

AREA = "identity"
VERIFY, STORY, ALL, RECEIVE = ("identity.verify",), ("identity.story",), ("identity.verify_all",), ("a2a.receive",)
Answer = "Mapping[str, Any]"
Swap = tuple[Any, str, Any]


def code_of(answer: Any) -> str | None:
    """The code of a rejection; None without one."""
    found: str | None = answer.get("rejected", {}).get("code")
    return found


def library(
    name: str,
    rule: str,
    *changes: Edit,
    swaps: tuple[Swap, ...] = (),
    codes: tuple[str, ...] | None = None,
    ops: tuple[str, ...] = VERIFY,
    when: Callable[[Any, Any], bool] | None = None,
) -> None:
    """Registers a mutant: the library with these edits and exchanges.

    Args:
        name: Its name.
        rule: What it does wrong.
        changes: A function, what stands in it, and what stands there in the mutant.
        swaps: A module, an attribute, and what it is in the mutant.
        codes: Only units that are refused with one of these can come out otherwise. None: any unit.
        ops: The operations that it can answer wrongly.
        when: Which units, with what stands around them, can come out otherwise.
    """

    def can_differ(op: str, given: Any, unit: Any) -> bool:
        is_refused = codes is None or code_of(remembered(op, given, unit)) in codes
        return is_refused and (when is None or when(unit, given))

    values = {(owner, attribute): wrong for owner, attribute, wrong in swaps}
    edits(AREA, ops, name, rule, *changes, values=values, when=can_differ, forgets=(_connector_card.read_ready,))


def never(op: str) -> None:
    """Registers, for every code of an operation, a mutant that takes what should be refused with it."""
    cases = [case for case in all_cases() if case.area == AREA]
    found = [case.expect["rejected"]["code"] for case in cases if case.op == op and "rejected" in case.expect]
    for code in rare(Counter(found), len(cases)):

        def wrong(honest: Perform, asked: str, given: dict[str, Any], unit: Any, code: str = code) -> Answer:
            answer = honest(asked, given, unit)
            taken = {"value": {}, "asks": answer.get("asks", [])}
            return taken if asked == op and code_of(answer) == code else answer

        name = f"{op.partition('.')[2].replace('_', '-')}-never-refuses-{code}"
        MUTANTS.append(Mutant(name, AREA, f"Takes what should be refused as {code}.", wrong, ops=(op,)))


for _op in ("verify", "read_card", "serve_card", "thumbprint", "trust_policy", "attest", "signing_input", "acl"):
    never(f"identity.{_op}")


# --- steps 0 to 2: bytes


def parses(name: str, rule: str, parse: Callable[[bytes], Any]) -> None:
    """Registers a mutant that reads bytes loosely, and goes on with what it made of them."""

    def mend(given: Any, unit: Any) -> tuple[Any, Any]:
        found = unit["evidence"]
        if isinstance(found, str) or (isinstance(found, dict) and found.keys() == {"$base64"}):
            from mentionable.testing.lookups import case_bytes

            try:
                made = parse(case_bytes(found))
            except (ValueError, RecursionError):
                return given, unit
            return given, {**unit, "evidence": json.dumps(made, ensure_ascii=True)}
        return given, unit

    mends(AREA, VERIFY, name, rule, mend)


def _last(text: str | bytes) -> Any:
    return json.loads(text)


parses("takes-the-last-of-two", "Takes the last of two members of a name.", _last)
parses(
    "guesses-encodings",
    "Guesses the encoding of what came.",
    lambda data: json.loads(data.decode(json.detect_encoding(data))),
)
parses("replaces-odd-bytes", "Replaces bytes that are not UTF-8.", lambda data: _last(data.decode("utf-8", "replace")))
parses(
    "ignores-the-rest",
    "Looks at the first of several values.",
    lambda data: json.JSONDecoder().raw_decode(data.decode())[0],
)
parses(
    "reads-floats",
    "Reads all numbers as floats.",
    lambda data: json.loads(data, parse_int=float, parse_constant=lambda _: 0),
)
parses(
    "takes-one-of-a-list", "Takes the one of a list.", lambda data: _last(data)[0] if _last(data)[:1] else _last(data)
)
parses(
    "makes-objects",
    "Takes what is no object for an empty one.",
    lambda data: found if isinstance(found := _last(data), dict) else {},
)
parses(
    "replaces-halves",
    "Replaces half characters.",
    lambda data: json.loads(re.sub(rb"\\u[dD][89a-fA-F][0-9a-fA-F]{2}", b"?", data)),
)
parses("shifts-blanks-away", "Drops what is empty.", lambda data: _last(data) if data.strip() else {})
_big = lambda unit, _: len(str(unit.get("evidence"))) > 1_500  # noqa: E731
library("takes-any-size", "Reads what is too large.", swaps=((_read, "MAX_BYTES", 1 << 20),), codes=("too-large",))
library(
    "takes-any-number-of-values", "Reads any number of values.", swaps=((_read, "_NODES", 10**6),), codes=("too-large",)
)
library("takes-less", "Refuses the largest evidence.", swaps=((_read, "MAX_BYTES", 16_383),), when=_big)
library("takes-fewer-values", "Refuses 1,024 values.", swaps=((_read, "_NODES", 1_023),), when=_big)
library("counts-values-in-words", "Counts commas in texts.", swaps=((_read, "_NODES", 20),), when=_big)
library(
    "takes-any-depth",
    "Reads what is too deep.",
    swaps=((_read, "DEPTH", 64), (_sign, "DEPTH", 64)),
    codes=("too-deep",),
)
library(
    "takes-less-depth",
    "Refuses sixteen levels.",
    swaps=((_read, "DEPTH", 15),),
    when=lambda unit, _: '{"a": {"a": {' in json.dumps(unit.get("evidence")),
)


def shape(name: str, rule: str, old: str, new: str) -> None:
    """Registers a mutant that looks at the types of members otherwise."""
    library(name, rule, (_read._checked, old, new), codes=("shape-invalid",))


shape("takes-any-text", "Takes members of any type.", "members.get(name).__class__ is not str", "name not in members")
shape(
    "takes-null-texts",
    "Takes null for a text.",
    "members.get(name).__class__ is not str",
    "members.get(name).__class__ not in (str, type(None)) or name not in members",
)
shape(
    "takes-optional-of-any-type", "Takes optional members of any type.", "members[name].__class__ is not kind", "False"
)
shape("takes-null-for-absent", "Takes null for absent.", "name in members and", "members.get(name) is not None and")
shape("takes-an-empty-id", "Takes an empty id.", 'members.get("id") == ""', "False")
shape(
    "takes-any-proof",
    "Takes a proof that is no object.",
    "if proof.__class__ is not dict:",
    "proof = proof if proof.__class__ is dict else {}\n    if False:",
)
mends(
    AREA,
    VERIFY,
    "takes-mappings-as-they-are",
    "Cannot read what a framework parsed.",
    lambda given, unit: (given, {**unit, "evidence": ""} if "as" in unit else unit),
)


def believes(name: str, rule: str, *edits: tuple[Any, str, str], codes: tuple[str, ...], swaps: Any = ()) -> None:
    """Registers a mutant that believes otherwise."""
    library(name, rule, *edits, codes=codes, swaps=swaps)
