"""The message, the task and the events of an answer.

Spec: Normalized Message §4, §5.2; A2A 0.3 and 1.0.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final, NamedTuple

from ..._model.codec import encode
from ..._model.diagnostic import Diagnostic
from ..._model.message import NormalizedMessage, NormalizedResponse, Streaming
from ..._model.parts import ArtifactPart, CarriedPolicy, Part, TextPart, ToolCallPart
from ..._model.policy import EXTENSION, PolicyPart
from ..._model.stored_task import TaskState
from ..._text.plain_text import clean
from ..._text.policy_text import render_text
from ..._wire.ids import derive, task_id_for, uuid7
from ..._wire.strict_json import dig, dump_line
from ..._wire.time import format_time
from .._policy import write_policy_metadata
from .._protocol import Json
from .dialects import TOOL_EVENTS, Dialect
from .objects import Place, artifact_update, status_update, write_artifact, write_message, write_status, write_task
from .parts import dropped_extra, hinted, write_nothing, write_parts
from .question import Question

_POLICY_STATES: Final[Mapping[str, TaskState]] = {
    "payment_required": "input-required",
    "unauthorized": "auth-required",
    "consent_required": "auth-required",
    "forbidden": "rejected",
    "unavailable_for_legal_reasons": "rejected",
    "too_many_requests": "failed",
    "service_unavailable": "failed",
}
"""Kind of policy → state of the task. An unknown kind is no success."""

_FAILED: Final[Mapping[str, TaskState]] = {"failed": "failed", "canceled": "canceled", "rejected": "rejected"}
_STATED: Final[Mapping[str, TaskState]] = {
    **_FAILED,
    "submitted": "working",
    "working": "working",
    "input-required": "input-required",
    "auth-required": "auth-required",
    "completed": "completed",
}
"""The states that a response may name → the state of the task. An answer that comes later is still being worked on."""

_NO_REASON: Final = "The agent could not answer."


class Draft(NamedTuple):
    """The parts and ids from which the objects of one answer are made.

    Attributes:
        response: The response.
        dialect: The dialect to write in.
        parts: The parts without the policy.
        written: The same as they are written. They may share JSON with the response.
        json: The same as JSON, of which `fresh` makes parts that share nothing; empty when all parts are plain text.
        policy: The policy at the end.
        settlement: Other metadata of the message.
        state: The state of the task.
        question_place: The context and the task of the question.
        place: The same with a new task, where one is needed.
        seed: The seed of the ids.
        message_id: The id of the message.
        extensions: The extensions in use.
        now: Now.
    """

    response: NormalizedResponse
    dialect: Dialect
    parts: tuple[Part, ...]
    written: list[Json]
    json: str
    policy: PolicyPart | None
    settlement: Json
    state: TaskState
    question_place: Place
    place: Place
    seed: bytes
    message_id: str
    extensions: tuple[str, ...]
    now: datetime

    def fresh(self) -> list[Json]:
        """The written parts, sharing nothing with the response or with another call."""
        if not self.json:
            return write_parts(self.parts, self.dialect)[0]
        written: list[Json] = json.loads(self.json)
        return written


def draft_answer(
    response: NormalizedResponse,
    *,
    to: NormalizedMessage,
    question: Question,
    now: datetime,
    entropy: bytes,
    settlement: Json,
    blobs: Mapping[str, bytes],
) -> tuple[Draft, list[Diagnostic]]:
    """The parts of an answer as they are written, its state and its ids; and what of it cannot be carried."""
    parts, policy = response.parts, None
    if parts and isinstance(last := parts[-1], CarriedPolicy):
        parts, policy = parts[:-1], last.policy
    state = _state_of(response, policy)
    written, diagnostics = write_parts(parts, question.dialect, blobs)
    diagnostics += _dropped_members(response)
    is_text = not [part for part in parts if part.__class__ is not TextPart or part.extra]
    kinds = () if is_text else {part.__class__ for part in parts}
    in_json = "" if is_text else dump_line(written)
    question_place = place = Place(question.context_id, question.task_id)
    has_artifacts = ArtifactPart in kinds
    needs_task = response.streaming is not None or state != "completed" or has_artifacts or bool(settlement)
    if needs_task and question.task_id is None:
        place = Place(question.context_id, task_id_for(to.id))

    # Ids derive from the whole content, so that no two answers and no two frames share one.
    content = in_json or _texts(written)
    if settlement:
        content += dump_line(settlement)
    if policy is not None or response.error is not None:
        content += "\0" + dump_line([encode(one) for one in (response.error, policy) if one is not None])
    task = () if place.task_id is None else (state, place.task_id)
    streaming = response.streaming
    frame = () if streaming is None else (str(streaming.seq), response.status, streaming.stream_id)
    seed = derive("a2a.reply", entropy, to.id, to.recipient, content, *task, *frame)

    extensions = (TOOL_EVENTS,) if ToolCallPart in kinds else ()
    draft = Draft(
        response=response,
        dialect=question.dialect,
        parts=parts,
        written=written,
        json=in_json,
        policy=policy,
        settlement=settlement,
        state=state,
        question_place=question_place,
        place=place,
        seed=seed,
        message_id=uuid7(now, seed, "a2a.message"),
        extensions=extensions if policy is None else (*extensions, EXTENSION),
        now=now,
    )
    return draft, diagnostics


def _texts(written: Iterable[Json]) -> str:
    """Plain text and its types as one string, which takes less time than JSON; outgoing text has no NUL."""
    return "\0".join([f"{part['text']}\0{part.get('mediaType') or part.get('metadata')}" for part in written])


def _state_of(response: NormalizedResponse, policy: PolicyPart | None) -> TaskState:
    """The state of the task: that of the policy, or the one that the response itself names (`with_state`).

    An answer of another agent that is passed on names the state of its task there. That state must fit the status.
    """
    if policy is not None:
        return _POLICY_STATES.get(policy.kind, "failed")
    if response.status == "partial":
        return "working"
    stated = dig(response.extra, "a2a", "state")
    allowed = _FAILED if response.status == "error" else _STATED
    usual: TaskState = "failed" if response.status == "error" else "completed"
    return allowed.get(stated, usual) if stated.__class__ is str else usual


def _dropped_members(response: NormalizedResponse) -> tuple[Diagnostic, ...]:
    """What of the response is in no part and has no place in A2A. What a client knows of a task is not the agent's."""
    diagnostics = dropped_extra({name: one for name, one in response.extra.items() if name != "a2a"}, "")
    if response.streaming is not None:
        diagnostics += dropped_extra(response.streaming.extra, "/streaming")
    if response.error is not None:
        if response.status == "error":
            diagnostics += dropped_extra(response.error.extra, "/error")
        else:
            detail = "the error was left out: the status is no error"
            diagnostics += (Diagnostic(code="part-changed", at="/error", detail=detail),)
    if response.parts and isinstance(last := response.parts[-1], CarriedPolicy):
        diagnostics += dropped_extra(last.extra, f"/parts/{len(response.parts) - 1}")
    return diagnostics


