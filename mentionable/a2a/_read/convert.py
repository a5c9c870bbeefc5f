"""JSON of any dialect as JSON of A2A 1.0: tasks, messages, artifacts and parts.

Each object is read by the members that it has, since peers mix the dialects; members of no known name stay.

Spec: A2A 0.3 §6, `a2a.proto` of A2A 0.3; A2A 1.0 §4.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import count
from typing import Any, Final, TypeAlias, cast

from ..._errors.exceptions import Problem, WireError, wire_error, with_prefix
from ..._flow.settings import Limits
from ..._model.codec import Decoded
from ..._model.diagnostic import Diagnostic, left_out
from ..._model.stored_task import StoredTask, TaskState
from ..._wire.strict_json import pointer
from ..._wire.time import normal_time, utc_text
from .._protocol import Json
from .envelope import task_mark
from .files import double_base64
from .message import ENUM, ROLES
from .parameters import Parameters
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


TASK_MEMBERS: Final = frozenset({"id", "contextId", "status", "artifacts", "history", "metadata", "kind"})
"""The members of a task."""
_OF_STATUS: Final = frozenset({"state", "timestamp", "message"})

_Converted: TypeAlias = tuple[Json, list[Problem]]
"""An object, and what of it was left out."""


def read_stored_task(task: Any, limits: Limits) -> Decoded[StoredTask]:
    """A task of any dialect as one that can be stored; without an owner, since it is a task of another agent.

    Members of no known name go into `extra`. Diagnostics name what has no place: such members of the status, parts that
    are no objects, and a time that is none.

    Raises:
        WireError: As `read_task`; `wrong-type` for a history or an artifact of another form; `unknown-value` for the
            state `unknown` of v0.3.
    """
    # 1. the head   2. the messages and artifacts   3. the other members
    head = read_task(task, limits)
    if head.state == "unknown":
        raise wire_error("unknown-value", "/status/state", "the agent does not know the state of its task")
    members, is_old_rest = members_of(task, "a task"), task_mark(task) == "0.3-rest"
    status, metadata = members_of(members["status"], "the status of a task"), members.get("metadata")
    if metadata is not None and metadata.__class__ is not dict:
        raise wire_error("wrong-type", "/metadata", "must be an object")

    message = status.get("message")
    words = [] if message is None else [message]
    messages, odd_words = _each(words, ["/status/message"], message_from, is_old_rest)
    artifacts, odd_artifacts = _each(head.artifacts, _items("artifacts"), artifact_from, is_old_rest)
    history, odd_history = _each(head.history, _items("history"), message_from, is_old_rest)

    extra, taken = Parameters(members, "", limits).others(TASK_MEMBERS, StoredTask)
    unplaced = [Problem(pointer("status", name), "it has no place") for name in status if name not in _OF_STATUS]
    updated_at, assumed = _time(status.get("timestamp"))
    stored = StoredTask(
        id=head.id,
        context_id=head.context_id or head.id,
        state=cast("TaskState", head.state),
        updated_at=updated_at,
        message=messages[0] if messages else None,
        artifacts=tuple(artifacts),
        history=tuple(history),
        metadata=metadata or {},
        extra=extra,
    )
    dropped = left_out([*unplaced, *odd_words, *odd_artifacts, *odd_history])
    return Decoded(stored, (*assumed, *taken, *dropped))


def _items(name: str) -> Iterator[str]:
    """JSON Pointers to the items of an array."""
    return (f"/{name}/{index}" for index in count())


def _each(
    values: list[Any], pointers: Iterable[str], read: Callable[[Json, bool], _Converted], is_old_rest: bool
) -> tuple[list[Json], list[Problem]]:
    """Objects, each at its pointer, and what of them was left out."""
    items: list[Json] = []
    dropped: list[Problem] = []
    for value, at in zip(values, pointers, strict=False):
        if value.__class__ is not dict:
            raise wire_error("wrong-type", at, "must be an object")
        try:
            item, problems = read(value, is_old_rest)
        except WireError as error:
            raise with_prefix(error, at) from None
        items.append(item)
        dropped += [Problem(at + one.at, one.rule) for one in problems]
    return items, dropped


def _time(timestamp: Any) -> tuple[str, list[Diagnostic]]:
    """The time of a status in UTC, and whether it is assumed; some peers write no offset."""
    time = utc_text(timestamp)
    if time is not None or timestamp is None:
        return time or _NO_TIME, []
    detail = "must be an RFC 3339 time with an offset"
    return normal_time(timestamp) or _NO_TIME, [Diagnostic(code="time-assumed", at="/status/timestamp", detail=detail)]


def message_from(message: Json, is_old_rest: bool) -> _Converted:
    """A message; `is_old_rest` says whether it is ProtoJSON of v0.3, which wraps data once more."""
    members = {**members_of(message, "a message")}
    members.pop("kind", None)
    name = "content" if "parts" not in members and "content" in members else "parts"
    role = members.get("role")
    if role.__class__ in ENUM and role in ROLES:
        members["role"] = _ROLES[ROLES[role]]
    return _with_parts(members, name, is_old_rest)


def artifact_from(artifact: Json, is_old_rest: bool) -> _Converted:
    """An artifact, as `message_from`."""
    return _with_parts({**members_of(artifact, "an artifact")}, "parts", is_old_rest)


def _with_parts(members: Json, name: str, is_old_rest: bool) -> _Converted:
    """The same members, with parts of v1.0 where the member of this name has parts."""
    parts = members.pop(name, None)
    if parts is None:
        return members, []
    if parts.__class__ is not list:
        return members, [Problem(f"/{name}", "must be an array")]
    read: list[Json] = []
    dropped: list[Problem] = []
    for index, part in enumerate(parts):
        at = f"/{name}/{index}"
        if part.__class__ is not dict:
            dropped.append(Problem(at, "must be an object"))
            continue
        try:
            read.append(_part_from(part, is_old_rest))
        except WireError as error:
            raise with_prefix(error, at) from None
    return {**members, "parts": read}, dropped


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
