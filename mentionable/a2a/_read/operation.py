"""The parameters of an operation, in any version and binding, as a value. Each of them is checked and bounded.

Peers mix the versions here too, so a parameter is read by the name that it has, in camelCase or in snake_case.

Spec: A2A 0.3 §7.3 to §7.10; A2A 1.0 §3.1, §3.3.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, cast

from ..._errors.exceptions import wire_error
from ..._flow.settings import Limits
from ..._model.diagnostic import Diagnostic
from ..._model.stored_task import TaskState
from ..._wire.strict_json import MAX_SAFE_INTEGER
from ..._wire.time import is_time
from .._operation import (
    MAX_PAGE,
    CancelTask,
    CreateTaskPushNotificationConfig,
    DeleteTaskPushNotificationConfig,
    GetExtendedAgentCard,
    GetTask,
    GetTaskPushNotificationConfig,
    ListTaskPushNotificationConfigs,
    ListTasks,
    Operation,
    SubscribeToTask,
)
from .._protocol import OperationKind, Version
from .message import ENUM
from .parameters import Parameters, parameters_of
from .push_config import read_push_config
from .task import STATES

_KNOWN: Final[Mapping[type, frozenset[str]]] = {
    GetTask: frozenset({"id", "taskId", "historyLength"}),
    ListTasks: frozenset(
        {"contextId", "status", "pageSize", "pageToken", "historyLength", "statusTimestampAfter", "includeArtifacts"}
    ),
    CancelTask: frozenset({"id", "taskId", "metadata"}),
    SubscribeToTask: frozenset({"id", "taskId"}),
    CreateTaskPushNotificationConfig: frozenset({"taskId", "config", "pushNotificationConfig", "configId"}),
    GetTaskPushNotificationConfig: frozenset({"id", "taskId", "pushNotificationConfigId"}),
    ListTaskPushNotificationConfigs: frozenset({"id", "taskId", "pageSize", "pageToken"}),
    DeleteTaskPushNotificationConfig: frozenset({"id", "taskId", "pushNotificationConfigId"}),
    GetExtendedAgentCard: frozenset(),
}
"""The parameters of each operation."""

_UNSPECIFIED: Final = ("", "0", "TASK_STATE_UNSPECIFIED", 0)


class ReadOperation(NamedTuple):
    """An operation, and what is odd about its parameters."""

    operation: Operation
    diagnostics: list[Diagnostic]


def read_operation(kind: OperationKind, params: Any, version: Version, *, at: str, limits: Limits) -> ReadOperation:
    """The operation with these parameters.

    Args:
        kind: Which operation.
        params: Its parameters, those of a REST path and query among them.
        version: The version that it is asked in.
        at: JSON Pointer to the parameters.
        limits: The bounds.

    Raises:
        WireError: `wrong-type`, `missing-member`, `unknown-value`, `id-too-long`, `malformed`, `url-refused`.
    """
    return _READERS[kind](parameters_of(params, at, limits), version)


def _get_task(params: Parameters, version: Version) -> ReadOperation:
    extra, odd = params.others(_KNOWN[GetTask], GetTask)
    return ReadOperation(
        GetTask(task_id=_task_id(params), history_length=_history_length(params, version), extra=extra), odd
    )


def _task_id(params: Parameters) -> str:
    """The id of the task, where the operation is on the task itself."""
    return params.own_id("id" if params.has("id") or not params.has("taskId") else "taskId", "the task")


def _history_length(params: Parameters, version: Version) -> int | None:
    """How many messages of a task to show: in v0.3 zero means all of them."""
    length = params.integer("historyLength", 0, MAX_SAFE_INTEGER)
    return None if length == 0 and version == "0.3" else length


def _list_tasks(params: Parameters, version: Version) -> ReadOperation:
    extra, odd = params.others(_KNOWN[ListTasks], ListTasks)
    operation = ListTasks(
        context_id=params.id("contextId"),
        state=_state(params),
        page_size=params.integer("pageSize", 1, MAX_PAGE),
        page_token=params.id("pageToken"),
        history_length=_history_length(params, version),
        updated_after=_time(params),
        include_artifacts=params.boolean("includeArtifacts"),
        extra=extra,
    )
    return ReadOperation(operation, odd)


def _state(params: Parameters) -> TaskState | None:
    """The state that tasks must have; the enum of the protocol has a name and a number for none."""
    status = params.members.get("status")
    if status.__class__ not in ENUM:
        if status is not None:
            raise wire_error("wrong-type", params.pointer("status"), "must be a string")
        return None
    state = STATES.get(status)
    if status in _UNSPECIFIED:
        return None
    if state is None or state == "unknown":
        raise wire_error("unknown-value", params.pointer("status"), "must be a state of A2A")
    return cast("TaskState", state)


def _time(params: Parameters) -> str | None:
    """The time since which tasks must have changed."""
    time = params.text("statusTimestampAfter")
    if time is not None and not is_time(time):
        pointer = params.pointer("statusTimestampAfter")
        raise wire_error("unknown-value", pointer, "must be an RFC 3339 time with an offset")
    return time


def _cancel_task(params: Parameters, _: Version) -> ReadOperation:
    task_id, metadata = _task_id(params), params.members.get("metadata")
    if metadata is not None and metadata.__class__ is not dict:
        raise wire_error("wrong-type", params.pointer("metadata"), "must be an object")
    extra, odd = params.others(_KNOWN[CancelTask], CancelTask)
    return ReadOperation(CancelTask(task_id=task_id, metadata=metadata or {}, extra=extra), odd)


def _subscribe(params: Parameters, _: Version) -> ReadOperation:
    task_id = _task_id(params)
    extra, odd = params.others(_KNOWN[SubscribeToTask], SubscribeToTask)
    return ReadOperation(SubscribeToTask(task_id=task_id, extra=extra), odd)


def _create_config(params: Parameters, _: Version) -> ReadOperation:
    """v1.0 has the members of the configuration among the parameters; v0.3 has them one object down, or two."""
    task_id = params.own_id("taskId", "the task")
    holder = params
    for name in ("config", "pushNotificationConfig"):
        if holder.has(name):
            holder = holder.object(name)
    if holder is params:
        config, odd = read_push_config(params, task_id=task_id)
        return ReadOperation(CreateTaskPushNotificationConfig(config=config), odd)
    config, odd = read_push_config(holder, task_id=task_id, config_id=params.id("configId"))
    extra, more = params.others(_KNOWN[CreateTaskPushNotificationConfig], CreateTaskPushNotificationConfig)
    return ReadOperation(CreateTaskPushNotificationConfig(config=config, extra=extra), [*odd, *more])


def _get_config(params: Parameters, version: Version) -> ReadOperation:
    task_id, config_id = _task_and_config(params)
    if config_id is None and version == "1.0":
        raise wire_error("missing-member", params.pointer("id"), "the configuration must have an id")
    extra, odd = params.others(_KNOWN[GetTaskPushNotificationConfig], GetTaskPushNotificationConfig)
    return ReadOperation(GetTaskPushNotificationConfig(task_id=task_id, config_id=config_id, extra=extra), odd)


def _task_and_config(params: Parameters) -> tuple[str, str | None]:
    """The ids of task and configuration: `taskId` and `id`, or in v0.3 `id` and `pushNotificationConfigId`."""
    if params.has("taskId"):
        return params.own_id("taskId", "the task"), params.id("pushNotificationConfigId") or params.id("id")
    return params.own_id("id", "the task"), params.id("pushNotificationConfigId")


def _list_configs(params: Parameters, _: Version) -> ReadOperation:
    task_id = params.own_id("taskId" if params.has("taskId") else "id", "the task")
    size = params.integer("pageSize", 0, MAX_PAGE)  # 0 is absence in this message of the protocol
    token = params.id("pageToken")
    extra, odd = params.others(_KNOWN[ListTaskPushNotificationConfigs], ListTaskPushNotificationConfigs)
    operation = ListTaskPushNotificationConfigs(task_id=task_id, page_size=size or None, page_token=token, extra=extra)
    return ReadOperation(operation, odd)


def _delete_config(params: Parameters, _: Version) -> ReadOperation:
    task_id, config_id = _task_and_config(params)
    if config_id is None:
        raise wire_error("missing-member", params.pointer("id"), "the configuration must have an id")
    extra, odd = params.others(_KNOWN[DeleteTaskPushNotificationConfig], DeleteTaskPushNotificationConfig)
    return ReadOperation(DeleteTaskPushNotificationConfig(task_id=task_id, config_id=config_id, extra=extra), odd)


def _get_card(params: Parameters, _: Version) -> ReadOperation:
    extra, odd = params.others(_KNOWN[GetExtendedAgentCard], GetExtendedAgentCard)
    return ReadOperation(GetExtendedAgentCard(extra=extra), odd)


_READERS: Final[Mapping[OperationKind, Callable[[Parameters, Version], ReadOperation]]] = {
    "get_task": _get_task,
    "list_tasks": _list_tasks,
    "cancel_task": _cancel_task,
    "subscribe_to_task": _subscribe,
    "create_push_config": _create_config,
    "get_push_config": _get_config,
    "list_push_configs": _list_configs,
    "delete_push_config": _delete_config,
    "get_extended_card": _get_card,
}
