"""The worked harness for Python: it maps the neutral operations to functions of the library `mentionable`."""

from __future__ import annotations

import json
import platform
from base64 import b64encode
from collections.abc import Callable, Mapping
from importlib.metadata import distributions
from typing import Any

import python_anp as anp
import python_anp_turns as turns
import python_claims as claims
import python_discovery as discovery
import python_documents as documents
import python_files as files
import python_identity as identity
import python_ingest as ingest
import python_operations as operations
import python_platforms as platforms
import python_policy as policy
import python_prompt as prompt
import python_push as push
import python_report as report
import python_rest as rest
import python_slack as slack
import python_trace as trace
from mentionable_conformance import serve

import mentionable as m
from mentionable._transport import history as _history
from mentionable._wire import ids as _ids
from mentionable._wire import strict_json as _json
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


def _mail_unit(unit: Object) -> tuple[Any, dict[str, Any]]:
    envelope = m.mail.Envelope(**unit["envelope"]) if "envelope" in unit else None
    return case_bytes(unit["raw"]), {"envelope": envelope}


def _a2a_unit(unit: Object) -> tuple[Any, dict[str, Any]]:
    named = [unit[name] for name in ("message", "task") if name in unit]
    what = _request(unit) if not named else named[0] if len(named) == 1 else unit  # one alone, or both together
    facts: dict[str, Any] = {name: unit[name] for name in ("task_id", "context_id") if name in unit}
    if "peer" in unit:
        facts["caller"] = m.a2a.RemoteAgent(address=unit["peer"])
    if "caller" in unit:
        facts["caller"] = m.a2a.Caller(**unit["caller"])
    if "introspection" in unit:
        facts["caller"] = m.a2a.Introspection(**unit["introspection"], caller=facts.get("caller"))
    return what, facts


# fmt: off
ROOMS: dict[str, tuple[Any, Callable[[Object], tuple[Any, dict[str, Any]]]]] = {
    "activitypub": (m.activitypub, lambda unit: (_request(unit), {})),
    "email": (m.mail, _mail_unit), "a2a": (m.a2a, _a2a_unit),
}
# fmt: on


def _settings(given: Object, room: Any) -> Any:
    return read_settings(given.get("settings", {}), getattr(room, "Settings", m.Settings))


def _received(given: Object, room: Any, unit: Any, facts: Object, answer: Any) -> m.Received | m.Rejected:
    facts = {**facts, **_clock(given), "recipient": given.get("recipient"), "settings": _settings(given, room)}
    return report.received(m.drive(room.receive(unit, **facts), answer))


def _through(name: str, given: Object, unit: Object) -> dict[str, Any]:
    """What a door of a room makes of a unit, with every question answered from the table."""
    (room, read), table = ROOMS[name.partition(".")[0]], LookupTable(given["lookups"])
    what, facts = read(unit)
    if name.endswith(".verify"):
        facts |= {"now": _clock(given)["now"], "settings": _settings(given, room)}
        if "caller" in facts:
            facts["introspection"] = facts.pop("caller")
        return {"value": _verdict(m.drive(room.verify(what, **facts), table.answer)), "asks": table.asked}
    outcome = _received(given, room, what, facts, table.answer)
    said = {"asks": table.asked, "verdict": _verdict(outcome.verdict), "candidate": None}
    if isinstance(outcome, m.Rejected):
        return said | {"rejected": {"code": outcome.code}}
    said["candidate"] = outcome.candidate and m.encode(outcome.candidate)
    if name.endswith(".thread_id"):
        return said | {"value": outcome.messages[0].thread_id}
    return said | {"messages": m.encode(outcome.messages), "diagnostics": [d.code for d in outcome.diagnostics]}


# --- answering: the question of a case is received first, then answered


def _answered(name: str, given: Object, unit: Object) -> tuple[Any, m.NormalizedMessage, dict[str, Any], Any]:
    """The room, the question, what its `reply` is given, and the response."""
    room, read = ROOMS[name.partition(".")[0]]
    question = _received(given, room, *read(unit["question"]), LookupTable(given["lookups"])).message
    if "stored" in unit:  # as a store gave it back, with other members
        question = m.decode_trusted(m.NormalizedMessage, {**m.encode(question), **unit["stored"]})
    facts = {**_clock(given), "to": question, "settings": _settings(given, room)}
    facts["blobs"] = {digest: case_bytes(data) for digest, data in unit.get("blobs", {}).items()}
    if room is m.activitypub:
        facts["base"] = unit.get("base", "https://agents.example")
    keys = {name: m.SigningKey.from_pem(**unit[name]) for name in ("key", "object_key") if name in unit}
    own = {name: value for name, value in {**unit, **keys}.items() if name in ("form", "object_key", "key")}
    facts["settings"] = m.replace(facts["settings"], **own) if keys else facts["settings"]
    facts |= {name: unit[name] for name in ("sender", "settlement", "supersedes") if name in unit}
    if "siblings" in unit:
        facts["siblings"] = [one if isinstance(one, str) else m.activitypub.Actor(**one) for one in unit["siblings"]]
    return room, question, facts, m.decode(m.NormalizedResponse, {"reply_to": question.id, **unit["response"]})


