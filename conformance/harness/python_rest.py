"""The operations of REST for the worked harness of Python: forms in and out, answers in every form."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from email import message_from_bytes
from typing import Any

import mentionable as m
from mentionable import rest
from mentionable._wire.sse import EventReader
from mentionable.testing.lookups import LookupTable, case_bytes
from mentionable.testing.settings import read_settings

Object = Mapping[str, Any]
Answer = dict[str, Any]
VERDICT = ("method", "verified", "address", "key_id", "code", "temporary")
JSON_FIELDS = ("parts", "history", "recipient_capabilities", "identity_evidence", "policy_resolution")
PAYMENTS = ("payment-response", "x-payment-response", "payment-signature", "x-payment")


def _settings(given: Object) -> m.Settings:
    return read_settings(given.get("settings", {}))


def _clock(given: Object) -> Answer:
    return {"now": m.parse_time(given["now"]), "entropy": bytes.fromhex(given["entropy"])}


def _request(unit: Object) -> m.HttpRequest:
    body = case_bytes(unit.get("body", ""))
    return m.HttpRequest(method=unit.get("method", "POST"), url=unit["url"], headers=unit.get("headers", ()), body=body)


def _field(unit: Any) -> rest.Field:
    """A field: its name and value, and maybe its media type and file name."""
    name, value, *more = unit
    return rest.Field(name, value if isinstance(value, str) else case_bytes(value), *more)


def _received(given: Object, unit: Object, answer: Any) -> m.Received | m.Rejected:
    facts: Answer = {**_clock(given), "recipient": given.get("recipient"), "settings": _settings(given)}
    if "caller" in unit:
        facts["caller"] = rest.Caller(**unit["caller"])
    if "fields" not in unit:
        return m.drive(rest.receive(_request(unit), **facts), answer)
    request = _request(unit["request"]) if "request" in unit else None
    fields = [_field(one) for one in unit["fields"]]
    if request is None:
        return m.drive(rest.receive(fields, **facts), answer)
    return m.drive(rest.receive(request, fields=fields, **facts), answer)


def _messages(found: m.Received | m.Rejected, asks: list[str]) -> Answer:
    verdict = found.verdict and {name: getattr(found.verdict, name) for name in VERDICT}
    said: Answer = {"asks": asks, "verdict": verdict, "candidate": None}
    if isinstance(found, m.Rejected):
        return said | {"rejected": {"code": found.code}}
    said["candidate"] = found.candidate and m.encode(found.candidate)
    return said | {"messages": m.encode(found.messages), "diagnostics": [note.code for note in found.diagnostics]}


def _receive(_: str, given: Object, unit: Object) -> Answer:
    table = LookupTable(given["lookups"])
    return _messages(_received(given, unit, table.answer), table.asked)


def _fields(given: Object, unit: Object) -> Any:
    """The fields of a body: texts, and bytes that are none in base64."""
    found = rest.fields_of(_request(unit), settings=_settings(given))
    return [[one.name, _text(one.value), one.content_type, one.filename] for one in found]


def _text(value: str | bytes) -> Any:
    data = value.encode() if isinstance(value, str) else value
    try:
        return data.decode()
    except UnicodeDecodeError:
        return {"$base64": b64encode(data).decode()}


# --- answering


def _question(given: Object, unit: Object) -> m.NormalizedMessage:
    return _received(given, unit, LookupTable(given["lookups"]).answer).message


def _answered(given: Object, unit: Object, said: Object) -> tuple[m.NormalizedMessage, rest.Outgoing]:
    question = _question(given, unit["question"])
    response = m.decode(m.NormalizedResponse, {"reply_to": question.id, **said})
    facts = {name: unit[name] for name in ("accept", "settlement") if name in unit}
    facts["blobs"] = {digest: case_bytes(data) for digest, data in unit.get("blobs", {}).items()}
    return question, rest.reply(response, to=question, settings=_settings(given), **_clock(given), **facts)


def _json(text: str) -> Any:
    """The JSON of a text; null where it is none."""
    try:
        return json.loads(text)
    except ValueError:
        return None


def _paid(made: m.HttpRequest | m.HttpResponse) -> Answer:
    """What header fields say of a payment."""
    found = {name.replace("-", "_"): value for name, value in made.headers if name in PAYMENTS}
    return {name: _json(b64decode(value).decode()) for name, value in found.items()}


def _response(made: m.HttpResponse) -> Answer:
    """What can be said of a response: its status and media type, its text, JSON and events, and what its fields say."""
    text = made.body.decode()
    events = EventReader(max_bytes=len(made.body)).feed(made.body)
    fields = {name.replace("-", "_"): value for name, value in made.headers if name not in PAYMENTS}
    told = [[one.event, _json(one.data.decode()) if one.event != "message" else one.data.decode()] for one in events]
    media_type = (made.header("content-type") or "").partition(";")[0]
    return {
        **fields, **_paid(made), "status": made.status, "media_type": media_type, "text": text, "json": _json(text),
        "events": told, "challenged": made.header("www-authenticate") is not None,
    }  # fmt: skip


def _reply(_: str, given: Object, unit: Object) -> Answer:
    _question, out = _answered(given, unit, unit["response"])
    return {"value": _response(out.response), "diagnostics": [note.code for note in out.diagnostics]}


def _result(found: m.Answered | m.Rejected) -> Answer:
    if isinstance(found, m.Rejected):
        return {"rejected": {"code": found.code}}
    return {"value": m.encode(found.response), "diagnostics": [note.code for note in found.diagnostics]}


def _read_result(_: str, given: Object, unit: Object) -> Answer:
    to = m.decode_trusted(m.NormalizedMessage, unit["to"])
    if "chunks" in unit:
        stream = rest.ResultStream(to=to, settings=_settings(given))
        for chunk in unit["chunks"]:
            stream.feed(case_bytes(chunk))
        return _result(stream.close())
    told = unit["response"]
    is_json = isinstance(told["body"], (dict, list)) and "$base64" not in told["body"]
    body = json.dumps(told["body"]).encode() if is_json else case_bytes(told["body"])
    response = m.HttpResponse(status=told.get("status", 200), headers=told.get("headers", ()), body=body)
    return _result(rest.result(response, to=to, settings=_settings(given)))


# --- asking


def _called(given: Object, unit: Object) -> m.HttpRequest:
    facts = {name: unit[name] for name in ("url", "session", "stream") if name in unit}
    context = {name: unit[name] for name in ("token", "receipt") if name in unit}
    context["history"] = m.decode_trusted(tuple[m.HistoricalMessage, ...], unit.get("history", []))
    context["evidence"] = m.decode_trusted(tuple[m.IdentityEvidence, ...], unit.get("evidence", []))
    context["blobs"] = {digest: case_bytes(data) for digest, data in unit.get("blobs", {}).items()}
    facts["context"] = rest.CallContext(**context)
    return rest.call(m.decode_trusted(m.NormalizedMessage, unit["message"]), entropy=_clock(given)["entropy"], **facts)


def _call(_: str, given: Object, unit: Object) -> Answer:
    """The request, its form split by the standard library."""
    made = _called(given, unit)
    head = f"Content-Type: {made.header('content-type')}\r\n\r\n".encode()
    pieces: Any = message_from_bytes(head + made.body).get_payload()
    fields = [[one.get_param("name", header="content-disposition"), one] for one in pieces]
    turns = [[name, _text(one.get_payload(decode=True)), one.get_content_type()] for name, one in fields]
    stated = {name: json.loads(one.get_payload(decode=True)) for name, one in fields if name in JSON_FIELDS}
    plain = {name: one.get_payload(decode=True).decode() for name, one in fields if name in ("session", "message_id")}
    said = [turn for turn in turns if turn[0] in ("user", "assistant")]
    files = [one.get_filename() for _, one in fields if one.get_filename()]
    told = {
        "method": made.method, "url": made.url, "accept": made.header("accept"), "said": said, "files": files,
        "authorization": made.header("authorization"), "names": sorted({name for name, _ in fields}),
        "body": made.body.decode("latin-1"),
    }  # fmt: skip
    return {"value": {**told, **stated, **plain, **_paid(made)}}


def _round_trip(_: str, given: Object, unit: Object) -> Answer:
    """What the far side makes of a call, or of an answer, whole or in frames."""
    if "message" in unit:
        table = LookupTable(given["lookups"])
        facts: Answer = {**_clock(given), "recipient": given.get("recipient"), "settings": _settings(given)}
        return _messages(m.drive(rest.receive(_called(given, unit), **facts), table.answer), table.asked)
    body, outs = b"", []
    for said in unit.get("frames", [unit.get("response")]):
        question, out = _answered(given, unit, said)
        outs.append(out.response)
        body += out.response.body
    return _result(rest.result(m.replace(outs[0], body=body), to=question))


def _refuse(_: Object, unit: Object) -> Any:
    return _response(rest.error_response(m.Rejected(code=unit["code"])))


PURE: dict[str, Callable[[Object, Any], Any]] = {"rest.fields": _fields, "rest.refuse": _refuse}
DOORS: dict[str, Callable[[str, Object, Any], Answer]] = {
    "rest.receive": _receive, "rest.reply": _reply, "rest.call": _call, "rest.result": _read_result,
    "rest.round_trip": _round_trip,
}  # fmt: skip
