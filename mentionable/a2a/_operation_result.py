"""The answer to `call_operation`: a task, a page of tasks, a configuration or a card, in whatever dialect it comes.

Spec: A2A 0.3 §7.3 to §7.10; A2A 1.0 §3.1, §9.4, §11.3.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, TypeAlias, TypeVar, get_args
from urllib.parse import unquote

from .._errors.exceptions import Problem, UsageError, WireError, wire_error, with_prefix
from .._flow.outcome import Rejected, rejected
from .._flow.settings import DEFAULTS, Limits, Settings, check_kind, check_settings
from .._model.codec import Decoded
from .._model.diagnostic import Diagnostic, cap_diagnostics, left_out, prefixed, unread
from .._model.stored_task import StoredTask
from .._transport.json_body import load_body
from .._transport.peer_error import error_of_response
from .._wire.http import HttpRequest, HttpResponse
from .._wire.strict_json import MAX_SAFE_INTEGER
from ..discovery import A2ACard, read_a2a_card
from ._client.asked import check_call_id, read_asked
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
    PushNotificationConfigPage,
    SubscribeToTask,
    TaskPage,
    task_of,
)
from ._read.convert import check_unread, read_stored_task, unplaced
from ._read.envelope import read_call_id, refuse_errors
from ._read.parameters import Parameters, parameters_of
from ._read.push_config import read_push_config

OperationResult: TypeAlias = (
    StoredTask | TaskPage | PushNotificationConfig | PushNotificationConfigPage | A2ACard | None
)
"""What another agent answers to an operation."""

_T = TypeVar("_T")

_OF_RESPONSE: Final = frozenset({"jsonrpc", "id", "result", "error"})
_OF_PAGE: Final = frozenset({"tasks", "nextPageToken", "pageSize", "totalSize"})
_OF_CONFIG_PAGE: Final = frozenset({"configs", "nextPageToken"})
_OF_HOLDER: Final = frozenset({"taskId", "pushNotificationConfig", "name"})


def operation_result(
    response: HttpResponse,
    *,
    operation: Operation,
    request: HttpRequest | None = None,
    settings: Settings = DEFAULTS,
) -> Decoded[OperationResult] | Rejected:
    """What another agent answered to `call_operation`, in whatever dialect it speaks.

    A task comes as JSON of A2A 1.0 inside a `StoredTask` without an owner. Where the agent names no context, the id of
    the task takes its place; where it names no time, the beginning of 1970 does. To read its parts, give the body to
    `result`. The answer is authenticated by the connection that you made, and by nothing else.

    Args:
        response: The HTTP response, with status and headers.
        operation: What was asked for.
        request: The request that `call_operation` made. With it an answer with the id of another call is rejected.
        settings: Has the limits.

    Returns:
        `Decoded`: its `value` is a `StoredTask`, a `TaskPage`, a `PushNotificationConfig` or a page of them, an
        `A2ACard`, or None after a deletion; its `diagnostics` name what of the answer has no place in it, or cannot be
        read: a message of a task costs itself, and so does a task of a page. Or `Rejected`: with a code `peer-...` for
        an error of the peer, of which `peer-busy` is temporary; with `task-mismatch` for another task than was asked
        for; with any other code when the answer cannot be read.

    Raises:
        UsageError: An argument is of the wrong kind, or the operation a `SubscribeToTask`, whose answer is a stream.
            Nothing in the response makes it raise.

    Spec: A2A 0.3 §7.3 to §7.10; A2A 1.0 §3.1, §9.4, §11.3.

    Example:
        >>> from mentionable import HttpResponse
        >>> from mentionable.a2a import GetTask
        >>> body = b'{"id": "t1", "contextId": "c1", "status": {"state": "TASK_STATE_WORKING"}}'
        >>> operation_result(HttpResponse(status=200, body=body), operation=GetTask(task_id="t1")).value.state
        'working'
    """
    # 1. the status: a failure is an error of the peer   2. open JSON-RPC   3. read what the operation gives
    check_kind(response, HttpResponse, "response")
    check_settings(settings)
    if not isinstance(operation, get_args(Operation)):
        raise UsageError("operation must be the one that was asked for")
    if isinstance(operation, SubscribeToTask):
        raise UsageError("the answer to a subscription is a stream: read it with ResultStream")
    asked = read_asked(request)
    try:
        if not 200 <= response.status < 300:
            raise error_of_response(response, settings.limits)
        if not response.body and isinstance(operation, DeleteTaskPushNotificationConfig):
            return Decoded(None, ())
        document = load_body(response.body, settings.limits)
        has_id = check_call_id(document, asked)
        result, at, around = _result_in(document)
        try:
            value, odd = _READERS[type(operation)](result, settings.limits, operation)
        except WireError as error:
            raise with_prefix(error, at) from None
    except WireError as error:
        return rejected(error)
    no_id = [] if has_id else [Diagnostic(code="call-mismatch", at="/id", detail="the answer has no id")]
    return Decoded(value, cap_diagnostics([*no_id, *left_out(around), *prefixed(odd, at)]))


def _result_in(document: Any) -> tuple[Any, str, list[Problem]]:
    """The result of a JSON-RPC call, or the body itself; JSON Pointer to it; and the other members around it."""
    if document.__class__ is not dict:
        return document, "", []
    refuse_errors(document)
    if "jsonrpc" not in document:
        return document, "", []
    read_call_id(document)
    if "result" not in document:
        raise wire_error("missing-member", "/result", "there is no result")
    return document["result"], "/result", unplaced(document, _OF_RESPONSE)


def _task(result: Any, limits: Limits, operation: Any) -> Decoded[StoredTask]:
    """The task; some peers wrap it as when a message is sent."""
    if result.__class__ is dict and "id" not in result and result.get("task") is not None:
        inner = _at("/task", lambda: _task(result["task"], limits, operation))
        return Decoded(inner.value, (*inner.diagnostics, *left_out(unplaced(result, ("task",)))))
    task = read_stored_task(result, limits)
    if task.value.id != operation.task_id:
        raise wire_error("task-mismatch", "/id", "it is another task than the one that was asked for")
    return task


def _at(at: str, read: Callable[[], Decoded[_T]]) -> Decoded[_T]:
    """What is read at a JSON Pointer, which errors and diagnostics then have."""
    try:
        value, odd = read()
    except WireError as error:
        raise with_prefix(error, at) from None
    return Decoded(value, tuple(prefixed(odd, at)))


def _page(result: Any, limits: Limits, _: Operation) -> Decoded[TaskPage]:
    """A page of tasks; older peers say neither how many there are nor how long a page is."""
    members = parameters_of(result, "", limits)
    values = members.members.get("tasks")
    if values is None:
        values = []
    if values.__class__ is not list:
        raise wire_error("wrong-type", "/tasks", "must be an array")
    tasks, odd_tasks = _readable(values, "/tasks", partial(read_stored_task, limits=limits))
    total, odd_total = _member(partial(members.integer, "totalSize", 0, MAX_SAFE_INTEGER))
    size, odd_size = _member(partial(members.integer, "pageSize", 0, MAX_PAGE))
    token, odd_token = _member(partial(members.id, "nextPageToken"))
    extra, odd = members.others(_OF_PAGE, TaskPage)
    page = TaskPage(
        tasks=tasks,
        next_page_token=token or "",
        total_size=len(tasks) if total is None else total,
        page_size=size,
        extra=extra,
    )
    return Decoded(page, (*odd_total, *odd_size, *odd_token, *odd, *odd_tasks))


def _member(read: Callable[[], _T]) -> tuple[_T | None, list[Diagnostic]]:
    """A member of a page, or why it counts as absent."""
    try:
        return read(), []
    except WireError as error:
        return None, [unread(error)]


def _readable(
    values: list[Any], at: str, read: Callable[[Any], Decoded[_T]]
) -> tuple[tuple[_T, ...], list[Diagnostic]]:
    """The items of a page that can be read, and what is odd about them and the others.

    Raises:
        WireError: `task-mismatch`: one is of another task than was asked for; `too-many-parts`: hardly any can be read.
    """
    items: list[_T] = []
    diagnostics: list[Diagnostic] = []
    for index, value in enumerate(values):
        try:
            item = _at(f"{at}/{index}", partial(read, value))
        except WireError as error:
            if error.code in ("task-mismatch", "too-many-parts"):
                raise
            diagnostics.append(unread(error))
        else:
            items.append(item.value)
            diagnostics += item.diagnostics
        check_unread(diagnostics)
    return tuple(items), diagnostics


def _config(result: Any, limits: Limits, operation: Any) -> Decoded[PushNotificationConfig]:
    """A configuration, in v0.3 inside an object that names the task."""
    members, task_id = parameters_of(result, "", limits), task_of(operation)
    if not members.has("pushNotificationConfig"):
        _check_task(members, task_id)
        config, odd = read_push_config(members, task_id=task_id)
        return Decoded(config, tuple(odd))
    holder = members.object("pushNotificationConfig")
    _check_task(members, task_id)
    _check_task(holder, task_id)
    _check_resource(members, task_id)
    config, odd = read_push_config(holder, task_id=task_id)
    return Decoded(config, (*odd, *left_out(unplaced(members.members, _OF_HOLDER, members.at))))


def _check_task(members: Parameters, task_id: str | None) -> None:
    """Raises unless the configuration is one of the task that was asked for."""
    if members.id("taskId") not in (None, task_id):
        raise wire_error("task-mismatch", members.pointer("taskId"), "it is of another task than was asked for")


def _check_resource(members: Parameters, task_id: str | None) -> None:
    """The same for the name of a resource, by which v0.3 names the task over REST."""
    name = members.text("name") or ""
    if name.startswith("tasks/") and not any(one.startswith(f"tasks/{task_id}/") for one in (name, unquote(name))):
        raise wire_error("task-mismatch", members.pointer("name"), "it is of another task than was asked for")


def _configs(result: Any, limits: Limits, operation: Any) -> Decoded[PushNotificationConfigPage]:
    """A page of configurations: an object with an array, or in v0.3 over JSON-RPC the array of all."""
    at, around, values = "", None, result
    if result.__class__ is dict:
        around = parameters_of(result, "", limits)
        at, values = "/configs", around.members.get("configs") or []
    if values.__class__ is not list:
        raise wire_error("wrong-type", at, "must be an array")
    configs, odd = _readable(values, at, partial(_config, limits=limits, operation=operation))
    if around is None:
        return Decoded(PushNotificationConfigPage(configs=configs), tuple(odd))
    extra, taken = around.others(_OF_CONFIG_PAGE, PushNotificationConfigPage)
    token, odd_token = _member(partial(around.id, "nextPageToken"))
    page = PushNotificationConfigPage(configs=configs, next_page_token=token or "", extra=extra)
    return Decoded(page, (*odd_token, *taken, *odd))


def _nothing(_: Any, __: Limits, ___: Operation) -> Decoded[None]:
    """Whatever a deletion answers."""
    return Decoded(None, ())


def _card(result: Any, limits: Limits, _: Operation) -> Decoded[A2ACard]:
    if result.__class__ is not dict:
        raise wire_error("wrong-type", "", "must be an object")
    return Decoded(read_a2a_card(result, settings=Settings(limits=limits)), ())


_READERS: Final[Mapping[type, Callable[[Any, Limits, Any], Decoded[Any]]]] = {
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
