"""Facts about notifications: what a decision changed, which way it went, what is to be done, what people were shown.

Every ledger keeps members of its own and those of the specification, and every program writes effects in its own
order. So facts are found in the members and effects that are named here, and others are not looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from json import dumps, loads
from typing import Any, Final, TypeAlias, cast

from mentionable_conformance._facts_error import FactError
from mentionable_conformance._facts_values import items, text
from mentionable_conformance._values import is_equal

__all__ = ["DECISION", "NOTIFICATION", "STORY", "STREAM_ITEM"]

Fact: TypeAlias = Callable[[Any], Any]

_RECORD: Final = (
    "id",
    "content",
    "user_id",
    "session_id",
    "deduplication_key",
    "metadata",
    "agent_instructions",
    "routing",
    "requested",
    "status",
    "owner_lease",
    "revision",
    "created_at",
    "ack_at",
    "delivery_deadline",
    "holder",
    "origin",
    "causation_id",
    "depth",
)
"""What an event is compared by."""

_EFFECTS: Final[Mapping[str, tuple[str, ...]]] = {
    "audit": ("classification",),
    "queue": (),
    "address_demoted": ("session_id",),
    "present": ("channel", "user_id", "session_id", "content", "revision", "lease"),
    "update": ("channel", "user_id", "session_id", "content", "agent_instructions", "revision", "lease"),
    "add_fact": ("scope", "user_id", "session_id", "content", "agent_instructions"),
    "grant": ("id", "lease"),
    "inject_context": ("scope", "must_narrate", "user_id", "session_id", "content", "agent_instructions"),
    "start_turn": ("turn", "scope"),
    "wake_at": ("at",),
    "agent_aware": ("awareness", "session_id"),
    "allow": ("action",),
    "must_surface": ("action",),
    "present_narration": ("narration_id",),
    "fence_turn": ("id", "lease"),
    "dead_letter": (),
}
"""The effects that are compared, and by which members."""

_KEPT: Final = ("app",)
"""Members of programs in the cases, which no specification knows."""

_NOTHING: Final[tuple[Any, ...]] = (None, {}, [], 0)
_CHILD: Final = (
    "content",
    "user_id",
    "session_id",
    "routing",
    "deduplication_key",
    "origin",
    "causation_id",
    "depth",
)
"""What an event that comes of another is compared by."""


def _compact(record: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    """These members of an object, but those that say nothing."""
    return {name: record[name] for name in names if not _says_nothing(record.get(name))}


def _says_nothing(value: Any) -> bool:
    return any(is_equal(value, one) for one in _NOTHING)


def _record(record: Mapping[str, Any] | None) -> dict[str, Any]:
    return _compact(record or {}, _RECORD)


def _changed(value: Mapping[str, Any]) -> dict[str, Any]:
    """The members that are others than before, as they are now; null for those that are gone."""
    before, after = _record(value["before"]), _record(value["record"])
    return {name: after.get(name) for name in _RECORD if not is_equal(before.get(name), after.get(name))}


def _effects_in(value: Any) -> list[Mapping[str, Any]]:
    """The effects in an array, each of which says its kind."""
    for effect in items(value):
        text(effect["kind"])
    return cast("list[Mapping[str, Any]]", value)


def _known(value: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [effect for effect in _effects_in(value["effects"]) if effect["kind"] in _EFFECTS]


def _kinds(value: Mapping[str, Any]) -> list[str]:
    """What is to be done, in the order of the alphabet: only the order of alerts and turns matters."""
    return sorted(effect["kind"] for effect in _known(value))


def _one(value: Mapping[str, Any], kind: str) -> Any:
    effects = [effect for effect in _effects_in(value["effects"]) if effect["kind"] == kind]
    if len(effects) > 1:
        raise FactError(f"there are {len(effects)} effects of the kind {kind}")
    return effects[0] if effects else None


def _effect(kind: str) -> Fact:
    """The one effect of a kind, by its members; null where there is none."""

    def fact(value: Mapping[str, Any]) -> Any:
        effect = _one(value, kind)
        if effect is None:
            return None
        is_of_a_session = effect.get("channel") != "inbox" and effect.get("scope") != "global"
        names = [name for name in _EFFECTS[kind] if name != "session_id" or is_of_a_session]
        return {name: effect[name] for name in names if effect.get(name) is not None}

    return fact


def _member(kind: str, name: str) -> Fact:
    return lambda value: None if (effect := _one(value, kind)) is None else effect.get(name)


def _child(kind: str, name: str) -> Fact:
    """The event that is to be submitted for an effect."""

    def fact(value: Mapping[str, Any]) -> Any:
        child = _member(kind, name)(value)
        return None if child is None else _compact(child, _CHILD)

    return fact


def _keys(value: Mapping[str, Any]) -> list[list[Any]]:
    """Which event, revision and lease the effects name."""
    return [list(key) for key in sorted({(one["id"], one["revision"], one["lease"]) for one in _known(value)})]


DECISION: Final[Mapping[str, Fact]] = {
    "path": lambda value: value["path"],
    "changed": _changed,
    "record": lambda value: _record(value["record"]),
    "responsible": lambda value: value["responsible"],
    "expected": lambda value: value["expected"] and _compact(value["expected"], ("status", "owner_lease")),
    "effects": _kinds,
    "keys": _keys,
    "is_dispatched": lambda value: any(effect["kind"] == "dispatch" for effect in _effects_in(value["effects"])),
    **{kind: _effect(kind) for kind in _EFFECTS},
    "shown_actions": _member("present", "actions"),
    "shown_metadata": _member("present", "metadata"),
    "updated_metadata": _member("update", "metadata"),
    "narration": _child("present_narration", "narration"),
    "notice": _child("must_surface", "notice"),
    "outcome": lambda value: value["record"].get("outcome"),
    "escalation": lambda value: value["record"].get("escalation"),
    "settled": lambda value: [
        [one["how"], one["lease"]] for one in _effects_in(value["effects"]) if one["kind"] == "settled"
    ],
}

STREAM_ITEM: Final[Mapping[str, Fact]] = {
    "lines": lambda value: sorted(line for line in value["sse"].split("\n") if line and not line.startswith("data:")),
    "sse": lambda value: value["read"],
    "frame": lambda value: loads(value["frame"]),
    "back": lambda value: value["back"],
}
"""An item of a stream: the lines before its data, what a reader makes of both framings, and the frame itself."""

# ------------------------------------------------------------------------------------------------------------ stories


def _steps(value: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [step for step in value["steps"] if "rejected" not in step]


def _paths(value: Mapping[str, Any]) -> list[str]:
    """The way that each step went, or why it was refused."""
    return [step["rejected"] if "rejected" in step else " > ".join(step["path"]) for step in value["steps"]]


def _all(value: Mapping[str, Any], kind: str) -> list[Mapping[str, Any]]:
    return [effect for step in _steps(value) for effect in _effects_in(step["effects"]) if effect["kind"] == kind]


def _told(kind: str, *names: str) -> Fact:
    """The effects of a kind in order, each as a list of these members."""
    return lambda value: [[effect.get(name) for name in names] for effect in _all(value, kind)]


STORY: Final[Mapping[str, Fact]] = {
    "paths": _paths,
    "effects": lambda value: [" ".join(_kinds(step)) if "effects" in step else None for step in value["steps"]],
    "statuses": lambda value: {name: record["status"] for name, record in value["records"].items()},
    "records": lambda value: {name: _record(record) for name, record in value["records"].items()},
    "presented": _told("present", "id", "channel", "content", "lease"),
    "updated": _told("update", "id", "channel", "content", "revision"),
    "aware": _told("agent_aware", "id", "awareness"),
    "turns": _told("start_turn", "id", "turn", "scope"),
    "fenced": _told("fence_turn", "id", "lease"),
    "surfaced": _told("must_surface", "id", "action"),
    "shown_actions": _told("present", "id", "actions"),
    "unchanged": lambda value: dumps(value["begin"], ensure_ascii=False) == dumps(value["records"], ensure_ascii=False),
}

NOTIFICATION: Final[Mapping[str, Fact]] = {
    "record": lambda value: _record(value["record"]),
    "keeps": lambda value: {name: one for name, one in value["record"].items() if name in _KEPT},
}
"""An event as it was read."""
