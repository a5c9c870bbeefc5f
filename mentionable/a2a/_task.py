"""What is stored of a task while it lives: it is opened by a question, and goes on with each event of an answer.

Spec: A2A 1.0 §3.4, §4.1; A2A 0.3 §6.1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final, Literal, TypeAlias, get_args

from .._errors.exceptions import UsageError
from .._flow.settings import DEFAULTS, Limits, Settings, check_inputs, check_kind
from .._model.base import replace
from .._model.message import NormalizedMessage, NormalizedResponse, check_is_response
from .._model.stored_task import ENDED, StoredTask, last_messages
from .._transport.history import max_json_chars
from .._transport.reply import NO_BLOBS
from .._wire.address import ANONYMOUS
from .._wire.ids import task_id_for
from .._wire.strict_json import dig, dig_object, dump_line, is_text
from .._wire.time import format_time
from ._protocol import Json
from ._read.metadata import hints_of
from ._read.task import STATES
from ._write.answer import Draft, frame_events, task_events, write_answer_task
from ._write.dialects import V1
from ._write.objects import Place, write_message, write_status
from ._write.objects import status_update as write_status_update
from ._write.parts import write_nothing, write_parts
from ._write.question import members_in, question_of

AnswerState: TypeAlias = Literal[
    "input-required", "auth-required", "working", "completed", "canceled", "failed", "rejected"
]
"""The states in which an answer may leave its task."""

_SHARE: Final = 3
"""A part of what an answer may hold is for its history: a third. Older dialects write up to twice as much of it."""

_OTHER_MEMBERS: Final = ("extensions", "referenceTaskIds")
"""Members of a message that its parts do not hold, and that stay in the history."""


def task_id_of(message: NormalizedMessage) -> str:
    """The task that answers to a message belong to: the one that it names, else the one that `reply` opens for it.

    Under this id you find what you stored of the task, if anything, and give it to `open_task`.

    Raises:
        UsageError: It is no message that came by A2A.
    """
    _check_message(message)
    return question_of(message).task_id or task_id_for(message.id)


def open_task(
    message: NormalizedMessage,
    *,
    task: StoredTask | None = None,
    now: datetime,
    blobs: Mapping[str, bytes] = NO_BLOBS,
    settings: Settings = DEFAULTS,
) -> StoredTask:
    """The task of a message, to store before your agent answers, so that clients can ask for it at once.

    The message is the last one of its history; what the agent asked before it goes there too. A new task belongs to
    the sender: to the address, verified or not, else to the caller that your host names.

    Args:
        message: The message, as `receive` gave it.
        task: What you stored of the task, where the message goes on with one: see `task_id_of`.
        now: The time, aware.
        blobs: SHA-256 in hex → bytes, for files of the message that are named by their digest: `Received.blobs`.
        settings: Has the limits, which bound what is stored: up to `a2a_bytes` of JSON. The history has up to
            `parts` messages, and a third of the bytes that status and artifacts leave; the oldest messages go first.

    Raises:
        UsageError: Your program's fault: a message of another transport; a task that has ended, is another one or
            belongs to another caller, or is too large.

    Spec: A2A 1.0 §3.4.

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import Answers, drive
        >>> from mentionable.a2a import receive
        >>> now = datetime(2026, 11, 21, tzinfo=UTC)
        >>> message = {"messageId": "m1", "contextId": "c1", "role": "ROLE_USER", "parts": [{"text": "Hi"}]}
        >>> got = drive(receive(message, recipient="@helper@agents.example", now=now, entropy=bytes(32)), Answers())
        >>> task = open_task(got.message, now=now)
        >>> task.context_id, task.state, [turn["messageId"] for turn in task.history]
        ('c1', 'submitted', ['m1'])
    """
    check_inputs(now, settings)
    task_id, owner = task_id_of(message), owner_of(message)
    if task is None:
        context_id = question_of(message).context_id
        task = StoredTask(
            id=task_id, context_id=context_id, owner=owner, state="submitted", updated_at=format_time(now)
        )
    check_task(task, task_id=task_id)
    if task.owner != owner:
        raise UsageError("task: it belongs to another caller than the sender of the message")
    if task.state != "working":  # the agent at work goes on; else it begins, and what it asked is answered now
        task = replace(task, state="submitted", updated_at=format_time(now), message=None, history=task.messages)
    asked = _message_in_history(message, task, blobs)
    if not any(_is_same_message(turn, asked) for turn in task.history):
        task = replace(task, history=(*task.history, asked))
    return within_limits(task, settings.limits)


def status_update(task: StoredTask) -> Json:
    """The event of v1.0 that says the state of a task: for subscribers and webhooks, when you changed it yourself.

    Raises:
        UsageError: It is no stored task.

    Example:
        >>> ids = {"id": "t1", "context_id": "c1", "updated_at": "2026-11-21T00:00:00Z"}
        >>> status_update(StoredTask(**ids, state="canceled"))["statusUpdate"]["status"]["state"]
        'TASK_STATE_CANCELED'
    """
    check_kind(task, StoredTask, "task")
    message = None if task.message is None else dict(task.message)
    status = write_status(task.state, V1, message=message, time=task.updated_at)
    return write_status_update(Place(task.context_id, task.id), status, V1, is_final=False)


def with_state(response: NormalizedResponse, state: AnswerState) -> NormalizedResponse:
    """An answer that leaves its task in a state of its own: `input-required` for an agent that asks back.

    Only A2A has tasks: on other transports the words of the answer say it all.

    Raises:
        UsageError: It is no such state, or no response.

    Spec: A2A 1.0 §4.1.3.

    Example:
        >>> from mentionable import NormalizedResponse, TextPart
        >>> question = NormalizedResponse(reply_to="m1", parts=(TextPart(content="Which day?"),))
        >>> with_state(question, "input-required").extra
        {'a2a': {'state': 'input-required'}}
    """
    check_is_response(response)
    if state not in get_args(AnswerState):
        raise UsageError(f"state is one of {', '.join(get_args(AnswerState))}")
    own = {**dig_object(response.extra, "a2a"), "state": state}
    return replace(response, extra={**response.extra, "a2a": own})


def check_task(task: object, *, task_id: str) -> None:
    """Raises `UsageError` unless this is a stored task that goes on, with the id of the task of the question."""
    if not isinstance(task, StoredTask):
        raise UsageError("task must be a StoredTask")
    if task.id != task_id:
        raise UsageError("task is another one than that of the message: see task_id_of")
    if task.state in ENDED:
        raise UsageError(f"task: it is {task.state}, and nothing of it changes any more")


def is_streamed(task: StoredTask) -> bool:
    """Whether frames of an answer came, of which the last one is still to come."""
    streams = [dig(artifact, "metadata", "mentionable", "streaming") for artifact in task.artifacts]
    return any(dig(stream, "final") is False for stream in streams)


def stored_after(task: StoredTask, draft: Draft, limits: Limits) -> tuple[StoredTask, tuple[Json, ...]]:
    """The task after an answer or a frame of one, and the events of v1.0 that bring it there.

    Args:
        task: The task before it.
        draft: The answer as v1.0 writes it.
        limits: Bound what is stored.
    """
    streaming = draft.response.streaming
    if streaming is None:
        _, *events = task_events(write_answer_task(draft), draft)
    else:
        events = [event for event in frame_events(draft, streaming)[1] if "task" not in event]
        if task.state != "working":
            events.insert(0, status_update(replace(task, state="working", updated_at=format_time(draft.now))))
    return updated(task, events, limits), tuple(events)


def updated(task: StoredTask, events: Iterable[Mapping[str, Any]], limits: Limits) -> StoredTask:
    """The task after events of v1.0: each is another status, an artifact, or more of one."""
    for event in events:
        if "artifactUpdate" in event:
            update = event["artifactUpdate"]
            appends = update.get("append") is True
            task = replace(task, artifacts=_with_artifact(task.artifacts, update["artifact"], appends=appends))
        else:
            status = event["statusUpdate"]["status"]
            task = replace(
                task,
                state=STATES[status["state"]],
                updated_at=status["timestamp"],
                message=status.get("message"),
                history=task.messages,
            )
    return within_limits(task, limits)


def within_limits(task: StoredTask, limits: Limits) -> StoredTask:
    """The task with as many of its last messages as may be stored, so that it can be sent whole in every dialect.

    Raises:
        UsageError: It is too large without any of them.
    """
    work, history = [task.message, task.metadata, *task.artifacts], last_messages(task.history, limits.parts)
    if len(history) == len(task.history) and max_json_chars([*work, *history]) * _SHARE <= limits.a2a_bytes:
        return task
    size = len(dump_line(work).encode())
    if size > limits.a2a_bytes:
        raise UsageError(f"task: {size} bytes, at most {limits.a2a_bytes}: give files by their URL")
    remaining, count = (limits.a2a_bytes - size) // _SHARE, 0
    for turn in reversed(history):
        remaining -= len(dump_line(turn).encode())
        if remaining < 0:
            break
        count += 1
    return task.trimmed(count)


def _with_artifact(known: tuple[Mapping[str, Any], ...], artifact: Json, *, appends: bool) -> tuple[Any, ...]:
    """The artifacts with another one, which replaces or continues the one of its id."""
    for index, one in enumerate(known):
        if one["artifactId"] == artifact["artifactId"]:
            if appends:
                artifact = {**one, **artifact, "parts": _continued(one["parts"], artifact["parts"])}
            return (*known[:index], artifact, *known[index + 1 :])
    return (*known, artifact)


def _continued(parts: list[Json], more: list[Json]) -> list[Json]:
    """The parts of an artifact with the next ones; text that goes on is one part with the text before it."""
    last, first = parts[-1], more[0]
    hints = hints_of(first.get("metadata"))
    if hints.get("kind") == "none":  # a frame without parts
        return parts
    if hints_of(last.get("metadata")).get("kind") == "none":
        return more
    is_text = "text" in last and last.keys() <= {"text", "mediaType", "metadata"}
    if not (is_text and hints.get("continues") is True and last.get("mediaType") == first.get("mediaType")):
        return [*parts, *more]
    return [*parts[:-1], {**last, "text": last["text"] + first["text"]}, *more[1:]]


def _is_same_message(turn: Mapping[str, Any], message: Json) -> bool:
    """Whether a turn is the very message: some clients have one id for all that they send."""
    return bool(turn.get("messageId") == message["messageId"] and turn.get("parts") == message["parts"])


def _message_in_history(message: NormalizedMessage, task: StoredTask, blobs: Mapping[str, bytes]) -> Json:
    """The message of the client as JSON of v1.0."""
    native = members_in(message.raw, "message")
    written, _ = write_parts(message.parts, V1, blobs)
    metadata = {name: one for name, one in dig_object(native, "metadata").items() if name != "mentionable"}
    native_id = native.get("messageId", "")
    asked = write_message(
        written or [write_nothing(V1)],
        V1,
        message_id=native_id if _is_named(native_id) else message.id,
        role=V1.user,
        place=Place(task.context_id, task.id),
        hints={},
        metadata=metadata,
        extensions=(),
    )
    for name in _OTHER_MEMBERS:
        values = native.get(name)
        if values.__class__ is list and values and all(map(_is_named, values)):
            asked[name] = values
    return asked


def owner_of(message: NormalizedMessage) -> str | None:
    """Whose a task is: the sender, else the caller that the host names."""
    if message.sender.address not in ANONYMOUS:
        return message.sender.address
    subject = dig(message.raw, "auth", "subject")
    return subject if _is_named(subject) else None


def _check_message(message: object) -> None:
    if not isinstance(message, NormalizedMessage) or message.received_via != "a2a":
        raise UsageError("message must be a NormalizedMessage that was received via a2a")


def _is_named(value: Any) -> bool:
    return value.__class__ is str and bool(value) and is_text(value)
