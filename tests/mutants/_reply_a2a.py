"""Mutants of answers on A2A."""

from __future__ import annotations

import json
import re
from typing import Any

from tests.mutants._answers import spoils, takes

AREA = "reply"
REPLY, REFUSE, CALL, RESULT, TRIP = ("a2a.reply",), ("a2a.refuse",), ("a2a.call",), ("a2a.result",), ("a2a.round_trip",)
EVENTS = "https://mentionable.dev/ns/a2a-tool-events/v0.1"


def _bodies(value: Any) -> list[Any]:
    if "event-stream" not in json.dumps(value["headers"]):
        return [json.loads(value["body"])]
    return [json.loads(one.removeprefix("data: ")) for one in value["body"].split("\n\n") if one]


def _with(value: Any, bodies: list[Any]) -> Any:
    if "event-stream" not in json.dumps(value["headers"]):
        return {**value, "body": json.dumps(bodies[0])}
    return {**value, "body": "".join(f"data: {json.dumps(body)}\n\n" for body in bodies)}


def _body(name: str, rule: str, change: Any, ops: tuple[str, ...] = REPLY, *, central: bool = False) -> None:
    """Registers a mutant that changes each body in place: `change(body, unit)`."""

    def changed(value: Any, _: Any, unit: Any) -> Any:
        bodies = _bodies(value)
        for body in bodies:
            change(body, unit)
        return _with(value, bodies)

    spoils(AREA, ops, f"a2a-{name}", rule, changed, central=central)


def _walk(found: Any, change: Any) -> None:
    """Changes every object, the outermost first."""
    if isinstance(found, dict):
        change(found)
        for member in list(found.values()):
            _walk(member, change)
    elif isinstance(found, list):
        for item in found:
            _walk(item, change)


def _objects(name: str, rule: str, change: Any, *, central: bool = False) -> None:
    _body(name, rule, lambda body, unit: _walk(body, lambda found: change(found, unit)), central=central)


def _question(unit: Any) -> str:
    return json.dumps(unit["question"])


def _renamed(old: str, new: str, *, when: Any = None) -> Any:
    def change(found: Any, unit: Any) -> None:
        if old in found and (when is None or when(found, unit)):
            found[new] = found.pop(old)

    return change


# dialects
_objects(
    "no-kinds", "Writes v0.3 without kinds.", lambda found, _: found.pop("kind", None) if "messageId" in found else None
)
_objects(
    "roles-of-v1",
    "Writes the roles of v1.0.",
    lambda found, _: found.update(role="ROLE_AGENT") if found.get("role") == "agent" else None,
)
_objects(
    "roles-of-v0-3",
    "Writes the roles of v0.3 in v1.0.",
    lambda found, unit: (
        found.update(role="agent") if found.get("role") == "ROLE_AGENT" and "a2a-version" in _question(unit) else None
    ),
)
_objects(
    "roles-of-rest",
    "Writes the roles of v0.3 in its REST binding.",
    lambda found, unit: (
        found.update(role="agent") if found.get("role") == "ROLE_AGENT" and "/v1/" in _question(unit) else None
    ),
)
_objects("parts-of-v1", "Writes parts where v0.3 REST has content.", _renamed("content", "parts"))


def _unwrapped(value: Any, _: Any, unit: Any) -> Any:
    bodies = []
    for body in _bodies(value):
        result = body.get("result", body)
        name = next((one for one in ("task", "message", "statusUpdate", "artifactUpdate") if one in result), None)
        if name is not None and "kind" not in result:
            result = {"kind": name, **result[name]}
        bodies.append({**body, "result": result} if "result" in body else result)
    return _with(value, bodies)


def _in_v1(change: Any) -> Any:
    return lambda value, given, unit: (
        change(value, given, unit) if "1.0" in _question(unit) and "jsonrpc" in _question(unit) else None
    )


def _in_rest(mark: str, change: Any) -> Any:
    return lambda value, given, unit: change(value, given, unit) if mark in unit["question"]["url"] else None


