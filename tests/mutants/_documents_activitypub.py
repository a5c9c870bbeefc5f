"""Mutants of serving documents to readers, and of comparing followers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.mutants import mutant
from tests.mutants._signatures import AREA

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.mutants import Perform

Answer = "Mapping[str, Any]"


def asked(op: str, name: str, rule: str, change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Registers a mutant that is asked something else."""

    def wrong(honest: Perform, called: str, given: dict[str, Any], unit: Any) -> Answer:
        return honest(called, given, change(dict(unit)) if called == op else unit)

    wrong.__name__ = name
    mutant(AREA, rule)(wrong)


def answered(op: str, name: str, rule: str, change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Registers a mutant that answers something else."""

    def wrong(honest: Perform, called: str, given: dict[str, Any], unit: Any) -> Answer:
        answer = honest(called, given, unit)
        if called != op or "value" not in answer:
            return answer
        return {**answer, "value": change(dict(answer["value"]))}

    wrong.__name__ = name
    mutant(AREA, rule)(wrong)


RESPONSE, READER, COMPARE = "activitypub.document_response", "activitypub.verify_reader", "activitypub.synchronize"


def told(value: dict[str, Any]) -> dict[str, Any]:
    return {**value, "status": 403} if value["status"] == 404 else value


def cached(value: dict[str, Any]) -> dict[str, Any]:
    return {**value, "cache_control": None}


def without_query(unit: dict[str, Any]) -> dict[str, Any]:
    return {**unit, "url": unit["url"].partition("?")[0]}


asked(RESPONSE, "knows-no-reader", "Shows private documents to no reader.", lambda unit: {**unit, "reader": "x"})
asked(
    RESPONSE,
    "takes-any-follower",
    "Takes each reader for a follower.",
    lambda unit: (
        {**unit, "member_of": ["https://agents.example/actors/helper/followers"]} if "reader" in unit else unit
    ),
)
answered(RESPONSE, "tells-what-is-hidden", "Says that a hidden document exists.", told)
answered(RESPONSE, "lets-caches-store", "Lets shared caches store what is for one reader.", cached)
asked(READER, "reads-without-query", "Takes a signature for each page of a document.", without_query)
answered(READER, "reads-as-the-key", "Takes the key for the reader.", lambda value: {**value, "id": value["key_id"]})
asked(COMPARE, "knows-no-followers", "Compares with nothing.", lambda unit: {**unit, "known": []})
answered(
    COMPARE,
    "trusts-in-part",
    "Believes what was not read as a whole.",
    lambda value: {**value, "state": "differs"} if value["state"] == "unresolved" else value,
)
