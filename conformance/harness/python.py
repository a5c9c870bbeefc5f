"""The worked harness for Python: it maps the neutral operations to functions of the library `mentionable`."""

from __future__ import annotations

import json
import platform
from collections.abc import Callable, Mapping
from importlib.metadata import distributions
from typing import Any

from mentionable_conformance import serve

import mentionable as m
from mentionable import _history, _ids, _json
from mentionable.testing.lookups import LookupTable, case_bytes
from mentionable.testing.settings import read_settings

Object = Mapping[str, Any]
VERDICT = ("method", "verified", "address", "key_id", "code", "temporary")


def _clock(given: Object) -> dict[str, Any]:
    return {"now": m.parse_time(given["now"]), "entropy": bytes.fromhex(given["entropy"])}


def _request(unit: Object) -> m.HttpRequest:
    body = unit.get("body", "")  # bytes or, for short, JSON
    is_bytes = isinstance(body, str) or (isinstance(body, dict) and body.keys() == {"$base64"})
    data = case_bytes(body) if is_bytes else json.dumps(body, ensure_ascii=False).encode()
    return m.HttpRequest(method=unit.get("method", "POST"), url=unit["url"], headers=unit.get("headers", ()), body=data)


def _verdict(found: m.Verdict | None) -> Any:
    return found and {name: getattr(found, name) for name in VERDICT}


def _through(given: Object, room: Any, door: str, unit: Any, facts: dict[str, Any]) -> dict[str, Any]:
    """What a door of a room makes of a unit, with every question answered from the table."""
    table, facts = LookupTable(given["lookups"]), {**facts, **_clock(given)}
    facts["settings"] = read_settings(given.get("settings", {}), getattr(room, "Settings", m.Settings))
    if door == "verify":
        del facts["entropy"]
        return {"asks": table.asked, "value": _verdict(m.drive(room.verify(unit, **facts), table.answer))}
    outcome = m.drive(room.receive(unit, recipient=given.get("recipient"), **facts), table.answer)
    said = {"asks": table.asked, "verdict": _verdict(outcome.verdict)}
    if isinstance(outcome, m.Rejected):
        return said | {"rejected": {"code": outcome.code}}
    return said | {"messages": m.encode(outcome.messages), "diagnostics": [d.code for d in outcome.diagnostics]}


def _email(given: Object, unit: Object, door: str) -> dict[str, Any]:
    envelope = m.mail.Envelope(**unit["envelope"]) if "envelope" in unit else None
    return _through(given, m.mail, door, case_bytes(unit["raw"]), {"envelope": envelope})


def _a2a(given: Object, unit: Object, door: str) -> dict[str, Any]:
    named = [unit[name] for name in ("message", "task") if name in unit]
    what = _request(unit) if not named else named[0] if len(named) == 1 else unit  # one alone, or both together
    facts: dict[str, Any] = {name: unit[name] for name in ("task_id", "peer") if name in unit}
    kinds = {"caller": m.a2a.Caller, "introspection": m.a2a.Introspection}
    facts |= {name: kind(**unit[name]) for name, kind in kinds.items() if name in unit}
    return _through(given, m.a2a, door, what, facts)


def _json_loads(given: Object, unit: Object) -> Any:
    limits = read_settings(given.get("settings", {})).limits
    return _json.loads(case_bytes(unit["data"]), max_bytes=limits.activitypub_bytes, max_depth=limits.json_depth)


def _trim(given: Object, unit: Object) -> Any:
    turns = m.decode(tuple[m.HistoricalMessage, ...], unit["history"])
    policy = read_settings({"history": unit["policy"]}).history
    return m.encode(_history.trim(turns, policy, now=_clock(given)["now"]))


# fmt: off
ROOMS = {
    "activitypub": lambda given, unit, door: _through(given, m.activitypub, door, _request(unit), {}),
    "email": _email, "a2a": _a2a,
}
DOORS = {f"{room}.{door}" for room in ROOMS for door in ("receive", "verify")}
PURE: dict[str, Callable[[Object, Any], Any]] = {
    "value.decode": lambda _, unit: m.encode(m.decode(getattr(m, unit["type"]), unit["data"])),
    "value.restore": lambda _, unit: m.encode(m.restore(getattr(m, unit["type"]), unit["data"])),
    "value.encode": lambda _, unit: json.loads(m.dumps(m.restore(getattr(m, unit["type"]), unit["data"]))),
    "json.loads": _json_loads,
    "address.parse": lambda _, unit: m.Address(unit["text"]),
    "id.uuid7": lambda given, unit: _ids.uuid7(**_clock(given), label=unit["label"], n=unit["n"]),
    "time.parse": lambda _, unit: m.format_time(m.parse_time(unit["text"])),
    "text.from_html": lambda _, unit: m.html_to_text(unit["html"]),
    "text.markdown_from_html": lambda _, unit: m.html_to_markdown(unit["html"]),
    "render.tool_call": lambda _, unit: m.serialize_tool_call_to_text(
        m.decode(m.ToolCallPart, unit["part"]), budget=unit.get("budget", 200)),
    "render.mention_relay": lambda _, unit: m.render_mention_relay_capability(
        m.decode(m.MentionRelayCapability, unit["capability"])),
    "render.agent_chain": lambda _, unit: m.render_agent_chain(unit["chain"] and m.decode(m.AgentChain, unit["chain"])),
    "render.capabilities": lambda _, unit: m.render_recipient_capabilities(
        m.decode(m.RecipientCapabilities, unit["capabilities"])),
    "capabilities.next_hop": lambda _, unit: m.encode(m.decode(m.AgentChain, unit["chain"]).next()),
    "history.trim": _trim,
    "response.stream": lambda _, unit: m.check_stream(m.decode(tuple[m.NormalizedResponse, ...], unit["frames"])),
}


def perform(op: str, given: Object, unit: Any) -> dict[str, Any]:
    """The answer to one case. A pure function that refuses its argument says `malformed`; a door never refuses so."""
    if op in DOORS:
        room, _, door = op.partition(".")
        return ROOMS[room](given, unit, door)
    try:
        return {"value": PURE[op](given, unit)}
    except (m.WireError, m.UsageError) as error:
        return {"rejected": {"code": getattr(error, "code", "malformed")}}


if __name__ == "__main__":
    release = next((found.version for found in distributions(name="mentionable")), "checkout")
    who = {"name": "mentionable", "version": release, "language": f"Python {platform.python_version()}"}
    serve(perform, implementation=who, ops=[*DOORS, *PURE])
