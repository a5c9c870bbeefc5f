"""JSON of A2A 1.0 as the other dialects write it: tasks, messages, artifacts, parts and events.

What is stored of a task is JSON of A2A 1.0. Each object becomes one of another dialect by its members, in one pass;
members of no known name stay.

Spec: A2A 0.3 §6, `a2a.proto` of A2A 0.3; A2A 1.0 §4.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, cast

from ..._errors.exceptions import UsageError
from ..._model.stored_task import ENDED, StoredTask, TaskState, last_messages
from .._protocol import KINDS, Json
from .._read.convert import TASK_MEMBERS
from .._read.task import STATES, WAITING
from .dialects import V1, Dialect

_ROLES: Final[Mapping[Any, str]] = {"ROLE_USER": "user", "ROLE_AGENT": "agent"}
_OF_PART: Final = frozenset({"text", "url", "raw", "data", "metadata", "filename", "mediaType"})
_STATES: Final = frozenset(V1.states.values())


def check_event(event: object) -> tuple[str, str]:
    """The wrapper of an event of A2A 1.0, and the id of its task, which is empty where a message names none.

    Raises:
        UsageError: It is no event that `Outgoing.updates` could have: one object in one of the four wrappers, with the
            members that the protocol requires.
    """
    if not isinstance(event, Mapping) or len(event) != 1 or not event.keys() <= KINDS.keys():
        raise UsageError("an event is one of Outgoing.updates: an object with task, message, statusUpdate or …")
    ((kind, members),) = event.items()
    if not isinstance(members, Mapping):
        raise UsageError(f"{kind} must be an object")
    task_id = members.get("id" if kind == "task" else "taskId")
    if kind == "message" and task_id is None:
        task_id = ""
    elif not isinstance(task_id, str) or not task_id:
        raise UsageError(f"{kind} names no task")
    _CHECKS[kind](members)
    return kind, task_id


def _check_task(task: Mapping[str, Any]) -> None:
    _check_status_of(task)
    for name, check in (("artifacts", _check_artifact), ("history", _check_message)):
        for item in _objects_in(task.get(name, ()), name):
            check(item)


def _check_status_of(holder: Mapping[str, Any]) -> None:
    status = holder.get("status")
    state = status.get("state") if isinstance(status, Mapping) else None
    if not isinstance(status, Mapping) or not isinstance(state, str) or state not in _STATES:
        raise UsageError("status.state must be a state of A2A 1.0")
    if "message" in status:
        _check_message(status["message"])


def _check_artifact_of(update: Mapping[str, Any]) -> None:
    _check_artifact(update.get("artifact"))


def _check_artifact(artifact: object) -> None:
    if not isinstance(artifact, Mapping) or not _is_name(artifact.get("artifactId")):
        raise UsageError("an artifact must have an artifactId")
    _objects_in(artifact.get("parts"), "parts")


def _check_message(message: object) -> None:
    if not isinstance(message, Mapping) or not _is_name(message.get("messageId")):
        raise UsageError("a message must have a messageId")
    role = message.get("role")
    if not isinstance(role, str) or role not in _ROLES:
        raise UsageError("a message must have a role of A2A 1.0")
    _objects_in(message.get("parts"), "parts")


def _is_name(value: object) -> bool:
    return isinstance(value, str) and value != ""


def _objects_in(values: object, name: str) -> Iterable[Mapping[str, Any]]:
    if not isinstance(values, (list, tuple)) or not all(isinstance(one, Mapping) for one in values):
        raise UsageError(f"{name} must be an array of objects")
    return values


_CHECKS: Final[Mapping[str, Callable[[Mapping[str, Any]], None]]] = {
    "task": _check_task,
    "message": _check_message,
    "statusUpdate": _check_status_of,
    "artifactUpdate": _check_artifact_of,
}
"""Wrapper of an event → what checks its members."""


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
    written: Json = {name: member for name, member in task.extra.items() if name not in TASK_MEMBERS}
    written |= {"id": task.id, "contextId": task.context_id, "status": status}
    if has_artifacts and task.artifacts:
        written["artifacts"] = [artifact_in(artifact, dialect) for artifact in task.artifacts]
    if history := last_messages(task.history, history_length):
        written["history"] = _messages_in(history, dialect)
    if task.metadata:
        written["metadata"] = task.metadata
    return dialect.object("task", written)


def event_of(update: StoredTask | Mapping[str, Any], *, history_length: int | None = None) -> Mapping[str, Any]:
    """What is new about a task as an event of A2A 1.0: the task as it is stored, or the event itself."""
    if isinstance(update, StoredTask):
        return {"task": task_in(update, V1, history_length=history_length)}
    return update


def event_in(event: Mapping[str, Any], dialect: Dialect) -> Json:
    """An event of a stream: a task, a message, another status or an artifact."""
    if dialect.version == "1.0":
        return {**event}
    wrapper, members = next(iter(event.items()))
    return dialect.event(KINDS[wrapper], _EVENTS[wrapper](members, dialect))


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
            written[dialect.parts] = _parts_in(member, dialect)
        elif name == "role":
            written["role"] = _ROLES.get(member, member) if dialect.has_kind and isinstance(member, str) else member
        elif name != "referenceTaskIds" or dialect.has_kind:
            written[name] = member
    if not dialect.has_kind and "referenceTaskIds" in message:
        written["metadata"] = {**_object(message.get("metadata")), "referenceTaskIds": message["referenceTaskIds"]}
    return written


def artifact_in(artifact: Mapping[str, Any], dialect: Dialect) -> Mapping[str, Any]:
    """An artifact, which all dialects write alike but for its parts."""
    if dialect.version == "1.0":
        return artifact
    return {**artifact, "parts": _parts_in(artifact.get("parts"), dialect)}


def _parts_in(parts: Any, dialect: Dialect) -> list[Json]:
    """The parts of what was stored: what is no object cannot be one."""
    if not isinstance(parts, (list, tuple)):
        return []
    return [_part_in(part, dialect) for part in parts if _is_object(part)]


def _is_object(value: Any) -> bool:
    return value.__class__ is dict or isinstance(value, Mapping)  # asking a type for its name takes a tenth


def _object(value: Any) -> Mapping[str, Any]:
    return value if value is not None and _is_object(value) else {}


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
    metadata = _object(part.get("metadata"))
    if metadata or added:
        written["metadata"] = {**metadata, **added}
    if not _OF_PART.issuperset(part):
        written |= {member: part[member] for member in part if member not in _OF_PART}
    return written


def _data_in(data: Any, dialect: Dialect) -> tuple[Json, Json]:
    """A data part, and its metadata: v0.3 allows objects alone, so others are wrapped as the official SDKs do."""
    if _is_object(data):
        return dialect.data(data), {}
    return dialect.data({"value": data}), {"data_part_compat": True}


_EVENTS: Final[Mapping[str, Any]] = {
    "task": _task_in,
    "message": message_in,
    "statusUpdate": _status_update_in,
    "artifactUpdate": _artifact_update_in,
}
"""Wrapper of an event → what writes its members."""