spoils(AREA, REPLY, "a2a-bare-in-v1", "Writes bare results in v1.0.", _in_v1(_unwrapped))
spoils(AREA, REPLY, "a2a-bare-in-old-rest", "Writes bare results in v0.3 REST.", _in_rest("/v1/", _unwrapped))
spoils(AREA, REPLY, "a2a-bare-in-rest", "Writes bare results in v1.0 REST.", _in_rest("helper/message", _unwrapped))
_objects(
    "text-types-of-v1",
    "Writes media types of text as v1.0 does.",
    lambda found, _: (
        found.update(mediaType=found["metadata"].pop("mimeType")) if "mimeType" in found.get("metadata", {}) else None
    ),
)
_objects(
    "no-text-types",
    "Leaves media types of text out.",
    lambda found, unit: (
        found.pop("mediaType", None) if "text" in found and "<p>" in json.dumps(unit["response"]) else None
    ),
)
_objects(
    "text-is-markdown",
    "Calls plain text Markdown.",
    lambda found, _: (
        found.update(mediaType="text/markdown")
        if "text" in found and "mediaType" not in found and "metadata" not in found
        else None
    ),
    central=True,
)
_objects(
    "bare-data-in-rest",
    "Does not wrap data in v0.3 REST.",
    lambda found, _: (
        found.update(data=found["data"]["data"])
        if isinstance(found.get("data"), dict) and "data" in found["data"]
        else None
    ),
)
_objects("bytes-of-v0-3", "Names bytes as JSON-RPC does.", _renamed("fileWithBytes", "bytes"))
_objects("addresses-of-v0-3", "Names addresses as JSON-RPC does.", _renamed("fileWithUri", "uri"))
_objects("bytes-of-rest", "Names bytes as REST does.", _renamed("bytes", "fileWithBytes"))
_objects("addresses-of-rest", "Names addresses as REST does.", _renamed("uri", "fileWithUri"))
_objects("bytes-anyhow", "Names bytes by their name of v0.3 in v1.0.", _renamed("raw", "bytes"))
_objects(
    "addresses-anyhow",
    "Names addresses by their name of v0.3 in v1.0.",
    _renamed("url", "uri", when=lambda found, _: "filename" in found),
)

# ids and headers
_body(
    "another-call",
    "Answers another call.",
    lambda body, _: body.update(id=1) if "id" in body and "jsonrpc" in body else None,
    central=True,
)
_body(
    "calls-are-numbers",
    "Takes ids of calls for numbers.",
    lambda body, _: body.update(id=0) if isinstance(body.get("id"), str) else None,
)
_objects(
    "another-context",
    "Forgets the context.",
    lambda found, unit: (
        found.update(contextId="x")
        if "contextId" in found and "taskId" not in _question(unit) and "text" in json.dumps(found)
        else None
    ),
)
_objects(
    "another-task",
    "Makes a task of its own.",
    lambda found, unit: (
        found.update(id="x")
        if "status" in found and "id" in found and "policy" not in json.dumps(unit["response"])
        else None
    ),
)
_objects(
    "task-of-the-question",
    "Stays in the task whatever the agent says.",
    lambda found, _: found.update(id="t1") if found.get("id") == "t9" else None,
)


def _headers(name: str, rule: str, change: Any, ops: tuple[str, ...] = REPLY) -> None:
    def changed(value: Any, _: Any, unit: Any) -> Any:
        headers = [made for one in value["headers"] if (made := change([*one], unit)) is not None]
        return {**value, "headers": headers}

    spoils(AREA, ops, f"a2a-{name}", rule, changed)


_headers(
    "plain-json",
    "Calls REST of v1.0 plain JSON.",
    lambda one, _: ["content-type", "application/json"] if "a2a+json" in one[1] else one,
)
_headers(
    "a2a-json",
    "Calls everything A2A JSON.",
    lambda one, _: ["content-type", "application/a2a+json"] if one[1] == "application/json" else one,
)
_headers("no-extensions", "Names no extensions.", lambda one, _: None if "extensions" in one[0] else one)
_headers(
    "one-header",
    "Names extensions as v1.0 does.",
    lambda one, _: ["a2a-extensions", one[1]] if one[0].startswith("x-") else one,
)


