"""The events of an answer, put together; a whole body is read as one event, to the same result.

A chunk of an artifact is appended to those before it, or replaces them. A status replaces the one before it. An answer
that this library sent frame by frame is put together as frames.

Spec: A2A 0.3 §7.2, §7.9; A2A 1.0 §3.5, §9.4.2; Normalized Message §4 (Streaming).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import chain
from typing import Any, Final

from ..._errors.exceptions import WireError, wire_error, with_prefix
from ..._flow.outcome import Answered
from ..._flow.settings import Limits
from ..._model.message import NormalizedMessage, NormalizedResponse
from ..._model.parts import CarriedPolicy, Part, TextPart
from ..._transport.answer_stream import AnswerReader, answered
from ..._transport.json_body import load_body
from ..._wire.address import agent_address
from ..._wire.sse import Event as SseEvent
from .._policy import take_policy
from .._read.artifact import Artifact, ChunkedArtifact, FrameSequence, read_artifact, text_of
from .._read.message import Head, read_head, read_id, read_message_parts
from .._read.metadata import has_policy, is_demanded
from .._read.parse_context import ParseContext
from .._read.parts import read_parts
from .._read.task import ENDED, read_status, read_task
from .events import Event, open_event
from .task_result import FAILURES, TaskResult, response_of

_LAST: Final = ENDED | {"input-required"}
"""The states after which a stream ends. A task that waits for authorization may go on when it comes."""

_OTHER_TASK: Final = "the event belongs to another task than the stream"


class ResultReader(AnswerReader):
    """Reads the events of an answer."""

    def __init__(self, to: NormalizedMessage, limits: Limits) -> None:
        super().__init__(to, limits)
        self._context = ParseContext(limits)
        self._artifacts: dict[str, ChunkedArtifact | FrameSequence] = {}
        self._carts: dict[str, list[Any]] = {}
        self._count = 0  # parts in all artifacts
        self._head: Head | None = None
        self._head_pointer = ""
        self._state: str | None = None
        self._task_id: str | None = None
        self._context_id: str | None = None

    def take(self, event: SseEvent, pointer: str) -> list[NormalizedResponse]:
        """Read the next event; one without data means nothing."""
        if not event.data.strip():
            return []
        self._pointer = pointer
        document = load_body(event.data, self._limits)
        self._events.append(document)
        return self._take(open_event(document))

    def whole(self, body: bytes, *, or_event: bool = False) -> Answered:
        """The answer in a body that is all of it: a message or a task, or any event where `or_event`.

        Raises:
            WireError: As `take`.
        """
        document = load_body(body, self._limits)
        event = open_event(document)
        if not or_event and event.kind not in ("message", "task"):
            raise wire_error("stream-event", event.at, "a frame of a stream is no answer by itself")
        self._take(event)
        return answered(self.response(), document, self._diagnostics, omitted=self._omitted)

    def _take(self, event: Event) -> list[NormalizedResponse]:
        self.has_content = True
        if event.is_of_old_rest:
            self._context = self._context._replace(dialect="0.3-rest")
        try:
            return _TAKERS[event.kind](self, event)
        except WireError as error:
            raise with_prefix(error, event.at) from None

    def response(self) -> NormalizedResponse:
        """The whole answer: the parts of the message, then those of the artifacts, then the policy."""
        parts: list[Part] = []
        if self._head is not None:
            try:
                parts = read_message_parts(self._head, self._context).parts
            except WireError as error:
                raise with_prefix(error, self._head_pointer) from None
        policy: tuple[CarriedPolicy, ...] = ()
        is_unread = False
        if self._head is not None and has_policy(self._head.metadata):
            parts, policy, _ = take_policy(
                self._head.metadata,
                parts,
                authority=agent_address(self._to.recipient).domain,
                task_id=self._task_id,
                produced=chain.from_iterable(self._carts.values()),
            )
            is_unread = not policy and is_demanded(self._head.metadata)
        if self._state not in FAILURES and self._is_repeated(parts):
            parts = []
        produced = [part for artifact in self._artifacts.values() for part in artifact.whole(self._context)]
        self._check_counts(len(parts) + len(policy))
        answer = TaskResult(
            state=self._state,
            head=self._head,
            message_parts=parts,
            artifact_parts=produced,
            policy=policy,
            is_unread=is_unread,
            task_id=self._task_id,
            context_id=self._context_id,
        )
        return response_of(answer, self._to)

    def _take_message(self, event: Event) -> list[NormalizedResponse]:
        """A message by itself is the last event; after a task it replaces the message of the task."""
        self._head = head = read_head(event.members, self._limits)
        self._head_pointer = self._pointer + event.at
        self._belongs(head.task_id, head.context_id)
        self._state = None
        self.is_complete = True
        return []

    def _take_task(self, event: Event) -> list[NormalizedResponse]:
        """A task replaces everything before it, its artifacts included."""
        task = read_task(event.members, self._limits)
        self._belongs(task.id, task.context_id, id_at="/id")
        for index, artifact in enumerate(task.artifacts):
            try:
                self._add_chunk(read_artifact(artifact, self._limits), appends=False)
            except WireError as error:
                raise with_prefix(error, f"/artifacts/{index}") from None
        self._set_status(task.state, task.message, event, is_last=False)
        return []

    def _take_status(self, event: Event) -> list[NormalizedResponse]:
        """A status replaces the one before it."""
        task_id, context_id = self._place_of(event)
        try:
            state, _, head = read_status(event.members.get("status"), task_id, context_id, self._limits)
        except WireError as error:
            raise with_prefix(error, "/status") from None
        self._set_status(state, head, event, is_last=event.members.get("final") is True)
        return []

    def _take_artifact(self, event: Event) -> list[NormalizedResponse]:
        """A chunk of an artifact, or all of it."""
        self._place_of(event)
        if self._state is None:
            self._state = "working"
        try:
            artifact = read_artifact(event.members.get("artifact"), self._limits)
            frames = self._own_frames(artifact)
            if frames is not None:
                return frames
            is_new, appends = artifact.id not in self._artifacts, event.members.get("append") is True
            parts = self._add_chunk(artifact, appends=appends)
        except WireError as error:
            raise with_prefix(error, "/artifact") from None
        if not parts or not (is_new or appends):  # a replacement adds nothing
            return []
        return [self._frame(parts, self._task_id or artifact.id)]

    def _place_of(self, event: Event) -> tuple[str | None, str | None]:
        """The task and context of an event, which must be those of the stream."""
        task_id = read_id(event.members.get("taskId"), "/taskId", self._limits)
        context_id = read_id(event.members.get("contextId"), "/contextId", self._limits)
        self._belongs(task_id, context_id)
        return task_id, context_id

    def _belongs(self, task_id: str | None, context_id: str | None, *, id_at: str = "/taskId") -> None:
        """Raises when an event is of another task or context than the stream."""
        if task_id is not None and self._task_id not in (None, task_id):
            raise wire_error("task-mismatch", id_at, _OTHER_TASK)
        if context_id is not None and self._context_id not in (None, context_id):
            raise wire_error("task-mismatch", "/contextId", _OTHER_TASK)
        self._task_id, self._context_id = self._task_id or task_id, self._context_id or context_id

    def _set_status(self, state: str, head: Head | None, event: Event, *, is_last: bool) -> None:
        self._state, self._head, self._head_pointer = state, head, f"{self._pointer}{event.at}/status/message"
        self.is_complete = is_last or state in _LAST or (head is not None and is_demanded(head.metadata))

    def _own_frames(self, artifact: Artifact) -> list[NormalizedResponse] | None:
        """The frame that an artifact is, or none for one that came before; None when this library did not send it."""
        seq, known = artifact.seq, self._artifacts.get(artifact.id)
        if seq is None or (known is None and seq) or isinstance(known, ChunkedArtifact):
            return None  # without the beginning of a stream, its chunks can still be appended
        if known is None:
            known = self._artifacts[artifact.id] = FrameSequence(self._limits)
        if known.came_before(seq):
            return []
        before = known.count
        frame = known.add(
            tuple(read_parts(artifact.parts, "/parts", self._context).parts), self._to.id, artifact.id, seq
        )
        self._count += known.count - before
        self._check_counts()
        return [frame]

    def _add_chunk(self, artifact: Artifact, *, appends: bool) -> list[Part]:
        """Append a chunk of an artifact, or let it replace those before it; its parts."""
        known = self._artifacts.get(artifact.id)
        if not appends or not isinstance(known, ChunkedArtifact):
            if known is not None:
                self._count -= known.count
            known = self._artifacts[artifact.id] = ChunkedArtifact(artifact)
        before = known.count
        if not appends:
            self._carts.pop(artifact.id, None)
        carts = [part for part in artifact.parts if part.__class__ is dict and "data" in part]
        if carts:
            self._carts.setdefault(artifact.id, []).extend(carts)
        parts = known.add(read_parts(artifact.parts, "/parts", self._context), self._context)
        self._count += known.count - before
        self._check_counts()
        return parts

    def _check_counts(self, others: int = 0) -> None:
        """Raises when there are too many artifacts, or parts in them and `others`."""
        self._check_count(max(self._count + others, len(self._artifacts)), "/parts")

    def _is_repeated(self, parts: list[Part]) -> bool:
        """Whether a message is the text of one artifact, or of all artifacts together."""
        text = text_of(parts)
        if not text or not all(isinstance(part, TextPart) for part in parts):
            return False
        texts = [artifact.text() for artifact in self._artifacts.values()]
        return text in texts or text == "".join(texts)


_TAKERS: Final[Mapping[str, Callable[[ResultReader, Event], list[NormalizedResponse]]]] = {
    "message": ResultReader._take_message,
    "task": ResultReader._take_task,
    "status-update": ResultReader._take_status,
    "artifact-update": ResultReader._take_artifact,
}
