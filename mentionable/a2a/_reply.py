"""The door out: a response becomes the message, task or events that answer an A2A question, and the HTTP response.

Spec: Normalized Message §4, §5.2; A2A 0.3 and 1.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from attrs import field

from .._errors import UsageError
from .._ids import derive, uuid7
from .._model.parts import ArtifactPart, CarriedPolicy, TextPart, ToolCallPart
from .._reply import NO_BLOBS, check_reply
from .._settings import DEFAULTS
from .._time import format_time
from .._value import record
from ._dialects import TOOL_EVENTS
from ._part_writing import hinted, write_nothing, write_parts
from ._question import question_of
from ._responding import respond, respond_events
from ._writing import (
    Place,
    artifact_update,
    status_update,
    uuid_of,
    write_artifact,
    write_message,
    write_status,
    write_task,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from .._http import HttpResponse
    from .._model.message import NormalizedMessage, NormalizedResponse, Streaming
    from .._model.parts import Part
    from .._model.policy import PolicyPart
    from .._outcome import Diagnostic
    from .._settings import Settings
    from ._dialects import Json, State
    from ._question import Question

_POLICY_STATES: Final[Mapping[str, State]] = {
    "payment_required": "input-required",
    "unauthorized": "auth-required",
    "consent_required": "auth-required",
    "forbidden": "rejected",
    "unavailable_for_legal_reasons": "rejected",
    "too_many_requests": "failed",
    "service_unavailable": "failed",
}
"""What a demand means for the task. A kind that is not known is no success."""

_NO_REASON: Final = "The agent could not answer."


@record
class Outgoing:
    """An answer in the dialect in which the question came.

    For a host that speaks HTTP itself `response` is all. One that sits in an A2A SDK takes `message` or `task`, or in a
    stream `events`. The JSON is fresh: it shares nothing with the response, though `events` may share with `task`.

    Attributes:
        message: The answer as one complete message of the agent. For a frame of a stream: what the frame adds.
        task: The answer as a task, when the question belongs to one or the answer needs one: an error, a policy, or
            artifacts. For the first frame of a stream: the task that it opens. Else None.
        events: What to tell in a stream, in order: of a frame what belongs to the frame, of a whole answer all of it.
        response: The HTTP response; of a frame the next piece of one.
        native_id: The messageId of `message`. Store the answer under it, so that a reply to it finds its parent.
        diagnostics: What was odd.
    """

    message: dict[str, Any]
    task: dict[str, Any] | None
    events: tuple[dict[str, Any], ...]
    response: HttpResponse
    native_id: str
    diagnostics: tuple[Diagnostic, ...] = field(default=())


class _Answer(NamedTuple):
    """What all objects of one answer are made from.

    Attributes:
        response: The response.
        parts: Its parts without the policy.
        policy: The policy at its end.
        state: The state of a task that is answered so.
        question: What it answers.
        place: The context, and the task of the question or the one that is made, if there is one.
        message_id: The id of the message.
        extensions: The extensions in use.
        blobs: SHA-256 in hex → bytes.
        now: Now.
        entropy: For ids.
    """

    response: NormalizedResponse
    parts: tuple[Part, ...]
    policy: PolicyPart | None
    state: State
    question: Question
    place: Place
    message_id: str
    extensions: tuple[str, ...]
    blobs: Mapping[str, bytes]
    now: datetime
    entropy: bytes


def reply(
    response: NormalizedResponse,
    *,
    to: NormalizedMessage,
    now: datetime,
    entropy: bytes,
    blobs: Mapping[str, bytes] = NO_BLOBS,
    settings: Settings = DEFAULTS,
) -> Outgoing:
    """The answer to an A2A question, in its version, its binding, and as a stream when it asked for one.

    Parts go out so that the reader of this library gives them back equal: text in canonical form, tool calls by the
    tool-events extension, artifacts at the end of a task in `artifacts`. A file that is named by a digest goes out as
    its URL, else as the bytes in `blobs`. A policy at the end decides the state of the task. `extra` of parts
    is carried, `extra` inside them and of the response is not.

    A frame of a stream (`streaming`) gives the events of this frame; all frames of one answer must answer the same
    message. `push_back.thread_ref` names another task.

    Args:
        response: What the agent answers: whole, or a frame.
        to: The message that it answers, as `receive` gave it or your store gave it back.
        now: The time, aware.
        entropy: At least 32 random bytes, fresh for each answer and frame; the same give the same ids.
        blobs: SHA-256 in hex → bytes, for files that are named by their digest alone.
        settings: Has the limits.

    Raises:
        UsageError: Your program's fault: the response is to another message, came from another transport, breaks the
            contract, names bytes that `blobs` does not have, or is a frame though the question wants one answer.

    Spec: Normalized Message §4, §5.2; A2A 0.3 §7, A2A 1.0 §9.

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import Answers, NormalizedResponse, drive
        >>> from mentionable.a2a import receive
        >>> now = datetime(2026, 11, 21, tzinfo=UTC)
        >>> said = {"messageId": "m1", "contextId": "c1", "role": "ROLE_USER", "parts": [{"text": "Hi"}]}
        >>> got = drive(receive(said, recipient="@helper@agents.example", now=now, entropy=bytes(32)), Answers())
        >>> out = reply(NormalizedResponse.to(got.message, "Hello!"), to=got.message, now=now, entropy=bytes(32))
        >>> out.message["contextId"], out.message["role"], out.message["parts"]
        ('c1', 'ROLE_AGENT', [{'text': 'Hello!', 'mediaType': 'text/markdown'}])
    """
    check_reply(response, to=to, channel="a2a", now=now, entropy=entropy, settings=settings)
    question = question_of(to)
    _check_frame(response, question)
    if response.push_back is not None and response.push_back.thread_ref:
        question = question._replace(task_id=response.push_back.thread_ref)
    answer = _answer_of(response, question, blobs, now, entropy)
    message = _message(answer, answer.parts)
    streaming = response.streaming
    needs_task = streaming is not None or answer.state != "completed" or _has_artifact(answer.parts)
    if needs_task and question.task_id is None:
        answer = answer._replace(place=Place(question.context_id, _task_id(to.id)))
    if streaming is not None:
        task, events = _frame(answer, streaming)
    elif needs_task or question.task_id is not None:
        task = _task(answer)
        events = _events_of_task(task, answer) if question.is_stream else (question.dialect.event("task", task),)
    else:
        task, events = None, (question.dialect.event("message", message),)
    if streaming is not None or question.is_stream:
        transmitted = respond_events(question, events=events, extensions=answer.extensions)
    else:
        kind, result = ("message", message) if task is None else ("task", task)
        transmitted = respond(question, result=result, kind=kind, extensions=answer.extensions)
    return Outgoing(message=message, task=task, events=events, response=transmitted, native_id=answer.message_id)


def _check_frame(response: NormalizedResponse, question: Question) -> None:
    """Raises unless a frame says where it stands, and somebody asked for frames."""
    streaming = response.streaming
    if streaming is None:
        if response.status == "partial":
            raise UsageError("streaming: a partial response must say where it stands in its stream")
    elif streaming.final != (response.status != "partial"):
        raise UsageError("status: a frame is 'partial' unless it is the final one")
    elif question.binding is not None and not question.is_stream:
        raise UsageError("streaming: the question wants one answer; collect the frames with Assembler")


def _answer_of(
    response: NormalizedResponse, question: Question, blobs: Mapping[str, bytes], now: datetime, entropy: bytes
) -> _Answer:
    parts, policy = response.parts, None
    if parts and isinstance(last := parts[-1], CarriedPolicy):
        parts, policy = parts[:-1], last.policy
    if policy is not None:
        state = _POLICY_STATES.get(policy.kind, "failed")
    else:
        state = "failed" if response.status == "error" else "completed"
    extensions = (TOOL_EVENTS,) if any(part.__class__ is ToolCallPart for part in parts) else ()
    return _Answer(
        response,
        parts,
        policy,
        state,
        question,
        Place(question.context_id, question.task_id),
        uuid7(now, entropy, "a2a-message"),
        extensions,
        blobs,
        now,
        entropy,
    )


def _task_id(asked_id: str) -> str:
    """The id of the task that a question without one gets: the same for all frames, and whoever asks again."""
    return uuid_of(derive("a2a-task", asked_id.encode()))


def _has_artifact(parts: Sequence[Part]) -> bool:
    return any(part.__class__ is ArtifactPart for part in parts)


def _message(answer: _Answer, parts: Sequence[Part]) -> Json:
    """The message of the agent with these parts, and with the reason or the demand that the answer has."""
    dialect, response = answer.question.dialect, answer.response
    written = write_parts(parts, dialect, answer.blobs)
    hints: Json = {}
    if response.status == "error":
        hints["error"] = _error_hints(response, has_parts=bool(written))
        if not written:
            written = [dialect.text(_NO_REASON if response.error is None else response.error.message, "text/plain")]
    if answer.policy is not None:
        from .._codec import encode

        hints["policy"] = encode(answer.policy)
        written += write_parts((_in_words(answer.policy),), dialect, {})
    return write_message(
        written or [write_nothing(dialect)],
        dialect,
        message_id=answer.message_id,
        role=dialect.agent,
        place=answer.place,
        hints=hints,
        extensions=answer.extensions,
    )


def _error_hints(response: NormalizedResponse, *, has_parts: bool) -> Json:
    """Why there is no answer, for programs, with the words where the text of the message says others."""
    error = response.error
    hints: Json = {} if error is None else {"code": error.code, "retriable": error.retriable}
    if not has_parts:
        hints["in_text"] = True
    elif error is not None:
        hints["message"] = error.message
    return hints


def _in_words(policy: PolicyPart) -> TextPart:
    return TextPart(content=policy.message if policy.url is None else f"{policy.message}\n{policy.url}")


def _task(answer: _Answer) -> Json:
    """The whole answer as a task: artifacts at the end in `artifacts`, all else in the message of its status."""
    parts, dialect = answer.parts, answer.question.dialect
    first = len(parts)
    while first and parts[first - 1].__class__ is ArtifactPart:
        first -= 1
    message = None
    if first or answer.state != "completed":
        message = _message(answer, parts[:first])
    artifacts = [
        write_artifact(
            uuid7(answer.now, answer.entropy, "a2a-artifact", number),
            [_complete(written)],
            name=_name_of(written),
            hints={},
            extensions=(),
        )
        for number, written in enumerate(write_parts(parts[first:], dialect, answer.blobs, first=first))
    ]
    status = write_status(answer.state, dialect, message=message, time=format_time(answer.now))
    return write_task(answer.place, status, dialect, artifacts=artifacts)


def _complete(written: Json) -> Json:
    """An artifact with the word that this is all of it: readers add nothing of what stands around it."""
    written["metadata"]["mentionable"]["complete"] = True
    return written


def _name_of(written: Json) -> str | None:
    """The name of a file part, whatever the dialect."""
    name: str | None = written.get("filename") or written.get("file", {}).get("name")
    return name


def _events_of_task(task: Json, answer: _Answer) -> tuple[Json, ...]:
    """A whole answer told as a stream: the task at work, its artifacts, and its last status."""
    place, dialect = answer.place, answer.question.dialect
    updates = [
        artifact_update(place, artifact, dialect, appends=False, is_last=True) for artifact in task.get("artifacts", ())
    ]
    return (
        dialect.event("task", _at_work(answer)),
        *updates,
        status_update(place, task["status"], dialect, is_final=True),
    )


def _at_work(answer: _Answer) -> Json:
    """The task before there is anything of the answer."""
    dialect = answer.question.dialect
    status = write_status("working", dialect, message=None, time=format_time(answer.now))
    return write_task(answer.place, status, dialect, artifacts=[])


def _frame(answer: _Answer, streaming: Streaming) -> tuple[Json | None, tuple[Json, ...]]:
    """The task that a stream opens with, and the events of one frame.

    All frames together are one artifact, named after the stream: later parts are appended to it.
    """
    dialect, place = answer.question.dialect, answer.place
    task = _at_work(answer) if streaming.seq == 0 else None
    parts = write_parts(answer.parts, dialect, answer.blobs) or [write_nothing(dialect)]
    if streaming.seq and answer.parts and isinstance(first := answer.parts[0], TextPart) and not first.extra:
        hinted(parts[0], {"continues": True})  # for whoever has the artifact whole, and does not know the frames
    hints = {"streaming": {"stream_id": streaming.stream_id, "seq": streaming.seq, "final": streaming.final}}
    artifact = write_artifact(streaming.stream_id, parts, hints=hints, extensions=answer.extensions)
    events = [] if task is None else [dialect.event("task", task)]
    events.append(artifact_update(place, artifact, dialect, appends=streaming.seq > 0, is_last=streaming.final))
    if streaming.final:
        message = None if answer.state == "completed" else _message(answer, ())
        status = write_status(answer.state, dialect, message=message, time=format_time(answer.now))
        events.append(status_update(place, status, dialect, is_final=True))
    return task, tuple(events)
