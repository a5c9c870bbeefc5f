"""The operations of notifications for the worked harness of Python: what becomes of an event, step by step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

import mentionable as m
from mentionable import anp

Object = Mapping[str, Any]
Answer = dict[str, Any]
UNSAID = {"commit_turn": {"acknowledged": False, "is_trigger": False}, "delivery_failed": {"is_final": False}}
"""What commands of a case leave out where it is false."""

SECONDS = ("ttl", "cap", "system_ttl", "turn_ttl", "context_ttl")


def _rules(data: Object) -> anp.Rules:
    """The times and numbers of a host; times are in seconds."""
    found = {name: value for name, value in data.items() if not name.endswith("_seconds")}
    for name in SECONDS:
        if f"{name}_seconds" in data:
            seconds = data[f"{name}_seconds"]
            found[name] = None if seconds is None else timedelta(seconds=seconds)
    urgent = data.get("urgent_seconds", {})
    return anp.Rules(urgent={word: timedelta(seconds=seconds) for word, seconds in urgent.items()}, **found)


def _command(data: Any) -> Any:
    said = UNSAID.get(data.get("kind"), {}) if isinstance(data, dict) else {}
    return m.decode(anp.Command, {**said, **data} if said else data)


def _decided(record: Any, command: Any, facts: Object, rules: anp.Rules, now: Any) -> Answer:
    """A decision with the event as it was before, or the code of the refusal."""
    found = anp.decide(record, command, now=now, facts=anp.Facts(**facts), rules=rules)
    if isinstance(found, m.Rejected):
        return {"rejected": {"code": found.code}}
    notes = [note.code for note in found.diagnostics]
    return {"value": {"before": m.encode(record) if record else None, **m.encode(found)}, "diagnostics": notes}


def _decide(_: str, given: Object, unit: Object) -> Answer:
    record = unit["record"] and anp.read_notification(unit["record"])
    command, now = _command(unit["command"]), m.parse_time(given["now"])
    answer = _decided(record, command, unit.get("facts", {}), _rules(unit.get("rules", {})), now)
    if "value" in answer:
        after = anp.read_notification(answer["value"]["record"])
        answer["value"]["responsible"] = after.responsible
    return answer


# --- stories


def _stored(events: dict[str, Any], step: Object, command: Any) -> Any:
    """The event that a step is about. Of a new one: its own id, or the last with its user and key, as it may be."""
    if command.kind != "submit":
        return events.get(step.get("of", next(iter(events), "")))
    given = command.submission
    same = [one for one in events.values() if one.id == command.id]
    if not same and given.deduplication_key is not None:
        key = given.user_id, given.deduplication_key
        same = [one for one in events.values() if (one.user_id, one.deduplication_key) == key]
    return same[-1] if same else None


def _follows(effects: list[Any], kind: str) -> Any:
    """The command that submits what an effect of the last decision holds."""
    (found,) = [one for one in effects if one.kind == {"narration": "present_narration"}.get(kind, "must_surface")]
    child = (found.narration, found.narration_id) if kind == "narration" else (found.notice, found.notice_id)
    return anp.Submit(submission=child[0], id=child[1])


def _story(_: str, given: Object, unit: Object) -> Answer:
    """Commands one after another; each sees what those before it have stored."""
    events: dict[str, Any] = {one["id"]: anp.read_notification(one) for one in unit.get("records", ())}
    start = {id: m.encode(one) for id, one in events.items()}
    steps: list[Any] = []
    effects: list[Any] = []
    rules, begin = _rules(unit.get("rules", {})), m.parse_time(given["now"])
    for step in unit["steps"]:
        try:
            command = _follows(effects, step["follow"]) if "follow" in step else _command(step["command"])
            now, record = begin + timedelta(seconds=step.get("at", 0)), _stored(events, step, command)
            found = anp.decide(record, command, now=now, facts=anp.Facts(**step.get("facts", {})), rules=rules)
        except m.WireError as error:
            found = error
        if isinstance(found, (m.Rejected, m.WireError)):
            steps.append({"rejected": found.code})
            continue
        events[found.record.id], effects = found.record, list(found.effects)
        steps.append({"before": m.encode(record) if record else None, **m.encode(found)})
    notes = [note["code"] for step in steps for note in step.get("diagnostics", ())]
    stored = {id: m.encode(one) for id, one in events.items()}
    return {"value": {"begin": start, "steps": steps, "records": stored}, "diagnostics": notes}


# --- reading


def _read_submission(_: Object, unit: Object) -> Any:
    cause = anp.read_notification(unit["cause"]) if "cause" in unit else None
    return m.encode(anp.read_submission(unit["data"], user_id=unit.get("user_id"), cause=cause))


def _read_notification(_: Object, unit: Object) -> Any:
    return {"record": m.encode(anp.read_notification(unit["data"], user_id=unit.get("user_id")))}


def _next_deadline(_: Object, unit: Object) -> Any:
    found = anp.next_deadline([anp.read_notification(one) for one in unit["records"]])
    return found and m.format_time(found)


PURE: dict[str, Callable[[Object, Any], Any]] = {
    "anp.route_table": lambda _, unit: m.decode_trusted(anp.Routing, unit).row._asdict(),
    "anp.classify": lambda _, unit: anp.classify(unit["classification"]),
    "anp.read_submission": _read_submission, "anp.read_notification": _read_notification,
    "anp.next_deadline": _next_deadline,
}  # fmt: skip
DOORS: dict[str, Callable[[str, Object, Any], Answer]] = {"anp.decide": _decide, "anp.story": _story}
