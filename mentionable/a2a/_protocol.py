"""The protocol's names of methods, states and events.

Spec: A2A 0.3 §6.3, §7; A2A 1.0 §4.1.3, §9.4, §11.3.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, NamedTuple, TypeAlias, get_args

from .._errors.exceptions import UsageError

Version: TypeAlias = Literal["0.3", "1.0"]

JSON_TYPE: Final = "application/json"
VERSION_HEADER: Final = "a2a-version"

A2A_JSON_TYPE: Final = "application/a2a+json"
"""The media type of v1.0 over REST."""

SEND: Final[Mapping[Version, str]] = {"0.3": "message/send", "1.0": "SendMessage"}
"""The JSON-RPC method that sends a message."""

STREAM: Final[Mapping[Version, str]] = {"0.3": "message/stream", "1.0": "SendStreamingMessage"}
"""The same with a stream as the answer."""

OperationKind: TypeAlias = Literal[
    "get_task",
    "list_tasks",
    "cancel_task",
    "subscribe_to_task",
    "create_push_config",
    "get_push_config",
    "list_push_configs",
    "delete_push_config",
    "get_extended_card",
]

OPERATIONS: Final[Mapping[Version, Mapping[OperationKind, str]]] = {
    "0.3": {
        "get_task": "tasks/get",
        "list_tasks": "tasks/list",
        "cancel_task": "tasks/cancel",
        "subscribe_to_task": "tasks/resubscribe",
        "create_push_config": "tasks/pushNotificationConfig/set",
        "get_push_config": "tasks/pushNotificationConfig/get",
        "list_push_configs": "tasks/pushNotificationConfig/list",
        "delete_push_config": "tasks/pushNotificationConfig/delete",
        "get_extended_card": "agent/getAuthenticatedExtendedCard",
    },
    "1.0": {
        "get_task": "GetTask",
        "list_tasks": "ListTasks",
        "cancel_task": "CancelTask",
        "subscribe_to_task": "SubscribeToTask",
        "create_push_config": "CreateTaskPushNotificationConfig",
        "get_push_config": "GetTaskPushNotificationConfig",
        "list_push_configs": "ListTaskPushNotificationConfigs",
        "delete_push_config": "DeleteTaskPushNotificationConfig",
        "get_extended_card": "GetExtendedAgentCard",
    },
}
"""The JSON-RPC method of each operation. v0.3 lists tasks over REST alone; its peers name the method like this."""

REST_SEND: Final = "message:send"
REST_STREAM: Final = "message:stream"
"""The ends of REST paths that mean the same, in both versions."""

CALL_IDS: Final = (str, int, float)
"""The types of the id of a JSON-RPC call; a truth value has none of these."""

WRAPPERS: Final[Mapping[str, str]] = {
    "task": "task",
    "message": "message",
    "status-update": "statusUpdate",
    "artifact-update": "artifactUpdate",
}
"""Kind of event → the member that wraps it."""

KINDS: Final[Mapping[str, str]] = {wrapper: kind for kind, wrapper in WRAPPERS.items()}
"""The member that wraps an event → its kind."""


def enum_state(state: str) -> str:
    """The name of a state in v1.0 and over REST."""
    return "TASK_STATE_" + state.upper().replace("-", "_")


Json: TypeAlias = dict[str, Any]


CallDialect: TypeAlias = Literal["1.0", "1.0-rest", "0.3", "0.3-rest"]
"""The version of A2A to ask in, over JSON-RPC or over REST. The other agent's card names those that it supports."""


class CallForm(NamedTuple):
    """What a version and binding together mean.

    Attributes:
        version: The version.
        form: How objects are written: the name of a row of `DIALECTS`.
        path: The path between the URL of a REST interface and the method; None over JSON-RPC.
    """

    version: Version
    form: str
    path: str | None

    @property
    def is_rest(self) -> bool:
        """Whether the binding is REST, not JSON-RPC."""
        return self.path is not None


CALL_FORMS: Final[Mapping[CallDialect, CallForm]] = {
    "1.0": CallForm("1.0", form="1.0", path=None),
    "1.0-rest": CallForm("1.0", form="1.0", path="/"),
    "0.3": CallForm("0.3", form="0.3", path=None),
    "0.3-rest": CallForm("0.3", form="0.3-rest", path="/v1/"),
}
"""Each version and binding, in one row."""


def check_dialect(dialect: object) -> None:
    """Raises `UsageError` unless this is a dialect to ask in."""
    if dialect not in get_args(CallDialect):
        raise UsageError("dialect is one of 1.0, 1.0-rest, 0.3 and 0.3-rest")
