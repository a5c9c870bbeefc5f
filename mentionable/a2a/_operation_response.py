"""Answering an operation: a stored task, a page of them, a configuration or a card as an HTTP response.

Spec: A2A 0.3 §7.3 to §7.10, §8; A2A 1.0 §3.1, §5.4, §9.4, §11.3.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias, cast

from .._errors.exceptions import Code, UsageError
from .._flow.outcome import Rejected
from .._flow.settings import DEFAULTS, Settings, check_settings
from .._model.stored_task import StoredTask
from .._transport.reply import check_size
from .._wire.http import HttpResponse
from .._wire.strict_json import plain
from ..discovery import A2ACard, write_a2a_card
from ._operation import (
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
from ._protocol import CALL_FORMS, Json
from ._receive_operation import ReceivedOperation
from ._write.convert import check_event, event_in, task_in
from ._write.dialects import DIALECTS, Dialect
from ._write.fitting_history import fitting_lengths
from ._write.push_config import push_config_in, push_configs_in
from ._write.question import Question
from ._write.response import respond_error, respond_events, respond_result

OperationAnswer: TypeAlias = (
    StoredTask
    | Mapping[str, Any]
    | TaskPage
    | PushNotificationConfig
    | PushNotificationConfigPage
    | tuple[PushNotificationConfig, ...]
    | A2ACard
    | Rejected
    | None
)
"""What answers an operation."""

_EXPECTED: Final[Mapping[type, tuple[type, ...]]] = {
    GetTask: (StoredTask,),
    ListTasks: (TaskPage,),
    CancelTask: (StoredTask,),
    SubscribeToTask: (StoredTask, Mapping),
    CreateTaskPushNotificationConfig: (PushNotificationConfig,),
    GetTaskPushNotificationConfig: (PushNotificationConfig,),
    ListTaskPushNotificationConfigs: (PushNotificationConfigPage, tuple),
    DeleteTaskPushNotificationConfig: (),
    GetExtendedAgentCard: (A2ACard,),
}
"""Operation → what answers it, apart from `Rejected` and None."""


def operation_response(
    received: ReceivedOperation, answer: OperationAnswer, *, settings: Settings = DEFAULTS
) -> HttpResponse:
    """The response to an operation, in the version and binding of its request.

    A task of somebody else is answered like one that does not exist, byte for byte. Pages lose such tasks and do not
    count them, but they should not be there: a page of yours holds and counts the caller's tasks alone. So look tasks
    up by owner: `received.owns(task)` says whether to act on a task, and whether its configurations are the caller's
    business.

    No answer is larger than an A2A body may be. Of tasks that are, the newest messages of the histories are sent, as
    many as fit; what is too large without any history is answered with `answer-too-large`. So end a page early whose
    tasks are large.

    A subscription is a stream: give the task as it is first, and send the body of the response; then each event of
    `Outgoing.updates`, and send only its body on the same connection. Close it after the last event. Over JSON-RPC an
    error is an event too.

    Args:
        received: The operation.
        answer: A `StoredTask` to show, to cancel or to subscribe to; an event of a subscription as JSON
            of A2A 1.0; a `TaskPage`; a `PushNotificationConfig`; a `PushNotificationConfigPage`, or a tuple of all
            of them; an `A2ACard`. None: it was deleted; for everything else, there is no such thing. `Rejected` says
            another reason.
        settings: Has the limits.

    Raises:
        UsageError: Your program's fault: an answer that does not fit the operation, or that is of another task than
            it names; an event that is not well-formed, is a whole task, whose owner cannot be seen, or is larger than
            an A2A body may be.

    Spec: A2A 0.3 §7.3 to §7.10, §8; A2A 1.0 §3.1, §5.4, §9.4, §11.3.

    Example:
        >>> from mentionable import Verdict
        >>> unsigned = Verdict(method="none", verified=False, code="unsigned")
        >>> asked = ReceivedOperation(operation=GetTask(task_id="t1"), caller="alice", verdict=unsigned, dialect="1.0")
        >>> task = StoredTask(
        ...     id="t1", context_id="c1", owner="alice", state="working", updated_at="2026-11-21T20:56:00Z"
        ... )
        >>> b'"state":"TASK_STATE_WORKING"' in operation_response(asked, task).body
        True
        >>> operation_response(asked, task) == operation_response(asked, None)
        False
    """
    # 1. check the arguments
    # 2. what the caller may not see is not there
    # 3. write the answer, with as much history as fits, or the error
    if not isinstance(received, ReceivedOperation):
        raise UsageError("received must be the ReceivedOperation that receive_operation gave")
    check_settings(settings)
    _check_answer(received.operation, answer)
    refused = answer
    if not isinstance(answer, Rejected):
        code = _refusal(received, answer)
        refused = None if code is None else Rejected(code=code)
    question = _question_of(received)
    if isinstance(refused, Rejected):
        return respond_error(question, refused)
    return _respond(received, answer, question, settings.limits.a2a_bytes)


def _check_answer(operation: Operation, answer: object) -> None:
    """Raises `UsageError` when an answer does not fit the operation."""
    expected = _EXPECTED[type(operation)]
    is_none_wrong = answer is None and isinstance(operation, ListTasks)
    if is_none_wrong or not (answer is None or isinstance(answer, (Rejected, *expected))):
        raise UsageError(f"{type(answer).__name__} does not answer {type(operation).__name__}")
    if isinstance(answer, tuple) and not all(isinstance(one, PushNotificationConfig) for one in answer):
        raise UsageError("each item must be a PushNotificationConfig")
    if any(task_id != task_of(operation) for task_id in _tasks_in(answer)):
        raise UsageError("the answer is of another task than the one that is asked for")


def _tasks_in(answer: object) -> Iterable[str]:
    """The ids of the tasks that an answer shows, apart from a page, which loses those of others."""
    if isinstance(answer, StoredTask):
        return [answer.id]
    if isinstance(answer, Mapping):
        kind, task_id = check_event(answer)
        if kind == "task":  # its owner cannot be seen
            raise UsageError("a subscription begins with a StoredTask, and goes on with what became of it since")
        return [task_id]
    configs = answer.configs if isinstance(answer, PushNotificationConfigPage) else answer
    configs = configs if isinstance(configs, tuple) else (configs,)
    return [one.task_id for one in configs if isinstance(one, PushNotificationConfig) and one.task_id is not None]


def _refusal(received: ReceivedOperation, answer: OperationAnswer) -> Code | None:
    """Why the caller does not get an answer. That a task is another's is no reason to name: it is not there."""
    operation = received.operation
    if isinstance(operation, GetExtendedAgentCard):
        if received.caller is None:
            return "verification-required"
        return "extended-card-missing" if answer is None else None
    if answer is None:
        return None if isinstance(operation, DeleteTaskPushNotificationConfig) else "task-not-found"
    if not isinstance(answer, StoredTask):
        return None
    if not received.owns(answer):
        return "task-not-found"
    if isinstance(operation, SubscribeToTask):
        return "task-ended" if answer.is_ended else None
    was_canceled = not answer.is_ended or answer.state == "canceled"
    return "task-not-cancelable" if isinstance(operation, CancelTask) and not was_canceled else None


