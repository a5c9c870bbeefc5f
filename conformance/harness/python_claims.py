"""The operations on events of platforms that are claimed first: two stages, repeated deliveries, and what they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import python_platforms as platforms
import python_slack as slack

import mentionable as m
from mentionable.connectors import Claimed, ReceivedEvent
from mentionable.testing.lookups import LookupTable

Object = Mapping[str, Any]
Answer = dict[str, Any]


def _room(name: str, given: Object, unit: Object) -> tuple[Any, Any, Any]:
    """The connector, its settings, and a reader of its requests."""
    room = name.partition(".")[0]
    if room == "slack":
        return slack.slack, slack.settings_of(given, unit), slack.request_of
    return platforms.ROOMS[room], platforms.settings_of(platforms.ROOMS[room], given, unit), platforms.unit_of


def _claim(name: str, given: Object, unit: Object, table: LookupTable) -> Any:
    room, settings, read = _room(name, given, unit)
    facts = {"now": m.parse_time(given["now"]), "recipient": given.get("recipient"), "settings": settings}
    return m.drive(room.claim(read(unit), **facts), table.answer)


def _refused(found: m.Rejected, table: LookupTable) -> Answer:
    return {
        "rejected": {"code": found.code},
        "asks": table.asked,
        "verdict": {"code": found.verdict and found.verdict.code},
    }


def _claimed(name: str, given: Object, unit: Object) -> Answer:
    """What was claimed, and what the platform gets at once."""
    table = LookupTable(given["lookups"])
    found = _claim(name, given, unit, table)
    if isinstance(found, m.Rejected):
        return _refused(found, table)
    if isinstance(found, m.Handshake):
        return {"value": {"handshake": found.response.status}, "asks": table.asked}
    value = {member: getattr(found, member) for member in ("type", "event_id", "native_id", "is_new")}
    value["status"], value["answer"] = found.response.status, found.response.body.decode()
    if found.retry is not None:
        value["retry"] = {"number": found.retry.number, "reason": found.retry.reason}
    return {"value": value, "asks": table.asked}


def _completed(name: str, given: Object, unit: Object) -> Answer:
    """What comes of an event that was claimed, stored as JSON, and read back."""
    table = LookupTable(given["lookups"])
    found = _claim(name, given, unit, table)
    if isinstance(found, m.Rejected):
        return _refused(found, table)
    row = m.decode_trusted(Claimed, m.dumps(found))
    room, settings, _ = _room(name, given, unit)
    facts = {"now": m.parse_time(given["now"]), "entropy": bytes.fromhex(given["entropy"]), "settings": settings}
    return outcome(m.drive(room.complete(row, **facts), table.answer), table)


def _deliveries(name: str, given: Object, unit: Object) -> Answer:
    """What each of several deliveries is, one after the other: the first, the same again, or a code."""
    table, words = LookupTable(given["lookups"]), []
    for request in unit["requests"]:
        one = {"settings": unit["settings"], **({"event": request} if "t" in request else {"request": request})}
        found = _claim(name, given, one, table)
        words.append(found.code if isinstance(found, m.Rejected) else "first" if found.is_new else "same")
    return {"value": words, "asks": table.asked}


def outcome(found: Any, table: LookupTable) -> Answer:
    """A message or an event, or why there is none."""
    if isinstance(found, m.Rejected):
        return _refused(found, table)
    notes = {"diagnostics": [note.code for note in found.diagnostics], "asks": table.asked}
    if isinstance(found, ReceivedEvent):
        return {"value": platforms.event_json(found), **notes}
    return {"messages": m.encode(found.messages), **notes}


DOORS: dict[str, Callable[[str, Object, Any], Answer]] = {
    f"{room}.{name}": door
    for room in ("slack", "discord", "bluebubbles")
    for name, door in {"claim": _claimed, "complete": _completed, "deliveries": _deliveries}.items()
}
