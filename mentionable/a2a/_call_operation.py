"""An operation becomes the request that asks another agent for a task, its updates or its extended card.

Spec: A2A 0.3 §7.3 to §7.10; A2A 1.0 §3.1, §9.4, §11.3.
"""

from __future__ import annotations

from typing import get_args

from .._errors.exceptions import UsageError
from .._flow.settings import check_entropy
from .._transport.call import NO_CONTEXT, CallContext, check_target
from .._wire.http import HttpRequest
from .._wire.ids import derive, uuid_of
from .._wire.strict_json import dump_line
from ._client.call import call_headers, jsonrpc_body, rest_url, row_of
from ._operation import (
    CreateTaskPushNotificationConfig,
    GetTaskPushNotificationConfig,
    ListTasks,
    Operation,
    SubscribeToTask,
)
from ._protocol import CALL_FORMS, OPERATIONS, CallDialect, check_dialect
from ._write.dialects import Dialect
from ._write.operation import params_of, rest_request_of


def call_operation(
    operation: Operation,
    *,
    url: str,
    entropy: bytes,
    dialect: CallDialect = "1.0",
    context: CallContext = NO_CONTEXT,
) -> HttpRequest:
    """Write the request that asks another agent for a task, its updates, a webhook of yours, or its extended card.

    Read the answer with `operation_result`; that of a `SubscribeToTask` is a stream, for `ResultStream`.

    Args:
        operation: What to ask for.
        url: The URL of the interface, from the other agent's card. Of a REST interface, the one without a path of ours.
        entropy: 32 random bytes or more, fresh for each call; the same give the same id of the JSON-RPC request.
        dialect: The version and binding to ask in.
        context: Its token goes along, and nothing else of it.

    Raises:
        UsageError: Your program's fault: an argument of the wrong kind, an invalid URL or token, a token that would
            go unencrypted, an operation that the version does not have.

    Spec: A2A 0.3 §7.3 to §7.10; A2A 1.0 §3.1, §9.4, §11.3.

    Example:
        >>> from mentionable.a2a import GetTask
        >>> request = call_operation(
        ...     GetTask(task_id="t1", history_length=5), url="https://agents.example/a2a", entropy=bytes(32),
        ...     dialect="1.0-rest",
        ... )
        >>> request.method, request.url
        ('GET', 'https://agents.example/a2a/tasks/t1?historyLength=5')
    """
    # 1. check the arguments   2. write the request in its binding
    if not isinstance(operation, get_args(Operation)):
        raise UsageError("operation must be a GetTask(...), or another operation of this package")
    check_target(url=url, context=context)
    check_entropy(entropy)
    check_dialect(dialect)
    form, row = CALL_FORMS[dialect], row_of(dialect)
    _check_operation(operation, row, is_rest=form.is_rest)
    headers = call_headers(row, context, stream=isinstance(operation, SubscribeToTask))
    if form.path is None:
        params = params_of(operation, row)
        call_id = uuid_of(derive("a2a.call_operation", entropy, operation.kind, url, dialect, dump_line(params)))
        body = jsonrpc_body(OPERATIONS[form.version][operation.kind], params, call_id=call_id)
        return HttpRequest(method="POST", url=url, headers=headers, body=body)
    rest = rest_request_of(operation, row)
    target = rest_url(url, form.path + rest.path)
    if rest.body is None:
        headers = [(name, value) for name, value in headers if name != "content-type"]
        return HttpRequest(method=rest.method, url=target, headers=headers, body=b"")
    return HttpRequest(method=rest.method, url=target, headers=headers, body=dump_line(rest.body).encode())


def _check_operation(operation: Operation, dialect: Dialect, *, is_rest: bool) -> None:
    """Raises `UsageError` for what a version or binding has no way to ask."""
    if isinstance(operation, CreateTaskPushNotificationConfig) and operation.config.task_id is None:
        raise UsageError("config.task_id must name the task")
    ids = (getattr(operation, "task_id", None), getattr(operation, "config_id", None))
    if is_rest and not {".", ".."}.isdisjoint(ids):
        raise UsageError("an id of dots alone has another meaning in a path")
    is_new = dialect.version == "1.0"
    if isinstance(operation, GetTaskPushNotificationConfig) and operation.config_id is None and (is_rest or is_new):
        raise UsageError("config_id must name the configuration: only v0.3 over JSON-RPC has one without a name")
    if isinstance(operation, ListTasks) and not is_new and not is_rest:
        raise UsageError("A2A 0.3 lists tasks over REST alone")
