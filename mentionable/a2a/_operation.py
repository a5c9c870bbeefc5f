"""The operations of A2A on tasks: what a client asks for other than to send a message, as values.

Spec: A2A 1.0 §3.1; A2A 0.3 §7.3 to §7.10.
"""

from __future__ import annotations

import re
from typing import Annotated, ClassVar, Final, Literal, TypeAlias

from attrs import field

from .._flow.settings import up_to
from .._model.annotation import Rule
from .._model.base import EMPTY_DICT, validated
from .._model.rules import Count, JsonObject, Name, Timestamp, Token, WebUrl
from .._model.stored_task import StoredTask, TaskState
from .._wire.http import is_fetchable_url, is_web_url

MAX_PAGE: Final = 100
"""How many items one page may hold. Spec: A2A 1.0 §3.1.4."""

PageSize: TypeAlias = Annotated[
    int,
    Rule(f"an integer from 1 to {MAX_PAGE}", lambda n: 1 <= n <= MAX_PAGE, {"minimum": 1, "maximum": MAX_PAGE}),
]


_LOCAL: Final = re.compile(r"https?://(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/?]|\Z)", re.IGNORECASE).match
_FIELD_VALUE: Final = re.compile("(?:[!-~](?:[ -~]*[!-~])?)?").fullmatch


def is_field_value(text: str) -> bool:
    """Whether a text can be the value of a header field, and comes back as it was sent."""
    return _FIELD_VALUE(text) is not None


def is_webhook(url: str, *, allows_local: bool) -> bool:
    """Whether push notifications may go to a URL: https on the default port of a DNS name, or this machine."""
    return is_fetchable_url(url) or (allows_local and _LOCAL(url) is not None and is_web_url(url))


FieldValue: TypeAlias = Annotated[
    str, Rule("ASCII text without a blank at its ends", is_field_value, {"pattern": "^([!-~]([ -~]*[!-~])?)?$"})
]
"""What is sent as it is in a header field of a notification."""


@validated
class PushAuthentication:
    """How a webhook wants to be authenticated.

    Attributes:
        scheme: The HTTP authentication scheme, such as `Bearer`.
        credentials: What is sent with it.
        extra: Members that this version does not know.
    """

    scheme: Token
    credentials: FieldValue | None = field(default=None, repr=False)
    extra: JsonObject = EMPTY_DICT


@validated
class PushNotificationConfig:
    """Where the updates of a task are sent to.

    Attributes:
        url: The webhook.
        id: The id of this configuration; a client that names none gets one of yours.
        task_id: Its task.
        token: What the webhook recognizes this task by, in the header of each notification.
        authentication: How the webhook wants to be authenticated.
        extra: Members that this version does not know.
    """

    url: WebUrl
    id: Name | None = None
    task_id: Name | None = None
    token: FieldValue | None = field(default=None, repr=False)
    authentication: PushAuthentication | None = None
    extra: JsonObject = EMPTY_DICT


@validated
class GetTask:
    """Show one task.

    Attributes:
        task_id: The task.
        history_length: How many of its last messages to show; None: all of them.
        extra: Members that this version does not know.
    """

    kind: ClassVar[Literal["get_task"]] = "get_task"
    task_id: Name
    history_length: Count | None = None
    extra: JsonObject = EMPTY_DICT


@validated
class ListTasks:
    """List the tasks of the caller, those with the newest status first.

    Attributes:
        context_id: Only those of this context.
        state: Only those in this state.
        page_size: The size of the page; None: you choose, up to 50.
        page_token: Where the page begins: `next_page_token` of the page before, which only your program can read.
        history_length: How many of the last messages of each to show; None: you choose.
        updated_after: Only those whose status is not older.
        include_artifacts: Whether their artifacts come along.
        extra: Members that this version does not know.
    """

    kind: ClassVar[Literal["list_tasks"]] = "list_tasks"
    context_id: Name | None = None
    state: TaskState | None = None
    page_size: PageSize | None = None
    page_token: Name | None = None
    history_length: Count | None = None
    updated_after: Timestamp | None = None
    include_artifacts: bool = False
    extra: JsonObject = EMPTY_DICT


