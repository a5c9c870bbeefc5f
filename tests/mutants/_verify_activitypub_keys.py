"""Mutants of telling whose key it is that an activity was signed with."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.mutants import mutant
from tests.mutants._receiving import looks_up
from tests.mutants._signatures import AREA

if TYPE_CHECKING:
    from tests.mutants import Perform

Answer = "Mapping[str, Any]"


# --- whose key it is

looks_up(
    AREA,
    "line-feeds-alone",
    "Knows PEM with line feeds only.",
    lambda row, answer: json.loads(json.dumps(answer).replace("\\r\\n", "?")),
)


@mutant(AREA, "Follows a key from document to document.")
def follows_keys(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    if "GET https://social.example/keys/1" not in answer["asks"] or answer.get("value", {}).get("verified"):
        return answer
    more = ["GET https://social.example/keys/2", *["GET https://social.example/keys/1"] * 9]
    return {**answer, "asks": [*answer["asks"], *more]}


@mutant(AREA, "Asks for everything that the activity names.")
def asks_in_passing(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    if op != "activitypub.verify" or "https://evil.example/" not in unit["body"]:
        return answer
    return {**answer, "asks": [*answer["asks"], "GET https://evil.example/a"]}
