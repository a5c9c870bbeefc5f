"""An answer to an A2A question, put together: its parts, its ids, the objects that they stand in, and the response.

Spec: Normalized Message §4, §5.2; A2A 0.3 and 1.0.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final, NamedTuple

from ..._errors.exceptions import UsageError
from ..._flow.settings import Settings
from ..._model.codec import encode
from ..._model.diagnostic import Diagnostic
from ..._model.message import NormalizedMessage, NormalizedResponse, Streaming
from ..._model.parts import ArtifactPart, CarriedPolicy, Part, TextPart, ToolCallPart
from ..._model.policy import EXTENSION, PolicyPart
from ..._text.plain_text import clean
from ..._text.policy_text import render_text
from ..._transport.reply import NO_BLOBS, check_size
from ..._wire.http import HttpResponse
from ..._wire.ids import derive, task_id_for, uuid7
from ..._wire.strict_json import dump_line
from ..._wire.time import format_time
from .._policy import write_policy
from .._protocol import Json
from .dialects import TOOL_EVENTS, Dialect, State
from .objects import Place, artifact_update, status_update, write_artifact, write_message, write_status, write_task
from .parts import EncodeContext, hinted, write_nothing, write_parts
from .question import Question, question_of
from .response import respond, respond_events

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


class Answer(NamedTuple):
    """An answer, with the members of `Outgoing`."""

    message: Json
    task: Json | None
    events: tuple[Json, ...]
    response: HttpResponse
    native_id: str
    notes: tuple[Diagnostic, ...]


class _Draft(NamedTuple):
    """What the objects of one answer are made from.

    Attributes:
        response: The response.
        parts: Its parts without the policy.
        written: These parts as they are written. They may share JSON with the response.
        json: The same as JSON, of which `fresh` makes parts that share nothing; empty when all of them are mere text.
        policy: The policy at its end.
        settlement: What stands beside it in the metadata of its message.
        state: The state of a task that is answered so.
        wording: How to write.
        asked_at: The context and the task of the question.
        place: The same with the task that is made, where one is needed.
        seed: What the ids are made of.
        message_id: The id of the message.
        extensions: The extensions in use.
        now: Now.
    """

    response: NormalizedResponse
    parts: tuple[Part, ...]
    written: list[Json]
    json: str
    policy: PolicyPart | None
    settlement: Json
    state: State
    dialect: Dialect
    asked_at: Place
    place: Place
    seed: bytes
    message_id: str
    extensions: tuple[str, ...]
    now: datetime

    def fresh(self) -> list[Json]:
        """The parts, sharing nothing with the response or with what was made before."""
        if not self.json:
            return write_parts(self.parts, EncodeContext(self.dialect, NO_BLOBS, []))
        made: list[Json] = json.loads(self.json)
        return made


def write_answer(
    response: NormalizedResponse,
    *,
    to: NormalizedMessage,
    now: datetime,
    entropy: bytes,
    settlement: Json,
    blobs: Mapping[str, bytes],
    settings: Settings,
) -> Answer:
    """The answer to a question. The arguments are those of `reply`, and the first of them has been checked.

    Raises:
        UsageError: See `reply`.
    """
    question = question_of(to)
    _check_frame(response, question)
    if response.push_back is not None and response.push_back.thread_ref:
        question = question._replace(task_id=response.push_back.thread_ref)
    notes: list[Diagnostic] = []
    draft = _draft(response, to, question, now, entropy, settlement, EncodeContext(question.dialect, blobs, notes))
    streaming, dialect = response.streaming, question.dialect
    message = _message(draft, draft.fresh() if draft.json else draft.written, draft.asked_at)
    task: Json | None
    events: tuple[Json, ...]
    if draft.place.task_id is None:
        task, events = None, (dialect.event("message", message),)
    else:
        if streaming is not None:
            task, events = _frame(draft, streaming)
        else:
            task = _task(draft)
            events = _events_of_task(task, draft) if question.is_stream else (dialect.event("task", task),)
    if streaming is not None or question.is_stream:
        transmitted = respond_events(question, events=events, extensions=draft.extensions)
    else:
        kind, result = ("message", message) if task is None else ("task", task)
        transmitted = respond(question, result=result, kind=kind, extensions=draft.extensions)
    check_size(transmitted.body, most=settings.limits.a2a_bytes, what="a body")
    return Answer(message, task, events, transmitted, draft.message_id, tuple(notes))


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


def _draft(
    response: NormalizedResponse,
    to: NormalizedMessage,
    question: Question,
    now: datetime,
    entropy: bytes,
    settlement: Json,
    context: EncodeContext,
) -> _Draft:
    """What the answer says, and its ids."""
    parts, policy = response.parts, None
    if parts and isinstance(last := parts[-1], CarriedPolicy):
        parts, policy = parts[:-1], last.policy
    if policy is not None:
        state = _POLICY_STATES.get(policy.kind, "failed")
    else:
        state = "failed" if response.status == "error" else "completed"
    written = write_parts(parts, context)
    _note_what_is_left_out(response, context)
    is_text = not any(part.__class__ is not TextPart or part.extra for part in parts)
    kinds = () if is_text else {part.__class__ for part in parts}
    in_json = "" if is_text else dump_line(written)
    asked_at = place = Place(question.context_id, question.task_id)
    needs_task = response.streaming is not None or state != "completed" or ArtifactPart in kinds or bool(settlement)
    if needs_task and question.task_id is None:
        place = Place(question.context_id, task_id_for(to.id))
    said = (in_json or _texts(written)) + (dump_line(settlement) if settlement else "")
    seed = _seed(response, to, entropy, state, place, said, policy)
    return _Draft(
        response,
        parts,
        written,
        in_json,
        policy,
        settlement,
        state,
        question.dialect,
        asked_at,
        place,
        seed,
        uuid7(now, seed, "a2a.message"),
        (*((TOOL_EVENTS,) if ToolCallPart in kinds else ()), *(() if policy is None else (EXTENSION,))),
        now,
    )


def _texts(written: Iterable[Json]) -> str:
    """Mere text and its types as one string, which takes less than JSON; no text that goes out has a NUL."""
    return "\0".join([f"{part['text']}\0{part.get('mediaType') or part.get('metadata')}" for part in written])


def _seed(
    response: NormalizedResponse,
    to: NormalizedMessage,
    entropy: bytes,
    state: State,
    place: Place,
    said: str,
    policy: PolicyPart | None,
) -> bytes:
    """What the ids of an answer are made of, so that no two answers and no two frames share one."""
    if policy is not None or response.error is not None:
        said += _beside(response, policy)
    if place.task_id is None:
        return derive("a2a.reply", entropy, to.id, to.recipient, said)
    streaming = response.streaming
    frame = () if streaming is None else (str(streaming.seq), response.status, streaming.stream_id)
    return derive("a2a.reply", entropy, to.id, to.recipient, said, state, place.task_id, *frame)


def _beside(response: NormalizedResponse, policy: PolicyPart | None) -> str:
    """What an answer says beside its parts: why there is none, or what is demanded first."""
    return "\0" + dump_line([encode(one) for one in (response.error, policy) if one is not None])


def _note_what_is_left_out(response: NormalizedResponse, context: EncodeContext) -> None:
    """Notes what of the response is in no part and has no place in A2A."""
    context.leave_out(response.extra, "")
    if response.streaming is not None:
        context.leave_out(response.streaming.extra, "/streaming")
    if response.error is not None:
        if response.status == "error":
            context.leave_out(response.error.extra, "/error")
        else:
            context.note("/error", "the status is no error, so nobody is told of one")
    if response.parts and isinstance(last := response.parts[-1], CarriedPolicy):
        context.leave_out(last.extra, f"/parts/{len(response.parts) - 1}")


def _message(draft: _Draft, written: list[Json], place: Place) -> Json:
    """The message of the agent with these parts, and with the reason or the demand that the answer has."""
    dialect, response = draft.dialect, draft.response
    hints: Json = {}
    if response.status == "error":
        hints["error"] = _error_hints(response, has_parts=bool(written))
        if not written:
            written = [dialect.text(_NO_REASON if response.error is None else response.error.message, "text/plain")]
    beside = {**draft.settlement}
    if draft.policy is not None:
        demand, demanded = write_policy(draft.policy)
        hints |= demand
        beside |= demanded
        written = [*written, dialect.text(clean(render_text(draft.policy)), "text/plain")]
    return write_message(
        written or [write_nothing(dialect)],
        dialect,
        message_id=draft.message_id,
        role=dialect.agent,
        place=place,
        hints=hints,
        beside=beside,
        extensions=draft.extensions,
    )


def _error_hints(response: NormalizedResponse, *, has_parts: bool) -> Json:
    """Why there is no answer, for programs, with the words where the text of the message says others."""
    error = response.error
    hints: Json = {} if error is None else {"code": error.code, "retriable": error.retriable}
    if not has_parts:
        hints["in_text"] = True
    if error is not None and (has_parts or clean(error.message) != error.message):
        hints["message"] = error.message
    return hints


def _task(draft: _Draft) -> Json:
    """The whole answer as a task: artifacts at the end in `artifacts`, all else in the message of its status."""
    written = draft.fresh()
    first = len(written)
    while first and isinstance(draft.parts[first - 1], ArtifactPart):
        first -= 1
    message = None
    if first or draft.state != "completed" or draft.settlement:
        message = _message(draft, written[:first], draft.place)
    artifacts = [
        write_artifact(
            uuid7(draft.now, draft.seed, "a2a.artifact", number),
            [_complete(artifact)],
            name=_name_of(artifact),
            hints={},
            extensions=(),
        )
        for number, artifact in enumerate(written[first:])
    ]
    status = write_status(draft.state, draft.dialect, message=message, time=format_time(draft.now))
    return write_task(draft.place, status, draft.dialect, artifacts=artifacts)


def _complete(written: Json) -> Json:
    """An artifact with the word that this is all of it: readers add nothing of what stands around it."""
    written["metadata"]["mentionable"]["complete"] = True
    return written


def _name_of(written: Json) -> str | None:
    """The name of a file part, whatever the dialect."""
    name: str | None = written.get("filename") or written.get("file", {}).get("name")
    return name


def _events_of_task(task: Json, draft: _Draft) -> tuple[Json, ...]:
    """A whole answer told as a stream: the task at work, its artifacts, and its last status."""
    place, dialect = draft.place, draft.dialect
    updates = [
        artifact_update(place, artifact, dialect, appends=False, is_last=True) for artifact in task.get("artifacts", ())
    ]
    return (
        dialect.event("task", _at_work(draft)),
        *updates,
        status_update(place, task["status"], dialect, is_final=True),
    )


def _at_work(draft: _Draft) -> Json:
    """The task before there is anything of the answer."""
    status = write_status("working", draft.dialect, message=None, time=format_time(draft.now))
    return write_task(draft.place, status, draft.dialect, artifacts=[])


def _frame(draft: _Draft, streaming: Streaming) -> tuple[Json | None, tuple[Json, ...]]:
    """The task that a stream opens with, and the events of one frame.

    All frames together are one artifact, named after the stream: later parts are appended to it.
    """
    dialect, place = draft.dialect, draft.place
    task = _at_work(draft) if streaming.seq == 0 else None
    parts = draft.fresh() or [write_nothing(dialect)]
    if streaming.seq and draft.parts and isinstance(first := draft.parts[0], TextPart) and not first.extra:
        hinted(parts[0], {"continues": True})  # for whoever has the artifact whole, and does not know the frames
    hints = {"streaming": {"stream_id": streaming.stream_id, "seq": streaming.seq, "final": streaming.final}}
    used = [extension for extension in draft.extensions if extension != EXTENSION]
    artifact = write_artifact(streaming.stream_id, parts, hints=hints, extensions=used)
    events = [] if task is None else [dialect.event("task", task)]
    events.append(artifact_update(place, artifact, dialect, appends=streaming.seq > 0, is_last=streaming.final))
    if streaming.final:
        is_mere_end = draft.state == "completed" and not draft.settlement
        message = None if is_mere_end else _message(draft, [], place)
        status = write_status(draft.state, dialect, message=message, time=format_time(draft.now))
        events.append(status_update(place, status, dialect, is_final=True))
    return task, tuple(events)
