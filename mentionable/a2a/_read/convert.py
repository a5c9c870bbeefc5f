"""JSON of any dialect as JSON of A2A 1.0: tasks, messages, artifacts and parts.

Each object is read by the members that it has, since peers mix the dialects; members of no known name stay.

Spec: A2A 0.3 §6, `a2a.proto` of A2A 0.3; A2A 1.0 §4.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
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
from .message import ENUM, ROLES, read_id, read_own_id
from .parameters import Parameters
from .parse_context import members_of
from .parts import KINDS
from .task import open_status

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
_MAX_UNREAD: Final = 1_000
_NO_TIME: Final = "1970-01-01T00:00:00Z"
"""The time of a status that has none, which is older than any other."""


TASK_MEMBERS: Final = frozenset({"id", "contextId", "status", "artifacts", "history", "metadata", "kind"})
"""The members of a task."""
_OF_STATUS: Final = frozenset({"state", "timestamp", "message"})

_Converted: TypeAlias = tuple[Json, list[Problem]]
"""An object, and what of it was left out."""


def read_stored_task(task: Any, limits: Limits) -> Decoded[StoredTask]:
    """A task of any dialect as one that can be stored; without an owner, since it is a task of another agent.

    Members of no known name go into `extra`. What else does not fit costs itself, with a diagnostic: such members of
    the status, a message, artifact or part that cannot be read, and a time that is none.

    Raises:
        WireError: It is no object, has no id, or no state: `wrong-type`, `missing-member`, `id-too-long`,
            `duplicate-member`, `unknown-value`. `too-many-parts`: a thousand things in it cannot be read.
    """
    # 1. what makes it a task   2. the messages and artifacts   3. the other members
    members = members_of(task, "a task")
    task_id = read_own_id(members.get("id"), "/id", "a task", limits)
    state, status = open_status(members)
    if state == "unknown":
        raise wire_error("unknown-value", "/status/state", "the agent does not know the state of its task")

    is_old_rest = task_mark(task) == "0.3-rest"
    message, odd_words = status.get("message"), list[Problem]()
    if message is not None:
        message, odd_words = _object(message, "/status/message", message_from, is_old_rest)
    misplaced = []
    if message is not None and message.get("taskId") not in (None, "", task_id):
        detail = "the message belongs to another task"
        misplaced = [Diagnostic(code="task-mismatch", at="/status/message/taskId", detail=detail)]
    artifacts, odd_artifacts = _array(members, "artifacts", artifact_from, is_old_rest)
    history, odd_history = _array(members, "history", message_from, is_old_rest)

    context_id, odd_id = _context_id(members, limits)
    metadata, odd_metadata = _metadata(members)
    extra, taken = Parameters(members, "", limits).others(TASK_MEMBERS, StoredTask)
    updated_at, assumed = _time(status.get("timestamp"))
    stored = StoredTask(
        id=task_id,
        context_id=context_id or task_id,
        state=cast("TaskState", state),
        updated_at=updated_at,
        message=message,
        artifacts=artifacts,
        history=history,
        metadata=metadata,
        extra=extra,
    )
    dropped = left_out(
        [*odd_id, *unplaced(status, _OF_STATUS, "/status"), *odd_words, *odd_artifacts, *odd_history, *odd_metadata]
    )
    return Decoded(stored, (*assumed, *misplaced, *taken, *dropped))


def unplaced(members: Iterable[str], known: Collection[str], at: str = "") -> list[Problem]:
    """That the members of no known name, of an object at a JSON Pointer, have no place in what is read of it."""
    return [Problem(at + pointer(name), "it has no place") for name in members if name not in known]


def _context_id(members: Json, limits: Limits) -> tuple[str | None, list[Problem]]:
    """The id of the context, or why it is none."""
    try:
        return read_id(members.get("contextId"), "/contextId", limits), []
    except WireError as error:
        return None, [error.problems[0]]


def _metadata(members: Json) -> tuple[Json, list[Problem]]:
    """The metadata, or why it is none."""
    metadata = members.get("metadata")
    if metadata is None or metadata.__class__ is dict:
        return metadata or {}, []
    return {}, [Problem("/metadata", "must be an object")]


def _array(
    members: Json, name: str, read: Callable[[Any, bool], _Converted], is_old_rest: bool
) -> tuple[tuple[Json, ...], list[Problem]]:
    """The objects in an array that can be read, and what of it was left out."""
    values = members.get(name)
    if values is not None and values.__class__ is not list:
        return (), [Problem(f"/{name}", "must be an array")]
    items: list[Json] = []
    dropped: list[Problem] = []
    for index, value in enumerate(values or ()):
        item, problems = _object(value, f"/{name}/{index}", read, is_old_rest)
        items += [] if item is None else [item]
        dropped += problems
        check_unread(dropped)
    return tuple(items), dropped


def _object(
    value: Any, at: str, read: Callable[[Any, bool], _Converted], is_old_rest: bool
) -> tuple[Json | None, list[Problem]]:
    """The object at a JSON Pointer, None where it cannot be read; and what of it was left out."""
    try:
        item, problems = read(value, is_old_rest)
    except WireError as error:
        if error.code == "too-many-parts":
            raise with_prefix(error, at) from None
        return None, list(with_prefix(error, at).problems)
    return item, [Problem(at + one.at, one.rule) for one in problems]


def check_unread(faults: Sequence[object]) -> None:
    """Raises `too-many-parts` when too much of an answer cannot be read: telling of it takes longer than sending it."""
    if len(faults) > _MAX_UNREAD:
        raise wire_error("too-many-parts", "", f"more than {_MAX_UNREAD} of it cannot be read")


def _time(timestamp: Any) -> tuple[str, list[Diagnostic]]:
    """The time of a status in UTC, and whether it is assumed; some peers write no offset."""
    time = utc_text(timestamp)
    if time is not None or timestamp is None:
        return time or _NO_TIME, []
    detail = "must be an RFC 3339 time with an offset"
    return normal_time(timestamp) or _NO_TIME, [Diagnostic(code="time-assumed", at="/status/timestamp", detail=detail)]


def message_from(message: Any, is_old_rest: bool) -> _Converted:
    """A message; `is_old_rest` says whether it is ProtoJSON of v0.3, which wraps data once more."""
    members = {**members_of(message, "a message")}
    if members.get("kind") in (None, "message"):
        members.pop("kind", None)
    name = "content" if "parts" not in members and "content" in members else "parts"
    role = members.get("role")
    if role.__class__ in ENUM and role in ROLES:
        members["role"] = _ROLES[ROLES[role]]
    return _with_parts(members, name, is_old_rest)


def artifact_from(artifact: Any, is_old_rest: bool) -> _Converted:
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
        try:
            read.append(_part_from(part, is_old_rest))
        except WireError as error:
            dropped += with_prefix(error, f"/{name}/{index}").problems
            check_unread(dropped)
    return {**members, "parts": read}, dropped


def _part_from(part: Any, is_old_rest: bool) -> Json:
    """A part. What v0.3 writes into the metadata because it has no member for it becomes a member."""
    members = {**members_of(part, "a part")}
    kind = members.get("kind")
    if kind is None or (kind.__class__ is str and kind in KINDS):  # another one is no part of A2A, and stays as it is
        members.pop("kind", None)
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
