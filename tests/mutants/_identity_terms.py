"""Mutants of verifying evidence: whose authority it carries, for whom it is, when it holds, and who brings it."""

from __future__ import annotations

import json

from tests.mutants._answers import mends, spoils
from tests.mutants._identity import AREA, VERIFY

# --- step 7: delegation

spoils(
    AREA,
    VERIFY,
    "forgets-principals",
    "Does not say whose authority is carried.",
    lambda value, *_: {**value, "principals": []} if value and value.get("principals") else None,
)
spoils(
    AREA,
    VERIFY,
    "turns-principals",
    "Says the innermost principal first.",
    lambda value, *_: (
        {**value, "principals": value["principals"][::-1]} if value and len(value.get("principals", ())) > 1 else None
    ),
)


# --- steps 8 to 9b: audience, time, caller

mends(
    AREA,
    VERIFY,
    "compares-recipients-as-typed",
    "Compares the receiver's address as it was typed.",
    lambda given, unit: (
        given,
        {**unit, "recipient": "@other@agents.example"} if unit["recipient"][:1] != "@" else unit,
    ),
)


spoils(
    AREA,
    VERIFY,
    "knows-five-minutes-alone",
    "Refuses what an operator allows.",
    lambda value, given, _: {} if "3600" in json.dumps(given["settings"]) else None,
)
for _word, _is in {
    "hosts": "unit.get('caller', '')[:1] not in ('@', 'a', '')",
    "spellings": "unit.get('caller', '')[:5] == 'acct:'",
}.items():
    spoils(
        AREA,
        VERIFY,
        f"refuses-callers-as-{_word}",
        "Refuses a caller that is named otherwise.",
        lambda value, _, unit, rule=_is: {} if eval(rule, {"unit": unit}) else None,
    )
spoils(
    AREA,
    VERIFY,
    "never-lets-forward",
    "Never lets others bring it.",
    lambda value, given, _: {} if "forwarding" in json.dumps(given["settings"]) else None,
)
