"""JSON of any dialect as JSON of A2A 1.0: tasks, messages, artifacts and parts.

Each object is read by the members that it has, since peers mix the dialects; members of no known name stay.

Spec: A2A 0.3 §6, `a2a.proto` of A2A 0.3; A2A 1.0 §4.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

from ..._errors.exceptions import wire_error
from ..._flow.settings import Limits
from ..._model.stored_task import StoredTask, TaskState
from ..._wire.time import normal_time
from .._protocol import Json
from .envelope import task_mark
from .files import double_base64
from .message import ENUM, ROLES
from .parse_context import members_of
from .task import read_task

_ROLES: Final = {"user": "ROLE_USER", "agent": "ROLE_AGENT"}
_FILES: Final[Mapping[str, str]] = {
    "uri": "url",
    "fileWithUri": "url",
    "bytes": "raw",
    "fileWithBytes": "raw",
    "mimeType": "mediaType",
    "name": "filename",
}
"""Member of a file of v0.3 → its name in v1.0."""
_METADATA: Final[Mapping[str, str]] = {"mimeType": "mediaType", "filename": "filename"}
_WRAPPED: Final = "data_part_compat"
_NO_TIME: Final = "1970-01-01T00:00:00Z"
"""The time of a status that has none, which is older than any other."""


def read_stored_task(task: Any, limits: Limits) -> StoredTask:
    """A task of any dialect as one that can be stored; without an owner, since it is a task of another agent.

    Raises:
        WireError: As `read_task`; `wrong-type` for a history or an artifact of another form; `unknown-value` for the
            state `unknown` of v0.3.
    """
    head = read_task(task, limits)
    if head.state == "unknown":
        raise wire_error("unknown-value", "/status/state", "the agent does not know the state of its task")
    members, is_old_rest = members_of(task, "a task"), task_mark(task) == "0.3-rest"
    status, metadata = members_of(members["status"], "the status of a task"), members.get("metadata")
    message = status.get("message")
    if metadata is not None and metadata.__class__ is not dict:
        raise wire_error("wrong-type", "/metadata", "must be an object")
    return StoredTask(
        id=head.id,
        context_id=head.context_id or head.id,
        state=cast("TaskState", head.state),
        updated_at=_time(head.timestamp),
        message=None if message is None else message_from(message, is_old_rest=is_old_rest),
        artifacts=tuple([artifact_from(one, is_old_rest=is_old_rest) for one in _objects(head.artifacts, "artifacts")]),
        history=tuple([message_from(one, is_old_rest=is_old_rest) for one in _objects(head.history, "history")]),
        metadata=metadata or {},
    )


def _objects(values: list[Any], name: str) -> list[Json]:
    """The items of an array, each of which must be an object."""
    for index, value in enumerate(values):
        if value.__class__ is not dict:
            raise wire_error("wrong-type", f"/{name}/{index}", "must be an object")
    return values


def _time(timestamp: Any) -> str:
    """The time of a status in UTC; some peers write no offset."""
    text = timestamp if timestamp.__class__ is str else ""
    return normal_time(text) or normal_time(f"{text}Z") or _NO_TIME


def message_from(message: Json, *, is_old_rest: bool = False) -> Json:
    """A message; `is_old_rest` says whether it is ProtoJSON of v0.3, which wraps data once more."""
    members = {**members_of(message, "a message")}
    members.pop("kind", None)
    if "parts" not in members and "content" in members:
        members["parts"] = members.pop("content")
    role = members.get("role")
    if role.__class__ in ENUM and role in ROLES:
        members["role"] = _ROLES[ROLES[role]]
    return _with_parts(members, is_old_rest)


def artifact_from(artifact: Json, *, is_old_rest: bool = False) -> Json:
    """An artifact, as `message_from`."""
    return _with_parts({**members_of(artifact, "an artifact")}, is_old_rest)


def _with_parts(members: Json, is_old_rest: bool) -> Json:
    """The same members, with parts of v1.0 where they have parts."""
    parts = members.get("parts")
    if parts.__class__ is list:
        members["parts"] = [_part_from(part, is_old_rest) if part.__class__ is dict else part for part in parts]
    return members


def _part_from(part: Json, is_old_rest: bool) -> Json:
    """A part. What v0.3 writes into the metadata because it has no member for it becomes a member."""
    members = {**members_of(part, "a part")}
    kind = members.pop("kind", None)
    file, data, metadata = members.get("file"), members.get("data"), members.get("metadata")
    if kind is None and file is None and not is_old_rest:  # v1.0 already
        return members
    if file.__class__ is dict:
        del members["file"]
        members |= _file_from(members_of(file, "a file"), is_old_rest=is_old_rest and kind is None)
    if is_old_rest and kind is None and data.__class__ is dict and data.keys() == {"data"}:
        members["data"] = data = data["data"]
    if metadata.__class__ is not dict:
        return members
    remaining = {**metadata}
    if remaining.get(_WRAPPED) is True and data.__class__ is dict and data.keys() == {"value"}:
        members["data"] = data["value"]
        del remaining[_WRAPPED]
    for name, member in _METADATA.items():
        if member not in members and remaining.get(name).__class__ is str:
            members[member] = remaining.pop(name)
    del members["metadata"]
    return {**members, "metadata": remaining} if remaining else members


def _file_from(file: Json, *, is_old_rest: bool) -> Json:
    """The members of a file of v0.3; one SDK encodes bytes twice over REST."""
    members = {_FILES.get(name, name): member for name, member in file.items() if member is not None}
    inner = double_base64(members.get("raw"), str(members.get("mediaType", ""))) if is_old_rest else None
    return members if inner is None else {**members, "raw": inner}
