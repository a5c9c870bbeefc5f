"""Mutants of verifying evidence, and how they are made: reading what came."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from tests.mutants import MUTANTS, Mutant
from tests.mutants._answers import mends
from tests.mutants._codes import rare, refused_with
from tests.suite_cases import every_case

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.mutants import Perform

AREA = "identity"
VERIFY, STORY, ALL, RECEIVE = ("identity.verify",), ("identity.story",), ("identity.verify_all",), ("a2a.receive",)
Answer = "Mapping[str, Any]"


def code_of(answer: Any) -> str | None:
    """The code of a rejection; None without one."""
    found: str | None = answer.get("rejected", {}).get("code")
    return found


def never(op: str) -> None:
    """Registers, for every code of an operation, a mutant that takes what should be refused with it."""
    cases = [case for case in every_case() if case.area == AREA]
    for code in rare(refused_with(case for case in cases if case.op == op), len(cases)):

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


mends(
    AREA,
    VERIFY,
    "takes-mappings-as-they-are",
    "Cannot read what a framework parsed.",
    lambda given, unit: (given, {**unit, "evidence": ""} if "as" in unit else unit),
)
