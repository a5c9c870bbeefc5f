"""Mutants of notifications: what refusals leave behind, and events of others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tests.mutants._anp import AREA
from tests.mutants._answers import refuses, spoils, takes

if TYPE_CHECKING:
    from collections.abc import Callable

# --- refusals leave no trace


def _traces(name: str, rule: str, change: Callable[[dict[str, Any]], Any], code: str) -> None:
    """Registers a mutant that changes the event of a story when it refuses."""

    def spoil(value: Any, _: Any, unit: Any) -> Any:
        if "records" not in unit or not any(step.get("rejected") == code for step in value["steps"]):
            return None
        for record in value["records"].values():
            change(record)
        return value

    spoils(AREA, ("anp.story",), f"refusals-{name}", rule, spoil)


_traces("raise-the-version", "Counts refusals of leases.", lambda one: one.update(version=2), "stale-lease")
_traces(
    "move-the-clock",
    "Notes when it refused what has ended.",
    lambda one: one.update(changed_at="x"),
    "already-terminal",
)
_traces("drop-members", "Forgets members that it does not know.", lambda one: one.pop("app", None), "stale-lease")
_traces("note-strangers", "Notes strangers in the event.", lambda one: one.update(holder="mallory"), "wrong-user")
spoils(
    AREA,
    ("anp.story",),
    "looks-leave-a-trace",
    "Notes when it looked.",
    lambda value, _, unit: {**value, "records": {}} if "records" in unit and "rejected" not in str(value) else None,
)

# --- events of others

SUBMITTED, RECORD = ("anp.read_submission",), ("anp.read_notification",)
READS: Final = (*SUBMITTED, *RECORD)
spoils(AREA, SUBMITTED, "unknown-members-gone", "Forgets members that it does not know.",
       lambda value, *_: {name: one for name, one in value.items() if name != "x_trace"})  # fmt: skip
spoils(AREA, SUBMITTED, "instructions-gone", "Forgets the tone.",
       lambda value, *_: {**value, "agent_instructions": {}} if "agent_instructions" in value else None)  # fmt: skip
refuses(AREA, SUBMITTED, "words-in-capitals", "Does not know words in small letters.",
        lambda unit: unit["data"]["routing"].get("address") == "session")  # fmt: skip
refuses(AREA, SUBMITTED, "plugins-name-nobody", "Refuses a plugin that says whose it is.",
        lambda unit: unit.get("user_id") == unit["data"].get("user_id"))  # fmt: skip
spoils(AREA, RECORD, "other-members-gone", "Forgets members of other ledgers.",
       lambda value, *_: {"record": {name: one for name, one in value["record"].items() if name != "app"}})  # fmt: skip
spoils(AREA, RECORD, "requested-is-effective", "Takes the flags that count as those that were submitted.",
       lambda value, *_: {"record": {**value["record"], "requested": value["record"]["routing"]}})  # fmt: skip


def _taken(name: str, when: Callable[[Any], bool]) -> None:
    takes(AREA, READS, f"reads-{name}", "Takes what is no event.", lambda *_: {"record": {}}, "malformed",
          when=lambda unit: when(unit["data"]))  # fmt: skip


def _lacks(data: Any, name: str) -> bool:
    """Whether an event has no such member; only those of a ledger have an id."""
    return isinstance(data, dict) and data.get(name) is None and (name != "id" or "status" in data)


_taken("lists", lambda data: isinstance(data, list))
for _name in ("content", "routing", "user_id", "id"):
    _taken(f"no-{_name.replace('_', '-')}", lambda data, n=_name: _lacks(data, n))
_taken("blank-words", lambda data: isinstance(data, dict) and isinstance(data.get("content"), str)
       and not data["content"].strip())  # fmt: skip
_taken("objects-as-words", lambda data: isinstance(data, dict) and isinstance(data.get("content"), dict))
_taken("texts-as-routes", lambda data: isinstance(data, dict) and isinstance(data.get("routing"), str))
_taken("homeless", lambda data: isinstance(data, dict) and isinstance(data.get("routing"), dict)
       and data["routing"]["address"] == "session" and not data.get("session_id"))  # fmt: skip
_taken("blank-sessions", lambda data: isinstance(data, dict) and data.get("session_id") == "")
_taken("lists-as-metadata", lambda data: isinstance(data, dict) and isinstance(data.get("metadata"), list))
_taken("numbers-as-keys", lambda data: isinstance(data, dict) and isinstance(data.get("deduplication_key"), int))
_taken("lists-as-directives", lambda data: isinstance(data, dict) and "['Ask.']" in str(data))
_taken("vague-times", lambda data: isinstance(data, dict) and data.get("delivery_deadline") == "tomorrow")
_taken("vague-beginnings", lambda data: isinstance(data, dict) and data.get("created_at") == "yesterday")
_taken("unknown-states", lambda data: isinstance(data, dict) and data.get("status") == "done")
_taken("lease-0", lambda data: isinstance(data, dict) and data.get("owner_lease") == 0)
_taken("text-leases", lambda data: isinstance(data, dict) and isinstance(data.get("owner_lease"), str))
