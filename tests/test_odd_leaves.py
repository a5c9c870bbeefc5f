"""JSON of peers with an array or an object in place of any one member gives a documented outcome, on every transport.

The units are those of the conformance cases: every member that one of them has, at every place that it can have.
"""

from __future__ import annotations

import json
import traceback
from functools import cache
from pathlib import Path

import pytest

from mentionable import UsageError, WireError
from tests.mutants import harness
from tests.packages import ROOT
from tests.suite_cases import every_case

PEERS = ("body", "json", "$json", "payload", "document", "card")
"""Members of a case that hold JSON of a peer, and what marks JSON in text."""

ODD = ([], {})
"""Neither can be looked up in a set or a table."""


def places(value, place=()):
    """The place of every member in JSON, and in JSON that stands in text or in events."""
    for token, inner in value.items() if isinstance(value, dict) else enumerate(value):
        yield (*place, token)
        if isinstance(inner, str):
            yield from _in_text(inner, (*place, token))
        elif isinstance(inner, (dict, list)):
            yield from places(inner, (*place, token))


def _in_text(text, place):
    for number, line in enumerate(text.split("\n")):
        start = line.removeprefix("data: ")
        if start[:1] in ("{", "["):
            try:
                yield from places(json.loads(start), (*place, "json", number))
            except (ValueError, RecursionError):
                continue


def put(value, place, odd):
    """JSON with something else in one place."""
    if not place:
        return odd
    if isinstance(value, str):
        _, number, *rest = place
        lines = value.split("\n")
        head = "data: " if lines[number].startswith("data: ") else ""
        lines[number] = head + json.dumps(put(json.loads(lines[number].removeprefix("data: ")), rest, odd))
        return "\n".join(lines)
    changed = value.copy()
    changed[place[0]] = put(value[place[0]], place[1:], odd)
    return changed


@cache
def found():
    """Operation → (case, place) once for every place that differs in more than the number of an item."""
    rows = {}
    for case in every_case():
        sent = {"given": {"lookups": case.given.get("lookups", {})}, "input": case.input}
        for place in places(json.loads(json.dumps(sent))):
            if place[-1] != "$base64" and any(token in PEERS for token in place[1:-1]):
                mark = tuple("*" if isinstance(token, int) else token for token in place)
                rows.setdefault(case.op, {}).setdefault(mark, (case, place))
    return {op: list(marked.values()) for op, marked in rows.items()}


def _is_ours(error):
    """Whether the package raised it, and not the harness, which looks for a message where there is none."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return Path(last.filename).is_relative_to(ROOT / "mentionable")


@pytest.mark.parametrize("op", sorted({case.op for case in every_case()}))
def test_an_odd_member_of_a_peer_gives_a_documented_outcome(op):
    for case, place in found().get(op, ()):
        for odd in ODD:
            sent = put(json.loads(json.dumps({"given": case.given, "input": case.input})), place, odd)
            try:
                harness().perform(op, sent["given"], sent["input"])
            except (UsageError, WireError):
                continue
            except Exception as error:
                if _is_ours(error):
                    raise AssertionError(f"{case.id}: {odd} at {place}") from error