def _always_extends(value: Any, _: Any, unit: Any) -> Any:
    plain = unit["response"]["parts"] == [{"kind": "text", "mime": "text/plain", "content": "It will rain."}]
    return {**value, "headers": [*value["headers"], ["a2a-extensions", EVENTS]]} if plain else None


spoils(AREA, REPLY, "a2a-always-extends", "Names the extension though there is no call.", _always_extends)
spoils(
    AREA,
    REPLY,
    "a2a-no-streams",
    "Answers a stream by one body.",
    lambda value, *_: (
        {**value, "headers": [["content-type", "application/json"]]}
        if "event-stream" in json.dumps(value["headers"])
        else None
    ),
)
spoils(
    AREA,
    REPLY,
    "a2a-quotes",
    "Sends the question along.",
    lambda value, _, unit: {**value, "headers": [*value["headers"], ["x-question", _question(unit)]]},
)
spoils(
    AREA,
    REPLY,
    "a2a-annotates",
    "Sends a trace along.",
    lambda value, *_: {**value, "headers": [*value["headers"], ["x-trace", 'class="mentionable-trace"']]},
)


# parts
def _data(name: str, rule: str, change: Any) -> None:
    def changed(found: Any, unit: Any) -> None:
        if "toolCallId" in found:
            change(found)

    _objects(name, rule, changed)


_data("no-outputs", "Leaves results out.", lambda data: data.pop("output", None) if data.get("output") else None)
_data(
    "null-is-nothing",
    "Leaves results of null out.",
    lambda data: data.pop("output", None) if data.get("output", 1) is None else None,
)
_data(
    "errors-as-text",
    "Writes errors as text.",
    lambda data: data.update(error=data["error"]["message"]) if "error" in data else None,
)
_data(
    "everything-ended",
    "Says that running calls have ended.",
    lambda data: data.update(type="tool-result") if data["type"] == "tool-call" else None,
)
_data("names-of-others", "Names calls as others do.", lambda data: data.update(args=data.pop("input")))
_objects(
    "links-are-data",
    "Does not say that a link is one.",
    lambda found, _: found.pop("kind") if found.get("kind") == "link" else None,
)
_objects("no-expiry", "Does not say when a URL ends.", lambda found, _: found.pop("expires_at", None))
_objects("no-digests", "Does not say which digest bytes have.", lambda found, _: found.pop("sha256", None))
_objects(
    "no-file-names", "Forgets names of files.", lambda found, _: (found.pop("filename", None), found.pop("name", None))
)
_objects("artifacts-are-files", "Takes artifacts for files.", lambda found, _: found.pop("artifact_type", None))


# tasks
def _states(name: str, rule: str, change: Any) -> None:
    _objects(
        name,
        rule,
        lambda found, unit: (
            found.update(state=change(found["state"], unit)) if "state" in found and "timestamp" in found else None
        ),
    )


_states(
    "lower-states",
    "Writes states of v1.0 as v0.3 does.",
    lambda state, _: state.removeprefix("TASK_STATE_").lower() if state.startswith("TASK") else state,
)
_states(
    "upper-states",
    "Writes states of v0.3 as v1.0 does.",
    lambda state, _: state if state.startswith("TASK") else f"TASK_STATE_{state.upper()}",
)
_states(
    "always-completed",
    "Completes every task.",
    lambda state, _: (
        state if "work" in state.lower() else "TASK_STATE_COMPLETED" if state.startswith("TASK") else "completed"
    ),
)
_states(
    "demands-are-failures",
    "Takes demands for failures.",
    lambda state, unit: (
        state if "policy" not in json.dumps(unit["response"]) else "failed" if state.islower() else "TASK_STATE_FAILED"
    ),
)
_states(
    "demands-want-input",
    "Takes every demand for a question.",
    lambda state, unit: (
        state
        if "policy" not in json.dumps(unit["response"])
        else "input-required"
        if state.islower()
        else "TASK_STATE_INPUT_REQUIRED"
    ),
)
_body("no-artifacts", "Leaves artifacts out.", lambda body, _: _walk(body, lambda found: found.pop("artifacts", None)))
_objects(
    "silent-failures",
    "Says nothing when it fails.",
    lambda found, unit: found.update(text="Failed.") if found.get("text") == "Try again later." else None,
)
_objects(
    "shows-internals",
    "Shows the error in place of what the agent says.",
    lambda found, unit: (
        found.update(text=unit["response"]["error"]["message"])
        if "text" in found and "error" in unit["response"] and unit["response"]["parts"]
        else None
    ),
)


