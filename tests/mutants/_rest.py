"""Mutants of REST: how forms are split and read."""

from __future__ import annotations

from functools import partial

from tests.mutants import _answers
from tests.mutants._answers import spoils, takes

AREA = "rest"
FIELDS, RECEIVE = ("rest.fields",), ("rest.receive",)


wrongs = partial(_answers.wrongs, AREA)


# --- splitting

takes(AREA, FIELDS, "split-refusals-empty", "Takes what cannot be split for an empty form.", lambda *_: [], "malformed")
takes(
    AREA,
    FIELDS,
    "split-json",
    "Takes JSON for a form.",
    lambda *_: [["user", "Hi", None, None]],
    "media-type-unsupported",
)
spoils(AREA, FIELDS, "split-reversed", "Loses the order.", lambda value, *_: value[::-1])
spoils(
    AREA,
    FIELDS,
    "split-never-empty",
    "Finds a field in an empty form.",
    lambda value, *_: value or [["", "", None, None]],
)

# --- ids

wrongs(
    RECEIVE,
    "everybody-is-taken",
    "Takes unverified senders whatever the host wants.",
    lambda answer, given, _: (
        {"messages": [], "diagnostics": []}
        if answer.get("rejected", {}).get("code") == "verification-required"
        else None
    ),
)
wrongs(
    RECEIVE,
    "serves-everybody",
    "Serves agents that are not here.",
    lambda answer, given, _: (
        {"messages": [], "diagnostics": []} if answer.get("rejected", {}).get("code") == "no-served-recipient" else None
    ),
)
wrongs(
    RECEIVE,
    "half-bodies",
    "Reads bodies that were cut off.",
    lambda answer, given, unit: (
        {"messages": [], "diagnostics": []} if "rejected" in answer and "body" in unit else None
    ),
)
wrongs(
    RECEIVE,
    "fields-lost",
    "Loses fields of other names in silence.",
    lambda answer, given, unit: (
        {**answer, "diagnostics": []} if answer.get("diagnostics") == ["part-unsupported"] else None
    ),
)
wrongs(
    RECEIVE,
    "callers-verified",
    "Calls whom the host names verified.",
    lambda answer, given, unit: (
        {**answer, "verdict": {**answer["verdict"], "verified": True}}
        if "caller" in unit and "messages" in answer
        else None
    ),
)
