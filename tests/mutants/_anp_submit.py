"""Mutants of notifications: how events come in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.mutants._anp import AREA, NOTHING, ONE
from tests.mutants._answers import refuses, spoils, takes

if TYPE_CHECKING:
    from collections.abc import Callable


def _stale_event(code: str, name: str, rule: str, when: Callable[[Any], bool]) -> None:
    takes(AREA, ("anp.decide",), name, rule, lambda _, unit: {**NOTHING, "before": unit["record"]}, code, when=when)


for _name, _when in (
    ("blank", lambda given: not str(given["content"]).strip()),
    ("long", lambda given: len(given["content"]) > 65_536),
    ("ownerless", lambda given: "user_id" not in given),
    ("homeless", lambda given: given["routing"]["address"] == "session" and "session_id" not in given),
    ("misrouted", lambda given: given["routing"]["address"] == "team"),
    ("metadata", lambda given: isinstance(given.get("metadata"), str)),
    ("deadline", lambda given: isinstance(given.get("delivery_deadline"), int)),
    ("keyed", lambda given: isinstance(given.get("deduplication_key"), int)),
):
    _stale_event(
        "malformed", f"submits-{_name}", "Takes what is no event.",
        lambda unit, w=_when: isinstance(unit["command"], dict) and "submission" in unit["command"]
        and w(unit["command"]["submission"]),
    )  # fmt: skip
_stale_event("malformed", "submits-nameless", "Takes an event without an id.",
             lambda unit: isinstance(unit["command"], dict) and unit["command"].get("kind") == "submit"
             and "id" not in unit["command"])  # fmt: skip
spoils(AREA, ("anp.story",), "one-key-for-all", "Lets a key reach into another user's events.",
       lambda value, _, unit: {**value, "records": dict(list(value["records"].items())[:1])}
       if "bob" in str(unit) else None)  # fmt: skip
spoils(AREA, ("anp.story",), "same-words-same-event", "Takes events without a key for one.",
       lambda value, _, unit: {**value, "records": dict(list(value["records"].items())[:1])}
       if all("deduplication_key" not in str(one) and one["command"]["kind"] == "submit"
              for one in unit["steps"] if "command" in one) else None)  # fmt: skip

# --- bounds


def _long(found: object) -> bool:
    return isinstance(found, str) and (len(found) > 256 or not found)


for _member in ("user_id", "session_id", "deduplication_key"):
    _stale_event("malformed", f"submits-long-{_member.replace('_', '-')}", f"Takes {_member} of any length.",
                 lambda unit, m=_member: isinstance(unit["command"], dict)
                 and _long(unit["command"].get("submission", {}).get(m)))  # fmt: skip
    takes(AREA, ("anp.read_submission",), f"reads-long-{_member.replace('_', '-')}", f"Takes {_member} of any length.",
          lambda *_: {}, "malformed",
          when=lambda unit, m=_member: isinstance(unit["data"], dict) and _long(unit["data"].get(m)))  # fmt: skip
_stale_event("malformed", "submits-long-id", "Takes ids of any length.",
             lambda unit: isinstance(unit["command"], dict) and _long(unit["command"].get("id")))  # fmt: skip
refuses(AREA, ONE, "short-tools", "Knows tools of short names only.",
        lambda unit: isinstance(unit["command"], dict) and len(str(unit["command"].get("name", ""))) > 64)  # fmt: skip
