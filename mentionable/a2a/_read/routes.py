"""Which operation a request asks for: by its JSON-RPC method, or by its REST path and HTTP method.

A URL alone does not tell the binding: an agent may be reached at any path. What looks like REST is REST, everything
else that is posted is JSON-RPC.

Spec: A2A 0.3 §3.5.6; A2A 1.0 §5.3, §11.3.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from ..._text.media import media_type
from ..._wire.http import HttpRequest, without_query
from .._protocol import A2A_JSON_TYPE, OPERATIONS, OperationKind, Version
from .envelope import rest_method, version_label

_OTHER_NAMES: Final[Mapping[str, tuple[Version, OperationKind]]] = {
    "GetAgentCard": ("1.0", "get_extended_card"),
    "GetAuthenticatedExtendedCard": ("1.0", "get_extended_card"),
    "ListTaskPushNotificationConfig": ("1.0", "list_push_configs"),
    "SetTaskPushNotificationConfig": ("1.0", "create_push_config"),
    "TaskSubscription": ("1.0", "subscribe_to_task"),
}
"""What peers call the operations that drafts of v1.0 and the services of v0.3 named otherwise."""

METHODS: Final[Mapping[str, tuple[Version, OperationKind]]] = {
    **{name: (version, kind) for version, names in OPERATIONS.items() for kind, name in names.items()},
    **_OTHER_NAMES,
}
"""JSON-RPC method → the version that it is of, and the operation that it means."""

_CONFIGS: Final = "pushNotificationConfigs"
_OLD_PATH: Final = "/v1/"
"""Part of each path of REST in v0.3; those of v1.0 name no version."""
_VERB: Final = re.compile(r"/[A-Za-z]+:[A-Za-z]+\Z").search
"""A path that ends in a verb, as those of REST do."""


class Route(NamedTuple):
    """What a REST path offers.

    Attributes:
        operations: HTTP method → operation.
        task_id: The id of a task in it, still encoded.
        config_id: The same of a configuration.
    """

    operations: Mapping[str, OperationKind]
    task_id: str = ""
    config_id: str = ""


_CARD: Final = Route({"GET": "get_extended_card"})
_LIST: Final = Route({"GET": "list_tasks"})
_OF_TASK: Final[Mapping[str, OperationKind]] = {"GET": "get_task"}
_VERBS_OF_TASK: Final[Mapping[str, Mapping[str, OperationKind]]] = {
    "cancel": {"POST": "cancel_task"},
    "subscribe": {"GET": "subscribe_to_task", "POST": "subscribe_to_task"},
}
_OF_CONFIGS: Final[Mapping[str, OperationKind]] = {"GET": "list_push_configs", "POST": "create_push_config"}
_OF_CONFIG: Final[Mapping[str, OperationKind]] = {"GET": "get_push_config", "DELETE": "delete_push_config"}


def route_of(request: HttpRequest) -> Route | None:
    """What the end of a path offers; None when no operation ends like this."""
    match without_query(request.url).rsplit("/", 4):
        case [_, "tasks", task, configs, config] if configs == _CONFIGS and task and config:
            return Route(_OF_CONFIG, task, config)
        case [*_, "tasks", task, configs] if configs == _CONFIGS and task:
            return Route(_OF_CONFIGS, task)
        case [*_, "tasks", task] if task:
            task_id, _, verb = task.rpartition(":")
            if task_id and verb in _VERBS_OF_TASK:
                return Route(_VERBS_OF_TASK[verb], task_id)
            return Route(_OF_TASK, task)
        case [*_, "tasks"]:
            return _LIST
        case [*_, "extendedAgentCard"] | [*_, "v1", "card"]:
            return _CARD
    return None


def is_rest(request: HttpRequest) -> bool:
    """Whether a request is one of REST."""
    if request.method != "POST" or rest_method(request.url) is not None:
        return True
    route = route_of(request)
    if route is not None and "POST" in route.operations:
        return True
    if media_type(request.header("content-type") or "") == A2A_JSON_TYPE:
        return True
    has_path_of_rest = route is not None or _VERB(without_query(request.url)) is not None
    return has_path_of_rest and b'"jsonrpc"' not in request.body


def rest_version(request: HttpRequest) -> Version:
    """The version of a REST request: the one that it names, else what its path shows.

    Raises:
        WireError: `version-unsupported`.
    """
    label = version_label(request)
    if label is None:
        return "0.3" if _OLD_PATH in without_query(request.url) else "1.0"
    return "0.3" if label == "0.3" else "1.0"