def _reply(name: str, given: Object, unit: Object) -> dict[str, Any]:
    room, question, facts, response = _answered(name, given, unit)
    if name == "activitypub.update":
        before = m.decode(m.NormalizedResponse, {"reply_to": question.id, **unit["before"]})
        note = room.reply(before, **facts)
        facts["entropy"] = bytes(reversed(range(32)))
        out = room.update(response, note=note.serve[note.native_id], **facts)
    else:
        out = room.reply(response, **facts)
    if room is m.activitypub:
        served = {url: len(file.data) for url, file in out.files.items()}
        made: Any = {"activity": out.activity, "inboxes": [post.url for post in out.deliveries], "files": served}
        made["private"] = out.private_id and json.loads(out.deliveries[-1].body)
        made["before"] = note.native_id if name == "activitypub.update" else None
    elif room is m.mail:
        made = {"mail": b64encode(out.data).decode(), "mail_from": out.mail_from, "rcpt_to": list(out.rcpt_to)}
    else:
        made = _http(out.response)
    return {"value": made, "diagnostics": [d.code for d in out.diagnostics]}


def _round_trip(name: str, given: Object, unit: Object) -> dict[str, Any]:
    """What the far side receives of an answer."""
    if "frames" in unit:  # of a stream on A2A, each answered by itself
        return _frames_back(name, given, unit)
    room, question, facts, response = _answered(name, given, unit)
    out, table = room.reply(response, **facts), LookupTable(given["lookups"])
    if room is m.a2a:
        return _result(room.result(out.response, to=question))
    back = _received(given, room, out.data if room is m.mail else out.deliveries[0], {}, table.answer)
    if isinstance(back, m.Rejected):
        return {"rejected": {"code": back.code}}
    said = {"verdict": _verdict(back.verdict), "diagnostics": [d.code for d in back.diagnostics]}
    return {"value": m.encode(back.message), **said}


def _frames_back(name: str, given: Object, unit: Object) -> dict[str, Any]:
    body = b""
    for frame in unit["frames"]:
        room, question, facts, response = _answered(name, given, {**unit, "response": frame})
        body += room.reply(response, **facts).response.body
    sent = m.HttpResponse(status=200, headers=(("content-type", "text/event-stream"),), body=body)
    return _result(room.result(sent, to=question))


def _http(unit: Any) -> dict[str, Any]:
    """A request or a response as JSON."""
    told = {"url": unit.url, "method": unit.method} if isinstance(unit, m.HttpRequest) else {"status": unit.status}
    return {**told, "headers": [list(pair) for pair in unit.headers], "body": unit.body.decode()}


def _result(found: m.Answered | m.Rejected) -> dict[str, Any]:
    """An answer as the suite sees it: the response, and what came along."""
    if isinstance(found, m.Rejected):
        return {"rejected": {"code": found.code}}
    return {"value": m.encode(found.response), "diagnostics": [note.code for note in found.diagnostics]}


def _a2a_result(_: str, given: Object, unit: Object) -> dict[str, Any]:
    to = m.decode_trusted(m.NormalizedMessage, unit["to"])
    request = _request(unit["request"]) if "request" in unit else None
    if "chunks" not in unit:
        told = unit["response"]
        body = json.dumps(told["body"]).encode() if isinstance(told["body"], dict) else case_bytes(told["body"])
        response = m.HttpResponse(status=told.get("status", 200), headers=told.get("headers", ()), body=body)
        return _result(m.a2a.result(response, to=to, request=request))
    stream = m.a2a.ResultStream(to=to, request=request, settings=read_settings(given.get("settings", {})))
    for chunk in unit["chunks"]:
        stream.feed(case_bytes(chunk))
    return _result(stream.close())


def _a2a_refuse(_: str, given: Object, unit: Object) -> dict[str, Any]:
    return {"value": _http(m.a2a.error_response(m.Rejected(code=unit["code"]), request=_request(unit["request"])))}


def _a2a_call(_: str, given: Object, unit: Object) -> dict[str, Any]:
    facts = {name: unit[name] for name in ("url", "dialect", "stream", "context_id", "task_id") if name in unit}
    context = {name: unit[name] for name in ("token", "receipt") if name in unit}
    context["history"] = m.decode_trusted(tuple[m.HistoricalMessage, ...], unit.get("history", []))
    if "configuration" in unit:
        asked = {**unit["configuration"]}
        asked["accepted_output_modes"] = tuple(asked.get("accepted_output_modes", ()))
        context["configuration"] = m.a2a.SendConfiguration(**asked)
    facts["context"] = m.a2a.CallContext(**context)
    message = m.decode_trusted(m.NormalizedMessage, unit["message"])
    return {"value": _http(m.a2a.call(message, entropy=_clock(given)["entropy"], **facts))}


