"""What an agent tells of its answer, event by event or in one body, put together.

Artifacts that come in pieces are put together by what the events say: a piece is appended or takes the place of all
before it. A status takes the place of the one before it. What this library sent frame by frame is put together as
frames. A whole body is an event too, so that a stream and a body that say the same come to the same.

Spec: A2A 0.3 §7.2, §7.9; A2A 1.0 §3.5, §9.4.2; Normalized Message §4 (Streaming).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import chain
from typing import Any, Final

from ..._errors.exceptions import WireError, wire_error, with_prefix
from ..._flow.settings import Limits
from ..._model.message import NormalizedMessage, NormalizedResponse, Streaming
from ..._model.parts import CarriedPolicy, Part, TextPart
from ..._wire.address import agent_address
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
"""The states after which a stream says no more. A task that waits for authorization may go on when it comes."""

_OTHER_TASK: Final = "the event belongs to another task than the stream"


class ResultReader:
    """What an agent has told so far.

    Attributes:
        is_complete: Whether the agent said its last word.
        is_anything: Whether it said anything.
    """

    __slots__ = (
        "_artifacts",
        "_at",
        "_carts",
        "_context_id",
        "_count",
        "_head",
        "_head_at",
        "_limits",
        "_parsing",
        "_seq",
        "_state",
        "_task_id",
        "_to",
        "is_anything",
        "is_complete",
    )

    def __init__(self, to: NormalizedMessage, limits: Limits) -> None:
        self.is_complete = False
        self.is_anything = False
        self._to = to
        self._limits = limits
        self._parsing = ParseContext(limits, has_blobs=False)
        self._artifacts: dict[str, ChunkedArtifact | FrameSequence] = {}
        self._carts: dict[str, list[Any]] = {}
        self._count = 0  # parts in all artifacts
        self._seq = -1
        self._head: Head | None = None
        self._at = self._head_at = ""
        self._state: str | None = None
        self._task_id: str | None = None
        self._context_id: str | None = None

    def take(self, document: Any, *, at: str = "", is_whole: bool = False) -> list[NormalizedResponse]:
        """Takes one event; the frames that it gives.

        Args:
            document: Its JSON.
            at: Where it stands in what came.
            is_whole: Whether it is all that comes, so that it must be a message or a task.

        Raises:
            WireError: It cannot be read, is of another task, or there is too much. The places are relative to it.
        """
        self._at = at
        event = open_event(document)
        if is_whole and event.kind not in ("message", "task"):
            raise wire_error("stream-event", event.at, "a frame of a stream is no answer by itself")
        self.is_anything = True
        if event.is_of_old_rest:
            self._parsing.dialect = "0.3-rest"
        try:
            frames = _TAKERS[event.kind](self, event)
        except WireError as error:
            raise with_prefix(error, event.at) from None
        self._parsing.notes.clear()
        return frames

    def response(self) -> NormalizedResponse:
        """The whole answer.

        Raises:
            WireError: The message cannot be read, or there are too many parts.
        """
        parts: list[Part] = []
        if self._head is not None:
            try:
                parts = read_message_parts(self._head, self._parsing).parts
            except WireError as error:
                raise with_prefix(error, self._head_at) from None
        policy: tuple[CarriedPolicy, ...] = ()
        is_unread = False
        if self._head is not None and has_policy(self._head.metadata):
            parts, policy = take_policy(
                self._head.metadata,
                parts,
                self._parsing,
                authority=agent_address(self._to.recipient).domain,
                task_id=self._task_id,
                produced=chain.from_iterable(self._carts.values()),
            )
            is_unread = not policy and is_demanded(self._head.metadata)
        if self._state not in FAILURES and self._is_repeated(parts):
            parts = []
        produced = [part for artifact in self._artifacts.values() for part in artifact.whole(self._parsing)]
        self._check_room(len(parts) + len(policy))
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
        """A message by itself is the last word; after a task it takes the place of what the task said."""
        self._head = head = read_head(event.members, self._parsing)
        self._head_at = self._at + event.at
        self._belongs(head.task_id, head.context_id)
        self._state = None
        self.is_complete = True
        return []

    def _take_task(self, event: Event) -> list[NormalizedResponse]:
        """A task says how everything stands, its artifacts included."""
        task = read_task(event.members, self._parsing)
        self._belongs(task.id, task.context_id, id_at="/id")
        for index, artifact in enumerate(task.artifacts):
            try:
                self._add_piece(read_artifact(artifact, self._parsing), appends=False)
            except WireError as error:
                raise with_prefix(error, f"/artifacts/{index}") from None
        self._stands(task.state, task.message, event, is_last=False)
        return []

    def _take_status(self, event: Event) -> list[NormalizedResponse]:
        """A status takes the place of the one before."""
        task_id, context_id = self._place_in(event)
        try:
            state, _, head = read_status(event.members.get("status"), task_id, context_id, self._parsing)
        except WireError as error:
            raise with_prefix(error, "/status") from None
        self._stands(state, head, event, is_last=event.members.get("final") is True)
        return []

    def _take_artifact(self, event: Event) -> list[NormalizedResponse]:
        """A piece of an artifact, or all of it."""
        self._place_in(event)
        if self._state is None:
            self._state = "working"
        try:
            artifact = read_artifact(event.members.get("artifact"), self._parsing)
            frame = self._frame_of(artifact)
            if frame is not None:
                return frame
            is_new, appends = artifact.id not in self._artifacts, event.members.get("append") is True
            parts = self._add_piece(artifact, appends=appends)
        except WireError as error:
            raise with_prefix(error, "/artifact") from None
        if not parts or not (is_new or appends):  # what takes the place of something else is no addition to it
            return []
        self._seq += 1
        place = Streaming(stream_id=self._task_id or artifact.id, seq=self._seq, final=False)
        return [NormalizedResponse(reply_to=self._to.id, parts=tuple(parts), status="partial", streaming=place)]

    def _place_in(self, event: Event) -> tuple[str | None, str | None]:
        """The task and context of an event, which must be those of the stream."""
        task_id = read_id(event.members.get("taskId"), "/taskId", self._parsing)
        context_id = read_id(event.members.get("contextId"), "/contextId", self._parsing)
        self._belongs(task_id, context_id)
        return task_id, context_id

    def _belongs(self, task_id: str | None, context_id: str | None, *, id_at: str = "/taskId") -> None:
        """Raises when an event is of another task or context; else remembers them."""
        if task_id is not None and self._task_id not in (None, task_id):
            raise wire_error("task-mismatch", id_at, _OTHER_TASK)
        if context_id is not None and self._context_id not in (None, context_id):
            raise wire_error("task-mismatch", "/contextId", _OTHER_TASK)
        self._task_id, self._context_id = self._task_id or task_id, self._context_id or context_id

    def _stands(self, state: str, head: Head | None, event: Event, *, is_last: bool) -> None:
        """Remembers a status, and whether it is the last one."""
        self._state, self._head, self._head_at = state, head, f"{self._at}{event.at}/status/message"
        self.is_complete = is_last or state in _LAST or (head is not None and is_demanded(head.metadata))

    def _frame_of(self, artifact: Artifact) -> list[NormalizedResponse] | None:
        """The frame that an artifact is, when this library sent it as one; none when it came before."""
        seq, known = artifact.seq, self._artifacts.get(artifact.id)
        if seq is None or (known is None and seq) or isinstance(known, ChunkedArtifact):
            return None  # of a stream whose beginning is missing, the pieces can be appended all the same
        if known is None:
            known = self._artifacts[artifact.id] = FrameSequence(self._limits)
        if known.came_before(seq):
            return []
        before = known.count
        frame = known.add(
            tuple(read_parts(artifact.parts, "/parts", self._parsing).parts), self._to.id, artifact.id, seq
        )
        self._count += known.count - before
        self._check_room()
        return [frame]

    def _add_piece(self, artifact: Artifact, *, appends: bool) -> list[Part]:
        """Puts a piece of an artifact where it belongs; what it says."""
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
        parts = known.add(read_parts(artifact.parts, "/parts", self._parsing), self._parsing)
        self._count += known.count - before
        self._check_room()
        return parts

    def _check_room(self, beside: int = 0) -> None:
        """Raises when there are too many artifacts, or parts in them and `beside` them."""
        most = self._limits.parts
        if max(self._count + beside, len(self._artifacts)) > most:
            raise wire_error("too-many-parts", "/parts", f"more than {most} parts")

    def _is_repeated(self, said: list[Part]) -> bool:
        """Whether a message says in text what one artifact says, or what all say together."""
        text = text_of(said)
        if not text or not all(isinstance(part, TextPart) for part in said):
            return False
        texts = [artifact.text() for artifact in self._artifacts.values()]
        return text in texts or text == "".join(texts)


_TAKERS: Final[Mapping[str, Callable[[ResultReader, Event], list[NormalizedResponse]]]] = {
    "message": ResultReader._take_message,
    "task": ResultReader._take_task,
    "status-update": ResultReader._take_status,
    "artifact-update": ResultReader._take_artifact,
}
