"""The worked harness for Python: it maps the neutral operations to functions of the library `mentionable`."""

from __future__ import annotations

import json
import platform
from collections.abc import Callable, Mapping
from datetime import timedelta
from importlib.metadata import distributions
from typing import Any

from mentionable_conformance import serve

import mentionable as m
from mentionable import _history, _ids, _json
from mentionable.testing.answers import LookupTable, case_bytes

Object = Mapping[str, Any]


def _settings(named: Object) -> m.Settings:
    history = dict(named.get("history", {}))
    if history.get("max_age") is not None:  # in seconds
        history["max_age"] = timedelta(seconds=history["max_age"])
    return m.Settings(limits=m.Limits(**named.get("limits", {})), history=m.HistoryPolicy(**history))


def _clock(given: Object) -> dict[str, Any]:
    return {"now": m.parse_time(given["now"]), "entropy": bytes.fromhex(given["entropy"])}


def _request(unit: Object) -> m.HttpRequest:
    body = unit.get("body", "")  # bytes or, for short, JSON
    is_bytes = isinstance(body, str) or (isinstance(body, dict) and body.keys() == {"$base64"})
    data = case_bytes(body) if is_bytes else json.dumps(body, ensure_ascii=False).encode()
    return m.HttpRequest(method=unit.get("method", "POST"), url=unit["url"], headers=unit.get("headers", ()), body=data)


def _received(given: Object, door: Callable[..., Any], unit: Any, **facts: Any) -> dict[str, Any]:
    """What a door makes of a unit, with every question answered from the table."""
    table = LookupTable(given["lookups"])
    facts |= {**_clock(given), "recipient": given.get("recipient"), "settings": _settings(given.get("settings", {}))}
    outcome = m.drive(door(unit, **facts), table.answer)
    answer = {"asks": table.asked, "verdict": m.encode(outcome.verdict)}
    if isinstance(outcome, m.Rejected):
        return {**answer, "rejected": {"code": outcome.code}}
    return {**answer, "messages": m.encode(outcome.messages), "diagnostics": [d.code for d in outcome.diagnostics]}


def _email(given: Object, unit: Object) -> dict[str, Any]:
    named = unit.get("envelope")
    envelope = named and m.mail.Envelope(mail_from=named["mail_from"], rcpt_to=tuple(named["rcpt_to"]))
    return _received(given, m.mail.receive, case_bytes(unit["raw"]), envelope=envelope)


def _a2a(given: Object, unit: Object) -> dict[str, Any]:
    named = [unit[name] for name in ("message", "task") if name in unit]  # one alone, both together, or a request
    what = _request(unit) if not named else named[0] if len(named) == 1 else unit
    caller = m.a2a.Caller(**unit["caller"]) if "caller" in unit else None
    return _received(given, m.a2a.receive, what, caller=caller, task_id=unit.get("task_id"), peer=unit.get("peer"))


def _json_loads(given: Object, unit: Object) -> Any:
    limits = _settings(given.get("settings", {})).limits
    return _json.loads(case_bytes(unit["data"]), max_bytes=limits.activitypub_bytes, max_depth=limits.json_depth)


def _trim(given: Object, unit: Object) -> Any:
    turns, policy = m.decode(tuple[m.HistoricalMessage, ...], unit["history"]), _settings({"history": unit["policy"]})
    return m.encode(_history.trim(turns, policy.history, now=_clock(given)["now"]))


DOORS: dict[str, Callable[[Object, Any], dict[str, Any]]] = {
    "email.receive": _email,
    "activitypub.receive": lambda given, unit: _received(given, m.activitypub.receive, _request(unit)),
    "a2a.receive": _a2a,
}
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
        m.decode(m.ToolCallPart, unit["part"]), budget=unit.get("budget", 200)
    ),
    "render.mention_relay": lambda _, unit: m.render_mention_relay_capability(
        m.decode(m.MentionRelayCapability, unit["capability"])
    ),
    "render.agent_chain": lambda _, unit: m.render_agent_chain(unit["chain"] and m.decode(m.AgentChain, unit["chain"])),
    "render.capabilities": lambda _, unit: m.render_recipient_capabilities(
        m.decode(m.RecipientCapabilities, unit["capabilities"])
    ),
    "capabilities.next_hop": lambda _, unit: m.encode(m.decode(m.AgentChain, unit["chain"]).next()),
    "history.trim": _trim,
    "response.stream": lambda _, unit: m.check_stream(m.decode(tuple[m.NormalizedResponse, ...], unit["frames"])),
}


def perform(op: str, given: Object, unit: Any) -> dict[str, Any]:
    """The answer to one case. A pure function that refuses its argument says `malformed`; a door never refuses so."""
    if op in DOORS:
        return DOORS[op](given, unit)
    try:
        return {"value": PURE[op](given, unit)}
    except (m.WireError, m.UsageError) as error:
        return {"rejected": {"code": getattr(error, "code", "malformed")}}


if __name__ == "__main__":
    release = next((found.version for found in distributions(name="mentionable")), "checkout")
    who = {"name": "mentionable", "version": release, "language": f"Python {platform.python_version()}"}
    serve(perform, implementation=who, ops=[*DOORS, *PURE])
