"""Facts about turns of an agent: what stood in its prompt, what it was allowed, and what became of every event.

Programs keep lanes and word prompts in their own way. So facts name events, sections and effects, and whatever else
stands in an answer is not looked at.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from json import dumps, loads
from typing import Any, Final, TypeAlias

from mentionable_conformance._facts_anp import DECISION, _compact, _effects_in, _record
from mentionable_conformance._facts_values import items, text
from mentionable_conformance._values import is_equal

__all__ = ["CLOUD_EVENTS", "DISPATCH", "LANES", "PUSHES", "SCRIPT", "TURN_PROMPT"]

Fact: TypeAlias = Callable[[Any], Any]
Found: TypeAlias = Mapping[str, Any]

DISPATCH: Final[Mapping[str, Fact]] = {**DECISION, "waiting": lambda value: value["waiting"]}

LANES: Final[Mapping[str, Fact]] = {
    "lanes": lambda value: _parted([text(one) for one in items(value["ids"])]),
}
"""For each event the place of the first one in the same lane."""

# ------------------------------------------------------------------------------------------------------------ prompts


def _lines(value: Found) -> Iterator[tuple[str | None, str]]:
    """Every line below a heading with the section that it stands in; whatever ends a line for a reader ends one."""
    headings = {text(line): name for name, line in value["headings"].items()}
    section = None
    for line in value["prompt"].splitlines():
        if line in headings:
            section = headings[line]
        elif section is not None and line.strip():
            yield section, line


def _entry(line: str) -> Any:
    try:
        entry = loads(line)
    except ValueError:
        return None
    return entry if isinstance(entry, dict) and "id" in entry else None


def _entries(value: Found) -> list[tuple[str | None, dict[str, Any]]]:
    return [(section, entry) for section, line in _lines(value) if (entry := _entry(line)) is not None]


def _sections(value: Found) -> dict[str, list[str]]:
    """The ids that stand in each section."""
    sections: dict[str, list[str]] = {}
    for section, entry in _entries(value):
        sections.setdefault(str(section), []).append(entry["id"])
    return sections


def _member(name: str) -> Fact:
    """A member of every entry that has it, by its id."""
    return lambda value: {text(entry["id"]): entry[name] for _, entry in _entries(value) if name in entry}


TURN_PROMPT: Final[Mapping[str, Fact]] = {
    "what": lambda value: value["what"],
    "sections": _sections,
    "strays": lambda value: [line for _, line in _lines(value) if _entry(line) is None],
    "contents": _member("content"),
    "directives": _member("directive"),
    "tone_hints": _member("tone_hint"),
    "granted": lambda value: {id: grant["lease"] for id, grant in value["grants"].items()},
    "revisions": lambda value: {id: grant["revision"] for id, grant in value["grants"].items()},
    "known": lambda value: value["facts"],
    "prompt": lambda value: value["prompt"],
}

# ------------------------------------------------------------------------------------------------------------ scripts


def _results(value: Found) -> list[str]:
    """What came of each step: `ok`, the code of the refusal, or `conflict` where something else was stored."""
    return [step.get("rejected") or ("conflict" if step.get("conflict") else "ok") for step in value["steps"]]


def _paths(value: Found) -> list[dict[str, str]]:
    """For each step the events that went on, and their ways."""
    ways = [step.get("paths", {}) for step in value["steps"]]
    return [{id: " > ".join(way) for id, way in step.items() if len(way) > 1} for step in ways]


def _last(value: Found) -> dict[str, str]:
    return _paths(value)[-1]


def _changed(value: Found) -> dict[str, Any]:
    """Of each event that was there at the beginning, the members that are others in the end."""
    changes = {}
    for id, event in value["before"].items():
        before, after = _record(event), _record(value["records"][id])
        changes[id] = {
            name: after.get(name) for name in {**before, **after} if not is_equal(before.get(name), after.get(name))
        }
    return {id: members for id, members in changes.items() if members}


def _made(value: Found) -> dict[str, Any]:
    """The events that were not there at the beginning."""
    return {id: _record(event) for id, event in value["records"].items() if id not in value["before"]}


def _effects(value: Found, kind: str) -> list[Mapping[str, Any]]:
    effects = (_effects_in(step.get("effects", [])) for step in value["steps"])
    return [one for step in effects for one in step if one["kind"] == kind]


def _told(kind: str, *names: str) -> Fact:
    """The effects of a kind in order, each as a list of these members."""
    return lambda value: [[one.get(name) for name in names] for one in _effects(value, kind)]


def _audited(value: Found) -> list[list[Any]]:
    """The actions that were noted, each once."""
    audits = [[one["what"], one["classification"]] for one in _effects(value, "audit") if one.get("classification")]
    return [one for place, one in enumerate(audits) if one not in audits[:place]]


_NOTICE: Final = ("user_id", "session_id", "routing", "causation_id")


def _notices(value: Found) -> list[dict[str, Any]]:
    """The events that are to tell the human of an action."""
    return [_compact(one["notice"], _NOTICE) for one in _effects(value, "must_surface") if one.get("notice")]


def _notice_ids(value: Found) -> list[int]:
    """For each of them the place of the first one with the same id: those are submitted once."""
    return _parted([one["notice_id"] for one in _effects(value, "must_surface") if one.get("notice")])


def _of_turn(fact: Fact) -> Fact:
    return lambda value: {id: fact(turn) for id, turn in value["turns"].items()}


def _of_record(name: str) -> Fact:
    return lambda value: {id: event.get(name) for id, event in value["records"].items()}


SCRIPT: Final[Mapping[str, Fact]] = {
    "results": _results,
    "paths": _paths,
    "last": _last,
    "changed": _changed,
    "made": _made,
    "statuses": _of_record("status"),
    "leases": _of_record("owner_lease"),
    "outcomes": lambda value: {id: one["outcome"] for id, one in value["records"].items() if one.get("outcome")},
    "refused": lambda value: [step.get("refused", {}) for step in value["steps"]],
    "presented": _told("present", "id", "channel", "content"),
    "chats": _told("present", "id", "session_id"),
    "shown_actions": _told("present", "id", "actions"),
    "aware": _told("agent_aware", "id", "awareness"),
    "fenced": _told("fence_turn", "id", "lease"),
    "surfaced": _told("must_surface", "action"),
    "demoted": _told("address_demoted", "id", "session_id"),
    "audited": _audited,
    "notices": _notices,
    "notice_ids": _notice_ids,
    "said": lambda value: dumps([one.get("notice") for one in _effects(value, "must_surface")], ensure_ascii=False),
    "running": lambda value: value["running"],
    "waiting": lambda value: value["waiting"],
    "wakes": lambda value: value["wakes"],
    "stopped": lambda value: [step["stopped"] for step in value["steps"] if step.get("stopped")],
    **{name: _of_turn(fact) for name, fact in TURN_PROMPT.items()},
}

# -------------------------------------------------------------------------------------------------- what goes out


def _parted(items: list[Any]) -> list[int]:
    """For each the place of the first one that is the same."""
    return [items.index(one) for one in items]


def _each(name: str) -> Fact:
    return lambda value: [one.get(name) for one in value["events"]]


def _data(name: str) -> Fact:
    return lambda value: [one["data"].get(name) for one in value["events"]]


CLOUD_EVENTS: Final[Mapping[str, Fact]] = {
    "ids": lambda value: _parted([one["id"] for one in value["events"]]),
    **{f"{name}s": _each(name) for name in ("specversion", "type", "source", "subject", "time", "datacontenttype")},
    "event_ids": _data("id"),
    "contents": _data("content"),
    "named": _each("id"),
    "headers": lambda value: value["headers"],
}
"""`ids` says which CloudEvents have the same one."""

_TOPIC: Final = re.compile(r"[A-Za-z0-9_-]{1,32}")


def _payloads(name: str) -> Fact:
    return lambda value: [loads(one["payload"]).get(name) for one in value]


PUSHES: Final[Mapping[str, Fact]] = {
    "ttls": lambda value: [one["ttl"] for one in value],
    "urgencies": lambda value: [one["urgency"] for one in value],
    "topics": lambda value: _parted([one["topic"] for one in value]),
    "are_topics": lambda value: all(_TOPIC.fullmatch(one["topic"]) for one in value),
    "leaks": lambda value: any(
        loads(one["payload"])[name] in one["topic"] for one in value for name in ("id", "user_id")
    ),
    "longest": lambda value: max(len(one["payload"].encode()) for one in value),
    "fits": lambda value: max(len(one["payload"].encode()) for one in value) <= 3993,
    "cut": _payloads("cut"),
    "kept": lambda value: [[loads(one["payload"])[name] for name in ("id", "revision", "lease")] for one in value],
    "contents": _payloads("content"),
    "actions": _payloads("actions"),
    "metadata": _payloads("metadata"),
}
"""`topics` says which messages have the same one: those that replace each other while they wait."""
