"""The answer to `call_operation`: a task, a page of tasks, a configuration or a card, in whatever dialect it comes.

Spec: A2A 0.3 §7.3 to §7.10; A2A 1.0 §3.1, §9.4, §11.3.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias, get_args

from .._errors.exceptions import UsageError, WireError, wire_error, with_prefix
from .._flow.outcome import Rejected, rejected
from .._flow.settings import DEFAULTS, Limits, Settings, check_kind, check_settings
from .._model.stored_task import StoredTask
from .._transport.json_body import load_body
from .._transport.peer_error import error_of_response
from .._wire.http import HttpResponse
from .._wire.strict_json import MAX_SAFE_INTEGER
from ..discovery import A2ACard, read_a2a_card
from ._operation import (
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
    PushNotificationConfig,
    SubscribeToTask,
    TaskPage,
    task_of,
)
from ._read.convert import read_stored_task
from ._read.envelope import read_call_id, refuse_errors
from ._read.parameters import Parameters, parameters_of
from ._read.push_config import read_push_config

OperationResult: TypeAlias = (
    StoredTask | TaskPage | PushNotificationConfig | tuple[PushNotificationConfig, ...] | A2ACard | None
)
"""What another agent answers to an operation."""


def operation_result(
    response: HttpResponse, *, operation: Operation, settings: Settings = DEFAULTS
) -> OperationResult | Rejected:
    """What another agent answered to `call_operation`, in whatever dialect it speaks.

    A task comes as JSON of A2A 1.0 inside a `StoredTask` without an owner. Where the agent names no context, the id of
    the task takes its place; where it names no time, the beginning of 1970 does. To read its parts, give the body to
    `result`. The answer is authenticated by the connection that you made, and by nothing else.

    Args:
        response: The HTTP response, with status and headers.
        operation: What was asked for.
        settings: Has the limits.

    Returns:
        A `StoredTask`, a `TaskPage`, a `PushNotificationConfig` or a tuple of them, an `A2ACard`, or None after a
        deletion; or `Rejected`: with a code `peer-...` for an error of the peer, of which `peer-busy` is temporary;
        with any other code when the answer cannot be read.

    Raises:
        UsageError: An argument is of the wrong kind, or the operation a `SubscribeToTask`, whose answer is a stream.
            Nothing in the response makes it raise.

    Spec: A2A 0.3 §7.3 to §7.10; A2A 1.0 §3.1, §9.4, §11.3.

    Example:
        >>> from mentionable import HttpResponse
        >>> from mentionable.a2a import GetTask
        >>> body = b'{"id": "t1", "contextId": "c1", "status": {"state": "TASK_STATE_WORKING"}}'
        >>> operation_result(HttpResponse(status=200, body=body), operation=GetTask(task_id="t1")).state
        'working'
    """
    # 1. the status: a failure is an error of the peer   2. open JSON-RPC   3. read what the operation gives
    check_kind(response, HttpResponse, "response")
    check_settings(settings)
    if not isinstance(operation, get_args(Operation)):
        raise UsageError("operation must be the one that was asked for")
    if isinstance(operation, SubscribeToTask):
        raise UsageError("the answer to a subscription is a stream: read it with ResultStream")
    try:
        if not 200 <= response.status < 300:
            raise error_of_response(response, settings.limits)
        if not response.body and isinstance(operation, DeleteTaskPushNotificationConfig):
            return None
        result, at = _result_in(load_body(response.body, settings.limits))
        try:
            return _READERS[type(operation)](result, settings.limits, operation)
        except WireError as error:
            raise with_prefix(error, at) from None
    except WireError as error:
        return rejected(error)


def _result_in(document: Any) -> tuple[Any, str]:
    """The result of a JSON-RPC call, or the body itself; and JSON Pointer to it."""
    if document.__class__ is not dict:
        return document, ""
    refuse_errors(document)
    if "jsonrpc" not in document:
        return document, ""
    read_call_id(document)
    if "result" not in document:
        raise wire_error("missing-member", "/result", "there is no result")
    return document["result"], "/result"


def _task(result: Any, limits: Limits, operation: Any) -> StoredTask:
    """The task; some peers wrap it as when a message is sent."""
    members = result.get("task") if result.__class__ is dict and "id" not in result else None
    task = read_stored_task(result if members is None else members, limits)
    if task.id != operation.task_id:
        raise wire_error("task-mismatch", "/id", "it is another task than the one that was asked for")
    return task


def _page(result: Any, limits: Limits, _: Operation) -> TaskPage:
    """A page of tasks; older peers say neither how many there are nor how long a page is."""
    members = parameters_of(result, "", limits)
    values = members.members.get("tasks")
    if values is None:
        values = []
    if values.__class__ is not list:
        raise wire_error("wrong-type", "/tasks", "must be an array")
    tasks = []
    for index, value in enumerate(values):
        try:
            tasks.append(read_stored_task(value, limits))
        except WireError as error:
            raise with_prefix(error, f"/tasks/{index}") from None
    total = members.integer("totalSize", 0, MAX_SAFE_INTEGER)
    return TaskPage(
        tasks=tuple(tasks),
        next_page_token=members.id("nextPageToken") or "",
        total_size=len(tasks) if total is None else total,
        page_size=members.integer("pageSize", 0, MAX_PAGE),
    )


def _config(result: Any, limits: Limits, operation: Any) -> PushNotificationConfig:
    return _config_in(parameters_of(result, "", limits), task_of(operation))


def _config_in(members: Parameters, task_id: str | None) -> PushNotificationConfig:
    """A configuration, in v0.3 inside an object that names the task."""
    holder = members.object("pushNotificationConfig") if members.has("pushNotificationConfig") else members
    return read_push_config(holder, task_id=members.id("taskId") or task_id)[0]


def _configs(result: Any, limits: Limits, operation: Any) -> tuple[PushNotificationConfig, ...]:
    """All configurations: an array, or an object with one."""
    at = ""
    if result.__class__ is dict:
        result, at = result.get("configs") or [], "/configs"
    if result.__class__ is not list:
        raise wire_error("wrong-type", at, "must be an array")
    return tuple(
        [
            _config_in(parameters_of(one, f"{at}/{index}", limits), task_of(operation))
            for index, one in enumerate(result)
        ]
    )


def _nothing(_: Any, __: Limits, ___: Operation) -> None:
    """Whatever a deletion answers."""


def _card(result: Any, limits: Limits, _: Operation) -> A2ACard:
    if result.__class__ is not dict:
        raise wire_error("wrong-type", "", "must be an object")
    return read_a2a_card(result, settings=Settings(limits=limits))


_READERS: Final[Mapping[type, Callable[[Any, Limits, Any], OperationResult]]] = {
    GetTask: _task,
    ListTasks: _page,
    CancelTask: _task,
    CreateTaskPushNotificationConfig: _config,
    GetTaskPushNotificationConfig: _config,
    ListTaskPushNotificationConfigs: _configs,
    DeleteTaskPushNotificationConfig: _nothing,
    GetExtendedAgentCard: _card,
}
"""Operation → what reads its answer."""
