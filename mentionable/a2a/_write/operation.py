"""An operation as the request of a client: its JSON-RPC parameters, or its REST path, query and body.

Spec: A2A 0.3 §7.3 to §7.10; A2A 1.0 §5.3, §9.4, §11.3.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple
from urllib.parse import quote, urlencode

from ..._wire.strict_json import plain, without_null
from .._operation import (
    CancelTask,
    CreateTaskPushNotificationConfig,
    GetExtendedAgentCard,
    GetTask,
    ListTaskPushNotificationConfigs,
    ListTasks,
    Operation,
    SubscribeToTask,
)
from .._protocol import Json
from .dialects import Dialect
from .push_config import push_config_in

_CARDS: Final[Mapping[str, str]] = {"0.3": "card", "1.0": "extendedAgentCard"}


class RestRequest(NamedTuple):
    """The parts of a REST request.

    Attributes:
        method: The HTTP method.
        path: The path after the URL of the interface.
        body: The JSON of its body; None: it has none.
    """

    method: str
    path: str
    body: Json | None = None


def params_of(operation: Operation, dialect: Dialect) -> Json:
    """The parameters of an operation over JSON-RPC, and the members that this version does not know."""
    return {**plain(operation.extra), **_params(operation, dialect)}


def _params(operation: Operation, dialect: Dialect) -> Json:
    if isinstance(operation, CreateTaskPushNotificationConfig):
        return push_config_in(operation.config, dialect)
    if isinstance(operation, GetExtendedAgentCard):
        return {}
    if isinstance(operation, ListTasks):
        return _filters(operation, dialect)
    if isinstance(operation, GetTask):
        return without_null({"id": operation.task_id, "historyLength": _length(operation.history_length, dialect)})
    if isinstance(operation, CancelTask):
        return {"id": operation.task_id, **({"metadata": plain(operation.metadata)} if operation.metadata else {})}
    if isinstance(operation, SubscribeToTask):
        return {"id": operation.task_id}
    task, config = ("id", "pushNotificationConfigId") if dialect.version == "0.3" else ("taskId", "id")
    if isinstance(operation, ListTaskPushNotificationConfigs):
        pages = {"pageSize": operation.page_size, "pageToken": operation.page_token}
        return without_null({task: operation.task_id, **pages})
    return without_null({task: operation.task_id, config: operation.config_id})


def _length(length: int | None, dialect: Dialect) -> int | None:
    """How many messages to ask for. In v0.3 zero means all of them, so one is what comes nearest to none."""
    return 1 if length == 0 and dialect.version == "0.3" else length


def _filters(operation: ListTasks, dialect: Dialect) -> Json:
    filters = {
        "contextId": operation.context_id,
        "status": None if operation.state is None else dialect.states[operation.state],
        "pageSize": operation.page_size,
        "pageToken": operation.page_token,
        "historyLength": _length(operation.history_length, dialect),
        "statusTimestampAfter": operation.updated_after,
        "includeArtifacts": operation.include_artifacts or None,
    }
    return without_null(filters)


def rest_request_of(operation: Operation, dialect: Dialect) -> RestRequest:
    """The REST request of an operation."""
    if isinstance(operation, GetExtendedAgentCard):
        return RestRequest("GET", _CARDS[dialect.version])
    if isinstance(operation, ListTasks):
        return RestRequest("GET", "tasks" + _query(_filters(operation, dialect)))
    if isinstance(operation, CreateTaskPushNotificationConfig):
        task_id = operation.config.task_id or ""
        body = push_config_in(operation.config, dialect)
        if dialect.version == "0.3":
            body = {"parent": f"tasks/{task_id}", "configId": operation.config.id or "", "config": body}
        return RestRequest("POST", f"tasks/{_segment(task_id)}/pushNotificationConfigs", body)
    task = f"tasks/{_segment(operation.task_id)}"
    if isinstance(operation, GetTask):
        length = _length(operation.history_length, dialect)
        return RestRequest("GET", task + _query(without_null({"historyLength": length})))
    if isinstance(operation, CancelTask):
        body = {"metadata": plain(operation.metadata)} if operation.metadata else {}
        return RestRequest("POST", f"{task}:cancel", body)
    if isinstance(operation, SubscribeToTask):
        return RestRequest("GET" if dialect.version == "0.3" else "POST", f"{task}:subscribe")
    configs = f"{task}/pushNotificationConfigs"
    if isinstance(operation, ListTaskPushNotificationConfigs):
        pages = {"pageSize": operation.page_size, "pageToken": operation.page_token}
        return RestRequest("GET", configs + _query(without_null(pages)))
    is_get = operation.kind == "get_push_config"
    return RestRequest("GET" if is_get else "DELETE", f"{configs}/{_segment(operation.config_id or '')}")


def _segment(text: str) -> str:
    """An id as one segment of a path."""
    return quote(text, safe="")


def _query(params: Mapping[str, Any]) -> str:
    """The query of parameters; truth values are written as in JSON."""
    written = {name: str(value).lower() if value.__class__ is bool else value for name, value in params.items()}
    return f"?{urlencode(written)}" if written else ""