def write_reply_message(draft: Draft, written: list[Json], place: Place) -> Json:
    """The message of the agent with these parts, and with the error or the policy of the answer."""
    dialect, response = draft.dialect, draft.response
    hints: Json = {}
    if response.status == "error":
        hints["error"] = _error_hints(response, has_parts=bool(written))
        if not written:
            written = [dialect.text(_NO_REASON if response.error is None else response.error.message, "text/plain")]
    metadata = {**draft.settlement}
    if draft.policy is not None:
        policy_hints, for_x402 = write_policy_metadata(draft.policy)
        hints |= policy_hints
        metadata |= for_x402
        written = [*written, dialect.text(clean(render_text(draft.policy)), "text/plain")]
    return write_message(
        written or [write_nothing(dialect)],
        dialect,
        message_id=draft.message_id,
        role=dialect.agent,
        place=place,
        hints=hints,
        metadata=metadata,
        extensions=draft.extensions,
    )


def _error_hints(response: NormalizedResponse, *, has_parts: bool) -> Json:
    """The error for programs, with its message where the text of the message is another."""
    error = response.error
    hints: Json = {} if error is None else {"code": error.code, "retriable": error.retriable}
    if not has_parts:
        hints["in_text"] = True
    if error is not None and (has_parts or clean(error.message) != error.message):
        hints["message"] = error.message
    return hints