@validated
class CancelTask:
    """Cancel a task.

    Attributes:
        task_id: The task.
        metadata: What the client adds.
        extra: Members that this version does not know.
    """

    kind: ClassVar[Literal["cancel_task"]] = "cancel_task"
    task_id: Name
    metadata: JsonObject = EMPTY_DICT
    extra: JsonObject = EMPTY_DICT


@validated
class SubscribeToTask:
    """Stream the updates of a task that is not over.

    Attributes:
        task_id: The task.
        extra: Members that this version does not know.
    """

    kind: ClassVar[Literal["subscribe_to_task"]] = "subscribe_to_task"
    task_id: Name
    extra: JsonObject = EMPTY_DICT


@validated
class CreateTaskPushNotificationConfig:
    """Send the updates of a task to a webhook.

    Attributes:
        config: Where to; it always names the task.
        extra: Members that this version does not know.
    """

    kind: ClassVar[Literal["create_push_config"]] = "create_push_config"
    config: PushNotificationConfig
    extra: JsonObject = EMPTY_DICT


@validated
class GetTaskPushNotificationConfig:
    """Show where the updates of a task are sent to.

    Attributes:
        task_id: The task.
        config_id: The configuration; None, which only v0.3 allows: the one that you made first.
        extra: Members that this version does not know.
    """

    kind: ClassVar[Literal["get_push_config"]] = "get_push_config"
    task_id: Name
    config_id: Name | None = None
    extra: JsonObject = EMPTY_DICT


@validated
class ListTaskPushNotificationConfigs:
    """List where the updates of a task are sent to.

    Attributes:
        task_id: The task.
        page_size: The size of the page; None: you choose.
        page_token: Where the page begins.
        extra: Members that this version does not know.
    """

    kind: ClassVar[Literal["list_push_configs"]] = "list_push_configs"
    task_id: Name
    page_size: PageSize | None = None
    page_token: Name | None = None
    extra: JsonObject = EMPTY_DICT


@validated
class DeleteTaskPushNotificationConfig:
    """Send no more updates of a task to a webhook.

    Attributes:
        task_id: The task.
        config_id: The configuration.
        extra: Members that this version does not know.
    """

    kind: ClassVar[Literal["delete_push_config"]] = "delete_push_config"
    task_id: Name
    config_id: Name
    extra: JsonObject = EMPTY_DICT


@validated
class GetExtendedAgentCard:
    """Show the agent card for callers who are authenticated.

    Attributes:
        extra: Members that this version does not know.
    """

    kind: ClassVar[Literal["get_extended_card"]] = "get_extended_card"
    extra: JsonObject = EMPTY_DICT


Operation: TypeAlias = (
    GetTask
    | ListTasks
    | CancelTask
    | SubscribeToTask
    | CreateTaskPushNotificationConfig
    | GetTaskPushNotificationConfig
    | ListTaskPushNotificationConfigs
    | DeleteTaskPushNotificationConfig
    | GetExtendedAgentCard
)
"""What a client can ask for other than to send a message."""


def task_of(operation: Operation) -> str | None:
    """The task that an operation is on; None: it is on none, or names none."""
    if isinstance(operation, CreateTaskPushNotificationConfig):
        return operation.config.task_id
    task_id: str | None = getattr(operation, "task_id", None)
    return task_id


@validated
class TaskPage:
    """One page of a list of tasks.

    Attributes:
        tasks: The tasks of this page.
        next_page_token: What asks for the next page; empty: there is none.
        total_size: How many tasks of the caller there are on all pages.
        page_size: The size of a page that another agent states. `operation_response` states how many tasks the page
            has.
        extra: Members that this version does not know.
    """

    tasks: tuple[StoredTask, ...]
    next_page_token: str = ""
    total_size: Count
    page_size: Annotated[int, up_to(MAX_PAGE)] | None = None
    extra: JsonObject = EMPTY_DICT


@validated
class PushNotificationConfigPage:
    """One page of the webhooks of a task.

    Attributes:
        configs: The configurations of this page.
        next_page_token: What asks for the next page; empty: there is none.
        extra: Members that this version does not know.
    """

    configs: tuple[PushNotificationConfig, ...]
    next_page_token: str = ""
    extra: JsonObject = EMPTY_DICT
