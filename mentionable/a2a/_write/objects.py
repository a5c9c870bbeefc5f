"""Messages, tasks and the events of streams, as each dialect writes them.

Spec: A2A 0.3 §6, §7.2; A2A 1.0 §4, §9.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..._model.stored_task import TaskState
from .._protocol import Json
from .._read.parse_context import EMPTY
from .dialects import Dialect


class Place(NamedTuple):
    """The context of an object, and its task, if it has one."""

    context_id: str | None
    task_id: str | None


def write_message(
    parts: list[Json],
    dialect: Dialect,
    *,
    message_id: str,
    role: str,
    place: Place,
    hints: Json,
    metadata: Json = EMPTY,
    extensions: Sequence[str],
) -> Json:
    """A message of at least one part.

    Args:
        parts: Its parts.
        dialect: The dialect to write in.
        message_id: Its id.
        role: `agent` or `user` of the dialect.
        place: Its context and task.
        hints: The members of `metadata.mentionable`.
        metadata: The other members of `metadata`.
        extensions: The extensions that it uses.
    """
    message: Json = {"messageId": message_id}
    if place.context_id is not None:
        message["contextId"] = place.context_id
    if place.task_id is not None:
        message["taskId"] = place.task_id
    message["role"] = role
    message[dialect.parts] = parts
    return dialect.object("message", _described(message, hints, extensions, metadata))


def write_artifact(
    artifact_id: str, parts: list[Json], *, name: str | None = None, hints: Json, extensions: Sequence[str]
) -> Json:
    """An artifact, which all dialects write alike but for its parts."""
    artifact: Json = {"artifactId": artifact_id, "parts": parts}
    if name is not None:
        artifact["name"] = name
    return _described(artifact, hints, extensions)


def _described(written: Json, hints: Json, extensions: Sequence[str], metadata: Json = EMPTY) -> Json:
    """An object with its metadata and extensions."""
    if hints or metadata:
        written["metadata"] = {"mentionable": hints, **metadata} if hints else {**metadata}
    if extensions:
        written["extensions"] = list(extensions)
    return written


def write_status(state: TaskState, dialect: Dialect, *, message: Json | None, time: str) -> Json:
    """The status of a task."""
    status: Json = {"state": dialect.states[state]}
    if message is not None:
        status["message"] = message
    status["timestamp"] = time
    return status


def write_task(place: Place, status: Json, dialect: Dialect, *, artifacts: list[Json]) -> Json:
    """A task, as an answer or as the first event of a stream."""
    task: Json = {"id": place.task_id, "contextId": place.context_id, "status": status}
    if artifacts:
        task["artifacts"] = artifacts
    return dialect.object("task", task)


def status_update(place: Place, status: Json, dialect: Dialect, *, is_final: bool) -> Json:
    """The event that a task has another status."""
    update: Json = {"taskId": place.task_id, "contextId": place.context_id, "status": status}
    if is_final and dialect.version == "0.3":
        update["final"] = True
    return dialect.event("status-update", update)


def artifact_update(place: Place, artifact: Json, dialect: Dialect, *, appends: bool, is_last: bool) -> Json:
    """The event that an artifact is there, or that it goes on."""
    update: Json = {"taskId": place.task_id, "contextId": place.context_id, "artifact": artifact}
    if appends:
        update["append"] = True
    if is_last:
        update["lastChunk"] = True
    return dialect.event("artifact-update", update)