def _question_of(received: ReceivedOperation) -> Question:
    """The form of the answer: that of the request."""
    form = CALL_FORMS[received.dialect]
    binding, is_stream = "rest" if form.is_rest else "jsonrpc", isinstance(received.operation, SubscribeToTask)
    return Question(DIALECTS[form.form], binding, is_stream, received.id, "", None, None)


def _respond(received: ReceivedOperation, answer: OperationAnswer, question: Question, max_bytes: int) -> HttpResponse:
    """The response with an answer that the caller gets, no larger than `max_bytes`."""
    if isinstance(answer, Mapping):
        event = respond_events(question, events=[event_in(answer, question.dialect)], extensions=())
        check_size(event.body, most=max_bytes, what="an event")
        return event
    tasks = _visible_tasks(received, answer)
    length: int | None = getattr(received.operation, "history_length", None)
    response = _write(received, answer, question, [(task, length) for task in tasks])
    excess = len(response.body) - max_bytes
    if excess > 0 and tasks:
        lengths = fitting_lengths(
            tasks, question.dialect, is_stream=question.is_stream, history_length=length, excess=excess
        )
        response = _write(received, answer, question, [*zip(tasks, lengths, strict=True)])
    return response if len(response.body) <= max_bytes else respond_error(question, Rejected(code="answer-too-large"))


def _visible_tasks(received: ReceivedOperation, answer: OperationAnswer) -> list[StoredTask]:
    """The tasks of an answer; of a page those of the caller, and none where the caller has no name."""
    if isinstance(answer, TaskPage):
        return [task for task in answer.tasks if received.caller is not None and received.owns(task)]
    return [answer] if isinstance(answer, StoredTask) else []


_Visible: TypeAlias = Sequence[tuple[StoredTask, int | None]]
"""The tasks of an answer, and how many of the last messages of each are visible; None: all of them."""


def _write(received: ReceivedOperation, answer: OperationAnswer, question: Question, visible: _Visible) -> HttpResponse:
    """The response with an answer, and with so much of its tasks."""
    dialect = question.dialect
    if isinstance(answer, TaskPage):
        return respond_result(question, _page(received, answer, dialect, visible))
    if not visible:
        return respond_result(question, _result(answer, dialect))
    ((task, length),) = visible
    written = task_in(task, dialect, history_length=length)
    if question.is_stream:
        return respond_events(question, events=[dialect.event("task", written)], extensions=())
    return respond_result(question, written)


def _result(answer: OperationAnswer, dialect: Dialect) -> Any:
    """The JSON of an answer that has no tasks."""
    if isinstance(answer, PushNotificationConfig):
        return push_config_in(answer, dialect)
    if isinstance(answer, A2ACard):
        return write_a2a_card(answer, form=dialect.version)
    if answer is None:  # it was deleted
        return None if dialect.has_kind else {}
    if isinstance(answer, tuple):
        answer = PushNotificationConfigPage(configs=answer)
    return push_configs_in(cast("PushNotificationConfigPage", answer), dialect)


def _page(received: ReceivedOperation, page: TaskPage, dialect: Dialect, visible: _Visible) -> Json:
    """A page of the tasks that the caller may see; who has no name has no tasks to list."""
    listing = cast("ListTasks", received.operation)
    if received.caller is None:
        page = TaskPage(tasks=(), total_size=0)
    return {
        **plain(page.extra),
        "tasks": [
            task_in(task, dialect, history_length=length, has_artifacts=listing.include_artifacts)
            for task, length in visible
        ],
        "nextPageToken": page.next_page_token,
        "pageSize": len(visible),
        "totalSize": max(len(visible), page.total_size - (len(page.tasks) - len(visible))),
    }
