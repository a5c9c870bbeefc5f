"""JSON of A2A 1.0 as the other dialects write it: tasks, messages, artifacts, parts and events.

What is stored of a task is JSON of A2A 1.0. Each object becomes one of another dialect by its members, in one pass;
members of no known name stay.

Spec: A2A 0.3 §6, `a2a.proto` of A2A 0.3; A2A 1.0 §4.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, cast

from ..._model.stored_task import ENDED, StoredTask, TaskState
from .._protocol import WRAPPERS, Json
from .._read.task import STATES, WAITING
from .dialects import Dialect

_ROLES: Final[Mapping[Any, str]] = {"ROLE_USER": "user", "ROLE_AGENT": "agent"}
_OF_PART: Final = frozenset({"text", "url", "raw", "data", "metadata", "filename", "mediaType"})
_KINDS: Final[Mapping[str, str]] = {wrapper: kind for kind, wrapper in WRAPPERS.items()}


def task_in(task: StoredTask, dialect: Dialect, *, history_length: int | None, has_artifacts: bool = True) -> Json:
    """A task that was stored.

    Args:
        task: The task.
        dialect: The dialect to write in.
        history_length: How many of its last messages to show; None: all of them.
        has_artifacts: Whether its artifacts come along.
    """
    status: Json = {"state": dialect.states[task.state]}
    if task.message is not None:
        status["message"] = message_in(task.message, dialect)
    status["timestamp"] = task.updated_at
    written: Json = {"id": task.id, "contextId": task.context_id, "status": status}
    if has_artifacts and task.artifacts:
        written["artifacts"] = [artifact_in(artifact, dialect) for artifact in task.artifacts]
    history = task.history
    if history_length is not None:
        history = history[max(0, len(history) - history_length) :]
    if history:
        written["history"] = _messages_in(history, dialect)
    if task.metadata:
        written["metadata"] = task.metadata
    return dialect.object("task", written)


def event_in(event: Mapping[str, Any], dialect: Dialect) -> Json:
    """An event of a stream: a task, a message, another status or an artifact."""
    if dialect.version == "1.0":
        return {**event}
    wrapper, members = next(iter(event.items()))
    return dialect.event(_KINDS[wrapper], _EVENTS[wrapper](members, dialect))


def _task_in(task: Mapping[str, Any], dialect: Dialect) -> Json:
    written: Json = {}
    for name, member in task.items():
        if name == "status":
            member = _status_in(member, dialect)
        elif name == "artifacts":
            member = [artifact_in(artifact, dialect) for artifact in member]
        elif name == "history":
            member = _messages_in(member, dialect)
        written[name] = member
    return dialect.object("task", written)


def _status_update_in(update: Mapping[str, Any], dialect: Dialect) -> Json:
    """A status; the last one says so in v0.3."""
    state = STATES.get(update["status"]["state"])
    written = {**update, "status": _status_in(update["status"], dialect)}
    if state in ENDED or state in WAITING:
        written["final"] = True
    return written


def _artifact_update_in(update: Mapping[str, Any], dialect: Dialect) -> Json:
    return {**update, "artifact": artifact_in(update["artifact"], dialect)}


def _status_in(status: Mapping[str, Any], dialect: Dialect) -> Json:
    written = {**status, "state": dialect.states[cast("TaskState", STATES[status["state"]])]}
    if "message" in written:
        written["message"] = message_in(written["message"], dialect)
    return written


def _messages_in(messages: Iterable[Mapping[str, Any]], dialect: Dialect) -> list[Mapping[str, Any]]:
    if dialect.version == "1.0":
        return list(messages)
    return [message_in(message, dialect) for message in messages]


def message_in(message: Mapping[str, Any], dialect: Dialect) -> Mapping[str, Any]:
    """A message. What the ProtoJSON of v0.3 has no member for goes into its metadata."""
    if dialect.version == "1.0":
        return message
    written: Json = {"kind": "message"} if dialect.has_kind else {}
    for name, member in message.items():
        if name == "parts":
            written[dialect.parts] = [_part_in(part, dialect) for part in member]
        elif name == "role":
            written["role"] = _ROLES.get(member, member) if dialect.has_kind else member
        elif name != "referenceTaskIds" or dialect.has_kind:
            written[name] = member
    if not dialect.has_kind and "referenceTaskIds" in message:
        written["metadata"] = {**message.get("metadata", {}), "referenceTaskIds": message["referenceTaskIds"]}
    return written


def artifact_in(artifact: Mapping[str, Any], dialect: Dialect) -> Mapping[str, Any]:
    """An artifact, which all dialects write alike but for its parts."""
    if dialect.version == "1.0":
        return artifact
    return {**artifact, "parts": [_part_in(part, dialect) for part in artifact["parts"]]}


def _part_in(part: Mapping[str, Any], dialect: Dialect) -> Json:
    """A part. Type and name of what is no file have no member of their own in v0.3, and go into its metadata."""
    mime, name = part.get("mediaType"), part.get("filename")
    added: Json = {}
    if "url" in part or "raw" in part:
        at = "url" if "url" in part else "raw"
        file = {getattr(dialect, at): part[at]}
        if mime is not None:
            file["mimeType"] = mime
        if name is not None:
            file["name"] = name
        written = dialect.object("file", {"file": file})
    else:
        if "text" in part:
            written, usual = dialect.object("text", {"text": part["text"]}), "text/plain"
        else:
            written, added = _data_in(part.get("data"), dialect)
            usual = "application/json"
        if mime is not None and mime != usual:
            added["mimeType"] = mime
        if name is not None:
            added["filename"] = name
    metadata = part.get("metadata")
    if metadata or added:
        written["metadata"] = {**(metadata or {}), **added}
    if not part.keys() <= _OF_PART:
        written |= {member: part[member] for member in part if member not in _OF_PART}
    return written


def _data_in(data: Any, dialect: Dialect) -> tuple[Json, Json]:
    """A data part, and its metadata: v0.3 allows objects alone, so others are wrapped as the official SDKs do."""
    if isinstance(data, Mapping):
        return dialect.data(data), {}
    return dialect.data({"value": data}), {"data_part_compat": True}


_EVENTS: Final[Mapping[str, Any]] = {
    "task": _task_in,
    "message": message_in,
    "statusUpdate": _status_update_in,
    "artifactUpdate": _artifact_update_in,
}
"""Wrapper of an event → what writes its members."""