def in_dialect(draft: Draft, dialect: Dialect, blobs: Mapping[str, bytes]) -> Draft:
    """The same answer as another dialect writes it."""
    if dialect is draft.dialect:
        return draft
    written = write_parts(draft.parts, dialect, blobs)[0]
    return draft._replace(dialect=dialect, written=written, json=dump_line(written) if draft.json else "")


def write_answer_task(draft: Draft) -> Json:
    """The whole answer as a task: artifacts at the end in `artifacts`, all else in the message of its status."""
    written = draft.fresh()
    first = len(written)
    while first and isinstance(draft.parts[first - 1], ArtifactPart):
        first -= 1
    message = None
    if first or draft.state != "completed" or draft.settlement:
        message = write_reply_message(draft, written[:first], draft.place)
    artifacts = []
    for number, part in enumerate(written[first:]):
        part["metadata"]["mentionable"]["complete"] = True  # readers add nothing of the artifact around it
        name = part.get("filename") or part.get("file", {}).get("name")
        artifact_id = uuid7(draft.now, draft.seed, "a2a.artifact", number)
        artifacts.append(write_artifact(artifact_id, [part], name=name, hints={}, extensions=()))
    status = write_status(draft.state, draft.dialect, message=message, time=format_time(draft.now))
    return write_task(draft.place, status, draft.dialect, artifacts=artifacts)


def task_events(task: Json, draft: Draft) -> tuple[Json, ...]:
    """A whole answer as a stream: the task at work, its artifacts, and its last status."""
    place, dialect = draft.place, draft.dialect
    updates = [
        artifact_update(place, artifact, dialect, appends=False, is_last=True) for artifact in task.get("artifacts", ())
    ]
    return (
        dialect.event("task", _working_task(draft)),
        *updates,
        status_update(place, task["status"], dialect, is_final=True),
    )


def _working_task(draft: Draft) -> Json:
    """The task at the beginning of a stream."""
    status = write_status("working", draft.dialect, message=None, time=format_time(draft.now))
    return write_task(draft.place, status, draft.dialect, artifacts=[])


def frame_events(draft: Draft, streaming: Streaming) -> tuple[Json | None, tuple[Json, ...]]:
    """The task that the first frame of a stream opens, and the events of one frame.

    All frames together are one artifact, named after the stream: later parts are appended to it.
    """
    dialect, place = draft.dialect, draft.place
    task = _working_task(draft) if streaming.seq == 0 else None
    parts = draft.fresh() or [write_nothing(dialect)]
    if streaming.seq and draft.parts and isinstance(first := draft.parts[0], TextPart) and not first.extra:
        hinted(parts[0], {"continues": True})  # for readers of the whole artifact, which has no frames
    hints = {"streaming": {"stream_id": streaming.stream_id, "seq": streaming.seq, "final": streaming.final}}
    used = [extension for extension in draft.extensions if extension != EXTENSION]
    artifact = write_artifact(streaming.stream_id, parts, hints=hints, extensions=used)
    events = [] if task is None else [dialect.event("task", task)]
    events.append(artifact_update(place, artifact, dialect, appends=streaming.seq > 0, is_last=streaming.final))
    if streaming.final:
        has_message = draft.state != "completed" or draft.settlement
        message = write_reply_message(draft, [], place) if has_message else None
        status = write_status(draft.state, dialect, message=message, time=format_time(draft.now))
        events.append(status_update(place, status, dialect, is_final=True))
    return task, tuple(events)
