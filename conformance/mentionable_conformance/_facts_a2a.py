"""Facts about what answers an A2A question, in any dialect and binding."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from json import dumps, loads
from typing import Any, Final, TypeAlias

from mentionable_conformance._facts_error import FactError

__all__ = ["A2A"]

Fact: TypeAlias = Callable[[Any], Any]
_WRAPPERS: Final = ("message", "task", "statusUpdate", "artifactUpdate")
_LINE_END: Final = re.compile(r"\r\n|\n|\r")
_HINTS: Final = ("kind", "expires_at", "sha256", "artifact_type")
"""What the cases ask of `metadata.mentionable` of a part; implementations may say more there."""


def _header(value: Mapping[str, Any], name: str) -> str | None:
    texts = [text for header, text in value["headers"] if header.lower() == name]
    return ", ".join(texts) if texts else None


def _is_stream(value: Mapping[str, Any]) -> bool:
    return (_header(value, "content-type") or "").startswith("text/event-stream")


def _bodies(value: Mapping[str, Any]) -> Sequence[Any]:
    """The JSON of a body: one document, or one an event of a stream."""
    if not _is_stream(value):
        return [loads(value["body"])]
    blocks = re.split(r"\r\n\r\n|\n\n|\r\r", value["body"])
    data = [
        "\n".join(line[5:].strip() for line in re.split(r"\r\n|\n|\r", block) if line.startswith("data:"))
        for block in blocks
    ]
    return [loads(one) for one in data if one]


def _opened(body: Mapping[str, Any]) -> tuple[str, Any, bool]:
    """What an answer or an event is, its members, and whether it stands in a wrapper."""
    result = body["result"] if "jsonrpc" in body else body
    for name in _WRAPPERS:
        if name in result and "kind" not in result:
            return name, result[name], True
    return result["kind"], result, False


def _last_result(value: Mapping[str, Any]) -> tuple[str, Any, bool]:
    """The answer, or the last event of a stream."""
    return _opened(_bodies(value)[-1])


def _message(value: Mapping[str, Any]) -> Any:
    kind, result, _ = _last_result(value)
    return result if kind == "message" else result["status"].get("message")


def _parts(value: Mapping[str, Any]) -> Any:
    message = _message(value)
    if message is None:
        return None
    return [_plain(part) for part in (message["content"] if "content" in message else message["parts"])]


def _plain(part: Mapping[str, Any]) -> dict[str, Any]:
    """A part without what implementations may add to it."""
    metadata = dict(part.get("metadata", {}))
    hints = {name: hint for name, hint in metadata.pop("mentionable", {}).items() if name in _HINTS}
    if hints:
        metadata["mentionable"] = hints
    made = {name: member for name, member in part.items() if name != "metadata"}
    if "data" in made and made.get("mediaType") == "application/json":
        del made["mediaType"]
    return {**made, "metadata": metadata} if metadata else made


def _spelling(value: Mapping[str, Any]) -> dict[str, Any]:
    """By what readers tell the dialects apart."""
    kind, result, is_wrapped = _last_result(value)
    message = _message(value) or {}
    return {
        "kind": kind,
        "wrapped": is_wrapped,
        "marked": result.get("kind"),
        "role": message.get("role"),
        "parts": "content" if "content" in message else "parts",
    }


def _artifacts(value: Mapping[str, Any]) -> list[Any]:
    artifacts = _last_result(value)[1].get("artifacts", [])
    return [{"name": one.get("name"), "parts": [_plain(part) for part in one["parts"]]} for one in artifacts]


def _task_id(value: Mapping[str, Any]) -> Any:
    kind, result, _ = _last_result(value)
    return result.get("id") if kind == "task" else result.get("taskId")


def _state(value: Mapping[str, Any]) -> Any:
    return _last_result(value)[1].get("status", {}).get("state")


def _events(value: Mapping[str, Any]) -> list[list[Any]]:
    """Each event: what it is, and the state or the marks of the piece of an artifact."""
    frames: list[list[Any]] = []
    for kind, frame, _ in map(_opened, _bodies(value)):
        if kind in ("artifactUpdate", "artifact-update"):
            marks = [mark for mark in ("append", "lastChunk") if frame.get(mark)]
            frames.append([kind, *marks])
        else:
            state = frame.get("status", {}).get("state")
            frames.append([kind, *([state] if state else [])])
    return frames


def _finals(value: Mapping[str, Any]) -> list[Any]:
    """What each status event says of being the last; null where it says nothing."""
    kinds = ("statusUpdate", "status-update")
    return [frame.get("final") for kind, frame, _ in map(_opened, _bodies(value)) if kind in kinds]


def _one_artifact(value: Mapping[str, Any]) -> bool:
    """Whether all pieces of a stream are of one artifact, and all events of one task."""
    frames = [one for _, one, _ in map(_opened, _bodies(value))]
    artifacts = {one["artifact"]["artifactId"] for one in frames if "artifact" in one}
    tasks = {one.get("taskId", one.get("id")) for one in frames}
    return len(artifacts) <= 1 and len(tasks) == 1


def _pieces(value: Mapping[str, Any]) -> list[Any]:
    frames = [one for _, one, _ in map(_opened, _bodies(value)) if "artifact" in one]
    return [[_plain(part) for part in one["artifact"]["parts"]] for one in frames]


def _extensions(value: Mapping[str, Any]) -> dict[str, list[str]]:
    """The extensions that are named, under the name of their header."""
    headers = {name: _header(value, name) for name in ("a2a-extensions", "x-a2a-extensions")}
    return {name: sorted(one.strip() for one in text.split(",")) for name, text in headers.items() if text is not None}


def _metadata(value: Mapping[str, Any]) -> Any:
    """The metadata of the message."""
    return (_message(value) or {}).get("metadata", {})


def _payment(value: Mapping[str, Any]) -> dict[str, Any]:
    """What stands in the metadata of the message for clients of x402; its words are free."""
    members = {name: member for name, member in _metadata(value).items() if name.startswith("x402.")}
    for member in members.values():
        if isinstance(member, dict) and "error" in member:
            member["error"] = bool(member["error"])
    return members


def _demanding(value: Mapping[str, Any]) -> list[bool]:
    """For each event, whether there is a policy in it."""
    return ['"policy"' in dumps(body) for body in _bodies(value)]


def _error(value: Mapping[str, Any]) -> dict[str, Any]:
    """What an error body says to programs; its words are free."""
    (body,) = _bodies(value)
    error = body["error"]
    if "result" in body:
        raise FactError("a result stands beside the error")
    words = error["message"]
    return {"code": error["code"], "in_words": isinstance(words, str) and words.strip() != "", "call": body.get("id")}


def _params(value: Mapping[str, Any]) -> Any:
    """The parameters of a call: its message, and what is around it."""
    body = loads(value["body"])
    return body["params"] if "jsonrpc" in body else body


def _request(value: Mapping[str, Any]) -> Any:
    """The message of a call."""
    return _params(value)["message"]


def _request_parts(value: Mapping[str, Any]) -> list[Any]:
    message = _request(value)
    return [_plain(part) for part in (message["content"] if "content" in message else message["parts"])]


A2A: Final[Mapping[str, Fact]] = {
    "call": lambda value: _bodies(value)[0].get("id"),
    "spelling": _spelling,
    "parts": _parts,
    "artifacts": _artifacts,
    "context": lambda value: _last_result(value)[1].get("contextId"),
    "task": _task_id,
    "state": _state,
    "message_id": lambda value: _message(value)["messageId"],
    "events": _events,
    "finals": _finals,
    "one_artifact": _one_artifact,
    "pieces": _pieces,
    "content_type": lambda value: (_header(value, "content-type") or "").partition(";")[0],
    "version": lambda value: _header(value, "a2a-version"),
    "authorization": lambda value: _header(value, "authorization"),
    "challenged": lambda value: _header(value, "www-authenticate") is not None,
    "extensions": _extensions,
    "policy": lambda value: _metadata(value).get("mentionable", {}).get("policy"),
    "payment": _payment,
    "demanding": _demanding,
    "message_extensions": lambda value: sorted((_message(value) or {}).get("extensions", [])),
    "error": _error,
    "method": lambda value: loads(value["body"]).get("method"),
    "request_parts": _request_parts,
    "request_role": lambda value: _request(value)["role"],
    "request_configuration": lambda value: _params(value).get("configuration"),
    "request_context": lambda value: _request(value).get("contextId"),
    "request_task": lambda value: _request(value).get("taskId"),
    "request_metadata": lambda value: _request(value).get("metadata", {}),
    "request_hints": lambda value: _request(value).get("metadata", {}).get("mentionable"),
    "wire": lambda value: value["body"] + dumps(value["headers"]),
}