def _assemble(given: Object, unit: Object) -> Any:
    assembler = m.Assembler(limits=read_settings(given.get("settings", {})).limits)
    for frame in m.decode(tuple[m.NormalizedResponse, ...], unit["frames"]):
        assembler.add(frame)
    return m.encode(assembler.response)


def _split(_: Object, unit: Object) -> Any:
    response = m.decode(m.NormalizedResponse, unit["response"])
    return m.encode(m.split(response, stream_id=unit["stream_id"], text_chars=unit.get("text_chars")))


def _destination(_: Object, unit: Object) -> Any:
    response = m.decode(m.NormalizedResponse, unit["response"])
    there = m.destination(response, to=m.decode_trusted(m.NormalizedMessage, unit["to"]))
    return {"channel": there.channel, "thread_ref": there.thread_ref}


def _json_loads(given: Object, unit: Object) -> Any:
    limits = read_settings(given.get("settings", {})).limits
    return _json.loads(case_bytes(unit["data"]), max_bytes=limits.activitypub_bytes, max_depth=limits.json_depth)


def _trim(given: Object, unit: Object) -> Any:
    turns = m.decode(tuple[m.HistoricalMessage, ...], unit["history"])
    return m.encode(_history.trim(turns, read_settings({"history": unit["policy"]}).history, now=_clock(given)["now"]))


# fmt: off
PURE: dict[str, Callable[[Object, Any], Any]] = {
    "value.decode": lambda _, unit: m.encode(m.decode(getattr(m, unit["type"]), unit["data"])),
    "value.restore": lambda _, unit: m.encode(m.decode_trusted(getattr(m, unit["type"]), unit["data"])),
    "value.encode": lambda _, unit: json.loads(m.dumps(m.decode_trusted(getattr(m, unit["type"]), unit["data"]))),
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
    "render.agent_chain": lambda _, unit: m.render_agent_chain(
        unit["chain"] if unit["chain"] is None else m.decode(m.AgentChain, unit["chain"])),
    "render.capabilities": lambda _, unit: m.render_recipient_capabilities(
        m.decode(m.RecipientCapabilities, unit["capabilities"])),
    "capabilities.next_hop": lambda _, unit: m.encode(m.decode(m.AgentChain, unit["chain"]).next()),
    "history.trim": _trim,
    "response.stream": lambda _, unit: m.check_stream(m.decode(tuple[m.NormalizedResponse, ...], unit["frames"])),
    "response.assemble": _assemble, "response.split": _split, "response.destination": _destination,
    **anp.PURE, **discovery.PURE, **documents.PURE, **files.PURE, **identity.PURE, **ingest.PURE, **platforms.PURE,
    **operations.PURE, **policy.PURE, **rest.PURE, **slack.PURE, **trace.PURE, **turns.PURE,
}
DOORS: dict[str, Callable[[str, Object, Any], dict[str, Any]]] = {
    **{f"{room}.{door}": _through for room in ROOMS for door in ("receive", "verify", "thread_id")},
    **{f"{room}.reply": _reply for room in ROOMS}, "activitypub.update": _reply,
    **{f"{room}.round_trip": _round_trip for room in ROOMS}, "a2a.refuse": _a2a_refuse,
    "a2a.result": _a2a_result, "a2a.call": _a2a_call, **anp.DOORS, **claims.DOORS, **discovery.DOORS, **documents.DOORS,
    **files.DOORS, **identity.DOORS, **ingest.DOORS, **platforms.DOORS, **policy.DOORS, **rest.DOORS,
    **operations.DOORS, **prompt.DOORS, **push.DOORS, **report.DOORS, **slack.DOORS, **trace.DOORS, **turns.DOORS,
}


def perform(op: str, given: Object, unit: Any) -> dict[str, Any]:
    """The answer to one case. A function that refuses its argument says `malformed`; what was received never does."""
    try:
        return DOORS[op](op, given, unit) if op in DOORS else {"value": PURE[op](given, unit)}
    except (m.WireError, m.UsageError) as error:
        if op.endswith((".receive", ".verify")):
            raise
        return {"rejected": {"code": getattr(error, "code", "malformed")}}


if __name__ == "__main__":
    release = next((found.version for found in distributions(name="mentionable")), "checkout")
    who = {"name": "mentionable", "version": release, "language": f"Python {platform.python_version()}"}
    serve(perform, implementation=who, ops=[*DOORS, *PURE])