def _never_a_task(value: Any, _: Any, unit: Any) -> Any:
    (body,) = bodies = _bodies(value) if "event-stream" not in json.dumps(value["headers"]) else [{}]
    if "task" not in body.get("result", {}) or "taskId" in _question(unit):
        return None
    body["result"] = {"message": body["result"]["task"]["status"]["message"]}
    return _with(value, bodies)


spoils(AREA, REPLY, "a2a-fails-without-a-task", "Answers failures by a message.", _never_a_task)


# streams
def _streams(name: str, rule: str, change: Any) -> None:
    spoils(
        AREA,
        REPLY,
        f"a2a-{name}",
        rule,
        lambda value, _, unit: (
            _with(value, change(_bodies(value))) if "event-stream" in json.dumps(value["headers"]) else None
        ),
    )


_objects(
    "final-in-v1",
    "Marks the end in v1.0 too.",
    lambda found, _: (
        found["statusUpdate"].update(final=True)
        if "statusUpdate" in found and "final" not in found["statusUpdate"]
        else None
    ),
)
_objects("no-final", "Does not mark the end in v0.3.", lambda found, _: found.pop("final", None))
_objects("never-appends", "Replaces what came before.", lambda found, _: found.pop("append", None))
_objects("no-last-chunk", "Does not say which piece is the last.", lambda found, _: found.pop("lastChunk", None))
_streams(
    "no-opening",
    "Opens no task.",
    lambda bodies: [one for one in bodies if "ORKING" not in json.dumps(one) and '"working"' not in json.dumps(one)],
)
_streams("no-ending", "Does not end the task.", lambda bodies: bodies[:-1] if len(bodies) > 1 else bodies)
_streams(
    "messages-only-in-tasks",
    "Opens a task for one message.",
    lambda bodies: (
        [{**bodies[0], "x": 1}, *bodies] if len(bodies) == 1 and '"messageId"' in json.dumps(bodies) else bodies
    ),
)
_streams(
    "an-artifact-each",
    "Makes an artifact of each frame.",
    lambda bodies: [
        json.loads(json.dumps(one).replace('"taskId": "t1"', '"taskId": "t2"')) if "rtifact" in json.dumps(one) else one
        for one in bodies
    ],
)

EMPTY = {"status": 200, "headers": [], "body": "{}"}
for _name, _rule, _test in (
    ("answers-others", "Answers another message.", lambda said: "reply_to" in said),
    ("streams-anyway", "Sends frames to who wants one answer.", lambda said: "streaming" in said),
    (
        "frames-without-places",
        "Sends partial answers without a place.",
        lambda said: said["status"] == "partial" and "streaming" not in said,
    ),
    ("any-channel", "Sends what is for another channel.", lambda said: "push_back" in said),
    ("promises-bytes", "Sends digests alone.", lambda said: '"digest"' in json.dumps(said)),
    ("any-inline", "Sends inline bytes of any size.", lambda said: '"inline"' in json.dumps(said)),
    (
        "result-and-error",
        "Sends calls with both.",
        lambda said: any({"result", "error"} <= p.keys() for p in said["parts"]),
    ),
):
    takes(
        AREA,
        REPLY,
        f"a2a-{_name}",
        _rule,
        lambda *_: EMPTY,
        "malformed",
        when=lambda unit, test=_test: test(unit["response"]),
    )

spoils(
    AREA,
    REPLY,
    "a2a-raw-line-separators",
    "Writes line separators of Unicode as they are.",
    lambda value, *_: {
        **value,
        "body": re.sub(r"\\u(0085|2028|2029)", lambda found: chr(int(found[1], 16)), value["body"]),
    },
)
