"""The events of an answer, put together; a whole body is read as one event, to the same result.

A chunk of an artifact is appended to those before it, or replaces them. A status replaces the one before it. An answer
that this library sent frame by frame is put together as frames. What cannot be read costs itself, with a diagnostic.

Spec: A2A 0.3 §7.2, §7.9; A2A 1.0 §3.5, §9.4.2; Normalized Message §4 (Streaming).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any, Final

from ..._errors.exceptions import CODES, WireError, wire_error, with_prefix
from ..._flow.outcome import Answered
from ..._flow.settings import Limits
from ..._model.diagnostic import Diagnostic, unread
from ..._model.message import NormalizedMessage, NormalizedResponse
from ..._model.parts import CarriedPolicy, Part, TextPart
from ..._model.stored_task import ENDED
from ..._transport.answer_stream import AnswerReader, answered
from ..._transport.json_body import load_body
from ..._wire.address import agent_address
from ..._wire.sse import Event as SseEvent
from .._policy import take_policy
from .._read.artifact import Artifact, ChunkedArtifact, FrameSequence, read_artifact, text_of
from .._read.message import Head, read_id, read_message_parts
from .._read.metadata import has_policy, hints_of, is_demanded
from .._read.parse_context import EMPTY, ParseContext, members_of
from .._read.parts import read_parts
from .._read.task import TaskHead, open_status
from .asked import UNKNOWN, Asked, check_call_id
from .events import Event, open_event
from .lenient_head import read_answer_head
from .own_extra import of_artifact, of_message
from .progress import Progress
from .task_result import FAILURES, TaskResult, response_of
from .turns import turns_of

_LAST: Final = ENDED | {"input-required"}
"""The states after which a stream ends. A task that waits for authorization may go on when it comes."""

_IN_HISTORY: Final = frozenset({"completed", "input-required", "auth-required"})
"""The states whose words some servers give in the history alone."""


class ResultReader(AnswerReader):
    """Reads the events of an answer."""

    def __init__(self, to: NormalizedMessage, limits: Limits, asked: Asked = UNKNOWN) -> None:
        super().__init__(to, limits)
        self._asked = asked
        self._context = ParseContext(limits, is_lenient=True)
        self._artifacts: dict[str, ChunkedArtifact | FrameSequence] = {}
        self._described: dict[str, dict[str, Any]] = {}
        self._carts: dict[str, list[Any]] = {}
        self._count = 0  # parts in all artifacts
        self._head: Head | None = None
        self._head_pointer = ""
        self._state: str | None = None
        self._task_id: str | None = None
        self._context_id: str | None = None
        self._of_task: dict[str, Any] = {}
        self._of_message: dict[str, Any] = {}
        self._progress = Progress()
        self._at = ""  # JSON Pointer in the JSON of the event at hand
        self._task: TaskHead | None = None
        self._task_pointer = ""

    def take(self, event: SseEvent, pointer: str) -> list[NormalizedResponse]:
        """Read the next event; one without data means nothing."""
        if not event.data.strip():
            return []
        self._pointer = pointer
        document = load_body(event.data, self._limits)
        self._events[-1] = document
        return self._take(document, open_event(document))

    def whole(self, body: bytes, *, or_event: bool = False) -> Answered:
        """The answer in a body that is all of it: a message or a task, or any event where `or_event`.

        Raises:
            WireError: As `take`.
        """
        document = load_body(body, self._limits)
        event = open_event(document)
        if not or_event and event.kind not in ("message", "task"):
            raise wire_error("stream-event", event.at, "a frame of a stream is no answer by itself")
        self._take(document, event)
        return self._answered(document)

    def answered(self) -> Answered:
        """The whole answer, with everything that came along."""
        return self._answered({"events": self._events})

    def _answered(self, raw: Any) -> Answered:
        response = self.response()
        if self._task is None or not self._task.history:
            return answered(response, raw, self._diagnostics, omitted=self._omitted)
        turns = turns_of(self._task, self._task_pointer, self._to, self._context)
        return answered(response, raw, self._diagnostics, turns=turns, omitted=self._omitted)

    def _take(self, document: Any, event: Event) -> list[NormalizedResponse]:
        self._at = event.at
        if not check_call_id(document, self._asked):
            self._report([Diagnostic(code="call-mismatch", at="/id", detail="the answer has no id")], self._pointer)
        if event.is_of_old_rest:
            self._context = self._context._replace(dialect="0.3-rest")
        try:
            frames = _TAKERS[event.kind](self, event)
        except WireError as error:
            raise with_prefix(error, event.at) from None
        self.has_content = True
        return frames

    def response(self) -> NormalizedResponse:
        """The whole answer: tool calls of its progress, the parts of its message and its artifacts, and the policy."""
        produced = [part for artifact in self._artifacts.values() for part in artifact.whole(self._context)]
        parts, policy, is_unread = self._message()
        if not (parts or policy or is_unread or produced) and self._state in _IN_HISTORY:
            self._head, self._head_pointer = self._progress.last, self._progress.last_at
            parts, policy, is_unread = self._message()
        if self._state not in FAILURES and self._is_repeated(parts):
            parts = []
        calls = self._progress.calls
        self._check_counts(len(parts) + len(policy) + len(calls))
        answer = TaskResult(
            state=self._state,
            head=self._head,
            message_parts=parts,
            artifact_parts=produced,
            calls=calls,
            policy=policy,
            is_unread=is_unread,
            is_broken=self.is_broken,
            # A direct message ends no task and opens none; all else is of the task that was asked.
            task_id=self._task_id or (None if self._state is None else self._asked.task_id),
            context_id=self._context_id or self._asked.context_id,
            own={**self._of_task, **self._of_message},
            artifacts=self._described,
        )
        return response_of(answer, self._to)

    def _message(self) -> tuple[list[Part], tuple[CarriedPolicy, ...], bool]:
        """The parts of the last message, its policy, and whether it has one that cannot be read."""
        head = self._head
        if head is None:
            return [], (), False
        parsed = read_message_parts(head, self._context)
        if parsed.diagnostics:
            self._report(parsed.diagnostics, self._head_pointer)
        if not has_policy(head.metadata, hints_of(head.metadata)):
            return parsed.parts, (), False
        parts, policy, odd = take_policy(
            head.metadata,
            parsed.parts,
            authority=agent_address(self._to.recipient).domain,
            task_id=self._task_id,
            produced=chain.from_iterable(self._carts.values()),
        )
        self._report(odd, self._head_pointer)
        return parts, policy, not policy and is_demanded(head.metadata)

    def _take_message(self, event: Event) -> list[NormalizedResponse]:
        """A message by itself is the last event; after a task it replaces the message of the task."""
        head, odd = read_answer_head(event.members, self._limits)
        self._belongs(head.task_id, head.context_id)
        self._note(odd)
        self._head, self._head_pointer = head, self._pointer + self._at
        self._of_message = of_message(event.members)
        self._state = None
        self.is_complete = True
        return []

    def _take_task(self, event: Event) -> list[NormalizedResponse]:
        """A task replaces everything before it, artifacts of the same ids included."""
        members = event.members
        state, status = open_status(members)
        self._belongs(self._id_in(members, "id"), self._id_in(members, "contextId"), id_at="/id")
        self._of_task = of_message(members)
        artifacts = self._list_in(members, "artifacts")
        self._check_count(len(artifacts), "/artifacts")
        for index, artifact in enumerate(artifacts):
            try:
                self._add_chunk(read_artifact(artifact, self._limits), f"/artifacts/{index}", appends=False)
                self._describe(artifact)
            except WireError as error:
                self._skip(with_prefix(error, f"/artifacts/{index}"))
        self._set_status(state, status, is_last=False)
        history = self._list_in(members, "history")
        if history:
            own_id = None if self._head is None else self._head.id
            self._progress.add_history(history, own_id, self._pointer + self._at, self._context)
            stamp = status.get("timestamp")
            self._task = TaskHead(self._task_id or "", self._context_id, state, stamp, self._head, [], history)
            self._task_pointer = self._pointer + self._at
        return []

    def _take_status(self, event: Event) -> list[NormalizedResponse]:
        """A status replaces the one before it."""
        state, status = open_status(event.members)
        self._belongs(self._id_in(event.members, "taskId"), self._id_in(event.members, "contextId"))
        if event.members.get("metadata"):
            self._of_task = of_message(event.members)
        self._set_status(state, status, is_last=event.members.get("final") is True)
        return []

    def _take_artifact(self, event: Event) -> list[NormalizedResponse]:
        """A chunk of an artifact, or all of it."""
        try:
            artifact = read_artifact(event.members.get("artifact"), self._limits)
        except WireError as error:
            raise with_prefix(error, "/artifact") from None
        self._belongs(self._id_in(event.members, "taskId"), self._id_in(event.members, "contextId"))
        if self._state is None:
            self._state = "working"
        self._describe(event.members["artifact"])
        frames = self._own_frames(artifact)
        if frames is not None:
            return frames
        is_new, appends = artifact.id not in self._artifacts, event.members.get("append") is True
        parts = self._add_chunk(artifact, "/artifact", appends=appends)
        if not parts or not (is_new or appends):  # a replacement adds nothing
            return []
        return [self._frame(parts, self._task_id or artifact.id)]

    def _note(self, diagnostics: Sequence[Diagnostic], at: str = "") -> None:
        """Report diagnostics at a pointer that is relative to the event at hand."""
        if diagnostics:
            self._report(diagnostics, self._pointer + self._at + at)

    def _skip(self, fault: WireError) -> None:
        """Report what of the event at hand cannot be read.

        Raises:
            WireError: The answer is over a limit.
        """
        if CODES[fault.code].kind == "limit":
            raise fault
        self._note([unread(fault)])

    def _belongs(self, task_id: str | None, context_id: str | None, *, id_at: str = "/taskId") -> None:
        """Compare a task and a context with those of the answer, or those of the call before there are any.

        An event of another task is no part of this answer. All else counts, and is reported: where the answer goes on
        under another task or context than the call, these are the ones to go on with.

        Raises:
            WireError: `task-mismatch`: an event of another task.
        """
        if task_id is not None and self._task_id not in (None, task_id):
            raise wire_error("task-mismatch", id_at, "the event belongs to another task than the stream")
        if task_id is not None and self._task_id is None and self._asked.task_id not in (None, task_id):
            self._note([_mismatch(id_at, "the answer is of another task than the one that was asked")])
        known = self._context_id or self._asked.context_id
        if context_id is not None and known not in (None, context_id):
            of = "the one that was asked" if self._context_id is None else "the events before"
            self._note([_mismatch("/contextId", f"the answer is in another context than {of}")])
        self._task_id, self._context_id = self._task_id or task_id, self._context_id or context_id

    def _id_in(self, members: dict[str, Any], name: str) -> str | None:
        """The id in a member; one that is none is reported."""
        own_id = members.get(name)
        if own_id.__class__ is str and 0 < len(own_id) <= self._limits.id_chars:  # nearly always
            return str(own_id)
        try:
            return read_id(own_id, f"/{name}", self._limits)
        except WireError as error:
            self._note([unread(error)])
            return None

    def _list_in(self, members: dict[str, Any], name: str) -> list[Any]:
        """The array in a member; anything else is reported."""
        value = members.get(name)
        if value.__class__ is list:
            array: list[Any] = value
            return array
        if value is not None:
            self._note([Diagnostic(code="wrong-type", at=f"/{name}", detail="must be an array")])
        return []

    def _set_status(self, state: str, status: dict[str, Any], *, is_last: bool) -> None:
        """Let a status replace the one before it, whose message is progress from now on."""
        message, head, of_head = status.get("message"), None, EMPTY
        if message is not None:
            try:
                head, odd = read_answer_head(message, self._limits)
                of_head = of_message(message)
                self._note([*odd, *self._misplaced(head)], "/status/message")
            except WireError as error:
                self._skip(with_prefix(error, "/status/message"))
        before = self._head
        if before is not None and before.role == "agent" and (head is None or head.id != before.id):
            self._progress.add(before, self._head_pointer, self._context)
        self._state, self._head, self._of_message = state, head, of_head
        self._head_pointer = f"{self._pointer}{self._at}/status/message"
        self.is_complete = is_last or state in _LAST or (head is not None and is_demanded(head.metadata))

    def _misplaced(self, head: Head) -> list[Diagnostic]:
        """Whether the message of a status names another task or context than the answer has; it counts."""
        odd = []
        if head.task_id is not None and self._task_id not in (None, head.task_id):
            odd.append(_mismatch("/taskId", "the message belongs to another task"))
        if head.context_id is not None and self._context_id not in (None, head.context_id):
            odd.append(_mismatch("/contextId", "the message belongs to another context"))
        return odd

    def _describe(self, artifact: Any) -> None:
        """Keep what is known of an artifact."""
        described = of_artifact(artifact)
        if described:
            own_id = members_of(artifact, "an artifact")["artifactId"]
            self._described.setdefault(own_id, {}).update(described)

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
        parsed = read_parts(artifact.parts, "/parts", self._context)
        self._note(parsed.diagnostics, "/artifact")
        frame = known.add(tuple(parsed.parts), self._to.id, artifact.id, seq)
        self._count += known.count - before
        self._check_counts()
        return [frame]

    def _add_chunk(self, artifact: Artifact, at: str, *, appends: bool) -> list[Part]:
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
        parsed = read_parts(artifact.parts, "/parts", self._context)
        self._note(parsed.diagnostics, at)
        parts = known.add(parsed, self._context)
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


def _mismatch(at: str, detail: str) -> Diagnostic:
    return Diagnostic(code="task-mismatch", at=at, detail=detail)


_TAKERS: Final[Mapping[str, Callable[[ResultReader, Event], list[NormalizedResponse]]]] = {
    "message": ResultReader._take_message,
    "task": ResultReader._take_task,
    "status-update": ResultReader._take_status,
    "artifact-update": ResultReader._take_artifact,
}
