"""The task operations of A2A for the worked harness of Python: received, answered, called, and their results."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import mentionable as m
from mentionable.testing.lookups import LookupTable, case_bytes
from mentionable.testing.settings import read_settings

Object = Mapping[str, Any]
Answer = dict[str, Any]

READERS: dict[str, Callable[[Any], Any]] = {
    "task": lambda value: m.decode_trusted(m.StoredTask, value),
    "event": lambda value: value,
    "page": lambda value: m.decode_trusted(m.a2a.TaskPage, value),
    "config": lambda value: m.decode(m.a2a.PushNotificationConfig, value),
    "configs": lambda value: m.decode(tuple[m.a2a.PushNotificationConfig, ...], value),
    "card": m.discovery.read_a2a_card,
    "rejected": lambda code: m.Rejected(code=code),
    "nothing": lambda _: None,
}
"""Kind of answer → what reads it."""


def _request(unit: Object) -> m.HttpRequest:
    body = unit.get("body", "")
    is_bytes = isinstance(body, str) or (isinstance(body, dict) and body.keys() == {"$base64"})
    data = case_bytes(body) if is_bytes else json.dumps(body, ensure_ascii=False).encode()
    return m.HttpRequest(method=unit.get("method", "POST"), url=unit["url"], headers=unit.get("headers", ()), body=data)


def _take(given: Object, unit: Object) -> tuple[Any, LookupTable]:
    table = LookupTable(given["lookups"])
    caller = None if unit.get("caller") is None else m.a2a.Caller(**unit["caller"])
    settings = read_settings(given.get("settings", {}), m.a2a.Settings)
    flow = m.a2a.receive_operation(_request(unit), caller=caller, now=m.parse_time(given["now"]), settings=settings)
    return m.drive(flow, table.answer), table


def _receive_operation(_: str, given: Object, unit: Object) -> Answer:
    got, table = _take(given, unit)
    if isinstance(got, m.Rejected):
        return {"rejected": {"code": got.code}, "asks": table.asked}
    if got is None:
        return {"value": None, "asks": table.asked}
    value = {"operation": m.encode(got.operation), "caller": got.caller, "dialect": got.dialect, "id": got.id}
    return {"value": value, "diagnostics": [one.code for one in got.diagnostics], "asks": table.asked}


def _operation_response(_: str, given: Object, unit: Object) -> Answer:
    request = unit["request"]
    got, _table = _take(given, {**request, "caller": unit.get("caller")})
    if isinstance(got, m.Rejected):
        response = m.a2a.error_response(got, request=_request(request))
    else:
        ((kind, answer),) = unit["answer"].items()
        settings = read_settings(given.get("settings", {}), m.a2a.Settings)
        response = m.a2a.operation_response(got, READERS[kind](answer), settings=settings)
    text = response.body.decode()
    is_stream = response.header("content-type") == "text/event-stream"
    body = [json.loads(event[6:]) for event in text.split("\n\n") if event] if is_stream else json.loads(text)
    kept = {name: response.header(name) for name in ("content-type", "a2a-version", "www-authenticate", "allow")}
    return {"value": {"status": response.status, "headers": kept, "body": body}}


def _call_operation(_: str, given: Object, unit: Object) -> Answer:
    request = m.a2a.call_operation(
        m.decode_trusted(m.a2a.Operation, unit["operation"]),
        url=unit["url"],
        entropy=bytes.fromhex(given["entropy"]),
        dialect=unit.get("dialect", "1.0"),
        context=m.a2a.CallContext(token=unit.get("token")),
    )
    kept = {name: request.header(name) for name in ("a2a-version", "authorization")}
    body = json.loads(request.body) if request.body else None
    return {"value": {"method": request.method, "url": request.url, "headers": kept, "body": body}}


def _operation_result(_: str, given: Object, unit: Object) -> Answer:
    answer = unit["response"]
    body = answer.get("body", "")
    data = case_bytes(body) if isinstance(body, str) else json.dumps(body, ensure_ascii=False).encode()
    response = m.HttpResponse(status=answer.get("status", 200), headers=answer.get("headers", ()), body=data)
    found = m.a2a.operation_result(response, operation=m.decode_trusted(m.a2a.Operation, unit["operation"]))
    if isinstance(found, m.Rejected):
        return {"rejected": {"code": found.code}}
    found, codes = found.value, [one.code for one in found.diagnostics]
    if isinstance(found, m.discovery.A2ACard):
        return {"value": {"name": found.name}}
    if isinstance(found, m.a2a.PushNotificationConfigPage) and not found.next_page_token:
        found = found.configs
    return {"value": None if found is None else m.encode(found), "diagnostics": codes}


def _replace_artifact(_: Object, unit: Object) -> Answer:
    """The artifacts of a task with another one, and the event that says so."""
    stored = {"context_id": "c1", "updated_at": "2026-11-21T00:00:00Z", "history": [], "metadata": {}}
    task = m.decode_trusted(m.StoredTask, {**stored, **unit["task"]})
    parts = m.decode(tuple[m.Part, ...], unit["parts"])
    changed = m.a2a.replace_artifact(task, unit["artifact_id"], *parts)
    return {"artifacts": m.encode(changed.stored_task)["artifacts"], "update": changed.update["artifactUpdate"]}


PURE: dict[str, Callable[[Object, Any], Any]] = {"a2a.replace_artifact": _replace_artifact}
DOORS: dict[str, Callable[[str, Object, Any], Answer]] = {
    "a2a.receive_operation": _receive_operation,
    "a2a.operation_response": _operation_response,
    "a2a.call_operation": _call_operation,
    "a2a.operation_result": _operation_result,
}
