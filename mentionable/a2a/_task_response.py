"""Answering a question with its task as it is stored, or with what became of the task since: no words of the agent's.

Spec: A2A 0.3 §7.1, §7.2; A2A 1.0 §3.1.1, §3.1.2.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .._errors.exceptions import UsageError
from .._flow.outcome import Rejected
from .._flow.settings import DEFAULTS, Settings, check_kind, check_settings
from .._model.message import NormalizedMessage
from .._model.stored_task import StoredTask
from .._transport.reply import check_size
from .._wire.http import HttpResponse
from ._read.configuration import read_configuration
from ._task import owner_of, task_id_of
from ._write.convert import check_event, event_in, task_in
from ._write.fitting_history import fitting_lengths
from ._write.question import Question, question_of
from ._write.response import respond, respond_error, respond_events


def task_response(
    answer: StoredTask | Mapping[str, Any], *, to: NormalizedMessage, settings: Settings = DEFAULTS
) -> HttpResponse:
    """The response to a question: its task as it is stored, or an event of the task.

    For an agent that works on whether or not a client waits. One that does not gets the task at once. One that does
    gets it when the work is over. One that asked for a stream gets the task first, and then each event of
    `Outgoing.updates`: send only the bodies of those on the same connection.

    Of a task that is larger than an A2A body may be the newest messages are sent, as many as fit. Where it is too
    large without any, the error `answer-too-large` is the response.

    Args:
        answer: The task; for a question that asked for a stream, also an event as JSON of A2A 1.0.
        to: The question, as `receive` gave it or your store gave it back.
        settings: Has the limits.

    Raises:
        UsageError: Your program's fault: another task, or that of another caller; an event for a client that takes no
            stream; or an event that is larger than an A2A body may be.

    Spec: A2A 0.3 §7.1, §7.2; A2A 1.0 §3.1.1, §3.1.2, §3.2.2.

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import Answers, drive
        >>> from mentionable.a2a import open_task, receive
        >>> now = datetime(2026, 11, 21, tzinfo=UTC)
        >>> question = {"messageId": "m1", "role": "ROLE_USER", "parts": [{"text": "Hi"}]}
        >>> got = drive(receive(question, recipient="@helper@agents.example", now=now, entropy=bytes(32)), Answers())
        >>> task = open_task(got.message, now=now)
        >>> b'"state":"TASK_STATE_SUBMITTED"' in task_response(task, to=got.message).body
        True
    """
    # 1. check the arguments
    # 2. write the event, or the task with as much history as fits, in the dialect of the question
    check_settings(settings)
    check_kind(to, NormalizedMessage, "to")
    question = question_of(to)
    length = read_configuration(question.configuration, question.dialect.version).value.history_length
    _check_answer(answer, to)
    max_bytes = settings.limits.a2a_bytes
    if not isinstance(answer, StoredTask):
        if not question.is_stream:
            raise UsageError("the client takes no stream: answer with the task")
        event = respond_events(question, events=[event_in(answer, question.dialect)], extensions=())
        check_size(event.body, most=max_bytes, what="an event")
        return event
    written = _respond(question, answer, length)
    excess = len(written.body) - max_bytes
    if excess > 0:
        [length] = fitting_lengths(
            [answer], question.dialect, is_stream=question.is_stream, history_length=length, excess=excess
        )
        written = _respond(question, answer, length)
    return written if len(written.body) <= max_bytes else respond_error(question, Rejected(code="answer-too-large"))


def _respond(question: Question, task: StoredTask, history_length: int | None) -> HttpResponse:
    """The response with a task."""
    written = task_in(task, question.dialect, history_length=history_length)
    if question.is_stream:
        return respond_events(question, events=[question.dialect.event("task", written)], extensions=())
    return respond(question, result=written, kind="task", extensions=())


def _check_answer(answer: object, to: NormalizedMessage) -> None:
    """Raises `UsageError` unless an answer is the task of the question, or an event of it."""
    if isinstance(answer, StoredTask):
        if answer.id != task_id_of(to):
            raise UsageError("answer is another task than that of the message: see task_id_of")
        if answer.owner != owner_of(to):
            raise UsageError("answer: the task belongs to another caller than the sender of the message")
        return
    _, task_id = check_event(answer)
    if task_id != task_id_of(to):
        raise UsageError("answer is an event of another task than that of the message: see task_id_of")
