"""A response becomes the message, task or events that answer an A2A question, and the HTTP response.

Spec: Normalized Message §4, §5.2; A2A 0.3 and 1.0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from .._errors.exceptions import UsageError
from .._flow.settings import DEFAULTS, Settings, check_kind
from .._model.base import EMPTY_DICT, frozen, replace
from .._model.diagnostic import Diagnostic
from .._model.message import NormalizedMessage, NormalizedResponse
from .._model.parts import ArtifactPart, FilePart, TextPart
from .._model.stored_task import StoredTask
from .._text.plain_text import part_text
from .._transport.policy_part import has_private_policy, no_private_way
from .._transport.reply import NO_BLOBS, check_frame, check_reply, check_size
from .._wire.http import HttpResponse
from .._wire.ids import task_id_for
from ..policy import check_settlement
from ._configuration import SendConfiguration
from ._protocol import CallDialect
from ._read.configuration import read_configuration
from ._task import check_task, is_streamed, owner_of, stored_after
from ._write.answer import (
    draft_answer,
    frame_events,
    in_dialect,
    task_events,
    write_answer_task,
    write_reply_message,
)
from ._write.convert import event_in, task_in
from ._write.dialects import V1
from ._write.fitting_history import fitting_lengths
from ._write.question import Question, question_of
from ._write.response import respond, respond_events


@frozen
class Outgoing:
    """An answer in the dialect of its question.

    A host that speaks HTTP itself needs `response` alone. One inside an A2A SDK takes `message` or `task`, or in a
    stream `events`. The JSON is fresh: it shares nothing with the response, though `events` may share with `message` or
    `task`.

    Attributes:
        message: The answer as one complete message of the agent. For a frame of a stream: what the frame adds.
        task: The answer as a task, when the question belongs to one or the answer needs one: an error, a policy, or
            artifacts. For the first frame of a stream: the task that it opens. Else None.
        events: The events of a stream, in order: those of the frame, or of the whole answer.
        response: The HTTP response; of a frame the next piece of one, for a client that asked for a stream.
        native_id: The messageId of `message`. Store the answer under it, so that a reply to it finds its parent.
        diagnostics: What of the response could not be carried as it is: `part-changed`.
        stored_task: What to store of the task now, where `reply` got one.
        updates: What is new about that task, for its other subscribers and for webhooks: events as JSON of A2A 1.0.
    """

    message: dict[str, Any]
    task: dict[str, Any] | None
    events: tuple[dict[str, Any], ...]
    response: HttpResponse
    native_id: str
    diagnostics: tuple[Diagnostic, ...] = ()
    stored_task: StoredTask | None = None
    updates: tuple[dict[str, Any], ...] = ()


def wants_stream(message: NormalizedMessage) -> bool:
    """Whether a question that came by A2A asked for a stream, so that frames may answer it.

    Raises:
        UsageError: It is no message.

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import Answers, HttpRequest, drive
        >>> from mentionable.a2a import receive
        >>> body = (
        ...     b'{"jsonrpc": "2.0", "id": 1, "method": "message/stream", "params": {"message": {"kind": "message",'
        ...     b' "messageId": "m1", "role": "user", "parts": [{"kind": "text", "text": "Hi"}]}}}'
        ... )
        >>> request = HttpRequest(method="POST", url="https://agents.example/helper", body=body)
        >>> now = datetime(2026, 11, 21, tzinfo=UTC)
        >>> got = drive(receive(request, recipient="@helper@agents.example", now=now, entropy=bytes(32)), Answers())
        >>> wants_stream(got.message)
        True
    """
    check_kind(message, NormalizedMessage, "message")
    return question_of(message).is_stream


def dialect_of(message: NormalizedMessage) -> CallDialect:
    """The dialect in which the client of a message speaks: for `push_notification`, which writes to it later.

    Raises:
        UsageError: It is no message.

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import Answers, drive
        >>> from mentionable.a2a import receive
        >>> now = datetime(2026, 11, 21, tzinfo=UTC)
        >>> message = {"messageId": "m1", "role": "ROLE_USER", "parts": [{"text": "Hi"}]}
        >>> got = drive(receive(message, recipient="@helper@agents.example", now=now, entropy=bytes(32)), Answers())
        >>> dialect_of(got.message)
        '1.0'
    """
    check_kind(message, NormalizedMessage, "message")
    question = question_of(message)
    if question.dialect.version == "1.0":
        return "1.0-rest" if question.binding == "rest" else "1.0"
    return "0.3" if question.dialect.has_kind else "0.3-rest"


def reply(
    response: NormalizedResponse,
    *,
    to: NormalizedMessage,
    now: datetime,
    entropy: bytes,
    settlement: Mapping[str, Any] = EMPTY_DICT,
    blobs: Mapping[str, bytes] = NO_BLOBS,
    task: StoredTask | None = None,
    settings: Settings = DEFAULTS,
) -> Outgoing:
    """Write the answer to an A2A question, in its version, its binding, and as a stream when it asked for one.

    The reader of this library gives back equal parts: text is in canonical form, tool calls go by the tool-events
    extension, artifacts at the end of a task are in `artifacts`. A file that is named by a digest goes out as its URL,
    else as the bytes in `blobs`. A policy at the end decides the state of the task. `extra` of parts is carried,
    `extra` inside them and of the response is not: each change has a diagnostic.

    The task of an answer is completed, unless a policy, an error or `with_state` says otherwise. A client that takes no
    Markdown and no HTML gets plain text.

    A frame of a stream (`streaming`) gives the events of this frame; all frames of one answer must answer the same
    message. `push_back.thread_ref` names another task.

    With `task` every answer is one of that task, and `Outgoing.stored_task` is the task after it, frame by frame. The
    client gets the task as it is stored, with as much of its history as it wants and as fits. Frames are then for its
    subscribers, and need no client that waits for them.

    Args:
        response: What the agent answers: whole, or a frame.
        to: The message that it answers, as `receive` gave it or your store gave it back.
        now: The time, aware.
        entropy: At least 32 random bytes, fresh for each answer and frame; the same give the same ids.
        settlement: The settlement of a payment, for clients of x402: the result of `policy.x402_settlement`. It goes
            out with the last status of a task.
        blobs: SHA-256 in hex → bytes, for files that are named by their digest alone.
        task: What you stored of the task: what `open_task` gave, or `stored_task` of the frame before.
        settings: Has the limits.

    Raises:
        UnanswerableError: `no-private-way`: there is a policy for the asker alone, and `task` is of another caller.
        UsageError: Your program's fault: the response is to another message, came from another transport, breaks the
            contract, names bytes that `blobs` does not have, is larger than a body may be, or is a frame though the
            client takes no stream; or `task` is another one, is of another caller, or has ended.

    Spec: Normalized Message §4, §5.2; A2A 0.3 §7, A2A 1.0 §9.

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import Answers, NormalizedResponse, drive
        >>> from mentionable.a2a import receive
        >>> now = datetime(2026, 11, 21, tzinfo=UTC)
        >>> message = {"messageId": "m1", "contextId": "c1", "role": "ROLE_USER", "parts": [{"text": "Hi"}]}
        >>> got = drive(receive(message, recipient="@helper@agents.example", now=now, entropy=bytes(32)), Answers())
        >>> out = reply(NormalizedResponse.to(got.message, "Hello!"), to=got.message, now=now, entropy=bytes(32))
        >>> out.message["contextId"], out.message["role"], out.message["parts"]
        ('c1', 'ROLE_AGENT', [{'text': 'Hello!', 'mediaType': 'text/markdown'}])
    """
    # 1. check the arguments, and that the question takes a frame
    check_reply(response, to=to, channel="a2a", now=now, entropy=entropy, settings=settings)
    metadata = check_settlement(settlement) if settlement else {}
    question = question_of(to)
    check_frame(response, takes_stream=question.is_stream or question.binding is None or task is not None)
    if response.push_back is not None and response.push_back.thread_ref:
        question = question._replace(task_id=response.push_back.thread_ref)
    if task is not None:
        check_task(task, task_id=question.task_id or task_id_for(to.id))
        if task.owner != owner_of(to):  # its owner subscribes to it, and the sender would get what it has
            if has_private_policy(response):
                raise no_private_way("the task belongs to another caller than the sender of the message")
            raise UsageError("task: it belongs to another caller than the sender of the message")
        question = question._replace(task_id=task.id, context_id=task.context_id)

    # 2. write the parts as the client takes them, and derive the ids from them
    configuration = read_configuration(question.configuration, question.dialect.version).value
    response, changed = _as_accepted(response, configuration) if configuration.accepted_output_modes else (response, ())
    draft, diagnostics = draft_answer(
        response, to=to, question=question, now=now, entropy=entropy, settlement=metadata, blobs=blobs
    )

    # 3. write the message; where it belongs to a task, the task and its events; and what is stored of it
    dialect, streaming = question.dialect, response.streaming
    message = write_reply_message(draft, draft.fresh() if draft.json else draft.written, draft.question_place)
    opened: dict[str, Any] | None = None
    stored, updates = None, tuple[dict[str, Any], ...]()
    length, is_frame = configuration.history_length, streaming is not None
    if task is not None:
        stored, updates = stored_after(task, in_dialect(draft, V1, blobs), settings.limits)
        opened, events = _visible_task(task, stored, updates, question, length, is_frame=is_frame)
    elif draft.place.task_id is None:
        events = (dialect.event("message", message),)
    elif streaming is not None:
        opened, events = frame_events(draft, streaming)
    else:
        opened = write_answer_task(draft)
        events = task_events(opened, draft) if question.is_stream else (dialect.event("task", opened),)

    # 4. write the HTTP response: events, or one result; of a stored task with as much history as fits
    max_bytes, in_events = settings.limits.a2a_bytes, is_frame or question.is_stream
    written = _respond(question, message, opened, events if in_events else None, draft.extensions)
    excess = len(written.body) - max_bytes
    if excess > 0 and task is not None and stored is not None:
        visible = [task if in_events else stored]
        [length] = fitting_lengths(visible, dialect, is_stream=in_events, history_length=length, excess=excess)
        opened, events = _visible_task(task, stored, updates, question, length, is_frame=is_frame)
        written = _respond(question, message, opened, events if in_events else None, draft.extensions)
    check_size(written.body, most=max_bytes, what="a body")
    return Outgoing(
        message=message,
        task=opened,
        events=events,
        response=written,
        native_id=draft.message_id,
        diagnostics=(*changed, *diagnostics),
        stored_task=stored,
        updates=updates,
    )


def _respond(
    question: Question,
    message: dict[str, Any],
    task: dict[str, Any] | None,
    events: Sequence[dict[str, Any]] | None,
    extensions: Sequence[str],
) -> HttpResponse:
    """The HTTP response with events, or with one result: the task where there is one, else the message."""
    if events is not None:
        return respond_events(question, events=events, extensions=extensions)
    kind, result = ("message", message) if task is None else ("task", task)
    return respond(question, result=result, kind=kind, extensions=extensions)


def _as_accepted(
    response: NormalizedResponse, configuration: SendConfiguration
) -> tuple[NormalizedResponse, tuple[Diagnostic, ...]]:
    """The response with plain text where the client takes that alone; and what of it the client did not ask for.

    Nothing is left out: a client may show what it did not ask for, and cannot show what it does not get.
    """
    parts, odd, takes_plain = list(response.parts), list[Diagnostic](), configuration.accepts("text/plain")
    for index, part in enumerate(parts):
        if not isinstance(part, (TextPart, FilePart, ArtifactPart)) or configuration.accepts(part.mime):
            continue
        detail = f"the client does not take {part.mime}"
        if isinstance(part, TextPart) and takes_plain:
            parts[index] = replace(part, content=part_text(part), mime="text/plain")
            detail += ": it goes out as plain text"
        odd.append(Diagnostic(code="part-changed", at=f"/parts/{index}", detail=detail))
    return (replace(response, parts=tuple(parts)), tuple(odd)) if odd else (response, ())


def _visible_task(
    before: StoredTask,
    task: StoredTask,
    updates: Iterable[dict[str, Any]],
    question: Question,
    length: int | None,
    *,
    is_frame: bool,
) -> tuple[dict[str, Any] | None, tuple[dict[str, Any], ...]]:
    """A stored task and what is new about it, as the client gets it.

    The task comes first where a stream begins: not behind frames of the same answer. It has `length` messages of its
    history, or all. The last event of v0.3 says that it is the last.
    """
    dialect = question.dialect
    if not is_frame and not question.is_stream:
        answer = task_in(task, dialect, history_length=length)
        return answer, (dialect.event("task", answer),)
    events = [event_in(update, dialect) for update in updates]
    if dialect.version == "0.3" and not is_frame:
        ending = events[-1] if dialect.has_kind else events[-1]["statusUpdate"]
        ending["final"] = True
    whole = None if is_frame else task_in(task, dialect, history_length=length)
    goes_on = is_frame and before.state == "working"
    if not goes_on and not is_streamed(before):
        first = task_in(before, dialect, history_length=length)
        return whole or first, (dialect.event("task", first), *events)
    return whole, tuple(events)
