"""A task: its state, its status message, its artifacts and its history.

Spec: A2A 0.3 §6.1, A2A 1.0 §4.1; Normalized Message §5.2, §5.4.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from ..._errors.exceptions import WireError, wire_error, with_prefix
from ..._flow.settings import Limits
from ..._model.base import tuple_maker
from ..._model.diagnostic import Diagnostic
from .._protocol import enum_state
from .message import ENUM, Head, read_head, read_id, read_own_id
from .parse_context import members_of

_NAMES: Final = (
    "submitted",
    "working",
    "completed",
    "failed",
    "canceled",
    "input-required",
    "rejected",
    "auth-required",
)
STATES: Final[dict[object, str]] = {
    **{name: name for name in _NAMES},
    **{enum_state(name): name for name in _NAMES},
    **dict(enumerate(_NAMES, start=1)),
    **{str(number): name for number, name in enumerate(_NAMES, start=1)},
    "unknown": "unknown",
    "TASK_STATE_CANCELLED": "canceled",
}
"""Every spelling of a state → its name in v0.3."""
WAITING: Final = frozenset({"input-required", "auth-required"})
"""The states in which the client's next message answers the status message."""


class TaskHead(NamedTuple):
    """A task before its artifacts and history are read.

    Attributes:
        id: Its id.
        context_id: The context that it names, if any.
        state: Its state, spelled as in v0.3.
        timestamp: When the state was reached, as it came.
        message: The head of its status message, if there is one.
        artifacts: Its artifacts as they came.
        history: Its history as it came.
    """

    id: str
    context_id: str | None
    state: str
    timestamp: Any
    message: Head | None
    artifacts: list[Any]
    history: list[Any]


def read_task(task: Any, limits: Limits) -> TaskHead:
    """The head of a task of any dialect.

    Raises:
        WireError: `wrong-type`, `missing-member`, `unknown-value`, `task-mismatch`, and what `read_head` raises.
    """
    members = members_of(task, "a task")
    task_id = read_own_id(members.get("id"), "/id", "a task", limits)
    context_id = read_id(members.get("contextId"), "/contextId", limits)
    try:
        state, timestamp, message = read_status(members.get("status"), task_id, context_id, limits)
    except WireError as error:
        raise with_prefix(error, "/status") from None
    return TaskHead(
        task_id, context_id, state, timestamp, message, _list(members, "artifacts"), _list(members, "history")
    )


def read_status(
    value: Any, task_id: str | None, context_id: str | None, limits: Limits
) -> tuple[str, Any, Head | None]:
    """State, time and message of a status; raises as `read_task`, with pointers relative to the status."""
    status = members_of(value, "the status of a task")
    known_state = state_of(status)
    message = status.get("message")
    if message is None:
        return known_state, status.get("timestamp"), None
    try:
        head = read_head(message, limits)
        same_place(head, task_id, context_id)
    except WireError as error:
        raise with_prefix(error, "/message") from None
    return known_state, status.get("timestamp"), head


def open_status(members: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The state of a task or event with these members, spelled as in v0.3, and its status.

    Raises:
        WireError: There is no status, or it has no state.
    """
    try:
        status = members_of(members.get("status"), "the status of a task")
        return state_of(status), status
    except WireError as error:
        raise with_prefix(error, "/status") from None


def state_of(status: dict[str, Any]) -> str:
    """The state in a status, spelled as in v0.3.

    Raises:
        WireError: `unknown-value`.
    """
    state = status.get("state")
    known = STATES.get(state) if state.__class__ in ENUM else None
    if known is None:
        raise wire_error("unknown-value", "/state", "must be a state of A2A")
    return known


def same_place(message: Head, task_id: str | None, context_id: str | None) -> None:
    """Raises `task-mismatch` when a message names another task or context than these."""
    if task_id is not None and message.task_id is not None and message.task_id != task_id:
        raise wire_error("task-mismatch", "/taskId", "the message belongs to another task")
    if context_id is not None and message.context_id is not None and message.context_id != context_id:
        raise wire_error("task-mismatch", "/contextId", "the message belongs to another context")


def _list(members: dict[str, Any], name: str) -> list[Any]:
    """An optional array; empty when it is absent or null."""
    value = members.get(name)
    if value is None:
        return []
    if value.__class__ is not list:
        raise wire_error("wrong-type", f"/{name}", "must be an array")
    return value


class Conversation(NamedTuple):
    """The conversation of a message, as far as the message, its task or the host names it.

    Attributes:
        task_id: The task.
        context_id: The context.
        thread_id: The thread of the message, where the store knows of no other.
        diagnostics: Which other id replaces that of the task.
    """

    task_id: str | None
    context_id: str | None
    thread_id: str
    diagnostics: tuple[Diagnostic, ...] = ()


_new_conversation: Final = tuple_maker(Conversation)


def conversation_of(head: Head, task_id: str | None, context_id: str | None, task: TaskHead | None) -> Conversation:
    """The conversation of a message, whose thread is its task; without a task its context, else the message itself.

    The first message of a conversation has no task yet: the server makes its id, so the host must state it.

    Args:
        head: The message.
        task_id: The task that the host names.
        context_id: The context that the host names.
        task: The task that came along.

    Raises:
        WireError: `task-mismatch`: the message names another task or context than the host.
    """
    if task is not None:
        task_id, context_id = task.id, task.context_id or context_id
    if head.task_id is not None or head.context_id is not None:
        same_place(head, task_id, context_id)
    task_id, context_id = task_id or head.task_id, head.context_id or context_id
    if task_id is not None:
        return _new_conversation(task_id, context_id, task_id)
    if context_id is not None:
        detail = "no task is named; the context stands in for it"
        diagnostic = Diagnostic(code="thread-from-context", at="/contextId", detail=detail)
        return Conversation(None, context_id, context_id, (diagnostic,))
    detail = "no task and no context is named"
    return Conversation(None, None, head.id, (Diagnostic(code="thread-from-message", at="/messageId", detail=detail),))


def parent_of(task: TaskHead) -> str | None:
    """The id of the message that the client answers: the status message of a task that waits for the client.

    A2A has no member for this, so it is known only when the host hands over the task together with the message.

    The id is the bare messageId, which `in_reply_to` has while the parent is unknown. `FindMessage` asks for it in this
    form too, without an address before it: the agent wrote that message itself and never received it.
    """
    return None if task.message is None or task.state not in WAITING else task.message.id
