"""Mutants of events as messages of Web Push."""

from __future__ import annotations

from typing import Final

from tests.mutants._anp_turns import AREA
from tests.mutants._answers import spoils, takes

PUSH: Final = ("anp.web_push",)

spoils(
    AREA,
    PUSH,
    "out-topic-is-id",
    "Takes the id for a topic.",
    lambda value, *_: [{**one, "topic": one["payload"].split('"id":"')[1].split('"')[0]} for one in value],
)
spoils(
    AREA,
    PUSH,
    "out-topic-holds-id",
    "Tells the id in a topic.",
    lambda value, *_: [{**one, "topic": one["payload"].split('"id":"')[1].split('"')[0][:40]} for one in value],
)
takes(AREA, PUSH, "out-agents-pushed", "Pushes what is for the agent.", lambda *_: [], "malformed")
